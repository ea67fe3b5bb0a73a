//! The child of a `fork` goes on with the pools of the thread that forked.
#![cfg(all(target_os = "linux", not(miri)))]

use std::ffi::{c_int, c_uint};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use typed_pool::{Handle, PoolArc, PoolBox, Pooled, any};

unsafe extern "C" {
    fn fork() -> c_int;
    fn waitpid(child: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn alarm(seconds: c_uint) -> c_uint;
    fn _exit(status: c_int) -> !;
}

/// Whether `f` comes to its end in a child of this process.
fn in_child(f: impl FnOnce()) -> bool {
    // SAFETY: glibc's heap may be used in the child, which calls `f` and no other code of this process.
    let child = unsafe { fork() };
    assert!(child >= 0, "a child");
    if child == 0 {
        // SAFETY: it ends a child that waits for ever.
        unsafe { alarm(60) };
        let has_failed = catch_unwind(AssertUnwindSafe(f)).is_err();
        // SAFETY: nothing of this process is to be done here.
        unsafe { _exit(has_failed.into()) };
    }
    let mut status = 0;
    // SAFETY: the status is there to be written to.
    assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
    status == 0
}

#[derive(Pooled)]
struct Local(usize);
#[derive(Pooled)]
#[pool(strategy = roster)]
struct Listed(usize);
#[derive(Pooled)]
#[pool(static, capacity = 5000)]
struct Fixed(usize);
#[derive(Pooled)]
#[pool(static, rc)]
struct Shared(usize);

/// As often as `f` is asked for, elements come and go, and each is its owner's alone.
fn use_all<P>(new: impl Fn(usize) -> P, value: impl Fn(&P) -> usize) {
    let mut kept: Vec<P> = (0..300).map(&new).collect();
    for round in 0..20 {
        kept.drain(round..100 + round);
        kept.extend((300..400).map(&new));
        kept.iter().for_each(|one| assert!(value(one) < 400));
    }
}

fn use_local() {
    use_all(|n| PoolBox::new(Local(n)), |one| one.0);
    use_all(|n| any::Box::new(n), |one| **one);
    use_all(|n| PoolBox::new(Fixed(n)), |one| one.0);
    let handles: Vec<Handle<Listed>> = (0..300).map(|n| Listed::pool_insert(Listed(n))).collect();
    let removed = handles.into_iter().map(|handle| Listed::pool_remove(handle).expect("there").0);
    assert!(removed.eq(0..300));
}

fn use_shared() {
    use_all(|n| PoolBox::new(Shared(n)), |one| one.0);
    use_all(|n| PoolArc::new(Shared(n)), |one| one.0);
}

/// While other threads use theirs. What a static pool with a capacity does takes no lock.
#[test]
fn pools_of_the_thread_and_those_with_a_capacity_may_be_used() {
    let (begun, is_over) = (Barrier::new(4), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                use_local();
                begun.wait();
                while !is_over.load(Ordering::Relaxed) {
                    use_local();
                }
            });
        }
        use_local();
        begun.wait();
        let before: Vec<_> = (0..1000).map(|n| PoolBox::new(Local(n))).collect();
        let mut passed = 0;
        for _ in 0..20 {
            passed += usize::from(in_child(|| {
                before.iter().enumerate().for_each(|(n, one)| assert_eq!(one.0, n));
                use_local();
                let grown: Vec<_> = (0..20_000).map(|n| PoolBox::new(Local(n))).collect();
                assert_eq!(Local::pool_stats().live, 21_000);
                drop(grown);
                assert!(cfg!(feature = "passthrough") || Local::pool_trim() > 0);
            }));
        }
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(passed, 20);
    });
}

/// While no other thread is in them: they have a lock. (Threads that the child starts may not use them: their magazines could lie
/// where threads of the parent had theirs.)
#[test]
fn static_pools_that_grow_may_be_used_if_nobody_did_at_the_time() {
    let (worked, forked) = (Barrier::new(4), Barrier::new(4));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                use_shared();
                let kept = PoolArc::new(Shared(7));
                worked.wait();
                forked.wait();
                drop(kept);
            });
        }
        use_shared();
        worked.wait();
        let passed = in_child(|| {
            use_shared();
            let grown: Vec<_> = (0..20_000).map(|n| PoolBox::new(Shared(n))).collect();
            assert_eq!(Shared::pool_stats().live, 20_003);
            drop(grown);
            Shared::pool_trim();
            use_shared();
        });
        forked.wait();
        assert!(passed);
    });
}
