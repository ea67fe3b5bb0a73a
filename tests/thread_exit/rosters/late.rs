//! Elements that destructors put into closed rosters are dropped, too; detached slots keep nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use typed_pool::{Pooled, Roster};

use super::{DROPPED, EARLIER, LATER, Monster, Prey, at_both_ends, between, in_thread, monster};

fn prey() -> Prey {
    Prey(Box::new(1))
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Mourner;

impl Drop for Mourner {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
        Prey::pool_insert(prey());
    }
}

#[test]
fn destructors_insert_into_rosters_that_have_ended_or_have_not() {
    let outcome = in_thread(|| {
        Prey::pool_insert(prey());
        (0..10).for_each(|_| _ = Mourner::pool_insert(Mourner));
    });
    assert_eq!(outcome, (1 + 10 + 10, 0));
    let outcome = in_thread(|| {
        (0..10).for_each(|_| _ = Mourner::pool_insert(Mourner));
        Prey::pool_insert(prey());
    });
    assert_eq!(outcome, (10 + 1 + 10, 0));
    let outcome = in_thread(|| _ = Mourner::pool_insert(Mourner));
    assert_eq!(outcome, (1 + 1, 0));
}

#[test]
fn two_rosters_may_insert_into_each_other() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Ping(u32, #[allow(dead_code)] Prey);

    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Pong(u32, #[allow(dead_code)] Prey);

    impl Drop for Ping {
        fn drop(&mut self) {
            if self.0 > 0 {
                Pong::pool_insert(Pong(self.0 - 1, prey()));
            }
        }
    }

    impl Drop for Pong {
        fn drop(&mut self) {
            if self.0 > 0 {
                Ping::pool_insert(Ping(self.0 - 1, prey()));
            }
        }
    }

    assert_eq!(in_thread(|| _ = Ping::pool_insert(Ping(100, prey()))), (101, 0));
    let outcome = in_thread(|| {
        Pong::pool_insert(Pong(0, prey()));
        Ping::pool_insert(Ping(100, prey()));
    });
    assert_eq!(outcome, (102, 0));
}

#[test]
fn other_thread_locals_may_leave_elements_in_it() {
    let outcome = in_thread(|| {
        between(|| _ = Monster::pool_insert(monster(0)));
        at_both_ends(|| {
            Monster::pool_insert(monster(2));
            Mourner::pool_insert(Mourner);
        });
    });
    assert_eq!(outcome, (1 + 2 * 3 + 2 * 2, 0));
    // Though there was no pool before, and though the use ends by a panic.
    let outcome = in_thread(|| {
        EARLIER.with_borrow_mut(|_| {});
        at_both_ends(|| {
            let result = catch_unwind(AssertUnwindSafe(|| {
                Prey::pool_with(|all| {
                    all.insert(prey());
                    std::panic::resume_unwind(Box::new("no"))
                })
            }));
            assert!(result.is_err());
        });
    });
    assert_eq!(outcome, (2, 0));
}

#[test]
fn what_is_detached_does_not_keep_the_roster() {
    let outcome = in_thread(|| {
        EARLIER.with_borrow_mut(|_| {});
        let handles = [0; 1000].map(|heirs| Monster::pool_insert(monster(heirs)));
        let detach = |at| Monster::pool_with(|all| all.detach(handles[at])).expect("it is live");
        drop(detach(500));
        // Dropped before the roster ends, and after it.
        let [sooner, later] = [501, 502].map(detach);
        LATER.with_borrow_mut(|at_exit| at_exit.0 = Some(Box::new(move || drop(sooner))));
        EARLIER.with_borrow_mut(|at_exit| at_exit.0 = Some(Box::new(move || drop(later))));
        Prey::pool_insert(prey());
        drop(Prey::pool_with(|all| all.order().handle_at(0).and_then(|first| all.detach(first))));
    });
    assert_eq!(outcome, (1000 + 1, 0));
}

#[test]
fn what_is_detached_finds_its_way_back_while_the_roster_is_there() {
    let outcome = in_thread(|| {
        EARLIER.with_borrow_mut(|_| {});
        Monster::pool_insert(monster(0));
        let handle = Monster::pool_insert(monster(0));
        let value = Monster::pool_with(|all| all.detach(handle)).expect("it is live");
        EARLIER.with_borrow_mut(|at_exit| {
            at_exit.0 = Some(Box::new(move || {
                // The roster has ended: the value comes back. Or it has not, where the process orders the destructors,
                // not the thread.
                match Monster::pool_with(|all| all.try_reattach(handle, value)) {
                    Err(value) => assert_eq!(value.name, "a monster"),
                    Ok(()) if cfg!(all(windows, target_env = "gnu")) => {}
                    Ok(()) => panic!("the roster has not ended"),
                }
                // Within one destructor it does not end again.
                let handle = Monster::pool_insert(monster(0));
                let value = Monster::pool_with(|all| all.detach(handle)).expect("it is live");
                Monster::pool_with(|all| all.reattach(handle, value));
                assert!(Monster::pool_contains(handle));
            }));
        });
    });
    assert_eq!(outcome, (3, 0));
}

/// The roster that takes the place of a closed one has a tag of its own, even if the closed one was assigned with a chosen tag.
#[test]
fn a_handle_is_stale_after_the_end_whatever_was_assigned() {
    in_thread(|| {
        EARLIER.with_borrow_mut(|_| {});
        Prey::pool_with(|roster| *roster = Roster::tagged(7));
        let stale = Prey::pool_insert(prey());
        EARLIER.with_borrow_mut(|at_exit| {
            at_exit.0 = Some(Box::new(move || {
                (0..10).for_each(|_| _ = Prey::pool_insert(prey()));
                // Where the process orders the destructors, not the thread, the roster may not have ended.
                let is_over = !cfg!(all(windows, target_env = "gnu"));
                assert!(!(is_over && Prey::pool_contains(stale)));
            }));
        });
    });
}
