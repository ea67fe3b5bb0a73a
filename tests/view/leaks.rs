//! Elements that are alive where none should be.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread;

use typed_pool::pools::{Snapshot, Watch};
use typed_pool::{PoolBox, Pooled};

use crate::LISTENER;
use crate::leak::leak;

/// Why the watch panics.
fn said(watch: &Watch) -> String {
    let payload = catch_unwind(AssertUnwindSafe(|| watch.assert_none_leaked())).unwrap_err();
    payload.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn whoever_listens_hears_of_leaks_when_their_thread_ends() {
    #[derive(Pooled)]
    #[pool(name = "lost and found")]
    struct Lost([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = pointer_stack)]
    struct LostToo([u64; 2]);
    #[derive(Pooled)]
    #[pool(static)]
    struct LostToAll([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct LostInRoster(u64);

    thread_local! {
        static LATE: RefCell<Vec<PoolBox<LostToo>>> = const { RefCell::new(Vec::new()) };
    }
    static HEARD: Mutex<Vec<(usize, usize, String)>> = Mutex::new(Vec::new());
    let heard = |work: fn()| {
        let this_thread = move || {
            work();
            thread::current().id()
        };
        thread::spawn(this_thread).join().unwrap();
        let mut heard = std::mem::take(&mut *HEARD.lock().unwrap());
        heard.sort();
        heard
    };

    let _alone = LISTENER.lock().unwrap_or_else(PoisonError::into_inner);
    // Replaced by the next.
    typed_pool::on_leak(|_| unreachable!());
    typed_pool::on_leak(|leak| {
        if leak.type_name.contains("whoever_listens") {
            HEARD.lock().unwrap().push((leak.live, leak.bytes, leak.to_string()));
        }
    });
    let nothing_leaks = || {
        drop(PoolBox::new(Lost([0; 4])));
        LATE.with_borrow_mut(|late| late.push(PoolBox::new(LostToo([0; 2]))));
        // A roster's elements are dropped; other threads have what is in a static pool.
        LostInRoster::pool_insert(LostInRoster(0));
        leak(PoolBox::new(LostToAll([0; 4])));
    };
    assert_eq!(heard(nothing_leaks), []);
    let some_leak = || {
        [0, 1, 2].into_iter().for_each(|n| leak(PoolBox::new(Lost([n; 4]))));
        leak(PoolBox::new(LostToo([0; 2])));
        drop(PoolBox::new(LostToo([0; 2])));
    };
    let found = heard(some_leak);
    assert_eq!((found.len(), found[0].0, found[0].1), (2, 1, 16));
    assert_eq!((found[1].0, found[1].1), (3, 96));
    let function = "`view::leaks::whoever_listens_hears_of_leaks_when_their_thread_ends";
    let texts = [
        format!("1 element of {function}::LostToo`, 16 bytes, in a thread that has ended"),
        format!(
            "3 elements of {function}::Lost` in \"lost and found\", 96 bytes, in a thread that has ended"
        ),
    ];
    for ((.., said), text) in found.iter().zip(texts) {
        let sites = said.strip_prefix(&text).unwrap_or_else(|| panic!("{said}"));
        let made_here = sites.starts_with(", made at ") && sites.contains(file!());
        assert!(made_here || !cfg!(feature = "sites") && sites.is_empty(), "{said}");
    }
    // A thread-local that was there before the pool frees its box later.
    let frees_late = || {
        LATE.with_borrow_mut(|late| late.push(PoolBox::new(LostToo([0; 2]))));
    };
    assert!(heard(frees_late).iter().all(|(live, ..)| *live == 1));
    // One that panics while a roster is lent, or leaks the guard, leaves it in use: it cannot be asked.
    let leaks_a_guard = || std::mem::forget(LostInRoster::pool_borrow_mut());
    assert_eq!(heard(leaks_a_guard), []);
    typed_pool::on_leak(|_| ());
    assert_eq!(heard(some_leak), []);
}

#[test]
fn a_watch_finds_what_its_thread_has_leaked() {
    #[derive(Pooled)]
    struct Watched([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct WatchedToo(u64);
    #[derive(Pooled)]
    #[pool(static)]
    struct WatchedByAll([u64; 4]);

    let before = PoolBox::new(Watched([0; 4]));
    let watch = Watch::new();
    drop(PoolBox::new(Watched([0; 4])));
    watch.assert_none_leaked();
    drop(before);
    watch.assert_none_leaked();

    let (watch, of_process) = (Watch::new(), Watch::of_process());
    let kept = PoolBox::new(WatchedByAll([0; 4]));
    let theirs = || (0..3).for_each(|_| leak(PoolBox::new(Watched([0; 4]))));
    thread::spawn(theirs).join().unwrap();
    watch.assert_none_leaked();
    (0..2).for_each(|_| leak(PoolBox::new(Watched([0; 4]))));
    let handle = WatchedToo::pool_insert(WatchedToo(7));
    let function = "of `view::leaks::a_watch_finds_what_its_thread_has_leaked";
    for (watch, has_static) in [(&watch, false), (&of_process, true)] {
        let found = said(watch);
        assert!(found.starts_with("leaked: "), "{found}");
        assert!(found.contains(&format!("2 elements {function}::Watched`")), "{found}");
        assert!(found.contains(&format!("1 element {function}::WatchedToo`")), "{found}");
        let of_static = found.contains(&format!("1 element {function}::WatchedByAll`"));
        assert_eq!(of_static, has_static, "{found}");
        // Behind it stand the rosters that are in use, among them those of other tests.
        let hint = " (the feature `sites` tells which lines made them)";
        assert_eq!(found.contains(hint), !cfg!(feature = "sites"), "{found}");
    }
    assert_eq!(WatchedToo::pool_remove(handle).unwrap().0, 7);
    drop(kept);
}

/// As tests do, in parallel.
#[test]
fn watches_of_different_threads_do_not_disturb_each_other() {
    #[derive(Pooled)]
    struct Common([u64; 4]);

    let workers: Vec<_> = (0..8)
        .map(|n| {
            thread::spawn(move || {
                let watch = Watch::new();
                for _ in 0..100 {
                    let kept: Vec<_> = (0..10).map(|n| PoolBox::new(Common([n; 4]))).collect();
                    if n % 2 == 0 {
                        kept.into_iter().for_each(leak);
                    }
                }
                let watch = AssertUnwindSafe(watch);
                catch_unwind(|| watch.assert_none_leaked()).is_err()
            })
        })
        .collect();
    for (n, worker) in workers.into_iter().enumerate() {
        assert_eq!(worker.join().unwrap(), n % 2 == 0, "{n}");
    }
}

/// Two blocks of a function may have a type of one name.
#[test]
fn what_frees_one_type_does_not_hide_the_leak_of_another_with_its_name() {
    let keep = {
        #[derive(Pooled)]
        struct Twin([u64; 4]);
        (0..3).map(|_| PoolBox::new(Twin([0; 4]))).collect::<Vec<_>>()
    };
    {
        #[derive(Pooled)]
        struct Twin([u64; 4]);
        drop(PoolBox::new(Twin([0; 4])));
        let (before, watch) = (Snapshot::take(), Watch::new());
        drop(keep);
        (0..2).for_each(|_| leak(PoolBox::new(Twin([0; 4]))));
        let found = said(&watch);
        assert!(found.starts_with("leaked: 2 elements of "), "{found}");
        let changes = Snapshot::take().diff(&before);
        let changes = changes.iter().filter(|change| change.info.type_name.ends_with("Twin"));
        let live: Vec<_> = changes.filter_map(|change| change.live).collect();
        assert_eq!(live, [2, -3], "the biggest gain first");
    }
}

#[test]
fn a_watch_says_where_it_cannot_tell() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Lent(u64);
    #[derive(Pooled)]
    struct BesideIt([u64; 4]);

    (0..100).for_each(|n| _ = Lent::pool_insert(Lent(n)));
    let guard = Lent::pool_borrow_mut();
    let [made_beside_a_guard, other] = [(); 2].map(|()| Watch::new());
    drop(guard);
    let made_within = Lent::pool_with(|_| Watch::new());
    for watch in [&made_beside_a_guard, &made_within] {
        let found = said(watch);
        assert!(found.starts_with("cannot tell what has leaked: the roster of `"), "{found}");
        assert!(found.contains("::Lent` was in use; ask while no borrow is under way"), "{found}");
    }
    Lent::pool_clear();
    other.assert_none_leaked();

    let watch = Watch::new();
    (0..7).for_each(|n| _ = Lent::pool_insert(Lent(n)));
    let found = Lent::pool_with(|_| said(&watch));
    assert!(found.contains("::Lent` is in use; ask while no borrow is under way"), "{found}");
    let kept = PoolBox::new(BesideIt([0; 4]));
    let found = Lent::pool_with(|_| said(&watch));
    assert!(
        found.starts_with("leaked: 1 element of `") && found.contains("::BesideIt`"),
        "{found}"
    );
    assert!(
        found.contains("; and the roster of `") && found.ends_with("::Lent` is in use"),
        "{found}"
    );
    drop(kept);
    let found = said(&watch);
    assert!(found.starts_with("leaked: 7 elements of "), "{found}");
    Lent::pool_clear();
    watch.assert_none_leaked();
}
