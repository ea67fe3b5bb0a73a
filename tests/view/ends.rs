//! What is listed at and after the end of threads.

use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use typed_pool::pools::{self, Snapshot, leaks, pools, report};
use typed_pool::{PoolBox, Pooled};

use crate::all;

#[test]
fn what_was_detached_when_its_thread_ended_keeps_no_memory() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Orphan([u64; 4]);

    for _ in 0..40 {
        thread::spawn(|| {
            let handle = Orphan::pool_insert(Orphan([0; 4]));
            let detached = Orphan::pool_with(|roster| roster.detach(handle));
            assert!(detached.is_some());
        })
        .join()
        .unwrap();
    }
    let found = all("Orphan");
    assert_eq!(found.iter().map(|info| info.stats.bytes).sum::<usize>(), 0, "the rosters are gone");
    assert_eq!(found.len(), 1);
}

/// Asks for everything.
fn ask() {
    let _ = pools().count();
    leaks().for_each(|leak| assert!(!leak.to_string().is_empty()));
    let _ = report().to_string();
    let before = Snapshot::take();
    let _ = Snapshot::take().diff(&before).to_string();
    let _ = pools::Watch::new();
    let _ = pools::Watch::of_process();
}

#[test]
fn destructors_of_thread_locals_may_ask() {
    #[derive(Pooled)]
    struct A([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct B(u64);
    #[derive(Pooled)]
    #[pool(static)]
    struct C(#[allow(dead_code)] [u64; 4]);
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct D(u64);
    #[derive(Pooled)]
    #[pool(static, capacity = 100)]
    struct E(u64);

    type Three = (PoolBox<A>, PoolBox<C>, PoolBox<E>);

    struct Asks(RefCell<Vec<Three>>);

    fn everything() {
        ask();
        let _ = (A::pool_map(), B::pool_map(), C::pool_map(), D::pool_map(), E::pool_map());
        let _ =
            (A::pool_stats(), B::pool_stats(), C::pool_stats(), D::pool_stats(), E::pool_stats());
        #[cfg(feature = "sites")]
        let _ =
            (A::pool_sites(), B::pool_sites(), C::pool_sites(), D::pool_sites(), E::pool_sites());
    }

    fn three() -> Three {
        (PoolBox::new(A([0; 4])), PoolBox::new(C([0; 4])), PoolBox::new(E(0)))
    }

    impl Drop for A {
        fn drop(&mut self) {
            if self.0[0] == 0 {
                everything();
            }
        }
    }
    impl Drop for B {
        fn drop(&mut self) {
            ask();
            let _ = A::pool_map();
        }
    }
    impl Drop for D {
        fn drop(&mut self) {
            ask();
        }
    }
    impl Drop for E {
        fn drop(&mut self) {
            ask();
            let _ = (A::pool_map(), C::pool_map(), E::pool_map());
        }
    }

    impl Drop for Asks {
        fn drop(&mut self) {
            everything();
            self.0.get_mut().push(three());
            B::pool_insert(B(1));
            let d = D::pool_insert(D(1));
            everything();
            self.0.get_mut().clear();
            D::pool_remove(d);
            A::pool_trim();
            C::pool_trim();
            everything();
            A::pool_reserve(100);
            everything();
        }
    }

    thread_local! {
        static BEFORE: Asks = const { Asks(RefCell::new(Vec::new())) };
        static AFTER: Asks = const { Asks(RefCell::new(Vec::new())) };
    }
    for _ in 0..3 {
        thread::spawn(|| {
            BEFORE.with(|asks| asks.0.borrow_mut().push(three()));
            B::pool_insert(B(0));
            AFTER.with(|asks| asks.0.borrow_mut().push(three()));
        })
        .join()
        .unwrap();
    }
    for name in ["A", "B"] {
        for info in all(name) {
            let s = info.stats;
            assert_eq!(
                (s.live, s.detached, s.capacity, s.chunks, s.bytes),
                (0, 0, 0, 0, 0),
                "{info:?}"
            );
            assert_eq!(info.thread.unwrap().id, 0);
        }
    }
    assert_eq!((C::pool_stats().live, D::pool_stats().live, E::pool_stats().live), (0, 0, 0));
}

#[test]
fn closures_and_constructors_may_ask() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct F(#[allow(dead_code)] u64);
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct G(#[allow(dead_code)] u64);
    #[derive(Pooled)]
    #[pool(static, rc)]
    struct H(#[allow(dead_code)] u64);
    fn asked() -> u64 {
        ask();
        let _ = (H::pool_map(), H::pool_stats());
        0
    }
    let _h = H::pool_alloc_with(|| H(asked()));
    F::pool_insert_with(|_| F(asked()));
    G::pool_insert_with(|_| G(asked()));
    let handle = G::pool_insert_with(|_| {
        let _ = G::pool_map();
        G(0)
    });
    F::pool_with(|_| asked());
    G::pool_with(|_| asked());
    G::pool_read(|_| {
        let _ = G::pool_map();
        asked()
    });
    F::pool_read(|_| {
        let _ = F::pool_map();
        asked()
    });
    {
        let _f = F::pool_borrow_mut();
        let _g = G::pool_borrow_mut();
        thread::spawn(asked).join().unwrap();
        asked();
    }
    {
        let _f = F::pool_borrow();
        let _g = G::pool_borrow();
        thread::spawn(asked).join().unwrap();
        asked();
        let _ = (F::pool_map(), G::pool_map());
    }
    assert!(G::pool_remove(handle).is_some());
}

#[test]
fn thousands_of_threads() {
    #[derive(Pooled)]
    struct Crowd([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct CrowdToo(#[allow(dead_code)] u64);
    for _ in 0..30 {
        let all: Vec<_> = (0..60)
            .map(|n| {
                thread::spawn(move || {
                    let kept: Vec<_> = (0..n + 1).map(|n| PoolBox::new(Crowd([n; 4]))).collect();
                    CrowdToo::pool_insert(CrowdToo(n));
                    drop(kept);
                })
            })
            .collect();
        let _ = report();
        all.into_iter().for_each(|one| one.join().unwrap());
    }
    for name in ["Crowd", "CrowdToo"] {
        let found = all(name);
        assert_eq!(found.len(), 1, "{found:?}");
    }
    assert_eq!(all("Crowd")[0].stats.high_water, 60);
}

/// A leaked guard takes the roster along. What was in it then is what the thread has leaked.
#[test]
fn a_thread_that_ends_with_a_leaked_guard_has_leaked_what_was_in_the_roster() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Held(u64);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct HeldEmpty(u64);

    static HELD: AtomicUsize = AtomicUsize::new(0);
    static HEARD: Mutex<Vec<(usize, bool)>> = Mutex::new(Vec::new());

    pools::on_leak(|leak| {
        if leak.type_name.contains("::Held") {
            HEARD.lock().unwrap().push((leak.live, leak.is_exact));
        }
    });
    thread::spawn(|| {
        report_no_leaks();
        (0..1000).for_each(|n| _ = Held::pool_insert(Held(n)));
        std::mem::forget(Held::pool_borrow_mut());
        let mut guard = HeldEmpty::pool_borrow_mut();
        (0..100).for_each(|n| _ = guard.insert(HeldEmpty(n)));
        HELD.store(guard.capacity(), Ordering::Relaxed);
        std::mem::forget(guard);
    })
    .join()
    .unwrap();
    pools::on_leak(|_| {});
    HEARD.lock().unwrap().sort();
    assert_eq!(*HEARD.lock().unwrap(), [(64, false), (1000, false)]);
    let said = |name: &str| {
        let found = leaks().find(|leak| leak.type_name.ends_with(name)).unwrap();
        (found.live, found.is_exact, found.to_string())
    };
    let (live, is_exact, text) = said("::Held");
    assert_eq!((live, is_exact), (1000, false));
    assert!(text.starts_with("~1000 elements of "), "{text}");
    assert!(text.contains(", which has ended while a guard had the roster"), "{text}");
    // What came in through the guard is known as of the last growth.
    let (live, is_exact, text) = said("::HeldEmpty");
    assert_eq!((live, is_exact), (64, false), "{text}");
    let slots = HELD.load(Ordering::Relaxed);
    assert!(
        slots >= 100
            && text.ends_with(&format!("while a guard had the roster, with {slots} slots")),
        "{text}"
    );
    assert!(all("HeldEmpty").iter().all(|info| !info.is_exact));
}

/// Has LeakSanitizer overlook what this thread allocates from here on.
fn report_no_leaks() {
    #[cfg(pool_asan)]
    {
        unsafe extern "C" {
            fn __lsan_disable();
        }
        // SAFETY: it changes nothing else.
        unsafe { __lsan_disable() };
    }
}
