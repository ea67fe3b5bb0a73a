//! Coroutines that are resumed in random order, and elements that know whether they are whole.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::channel;
use std::{env, fmt, mem, ptr, thread};

use corosensei::{Coroutine, Yielder};

type Suspender = Yielder<(), ()>;

thread_local! {
    /// The suspender of the running coroutine; null outside of coroutines.
    static RUNNING: Cell<*const Suspender> = const { Cell::new(ptr::null()) };
}

/// Suspends the coroutine that runs, most of the time.
///
/// Not while it unwinds: dropping a suspended coroutine unwinds it, and it could not be unwound a second
/// time.
pub(super) fn pause() {
    let running = RUNNING.get();
    if running.is_null() || thread::panicking() || fastrand::u8(..4) == 0 {
        return;
    }
    // SAFETY: it is the running coroutine's (`Task::resume`), which is suspended here, and so lives.
    unsafe { &*running }.suspend(());
}

/// A coroutine.
pub(super) struct Task {
    coroutine: Coroutine<(), (), ()>,
    /// The value of `RUNNING` while it runs; null before that.
    suspender: *const Suspender,
}

impl Task {
    pub(super) fn new(body: impl FnOnce() + 'static) -> Self {
        let coroutine = Coroutine::new(move |suspender: &Suspender, ()| {
            RUNNING.set(suspender);
            body();
        });
        Self { coroutine, suspender: ptr::null() }
    }

    /// Runs it until it is suspended, or over: then `true`.
    pub(super) fn resume(&mut self) -> bool {
        struct Outer(*const Suspender);

        impl Drop for Outer {
            fn drop(&mut self) {
                RUNNING.set(self.0);
            }
        }

        let _outer = Outer(RUNNING.replace(self.suspender));
        let is_over = self.coroutine.resume(()).as_return().is_some();
        self.suspender = RUNNING.get();
        is_over
    }
}

/// Runs one operation. It may panic as the documents say, or as [`panic_on_purpose`] does.
pub(super) fn attempt(operation: impl FnOnce()) {
    let Err(panic) = catch_unwind(AssertUnwindSafe(operation)) else { return };
    let is_documented =
        |text: &String| text.contains("is in use") || text.contains("is taken, or gone");
    if !panic.is::<OnPurpose>() && !panic.downcast_ref::<String>().is_some_and(is_documented) {
        resume_unwind(panic);
    }
}

struct OnPurpose;

/// Panics, but without a message.
pub(super) fn panic_on_purpose() -> ! {
    resume_unwind(Box::new(OnPurpose))
}

/// One of `operations`, up to five times, each of them in its own right.
pub(super) fn some_of(operations: &[fn()]) {
    for _ in 0..fastrand::usize(1..=5) {
        attempt(operations[fastrand::usize(..operations.len())]);
        pause();
    }
}

/// Two to five coroutines, resumed in random order until all are over. Some are dropped before.
pub(super) fn interleave(body: impl Fn() + Clone + 'static) {
    let mut tasks: Vec<_> = (0..fastrand::usize(2..=5)).map(|_| Task::new(body.clone())).collect();
    while !tasks.is_empty() {
        let at = fastrand::usize(..tasks.len());
        if fastrand::u8(..30) == 0 || tasks[at].resume() {
            drop(tasks.swap_remove(at));
        }
    }
}

/// In a thread of its own: coroutines that are leaked, wherever they are suspended. Then `afterwards`.
pub(super) fn leak(body: impl Fn() + Copy + Send + 'static, afterwards: fn()) {
    let (done, is_done) = channel();
    let leaking = thread::spawn(move || {
        report_no_leaks();
        fastrand::seed(7);
        for _ in 0..5 {
            let mut task = Task::new(body);
            if !(0..fastrand::usize(1..20)).any(|_| task.resume()) {
                mem::forget(task);
            }
        }
        afterwards();
        let _ = done.send(());
        while is_for_valgrind() {
            // It would report the pools that are lent for ever when the thread ends.
            thread::park();
        }
    });
    if is_done.recv().is_err() || !is_for_valgrind() {
        leaking.join().unwrap();
    }
}

/// In threads of their own: coroutines that are suspended when their thread ends, and unwound by a
/// thread-local's destructor, after the ends of the thread's pools and before.
pub(super) fn unwind_at_the_end(body: impl Fn() + Copy + Send + 'static) {
    thread_local! {
        static KEPT: RefCell<Vec<Task>> = const { RefCell::new(Vec::new()) };
    }

    for seed in 0..if under_a_tool() { 10 } else { 100 } {
        let ends = thread::spawn(move || {
            report_no_leaks();
            fastrand::seed(seed);
            // The system destroys first what was used last, or the other way round.
            let is_first = seed % 2 == 0;
            if is_first {
                KEPT.with_borrow_mut(Vec::clear);
            }
            let mut tasks: Vec<_> = (0..4).map(|_| Task::new(body)).collect();
            for _ in 0..fastrand::usize(4..20) {
                let at = fastrand::usize(..tasks.len());
                if tasks[at].resume() {
                    tasks[at] = Task::new(body);
                }
            }
            KEPT.with_borrow_mut(|kept| kept.extend(tasks));
        });
        ends.join().unwrap();
    }
}

/// Has LeakSanitizer overlook what this thread allocates from here on. It does not look at stacks of
/// coroutines that are suspended.
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

/// Valgrind reports what is leaked on purpose.
fn is_for_valgrind() -> bool {
    under_a_tool() && !cfg!(pool_asan)
}

/// Tools are slow.
fn under_a_tool() -> bool {
    env::var_os("PROPTEST_CASES").is_some() || cfg!(pool_asan)
}

/// Runs `test` with one seed after the other.
pub(super) fn each_seed(test: impl Fn()) {
    /// Names the seed of a failure.
    struct Seed(u64);

    impl Drop for Seed {
        fn drop(&mut self) {
            if thread::panicking() {
                eprintln!("the seed was {0}: `COROUTINE_SEED={0}` repeats it", self.0);
            }
        }
    }

    let asked = env::var("COROUTINE_SEED").ok().and_then(|text| text.parse().ok());
    let seeds = asked.map_or(0..if under_a_tool() { 20 } else { 100 }, |seed| seed..seed + 1);
    for seed in seeds {
        let _seed = Seed(seed);
        fastrand::seed(seed);
        test();
    }
}

/// As [`each_seed`], in three threads, each with seeds of its own.
pub(super) fn in_threads(test: impl Fn() + Sync) {
    thread::scope(|threads| {
        let run = |number: u64| {
            let test = &test;
            threads.spawn(move || {
                for seed in 0..if under_a_tool() { 10 } else { 40 } {
                    fastrand::seed(number << 32 | seed);
                    test();
                }
            })
        };
        // One by one: the end of a scope does not wait for the destructors of thread-locals, which empty magazines.
        for thread in [1, 2, 3].map(run) {
            thread.join().unwrap();
        }
    });
}

/// The parts of one test.
pub(super) struct Ledger {
    made: AtomicUsize,
    dropped: AtomicUsize,
    faults: AtomicUsize,
}

impl Ledger {
    pub(super) const fn new() -> Self {
        let [made, dropped, faults] = [const { AtomicUsize::new(0) }; 3];
        Self { made, dropped, faults }
    }

    /// Each part was whole whenever it was seen, and was dropped once.
    #[track_caller]
    pub(super) fn check(&self) {
        assert_eq!(self.faults.load(Relaxed), 0, "parts that were not whole");
        assert_eq!(self.dropped.load(Relaxed), self.made.load(Relaxed));
    }

    /// The same, except that some were leaked.
    #[track_caller]
    pub(super) fn check_leaked(&self) {
        assert_eq!(self.faults.load(Relaxed), 0, "parts that were not whole");
        assert!(self.dropped.load(Relaxed) <= self.made.load(Relaxed));
    }
}

/// A part of an element: it may be suspended in each of its operations.
pub(super) struct Part {
    ledger: &'static Ledger,
    number: u64,
    /// `!number`, on the heap: tools notice what is dropped twice, or used afterwards.
    inverse: Box<u64>,
}

impl Part {
    pub(super) fn new(ledger: &'static Ledger) -> Self {
        pause();
        ledger.made.fetch_add(1, Relaxed);
        let number = fastrand::u64(..);
        Self { ledger, number, inverse: Box::new(!number) }
    }

    #[track_caller]
    pub(super) fn check(&self) {
        assert_eq!(*self.inverse, !self.number);
    }

    /// Writes another number.
    pub(super) fn change(&mut self) {
        self.check();
        let number = fastrand::u64(..);
        self.number = number;
        *self.inverse = !number;
        pause();
        assert_eq!(self.number, number, "another coroutine has written here");
        self.check();
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // A panic would not do, as this may run while a coroutine is unwound.
        self.ledger.faults.fetch_add(usize::from(*self.inverse != !self.number), Relaxed);
        self.ledger.dropped.fetch_add(1, Relaxed);
        pause();
        *self.inverse = self.number;
    }
}

impl Clone for Part {
    fn clone(&self) -> Self {
        pause();
        self.check();
        Self::new(self.ledger)
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pause();
        self.check();
        write!(f, "{}", self.number)
    }
}

/// A type of elements: `Thing`, with the attributes of its pool, and its test's ledger.
macro_rules! thing {
    ($(#[$meta:meta])*) => {
        static LEDGER: Ledger = Ledger::new();

        $(#[$meta])*
        #[derive(Clone, Debug)]
        struct Thing {
            first: Part,
            second: Part,
        }

        impl Default for Thing {
            fn default() -> Self {
                Self::new()
            }
        }

        #[allow(dead_code, reason = "not every test needs all of it")]
        impl Thing {
            fn part() -> Part {
                Part::new(&LEDGER)
            }

            /// It panics now and then.
            fn new() -> Self {
                let first = Self::part();
                if fastrand::u8(..20) == 0 {
                    panic_on_purpose();
                }
                Self { first, second: Self::part() }
            }

            /// It never panics.
            fn plain() -> Self {
                Self { first: Self::part(), second: Self::part() }
            }

            #[track_caller]
            fn check(&self) {
                self.first.check();
                self.second.check();
            }

            fn change(&mut self) {
                self.first.change();
                self.second.change();
            }

            /// An initialiser that fails now and then, at the second part.
            fn fallible() -> impl Init<Self, ()> {
                let second = || {
                    let part = Self::part();
                    if fastrand::u8(..4) == 0 { Err(()) } else { Ok(part) }
                };
                try_init!(Self { first: Self::part(), second <- init::try_with(second) } ? ())
            }
        }
    };
}
pub(super) use thing;
