//! A random program's own books agree with what is listed, and with the lines of `sites`, at every step: in several threads that
//! come and go.

use std::any::type_name;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use typed_pool::pools::{PoolInfo, Snapshot, Storage, Watch, pools};
use typed_pool::{Handle, PoolBox, PoolStats, Pooled, Roster, RosterHandles, init};

use crate::memory_of;

/// The elements of one type that a thread has.
trait Subject {
    fn step(&mut self, random: &mut fastrand::Rng);

    fn clear(&mut self);

    fn live(&self) -> usize;

    /// Requests that were not met.
    fn refused(&self) -> usize;

    fn stats(&self) -> PoolStats;

    fn info(&self) -> Option<PoolInfo>;
}

/// Types that can be made of a number.
macro_rules! types {
    ($($type:ident: $(#[$attribute:meta])*;)*) => {$(
        #[derive(Pooled, Clone)]
        $(#[$attribute])*
        struct $type([u64; 4]);

        impl From<u64> for $type {
            fn from(value: u64) -> Self {
                Self([value; 4])
            }
        }
    )*};
}

types! {
    List: ;
    Stack: #[pool(strategy = pointer_stack)];
    Counted: #[pool(rc)];
    Limited: #[pool(max = 100, chunk = 3)];
    Shared: #[pool(static)];
    SharedList: #[pool(static, strategy = free_list)];
    SharedLimited: #[pool(static, max = 200)];
    Fixed: #[pool(static, capacity = 50)];
    Listed: #[pool(strategy = roster)];
    ListedLimited: #[pool(strategy = roster, max = 100, chunk = 3)];
    SharedListed: #[pool(strategy = roster, static)];
}

fn info_of<T>() -> Option<PoolInfo> {
    pools().find(|info| info.type_name == type_name::<T>())
}

macro_rules! known {
    () => {
        fn live(&self) -> usize {
            self.0.len()
        }

        fn refused(&self) -> usize {
            self.1
        }

        fn stats(&self) -> PoolStats {
            T::pool_stats()
        }

        fn info(&self) -> Option<PoolInfo> {
            info_of::<T>()
        }
    };
}

/// Boxes, with the lines that made them.
struct InBoxes<T: Pooled>(Vec<(u32, PoolBox<T>)>, usize);

impl<T: Pooled + From<u64>> Subject for InBoxes<T> {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let Self(kept, refused) = self;
        match random.u8(..100) {
            0 => kept.clear(),
            1..=3 => _ = T::pool_trim(),
            4..=5 => {
                let reserved = T::pool_try_reserve(random.usize(..40));
                *refused += usize::from(reserved.is_err());
            }
            6..=40 if !kept.is_empty() => _ = kept.swap_remove(random.usize(..kept.len())),
            _ => {
                for n in 0..random.u64(1..9) {
                    let (line, made) = match n % 3 {
                        0 => (line!(), T::pool_try_alloc_with(|| T::from(n)).ok()),
                        1 => (line!(), PoolBox::try_new(T::from(n)).ok()),
                        _ => (line!(), PoolBox::try_init(init::value(T::from(n))).ok()),
                    };
                    *refused += usize::from(made.is_none());
                    kept.extend(made.map(|made| (line, made)));
                }
            }
        }
        #[cfg(feature = "sites")]
        if info_of::<T>().is_some_and(|info| info.storage == Storage::ThreadLocal) {
            let mut books = std::collections::BTreeMap::new();
            kept.iter().for_each(|(line, _)| *books.entry(*line).or_insert(0) += 1);
            let mut sites: Vec<_> =
                T::pool_sites().iter().map(|site| (site.location.line(), site.live)).collect();
            sites.sort();
            assert!(sites.into_iter().eq(books));
        }
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    known!();
}

struct InRoster<T>(Vec<Handle<T>>, usize, Option<Roster<T>>);

impl<T: Pooled<RosterHandles> + From<u64> + Clone> Subject for InRoster<T> {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let Self(kept, refused, saved) = self;
        let is_static = info_of::<T>().is_some_and(|info| info.storage == Storage::Static);
        match random.u8(..100) {
            0 => kept.drain(..).for_each(|handle| _ = T::pool_remove(handle)),
            1..=3 => _ = T::pool_trim(),
            4..=5 => {
                let reserved = T::pool_try_reserve(random.usize(..40));
                *refused += usize::from(reserved.is_err());
            }
            // What other threads have in a static roster would be lost.
            6..=8 if !is_static => *saved = Some(T::pool_read(Roster::clone)),
            9..=11 if saved.is_some() => {
                T::pool_with(|roster| *roster = saved.take().unwrap());
                *kept = T::pool_read(|roster| roster.handles().collect());
            }
            12 if !is_static => {
                *T::pool_borrow_mut() = T::pool_read(Roster::clone);
                *kept = T::pool_read(|roster| roster.handles().collect());
            }
            13..=15 if !kept.is_empty() => T::pool_with(|roster| {
                let info = info_of::<T>().unwrap();
                assert_eq!(info.live, None, "it is in use");
                if is_static {
                    assert_eq!([info.capacity, info.chunks, info.bytes], memory_of(roster.stats()));
                }
            }),
            16..=45 if !kept.is_empty() => {
                T::pool_remove(kept.swap_remove(random.usize(..kept.len())));
            }
            _ => {
                for n in 0..random.u64(1..9) {
                    let made = T::pool_try_insert(T::from(n));
                    *refused += usize::from(made.is_err());
                    kept.extend(made.ok());
                }
            }
        }
    }

    fn clear(&mut self) {
        self.0.drain(..).for_each(|handle| _ = T::pool_remove(handle));
    }

    known!();
}

fn subjects() -> Vec<Box<dyn Subject>> {
    fn in_boxes<T: Pooled + From<u64>>() -> Box<dyn Subject> {
        Box::new(InBoxes::<T>(Vec::new(), 0))
    }

    fn in_roster<T: Pooled<RosterHandles> + From<u64> + Clone>() -> Box<dyn Subject> {
        Box::new(InRoster::<T>(Vec::new(), 0, None))
    }

    vec![
        in_boxes::<List>(),
        in_boxes::<Stack>(),
        in_boxes::<Counted>(),
        in_boxes::<Limited>(),
        in_boxes::<Shared>(),
        in_boxes::<SharedList>(),
        in_boxes::<SharedLimited>(),
        in_boxes::<Fixed>(),
        in_roster::<Listed>(),
        in_roster::<ListedLimited>(),
        in_roster::<SharedListed>(),
    ]
}

/// Uses what a thread has left when its thread-locals are destroyed: before its pools are closed, or after.
struct Late(RefCell<(Vec<Box<dyn Subject>>, fastrand::Rng)>);

static REFUSED_LATE: AtomicUsize = AtomicUsize::new(0);

impl Drop for Late {
    fn drop(&mut self) {
        let (subjects, random) = self.0.get_mut();
        for subject in subjects {
            let before = subject.refused();
            (0..random.usize(..9)).for_each(|_| subject.step(random));
            subject.clear();
            REFUSED_LATE.fetch_add(subject.refused() - before, Ordering::Relaxed);
        }
    }
}

thread_local! {
    static FIRST: Late = Late(RefCell::new((Vec::new(), fastrand::Rng::with_seed(1))));
    static LAST: Late = Late(RefCell::new((Vec::new(), fastrand::Rng::with_seed(2))));
}

/// A thread's figures of each subject.
#[derive(Clone, Copy)]
struct Books {
    live: usize,
    refused: usize,
    stats: PoolStats,
    has_pool: bool,
}

fn work(mut random: fastrand::Rng, orders: &Receiver<usize>, done: &Sender<Vec<Books>>) {
    FIRST.with(|_| ());
    let (mut subjects, watch) = (subjects(), Watch::new());
    let mut has_pool = vec![false; subjects.len()];
    let mut then = (Snapshot::take(), vec![0; subjects.len()]);
    for at in orders {
        let subject = &mut subjects[at];
        while !has_pool[at] {
            subject.step(&mut random);
            // In a static pool others may leave no room.
            let is_listed = |info: PoolInfo| info.storage == Storage::Static || subject.live() > 0;
            has_pool[at] = subject.info().is_some_and(is_listed);
        }
        subject.step(&mut random);
        let (info, stats) = (subject.info().unwrap(), subject.stats());
        assert_eq!(info.live, Some(stats.live), "{info:?}");
        assert!(info.high_water >= stats.high_water, "{info:?}");
        let is_local = info.storage == Storage::ThreadLocal;
        assert!(!is_local || stats.live == subject.live(), "{stats}");

        if random.u8(..20) == 0 {
            let (now, live) = (Snapshot::take(), subjects.iter().map(|subject| subject.live()));
            let (changes, live) = (now.diff(&then.0), live.collect::<Vec<_>>());
            for change in
                changes.iter().filter(|change| change.info.storage == Storage::ThreadLocal)
            {
                let is_its = |info: PoolInfo| info.type_name == change.info.type_name;
                let Some(at) = subjects.iter().position(|one| one.info().is_some_and(is_its))
                else {
                    continue;
                };
                let gain = live[at] as isize - then.1[at] as isize;
                assert!(change.live.is_none_or(|live| live == gain), "{change}");
            }
            then = (now, live);
        }
        let books = |(subject, &has_pool): (&dyn Subject, _)| Books {
            live: subject.live(),
            refused: subject.refused(),
            stats: subject.stats(),
            has_pool,
        };
        done.send(subjects.iter().map(|subject| &**subject).zip(&has_pool).map(books).collect())
            .unwrap();
    }
    // Some while the thread runs, some when it ends.
    for (at, mut subject) in subjects.into_iter().enumerate() {
        match random.u8(..3) {
            0 => subject.clear(),
            _ if !has_pool[at] => {}
            1 => FIRST.with(|late| late.0.borrow_mut().0.push(subject)),
            _ => LAST.with(|late| late.0.borrow_mut().0.push(subject)),
        }
    }
    if FIRST.with(|late| late.0.borrow().0.is_empty())
        && LAST.with(|late| late.0.borrow().0.is_empty())
    {
        watch.assert_none_leaked();
    }
}

struct Worker {
    orders: Sender<usize>,
    answers: Receiver<Vec<Books>>,
    thread: thread::JoinHandle<()>,
    books: Vec<Books>,
}

#[test]
fn the_books_agree_at_every_step() {
    let mut random = fastrand::Rng::with_seed(19);
    let asked = subjects();
    let mut workers: Vec<Worker> = Vec::new();
    // By threads that have ended, before they did.
    let mut refused = vec![0; asked.len()];
    let mut high_water = vec![0; asked.len()];
    for step in 0..if cfg!(miri) { 30 } else { 3000 } {
        if workers.len() < 5 && random.u8(..30) == 0 || workers.is_empty() {
            let ((orders, come), (done, answers)) = (channel(), channel());
            let theirs = random.fork();
            let thread = thread::spawn(move || work(theirs, &come, &done));
            workers.push(Worker { orders, answers, thread, books: Vec::new() });
        }
        let at = random.usize(..workers.len());
        if random.u8(..100) == 0 {
            let Worker { orders, thread, books, .. } = workers.swap_remove(at);
            drop(orders);
            thread.join().unwrap();
            books.iter().zip(&mut refused).for_each(|(books, sum)| *sum += books.refused);
        } else {
            let worker = &mut workers[at];
            worker.orders.send(random.usize(..asked.len())).unwrap();
            worker.books = worker.answers.recv().unwrap();
        }
        for (k, subject) in asked.iter().enumerate() {
            let books: Vec<_> = workers.iter().filter_map(|worker| worker.books.get(k)).collect();
            let Some(info) = subject.info() else {
                assert!(books.iter().all(|books| !books.has_pool));
                continue;
            };
            let found = [info.capacity, info.chunks, info.bytes];
            if info.storage == Storage::Static {
                let (stats, live) = (subject.stats(), books.iter().map(|books| books.live).sum());
                assert_eq!(
                    (found, info.live),
                    (memory_of(stats), Some(live)),
                    "step {step}: {info:?}"
                );
            } else {
                let mut sum = [0; 3];
                for books in &books {
                    let memory = memory_of(books.stats);
                    sum.iter_mut().zip(memory).for_each(|(sum, figure)| *sum += figure);
                }
                let threads = books.iter().filter(|books| books.has_pool).count();
                assert_eq!((found, info.threads), (sum, threads), "step {step}: {info:?}");
                assert_eq!(info.live, None, "this thread has none");
            }
            let known = refused[k] + books.iter().map(|books| books.refused).sum::<usize>();
            assert!(info.failures >= known, "step {step}: {info:?}, {known}");
            assert!(info.high_water >= high_water[k], "the highest mark stays");
            high_water[k] = info.high_water;
        }
    }
    for Worker { orders, thread, books, .. } in workers {
        drop(orders);
        thread.join().unwrap();
        books.iter().zip(&mut refused).for_each(|(books, sum)| *sum += books.refused);
    }
    let failures: usize = asked.iter().map(|subject| subject.info().unwrap().failures).sum();
    let refused = refused.iter().sum::<usize>() + REFUSED_LATE.load(Ordering::Relaxed);
    assert_eq!(failures, refused);
    for subject in asked {
        let info = subject.info().unwrap();
        if info.storage == Storage::ThreadLocal {
            let figures = (info.threads, info.live, info.capacity, info.chunks, info.bytes);
            assert_eq!(figures, (0, None, 0, 0, 0), "{info:?}");
        } else {
            assert_eq!(info.live, Some(0), "{info:?}");
        }
    }
}
