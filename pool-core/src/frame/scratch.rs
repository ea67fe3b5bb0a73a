//! The thread's own frame, lent for the length of a closure.

use core::cell::Cell;
use core::mem;

use crate::frame::{FIRST_CHUNK_BYTES, LocalFrameStack};

/// How many frames a thread keeps for later calls: as many as are usually nested.
const KEPT: usize = 4;

/// The frames that no closure of the thread has. The first is the one that was used last.
struct Idle([Cell<Option<LocalFrameStack>>; KEPT]);

std::thread_local! {
    static IDLE: Idle = const { Idle([const { Cell::new(None) }; KEPT]) };
}

impl Idle {
    #[inline]
    fn take(&self) -> Option<LocalFrameStack> {
        self.0.iter().find_map(Cell::take)
    }

    /// Keeps the frame before all others. If there are too many, the last is dropped.
    #[inline]
    fn keep(&self, frame: LocalFrameStack) {
        let mut moved = Some(frame);
        for place in &self.0 {
            if moved.is_none() {
                break;
            }
            moved = place.replace(moved);
        }
    }
}

/// A frame that a closure has. Nothing else leads to it, so closures may be suspended and end in any order.
struct Lent(LocalFrameStack);

impl Drop for Lent {
    #[inline]
    fn drop(&mut self) {
        let mut frame = mem::take(&mut self.0);
        // The closure has put it in the place of the thread's. Its limit is not for later calls.
        if frame.is_bounded || frame.initial != FIRST_CHUNK_BYTES {
            return;
        }
        frame.reset();
        // When the thread-local has been destroyed, the frame is dropped here.
        let _ = IDLE.try_with(|idle| idle.keep(frame));
    }
}

/// Lends the thread's own frame stack for the length of a closure: temporary memory for code to which no stack can be passed.
///
/// When the closure has returned, or panicked, its allocations are taken back at once, and the thread keeps the memory for the next
/// call. Calls may be nested: each has a frame of its own. Return an owned value, not a reference into the frame.
///
/// A thread keeps up to four frames until it ends. [`trim`](super::Frames::trim) returns the memory of one sooner:
/// `frame::scratch(|frame| frame.trim())`. A closure may replace the frame that it was lent; a replacement that is bounded, or has
/// a capacity, is dropped and not kept. A thread that is ending, and has no frame left, makes one for the call.
///
/// # Panics
///
/// If `f` does.
///
/// # Examples
///
/// ```
/// use typed_pool::frame;
///
/// fn longest(text: &str) -> usize {
///     frame::scratch(|frame| {
///         let mut words = frame.alloc_iter(text.split(' '));
///         words.sort_by_key(|word| word.len());
///         words.last().map_or(0, |word| word.len())
///     })
/// }
///
/// let label = frame::scratch(|frame| {
///     let label = frame.alloc_fmt(format_args!("{} letters", longest("in and out")));
///     label.to_uppercase()
/// });
/// assert_eq!(label, "3 LETTERS");
/// assert_eq!(frame::scratch(|frame| frame.used()), 0);
/// ```
pub fn scratch<R>(f: impl FnOnce(&mut LocalFrameStack) -> R) -> R {
    let idle = IDLE.try_with(Idle::take).ok().flatten();
    let mut lent = Lent(idle.unwrap_or_default());
    f(&mut lent.0)
}
