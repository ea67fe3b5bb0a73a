//! The mark that tells whose requests to the heap are under way in a thread.
//!
//! While a pool asks for its own memory, a mark of the thread is set. [`Tracked`](crate::Tracked) reads it, to tell memory that a pool
//! keeps for later from leaks. A block that is allocated under the mark must be freed under it. Setting the mark allocates nothing.

use core::num::NonZeroUsize;

use crate::thread::{number, peek, with};

/// In a thread's mark: the next request to the heap comes from a pool.
const IS_POOLS: usize = 1;
/// The thread is within a pool's request, however deep.
const IS_WITHIN: usize = 2;

fn get() -> usize {
    peek(|this| this.mark.get()).unwrap_or(0)
}

/// Sets the mark. Clearing it, as an allocator does, calls no heap.
fn set(mark: usize) {
    let _ =
        if mark == 0 { peek(|this| this.mark.set(0)) } else { with(|this| this.mark.set(mark)) };
}

/// A request that an allocator is about to meet. Until this is dropped, which restores the mark, the allocator's own requests are no
/// pool's.
pub(crate) struct Request {
    before: usize,
}

impl Request {
    #[inline]
    pub(crate) fn come() -> Self {
        Self::mark(false)
    }

    fn mark(is_pools: bool) -> Self {
        let before = get();
        set(if is_pools { IS_POOLS | IS_WITHIN } else { before & IS_WITHIN });
        Self { before }
    }

    /// Whether it is a pool's own.
    #[inline]
    pub(crate) fn is_pools(&self) -> bool {
        self.before & IS_POOLS != 0
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        set(self.before);
    }
}

/// This thread's [`number`], if one of its pools waits for the heap: then the caller is that heap, which uses pools, perhaps with the
/// pool's lock held.
pub(crate) fn asking_thread() -> Option<NonZeroUsize> {
    if get() & IS_WITHIN == 0 { None } else { NonZeroUsize::new(number()) }
}

/// Calls `f`, whose requests to the heap are a pool's own. No user's code runs within.
pub(crate) fn as_pool<R>(f: impl FnOnce() -> R) -> R {
    let _request = Request::mark(true);
    f()
}

#[cfg(test)]
mod tests;
