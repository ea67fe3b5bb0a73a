//! Handles before their elements, from any thread.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;

use typed_pool::{Handle, Pooled, Reason, Reserved};

use super::panic_of;

/// In turns with an insertion that is done at once: the same slots, in the same order.
#[test]
fn slots_are_those_that_insertions_would_get() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Thing(usize);
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Twin(#[expect(unused, reason = "it is as large")] usize);

    fn slots<T>(handles: &[Handle<T>]) -> Vec<(usize, u32)> {
        handles.iter().map(|handle| (handle.index(), handle.generation())).collect()
    }
    for count in [1, 7, 70, 700] {
        let mut things: Vec<_> = (0..count).map(|n| Thing::pool_insert(Thing(n))).collect();
        let mut twins: Vec<_> = (0..count).map(|n| Twin::pool_insert(Twin(n))).collect();
        for at in (0..count).rev().step_by(3) {
            Thing::pool_remove(things.swap_remove(at)).unwrap();
            Twin::pool_remove(twins.swap_remove(at)).unwrap();
        }
        let reserved: Vec<Reserved<Thing>> = Thing::pool_read(|all| {
            let capacity = all.capacity();
            let reserved = (0..count).map(|_| Thing::pool_reserve_handle()).collect();
            assert_eq!(all.capacity(), capacity, "at rest");
            reserved
        });
        let handles: Vec<_> = reserved.iter().map(Reserved::handle).collect();
        let inserted: Vec<_> = (0..count).map(|n| Twin::pool_insert(Twin(n))).collect();
        assert_eq!(slots(&handles), slots(&inserted));
        assert!(handles.iter().all(|&handle| !Thing::pool_contains(handle)));
        // Nobody else gets one of them.
        let other = Thing::pool_insert(Thing(0));
        assert!(!handles.contains(&other));
        for (n, reserved) in reserved.into_iter().enumerate().rev() {
            assert_eq!(reserved.fill(Thing(n)), handles[n]);
        }
        let found = |(n, &handle)| Thing::pool_get(handle, |thing| thing.0) == Some(n);
        assert!(handles.iter().enumerate().all(found));
        things.extend(handles);
        things.push(other);
        things.into_iter().for_each(|handle| assert!(Thing::pool_remove(handle).is_some()));
        twins.extend(inserted);
        twins.into_iter().for_each(|handle| assert!(Twin::pool_remove(handle).is_some()));
        assert_eq!(Thing::pool_stats().live, 0);
        // The next time there are slots without memory, which have been used.
        assert!(Thing::pool_trim() > 0 && Twin::pool_trim() > 0);
    }
}

#[test]
fn what_is_not_filled_goes_back_and_is_stale() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster, capacity = 3)]
    struct Seat(u32);

    let seat = Seat::pool_insert(Seat(0));
    let mut seen = BTreeSet::from([seat]);
    for round in 1..10 {
        let guard = Seat::pool_borrow();
        let [first, second] = [(); 2].map(|()| Seat::pool_reserve_handle());
        assert!(seen.insert(first.handle()) && seen.insert(second.handle()));
        let exhausted = Seat::pool_try_reserve_handle().unwrap_err();
        assert_eq!((exhausted.reason(), exhausted.capacity()), (Reason::Limit, 3));
        // While it is borrowed, before it is known that the slot was taken, and after.
        drop(first);
        drop(guard);
        assert!(Seat::pool_try_reserve_handle().is_ok());
        let text = panic_of(|| Seat::pool_borrow_mut().reserve(3));
        assert!(text.contains("Seat"), "{text}");
        assert_eq!(Seat::pool_stats().detached, 1);
        if round % 2 == 0 {
            Seat::pool_with(|_| drop(second));
        } else {
            drop(second);
        }
        let all = [(); 2].map(|()| Seat::pool_insert(Seat(round)));
        assert!(Seat::pool_try_reserve_handle().is_err());
        assert!(all.iter().all(|&handle| seen.insert(handle)), "never given out before");
        assert!(all.iter().all(|&handle| Seat::pool_remove(handle).is_some()));
    }
    assert_eq!((Seat::pool_stats().live, Seat::pool_stats().detached), (1, 0));
    assert_eq!(Seat::pool_get(seat, |seat| seat.0), Some(0));
}

#[test]
fn threads_that_read_get_different_ones() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Thing(usize);

    Thing::pool_insert(Thing(0));
    let all = Mutex::new(BTreeSet::new());
    thread::scope(|scope| {
        for n in 0..4 {
            let all = &all;
            scope.spawn(move || {
                for round in 0..50 {
                    let guard = (round % 3 != 0).then(Thing::pool_borrow);
                    let reserved: Vec<_> = (0..5).map(|_| Thing::pool_reserve_handle()).collect();
                    drop(guard);
                    for (at, reserved) in reserved.into_iter().enumerate() {
                        assert!(all.lock().unwrap().insert(reserved.handle()), "two have one");
                        if at != 2 {
                            let handle = reserved.fill(Thing(n));
                            assert_eq!(Thing::pool_remove(handle).map(|thing| thing.0), Some(n));
                        }
                    }
                }
            });
        }
    });
    assert_eq!((Thing::pool_stats().live, Thing::pool_stats().detached), (1, 0));
    assert!(Thing::pool_stats().high_water < 100, "slots are used again");
}

#[test]
fn a_pool_in_use_says_so() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Thing(#[expect(unused, reason = "it has a size")] u8);

    // It has no tag yet.
    let text = panic_of(|| Thing::pool_read(|_| drop(Thing::pool_reserve_handle())));
    assert!(text.contains("Thing` is in use"), "{text}");
    let text = panic_of(|| Thing::pool_with(|_| drop(Thing::pool_reserve_handle())));
    assert!(text.contains("Thing` is in use"), "{text}");
    let reserved = Thing::pool_reserve_handle();
    let text = panic_of(|| Thing::pool_read(|_| _ = reserved.fill(Thing(1))));
    assert!(text.contains("Thing` is in use"), "{text}");
    assert_eq!((Thing::pool_stats().live, Thing::pool_stats().detached), (0, 0));
}
