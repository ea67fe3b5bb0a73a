//! A random program's own books agree with what is listed, at every step.

use std::sync::mpsc::channel;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use typed_pool::pools::{Snapshot, Watch};
use typed_pool::{Handle, PoolBox, Pooled};

use crate::all;
use crate::info;
use crate::leak::leak;

/// What can be done with the pool of one type.
trait Subject {
    fn step(&mut self, random: &mut fastrand::Rng);

    /// What is live by the program's own books.
    fn live(&self) -> usize;

    fn name(&self) -> &'static str;

    /// Whether what is listed is what the type says of itself.
    fn check(&self);
}

macro_rules! boxes {
    ($($type:ident: $(#[$attribute:meta])*;)*) => {$(
        #[derive(Pooled)]
        $(#[$attribute])*
        struct $type([u64; 4]);

        impl Subject for Vec<PoolBox<$type>> {
            fn step(&mut self, random: &mut fastrand::Rng) {
                match random.u8(..100) {
                    0 => self.clear(),
                    1 => {
                        $type::pool_trim();
                    },
                    2 => $type::pool_reserve(random.usize(..20)),
                    3..=30 if !self.is_empty() => drop(self.swap_remove(random.usize(..self.len()))),
                    _ => self.extend((0..random.usize(..4)).filter_map(|n| {
                        $type::pool_try_alloc_with(|| $type([n as u64; 4])).ok()
                    })),
                }
            }

            fn live(&self) -> usize {
                self.len()
            }

            fn name(&self) -> &'static str {
                stringify!($type)
            }

            fn check(&self) {
                let stats = $type::pool_stats();
                assert_eq!(info(stringify!($type)).map_or(0, |info| info.stats.live), stats.live);
                if let Some(info) = info(stringify!($type)) {
                    assert_eq!(info.stats, stats);
                }
            }
        }
    )*};
}

boxes! {
    List: ;
    Stack: #[pool(strategy = pointer_stack)];
    Limited: #[pool(max = 100, chunk = 3)];
    Shared: #[pool(static)];
    SharedList: #[pool(static, strategy = free_list)];
    SharedLimited: #[pool(static, max = 200)];
    Fixed: #[pool(static, capacity = 50)];
}

macro_rules! rosters {
    ($($type:ident: $(#[$attribute:meta])*;)*) => {$(
        #[derive(Pooled)]
        #[pool(strategy = roster)]
        $(#[$attribute])*
        struct $type(u64);

        impl Subject for Vec<Handle<$type>> {
            fn step(&mut self, random: &mut fastrand::Rng) {
                match random.u8(..100) {
                    0 => {
                        self.clear();
                        $type::pool_clear();
                    }
                    1 => {
                        $type::pool_trim();
                    },
                    2..=30 if !self.is_empty() => {
                        _ = $type::pool_remove(self.swap_remove(random.usize(..self.len())));
                    }
                    _ => self.push($type::pool_insert($type(1))),
                }
            }

            fn live(&self) -> usize {
                self.len()
            }

            fn name(&self) -> &'static str {
                stringify!($type)
            }

            fn check(&self) {
                if let Some(info) = info(stringify!($type)) {
                    assert_eq!(info.stats, $type::pool_stats());
                }
            }
        }
    )*};
}

rosters! {
    Listed: ;
    SharedListed: #[pool(static)];
}

fn live_of(name: &str) -> usize {
    info(name).map_or(0, |info| info.stats.live)
}

#[test]
fn the_books_agree_at_every_step() {
    // Static pools are this test's alone.
    let mut random = fastrand::Rng::with_seed(19);
    let mut subjects: Vec<Box<dyn Subject>> = vec![
        Box::new(Vec::<PoolBox<List>>::new()),
        Box::new(Vec::<PoolBox<Stack>>::new()),
        Box::new(Vec::<PoolBox<Limited>>::new()),
        Box::new(Vec::<PoolBox<Shared>>::new()),
        Box::new(Vec::<PoolBox<SharedList>>::new()),
        Box::new(Vec::<PoolBox<SharedLimited>>::new()),
        Box::new(Vec::<PoolBox<Fixed>>::new()),
        Box::new(Vec::<Handle<Listed>>::new()),
        Box::new(Vec::<Handle<SharedListed>>::new()),
    ];
    let watch = Watch::new();
    let mut then: (Snapshot, Vec<usize>) = (Snapshot::take(), vec![0; subjects.len()]);
    for step in 0..if cfg!(miri) { 60 } else { 3000 } {
        let at = random.usize(..subjects.len());
        subjects[at].step(&mut random);
        subjects[at].check();
        assert_eq!(live_of(subjects[at].name()), subjects[at].live(), "{}", subjects[at].name());
        if step % 20 == 0 {
            let now = Snapshot::take();
            let changes = now.diff(&then.0);
            let live: Vec<_> = subjects.iter().map(|subject| subject.live()).collect();
            for (subject, (live, before)) in subjects.iter().zip(live.iter().zip(&then.1)) {
                let ends = format!("random::{}", subject.name());
                let change = changes.iter().find(|change| change.type_name.ends_with(&ends));
                let found = change.map_or(0, |change| change.live);
                assert_eq!(found, *live as isize - *before as isize, "{ends}");
            }
            then = (now, live);
        }
    }
    drop(subjects);
    Listed::pool_clear();
    SharedListed::pool_clear();
    watch.assert_none_leaked();
}

/// One that works when it is told to, and says what its books are.
struct Worker {
    orders: Sender<()>,
    books: Receiver<(usize, usize)>,
    thread: thread::JoinHandle<()>,
}

/// Threads come and go, and leak: what has ended is exact, and the sum of all is what the books say.
#[test]
fn the_books_of_threads_agree() {
    #[derive(Pooled)]
    struct Travelling([u64; 4]);

    let mut random = fastrand::Rng::with_seed(7);
    let (mut workers, mut leaked, mut high_water, mut ended) = (Vec::new(), 0, 0, 0);
    for step in 0..if cfg!(miri) { 20 } else { 400 } {
        if workers.len() < 8 && random.u8(..4) == 0 {
            let (orders, come) = channel();
            let (say, books) = channel();
            let mut random = random.fork();
            let thread = thread::spawn(move || {
                let (mut kept, mut leaked) = (Vec::new(), 0);
                for () in come {
                    match random.u8(..20) {
                        0 => kept.clear(),
                        1 => {
                            leaked += usize::from(!kept.is_empty());
                            kept.pop().into_iter().for_each(leak);
                        }
                        _ => kept.extend(
                            (0..random.usize(..9)).map(|n| PoolBox::new(Travelling([n as u64; 4]))),
                        ),
                    }
                    // So that others know.
                    Travelling::pool_reserve(1);
                    Travelling::pool_trim();
                    say.send((kept.len() + leaked, leaked)).unwrap();
                }
            });
            workers.push((Worker { orders, books, thread }, (0, 0)));
        } else if !workers.is_empty() {
            let at = random.usize(..workers.len());
            if random.u8(..10) == 0 {
                let (Worker { orders, books, thread }, (_, its)) = workers.swap_remove(at);
                drop(orders);
                thread.join().unwrap();
                drop(books);
                leaked += its;
                ended += 1;
            } else {
                let (worker, books) = &mut workers[at];
                worker.orders.send(()).unwrap();
                *books = worker.books.recv().unwrap();
            }
        }
        let books: usize = workers.iter().map(|(_, (live, _))| live).sum();
        let found = all("Travelling");
        assert_eq!(
            found.iter().map(|info| info.stats.live).sum::<usize>(),
            books + leaked,
            "step {step}"
        );
        let left: usize = found
            .iter()
            .filter(|info| info.thread.unwrap().has_ended)
            .map(|info| info.stats.live)
            .sum();
        assert_eq!(left, leaked, "step {step}");
        let now = found.iter().map(|info| info.stats.high_water).max().unwrap_or(0);
        assert!(now >= high_water, "the highest mark stays");
        high_water = now;
    }
    assert!(ended > 0);
    for (Worker { orders, thread, .. }, _) in workers {
        drop(orders);
        thread.join().unwrap();
    }
}
