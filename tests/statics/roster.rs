//! Static rosters: one for the whole process, behind a lock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use typed_pool::{Handle, Pooled, Roster};

fn panic_of(f: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic");
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).expect("a message")
}

#[derive(Pooled)]
#[pool(static, strategy = roster, capacity = 3)]
struct Seat(u32);

#[test]
fn a_capacity_is_for_all_threads_together() {
    let mine = Seat::pool_insert(Seat(1));
    let taken = thread::spawn(|| [2, 3].map(|n| Seat::pool_insert(Seat(n)))).join().unwrap();
    let refused = Seat::pool_try_insert(Seat(4)).unwrap_err();
    assert_eq!((refused.capacity(), refused.into_inner().0), (3, 4));
    Seat::pool_remove(taken[0]);
    assert!(Seat::pool_try_insert(Seat(4)).is_ok());
    assert_eq!(Seat::pool_get(mine, |seat| seat.0), Some(1));
}

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Busy(i32);

#[test]
fn a_panic_within_a_use_poisons_nothing() {
    let handle = Busy::pool_insert(Busy(1));
    assert!(panic_of(|| Busy::pool_with(|_| Busy::pool_clear())).contains("is in use"));
    assert_eq!(Busy::pool_get(handle, |busy| busy.0), Some(1));
    assert_eq!(panic_of(|| Busy::pool_with(|_| panic!("mine"))), "mine");
    thread::spawn(move || assert_eq!(Busy::pool_remove(handle).map(|busy| busy.0), Some(1)))
        .join()
        .expect("another thread is not kept out");
}

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Node {
    children: Vec<Handle<Node>>,
}

impl Drop for Node {
    fn drop(&mut self) {
        for child in self.children.drain(..) {
            drop(Node::pool_remove(child));
        }
    }
}

#[test]
fn constructors_and_destructors_may_use_it() {
    let root = Node::pool_insert_with(|_| Node {
        children: (0..10).map(|_| Node::pool_insert(Node { children: vec![] })).collect(),
    });
    assert_eq!(Node::pool_stats().live, 11);
    drop(Node::pool_remove(root));
    assert_eq!(Node::pool_stats().live, 0);
    let leaf = Node::pool_insert(Node { children: vec![] });
    Node::pool_insert(Node { children: vec![leaf] });
    Node::pool_clear();
    assert_eq!(Node::pool_stats().live, 0);
}

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Twice;

#[path = "../common/lines.rs"]
mod lines;

mod guards;
mod readers;

#[cfg(not(any(target_arch = "s390x", target_arch = "arm", target_family = "wasm")))]
mod suspended;

static TRADED: AtomicUsize = AtomicUsize::new(0);

/// How a destructor takes one out and puts one in within one borrow: by a guard, or else by a closure.
#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Traded {
    by_guard: Option<bool>,
}

impl Drop for Traded {
    fn drop(&mut self) {
        TRADED.fetch_add(1, Ordering::Relaxed);
        let Some(by_guard) = self.by_guard.take() else { return };
        let trade = |all: &mut Roster<Traded>| {
            let last = all.handles().next_back().expect("one is left");
            let taken = all.remove(last);
            all.insert(Traded { by_guard: None });
            taken
        };
        let taken = if by_guard {
            let mut all = Traded::pool_borrow_mut();
            trade(&mut all)
        } else {
            Traded::pool_with(trade)
        };
        // When the borrow has ended.
        drop(taken);
    }
}

/// The length is the same before and after the borrow, so it does not tell.
#[test]
fn a_clear_drops_what_a_destructor_has_traded() {
    for by_guard in [true, false] {
        TRADED.store(0, Ordering::Relaxed);
        Traded::pool_insert(Traded { by_guard: Some(by_guard) });
        for _ in 0..3 {
            Traded::pool_insert(Traded { by_guard: None });
        }
        Traded::pool_clear();
        assert_eq!((Traded::pool_stats().live, TRADED.load(Ordering::Relaxed)), (0, 5));
    }
}
