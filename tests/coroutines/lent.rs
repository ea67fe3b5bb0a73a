//! Rosters and frames that are lent to closures, and guards of rosters.

use std::rc::Rc;
use std::sync::Arc;
use std::{mem, thread};

use typed_pool::frame::{self, FrameScope, Frames, Local, Shared, Sharing};
use typed_pool::{FrameStack, Handle, Init, LocalFrameStack, Pooled, Roster, init, try_init};

use super::schedule::{
    Ledger, Part, Task, attempt, each_seed, in_threads, interleave, leak, panic_on_purpose, pause,
    some_of, thing, unwind_at_the_end,
};

/// Items of the user's iterator.
fn some<T>(make: fn() -> T) -> impl Iterator<Item = T> {
    (0..fastrand::usize(..6)).map(move |_| {
        pause();
        make()
    })
}

macro_rules! rosters {
    ($($name:ident: $attribute:tt, $is_shared:expr;)*) => {$(
        mod $name {
            use super::*;

            thing!(#[derive(Pooled)] #[pool $attribute]);

            /// The handle of one that may be live, or gone.
            fn any() -> Option<Handle<Thing>> {
                Thing::pool_read(|all| all.handles().nth(fastrand::usize(..8)))
            }

            /// Operations that lend the roster to no closure exclusively.
            const SHARED: &[fn()] = &[
                || {
                    Thing::pool_insert_with(|handle| {
                        assert!(!Thing::pool_contains(handle));
                        let thing = Thing::new();
                        Thing::pool_insert(thing.clone());
                        thing
                    });
                },
                || _ = Thing::pool_insert(Thing::new()),
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
                    let handle = all.handles().next_back();
                    pause();
                    handle.and_then(|handle| Thing::pool_get(handle, Thing::check));
                    all.values().for_each(|thing| {
                        pause();
                        thing.check();
                    });
                }),
                || Thing::pool_read(Roster::clone).values().for_each(Thing::check),
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
                || _ = any().and_then(|handle| Thing::pool_get_mut(handle, Thing::change)),
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
                || {
                    let mut all = Thing::pool_borrow_mut();
                    all.extend(some(Thing::new));
                    pause();
                    all.values_mut().rev().for_each(Thing::change);
                },
                || Thing::pool_with(|all| {
                    let before = mem::replace(all, some(Thing::new).collect());
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
                    Thing::pool_reserve(fastrand::usize(..20));
                    Thing::pool_prefault();
                },
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
                if $is_shared {
                    in_threads(|| interleave(any_operations));
                    Thing::pool_clear();
                }
                use_it();
                thread::spawn(use_it).join().unwrap();
                LEDGER.check();
                unwind_at_the_end(any_operations);
                if $is_shared {
                    Thing::pool_clear();
                }
                LEDGER.check();
                // A leaked closure that has a static roster leaves it lent for ever.
                if $is_shared {
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
    of_all_threads: (static, strategy = roster), true;
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

/// A frame stack that all coroutines have, scopes within one that each has, and the thread's frame.
mod frames {
    use super::*;

    thing!();

    /// The operations of a stack and of a scope.
    macro_rules! operations {
        ($Stack:ty) => {
            &[
                |stack: &$Stack| stack.alloc(Thing::new()).change(),
                |stack: &$Stack| stack.alloc_with(Thing::new).change(),
                |stack: &$Stack| drop(stack.init(Thing::fallible())),
                |stack: &$Stack| {
                    let mut many =
                        stack.alloc_iter((0..fastrand::usize(..6)).map(|_| Thing::new()));
                    pause();
                    many.iter_mut().for_each(Thing::change);
                },
                |stack: &$Stack| {
                    // More than the first chunk has, in the end.
                    let numbers = stack.alloc_slice(&[fastrand::u64(..); 20]);
                    pause();
                    assert!(numbers.iter().all(|&number| number == numbers[0]));
                },
                |stack: &$Stack| {
                    let (below, above) = (stack.alloc(Thing::new()), stack.alloc_with(Thing::new));
                    pause();
                    if fastrand::bool() {
                        stack.free(above);
                    }
                    below.check();
                    stack.free(below);
                },
            ]
        };
    }

    fn with_stack<S: Sharing>(stack: &Frames<S>) {
        let operations: &[fn(&Frames<S>)] = operations!(Frames<S>);
        for _ in 0..fastrand::usize(1..=5) {
            attempt(|| operations[fastrand::usize(..operations.len())](stack));
            pause();
        }
    }

    fn with_scope<S: Sharing>(scope: &mut FrameScope<'_, S>, depth: usize) {
        let operations: &[fn(&FrameScope<'_, S>)] = operations!(FrameScope<'_, S>);
        let mut kept = scope.alloc(Thing::new());
        for _ in 0..fastrand::usize(1..=4) {
            attempt(|| operations[fastrand::usize(..operations.len())](scope));
            pause();
            if depth > 0 {
                attempt(|| scope.scope(|inner| with_scope(inner, depth - 1)));
            }
            kept.change();
        }
    }

    fn scopes<S: Sharing>(mut stack: Frames<S>) {
        for _ in 0..3 {
            attempt(|| stack.scope(|scope| with_scope(scope, 2)));
            assert_eq!(stack.used(), 0);
            pause();
        }
    }

    #[test]
    fn of_all_coroutines() {
        each_seed(|| {
            let (mut local, mut shared) = (
                Rc::new(LocalFrameStack::with_capacity(200)),
                Arc::new(FrameStack::bounded(1 << 20)),
            );
            let (others, others_too) = (Rc::clone(&local), Arc::clone(&shared));
            interleave(move || with_stack::<Local>(&others));
            interleave(move || with_stack::<Shared>(&others_too));
            LEDGER.check();
            // Its owner is gone.
            Rc::get_mut(&mut local).unwrap().reset();
            Arc::get_mut(&mut shared).unwrap().reset();
            assert_eq!((local.used(), shared.used()), (0, 0));
            interleave(|| match fastrand::bool() {
                true => scopes(LocalFrameStack::with_capacity(fastrand::usize(..2000))),
                false => scopes(FrameStack::with_capacity(fastrand::usize(..2000))),
            });
            LEDGER.check();
        });
        let stack = Arc::new(FrameStack::with_capacity(1000));
        in_threads(|| {
            let stack = Arc::clone(&stack);
            interleave(move || with_stack(&*stack));
        });
        LEDGER.check();
    }

    mod scratch {
        use super::*;

        thing!();

        fn numbers() {
            frame::scratch(|frame| {
                let number = fastrand::u64(..);
                let numbers = frame.alloc_slice(&[number; 100]);
                pause();
                assert!(numbers.iter().all(|&same| same == number));
            });
        }

        fn things() {
            frame::scratch(|frame| {
                let mut thing = frame.alloc_with(Thing::new);
                pause();
                numbers();
                thing.change();
                if fastrand::u8(..4) == 0 {
                    panic_on_purpose();
                }
            });
        }

        const OPERATIONS: &[fn()] = &[
            numbers,
            things,
            || {
                frame::scratch(|frame| {
                    let mut thing = frame.alloc_with(Thing::new);
                    things();
                    thing.change();
                });
            },
            || {
                frame::scratch(|frame| {
                    frame.scope(|scope| scope.alloc_with(Thing::new).change());
                    pause();
                    frame.reset();
                    frame.alloc_with(Thing::new).check();
                });
            },
            || frame::scratch(|frame| assert!(frame.trim() < 1 << 20)),
        ];

        #[test]
        fn of_the_thread() {
            each_seed(|| {
                interleave(|| some_of(OPERATIONS));
                LEDGER.check();
                assert_eq!(frame::scratch(|frame| frame.used()), 0);
            });
            unwind_at_the_end(|| some_of(OPERATIONS));
            LEDGER.check();
            leak(|| some_of(OPERATIONS), numbers);
            LEDGER.check_leaked();
        }
    }
}
