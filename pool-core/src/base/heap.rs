//! The heap, as pools and rosters ask it for their own memory: chunks, tables, and what they keep of them.
//!
//! While a pool asks, a flag of the thread is set. [`Tracked`](crate::Tracked) reads it, and so tells what a pool keeps for later
//! from what has leaked. What is allocated under the flag must be freed under it. To set the flag allocates nothing.

#[cfg(feature = "alloc")]
pub(crate) use blocks::{PoolVec, alloc, dealloc};
use core::num::NonZeroUsize;

use place::{address, get, set};

#[cfg(feature = "alloc")]
mod blocks;

/// In a thread's mark: the next request to the heap comes from a pool.
const IS_POOLS: usize = 1;
/// The thread is within a pool's request, however deep.
const IS_WITHIN: usize = 2;

#[cfg(all(feature = "std", pool_native_tls))]
mod place {
    use core::cell::Cell;

    std::thread_local! {
        /// Without a destructor.
        static MARK: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn get() -> usize {
        MARK.get()
    }

    pub(super) fn set(mark: usize) {
        MARK.set(mark);
    }

    pub(super) fn address() -> usize {
        MARK.with(|mark| core::ptr::from_ref(mark).addr())
    }
}

/// Where std's thread-locals come from the heap. (If the system has no key, nothing is marked.)
#[cfg(all(feature = "std", not(pool_native_tls)))]
mod place {
    use core::ffi::c_void;
    use core::ptr;

    use crate::base::thread_word::ThreadWord;

    static MARK: ThreadWord = ThreadWord::new(put_back);

    extern "C" fn put_back(mark: *mut c_void) {
        MARK.set(mark);
    }

    pub(super) fn get() -> usize {
        MARK.get().addr()
    }

    pub(super) fn set(mark: usize) {
        MARK.set(ptr::without_provenance_mut(mark));
    }

    pub(super) use crate::base::thread_word::this_thread as address;
}

/// Nothing is marked.
#[cfg(not(feature = "std"))]
mod place {
    pub(super) fn get() -> usize {
        0
    }

    pub(super) fn set(_: usize) {}

    pub(super) fn address() -> usize {
        0
    }
}

/// Sets the mark as it was before.
struct Before(usize);

impl Before {
    fn set(is_pools: bool) -> Self {
        let before = get();
        set(if is_pools { IS_POOLS | IS_WITHIN } else { before & IS_WITHIN });
        Self(before)
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        set(self.0);
    }
}

/// A number that no other thread has that runs. 0 where there is none.
pub(crate) fn this_thread() -> usize {
    address()
}

/// [`this_thread`], if a pool of it waits for the heap, which is a user of pools and asks: perhaps with the pool's lock held.
pub(crate) fn asking_thread() -> Option<NonZeroUsize> {
    if get() & IS_WITHIN == 0 { None } else { NonZeroUsize::new(this_thread()) }
}

/// Calls `f`, whose requests to the heap are a pool's own. No user's code runs within.
pub(crate) fn as_pool<R>(f: impl FnOnce() -> R) -> R {
    let _before = Before::set(true);
    f()
}

/// A request that an allocator is about to meet. What the allocator itself asks for meanwhile is no pool's.
pub(crate) struct Request(Before);

impl Request {
    #[inline]
    pub(crate) fn come() -> Self {
        Self(Before::set(false))
    }

    /// Whether it is a pool's own.
    #[inline]
    pub(crate) fn is_pools(&self) -> bool {
        self.0.0 & IS_POOLS != 0
    }
}

#[cfg(test)]
mod tests;
