//! Errors in place of panics where a roster is in use, and removals that wait until it is not.

use std::cell::{Cell, RefCell};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use typed_pool::{Handle, Pooled, RosterRef};

thread_local! {
    /// The textures that were dropped on this thread, by number.
    static DROPPED: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    /// How many destructors are running, one within another, and the most at a time.
    static DEPTH: Cell<[u32; 2]> = const { Cell::new([0; 2]) };
}

fn dropped() -> Vec<u32> {
    DROPPED.take()
}

/// The action of a texture's destructor.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Then {
    Nothing,
    /// It looks at the pool.
    Look,
    /// It has another removed, with the pool borrowed.
    Remove(u64),
    /// The same, with the pool at rest.
    Chain(u64),
    /// It borrows the pool, and keeps the guard.
    Keep,
    Panic,
    LookAndPanic,
}

/// Whether all destructors have ended, and no more of them ran within another than the pool allows.
fn is_shallow() -> bool {
    let [depth, most] = DEPTH.get();
    depth == 0 && most <= 16
}

/// The same tests for a thread-local and for a static roster.
macro_rules! of_both {
    ($($module:ident, $storage:ident;)*) => {$(
        mod $module {
            use super::*;

            #[derive(Pooled)]
            #[pool(strategy = roster, $storage)]
            struct Texture(u32, Then);

            thread_local! {
                static KEPT: RefCell<Vec<RosterRef<Texture>>> = const { RefCell::new(Vec::new()) };
            }

            impl Drop for Texture {
                fn drop(&mut self) {
                    let [depth, most] = DEPTH.get();
                    DEPTH.set([depth + 1, most.max(depth + 1)]);
                    DROPPED.with_borrow_mut(|dropped| dropped.push(self.0));
                    match self.1 {
                        Then::Nothing => {}
                        Then::Look => {
                            Texture::pool_read(|_| ());
                        }
                        Then::Remove(bits) => Texture::pool_with(|_| {
                            Texture::pool_remove_later(Handle::from_bits(bits).unwrap());
                        }),
                        Then::Chain(bits) => {
                            Texture::pool_remove_later(Handle::from_bits(bits).unwrap());
                        }
                        Then::Keep => {
                            let guard = Texture::pool_try_borrow().ok();
                            KEPT.with_borrow_mut(|kept| kept.extend(guard));
                        }
                        Then::Panic => panic!("{}", self.0),
                        Then::LookAndPanic => {
                            // A use that ends while others wait.
                            Texture::pool_read(|_| ());
                            panic!("{}", self.0);
                        }
                    }
                    let [depth, most] = DEPTH.get();
                    DEPTH.set([depth - 1, most]);
                }
            }

            fn some<const N: usize>(then: Then) -> [Handle<Texture>; N] {
                let mut n = 0;
                [(); N].map(|()| {
                    n += 1;
                    Texture::pool_insert(Texture(n, then))
                })
            }

            /// On a thread of its own, one after the other.
            fn alone(f: impl FnOnce() + Send + 'static) {
                static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
                let _turn = TURN.lock().unwrap_or_else(|error| error.into_inner());
                thread::spawn(|| {
                    f();
                    Texture::pool_clear();
                })
                .join()
                .expect("no panic");
            }

            #[test]
            fn what_is_in_use_is_an_error() {
                alone(|| {
                    let [handle] = some(Then::Nothing);
                    assert_eq!(Texture::pool_try_with(|all| all.len()).ok(), Some(1));
                    assert_eq!(Texture::pool_try_read(|all| all.len()).ok(), Some(1));
                    {
                        let reading = Texture::pool_try_borrow().ok().expect("no use writes");
                        assert!(Texture::pool_try_borrow().is_ok() && reading.contains(handle));
                        assert_eq!(Texture::pool_try_read(|all| all.len()).ok(), Some(1));
                        assert!(Texture::pool_try_borrow_mut().is_err());
                        assert!(Texture::pool_try_with(|_| unreachable!()).is_err());
                    }
                    let mut writing = Texture::pool_try_borrow_mut().ok().expect("no use reads");
                    assert!(Texture::pool_try_borrow().is_err());
                    assert!(Texture::pool_try_borrow_mut().is_err());
                    assert!(Texture::pool_try_with(|_| unreachable!()).is_err());
                    let error = Texture::pool_try_read(|_| unreachable!()).unwrap_err();
                    assert!(error.to_string().contains("Texture` is in use by this thread"));
                    assert!(writing.remove(handle).is_some());
                    drop(writing);
                    assert_eq!(Texture::pool_try_with(|all| all.len()).ok(), Some(0));
                });
            }

            #[test]
            fn a_slot_whose_element_is_not_made_goes_back_after_the_last_borrow() {
                alone(|| {
                    let held = || [Texture::pool_stats().live, Texture::pool_stats().detached];
                    let mut guards = Vec::new();
                    let make = || Texture::pool_insert_with(|_| {
                        guards.extend([(); 2].map(|()| Texture::pool_borrow()));
                        panic!("no element");
                    });
                    assert!(catch_unwind(AssertUnwindSafe(make)).is_err());
                    guards.pop();
                    assert_eq!(held(), [0, 1]);
                    guards.pop();
                    assert_eq!(held(), [0, 0]);
                });
            }

            #[test]
            fn a_removal_waits_for_the_last_borrow() {
                alone(|| {
                    let [a, b, c, d] = some(Then::Nothing);
                    Texture::pool_remove_later(a);
                    assert_eq!(dropped(), [1], "at once");
                    Texture::pool_with(|all| {
                        Texture::pool_remove_later(b);
                        Texture::pool_remove_later(b);
                        Texture::pool_remove_later(a);
                        assert!(all.contains(b) && dropped().is_empty());
                    });
                    assert_eq!(dropped(), [2]);
                    // Readers, which end in any order.
                    let [first, second] = [(); 2].map(|()| Texture::pool_borrow());
                    Texture::pool_get(c, |_| Texture::pool_remove_later(c));
                    drop(first);
                    assert!(second.contains(c) && dropped().is_empty());
                    Texture::pool_remove_later(d);
                    drop(second);
                    assert_eq!(dropped(), [3, 4], "in this order");
                    let [e] = some(Then::Nothing);
                    let guard = Texture::pool_borrow_mut();
                    Texture::pool_remove_later(e);
                    assert!(dropped().is_empty());
                    drop(guard);
                    assert_eq!(dropped(), [1]);
                    // Another thread does not wait for this one's handles, nor remove them.
                    let [f] = some(Then::Nothing);
                    Texture::pool_read(|_| Texture::pool_remove_later(f));
                    thread::spawn(move || Texture::pool_remove_later(f)).join().unwrap();
                    assert_eq!(dropped(), [1]);
                });
            }

            #[test]
            fn removals_wait_for_a_guard_that_a_destructor_keeps() {
                alone(|| {
                    let [a] = some(Then::Keep);
                    let [b, c] = some(Then::Nothing);
                    Texture::pool_read(|_| [a, b, c].map(Texture::pool_remove_later));
                    assert_eq!(dropped(), [1], "whose guard is kept");
                    drop(KEPT.take());
                    let mut rest = dropped();
                    rest.sort_unstable();
                    assert_eq!(rest, [1, 2]);
                });
            }

            #[test]
            fn a_removal_waits_for_a_borrow_that_panics() {
                alone(|| {
                    let [a] = some(Then::Nothing);
                    let panic = || Texture::pool_with(|_| {
                        Texture::pool_remove_later(a);
                        panic!("a");
                    });
                    assert!(catch_unwind(panic).is_err());
                    assert_eq!(dropped(), [1]);
                    // A destructor that panics leaves the rest for the end of the next borrow.
                    for then in [Then::Panic, Then::LookAndPanic] {
                        let all @ [_, b, ..] = some::<4>(Then::Nothing);
                        Texture::pool_get_mut(b, |b| b.1 = then);
                        let panic = || Texture::pool_read(|_| {
                            all.into_iter().for_each(Texture::pool_remove_later);
                        });
                        assert!(catch_unwind(panic).is_err());
                        DEPTH.set([0; 2]);
                        Texture::pool_read(|_| ());
                        assert_eq!(Texture::pool_stats().live, 0);
                        assert_eq!(dropped(), [1, 2, 3, 4]);
                    }
                });
            }

            #[test]
            fn destructors_may_use_the_pool_and_defer_more() {
                alone(|| {
                    // Many that look at the pool are dropped one within another, but only so deep.
                    let all = some::<100>(Then::Look);
                    Texture::pool_with(|_| all.into_iter().for_each(Texture::pool_remove_later));
                    assert_eq!(dropped().len(), 100);
                    assert!(is_shallow());
                    // Each has the next removed.
                    let mut next = some::<1>(Then::Nothing)[0];
                    for n in 2..=5 {
                        next = Texture::pool_insert(Texture(n, Then::Remove(next.to_bits())));
                    }
                    Texture::pool_with(|_| Texture::pool_remove_later(next));
                    assert_eq!(dropped(), [5, 4, 3, 2, 1]);
                    assert!(is_shallow());
                    assert_eq!(Texture::pool_stats().live, 0);
                });
            }

            /// Each has the next removed, and the roster is at rest, or borrowed, when the first goes.
            #[test]
            fn a_long_chain_takes_no_stack() {
                let length = if cfg!(miri) { 1_000 } else { 100_000 };
                for is_borrowed in [false, true] {
                    alone(move || {
                        let mut next = Texture::pool_insert(Texture(0, Then::Nothing));
                        for n in 1..length {
                            next = Texture::pool_insert(Texture(n, Then::Chain(next.to_bits())));
                        }
                        let guard = is_borrowed.then(Texture::pool_borrow);
                        Texture::pool_remove_later(next);
                        drop(guard);
                        assert!(dropped().into_iter().eq((0..length).rev()));
                        assert!(is_shallow());
                        assert_eq!(Texture::pool_stats().live, 0);
                    });
                }
            }
        }
    )*};
}

of_both! {
    thread_local, thread_local;
    of_the_process, static;
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Leaky(u32);

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

/// The borrow never ends, so nothing is removed, and nothing goes wrong.
#[test]
fn a_leaked_guard_keeps_what_was_to_be_removed() {
    thread::spawn(|| {
        report_no_leaks();
        let [read, other] = [1, 2].map(|n| Leaky::pool_insert(Leaky(n)));
        mem::forget(Leaky::pool_borrow());
        Leaky::pool_remove_later(read);
        Leaky::pool_read(|_| Leaky::pool_remove_later(other));
        assert_eq!(Leaky::pool_read(|all| all.values().map(|leaky| leaky.0).sum::<u32>()), 3);
    })
    .join()
    .expect("no panic");
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Late(u32);

/// The sum of the numbers that were dropped.
static LATE: AtomicU32 = AtomicU32::new(0);

impl Drop for Late {
    fn drop(&mut self) {
        LATE.fetch_add(self.0, Ordering::Relaxed);
    }
}

/// Within a destructor of a thread-local, after the roster has ended.
#[test]
fn a_roster_that_has_ended_removes_later_as_well() {
    struct AtExit;

    impl Drop for AtExit {
        fn drop(&mut self) {
            let late = Late::pool_insert(Late(7));
            Late::pool_with(|_| Late::pool_remove_later(late));
            assert_eq!(Late::pool_stats().live, 0);
        }
    }

    thread_local! {
        static AT_EXIT: AtExit = const { AtExit };
    }
    thread::spawn(|| {
        AT_EXIT.with(|_| ());
        Late::pool_remove_later(Late::pool_insert(Late(1)));
        assert_eq!(LATE.load(Ordering::Relaxed), 1);
    })
    .join()
    .expect("no panic");
    assert_eq!(LATE.load(Ordering::Relaxed), 8);
}
