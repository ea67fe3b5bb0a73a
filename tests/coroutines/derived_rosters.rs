//! Rosters that are types' own.

use std::fmt;
use std::mem;
use std::thread;

use typed_pool::{Handle, Init, Pooled, Roster, init, try_init};

use super::part::{Ledger, Part, element};
use super::schedule::{
    Task, attempt, each_seed, in_threads, interleave, leak, panic_on_purpose, pause, some_of,
    unwind_at_the_end,
};

/// What the user iterates over.
fn some<T>(make: fn() -> T) -> impl Iterator<Item = T> {
    (0..fastrand::usize(..6)).map(move |_| {
        pause();
        make()
    })
}

macro_rules! rosters {
    ($($name:ident: $attribute:tt, $in_threads:expr;)*) => {$(
        mod $name {
            use super::*;

            element!(LEDGER, #[derive(Pooled)] #[pool $attribute] Thing);

            /// The handle of one that may be live, or gone.
            fn any() -> Option<Handle<Thing>> {
                Thing::pool_read(|all| all.handles().nth(fastrand::usize(..8)))
            }

            /// Those that lend the roster to no closure exclusively.
            const SHARED: &[fn()] = &[
                || {
                    Thing::pool_insert_with(|handle| {
                        assert!(!Thing::pool_contains(handle));
                        let thing = Thing::new();
                        Thing::pool_insert(thing.clone());
                        thing
                    });
                },
                || {
 let _ = Thing::pool_try_insert_with(|_| Thing::new());
},
                || {
 Thing::pool_insert(Thing::new());
},
                || drop(any().and_then(Thing::pool_remove)),
                || {
                    let handle = any();
                    pause();
                    handle.map(|handle| Thing::pool_get(handle, |thing| {
                        pause();
                        thing.check();
                    }));
                },
                || Thing::pool_read(|all| {
                    for thing in all.values() {
                        pause();
                        thing.check();
                    }
                }),
                || Thing::pool_read(|all| {
                    let handle = all.handles().next_back();
                    pause();
                    handle.and_then(|handle| Thing::pool_get(handle, Thing::check));
                    all.values().for_each(Thing::check);
                }),
                || assert!(Thing::pool_read(|all| format!("{all:?}").len() >= all.len())),
                || Thing::pool_read(Roster::clone).values().for_each(Thing::check),
                || {
                    let all = Thing::pool_borrow();
                    pause();
                    all.values().rev().for_each(Thing::check);
                },
                || {
                    // They end in any order.
                    let mut guards = vec![Thing::pool_borrow()];
                    pause();
                    guards.push(Thing::pool_borrow());
                    pause();
                    drop(guards.swap_remove(fastrand::usize(..2)));
                    pause();
                    guards[0].values().for_each(Thing::check);
                },
                || assert!(Thing::pool_stats().live < 10_000),
            ];

            const OPERATIONS: &[fn()] = &[
                || {
 let _ = any().and_then(|handle| Thing::pool_get_mut(handle, Thing::change));
},
                || Thing::pool_with(|all| all.values_mut().for_each(Thing::change)),
                || Thing::pool_with(|all| all.retain(|_, thing| {
                    thing.change();
                    fastrand::bool()
                })),
                || Thing::pool_with(|all| {
                    all.clear();
                    pause();
                    all.shrink_to_fit();
                }),
                || Thing::pool_with(|all| {
                    for (_, thing) in all.drain().take(3) {
                        pause();
                        thing.check();
                    }
                }),
                || Thing::pool_with(|all| all.extend(some(Thing::new))),
                || {
                    let mut all = Thing::pool_borrow_mut();
                    all.extend(some(Thing::new));
                    pause();
                    all.values_mut().rev().for_each(Thing::change);
                },
                || {
                    let mut all = Thing::pool_borrow_mut();
                    let entry = all.vacant_entry();
                    pause();
                    if fastrand::bool() {
                        entry.insert(Thing::new());
                    }
                    pause();
                    for (_, thing) in all.extract_if(|_, _| fastrand::bool()) {
                        pause();
                        thing.check();
                    }
                    *all = some(Thing::new).collect();
                },
                || Thing::pool_with(|all| {
                    let handle = all.insert_with(|_| Thing::new());
                    pause();
                    let thing = all.detach(handle).unwrap();
                    pause();
                    all.reattach(handle, thing);
                    all[handle].check();
                }),
                || Thing::pool_with(|all| {
                    let other = some(Thing::new).collect();
                    let before = mem::replace(all, other);
                    before.values().for_each(Thing::check);
                }),
                || {
                    // Then others may have the roster until the thing is back.
                    let Some(handle) = any() else { return };
                    let Some(mut thing) = Thing::pool_with(|all| all.detach(handle)) else { return };
                    thing.change();
                    drop(Thing::pool_with(|all| all.try_reattach(handle, thing)));
                },
                Thing::pool_clear,
                || {
 Thing::pool_trim();
},
                || Thing::pool_reserve(fastrand::usize(..20)),
                || Thing::pool_prefault(),
            ];

            fn any_operations() {
                some_of(if fastrand::bool() { SHARED } else { OPERATIONS });
            }

            fn use_it() {
                let handles = [(); 100].map(|()| Thing::pool_insert(Thing::plain()));
                Thing::pool_with(|all| all.values_mut().for_each(Thing::change));
                for handle in handles {
                    Thing::pool_remove(handle).unwrap().check();
                }
                Thing::pool_trim();
            }

            #[test]
            fn suspended() {
                each_seed(|| {
                    interleave(any_operations);
                    // No longer lent.
                    Thing::pool_clear();
                    LEDGER.check();
                    assert_eq!(Thing::pool_with(|all| (all.len(), all.values().count())), (0, 0));
                });
                if $in_threads {
                    in_threads(|| interleave(any_operations));
                    Thing::pool_clear();
                }
                use_it();
                thread::spawn(use_it).join().unwrap();
                LEDGER.check();
                unwind_at_the_end(any_operations);
                if $in_threads {
                    Thing::pool_clear();
                }
                LEDGER.check();
                // A leaked closure that has a static roster leaves it lent for ever.
                if $in_threads {
                    leak(|| some_of(SHARED), || assert!(Thing::pool_read(Roster::len) < 10_000));
                } else {
                    leak(any_operations, || ());
                    use_it();
                }
                LEDGER.check_leaked();
            }
        }
    )*};
}

rosters! {
    of_a_thread: (strategy = roster), false;
    of_a_thread_with_a_limit: (strategy = roster, capacity = 100_000), false;
    of_all_threads: (static, strategy = roster), true;
}

mod a_reader {
    use super::*;

    element!(
        LEDGER,
        #[derive(Pooled)]
        #[pool(strategy = roster)]
        Thing
    );

    /// Not over before its thread is.
    fn read() {
        attempt(|| {
            Thing::pool_insert(Thing::plain());
        });
        Thing::pool_read(|all| {
            for _ in 0..1000 {
                pause();
                all.values().for_each(Thing::check);
            }
        });
    }

    #[test]
    fn that_is_suspended_when_its_thread_ends_keeps_no_element() {
        unwind_at_the_end(read);
        LEDGER.check();
    }
}

/// Removals of a thread do not wait for a destructor that is suspended, perhaps for ever.
#[test]
fn a_suspended_destructor_keeps_no_removal_waiting() {
    macro_rules! check {
        ($($Held:ident $storage:tt)*) => {$({
            #[derive(Pooled)]
            #[pool(strategy = roster, $storage)]
            struct $Held(bool);

            impl Drop for $Held {
                fn drop(&mut self) {
                    // Each is a suspension in three of four cases.
                    (0..if self.0 { 100 } else { 0 }).for_each(|_| pause());
                }
            }

            let held = $Held::pool_insert($Held(true));
            let mut task = Task::new(move || $Held::pool_remove_later(held));
            assert!(!task.resume(), "it is suspended in the destructor");
            let next = $Held::pool_insert($Held(false));
            $Held::pool_remove_later(next);
            assert!(!$Held::pool_contains(next), "the roster is at rest");
            let last = $Held::pool_insert($Held(false));
            let guard = $Held::pool_borrow();
            $Held::pool_remove_later(last);
            drop(guard);
            assert!(!$Held::pool_contains(last), "the borrow has ended");
            while !task.resume() {}
        })*};
    }
    check!(Local thread_local Shared static);
}
