//! What is alive where nothing should be.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use typed_pool::pools::{self, Snapshot, Watch};
use typed_pool::{PoolArc, PoolBox, PoolRc, Pooled, any};

use crate::leak::leak;

fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = catch_unwind(f).unwrap_err();
    payload.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn leaks_are_named() {
    #[derive(Pooled)]
    struct Lost([u64; 4]);
    #[derive(Pooled)]
    #[pool(static, name = "lost and found")]
    struct LostToAll([u64; 4]);

    let of = |name: &'static str| pools::leaks().filter(move |leak| leak.type_name.ends_with(name));
    assert_eq!(of("::Lost").count(), 0);
    (0..3).for_each(|_| leak(PoolBox::new(Lost([0; 4]))));
    leak(PoolBox::new(LostToAll([0; 4])));
    let leak = of("::Lost").next().unwrap();
    assert_eq!((leak.live, leak.bytes), (3, 96));
    assert!(leak.thread.unwrap().is_current);
    assert!(
        leak.to_string().starts_with(
            "3 elements of `view::leaks::leaks_are_named::Lost`, 96 bytes, in thread "
        )
    );
    let leak = of("::LostToAll").next().unwrap();
    let said = leak.to_string();
    let (what, made_at) = said.split_once("; made at ").unwrap_or((&said, ""));
    let is_sited = cfg!(feature = "sites");
    assert_eq!(made_at.contains(file!()), is_sited, "{said}");
    assert_eq!(
        what,
        "1 element of `view::leaks::leaks_are_named::LostToAll` in \"lost and found\", 32 bytes, in a static pool"
    );
}

#[test]
fn a_watch_finds_what_its_thread_has_leaked() {
    #[derive(Pooled)]
    struct Watched([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct WatchedToo(u64);

    let before = PoolBox::new(Watched([0; 4]));
    let watch = Watch::new();
    drop(PoolBox::new(Watched([0; 4])));
    watch.assert_none_leaked();
    drop(before);
    watch.assert_none_leaked();

    let watch = Watch::new();
    (0..2).for_each(|_| leak(PoolBox::new(Watched([0; 4]))));
    let handle = WatchedToo::pool_insert(WatchedToo(7));
    let found = message(AssertUnwindSafe(|| watch.assert_none_leaked()));
    assert!(found.starts_with("leaked: "), "{found}");
    assert!(found.contains("2 elements of `view::leaks::a_watch_finds_what_its_thread_has_leaked::Watched`, 64 bytes"), "{found}");
    assert!(
        found.contains(
            "1 element of `view::leaks::a_watch_finds_what_its_thread_has_leaked::WatchedToo`"
        ),
        "{found}"
    );
    assert_eq!(WatchedToo::pool_remove(handle).unwrap().0, 7);
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
        let found = message(AssertUnwindSafe(|| watch.assert_none_leaked()));
        assert!(found.starts_with("leaked: 2 elements of "), "{found}");
        let changes = Snapshot::take().diff(&before);
        let changes = changes.iter().filter(|change| change.type_name.ends_with("Twin"));
        let live: Vec<_> = changes.map(|change| change.live).collect();
        assert!(live == [2, -3] || live == [-3, 2], "{live:?}");
    }
}

#[test]
fn a_watch_says_where_it_cannot_tell() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Lent(u64);

    let said = |watch: &Watch| message(AssertUnwindSafe(|| watch.assert_none_leaked()));
    (0..100).for_each(|n| _ = Lent::pool_insert(Lent(n)));
    let guard = Lent::pool_borrow_mut();
    let [made_beside_a_guard, other] = [(); 2].map(|()| Watch::new());
    drop(guard);
    let made_within = Lent::pool_with(|_| Watch::new());
    for watch in [&made_beside_a_guard, &made_within] {
        let found = said(watch);
        assert!(found.starts_with("cannot tell what has leaked: the roster of `"), "{found}");
        assert!(
            found.contains("was lent when the watch was made, and has 100 elements"),
            "{found}"
        );
    }
    Lent::pool_clear();
    other.assert_none_leaked();

    let watch = Watch::new();
    (0..7).for_each(|n| _ = Lent::pool_insert(Lent(n)));
    let found = Lent::pool_with(|_| said(&watch));
    assert!(found.contains("is lent: ask when the borrow has ended"), "{found}");
    let found = said(&watch);
    assert!(found.starts_with("leaked: 7 elements of "), "{found}");
    Lent::pool_clear();
    watch.assert_none_leaked();
}

/// In a process of its own, since it watches all threads.
#[test]
fn a_watch_of_the_process_beside_a_thread_that_rests() {
    #[derive(Pooled)]
    struct Resting([u64; 4]);

    const ALONE: &str = "VIEW_WATCH_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let test = "leaks::a_watch_of_the_process_beside_a_thread_that_rests";
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        let ended = alone.args(["--exact", test]).env(ALONE, "1").output().unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        return assert!(ended.status.success() && said.contains("1 passed"), "{said}");
    }
    let watch = Watch::of_process();
    let (order, orders) = std::sync::mpsc::channel::<()>();
    let (done, answers) = std::sync::mpsc::channel();
    let worker = thread::spawn(move || {
        drop((0..5000).map(|_| PoolBox::new(Resting([0; 4]))).collect::<Vec<_>>());
        done.send(()).unwrap();
        orders.recv().unwrap();
        pools::publish();
        done.send(()).unwrap();
        orders.recv().unwrap();
    });
    answers.recv().unwrap();
    let found = message(AssertUnwindSafe(|| watch.assert_none_leaked()));
    assert!(found.starts_with("cannot tell what has leaked: ~"), "{found}");
    assert!(found.ends_with("call `pools::publish()` there"), "{found}");
    let stale = pools::leaks().next().unwrap();
    assert!(!stale.is_exact && stale.to_string().starts_with('~'), "{stale}");
    order.send(()).unwrap();
    answers.recv().unwrap();
    watch.assert_none_leaked();
    order.send(()).unwrap();
    worker.join().unwrap();
}

/// Their elements are gone, but no new ones have room.
#[test]
fn slots_that_weak_pointers_hold_are_live() {
    #[derive(Debug, Pooled)]
    #[pool(rc, max = 2)]
    struct WeakLocal([u64; 4]);
    #[derive(Debug, Pooled)]
    #[pool(static, rc, max = 2)]
    struct WeakGrowing([u64; 4]);
    #[derive(Debug, Pooled)]
    #[pool(static, rc, capacity = 2)]
    struct WeakFixed([u64; 4]);

    macro_rules! check {
        ($Rc:ident $T:ident) => {{
            let live = || $T::pool_stats().live;
            let watch = Watch::of_process();
            let [first, second] = [1, 2].map(|n| $Rc::new($T([n; 4])));
            let weak = [&first, &second].map($Rc::downgrade);
            drop(weak[0].clone());
            assert_eq!(live(), 2);
            drop(first);
            assert_eq!(live(), 2);
            let full = $Rc::try_new($T([0; 4])).unwrap_err().to_string();
            assert!(full.contains("exhausted: all 2 slots are occupied; free some"), "{full}");
            drop(second);
            let name = concat!("::", stringify!($T));
            let leak = pools::leaks().find(|leak| leak.type_name.ends_with(name)).unwrap();
            assert_eq!((leak.live, leak.bytes), (2, 2 * $T::pool_stats().slot_bytes));
            let found = message(AssertUnwindSafe(|| watch.assert_none_leaked()));
            assert!(found.contains("2 elements of `") && found.contains(name), "{found}");
            let report = typed_pool::report();
            let row = report.rows().iter().find(|row| row.type_name.ends_with(name)).unwrap();
            assert_eq!((row.live, row.use_percent()), (2, 100));
            let [first, second] = weak;
            drop(first);
            assert_eq!(live(), 1);
            drop((second.clone(), second));
            assert_eq!(live(), 0);

            // What never was an element; what is moved out, or moved elsewhere.
            let mut kept = None;
            let made = catch_unwind(AssertUnwindSafe(|| {
                $Rc::new_cyclic(|weak| -> $T {
                    kept = Some(weak.clone());
                    panic!("no element");
                })
            }));
            assert!(made.is_err());
            assert_eq!(live(), 1);
            drop(kept.take());
            assert!(catch_unwind(|| $Rc::new_cyclic(|_| -> $T { panic!("no element") })).is_err());
            assert_eq!(live(), 0);
            let mut element = $Rc::new($T([3; 4]));
            let weak = $Rc::downgrade(&element);
            assert!($Rc::into_inner(element).is_some());
            assert_eq!(live(), 1);
            drop(weak);
            element = $Rc::new($T([3; 4]));
            let weak = $Rc::downgrade(&element);
            assert!(weak.upgrade().is_some());
            drop(element);
            drop(weak);
            assert_eq!(live(), 0);
        }};
    }
    check!(PoolRc WeakLocal);
    check!(PoolArc WeakGrowing);
    check!(PoolArc WeakFixed);

    let classes = || typed_pool::ByLayout::stats().map(|stats| stats.live).sum::<usize>();
    let before = classes();
    let rc = any::Rc::new([5_u64; 7]);
    let weak = any::Rc::downgrade(&rc);
    let object: any::Rc<dyn std::fmt::Debug> = typed_pool::unsize!(rc => dyn std::fmt::Debug);
    drop(object);
    assert_eq!(classes(), before + 1);
    drop(weak);
    assert_eq!(classes(), before);
}

/// The thread's pool is closed then, and its figures stay.
#[test]
fn slots_that_weak_pointers_hold_when_their_thread_ends() {
    use std::sync::atomic::{AtomicPtr, Ordering};

    #[derive(Debug, Pooled)]
    #[pool(rc)]
    struct Orphaned([u64; 4]);

    static WEAK: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

    let hold = || {
        let element = PoolRc::new(Orphaned([0; 4]));
        WEAK.store(PoolRc::downgrade(&element).into_raw().cast_mut().cast(), Ordering::Relaxed);
    };
    thread::spawn(hold).join().unwrap();
    let leak = pools::leaks().find(|leak| leak.type_name.ends_with("::Orphaned")).unwrap();
    assert_eq!((leak.live, leak.is_exact), (1, true));
    assert!(leak.to_string().starts_with("1 element of `"), "{leak}");
}
