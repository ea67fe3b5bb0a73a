//! Pools that safe code declares without the derive and its checks: they share nothing, and work.

use std::marker::PhantomData;
use std::thread;

use typed_pool::__private::{
    __static_pool, __static_roster, __static_slots, __thread_local, Config, Fixed, FreeList,
    InFreeList, InPointerStack, InStatic, InThread, LocalPool, LocalRoster, PointerStack,
    RosterHandles, SharedRoster, StaticPool, WithCounts,
};
use typed_pool::rc::{Plain, RefCountedBy};
use typed_pool::{PoolBox, PoolRc, Pooled};

/// Makes boxes and drops them in another order than they were made.
fn use_boxes<T: Pooled>(make: impl Fn(u8) -> T, number: impl Fn(&T) -> u64) {
    let before = <T as Pooled>::pool_stats().live;
    let mut boxes: Vec<_> = (0..3).map(|n| PoolBox::new(make(n))).collect();
    boxes.remove(1);
    boxes.push(PoolBox::new(make(4)));
    let found: Vec<_> = boxes.iter().map(|element| number(element)).collect();
    assert_eq!(found, [0, 2, 4].map(|n| number(&make(n))));
    drop(boxes);
    assert_eq!(<T as Pooled>::pool_stats().live, before);
}

mod twice {
    //! A library with macros of its own, which declare two pools for each type.

    pub(super) mod __private {
        #![allow(unused_imports, reason = "not all of it is used")]
        #![allow(clippy::wildcard_imports, reason = "all the same")]

        pub(crate) use typed_pool::__private::*;

        macro_rules! local {
            ($pool:ty, $initial:expr) => {{
                let _unused = typed_pool::__private::__thread_local!($pool, $initial);
                typed_pool::__private::__thread_local!($pool, $initial)
            }};
        }
        pub(crate) use local as __thread_local;

        macro_rules! shared {
            ($pool:ty, $config:expr) => {{
                let _unused = typed_pool::__private::__static_pool!($pool, $config);
                typed_pool::__private::__static_pool!($pool, Config::new().max(7).name("mine"))
            }};
        }
        pub(crate) use shared as __static_pool;
    }
}

#[derive(Pooled)]
#[pool(crate = twice)]
struct InTwo(u64);

#[derive(Pooled)]
#[pool(crate = twice, static, max = 1000)]
struct SharedInTwo(u64);

#[test]
fn a_library_that_declares_two_pools_has_one() {
    use_boxes(|n| InTwo(n.into()), |element| element.0);
    assert_eq!(SharedInTwo::pool_stats().limit, Some(7));
    use_boxes(|n| SharedInTwo(n.into()), |element| element.0);
    let element = PoolBox::new(SharedInTwo(5));
    thread::spawn(move || assert_eq!(element.0, 5)).join().unwrap();
}

/// Declares a type with a pool by hand.
macro_rules! by_hand {
    ($($Name:ident $fields:tt $(<$Kind:ty>)?: $Storage:ty = $pool:expr;)*) => {$(
        struct $Name $fields;
        impl Pooled $(<$Kind>)? for $Name {
            type __Storage = $Storage;
            const __POOL: Self::__Storage = $pool;
        }
    )*};
}

by_hand! {
    // Smaller than a link, and not `Send`.
    Small(u8, PhantomData<*const u8>): StaticPool<PointerStack<Self>> =
        __static_pool!(PointerStack<Small>, Config::new());
    Smaller(u8): InThread<LocalPool<Self, InFreeList>> =
        __thread_local!(LocalPool<Smaller, InFreeList>, LocalPool::<Smaller, InFreeList>::EMPTY);
    Empty(): InThread<LocalPool<Self, InFreeList>> =
        __thread_local!(LocalPool<Empty, InFreeList>, LocalPool::<Empty, InFreeList>::EMPTY);
    EmptyListed() <RosterHandles>: InThread<LocalRoster<Self>> =
        __thread_local!(LocalRoster<EmptyListed>, LocalRoster::<EmptyListed>::EMPTY);
    Counted(u8): InThread<LocalPool<WithCounts<Self>, InPointerStack>> = __thread_local!(
        LocalPool<WithCounts<Counted>, InPointerStack>,
        LocalPool::<WithCounts<Counted>, InPointerStack>::new(Config::new().max(4))
    );
    CountedInStatic(u8): InStatic<Fixed<WithCounts<Self>, 4>> =
        __static_slots!(Fixed<WithCounts<CountedInStatic>, 4>);
    EmptyCounted(): InThread<LocalPool<WithCounts<Self>, InFreeList>> = __thread_local!(
        LocalPool<WithCounts<EmptyCounted>, InFreeList>,
        LocalPool::<WithCounts<EmptyCounted>, InFreeList>::EMPTY
    );
}

/// Shares elements of boxes and others.
fn share<T: RefCountedBy<Plain>>(make: impl Fn(u8) -> T, number: impl Fn(&T) -> u64) {
    let shared = [PoolRc::new(make(1)), PoolRc::from(PoolBox::new(make(2)))];
    let clones = shared.clone();
    let boxed = PoolBox::new(make(3));
    drop(shared);
    assert_eq!(clones.each_ref().map(|one| number(one)), [1, 2].map(|n| number(&make(n))));
    assert_eq!((number(&boxed), T::pool_stats().live), (number(&make(3)), 3));
}

struct InBss(u16);

impl Pooled for InBss {
    type __Storage = InStatic<Fixed<Self, 5>>;
    // The configuration only names the pool: the number of slots is the type's.
    const __CONFIG: Config = Config::new().capacity(1_000_000).chunk(0);
    const __POOL: Self::__Storage = __static_slots!(Fixed<InBss, 5>);
}

#[test]
fn elements_that_the_derive_refuses() {
    use_boxes(|n| Small(n, PhantomData), |element| element.0.into());
    use_boxes(Smaller, |element| element.0.into());
    use_boxes(|_| Empty(), |_| 0);
    let handle = EmptyListed::pool_insert(EmptyListed());
    assert!(EmptyListed::pool_remove(handle).is_some());
    use_boxes(Counted, |element| element.0.into());
    share(Counted, |element| element.0.into());
    use_boxes(|_| EmptyCounted(), |_| 0);
    share(|_| EmptyCounted(), |_| 0);
    use_boxes(CountedInStatic, |element| element.0.into());
    share(CountedInStatic, |element| element.0.into());

    use_boxes(|n| InBss(n.into()), |element| element.0.into());
    let all: Vec<_> = (0..5).filter_map(|n| InBss::pool_try_alloc_with(|| InBss(n)).ok()).collect();
    assert!(all.len() == 5 && InBss::pool_try_alloc_with(|| InBss(5)).is_err());
}

/// A pool of each kind with a configuration that the derive would not make.
macro_rules! with_config {
    ($test:ident, $config:expr) => {
        #[test]
        fn $test() {
            const CONFIG: Config = $config;

            by_hand! {
                InEach(u64): InThread<LocalPool<Self, InFreeList>> = __thread_local!(
                    LocalPool<InEach, InFreeList>,
                    LocalPool::<InEach, InFreeList>::new(CONFIG)
                );
                Stacked(u64): InThread<LocalPool<Self, InPointerStack>> = __thread_local!(
                    LocalPool<Stacked, InPointerStack>,
                    LocalPool::<Stacked, InPointerStack>::new(CONFIG)
                );
                Shared(u64): StaticPool<PointerStack<Self>> = __static_pool!(PointerStack<Shared>, CONFIG);
                Listed(u64): StaticPool<FreeList<Self>> = __static_pool!(FreeList<Listed>, CONFIG);
                Handled(u64) <RosterHandles>: InThread<LocalRoster<Self>> =
                    __thread_local!(LocalRoster<Handled>, LocalRoster::<Handled>::new(CONFIG));
                HandledByAll(u64) <RosterHandles>: InStatic<SharedRoster<Self>> =
                    __static_roster!(HandledByAll, CONFIG);
            }

            fill(InEach, |element| element.0);
            fill(Stacked, |element| element.0);
            fill(Shared, |element| element.0);
            fill(Listed, |element| element.0);
            fill_roster(Handled, |element| element.0);
            fill_roster(HandledByAll, |element| element.0);
        }
    };
}

/// As many boxes as there can be, up to some; every one holds what was put there.
fn fill<T: Pooled>(make: impl Fn(u64) -> T, number: impl Fn(&T) -> u64) {
    for _ in 0..2 {
        let boxes = || (0..100).map_while(|n| T::pool_try_alloc_with(|| make(n)).ok());
        // With a first chunk that no heap has, the pool ends the program, as `Box` does: not tried.
        let boxes: Vec<_> = boxes().collect();
        assert!((0..).zip(&boxes).all(|(n, element)| number(element) == n));
        assert_eq!(T::pool_stats().live, boxes.len());
        drop(boxes);
        T::pool_trim();
    }
}

fn fill_roster<T: Pooled<RosterHandles>>(make: impl Fn(u64) -> T, number: impl Fn(&T) -> u64) {
    for _ in 0..2 {
        let handles: Vec<_> = (0..100).map_while(|n| T::pool_try_insert(make(n)).ok()).collect();
        for (n, &handle) in (0..).zip(&handles) {
            assert_eq!(T::pool_remove(handle).map(|element| number(&element)), Some(n));
        }
        T::pool_trim();
    }
}

with_config!(no_slots, Config::new().capacity(0));
with_config!(none_at_most, Config::new().max(0));
with_config!(none_at_first, Config::new().chunk(0).max(5));
with_config!(more_at_first_than_at_most, Config::new().chunk(1000).max(3));
with_config!(a_capacity_that_is_raised, Config::new().capacity(2).max(50));
with_config!(a_capacity_and_a_chunk, Config::new().capacity(40).chunk(3));
with_config!(a_limit_that_becomes_a_capacity, Config::new().max(3).capacity(9));
with_config!(more_than_there_can_be, Config::new().max(usize::MAX).chunk(1));

/// A thread's pool is one owned pool and its place in the list of those to be closed, with counts and without.
#[test]
fn a_thread_keeps_one_list_for_a_type() {
    type Local<T> = LocalPool<T, InFreeList>;
    let [owned, local] = [size_of::<FreeList<u64>>(), size_of::<Local<u64>>()];
    println!("{local} bytes a type and thread, {owned} of them the pool");
    assert!(local <= owned + 4 * size_of::<usize>());
    assert_eq!(size_of::<Local<WithCounts<u64>>>(), local);
}
