//! A random program's own books agree with the map at every step, and what is vacant can be had.

use std::alloc::Layout;
use std::collections::BTreeSet;
use std::ptr::NonNull;
use std::rc::Rc;

use typed_pool::pools::PoolMap;
use typed_pool::strategy::Strategy;
use typed_pool::{
    ByLayout, FreeList, Handle, PointerStack, PoolBox, PoolBoxIn, PoolStats, Pooled, RawFreeList,
    RawPointerStack, RawPool, Roster, SharedByLayout, TypedPool,
};

use crate::{count, is_free, live_in, slots_in};

/// What can be done with a pool.
trait Subject {
    /// Makes an element, and returns the address of its slot, if there is room.
    fn make(&mut self) -> Option<usize>;

    /// Frees one of the elements.
    fn free(&mut self, at: usize);

    fn clear(&mut self);

    fn addresses(&self) -> Vec<usize>;

    fn reserve(&mut self, _: usize) {}

    fn trim(&mut self) -> usize;

    fn map(&self) -> PoolMap;

    fn stats(&self) -> PoolStats;
}

/// Does something at random.
fn step(subject: &mut impl Subject, random: &mut fastrand::Rng) {
    let live = subject.addresses().len();
    match random.u8(..100) {
        0 => subject.clear(),
        1..=2 => {
            let before = subject.stats().bytes;
            let returned = subject.trim();
            assert_eq!(before - subject.stats().bytes, returned, "what a trim returns");
        }
        3 => subject.reserve(random.usize(..60)),
        4..=9 => {
            let most = if random.u8(..20) == 0 { 1000 } else { random.usize(..80) };
            let map = subject.map();
            let wanted = count(&map, is_free).min(most);
            let made: BTreeSet<usize> = (0..wanted).filter_map(|_| subject.make()).collect();
            // Elements without a size lie at one address.
            assert!(made.len() == wanted || map.slot_bytes() == 0, "what is vacant can be had");
            assert!(made.is_subset(&slots_in(&map, is_free)));
            assert_eq!(subject.map().chunks().len(), map.chunks().len(), "without growth");
        }
        10..=14 => (0..random.usize(..=live.min(300))).for_each(|_| {
            let live = subject.addresses().len();
            subject.free(random.usize(..live));
        }),
        15..=40 if live > 0 => subject.free(random.usize(..live)),
        _ => (0..random.usize(..6)).for_each(|_| {
            subject.make();
        }),
    }
}

fn check(subject: &impl Subject) {
    let (map, stats) = (subject.map(), subject.stats());
    let books: BTreeSet<usize> = subject.addresses().into_iter().collect();
    assert_eq!(live_in(&map), books);
    assert_eq!((map.live(), map.chunks().len()), (stats.live, stats.chunks));
    assert_eq!((map.slot_bytes(), map.kept_elsewhere()), (stats.slot_bytes, 0));
    if map.chunks().len() > 0 {
        assert_eq!(count(&map, |_| true), stats.capacity);
    }
    assert!(map.chunks().map(|chunk| chunk.bytes()).sum::<usize>() <= stats.bytes);
    assert_eq!(map.live() + count(&map, is_free) + stats.detached, count(&map, |_| true));
    let bounds: Vec<_> = map.chunks().map(|chunk| (chunk.address(), chunk.slots().len())).collect();
    let is_behind = |pair: &[(usize, usize)]| pair[0].0 + pair[0].1 * map.slot_bytes() <= pair[1].0;
    assert!(bounds.windows(2).all(is_behind), "in the order of addresses, side by side");
    for chunk in map.chunks() {
        let slots = chunk.runs().flat_map(|(slot, length)| std::iter::repeat_n(slot, length));
        assert!(slots.eq(chunk.slots().iter().copied()));
        assert!(chunk.slots().len() * map.slot_bytes() <= chunk.bytes());
    }
}

fn run(mut subject: impl Subject) {
    let mut random = fastrand::Rng::with_seed(19);
    for _ in 0..if cfg!(miri) { 40 } else { 600 } {
        step(&mut subject, &mut random);
        check(&subject);
    }
    subject.clear();
    check(&subject);
}

struct Owned<T, S: Strategy> {
    pool: Rc<TypedPool<T, S>>,
    boxes: Vec<PoolBoxIn<T, Rc<TypedPool<T, S>>>>,
}

impl<T: Default, S: Strategy> Subject for Owned<T, S> {
    fn make(&mut self) -> Option<usize> {
        self.boxes.push(PoolBoxIn::try_new_in(T::default(), self.pool.clone()).ok()?);
        self.addresses().pop()
    }

    fn free(&mut self, at: usize) {
        self.boxes.swap_remove(at);
    }

    fn clear(&mut self) {
        self.boxes.clear();
    }

    fn addresses(&self) -> Vec<usize> {
        self.boxes.iter().map(|element| (&raw const **element).addr()).collect()
    }

    fn reserve(&mut self, additional: usize) {
        if self.pool.stats().limit.is_none() {
            self.pool.reserve(additional);
        }
    }

    fn trim(&mut self) -> usize {
        self.pool.trim()
    }

    fn map(&self) -> PoolMap {
        self.pool.map()
    }

    fn stats(&self) -> PoolStats {
        self.pool.stats()
    }
}

fn owned<T: Default, S: Strategy>(pool: TypedPool<T, S>) -> Owned<T, S> {
    Owned { pool: Rc::new(pool), boxes: Vec::new() }
}

#[test]
fn owned_pools() {
    run(owned(FreeList::<[u64; 5]>::new()));
    run(owned(FreeList::<u8>::new()));
    run(owned(FreeList::<()>::new()));
    run(owned(FreeList::<[u64; 3]>::bounded(150)));
    run(owned(PointerStack::<[u64; 5]>::new()));
    run(owned(PointerStack::<[u8; 3]>::with_capacity(40)));
    run(owned(PointerStack::<u16>::bounded(150)));
}

struct Raw<S: Strategy> {
    pool: RawPool<S>,
    blocks: Vec<NonNull<u8>>,
}

impl<S: Strategy> Subject for Raw<S> {
    fn make(&mut self) -> Option<usize> {
        self.blocks.push(self.pool.alloc()?.cast());
        self.addresses().pop()
    }

    fn free(&mut self, at: usize) {
        let block = self.blocks.swap_remove(at);
        // SAFETY: it came from this pool, and is used no more.
        unsafe { self.pool.free(block) };
    }

    fn clear(&mut self) {
        self.blocks.clear();
        self.pool.reset();
    }

    fn addresses(&self) -> Vec<usize> {
        self.blocks.iter().map(|block| block.addr().get()).collect()
    }

    fn trim(&mut self) -> usize {
        self.pool.trim()
    }

    fn map(&self) -> PoolMap {
        self.pool.map()
    }

    fn stats(&self) -> PoolStats {
        self.pool.stats()
    }
}

#[test]
fn raw_pools() {
    let layout = Layout::from_size_align(24, 8).unwrap();
    run(Raw { pool: RawFreeList::growing(layout, 8).unwrap(), blocks: Vec::new() });
    run(Raw { pool: RawPointerStack::new(Layout::new::<u8>(), 200).unwrap(), blocks: Vec::new() });
    let aligned = Layout::from_size_align(128, 128).unwrap();
    run(Raw { pool: RawPointerStack::growing(aligned, 8).unwrap(), blocks: Vec::new() });
}

macro_rules! by_layout {
    ($($marker:ident)*) => {$(
        impl Subject for Vec<PoolBoxIn<[u64; 48], $marker>> {
            fn make(&mut self) -> Option<usize> {
                self.push(PoolBoxIn::new_in([0; 48], $marker));
                self.addresses().pop()
            }

            fn free(&mut self, at: usize) {
                self.swap_remove(at);
            }

            fn clear(&mut self) {
                self.clear();
            }

            fn addresses(&self) -> Vec<usize> {
                self.iter().map(|element| (&raw const **element).addr()).collect()
            }

            fn reserve(&mut self, additional: usize) {
                $marker::reserve(Layout::new::<[u64; 48]>(), additional);
            }

            fn trim(&mut self) -> usize {
                $marker::trim()
            }

            fn map(&self) -> PoolMap {
                $marker::map(Layout::new::<[u64; 48]>())
            }

            fn stats(&self) -> PoolStats {
                $marker::stats().find(|stats| stats.slot_bytes == 48 * 8).unwrap()
            }
        }
    )*};
}

by_layout!(ByLayout SharedByLayout);

#[test]
fn pools_by_layout() {
    run(Vec::<PoolBoxIn<[u64; 48], ByLayout>>::new());
    run(Vec::<PoolBoxIn<[u64; 48], SharedByLayout>>::new());
    let none = ByLayout::map(Layout::new::<[u64; 1000]>());
    assert_eq!((none.chunks().len(), none.live()), (0, 0));
}

macro_rules! boxes {
    ($($type:ident $before:literal: $(#[$attribute:meta])*;)*) => {$(
        #[derive(Pooled)]
        $(#[$attribute])*
        struct $type([u64; 4]);

        impl Subject for Vec<PoolBox<$type>> {
            fn make(&mut self) -> Option<usize> {
                self.push($type::pool_try_alloc_with(|| $type([1; 4])).ok()?);
                self.addresses().pop()
            }

            fn free(&mut self, at: usize) {
                self.swap_remove(at);
            }

            fn clear(&mut self) {
                self.clear();
            }

            fn addresses(&self) -> Vec<usize> {
                // Counts lie before the element.
                let before = $before * size_of::<usize>();
                self.iter().map(|element| (&raw const **element).addr() - before).collect()
            }

            fn reserve(&mut self, additional: usize) {
                if $type::pool_stats().limit.is_none() {
                    $type::pool_reserve(additional);
                }
            }

            fn trim(&mut self) -> usize {
                $type::pool_trim()
            }

            fn map(&self) -> PoolMap {
                $type::pool_map()
            }

            fn stats(&self) -> PoolStats {
                $type::pool_stats()
            }
        }
    )*

    #[test]
    fn derived_pools() {
        $(run(Vec::<PoolBox<$type>>::new());)*
    }
    };
}

boxes! {
    List 0: ;
    Stack 0: #[pool(strategy = pointer_stack)];
    Counted 2: #[pool(rc)];
    Limited 0: #[pool(max = 100, chunk = 3)];
    Shared 0: #[pool(static)];
    SharedList 0: #[pool(static, strategy = free_list)];
    SharedLimited 0: #[pool(static, max = 2000)];
    SharedLimitedList 0: #[pool(static, max = 200, strategy = free_list)];
    SharedCounted 2: #[pool(static, rc)];
    Fixed 0: #[pool(static, capacity = 150)];
}

/// A static pool whose slots are larger than the elements, by a link.
mod fixed_list {
    use super::*;

    boxes! { FixedList 0: #[pool(static, capacity = 150, strategy = free_list)]; }
}

struct Handles(Roster<[u64; 3]>, Vec<Handle<[u64; 3]>>);

impl Subject for Handles {
    fn make(&mut self) -> Option<usize> {
        self.1.push(self.0.try_insert([7; 3]).ok()?);
        self.addresses().pop()
    }

    fn free(&mut self, at: usize) {
        self.0.remove(self.1.swap_remove(at));
    }

    fn clear(&mut self) {
        self.0.clear();
        self.1.clear();
    }

    fn addresses(&self) -> Vec<usize> {
        self.1.iter().map(|&handle| (&raw const self.0[handle]).addr()).collect()
    }

    fn reserve(&mut self, additional: usize) {
        let _ = self.0.try_reserve(additional);
    }

    fn trim(&mut self) -> usize {
        let before = self.0.stats().bytes;
        self.0.shrink_to_fit();
        before - self.0.stats().bytes
    }

    fn map(&self) -> PoolMap {
        self.0.map()
    }

    fn stats(&self) -> PoolStats {
        self.0.stats()
    }
}

macro_rules! rosters {
    ($($type:ident: $(#[$attribute:meta])*;)*) => {$(
        #[derive(Pooled)]
        #[pool(strategy = roster)]
        $(#[$attribute])*
        struct $type([u64; 40]);

        impl Subject for Vec<Handle<$type>> {
            fn make(&mut self) -> Option<usize> {
                self.push($type::pool_try_insert($type([1; 40])).ok()?);
                self.addresses().pop()
            }

            fn free(&mut self, at: usize) {
                $type::pool_remove(self.swap_remove(at));
            }

            fn clear(&mut self) {
                $type::pool_clear();
                self.clear();
            }

            fn addresses(&self) -> Vec<usize> {
                $type::pool_read(|all| {
                    self.iter().map(|&handle| (&raw const all[handle]).addr()).collect()
                })
            }

            fn trim(&mut self) -> usize {
                $type::pool_trim()
            }

            fn map(&self) -> PoolMap {
                let map = $type::pool_map();
                assert_eq!($type::pool_read(|all| all.map()), map);
                map
            }

            fn stats(&self) -> PoolStats {
                $type::pool_stats()
            }
        }
    )*

    #[test]
    fn rosters() {
        run(Handles(Roster::new(), Vec::new()));
        run(Handles(Roster::bounded(100), Vec::new()));
        $(run(Vec::<Handle<$type>>::new());)*
    }
    };
}

rosters! {
    Listed: ;
    ListedLimited: #[pool(max = 120)];
    SharedListed: #[pool(static)];
}
