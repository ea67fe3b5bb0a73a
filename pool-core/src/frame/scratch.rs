//! A frame stack for each thread: "this frame's scratch" without passing a stack around.
//!
//! [`frame`] begins a frame and returns a guard. Until that is dropped, [`alloc()`] and its siblings put values
//! into the thread's stack; then everything is taken back at once. Boxes borrow nothing, so they are counted: a
//! frame that ends while some are out panics with their number, and keeps the memory.
//!
//! A box in another thread-local may outlive its thread's scratch: its value is dropped with it, and the chunks of
//! the scratch are leaked.
//!
//! Without a frame, nothing is ever taken back. A frame inside a frame (in a library that uses the scratch, too)
//! changes nothing: everything is taken back when the last of them ends, whatever their order.
//!
//! # Examples
//!
//! ```
//! use typed_pool::frame::scratch;
//!
//! for tick in 0..3 {
//!     let _frame = scratch::frame();
//!     let near = scratch::alloc_slice(&[tick, 1, 2]);
//!     let name = scratch::alloc(format!("{near:?}"));
//!     assert_eq!(*name, format!("[{tick}, 1, 2]"));
//! }
//! assert_eq!(scratch::with(|stack| stack.used()), 0);
//! ```

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut};

use crate::base::pointer_traits::{box_traits, error_trait, iterator_traits, slice_traits};
use crate::frame::{FrameBox, LocalFrameStack};

/// A thread's stack, and what is out of it.
struct Scratch {
    stack: ManuallyDrop<LocalFrameStack>,
    /// How many boxes, and closures with the stack, are out.
    out: Cell<usize>,
    /// How many frames are open.
    frames: Cell<usize>,
    /// See [`Out`]; 0 before anything was out.
    #[cfg(not(pool_native_tls))]
    number: Cell<usize>,
}

impl Drop for Scratch {
    /// At the end of the thread. Boxes in other thread-locals may live on; their memory is leaked then.
    fn drop(&mut self) {
        if self.out.get() == 0 {
            // SAFETY: the stack is dropped here and nowhere else, and nothing follows.
            unsafe { ManuallyDrop::drop(&mut self.stack) };
        }
    }
}

std::thread_local! {
    static SCRATCH: Scratch = const {
        Scratch {
            stack: ManuallyDrop::new(LocalFrameStack::new()),
            out: Cell::new(0),
            frames: Cell::new(0),
            #[cfg(not(pool_native_tls))]
            number: Cell::new(0),
        }
    };
}

/// Something that is out of the thread's stack, for as long as this lives. It stays on its thread.
struct Out {
    /// Which scratch it is from: on platforms that create a destroyed thread-local again (`derived/local.rs`), the
    /// thread may have another by now.
    #[cfg(not(pool_native_tls))]
    number: usize,
    marker: PhantomData<*const ()>,
}

impl Out {
    fn of(scratch: &Scratch) -> Self {
        let Some(out) = scratch.out.get().checked_add(1) else {
            // As `Rc` does: only forgotten boxes reach this number, and one more would wrap to zero.
            std::process::abort();
        };
        scratch.out.set(out);
        Self {
            #[cfg(not(pool_native_tls))]
            number: scratch.number(),
            marker: PhantomData,
        }
    }
}

impl Drop for Out {
    fn drop(&mut self) {
        // If the thread-local is gone, so is the count, and the stack is leaked.
        let _ = SCRATCH.try_with(|scratch| {
            #[cfg(not(pool_native_tls))]
            if scratch.number() != self.number {
                return;
            }
            scratch.out.set(scratch.out.get() - 1);
        });
    }
}

#[cfg(not(pool_native_tls))]
impl Scratch {
    /// A number that no other scratch has.
    fn number(&self) -> usize {
        use core::sync::atomic::{AtomicUsize, Ordering};

        static LAST: AtomicUsize = AtomicUsize::new(0);
        if self.number.get() == 0 {
            self.number.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
        }
        self.number.get()
    }
}

/// A frame of this thread's scratch, which ends when this is dropped.
///
/// Made by [`frame`]. If it is forgotten, nothing is ever taken back.
#[must_use = "the frame ends when the guard is dropped"]
#[derive(Debug)]
pub struct Frame(PhantomData<*const ()>);

/// Begins a frame.
///
/// # Panics
///
/// When the last open frame ends while boxes ([`ScratchBox`]) are still out; only the next frame then takes memory
/// back. (It does not panic while the thread is panicking.) Here, if the thread is ending and its scratch is gone.
///
/// # Examples
///
/// ```should_panic
/// use typed_pool::frame::scratch;
///
/// let frame = scratch::frame();
/// let kept = [1, 2, 3].map(scratch::alloc);
/// drop(frame); // "... 3 boxes of its scratch are still out ..."
/// # drop(kept);
/// ```
pub fn frame() -> Frame {
    SCRATCH.with(|scratch| scratch.frames.set(scratch.frames.get() + 1));
    Frame(PhantomData)
}

impl Drop for Frame {
    #[track_caller]
    fn drop(&mut self) {
        let out = SCRATCH.try_with(|scratch| {
            // A scratch that was created since ([`Out`]) does not count this frame.
            scratch.frames.set(scratch.frames.get().saturating_sub(1));
            let out = scratch.out.get();
            if out == 0 && scratch.frames.get() == 0 {
                // SAFETY: no box is out, and no closure has the stack, so nothing of it is in use.
                unsafe { scratch.stack.clear() };
            }
            if scratch.frames.get() == 0 { out } else { 0 }
        });
        match out {
            Ok(out @ 1..) if !std::thread::panicking() => panic!(
                "the frame ends while {out} {} of its scratch {} still out; drop them before, or keep \
                 what outlives the frame elsewhere",
                if out == 1 { "box" } else { "boxes" },
                if out == 1 { "is" } else { "are" },
            ),
            _ => {}
        }
    }
}

/// The owner of a value in this thread's scratch.
///
/// It borrows nothing, and must be dropped before its frame ends (or [`frame`]'s guard panics). It stays
/// on its thread.
///
/// # Examples
///
/// ```
/// use typed_pool::frame::scratch::{self, ScratchBox};
///
/// let _frame = scratch::frame();
/// let mut names: ScratchBox<Vec<&str>> = scratch::alloc(vec!["Grendel"]);
/// names.push("Beowulf");
/// assert_eq!(names.len(), 2);
/// ```
pub struct ScratchBox<T: ?Sized> {
    /// Valid while it counts as out. Never handed out: it does not live for ever, as its type says.
    value: FrameBox<'static, T>,
    /// Dropped after the value, even if the value's destructor panics.
    _out: Out,
}

/// Lets `make` put something into the thread's stack.
#[track_caller]
fn place<T: ?Sized>(
    make: impl FnOnce(&'static LocalFrameStack) -> FrameBox<'static, T>,
) -> ScratchBox<T> {
    SCRATCH.with(|scratch| {
        let out = Out::of(scratch);
        let stack: *const LocalFrameStack = &*scratch.stack;
        // SAFETY: valid as long as something is out: the memory of a box is neither taken back nor given to the
        // heap before that. The box does not use the stack itself.
        let stack = unsafe { &*stack };
        ScratchBox { value: make(stack), _out: out }
    })
}

/// Moves `value` into this thread's scratch. O(1): see [`Frames::alloc`](super::Frames::alloc).
///
/// # Panics
///
/// If the thread is ending, and its scratch is gone.
#[track_caller]
pub fn alloc<T>(value: T) -> ScratchBox<T> {
    place(|stack| stack.alloc(value))
}

/// Puts what `f` returns into memory that is reserved before `f` runs: see
/// [`Frames::alloc_with`](super::Frames::alloc_with).
///
/// # Panics
///
/// As [`alloc()`], and if `f` panics.
///
/// # Examples
///
/// ```
/// use typed_pool::frame::scratch;
///
/// let _frame = scratch::frame();
/// let grid = scratch::alloc_with(|| [[0_u16; 100]; 100]);
/// assert_eq!(grid[99][99], 0);
/// ```
#[track_caller]
pub fn alloc_with<T>(f: impl FnOnce() -> T) -> ScratchBox<T> {
    place(|stack| stack.alloc_with(f))
}

/// Copies a slice into this thread's scratch. O(length).
///
/// # Panics
///
/// As [`alloc()`].
///
/// # Examples
///
/// ```
/// use typed_pool::frame::scratch;
///
/// let _frame = scratch::frame();
/// let mut order = scratch::alloc_slice(&[3, 1, 2]);
/// order.sort();
/// assert_eq!(*order, [1, 2, 3]);
/// ```
#[track_caller]
pub fn alloc_slice<T: Copy>(values: &[T]) -> ScratchBox<[T]> {
    place(|stack| stack.alloc_slice_with(values.len(), |i| values[i]))
}

/// A slice of the items of an iterator, of known or unknown length: see
/// [`Frames::alloc_iter`](super::Frames::alloc_iter). O(length).
///
/// # Panics
///
/// As [`alloc()`], and if the iterator panics.
///
/// # Examples
///
/// ```
/// use typed_pool::frame::scratch;
///
/// let _frame = scratch::frame();
/// let odd = scratch::alloc_iter((1..10).filter(|n| n % 2 == 1));
/// assert_eq!(*odd, [1, 3, 5, 7, 9]);
/// ```
#[track_caller]
pub fn alloc_iter<T>(items: impl IntoIterator<Item = T>) -> ScratchBox<[T]> {
    place(|stack| stack.alloc_iter(items))
}

/// Copies a string into this thread's scratch. O(length).
///
/// # Panics
///
/// As [`alloc()`].
///
/// # Examples
///
/// ```
/// use typed_pool::frame::scratch;
///
/// let _frame = scratch::frame();
/// let mut name = scratch::alloc_str("grendel");
/// name[..1].make_ascii_uppercase();
/// assert_eq!(&*name, "Grendel");
/// ```
#[track_caller]
pub fn alloc_str(text: &str) -> ScratchBox<str> {
    place(|stack| owned(stack.alloc_str(text)))
}

/// Formats into this thread's scratch: see [`Frames::alloc_fmt`](super::Frames::alloc_fmt). O(length).
///
/// # Panics
///
/// As [`alloc()`], and if formatting panics or fails.
///
/// # Examples
///
/// ```
/// use typed_pool::frame::scratch;
///
/// let _frame = scratch::frame();
/// let (name, health) = ("Grendel", 100);
/// let label = scratch::alloc_fmt(format_args!("{name}: {health}"));
/// assert_eq!(&*label, "Grendel: 100");
/// ```
#[track_caller]
pub fn alloc_fmt(arguments: fmt::Arguments<'_>) -> ScratchBox<str> {
    place(|stack| owned(stack.alloc_fmt(arguments)))
}

/// A box for what needs no destructor.
fn owned(text: &'static mut str) -> FrameBox<'static, str> {
    // SAFETY: as a leaked box: the stack has just handed the text out, and the only reference ends here.
    unsafe { FrameBox::from_raw(text) }
}

/// Lends this thread's stack, for everything else that it can do: containers, reserved places, figures.
///
/// What is allocated does not outlive the closure. A frame must not end in it.
///
/// # Panics
///
/// As [`alloc()`], and if `f` does.
///
/// # Examples
///
/// ```
/// use typed_pool::frame::scratch;
///
/// let _frame = scratch::frame();
/// let shouted = scratch::with(|stack| {
///     let name = stack.alloc_str("grendel");
///     name.make_ascii_uppercase();
///     name.len()
/// });
/// assert_eq!(shouted, 7);
/// ```
#[track_caller]
pub fn with<R>(f: impl FnOnce(&LocalFrameStack) -> R) -> R {
    SCRATCH.with(|scratch| {
        let _out = Out::of(scratch);
        f(&scratch.stack)
    })
}

impl<T: ?Sized> Deref for ScratchBox<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: ?Sized> DerefMut for ScratchBox<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

box_traits!([T: ?Sized] ScratchBox<T>);
iterator_traits!([T] ScratchBox<T>, T);
slice_traits!([T] ScratchBox<[T]>);
error_trait!([T: ?Sized] ScratchBox<T>);
