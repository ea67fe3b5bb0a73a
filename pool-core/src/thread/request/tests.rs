use super::{Request, as_pool, asking_thread};

#[test]
fn what_an_allocator_asks_for_meanwhile_is_no_pools() {
    assert!(!Request::come().is_pools());
    as_pool(|| {
        let request = Request::come();
        assert!(asking_thread().is_some() && request.is_pools() && !Request::come().is_pools());
        // The allocator is itself a user of pools.
        as_pool(|| assert!(Request::come().is_pools()));
        assert!(!Request::come().is_pools());
        drop(request);
        assert!(Request::come().is_pools());
    });
    assert!(asking_thread().is_none() && !Request::come().is_pools());
}
