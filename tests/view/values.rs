//! Pools that are values: a random program's own books agree with what is listed, wherever the values go.

#![cfg(not(feature = "passthrough"))]

use std::collections::BTreeMap;
use std::thread;

use typed_pool::pools::{PoolInfo, pools};
use typed_pool::{FrameStack, FreeList, Handle, PointerStack, PoolStats, RawFreeList, Roster};

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

    fn stats(&self) -> Option<PoolStats> {
        match self {
            Self::List(pool) => Some(pool.stats()),
            Self::Stack(pool) => Some(pool.stats()),
            Self::Raw(pool) => Some(pool.stats()),
            Self::Roster(pool, _) => Some(pool.stats()),
            Self::Frames(_) => None,
        }
    }

    fn chunks(&self) -> usize {
        match self {
            Self::Frames(frames) => frames.map().chunks().len(),
            _ => self.stats().unwrap().chunks,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Frames(frames) => frames.map().bytes(),
            _ => self.stats().unwrap().bytes,
        }
    }

    /// Whether what is listed is noted by this step, so that all of it is of this moment.
    fn step(&mut self, books: &mut Books, random: &mut fastrand::Rng) -> bool {
        let before = self.chunks();
        let count = random.usize(..40);
        let mut noted = false;
        match self {
            Self::List(pool) => match random.u8(..10) {
                0 => {
                    pool.trim();
                    noted = true;
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
                    }
                }
            },
            Self::Stack(pool) => match random.u8(..10) {
                0 => {
                    pool.trim();
                    noted = true;
                }
                1 => match pool.try_alloc_many((0..count).map(|_| [0; 40])) {
                    Ok(all) => drop(all),
                    Err(_) => books.failures += 1,
                },
                _ => {
                    let all: Vec<_> = (0..count).map(|_| pool.try_vacant()).collect();
                    books.failures += all.iter().filter(|one| one.is_err()).count();
                }
            },
            Self::Raw(pool) => match random.u8(..10) {
                0 => {
                    pool.trim();
                    noted = true;
                }
                1 => pool.reset(),
                _ => books.failures += (0..count).filter(|_| pool.alloc().is_none()).count(),
            },
            Self::Roster(pool, handles) => match random.u8(..12) {
                0 => {
                    pool.shrink_to_fit();
                    noted = true;
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
                    drop(pool.clone());
                }
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
                    noted = true;
                }
                1 => {
                    frames.trim();
                    noted = true;
                }
                _ => {
                    for _ in 0..count {
                        let len = random.usize(1..400);
                        if frames.try_alloc_slice_with(len, |_| 0_u8).is_err() {
                            books.failures += 1;
                        }
                    }
                }
            },
        }
        books.grown += self.chunks().saturating_sub(before);
        noted
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
        let mut noted = None;
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
                        value.step(&mut books, &mut theirs);
                    }
                    Some((value, books))
                })
                .join()
                .unwrap();
            }
            (Some((value, books)), _) => noted = Some(value.step(books, &mut random)),
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
            assert_eq!(
                (info.stats.chunks, info.stats.bytes),
                (value.chunks(), value.bytes()),
                "step {step}: {info:?}"
            );
            assert!(!info.is_exact && info.thread.is_none());
            if let Some(stats) = value.stats() {
                assert_eq!(
                    (info.stats.capacity, info.stats.limit),
                    (stats.capacity, stats.limit),
                    "step {step}"
                );
                assert!(info.stats.high_water <= stats.high_water, "step {step}");
                assert!(
                    info.stats.live + info.stats.detached <= info.stats.high_water,
                    "step {step}: {info:?}"
                );
            }
        }
        if noted == Some(true) {
            let (value, _) = values[at].as_ref().unwrap();
            if let (Some(info), Some(stats)) = (found.get(NAMES[at]), value.stats()) {
                let mut noted = info.stats;
                noted.name = stats.name;
                assert_eq!(noted, stats, "step {step}");
            }
        }
    }
}
