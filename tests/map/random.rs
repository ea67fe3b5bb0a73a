//! A random program's own books agree with the map at every step, and what is vacant can be had.

use std::alloc::Layout;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use typed_pool::pools::PoolMap;
use typed_pool::strategy::Strategy;
use typed_pool::{
    ByLayout, FreeList, PointerStack, PoolBox, PoolBoxIn, PoolStats, Pooled, RawFreeList,
    RawPointerStack, RawPool, Roster, SharedByLayout, TypedPool,
};

use crate::{count, is_free, live_in, slots_in};

/// Elements of a pool, and what can be done with it.
struct Subject<E> {
    elements: Vec<E>,
    /// Makes an element, if there is room.
    make: Box<dyn Fn() -> Option<E>>,
    /// The address of its slot.
    address: Box<dyn Fn(&E) -> usize>,
    free: Box<dyn Fn(E)>,
    reserve: Box<dyn Fn(usize)>,
    trim: Box<dyn Fn() -> usize>,
    map: Box<dyn Fn() -> PoolMap>,
    stats: Box<dyn Fn() -> PoolStats>,
}

impl<E> Subject<E> {
    /// Returns the address of the slot.
    fn make(&mut self) -> Option<usize> {
        self.elements.push((self.make)()?);
        self.elements.last().map(&self.address)
    }

    fn free(&mut self, at: usize) {
        (self.free)(self.elements.swap_remove(at));
    }

    fn clear(&mut self) {
        self.elements.drain(..).for_each(&self.free);
    }
}

/// Does something at random.
fn step<E>(subject: &mut Subject<E>, random: &mut fastrand::Rng) {
    let live = subject.elements.len();
    match random.u8(..100) {
        0 => subject.clear(),
        1..=2 => {
            let before = (subject.stats)().bytes;
            let returned = (subject.trim)();
            assert_eq!(before - (subject.stats)().bytes, returned, "what a trim returns");
        }
        3 => (subject.reserve)(random.usize(..60)),
        4..=9 => {
            let most = if random.u8(..20) == 0 { 1000 } else { random.usize(..80) };
            let map = (subject.map)();
            let wanted = count(&map, is_free).min(most);
            let made: BTreeSet<usize> = (0..wanted).filter_map(|_| subject.make()).collect();
            // Elements without a size lie at one address.
            assert!(made.len() == wanted || map.slot_bytes() == 0, "what is vacant can be had");
            assert!(made.is_subset(&slots_in(&map, is_free)));
            assert_eq!((subject.map)().chunks().len(), map.chunks().len(), "without growth");
        }
        10..=14 => (0..random.usize(..=live.min(300))).for_each(|_| {
            let live = subject.elements.len();
            subject.free(random.usize(..live));
        }),
        15..=40 if live > 0 => subject.free(random.usize(..live)),
        _ => (0..random.usize(..6)).for_each(|_| {
            subject.make();
        }),
    }
}

fn check<E>(subject: &Subject<E>) {
    let (map, stats) = ((subject.map)(), (subject.stats)());
    let books: BTreeSet<usize> = subject.elements.iter().map(&subject.address).collect();
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
        assert!(chunk.slots().len() * map.slot_bytes() <= chunk.bytes());
    }
}

fn run<E>(mut subject: Subject<E>) {
    let mut random = fastrand::Rng::with_seed(19);
    for _ in 0..if cfg!(miri) { 40 } else { 600 } {
        step(&mut subject, &mut random);
        check(&subject);
    }
    subject.clear();
    check(&subject);
}

/// A subject by its fields in their order. Each closure gets a pointer of its own to a pool that is a value (`with`).
macro_rules! subject {
    (with $pool:ident: $($field:expr),*) => {
        subject!(@ $({
            #[allow(unused_variables, reason = "not each closure needs it")]
            let $pool = $pool.clone();
            Box::new($field)
        }),*)
    };
    (@ $make:expr, $address:expr, $free:expr, $reserve:expr, $trim:expr, $map:expr, $stats:expr) => {
        Subject {
            elements: Vec::new(),
            make: $make,
            address: $address,
            free: $free,
            reserve: $reserve,
            trim: $trim,
            map: $map,
            stats: $stats,
        }
    };
    ($($field:expr),*) => {
        subject!(@ $(Box::new($field)),*)
    };
}

fn owned<T, S>(pool: TypedPool<T, S>) -> Subject<PoolBoxIn<T, Rc<TypedPool<T, S>>>>
where
    T: Default + 'static,
    S: Strategy + 'static,
{
    let pool = Rc::new(pool);
    subject!(
        with pool: move || PoolBoxIn::try_new_in(T::default(), pool.clone()).ok(),
        |element: &PoolBoxIn<T, _>| (&raw const **element).addr(),
        drop,
        move |additional| {
            if pool.stats().limit.is_none() {
                pool.reserve(additional);
            }
        },
        move || pool.trim(),
        move || pool.map(),
        move || pool.stats()
    )
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

fn raw<S: Strategy + 'static>(pool: RawPool<S>) {
    let pool = Rc::new(pool);
    run(subject!(
        with pool: move || pool.alloc().map(|block| block.cast::<u8>()),
        |block| block.addr().get(),
        // SAFETY: it came from this pool, and is used no more.
        move |block| unsafe { pool.free(block) },
        |_| {},
        move || pool.trim(),
        move || pool.map(),
        move || pool.stats()
    ));
}

#[test]
fn raw_pools() {
    raw(RawFreeList::with_capacity(Layout::from_size_align(24, 8).unwrap(), 8).unwrap());
    raw(RawPointerStack::new(Layout::new::<u8>(), 200).unwrap());
    raw(RawPointerStack::with_capacity(Layout::from_size_align(128, 128).unwrap(), 8).unwrap());
}

macro_rules! by_layout {
    ($($marker:ident)*) => {$({
        const LAYOUT: Layout = Layout::new::<[u64; 48]>();
        run(subject!(
            || Some(PoolBoxIn::new_in([0_u64; 48], $marker)),
            |element: &PoolBoxIn<[u64; 48], $marker>| (&raw const **element).addr(),
            drop,
            |additional| $marker::reserve(LAYOUT, additional),
            || $marker::trim(),
            || $marker::map(LAYOUT),
            || $marker::stats().find(|stats| stats.slot_bytes == 48 * 8).unwrap()
        ));
    })*};
}

#[test]
fn pools_by_layout() {
    by_layout!(ByLayout SharedByLayout);
    let none = ByLayout::map(Layout::new::<[u64; 1000]>());
    assert_eq!((none.chunks().len(), none.live()), (0, 0));
}

/// Derived pools, with the words that lie before an element in its slot.
macro_rules! boxes {
    ($($before:literal: $(#[$attribute:meta])*;)*) => {$({
        #[derive(Pooled)]
        $(#[$attribute])*
        struct Element([u64; 4]);

        run(subject!(
            || Element::pool_try_alloc_with(|| Element([1; 4])).ok(),
            |element: &PoolBox<Element>| (&raw const **element).addr() - $before * size_of::<usize>(),
            drop,
            |additional| {
                if Element::pool_stats().limit.is_none() {
                    Element::pool_reserve(additional);
                }
            },
            Element::pool_trim,
            Element::pool_map,
            Element::pool_stats
        ));
    })*};
}

#[test]
fn derived_pools() {
    boxes! {
        0: ;
        0: #[pool(strategy = pointer_stack)];
        2: #[pool(rc)];
        0: #[pool(max = 100, chunk = 3)];
        0: #[pool(static)];
        0: #[pool(static, strategy = free_list)];
        0: #[pool(static, max = 2000)];
        0: #[pool(static, max = 200, strategy = free_list)];
        2: #[pool(static, rc)];
        0: #[pool(static, capacity = 150)];
        0: #[pool(static, capacity = 150, strategy = free_list)];
    }
}

fn roster(roster: Roster<[u64; 3]>) {
    let roster = Rc::new(RefCell::new(roster));
    run(subject!(
        with roster: move || roster.borrow_mut().try_insert([7; 3]).ok(),
        move |&handle| (&raw const roster.borrow()[handle]).addr(),
        move |handle| _ = roster.borrow_mut().remove(handle),
        move |additional| _ = roster.borrow_mut().try_reserve(additional),
        move || {
            let before = roster.borrow().stats().bytes;
            roster.borrow_mut().shrink_to_fit();
            before - roster.borrow().stats().bytes
        },
        move || roster.borrow().map(),
        move || roster.borrow().stats()
    ));
}

macro_rules! rosters {
    ($($(#[$attribute:meta])*;)*) => {$({
        #[derive(Pooled)]
        #[pool(strategy = roster)]
        $(#[$attribute])*
        struct Element([u64; 40]);

        run(subject!(
            || Element::pool_try_insert(Element([1; 40])).ok(),
            |&handle| Element::pool_read(|all| (&raw const all[handle]).addr()),
            |handle| _ = Element::pool_remove(handle),
            |_| {},
            Element::pool_trim,
            || {
                let map = Element::pool_map();
                assert_eq!(Element::pool_read(|all| all.map()), map);
                map
            },
            Element::pool_stats
        ));
    })*};
}

#[test]
fn rosters() {
    roster(Roster::new());
    roster(Roster::bounded(100));
    rosters! {
        ;
        #[pool(max = 120)];
        #[pool(static)];
    }
}
