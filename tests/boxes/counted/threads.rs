//! Pointers that threads share: every element is dropped once, after all that was done with it, and every
//! slot goes back.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use typed_pool::{PoolArc, PoolArcWeak, Pooled};

/// For tests that go on until a deadline, less under tools that slow them down.
const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 150 } else { 400 });

const THREADS: usize = 4;

/// Changed by a sole owner, and read by all owners.
struct Quiet {
    number: UnsafeCell<u64>,
    /// How many were dropped.
    dropped: &'static AtomicUsize,
}

// SAFETY: written through `get_mut` and by destructors only.
unsafe impl Sync for Quiet {}

impl Quiet {
    fn new(number: u64, dropped: &'static AtomicUsize) -> Self {
        Self { number: UnsafeCell::new(number), dropped }
    }

    fn read(&self) -> u64 {
        // SAFETY: owners only read.
        let number = unsafe { *self.number.get() };
        assert_ne!(number, 0, "dropped");
        number
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        assert_ne!(*self.number.get_mut(), 0, "dropped twice");
        *self.number.get_mut() = 0;
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

macro_rules! check {
    ($name:ident, $($attribute:tt)*) => {
        /// Threads pass pointers of both kinds on to each other by way of a few places.
        #[test]
        fn $name() {
            static MADE: AtomicUsize = AtomicUsize::new(0);
            static DROPPED: AtomicUsize = AtomicUsize::new(0);

            #[derive(Pooled)]
            #[pool($($attribute)*)]
            struct Element(Quiet);

            #[derive(Default)]
            struct Place {
                strong: Option<PoolArc<Element>>,
                weak: PoolArcWeak<Element>,
            }

            let make = |number| {
                let element = PoolArc::try_new_with(|| Element(Quiet::new(number, &DROPPED))).ok()?;
                MADE.fetch_add(1, Ordering::Relaxed);
                Some(element)
            };
            let places: [Mutex<Place>; 4] = Default::default();
            let deadline = Instant::now() + PATIENCE;
            let work = |seed| {
                let mut random = fastrand::Rng::with_seed(seed);
                let mut own = Place::default();
                // Once at least, however late the thread began.
                loop {
                    for _ in 0..50 {
                        let mut place = places[random.usize(..places.len())].lock().unwrap();
                        let place = &mut *place;
                        match random.u32(..9) {
                            0 => own.strong = make(random.u64(1..)),
                            1 => std::mem::swap(&mut own, place),
                            2 => own.strong = place.strong.clone(),
                            3 => own.weak = place.weak.clone(),
                            4 => own.strong = place.weak.upgrade(),
                            _ => {}
                        }
                        match (random.u32(..9), &mut own.strong) {
                            (0, Some(strong)) => own.weak = PoolArc::downgrade(strong),
                            (1, Some(strong)) => {
                                if let Some(element) = PoolArc::get_mut(strong) {
                                    *element.0.number.get_mut() += 1;
                                }
                            }
                            (2, strong) => *strong = own.weak.upgrade(),
                            (3, strong) => {
                                if let Some(Err(again)) = strong.take().map(PoolArc::try_unwrap) {
                                    *strong = Some(again);
                                }
                            }
                            (4, strong) => {
                                let inner = strong.take().and_then(PoolArc::into_inner);
                                assert!(inner.is_none_or(|element| element.0.read() > 0));
                            }
                            _ => {}
                        }
                        assert!(own.strong.as_ref().is_none_or(|element| element.0.read() > 0));
                    }
                    if Instant::now() >= deadline {
                        break;
                    }
                }
            };
            thread::scope(|scope| {
                let threads = [0, 1, 2, 3].map(|seed| scope.spawn(move || work(seed)));
                // A scope ends before its threads have given back what they keep; `join` waits for that.
                threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
            });
            drop(places);
            let [made, dropped] = [&MADE, &DROPPED].map(|count| count.load(Ordering::Relaxed));
            assert_eq!(made, dropped);
            assert!(made > 0);
            assert_eq!(Element::pool_stats().live, 0);
        }
    };
}

check!(of_static_lists, static, strategy = free_list, rc);
check!(of_static_stacks, static, rc);
check!(of_few, static, max = 5, rc);
check!(of_a_fixed_stack, static, capacity = 6, rc);
check!(of_a_fixed_list, static, capacity = 100, strategy = free_list, rc);

/// When many give up a pointer at the same time, exactly one gets the element, or drops it.
#[test]
fn one_of_all_takes_the_element() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);

    #[derive(Pooled)]
    #[pool(static, capacity = 1, rc)]
    struct Element(Quiet);

    let rounds = if cfg!(debug_assertions) { 300 } else { 3000 };
    let shared = Mutex::new(Vec::new());
    let taken = AtomicUsize::new(0);
    let start = Barrier::new(THREADS);
    thread::scope(|scope| {
        let threads = (0..THREADS).map(|n| {
            let (shared, taken, start) = (&shared, &taken, &start);
            scope.spawn(move || {
                for round in 0..rounds {
                    if n == 0 {
                        let element = PoolArc::new(Element(Quiet::new(round + 1, &DROPPED)));
                        *shared.lock().unwrap() = vec![element; THREADS];
                    }
                    start.wait();
                    let own = shared.lock().unwrap().pop().unwrap();
                    let weak = PoolArc::downgrade(&own);
                    start.wait();
                    match PoolArc::into_inner(own) {
                        Some(element) => {
                            assert_eq!(element.0.read(), round + 1);
                            taken.fetch_add(1, Ordering::Relaxed);
                        }
                        // A thread that upgrades a pointer keeps the element from the others, and drops it in the end.
                        None if round % 2 == 0 => drop(weak.upgrade()),
                        None => {}
                    }
                    drop(weak);
                    start.wait();
                }
            })
        });
        // A scope ends before its threads have given back what they keep; `join` waits for that.
        let threads: Vec<_> = threads.collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    });
    assert!(taken.into_inner() as u64 >= rounds / 2);
    assert_eq!(DROPPED.load(Ordering::Relaxed) as u64, rounds);
    assert_eq!(Element::pool_stats().live, 0);
}

/// A weak pointer from before the element was there finds all of it, or none.
#[test]
fn an_element_in_the_making_is_found_when_it_is_made() {
    #[derive(Pooled)]
    #[pool(static, rc)]
    struct Element {
        this: PoolArcWeak<Element>,
        number: u64,
    }

    for round in 0..if cfg!(debug_assertions) { 100 } else { 1000 } {
        let (to, from) = mpsc::channel::<PoolArcWeak<Element>>();
        let (looked, has_looked) = mpsc::channel();
        let finder = thread::spawn(move || {
            let weak = from.recv().unwrap();
            assert!(weak.upgrade().is_none());
            looked.send(()).unwrap();
            loop {
                if let Some(found) = weak.upgrade() {
                    assert_eq!(found.number, round);
                    return found;
                }
                thread::yield_now();
            }
        });
        let made = PoolArc::new_cyclic(|this| {
            to.send(this.clone()).unwrap();
            has_looked.recv().unwrap();
            Element { this: this.clone(), number: round }
        });
        let found = finder.join().unwrap();
        assert!(PoolArc::ptr_eq(&made, &found) && made.this.upgrade().is_some());
        assert_eq!((PoolArc::strong_count(&made), PoolArc::weak_count(&made)), (2, 1));
    }
    assert_eq!(Element::pool_stats().live, 0);
}

/// They go where `Arc` goes.
#[test]
fn pointers_are_sent_and_shared_as_elements_are() {
    #[derive(Pooled)]
    #[pool(static, rc)]
    struct Plain(#[expect(dead_code, reason = "has a size")] u64);

    fn goes<T: Send + Sync + Unpin>() {}
    goes::<PoolArc<Plain>>();
    goes::<PoolArcWeak<Plain>>();
    goes::<Option<std::pin::Pin<PoolArc<Plain>>>>();
}
