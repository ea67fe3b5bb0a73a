//! Static rosters: one for the whole process, behind a lock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use typed_pool::{Handle, Pooled};

fn panic_of(f: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic");
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).expect("a message")
}

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Job {
    payload: u64,
    result: Option<u64>,
}

#[test]
fn handles_go_from_thread_to_thread() {
    let handles: Vec<Handle<Job>> =
        (0..100).map(|payload| Job::pool_insert(Job { payload, result: None })).collect();
    let threads: Vec<_> = handles
        .chunks(25)
        .map(<[_]>::to_vec)
        .map(|mine| {
            thread::spawn(move || {
                for handle in mine {
                    let payload = Job::pool_get(handle, |job| job.payload).expect("it is live");
                    Job::pool_with(|jobs| jobs[handle].result = Some(payload * payload));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    let sum: u64 = Job::pool_read(|jobs| jobs.values().filter_map(|job| job.result).sum());
    assert_eq!(sum, (0..100).map(|n| n * n).sum::<u64>());
    for handle in handles {
        assert!(Job::pool_remove(handle).is_some());
        assert!(thread::spawn(move || Job::pool_remove(handle).is_none()).join().unwrap());
    }
    assert_eq!(Job::pool_stats().live, 0);
    assert!(Job::pool_trim() > 0);
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
fn use_while_in_use_is_a_panic_and_not_a_deadlock() {
    let handle = Busy::pool_insert(Busy(1));
    let uses: [fn(Handle<Busy>); 5] = [
        |_| _ = Busy::pool_insert(Busy(2)),
        |handle| _ = Busy::pool_remove(handle),
        |_| Busy::pool_with(|_| ()),
        |_| Busy::pool_clear(),
        |_| _ = Busy::pool_trim(),
    ];
    for again in uses {
        let text = panic_of(|| Busy::pool_with(|_| again(handle)));
        assert!(text.contains("Busy` is in use"), "{text}");
        let text = panic_of(|| Busy::pool_read(|_| again(handle)));
        assert!(text.contains("Busy` is in use"), "{text}");
    }
    let text = panic_of(|| Busy::pool_with(|_| Busy::pool_read(|_| ())));
    assert!(text.contains("Busy` is in use"), "{text}");
    // A panic poisons nothing.
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

/// Others insert one element for each that is dropped. The clear drops what was there when it began, and ends.
#[test]
fn a_clear_comes_to_an_end_while_others_insert() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Rabbit {
        is_old: bool,
    }

    static DROPPED: AtomicUsize = AtomicUsize::new(0);

    impl Drop for Rabbit {
        fn drop(&mut self) {
            let dropped = DROPPED.fetch_add(1, Ordering::Relaxed);
            assert!(dropped < 10_000, "there is no end");
            if dropped < 10_000 {
                thread::scope(|scope| {
                    scope.spawn(|| Rabbit::pool_insert(Rabbit { is_old: false }));
                });
            }
        }
    }

    for _ in 0..100 {
        Rabbit::pool_insert(Rabbit { is_old: true });
    }
    let capacity = Rabbit::pool_stats().capacity;
    Rabbit::pool_clear();
    let dropped = DROPPED.load(Ordering::Relaxed);
    assert!((100..=capacity).contains(&dropped), "{dropped} of {capacity}");
    Rabbit::pool_read(|rabbits| assert!(rabbits.values().all(|rabbit| !rabbit.is_old)));
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

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Account(u64);

#[test]
fn who_writes_is_alone() {
    static INSIDE: AtomicBool = AtomicBool::new(false);
    let handle = Account::pool_insert(Account(0));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..2000 {
                    Account::pool_with(|accounts| {
                        assert!(!INSIDE.swap(true, Ordering::Relaxed), "another writes");
                        accounts[handle].0 += 1;
                        thread::yield_now();
                        INSIDE.store(false, Ordering::Relaxed);
                    });
                }
            });
            scope.spawn(|| {
                for _ in 0..2000 {
                    Account::pool_read(|_| assert!(!INSIDE.load(Ordering::Relaxed), "one writes"));
                }
            });
        }
    });
    assert_eq!(Account::pool_get(handle, |account| account.0), Some(4000));
}

/// How a destructor takes one out and puts one in within one borrow.
#[derive(Clone, Copy, Debug)]
enum Way {
    With,
    Guard,
    Detached,
    Vacancy,
    Another,
}

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Traded {
    way: Option<Way>,
}

static TRADED: AtomicUsize = AtomicUsize::new(0);

impl Drop for Traded {
    fn drop(&mut self) {
        TRADED.fetch_add(1, Ordering::Relaxed);
        let new = || Traded { way: None };
        let Some(way) = self.way.take() else { return };
        let last = Traded::pool_read(|all| all.handles().next_back().expect("one is left"));
        // What is taken out is dropped when the borrow has ended.
        let taken = match way {
            Way::With => Traded::pool_with(|all| {
                let taken = all.remove(last);
                all.insert(new());
                vec![taken]
            }),
            Way::Guard => {
                let mut all = Traded::pool_borrow_mut();
                let taken = all.remove(last);
                all.insert(new());
                vec![taken]
            }
            Way::Detached => Traded::pool_with(|all| {
                let taken = all.detach(last);
                all.insert(new());
                assert!(all.release(last));
                vec![taken]
            }),
            Way::Vacancy => Traded::pool_with(|all| {
                all.vacant_entry().insert(new());
                vec![all.remove(last)]
            }),
            Way::Another => Traded::pool_with(|all| {
                let taken = all.drain().map(|(_, traded)| Some(traded)).collect::<Vec<_>>();
                *all = taken.iter().map(|_| new()).collect();
                taken
            }),
        };
        drop(taken);
    }
}

/// The length is the same before and after the borrow, so it does not tell.
#[test]
fn a_clear_drops_what_a_destructor_has_traded() {
    for way in [Way::With, Way::Guard, Way::Detached, Way::Vacancy, Way::Another] {
        TRADED.store(0, Ordering::Relaxed);
        Traded::pool_insert(Traded { way: Some(way) });
        for _ in 0..3 {
            Traded::pool_insert(Traded { way: None });
        }
        Traded::pool_clear();
        assert_eq!(Traded::pool_stats().live, 0, "{way:?}");
        let count = if matches!(way, Way::Another) { 7 } else { 5 };
        assert_eq!(TRADED.load(Ordering::Relaxed), count, "{way:?}");
    }
}

/// A destructor may put another roster there, with as many elements, whose table lies where the old one lay.
#[test]
fn what_a_destructor_assigns_is_cleared() {
    thread_local! {
        static BLOCKS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Heir(u32);

    impl Drop for Heir {
        fn drop(&mut self) {
            if let Some(left) = self.0.checked_sub(1) {
                Heir::pool_with(|roster| {
                    *roster = typed_pool::Roster::new();
                    let _blocks: Vec<Vec<u8>> =
                        (0..BLOCKS.get()).map(|n| Vec::with_capacity(8 + n % 3)).collect();
                    roster.insert(Heir(left));
                });
            }
        }
    }

    for blocks in 0..12 {
        BLOCKS.set(blocks);
        Heir::pool_insert(Heir(1));
        Heir::pool_clear();
        assert_eq!(Heir::pool_stats().live, 0, "{blocks}");
    }
}
