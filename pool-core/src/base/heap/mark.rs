//! The mark of a thread that asks the heap for a pool.

use core::cell::Cell;

std::thread_local! {
    /// Without a destructor, so it is there whenever the heap is called.
    static MARK: Cell<Mark> = const { Cell::new(Mark { is_pools: false, is_within: false }) };
}

#[derive(Clone, Copy)]
struct Mark {
    /// The next request is a pool's own.
    is_pools: bool,
    /// A pool's request is being met, at whatever depth.
    is_within: bool,
}

/// Sets the mark as it was before.
struct Before(Mark);

impl Before {
    fn set(is_pools: bool) -> Self {
        Self(MARK.with(|mark| {
            let is_within = is_pools || mark.get().is_within;
            mark.replace(Mark { is_pools, is_within })
        }))
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        MARK.with(|mark| mark.set(self.0));
    }
}

/// Whether a pool of this thread waits for the heap, which is a user of pools and asks: perhaps with the pool's lock held.
pub(crate) fn is_asked() -> bool {
    MARK.with(|mark| mark.get().is_within)
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
mod tests {
    use super::{Request, as_pool, is_asked};

    #[test]
    fn what_an_allocator_asks_for_meanwhile_is_no_pools() {
        assert!(!Request::come().is_pools());
        as_pool(|| {
            let request = Request::come();
            assert!(is_asked() && request.is_pools() && !Request::come().is_pools());
            // The allocator is itself a user of pools.
            as_pool(|| assert!(Request::come().is_pools()));
            assert!(!Request::come().is_pools());
            drop(request);
            assert!(Request::come().is_pools());
        });
        assert!(!is_asked() && !Request::come().is_pools());
    }
}
