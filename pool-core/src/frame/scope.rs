//! A part of a frame, which takes back what it has allocated.

use core::alloc::Layout;
use core::fmt;
use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::frame::mark::Position;
use crate::frame::{FrameBox, Frames, Sharing};
use crate::init::{Init, TryInitError};

/// A part of a frame: allocates as its stack does, and takes everything back at its end.
///
/// Made by [`Frames::scope`]. `'s` is the time until then: what is allocated here can be used in scopes
/// within this one, and does not leave it.
///
/// # Examples
///
/// ```
/// use typed_pool::FrameStack;
///
/// let mut frame = FrameStack::new();
/// let longest = frame.scope(|level| {
///     let rooms = level.alloc_slice(&[3, 1, 2]);
///     level.scope(|room| {
///         // Of the inner scope and of the outer one.
///         let doubled = room.alloc_slice_with(rooms.len(), |i| rooms[i] * 2);
///         doubled.iter().copied().max()
///     })
/// });
/// assert_eq!((longest, frame.used()), (Some(6), 0));
/// ```
///
/// Nothing leaks out:
///
/// ```compile_fail
/// use typed_pool::FrameStack;
///
/// let mut frame = FrameStack::new();
/// let leaked = frame.scope(|scope| scope.alloc(1));
/// ```
///
/// Nor does anything of an inner scope into an outer one:
///
/// ```compile_fail
/// use typed_pool::FrameStack;
///
/// let mut frame = FrameStack::new();
/// frame.scope(|outer| {
///     let mut leaked = None;
///     outer.scope(|inner| leaked = Some(inner.alloc(1)));
///     leaked
/// });
/// ```
pub struct FrameScope<'s, S: Sharing> {
    /// Not to be shown to anyone: what is allocated by way of it lives as long as `'s`, and in a scope
    /// within this one it must not.
    stack: &'s Frames<S>,
}

/// Takes back what was allocated since, when dropped.
struct Rewind<'a, S: Sharing> {
    stack: &'a Frames<S>,
    to: Position,
}

impl<S: Sharing> Drop for Rewind<'_, S> {
    fn drop(&mut self) {
        // SAFETY: while this lives, its maker holds the stack (or the outer scope) exclusively, and has
        // given the closure nothing but a scope whose blocks do not outlive it. The closure is over. If
        // it has freed below the mark, this may be refused, and the outer scope frees the rest.
        unsafe { self.stack.rewind_to(self.to) };
    }
}

/// Runs `f` with a scope of `stack`.
///
/// # Safety
///
/// Nobody but `f` uses the stack meanwhile.
unsafe fn run<S: Sharing, R>(
    stack: &Frames<S>,
    f: impl for<'t> FnOnce(&mut FrameScope<'t, S>) -> R,
) -> R {
    let rewind = Rewind { stack, to: stack.position() };
    f(&mut FrameScope { stack: rewind.stack })
}

impl<S: Sharing> Frames<S> {
    /// Runs `f` with a [`FrameScope`], and takes back what `f` has allocated in it, even if `f` panics.
    ///
    /// The stack is borrowed exclusively. What has to live on beside a scope is allocated in another
    /// scope around it.
    ///
    /// If `f` [frees](FrameScope::free) what is older than the scope, it allocates in the place of that, and
    /// this is taken back with what is around the scope: another one, or a reset.
    ///
    /// # Panics
    ///
    /// If `f` does.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let mut frame = FrameStack::new();
    /// for wave in 1..100 {
    ///     let total = frame.scope(|scope| scope.alloc_slice_with(wave, |i| i).iter().sum::<usize>());
    ///     assert_eq!(total, wave * (wave - 1) / 2);
    /// }
    /// assert_eq!(frame.used(), 0);
    /// ```
    pub fn scope<R>(&mut self, f: impl for<'s> FnOnce(&mut FrameScope<'s, S>) -> R) -> R {
        // SAFETY: the stack is borrowed exclusively.
        unsafe { run(self, f) }
    }
}

impl<'s, S: Sharing> FrameScope<'s, S> {
    /// Runs `f` with a scope within this one: see [`Frames::scope`].
    ///
    /// # Panics
    ///
    /// If `f` does.
    ///
    /// # Examples
    ///
    /// See [`FrameScope`].
    pub fn scope<R>(&mut self, f: impl for<'t> FnOnce(&mut FrameScope<'t, S>) -> R) -> R {
        // SAFETY: this scope is borrowed exclusively, and so are those around it and the stack.
        unsafe { run(self.stack, f) }
    }

    /// See [`Frames::alloc`].
    ///
    /// # Panics
    ///
    /// As there.
    ///
    /// # Examples
    ///
    /// See [`FrameScope`].
    #[inline]
    #[track_caller]
    pub fn alloc<T>(&self, value: T) -> FrameBox<'s, T> {
        self.stack.alloc(value)
    }

    /// See [`Frames::try_alloc`].
    ///
    /// # Errors
    ///
    /// As there.
    ///
    /// # Examples
    ///
    /// See [`Frames::try_alloc`].
    #[inline]
    pub fn try_alloc<T>(&self, value: T) -> Result<FrameBox<'s, T>, Exhausted<T>> {
        self.stack.try_alloc(value)
    }

    /// See [`Frames::alloc_with`].
    ///
    /// # Panics
    ///
    /// As there.
    ///
    /// # Examples
    ///
    /// See [`Frames::alloc_with`].
    #[inline]
    #[track_caller]
    pub fn alloc_with<T>(&self, f: impl FnOnce() -> T) -> FrameBox<'s, T> {
        self.stack.alloc_with(f)
    }

    /// See [`Frames::init`].
    ///
    /// # Errors
    ///
    /// As there.
    ///
    /// # Panics
    ///
    /// As there.
    ///
    /// # Examples
    ///
    /// See [`Frames::init`].
    #[inline]
    #[track_caller]
    pub fn init<T, E>(&self, init: impl Init<T, E>) -> Result<FrameBox<'s, T>, E> {
        self.stack.init(init)
    }

    /// See [`Frames::try_init`].
    ///
    /// # Errors
    ///
    /// As there.
    ///
    /// # Examples
    ///
    /// See [`Frames::try_init`].
    #[inline]
    pub fn try_init<T, E>(
        &self,
        init: impl Init<T, E>,
    ) -> Result<FrameBox<'s, T>, TryInitError<E>> {
        self.stack.try_init(init)
    }

    /// See [`Frames::alloc_slice`].
    ///
    /// # Panics
    ///
    /// As there.
    ///
    /// # Examples
    ///
    /// See [`FrameScope`].
    #[inline]
    #[track_caller]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    pub fn alloc_slice<T: Copy>(&self, values: &[T]) -> &'s mut [T] {
        self.stack.alloc_slice(values)
    }

    /// See [`Frames::alloc_slice_with`].
    ///
    /// # Panics
    ///
    /// As there.
    ///
    /// # Examples
    ///
    /// See [`FrameScope`].
    #[inline]
    #[track_caller]
    pub fn alloc_slice_with<T>(&self, len: usize, f: impl FnMut(usize) -> T) -> FrameBox<'s, [T]> {
        self.stack.alloc_slice_with(len, f)
    }

    /// See [`Frames::alloc_str`].
    ///
    /// # Panics
    ///
    /// As there.
    ///
    /// # Examples
    ///
    /// See [`Frames::alloc_str`].
    #[inline]
    #[track_caller]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    pub fn alloc_str(&self, text: &str) -> &'s mut str {
        self.stack.alloc_str(text)
    }

    /// See [`Frames::alloc_raw`]. The block is valid until the scope ends.
    ///
    /// # Errors
    ///
    /// As there.
    ///
    /// # Examples
    ///
    /// See [`Frames::alloc_raw`].
    #[inline]
    pub fn alloc_raw(&self, layout: Layout) -> Result<NonNull<[u8]>, Exhausted> {
        self.stack.alloc_raw(layout)
    }

    /// See [`Frames::free`].
    ///
    /// # Examples
    ///
    /// See [`Frames::free`].
    #[inline]
    pub fn free<T: ?Sized>(&self, b: FrameBox<'_, T>) -> bool {
        self.stack.free(b)
    }

    /// The stack, for those who see to it that nothing of this scope outlives it.
    #[cfg(feature = "allocator-api2-02")]
    pub(super) fn stack(&self) -> &Frames<S> {
        self.stack
    }
}

impl<S: Sharing> fmt::Debug for FrameScope<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FrameScope").field(self.stack).finish()
    }
}
