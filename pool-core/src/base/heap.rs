//! The heap, as pools and rosters ask it for their own memory: chunks, tables, and what they keep of them.
//!
//! While a pool asks, a flag of the thread is set. [`Tracked`](crate::Tracked) reads it, and so tells what a pool keeps for later
//! from what has leaked. What is allocated under the flag must be freed under it. To set the flag allocates nothing.

#[cfg(feature = "alloc")]
pub(crate) use blocks::{PoolVec, alloc, alloc_zeroed, dealloc};
use place::{get, set};

#[cfg(feature = "alloc")]
mod blocks;

#[derive(Clone, Copy)]
struct Mark {
    /// The next request is a pool's own.
    is_pools: bool,
    /// A pool's request is being met, at whatever depth.
    is_within: bool,
}

#[cfg(all(feature = "std", pool_native_tls))]
mod place {
    use core::cell::Cell;

    use crate::base::heap::Mark;

    std::thread_local! {
        /// Without a destructor.
        static MARK: Cell<Mark> = const { Cell::new(Mark { is_pools: false, is_within: false }) };
    }

    pub(super) fn get() -> Mark {
        MARK.with(Cell::get)
    }

    pub(super) fn set(mark: Mark) {
        MARK.with(|place| place.set(mark));
    }
}

/// Where std's thread-locals come from the heap. (If the system has no key, nothing is marked.)
#[cfg(all(feature = "std", not(pool_native_tls)))]
mod place {
    use core::ffi::c_void;
    use core::ptr;

    use crate::base::heap::Mark;
    use crate::base::thread_word::ThreadWord;

    static MARK: ThreadWord = ThreadWord::new(put_back);

    extern "C" fn put_back(mark: *mut c_void) {
        MARK.set(mark);
    }

    pub(super) fn get() -> Mark {
        let bits = MARK.get().addr();
        Mark { is_pools: bits & 1 != 0, is_within: bits & 2 != 0 }
    }

    pub(super) fn set(mark: Mark) {
        let bits = usize::from(mark.is_pools) | usize::from(mark.is_within) << 1;
        MARK.set(ptr::without_provenance_mut(bits));
    }
}

/// Nothing is marked.
#[cfg(not(feature = "std"))]
mod place {
    use crate::base::heap::Mark;

    pub(super) fn get() -> Mark {
        Mark { is_pools: false, is_within: false }
    }

    pub(super) fn set(_: Mark) {}
}

/// Sets the mark as it was before.
struct Before(Mark);

impl Before {
    fn set(is_pools: bool) -> Self {
        let before = get();
        set(Mark { is_pools, is_within: is_pools || before.is_within });
        Self(before)
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        set(self.0);
    }
}

/// Whether a pool of this thread waits for the heap, which is a user of pools and asks: perhaps with the pool's lock held.
pub(crate) fn is_asked() -> bool {
    get().is_within
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
        self.0.0.is_pools
    }
}

#[cfg(test)]
mod tests;
