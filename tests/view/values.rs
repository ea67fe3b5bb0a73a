//! Pools that are values: a random program's own books agree with what is listed, wherever the values go.

use std::collections::BTreeMap;
use std::thread;

use typed_pool::pools::{PoolInfo, pools};
use typed_pool::{
    FrameBox, FrameStack, FreeList, Handle, PointerStack, PoolStats, RawFreeList, Roster,
};

const NAMES: [&str; 8] = ["v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7"];

/// A pool that is a value.
#[allow(clippy::large_enum_variant, reason = "there are eight")]
enum Value {
    List(FreeList<[u64; 3]>),
    Stack(PointerStack<[u8; 40]>),
    Raw(RawFreeList),
    Roster(Roster<u64>, Vec<Handle<u64>>),
    Frames(FrameStack),
}

/// What the program has written down.
#[derive(Default, Debug, Clone)]
struct Books {
    grown: usize,
    failures: usize,
}

impl Value {
    fn new(name: &'static str, random: &mut fastrand::Rng) -> Self {
        let few = random.usize(1..60);
        match random.u8(..9) {
            0 => Self::List(FreeList::named(name)),
            1 => Self::List(FreeList::bounded(few).with_name(name)),
            2 => Self::Stack(PointerStack::named(name)),
            3 => Self::Stack(PointerStack::bounded(few).with_name(name)),
            4 => Self::Raw(
                RawFreeList::new(core::alloc::Layout::new::<[u64; 2]>(), few)
                    .unwrap()
                    .with_name(name),
            ),
            5 => Self::Roster(Roster::named(name), Vec::new()),
            6 => Self::Roster(Roster::bounded(few).with_name(name), Vec::new()),
            7 => Self::Frames(FrameStack::named(name)),
            _ => Self::Frames(FrameStack::bounded(few * 64).with_name(name)),
        }
    }

    fn figures(&self) -> Figures {
        match self {
            Self::List(pool) => figures(&pool.stats()),
            Self::Stack(pool) => figures(&pool.stats()),
            Self::Raw(pool) => figures(&pool.stats()),
            Self::Roster(pool, _) => figures(&pool.stats()),
            Self::Frames(frames) => figures_of(frames),
        }
    }

    fn chunks(&self) -> usize {
        self.figures()[5]
    }

    fn step(&mut self, name: &str, books: &mut Books, random: &mut fastrand::Rng) {
        let before = self.chunks();
        let count = random.usize(..40);
        match self {
            Self::List(pool) => match random.u8(..10) {
                0 => {
                    pool.trim();
                }
                1 => {
                    if pool.stats().limit.is_none() {
                        pool.reserve(count);
                    }
                }
                _ => {
                    let mut kept = Vec::new();
                    for n in 0..count {
                        match pool.try_alloc([n as u64; 3]) {
                            Ok(one) => kept.push(one),
                            Err(_) => books.failures += 1,
                        }
                        if random.u8(..3) == 0 && !kept.is_empty() {
                            kept.swap_remove(random.usize(..kept.len()));
                        }
                        if n % 8 == 0 {
                            check(name, figures(&pool.stats()));
                        }
                    }
                }
            },
            Self::Stack(pool) => match random.u8(..10) {
                0 => {
                    pool.trim();
                }
                1 => match pool.try_alloc_many((0..count).map(|_| [0; 40])) {
                    Ok(all) => drop(all),
                    Err(_) => books.failures += 1,
                },
                _ => {
                    let mut all: Vec<_> = (0..count).map(|_| pool.try_vacant()).collect();
                    books.failures += all.iter().filter(|one| one.is_err()).count();
                    while let Some(one) = all.pop() {
                        drop(one);
                        if all.len() % 8 == 0 {
                            check(name, figures(&pool.stats()));
                        }
                    }
                }
            },
            Self::Raw(pool) => match random.u8(..10) {
                0 => {
                    pool.trim();
                }
                1 => pool.reset(),
                _ => books.failures += (0..count).filter(|_| pool.alloc().is_none()).count(),
            },
            Self::Roster(pool, handles) => match random.u8(..12) {
                0 => {
                    pool.shrink_to_fit();
                }
                1 => {
                    pool.clear();
                    handles.clear();
                }
                2 => {
                    books.failures += usize::from(pool.try_reserve(count).is_err());
                }
                3 => {
                    handles.drain(..).for_each(|handle| {
                        pool.remove(handle);
                    });
                }
                4 => {
                    let mut clone = pool.clone();
                    let _ = clone.try_insert(0);
                    clone.clear();
                }
                5 => {
                    pool.renew();
                    handles.retain(|handle| pool.contains(*handle));
                }
                6 if !handles.is_empty() => {
                    let handle = handles.swap_remove(random.usize(..handles.len()));
                    assert!(pool.index_of(handle).is_some());
                    let element = pool.detach(handle).unwrap();
                    check(name, figures(&pool.stats()));
                    match random.bool() {
                        true => pool.reattach(handle, element),
                        false => assert!(pool.release(handle)),
                    }
                    if pool.contains(handle) {
                        handles.push(handle);
                    }
                }
                7 => match pool.try_insert_with(|_| 7) {
                    Ok(handle) => handles.push(handle),
                    Err(_) => books.failures += 1,
                },
                _ => {
                    for n in 0..count {
                        match pool.try_insert(n as u64) {
                            Ok(handle) => handles.push(handle),
                            Err(_) => books.failures += 1,
                        }
                    }
                }
            },
            Self::Frames(frames) => match random.u8(..10) {
                0 => {
                    frames.reset();
                }
                1 => {
                    frames.trim();
                }
                _ => {
                    for _ in 0..count {
                        let len = random.usize(1..400);
                        let kept = frames.try_alloc_slice_with(len, |_| 0_u8);
                        if len % 8 == 0 {
                            check(name, figures_of(frames));
                        }
                        match kept {
                            Ok(kept) if random.bool() => _ = FrameBox::leak(kept),
                            Ok(kept) => drop(kept),
                            Err(_) => books.failures += 1,
                        }
                        if len % 8 == 1 {
                            check(name, figures_of(frames));
                        }
                    }
                }
            },
        }
        books.grown += self.chunks().saturating_sub(before);
    }
}

/// Live, detached, retired, high-water mark, capacity, chunks, bytes.
type Figures = [usize; 7];

fn figures(stats: &PoolStats) -> Figures {
    let PoolStats { live, detached, retired, high_water, capacity, chunks, bytes, .. } = *stats;
    [live, detached, retired, high_water, capacity, chunks, bytes]
}

fn figures_of(frames: &FrameStack) -> Figures {
    let (map, used) = (frames.map(), frames.used());
    [used, 0, 0, frames.high_water(), frames.capacity(), map.chunks().len(), map.bytes()]
}

/// What is listed under the name is so at this moment. (Nothing is before the first growth.)
#[track_caller]
fn check(name: &str, now: Figures) {
    if let Some(info) = listed().get(name) {
        assert_eq!(figures(&info.stats), now, "{info:?}");
        assert!(info.is_exact && info.thread.is_none(), "{info:?}");
    }
}

fn listed() -> BTreeMap<&'static str, PoolInfo> {
    let mut found = BTreeMap::new();
    for info in pools() {
        if let Some(name) = info.name.filter(|name| NAMES.contains(name)) {
            assert!(found.insert(name, info).is_none(), "{name} is listed twice");
        }
    }
    found
}

#[test]
fn the_books_of_values_agree_at_every_step() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut values: Vec<Option<(Value, Books)>> = (0..NAMES.len()).map(|_| None).collect();
    for step in 0..3000 {
        let at = random.usize(..NAMES.len());
        match (&mut values[at], random.u8(..40)) {
            (place @ None, _) => {
                let value = Value::new(NAMES[at], &mut random);
                let grown = value.chunks();
                *place = Some((value, Books { grown, failures: 0 }));
            }
            (place, 0) => *place = None,
            (place, 1) => {
                let value = place.take();
                thread::spawn(move || drop(value)).join().unwrap();
            }
            (place, 3) => {
                let (mut value, mut books) = place.take().unwrap();
                let mut theirs = random.fork();
                *place = thread::spawn(move || {
                    for _ in 0..5 {
                        value.step(NAMES[at], &mut books, &mut theirs);
                    }
                    Some((value, books))
                })
                .join()
                .unwrap();
            }
            (Some((value, books)), _) => value.step(NAMES[at], books, &mut random),
        }
        let found = listed();
        for (at, value) in values.iter().enumerate() {
            let info = found.get(NAMES[at]);
            let Some((value, books)) = value else {
                assert!(info.is_none(), "step {step}: {info:?}");
                continue;
            };
            let Some(info) = info else {
                assert!(value.chunks() == 0 && books.failures == 0, "step {step}: {books:?}");
                continue;
            };
            assert_eq!(
                (info.grown, info.failures),
                (books.grown, books.failures),
                "step {step}: {info:?}"
            );
            check(NAMES[at], value.figures());
        }
    }
}
