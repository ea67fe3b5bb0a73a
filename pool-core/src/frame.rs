//! Frame stacks: memory that dies together.
//!
//! Objects that live for a frame, a tick or a request need not be freed one by one. A frame stack hands out one
//! block after another, and takes them all back at once:
//!
//! - [`FrameStack`]: shared between threads, by one atomic exchange for each block.
//! - [`LocalFrameStack`]: the same for one thread, without atomics.
//! - [`FrameBox`]: the owner of a value in it, which runs the destructor.
//! - [`FrameScope`]: a part of a frame, which takes its allocations back at its end.
//! - [`scratch()`]: the thread's own stack, for the length of a closure.
//!
//! An element that may have a destructor is returned in a [`FrameBox`], which runs it. An element that never has one (text, a slice
//! of a `Copy` type) is returned as a `&mut`, since a box could do no more: [`Frames::alloc_slice`], [`Frames::alloc_str`],
//! [`Frames::alloc_fmt`].
//!
//! Both stacks are [`Frames`], with the kind of sharing as a parameter.
//!
//! With the feature `allocator-api2-02` a reference to a stack, or to a scope, is an `Allocator` for containers;
//! `frame::Vec` is a short name for one.
//!
//! # Coming from bumpalo
//!
//! [`LocalFrameStack`] takes the place of `Bump`. A value lies in a box, which runs its destructor; if it has none,
//! [`FrameBox::leak`] returns bumpalo's `&mut T`.
//!
//! | bumpalo | here |
//! |---|---|
//! | `alloc`, `alloc_with`, `try_*` | the same |
//! | `alloc_try_with` | [`init`](Frames::init) with [`init::try_with`](crate::init::try_with) |
//! | `alloc_slice_copy`, `alloc_str` | [`alloc_slice`](Frames::alloc_slice), [`alloc_str`](Frames::alloc_str) |
//! | `alloc_slice_fill_iter` | [`alloc_iter`](Frames::alloc_iter), of any length |
//! | `alloc_slice_fill_with`, `_fill_default`, `_fill_copy`, `_fill_clone`, `alloc_slice_clone` | [`alloc_iter`](Frames::alloc_iter): `alloc_iter((0..n).map(f))` |
//! | `alloc_slice_try_fill_with`, `alloc_slice_try_fill_iter` | [`alloc_iter`](Frames::alloc_iter), with the error set aside |
//! | `alloc_layout` | [`alloc_raw`](Frames::alloc_raw) |
//! | `bumpalo::format!` | [`alloc_fmt`](Frames::alloc_fmt) |
//! | `boxed::Box` | [`FrameBox`]; unsized by [`FrameBox::into_raw`] and [`from_raw`](FrameBox::from_raw) |
//! | `collections::Vec` | `frame::Vec`; [`alloc_iter`](Frames::alloc_iter) if it only collects |
//! | `collections::String` | none: [`alloc_fmt`](Frames::alloc_fmt), or `frame::Vec<'_, u8>` |
//! | `set_allocation_limit` | [`Frames::bounded`], from the start |
//! | `with_min_align` | none: it is always 8 |
//! | `allocated_bytes` | [`capacity`](Frames::capacity); [`used`](Frames::used) is what is handed out |
//! | `chunk_capacity` | none: `capacity() - used()`, over all chunks |
//! | `iter_allocated_chunks` | none: padding is never initialised, or holds a note of the stack |
//!
//! The idea comes from the AnKi engine by P. C. Tsiakmakis (2012), whose stack pool is shared between threads and
//! frees its last block by compare and exchange.

use core::cell::Cell;
use core::fmt;
use core::iter;
use core::marker::PhantomData;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr;
use core::sync::atomic::Ordering;

use crate::base::atomic::{AtomicPtr, AtomicUsize, const_unless_model};
use crate::base::stats::Counted;
use crate::frame::chunk::{FrameChunk, GRAIN};

mod boxed;
mod chunk;
mod mark;
mod raw;
mod scope;
#[cfg(all(feature = "std", not(all(loom, test))))]
mod scratch;
mod typed;

pub use boxed::{FrameBox, InFrame};
pub use chunk::{Local, Sharing};
pub use mark::Mark;
pub use scope::FrameScope;
#[cfg(all(feature = "std", not(all(loom, test))))]
pub use scratch::scratch;
#[cfg(target_has_atomic = "ptr")]
pub use shared::{FrameStack, Shared};

/// A frame stack of one thread, without atomics: [`Frames`] with [`Local`].
///
/// It can be sent to another thread, but not shared.
///
/// It has the methods of [`Frames`]: [`alloc`](Frames::alloc), [`alloc_iter`](Frames::alloc_iter),
/// [`alloc_fmt`](Frames::alloc_fmt), [`reset`](Frames::reset), [`scope`](Frames::scope) and the others.
///
/// # Examples
///
/// ```
/// use typed_pool::LocalFrameStack;
///
/// let mut frame = LocalFrameStack::new();
/// let path = frame.alloc_iter((0..4).map(|step| step * step));
/// assert_eq!(*path, [0, 1, 4, 9]);
/// drop(path);
/// frame.reset();
/// ```
#[doc(alias("Bump", "Arena"))]
pub type LocalFrameStack = Frames<Local>;

#[cfg(target_has_atomic = "ptr")]
mod shared {
    use core::sync::atomic::Ordering;

    use crate::base::atomic::{AtomicPtr, AtomicUsize};
    use crate::base::sealed::Sealed;
    use crate::frame::{Frames, Sharing};

    /// The kind of [`Frames`] that any number of threads use: [`FrameStack`](crate::FrameStack). Absent on targets without an
    /// atomic compare-and-swap.
    #[derive(Debug)]
    pub struct Shared;

    impl Sealed for Shared {}

    impl Sharing for Shared {
        const LINK: (Ordering, Ordering) = (Ordering::Acquire, Ordering::Release);

        #[inline(always)]
        fn exchange(
            of: &AtomicUsize,
            seen: usize,
            new: usize,
            order: Ordering,
        ) -> Result<usize, usize> {
            of.compare_exchange_weak(seen, new, order, Ordering::Relaxed)
        }

        fn publish<T>(link: &AtomicPtr<T>, seen: *mut T, new: *mut T) -> bool {
            link.compare_exchange(seen, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        }
    }

    // SAFETY: all state that `&self` changes is atomic; what else a chunk has is written before it is published, and through `&mut self`.
    unsafe impl Sync for Frames<Shared> {}

    /// A frame stack that threads share: [`Frames`] with [`Shared`].
    ///
    /// It has the methods of [`Frames`]: [`alloc`](Frames::alloc), [`alloc_iter`](Frames::alloc_iter),
    /// [`alloc_fmt`](Frames::alloc_fmt), [`reset`](Frames::reset), [`scope`](Frames::scope) and the others.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let mut frame = FrameStack::with_capacity(64 * 1024);
    /// for tick in 0..3_u32 {
    ///     std::thread::scope(|threads| {
    ///         for thread in 0..2 {
    ///             let frame = &frame;
    ///             threads.spawn(move || {
    ///                 let near: &mut [u32] = frame.alloc_slice(&[tick, thread]);
    ///                 let name = frame.alloc(format!("{near:?}"));
    ///                 assert_eq!(*name, format!("[{tick}, {thread}]"));
    ///             });
    ///         }
    ///     });
    ///     frame.reset();
    /// }
    /// assert_eq!(frame.used(), 0);
    /// ```
    pub type FrameStack = Frames<Shared>;
}

/// A vector in a frame stack: the `Vec` of `allocator-api2` 0.2, under a short name.
///
/// `A` is the place of the vector, if that is not a [`FrameStack`]: a [`LocalFrameStack`] or a [`FrameScope`]. The vector grows in
/// place while it is the last block; its `leak` turns it into a slice that lasts as long as the frame. (To collect items that exist
/// already: [`Frames::alloc_iter`](Frames::alloc_iter).)
///
/// # Examples
///
/// ```
/// use typed_pool::{FrameStack, LocalFrameStack, frame};
///
/// struct Level<'f> { rooms: frame::Vec<'f, u32> }
///
/// let stack = FrameStack::new();
/// let mut level = Level { rooms: frame::Vec::new_in(&stack) };
/// level.rooms.extend(1..=10);
/// assert_eq!(level.rooms.iter().sum::<u32>(), 55);
///
/// let stack = LocalFrameStack::new();
/// let rooms: frame::Vec<'_, u32, LocalFrameStack> = frame::Vec::with_capacity_in(10, &stack);
/// assert_eq!(stack.used(), rooms.capacity() * 4);
/// ```
#[cfg(all(feature = "allocator-api2-02", target_has_atomic = "ptr"))]
pub type Vec<'f, T, A = FrameStack> = allocator_api2::vec::Vec<T, &'f A>;

/// Bytes of the first chunk, by default.
const FIRST_CHUNK_BYTES: usize = 8 * 1024;

/// A stack of blocks of any size and alignment: [`FrameStack`] or [`LocalFrameStack`].
///
/// A block begins where the one before it ended, and takes a multiple of 8 bytes; no header. A block aligned to more than 8 has a
/// note of 8 bytes before it, and begins at the next address with its alignment. So a value of 16 bytes aligned to 16 takes 32, and one of
/// 64 aligned to 64 takes 128; a slice of them has one note. Allocating is O(1): an addition and an exchange, without a lock. If the chunk is full, the stack goes on
/// in the next one, O(chunks). If there is no next chunk, the stack asks the heap for a chunk as large as all others together, or as
/// the block if that is larger; if the heap refuses, for a smaller one. A *bounded* stack has one chunk and never asks for another. The first
/// allocation is the first to ask the heap, so a stack may be a `static`.
///
/// Nothing that was allocated is freed before
///
/// - [`reset`](Frames::reset) takes everything back. It keeps the chunks, and begins with the largest. If a frame has made the
///   stack grow, the next frame like it may make it grow once more, since its blocks fall into the chunks differently. The new
///   chunk is as large as all others together, so later frames need nothing from the heap.
/// - [`scope`](Frames::scope) ends, and takes back everything allocated in the scope.
/// - [`free`](Frames::free) or [`free_last`](Frames::free_last) gives the last block back. (A block that is not the
///   last stays, and they return `false`.)
///
/// A [`FrameBox`] runs the destructor of its value, and borrows the stack: a reset while a box is alive does not compile, and a box
/// is alive until it is dropped, not until its last use. The value of a forgotten box is not dropped; its memory is taken back all
/// the same.
///
/// A request that cannot be met changes nothing: the error is an [`Exhausted`](crate::Exhausted) with all sizes,
/// and smaller requests still succeed. Blocks of size zero need no memory, and always succeed.
///
/// The stack can be moved while it is not borrowed; blocks do not move with it. Dropping it gives its
/// memory back.
///
/// # Examples
///
/// ```
/// use typed_pool::FrameStack;
///
/// let mut frame = FrameStack::bounded(1024);
/// let byte = frame.alloc(1_u8);
/// let word = frame.alloc(2_u64);
/// assert_eq!((*byte, *word), (1, 2));
/// // One byte, which takes eight, and eight.
/// assert_eq!(frame.used(), 16);
///
/// let error = frame.try_alloc([0_u8; 2000]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the frame stack is exhausted: 2000 bytes aligned to 1 do not fit, as 16 of 1024 bytes are \
///      used; reset it, or make it with a larger `bounded(..)`"
/// );
/// drop((byte, word));
/// frame.reset();
/// assert_eq!((frame.used(), frame.high_water()), (0, 16));
/// ```
pub struct Frames<S: Sharing> {
    /// The chunk for blocks that fit; null before there is one.
    current: AtomicPtr<FrameChunk>,
    /// The first chunk of the chain. Chunks behind the current one are empty, except for blocks of threads that did
    /// not yet see `free_last` go back.
    first: AtomicPtr<FrameChunk>,
    /// The most bytes that were in use before any were given back.
    peak: AtomicUsize,
    /// The id of marks of this stack; zero before there is a mark.
    id: AtomicUsize,
    /// Bytes of the first chunk.
    initial: usize,
    is_bounded: bool,
    /// Not `Sync`, though all that changes is atomic: only [`Shared`](shared::Shared) changes it as threads must.
    sharing: PhantomData<(S, Cell<()>)>,
}

// It is `Send`: blocks and boxes borrow the stack, so while it is sent there are none, except leaked ones, which cannot be reached.

// No panic leaves a stack in disorder: none comes from inside an operation.
impl<S: Sharing> UnwindSafe for Frames<S> {}
impl<S: Sharing> RefUnwindSafe for Frames<S> {}

impl<S: Sharing> Frames<S> {
    const_unless_model! {
        const fn with(initial: usize, is_bounded: bool) -> Self {
            Self {
                current: AtomicPtr::new(ptr::null_mut()),
                first: AtomicPtr::new(ptr::null_mut()),
                peak: AtomicUsize::new(0),
                id: AtomicUsize::new(0),
                initial: initial.saturating_add(GRAIN - 1) & !(GRAIN - 1),
                is_bounded,
                sharing: PhantomData,
            }
        }
    }

    const_unless_model! {
        /// An empty stack, whose first chunk will have 8 KiB.
        ///
        /// # Examples
        ///
        /// ```
        /// use typed_pool::FrameStack;
        ///
        /// static FRAME: FrameStack = FrameStack::new();
        /// assert_eq!(*FRAME.alloc(7), 7);
        /// ```
        #[must_use]
        pub const fn new() -> Self {
            Self::with(FIRST_CHUNK_BYTES, false)
        }
    }

    const_unless_model! {
        /// An empty stack, whose first chunk will have `bytes` bytes, rounded up to a multiple of 8. It grows when that is full.
        ///
        /// The first allocation asks the heap for all of them, or for more if it is itself larger. If the heap
        /// refuses, this and every later allocation fails: `try_*` returns an error, the others end the program (or
        /// panic, where no chunk can be as large).
        ///
        /// # Examples
        ///
        /// ```
        /// use typed_pool::FrameStack;
        ///
        /// let frame = FrameStack::with_capacity(128);
        /// let _ = frame.alloc_slice(&[0_u8; 128]);
        /// assert_eq!(frame.capacity(), 128);
        /// let _ = frame.alloc(0_u8);
        /// assert!(frame.capacity() > 128);
        /// ```
        #[must_use]
        pub const fn with_capacity(bytes: usize) -> Self {
            Self::with(bytes, false)
        }
    }

    const_unless_model! {
        /// An empty stack of `bytes` bytes, rounded up to a multiple of 8, which never grows. A block aligned to 16 may take
        /// 16 bytes more, one aligned to 64 may take 64 more.
        ///
        /// The first allocation asks the heap for all of them, and fails if the heap refuses.
        ///
        /// # Examples
        ///
        /// ```
        /// use typed_pool::FrameStack;
        ///
        /// let frame = FrameStack::bounded(128);
        /// let _ = frame.alloc_slice(&[0_u8; 128]);
        /// assert!(frame.try_alloc(0_u8).is_err());
        /// ```
        #[doc(alias = "set_allocation_limit")]
        #[must_use]
        pub const fn bounded(bytes: usize) -> Self {
            Self::with(bytes, true)
        }
    }

    /// Bytes in use: all blocks, in multiples of 8 bytes, and the padding between them. O(chunks).
    ///
    /// A block that was freed while it was not the last counts until the stack is reset or goes back past it. Exact
    /// while no other thread uses the stack.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let _ = frame.alloc_str("seven");
    /// let _ = frame.alloc(1_u16);
    /// assert_eq!(frame.used(), 16);
    /// ```
    #[must_use]
    pub fn used(&self) -> usize {
        self.chunks().map(|chunk| chunk.top()).sum()
    }

    /// Bytes of all chunks together: what a frame of small blocks can use without growth. O(chunks).
    ///
    /// A stack that has no chunk yet counts its first one.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// assert_eq!(FrameStack::bounded(4096).capacity(), 4096);
    /// ```
    #[doc(alias = "allocated_bytes")]
    #[doc(alias = "chunk_capacity")]
    #[must_use]
    pub fn capacity(&self) -> usize {
        match self.chunks().map(|chunk| chunk.size).sum() {
            0 => self.initial,
            bytes => bytes,
        }
    }

    /// The most bytes that were ever in use at once. O(chunks).
    ///
    /// Exact as long as one thread at a time uses the stack. Otherwise, bytes that one thread allocates while another frees may be
    /// missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let mut frame = FrameStack::new();
    /// let _ = frame.alloc_slice(&[0_u8; 320]);
    /// frame.reset();
    /// let _ = frame.alloc_slice(&[0_u8; 200]);
    /// assert_eq!(frame.high_water(), 320);
    /// ```
    #[must_use]
    pub fn high_water(&self) -> usize {
        self.peak.load(Ordering::Relaxed).max(self.used())
    }

    /// The chunk that a link of this stack leads to.
    #[inline(always)]
    fn follow(&self, link: &AtomicPtr<FrameChunk>) -> Option<&FrameChunk> {
        // SAFETY: null, or a chunk of this stack, whose header is initialised, and which is released through `&mut self` only. Of the
        // header only atomics change.
        unsafe { link.load(S::LINK.0).as_ref() }
    }

    /// The current chunk.
    #[inline(always)]
    fn current(&self) -> Option<&FrameChunk> {
        self.follow(&self.current)
    }

    /// Has blocks put into this chunk. (Not a pointer by which it is released, as those in the chain are.)
    fn set_current(&self, chunk: Option<&FrameChunk>) {
        self.current.store(address(chunk), S::LINK.1);
    }

    /// The chunks from the first on.
    fn chunks(&self) -> impl Iterator<Item = &FrameChunk> {
        let mut link = &self.first;
        iter::from_fn(move || {
            let chunk = self.follow(link)?;
            link = &chunk.next;
            Some(chunk)
        })
    }

    /// Remembers that `used` bytes were in use.
    #[inline(always)]
    fn note_peak(&self, used: usize) {
        let mut peak = self.peak.load(Ordering::Relaxed);
        while used > peak {
            match S::exchange(&self.peak, peak, used, Ordering::Relaxed) {
                Ok(_) => return,
                Err(seen) => peak = seen,
            }
        }
    }
}

#[inline]
fn address(chunk: Option<&FrameChunk>) -> *mut FrameChunk {
    chunk.map_or(ptr::null_mut(), |chunk| ptr::from_ref(chunk).cast_mut())
}

impl<S: Sharing> Default for Frames<S> {
    /// [`Frames::new`].
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Sharing> fmt::Display for Frames<S> {
    /// One line, for a log or a debug overlay.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (used, capacity, high_water) = (self.used(), self.capacity(), self.high_water());
        let chunks = Counted(self.chunks().count(), "chunk");
        write!(
            f,
            "frame stack: {used} of {capacity} bytes used, high-water mark {high_water}, {chunks}"
        )
    }
}

/// As its `Display`.
impl<S: Sharing> fmt::Debug for Frames<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
