//! The child of a `fork` goes on with the pools of the thread that forked.
#![cfg(all(target_os = "linux", not(miri)))]

use std::ffi::{c_int, c_uint, c_ulong, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use typed_pool::{Handle, PoolArc, PoolBox, Pooled, any};

unsafe extern "C" {
    fn fork() -> c_int;
    fn waitpid(child: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn alarm(seconds: c_uint) -> c_uint;
    fn raise(signal: c_int) -> c_int;
    fn _exit(status: c_int) -> !;
    fn pthread_create(
        thread: *mut c_ulong,
        attributes: *const c_void,
        start: extern "C" fn(*mut c_void) -> *mut c_void,
        argument: *mut c_void,
    ) -> c_int;
    fn pthread_join(thread: c_ulong, result: *mut *mut c_void) -> c_int;
}

/// How a child ends that has come to its end: by `SIGUSR1`. (What looks for leaks when a process exits would find what the threads had
/// that the child does not have.)
const DONE: c_int = 10;

/// How a child ends that has waited too long: by `SIGALRM`.
const TOO_LATE: c_int = 14;

/// Whether `f` comes to its end in a child of this process.
///
/// AddressSanitizer has a lock around freed memory that it keeps, and another thread may have it during the `fork`. Then a thread of the
/// child waits for ever as it ends (in `Quarantine::Drain`, as a debugger shows). So with it, a child that waits is tried once more.
fn in_child(f: impl Fn()) -> bool {
    let mut status = run_child(&f);
    if cfg!(pool_asan) && status == TOO_LATE {
        status = run_child(&f);
    }
    status == DONE
}

/// How a child ended that has called `f`.
fn run_child(f: &impl Fn()) -> c_int {
    // SAFETY: glibc's heap may be used in the child, which calls `f` and no other code of this process.
    let child = unsafe { fork() };
    assert!(child >= 0, "a child");
    if child == 0 {
        // SAFETY: it ends a child that waits for ever.
        unsafe { alarm(60) };
        if catch_unwind(AssertUnwindSafe(f)).is_ok() {
            // SAFETY: nobody handles the signal, so it ends this process.
            unsafe { raise(DONE) };
        }
        // SAFETY: nothing of this process is to be done here.
        unsafe { _exit(1) };
    }
    let mut status = 0;
    // SAFETY: the status is there to be written to.
    assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
    status
}

/// A thread of the C library. (One of std's takes a lock of std's as it begins. In a child the lock stays locked if another thread of the
/// parent had it.)
struct Thread(c_ulong);

impl Thread {
    fn new(f: &'static fn()) -> Self {
        extern "C" fn start(f: *mut c_void) -> *mut c_void {
            // SAFETY: it is what `new` was given.
            let f = unsafe { *f.cast::<fn()>() };
            f();
            ptr::null_mut()
        }
        let (mut thread, f) = (0, ptr::from_ref(f).cast_mut().cast());
        // SAFETY: `f` lives for ever, and `thread` is there to be written to.
        assert_eq!(unsafe { pthread_create(&raw mut thread, ptr::null(), start, f) }, 0);
        Self(thread)
    }

    fn join(self) {
        // SAFETY: it is joined once. Nobody asks for its result.
        assert_eq!(unsafe { pthread_join(self.0, ptr::null_mut()) }, 0);
    }
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

/// Calls `f` while three threads use pools by `work`, again and again.
fn beside<R>(work: fn(), f: impl FnOnce() -> R) -> R {
    let (begun, is_over) = (Barrier::new(4), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                work();
                begun.wait();
                while !is_over.load(Ordering::Relaxed) {
                    work();
                }
            });
        }
        work();
        begun.wait();
        let result = f();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

/// In how many of 20 children `f` comes to its end.
fn in_children(f: impl Fn()) -> usize {
    (0..20).filter(|_| in_child(&f)).count()
}

/// While other threads use theirs. What a static pool with a capacity does takes no lock.
#[test]
fn pools_of_the_thread_and_those_with_a_capacity_may_be_used() {
    let passed = beside(use_local, || {
        let before: Vec<_> = (0..1000).map(|n| PoolBox::new(Local(n))).collect();
        in_children(|| {
            before.iter().enumerate().for_each(|(n, one)| assert_eq!(one.0, n));
            use_local();
            let grown: Vec<_> = (0..20_000).map(|n| PoolBox::new(Local(n))).collect();
            assert_eq!(Local::pool_stats().live, 21_000);
            drop(grown);
            assert!(Local::pool_trim() > 0);
        })
    });
    assert_eq!(passed, 20);
}

/// All that static pools that grow are for: growth, trims, and threads that come and go.
fn use_shared_in_threads() {
    for _ in 0..3 {
        let threads = [(); 4].map(|()| Thread::new(&(use_shared as fn())));
        use_shared();
        threads.into_iter().for_each(Thread::join);
        let grown: Vec<_> = (0..20_000).map(|n| PoolBox::new(Shared(n))).collect();
        assert!(Shared::pool_stats().live >= 20_000);
        drop(grown);
        Shared::pool_trim();
    }
}

/// The parent forks while other threads use the pools, and one has the lock. A thread of the child has its stack, and its magazine, where
/// one of the parent had them.
#[test]
fn static_pools_that_grow_may_be_used_by_all_threads_of_the_child() {
    fn have_the_lock() {
        use_shared();
        (0..300).for_each(|_| drop(Shared::pool_map()));
    }
    let passed = beside(have_the_lock, || {
        in_children(|| {
            use_shared_in_threads();
            assert!(in_child(use_shared_in_threads), "a child of the child");
        })
    });
    assert_eq!(passed, 20);
}

/// While other threads begin and end, which are listed with their pools.
#[test]
fn pools_may_be_listed() {
    fn end() {
        fn use_two() {
            use_local();
            use_shared();
        }
        Thread::new(&(use_two as fn())).join();
    }
    let passed = beside(end, || {
        in_children(|| {
            let is_listed = |name| typed_pool::pools().any(|info| info.type_name.ends_with(name));
            assert!(is_listed("Fixed") && is_listed("Shared"));
            end();
            drop(typed_pool::report().to_string());
        })
    });
    assert_eq!(passed, 20);
}

/// The child asks for no name of theirs, since another thread may have such a number there. The thread that forked has another number
/// now, and keeps its name.
#[test]
fn threads_that_stayed_behind_have_no_name() {
    #[derive(Pooled)]
    struct Named(#[expect(unused, reason = "it is there for its size")] u64);
    fn names() -> Vec<(bool, bool)> {
        let infos = typed_pool::pools().filter(|info| info.type_name.ends_with("::Named"));
        let threads = infos.filter_map(|info| info.thread).filter(|thread| !thread.has_ended);
        let mut names: Vec<_> = threads.map(|it| (it.is_current, it.name.is_some())).collect();
        names.sort_unstable();
        names
    }
    fn ask_as_another() {
        assert_eq!(names(), [(false, false), (false, true)]);
    }
    let (worked, forked) = (Barrier::new(2), Barrier::new(2));
    let (here, passed) = thread::scope(|scope| {
        scope.spawn(|| {
            let _kept = PoolBox::new(Named(1));
            worked.wait();
            forked.wait();
        });
        let _kept = PoolBox::new(Named(2));
        worked.wait();
        let names_here = names();
        let passed = in_child(|| {
            assert_eq!(names(), [(false, false), (true, true)]);
            Thread::new(&(ask_as_another as fn())).join();
        });
        forked.wait();
        (names_here, passed)
    });
    assert_eq!(here, [(false, true), (true, true)]);
    assert!(passed);
}

/// What the threads had that the child does not have stays as it was. (They are in none of their pools at the time.)
#[test]
fn the_child_has_what_threads_had() {
    #[derive(Pooled)]
    #[pool(static, rc)]
    struct Kept(usize);
    fn use_kept() {
        use_all(|n| PoolArc::new(Kept(n)), |one| one.0);
    }
    let (worked, forked) = (Barrier::new(4), Barrier::new(4));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                use_kept();
                let kept = PoolArc::new(Kept(7));
                worked.wait();
                forked.wait();
                drop(kept);
            });
        }
        use_kept();
        worked.wait();
        let live = |expected| assert_eq!(Kept::pool_stats().live, expected);
        let passed = in_child(|| {
            live(3);
            use_kept();
            let grown: Vec<_> = (0..20_000).map(|n| PoolBox::new(Kept(n))).collect();
            live(20_003);
            drop(grown);
            Kept::pool_trim();
            Thread::new(&(use_kept as fn())).join();
            live(3);
        });
        forked.wait();
        assert!(passed);
    });
}

/// Other threads read a static roster as the parent forks. What they have lent stays lent in the child, and what they have not is free.
#[test]
fn static_rosters_may_be_used_that_nobody_had() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Read(#[expect(unused, reason = "it has a size")] usize);
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Free(usize);
    fn read() {
        (0..1000).for_each(|_| Read::pool_read(|_| ()));
    }
    fn read_free() {
        (0..1000).for_each(|_| assert!(Free::pool_read(|all| all.values().all(|one| one.0 < 7))));
    }
    Read::pool_insert(Read(0));
    read_free();
    let passed = beside(read, || {
        in_children(|| {
            for n in 0..5 {
                read_free();
                let thread = Thread::new(&(read_free as fn()));
                Free::pool_insert(Free(n));
                thread.join();
            }
            assert_eq!(Free::pool_stats().live, 5);
        })
    });
    assert_eq!(passed, 20);
}
