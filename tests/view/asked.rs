//! Who may ask, and when: destructors, closures and constructors.

use std::cell::RefCell;
use std::thread;

use typed_pool::pools::{Snapshot, Watch, pools, report};
use typed_pool::{PoolBox, Pooled};

use crate::info;

/// Asks for everything.
fn ask() {
    let _ = (pools().count(), report().to_string());
    let before = Snapshot::take();
    let _ = Snapshot::take().diff(&before).to_string();
    let _ = (Watch::new(), Watch::of_process());
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
    struct C([u64; 4]);
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
            everything();
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
        let info = info(name).unwrap();
        assert_eq!((info.threads, info.live, crate::memory(name)), (0, None, [0; 3]), "{info:?}");
    }
    assert_eq!((C::pool_stats().live, D::pool_stats().live, E::pool_stats().live), (0, 0, 0));
}

#[test]
fn closures_and_constructors_may_ask() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct F(u64);
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct G(u64);
    #[derive(Pooled)]
    #[pool(static, rc)]
    struct H(u64);

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
