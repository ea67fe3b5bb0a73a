//! A thread-local roster at the end of its thread: elements are dropped, destructors may use their own
//! roster and others, thread-locals that end before it or after it may use it, and nothing is left on
//! the heap.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use typed_pool::{Handle, Pooled};

use crate::heap::watch;
use crate::{BYTES, alone};

mod late;
mod lent;

static DROPPED: AtomicUsize = AtomicUsize::new(0);

/// Runs `f` in a thread of its own; returns how many elements were dropped, and the bytes that stay
/// behind.
fn in_thread(f: impl FnOnce() + Send + 'static) -> (usize, isize) {
    let _alone = alone();
    let before = (DROPPED.load(Ordering::Relaxed), BYTES.load(Ordering::Relaxed));
    let thread = std::thread::spawn(move || {
        watch();
        f();
    });
    thread.join().expect("no panic");
    (DROPPED.load(Ordering::Relaxed) - before.0, BYTES.load(Ordering::Relaxed) - before.1)
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    name: String,
    minion: Option<Handle<Monster>>,
    /// How many more are inserted when it is dropped.
    heirs: usize,
    prey: Option<Handle<Prey>>,
}

impl Drop for Monster {
    fn drop(&mut self) {
        assert_eq!(self.name, "a monster");
        DROPPED.fetch_add(1, Ordering::Relaxed);
        self.minion.and_then(Monster::pool_remove);
        if let Some(heirs) = self.heirs.checked_sub(1) {
            Monster::pool_insert(monster(heirs));
        }
        self.prey.and_then(Prey::pool_remove);
    }
}

fn monster(heirs: usize) -> Monster {
    Monster { name: "a monster".into(), minion: None, heirs, prey: None }
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Prey(#[allow(dead_code)] Box<u64>);

impl Drop for Prey {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct AtExit(Option<Box<dyn FnOnce()>>);

impl Drop for AtExit {
    fn drop(&mut self) {
        if let Some(f) = self.0.take() {
            f();
        }
    }
}

thread_local! {
    /// Destroyed in an order that depends on which is touched first. Of these two one is touched
    /// before the rosters' clean-up is registered, and one after.
    static EARLIER: RefCell<AtExit> = RefCell::default();
    static LATER: RefCell<AtExit> = RefCell::default();
}

/// Lets the rosters grow between the first touch of the one and of the other.
fn between(f: impl FnOnce()) {
    EARLIER.with_borrow_mut(|_| {});
    f();
    LATER.with_borrow_mut(|_| {});
}

fn at_both_ends(f: fn()) {
    EARLIER.with_borrow_mut(|at_exit| at_exit.0 = Some(Box::new(f)));
    LATER.with_borrow_mut(|at_exit| at_exit.0 = Some(Box::new(f)));
}

#[test]
fn elements_are_dropped_and_all_memory_goes_back() {
    let outcome = in_thread(|| {
        for _ in 0..1000 {
            Monster::pool_insert(monster(0));
        }
        let some: Vec<_> = Monster::pool_with(|all| all.handles().step_by(3).collect());
        some.into_iter().for_each(|handle| drop(Monster::pool_remove(handle)));
    });
    assert_eq!(outcome, (1000, 0));
}

#[test]
fn a_dense_order_goes_back_too() {
    let outcome = in_thread(|| {
        let handle = Monster::pool_insert(monster(0));
        Monster::pool_with(|all| assert_eq!(all.order().index_of(handle), Some(0)));
    });
    assert_eq!(outcome, (1, 0));
}

#[test]
fn a_roster_that_was_only_looked_at_leaves_nothing() {
    let outcome = in_thread(|| {
        assert_eq!(Monster::pool_stats().live, 0);
        Monster::pool_with(|all| assert!(all.is_empty()));
        Prey::pool_reserve(100);
    });
    assert_eq!(outcome, (0, 0));
}

#[test]
fn destructors_use_the_roster_that_is_ending() {
    let outcome = in_thread(|| {
        let minion = Monster::pool_insert(monster(0));
        let master = Monster::pool_insert(monster(3));
        Monster::pool_with(|all| all[master].minion = Some(minion));
        // One that has a lower address than its master, and one that has a higher.
        let master = Monster::pool_insert(monster(0));
        let minion = Monster::pool_insert(monster(0));
        Monster::pool_with(|all| all[master].minion = Some(minion));
    });
    assert_eq!(outcome, (4 + 3, 0));
}

#[test]
fn destructors_use_rosters_that_have_ended_or_have_not() {
    let outcome = in_thread(|| {
        // In either order.
        let hunter = Monster::pool_insert(monster(0));
        let prey = Prey::pool_insert(Prey(Box::new(1)));
        Monster::pool_with(|all| all[hunter].prey = Some(prey));
    });
    assert_eq!(outcome, (2, 0));
    let outcome = in_thread(|| {
        let prey = Prey::pool_insert(Prey(Box::new(1)));
        let hunter = Monster::pool_insert(monster(0));
        Monster::pool_with(|all| all[hunter].prey = Some(prey));
        Prey::pool_insert(Prey(Box::new(2)));
    });
    assert_eq!(outcome, (3, 0));
}

#[test]
fn other_thread_locals_use_it_before_and_after() {
    let outcome = in_thread(|| {
        between(|| _ = Monster::pool_insert(monster(0)));
        at_both_ends(|| {
            // Once the roster has ended, the one that was there is gone.
            let late = Monster::pool_insert(monster(0));
            Monster::pool_insert_with(|_| monster(0));
            assert!(Monster::pool_get(late, |late| late.name.len()).is_some());
            assert!(Monster::pool_stats().live >= 2);
            drop(Monster::pool_remove(late));
            Monster::pool_reserve(10);
            Monster::pool_clear();
            assert_eq!(Monster::pool_stats().live, 0);
        });
    });
    // One, and two by each thread-local.
    assert_eq!(outcome, (1 + 4, 0));
}

#[test]
fn a_first_use_at_the_very_end_leaves_nothing_if_it_removes_what_it_inserts() {
    let outcome = in_thread(|| {
        at_both_ends(|| {
            let late = Prey::pool_insert(Prey(Box::new(1)));
            drop(Prey::pool_remove(late));
            let late = Prey::pool_insert_with(|_| {
                // Empty, except for the slot that waits for what is made here.
                Prey::pool_with(|all| assert!(all.is_empty()));
                Prey(Box::new(2))
            });
            assert!(Prey::pool_remove(late).is_some());
        });
    });
    assert_eq!(outcome, (4, 0));
}

#[test]
fn a_handle_from_before_the_end_finds_nothing_after_it() {
    let outcome = in_thread(|| {
        let handle = Rc::new(Cell::new(None));
        let seen = Rc::clone(&handle);
        EARLIER.with_borrow_mut(|at_exit| {
            at_exit.0 = Some(Box::new(move || {
                let before: Handle<Monster> = seen.get().expect("it was set");
                let after = Monster::pool_insert(monster(0));
                if Monster::pool_get(before, |_| ()).is_none() {
                    assert_eq!((before.index(), after.index()), (0, 0));
                }
                assert_ne!(before, after);
                drop(Monster::pool_remove(after));
            }));
        });
        handle.set(Some(Monster::pool_insert(monster(0))));
        LATER.with_borrow_mut(|_| {});
    });
    assert_eq!(outcome, (2, 0));
}

#[test]
fn a_roster_that_is_made_anew_has_the_limit_of_the_one_before() {
    #[derive(Pooled)]
    #[pool(strategy = roster, capacity = 2)]
    struct Boss;

    impl Drop for Boss {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }

    let outcome = in_thread(|| {
        between(|| _ = Boss::pool_insert(Boss));
        at_both_ends(|| {
            // Whenever the last one has gone, the roster after the end is another.
            for _ in 0..2 {
                Boss::pool_clear();
                let both = [(); 2].map(|()| Boss::pool_insert(Boss));
                let Err(exhausted) = Boss::pool_try_insert(Boss) else { panic!("a third one") };
                assert_eq!(exhausted.capacity(), 2);
                drop(exhausted);
                both.into_iter().for_each(|boss| drop(Boss::pool_remove(boss)));
            }
        });
    });
    // One, and at each end three, twice.
    assert_eq!(outcome, (1 + 2 * 2 * 3, 0));
}

/// It ends before the roster does, or after: then the roster ends with it.
#[test]
fn a_guard_in_another_thread_local_gives_the_roster_back() {
    fn keep(at_exit: &'static std::thread::LocalKey<RefCell<AtExit>>, guard: impl Sized + 'static) {
        at_exit.with_borrow_mut(|at_exit| at_exit.0 = Some(Box::new(move || drop(guard))));
    }

    let keeping: [fn(); 4] = [
        || keep(&EARLIER, Monster::pool_borrow()),
        || keep(&LATER, Monster::pool_borrow()),
        || keep(&EARLIER, Monster::pool_borrow_mut()),
        || keep(&LATER, Monster::pool_borrow_mut()),
    ];
    for keep in keeping {
        let outcome = in_thread(move || {
            between(|| _ = Monster::pool_insert(monster(2)));
            keep();
        });
        assert_eq!(outcome, (1 + 2, 0));
    }

    // Two that read, of which one is dropped before the roster's end, and one after.
    let outcome = in_thread(|| {
        between(|| _ = Monster::pool_insert(monster(0)));
        keep(&EARLIER, Monster::pool_borrow());
        keep(&LATER, Monster::pool_borrow());
    });
    assert_eq!(outcome, (1, 0));

    // Of a roster that has ended, and is used again.
    let outcome = in_thread(|| {
        between(|| _ = Monster::pool_insert(monster(0)));
        at_both_ends(|| {
            let mut all = Monster::pool_borrow_mut();
            let late = all.insert(monster(1));
            drop(all);
            assert_eq!(Monster::pool_borrow()[late].heirs, 1);
        });
    });
    assert_eq!(outcome, (1 + 2 * 2, 0));
}
