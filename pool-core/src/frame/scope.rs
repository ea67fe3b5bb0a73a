//! Scopes: parts of a frame, which take everything back at their end.

use core::alloc::Layout;
use core::fmt;
use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::frame::mark::Position;
use crate::frame::{FrameBox, Frames, Sharing};
use crate::init::{Init, TryInitError};

/// A part of a frame: allocates as its stack does, by the stack's methods, and takes everything back at its end.
///
/// Made by [`Frames::scope`]. `'s` lasts until the scope's end: its allocations can be used in inner scopes, and cannot leave this
/// one.
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
///         // From the inner scope and from the outer one.
///         let doubled = room.alloc_iter((0..rooms.len()).map(|i| rooms[i] * 2));
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
/// Nor does anything leak from an inner scope into an outer one:
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
    /// Never handed out: what is allocated through it lives as long as `'s`, which would be wrong in an inner
    /// scope.
    pub(super) stack: &'s Frames<S>,
    start: Position,
}

impl<S: Sharing> Drop for FrameScope<'_, S> {
    /// Takes back what was allocated since the scope began.
    fn drop(&mut self) {
        // SAFETY: while this lives, its maker has the outer scope exclusively, and so those around it and the stack (`of`), and has
        // given the closure only a scope whose blocks do not outlive it; by reference, and no two have one lifetime, so the closure
        // can neither drop it nor swap it for another. The closure is over. If it has freed blocks below the mark, this may do
        // nothing, and the outer scope frees the rest.
        unsafe { self.stack.rewind_to(self.start) };
    }
}

impl<'s, S: Sharing> FrameScope<'s, S> {
    /// Makes a scope of a stack, or of an outer scope's.
    ///
    /// # Safety
    ///
    /// The caller has it exclusively until the scope is dropped, and lends the scope alone to a closure.
    unsafe fn of(stack: &'s Frames<S>) -> Self {
        Self { stack, start: stack.position() }
    }

    /// Runs `f` with an inner scope: see [`Frames::scope`].
    ///
    /// # Panics
    ///
    /// If `f` does.
    pub fn scope<R>(&mut self, f: impl for<'t> FnOnce(&mut FrameScope<'t, S>) -> R) -> R {
        // SAFETY: `self` is borrowed exclusively, and the scope dropped before this returns.
        let mut scope = unsafe { FrameScope::of(self.stack) };
        f(&mut scope)
    }
}

/// Methods of the stack, whose results last as long as the scope.
macro_rules! of_stack {
    ($($method:ident [$($parameters:tt)*] ($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        impl<'s, S: Sharing> FrameScope<'s, S> {$(
            #[doc = concat!("[`Frames::", stringify!($method), "`], in this scope.")]
            #[inline]
            #[track_caller]
            #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
            pub fn $method<$($parameters)*>(&self, $($argument: $type),*) -> $result {
                self.stack.$method($($argument),*)
            }
        )*}
    };
}

of_stack! {
    alloc[T](value: T) -> FrameBox<'s, T>;
    try_alloc[T](value: T) -> Result<FrameBox<'s, T>, Exhausted<T>>;
    alloc_with[T](f: impl FnOnce() -> T) -> FrameBox<'s, T>;
    try_alloc_with[T](f: impl FnOnce() -> T) -> Result<FrameBox<'s, T>, Exhausted>;
    init[T, E](init: impl Init<T, E>) -> Result<FrameBox<'s, T>, E>;
    try_init[T, E](init: impl Init<T, E>) -> Result<FrameBox<'s, T>, TryInitError<E>>;
    alloc_slice[T: Copy](values: &[T]) -> &'s mut [T];
    try_alloc_slice[T: Copy](values: &[T]) -> Result<&'s mut [T], Exhausted>;
    alloc_iter[T](items: impl IntoIterator<Item = T>) -> FrameBox<'s, [T]>;
    try_alloc_iter[T](items: impl IntoIterator<Item = T>) -> Result<FrameBox<'s, [T]>, Exhausted>;
    alloc_str[](text: &str) -> &'s mut str;
    try_alloc_str[](text: &str) -> Result<&'s mut str, Exhausted>;
    alloc_fmt[](arguments: fmt::Arguments<'_>) -> &'s mut str;
    try_alloc_fmt[](arguments: fmt::Arguments<'_>) -> Result<&'s mut str, Exhausted>;
    alloc_raw[](layout: Layout) -> Result<NonNull<[u8]>, Exhausted>;
    free[T: ?Sized](b: FrameBox<'_, T>) -> bool;
}

impl<S: Sharing> fmt::Debug for FrameScope<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FrameScope").field(self.stack).finish()
    }
}

impl<S: Sharing> Frames<S> {
    /// Runs `f` with a [`FrameScope`], and takes back what `f` has allocated in it, even if `f` panics.
    ///
    /// A function that allocates in a scope takes a [`&FrameScope<'_, Local>`](FrameScope), or one with `Shared` for a scope of a
    /// `FrameStack`.
    ///
    /// The stack is borrowed exclusively. Allocate a value that has to outlive a scope in the scope around it.
    ///
    /// If `f` [frees](FrameScope::free) blocks older than the scope, later allocations may take their place; only the scope around
    /// it, or a reset, takes those back.
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
    ///     let total = frame.scope(|scope| scope.alloc_iter((0..wave).map(|i| i)).iter().sum::<usize>());
    ///     assert_eq!(total, wave * (wave - 1) / 2);
    /// }
    /// assert_eq!(frame.used(), 0);
    /// ```
    pub fn scope<R>(&mut self, f: impl for<'s> FnOnce(&mut FrameScope<'s, S>) -> R) -> R {
        // SAFETY: `self` is borrowed exclusively, and the scope dropped before this returns.
        let mut scope = unsafe { FrameScope::of(self) };
        f(&mut scope)
    }
}
