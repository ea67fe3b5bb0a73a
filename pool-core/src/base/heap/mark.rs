//! The mark of a thread that asks the heap for a pool.

use core::cell::Cell;

std::thread_local! {
    /// Without a destructor, so it is there whenever the heap is called.
    static IS_POOLS: Cell<bool> = const { Cell::new(false) };
}

/// Sets the mark as it was before.
struct Before(bool);

impl Before {
    fn set(mark: bool) -> Self {
        Self(IS_POOLS.with(|is_pools| is_pools.replace(mark)))
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        IS_POOLS.with(|is_pools| is_pools.set(self.0));
    }
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
        self.0.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Request, as_pool};

    #[test]
    fn what_an_allocator_asks_for_meanwhile_is_no_pools() {
        assert!(!Request::come().is_pools());
        as_pool(|| {
            let request = Request::come();
            assert!(request.is_pools() && !Request::come().is_pools());
            // The allocator is itself a user of pools.
            as_pool(|| assert!(Request::come().is_pools()));
            assert!(!Request::come().is_pools());
            drop(request);
            assert!(Request::come().is_pools());
        });
        assert!(!Request::come().is_pools());
    }
}
