//! A frame stack for each thread: "this frame's scratch" without passing a stack around.
//!
//! [`frame`] begins a frame and returns a guard. Until that is dropped, [`alloc()`] and its siblings put values
//! into the thread's stack; then all that is taken back at once. Boxes borrow nothing, so they are counted: a
//! frame that ends while boxes of it are out panics with their number, and keeps the memory until they are gone.
//!
//! A frame inside a frame (in a library that uses the scratch, too) takes back what was made in it. If boxes of it are still
//! out, the frame around it does. Frames may end in any order.
//!
//! Without a frame, nothing is taken back before all boxes are gone: in a debug build that is a panic.
//!
//! A box in another thread-local may outlive its thread's scratch: its value is dropped with it, and the chunks of
//! the scratch are leaked. A guard there may end before the box does: then its panic ends the process, after a message that
//! names the line of the guard. Keep guards in functions.
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
use core::panic::Location;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::base::pointer_traits::{box_traits, iterator_traits, slice_traits};
use crate::frame::mark::Position;
use crate::frame::{FrameBox, LocalFrameStack};

/// How many frames inside one another are told apart. Those that are deeper are parts of the last.
const DEPTH: usize = 16;

/// A frame that has begun.
struct Part {
    /// Where the stack was then.
    begin: Cell<Position>,
    /// How many have not ended: more than one in the last only.
    open: Cell<usize>,
    /// How many boxes are out that were made while this was the innermost.
    out: Cell<usize>,
}

/// A thread's stack, and what is out of it.
struct Scratch {
    stack: ManuallyDrop<LocalFrameStack>,
    /// One inside the other. The first stands for what is made outside of all.
    parts: [Part; 1 + DEPTH],
    /// The innermost: above it the array is not used.
    innermost: Cell<usize>,
    /// How many closures have the stack, or make a box. What they allocate is counted nowhere yet.
    lent: Cell<usize>,
    /// See [`Member`]; 0 before there was one.
    number: Cell<u32>,
}

impl Drop for Scratch {
    /// At the end of the thread. Boxes in other thread-locals may live on; their memory is leaked then.
    fn drop(&mut self) {
        if self.lent.get() == 0 && self.parts.iter().all(|part| part.out.get() == 0) {
            // SAFETY: the stack is dropped here and nowhere else, and nothing follows.
            unsafe { ManuallyDrop::drop(&mut self.stack) };
        }
    }
}

std::thread_local! {
    static SCRATCH: Scratch = const {
        Scratch {
            stack: ManuallyDrop::new(LocalFrameStack::new()),
            parts: [const {
                Part { begin: Cell::new(Position::START), open: Cell::new(0), out: Cell::new(0) }
            }; 1 + DEPTH],
            innermost: Cell::new(0),
            lent: Cell::new(0),
            number: Cell::new(0),
        }
    };
}

impl Scratch {
    /// Whether a frame has begun that has not ended.
    fn is_open(&self) -> bool {
        self.parts.iter().any(|part| part.open.get() > 0)
    }

    /// Begins a frame.
    fn begin(&self) -> Member {
        let inner = self.innermost.get() + 1;
        if let Some(part) = self.parts.get(inner) {
            part.begin.set(self.stack.position());
            self.innermost.set(inner);
        }
        let part = self.innermost();
        part.open.set(part.open.get() + 1);
        self.member()
    }

    /// While the result lives, nothing is taken back.
    fn lend(&self) -> Lent<'_> {
        self.lent.set(self.lent.get() + 1);
        Lent(&self.lent)
    }

    fn innermost(&self) -> &Part {
        &self.parts[self.innermost.get()]
    }

    /// A member of the innermost part.
    fn member(&self) -> Member {
        Member { part: self.innermost.get() as u32, number: self.number(), marker: PhantomData }
    }

    /// Ends a frame; returns how many boxes are out that should not be.
    fn end(&self, part: usize) -> usize {
        let ended = &self.parts[part];
        ended.open.set(ended.open.get() - 1);
        self.settle();
        let is_open = |part: &Part| part.open.get() > 0;
        if self.innermost.get() < part || self.parts[..=part].iter().any(is_open) {
            return 0;
        }
        self.parts[part..].iter().filter(|inner| !is_open(inner)).map(|inner| inner.out.get()).sum()
    }

    /// Takes back what was made in the innermost parts, as far as these have ended and all of it is gone.
    fn settle(&self) {
        let mut begin = None;
        loop {
            let (at, part) = (self.innermost.get(), self.innermost());
            if part.open.get() > 0 || part.out.get() > 0 {
                break;
            }
            begin = Some(part.begin.get());
            if at == 0 {
                break;
            }
            self.innermost.set(at - 1);
        }
        // What a closure that has the stack allocates may lie there. It goes with a frame around this, or after it.
        if let Some(begin) = begin.filter(|_| self.lent.get() == 0) {
            // SAFETY: no box is out that was made since, and no closure has the stack, so nothing that lies there is in use. No other
            // thread has it.
            unsafe { self.stack.rewind_to(begin) };
        }
    }

    /// A number that no other scratch has.
    fn number(&self) -> u32 {
        static LAST: AtomicU32 = AtomicU32::new(0);
        if self.number.get() == 0 {
            self.number.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
        }
        self.number.get()
    }
}

/// That a closure has the stack.
struct Lent<'a>(&'a Cell<usize>);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// What belongs to a part of a thread's stack. It stays on its thread.
#[derive(Debug)]
struct Member {
    part: u32,
    /// Which scratch it is of: on platforms that create a destroyed thread-local again (`derived/local.rs`), the
    /// thread may have another by now.
    number: u32,
    marker: PhantomData<*const ()>,
}

impl Member {
    /// Calls `f` with the scratch that it is of, if that is still there.
    fn with<R: Default>(&self, f: impl FnOnce(&Scratch) -> R) -> R {
        let is_its = |scratch: &Scratch| scratch.number.get() == self.number;
        let done = SCRATCH.try_with(|scratch| is_its(scratch).then(|| f(scratch)));
        done.ok().flatten().unwrap_or_default()
    }
}

/// A box that is out, for as long as this lives.
struct Out(Member);

impl Out {
    fn of(scratch: &Scratch) -> Self {
        let part = scratch.innermost();
        let Some(out) = part.out.get().checked_add(1) else {
            // As `Rc` does: only forgotten boxes reach this number, and one more would wrap to zero.
            std::process::abort();
        };
        part.out.set(out);
        Self(scratch.member())
    }
}

impl Drop for Out {
    fn drop(&mut self) {
        self.0.with(|scratch| {
            let part = &scratch.parts[self.0.part as usize];
            part.out.set(part.out.get() - 1);
            if part.open.get() == 0 {
                scratch.settle();
            }
        });
    }
}

/// A frame of this thread's scratch, which ends when this is dropped.
///
/// Made by [`frame`]. If it is forgotten, what was made since it began is never taken back.
#[must_use = "the frame ends when the guard is dropped"]
#[derive(Debug)]
pub struct Frame {
    /// `None` if it began when the scratch was gone.
    member: Option<Member>,
    begun: &'static Location<'static>,
}

/// Begins a frame. O(chunks of the stack), as is its end.
///
/// At the end of a thread, when its scratch is gone, the guard does nothing.
///
/// # Panics
///
/// When the frame ends while boxes ([`ScratchBox`]) that were made in it are still out, unless it is inside another frame. The memory is
/// taken back when they are gone. (It does not panic while the thread is panicking.)
///
/// A guard that is kept in a thread-local ends with the thread. If it ends before its boxes (in the same thread-local, if it is
/// declared before them), it panics there, and a panic in a thread-local's destructor ends the process.
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
///
/// A helper's frame takes its own part back:
///
/// ```
/// use typed_pool::frame::scratch;
///
/// fn longest(words: &str) -> usize {
///     let _frame = scratch::frame();
///     let words = scratch::alloc_iter(words.split(' '));
///     words.iter().map(|word| word.len()).max().unwrap_or(0)
/// }
///
/// let _frame = scratch::frame();
/// let kept = scratch::alloc(longest("in and out"));
/// assert_eq!((*kept, scratch::with(|stack| stack.used())), (3, 8));
/// ```
#[track_caller]
#[inline]
pub fn frame() -> Frame {
    Frame { member: SCRATCH.try_with(Scratch::begin).ok(), begun: Location::caller() }
}

impl Drop for Frame {
    fn drop(&mut self) {
        let Some(member) = &self.member else { return };
        let out = member.with(|scratch| scratch.end(member.part as usize));
        if out > 0 && !std::thread::panicking() {
            let (boxes, are) = if out == 1 { ("box", "is") } else { ("boxes", "are") };
            // A destructor cannot name the line that has called it.
            panic!(
                "the frame that began at {} ends while {out} {boxes} of its scratch {are} still out; drop them before, \
                 or keep what outlives the frame elsewhere",
                self.begun
            );
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
    assert!(
        !cfg!(debug_assertions) || SCRATCH.try_with(Scratch::is_open).unwrap_or(true),
        "what is made in the scratch without a frame is not taken back before all boxes are gone; begin one: `let _frame = \
         scratch::frame();`"
    );
    SCRATCH.with(|scratch| {
        let _lent = scratch.lend();
        let stack: *const LocalFrameStack = &*scratch.stack;
        // SAFETY: valid as long as something is out or it is lent: the memory of a box is neither taken back nor given to the
        // heap before that. The box does not use the stack itself.
        let value = make(unsafe { &*stack });
        // Of the frame that is the innermost now: while it was made, its place may have moved.
        ScratchBox { value, _out: Out::of(scratch) }
    })
}

/// Moves `value` into this thread's scratch. O(1): see [`Frames::alloc`](super::Frames::alloc).
///
/// # Panics
///
/// In a debug build, if no frame is open; and if the thread is ending, and its scratch is gone.
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
#[inline]
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
#[inline]
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
/// The closure is a [`frame`] of its own: what is allocated does not outlive it. A frame that ends in it leaves its part to that.
///
/// # Panics
///
/// If `f` does, as [`frame`], and if the thread is ending, and its scratch is gone.
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
    let _frame = frame();
    SCRATCH.with(|scratch| {
        let _lent = scratch.lend();
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
