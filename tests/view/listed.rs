//! The pools that are listed, and their figures.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{mem, thread};

use typed_pool::pools::{PoolInfo, Storage, Strategy, pools};
use typed_pool::{ByLayout, PoolBox, PoolBoxIn, Pooled, Roster, SharedByLayout};

use crate::{info, memory, memory_of};

#[test]
fn a_pool_is_listed_from_its_first_growth_on() {
    #[derive(Pooled)]
    #[pool(name = "planets")]
    struct Planet([u64; 4]);

    assert_eq!(info("Planet"), None);
    assert_eq!(Planet::pool_stats().live, 0);
    Planet::pool_trim();
    assert_eq!(info("Planet"), None, "to ask is no growth");
    let planet = PoolBox::new(Planet([0; 4]));
    let found = info("Planet").unwrap();
    assert_eq!(
        (found.name, found.strategy, found.storage),
        (Some("planets"), Strategy::FREE_LIST, Storage::ThreadLocal)
    );
    assert_eq!(memory("Planet"), memory_of(Planet::pool_stats()));
    let of = |info: PoolInfo| (info.threads, info.live, info.high_water, info.failures);
    assert_eq!(of(found), (1, Some(1), 1, 0));
    let theirs = thread::spawn(|| info("Planet").unwrap()).join().unwrap();
    assert_eq!(theirs.live, None, "another thread has none");
    drop(planet);
    Planet::pool_trim();
    assert_eq!((of(info("Planet").unwrap()), memory("Planet")), ((1, Some(0), 1, 0), [0; 3]));
}

#[test]
fn each_kind_of_pool_is_listed() {
    #[derive(Pooled)]
    struct AnyList([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = pointer_stack)]
    struct AnyStack([u64; 4]);
    #[derive(Pooled)]
    #[pool(rc)]
    struct AnyCounted([u64; 4]);
    #[derive(Pooled)]
    #[pool(static)]
    struct AnyShared([u64; 4]);
    #[derive(Pooled)]
    #[pool(static, strategy = free_list, max = 100)]
    struct AnyLimited([u64; 4]);
    #[derive(Pooled)]
    #[pool(static, capacity = 8)]
    struct AnyFixed([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct AnyListed([u64; 4]);
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct AnyEverybody([u64; 4]);

    macro_rules! check {
        ($($type:ident: $strategy:ident $storage:ident by $make:expr;)*) => {$(
            let _kept = $make($type([0; 4]));
            let (found, stats) = (info(stringify!($type)).unwrap(), $type::pool_stats());
            let storage = Storage::$storage;
            assert_eq!((found.strategy, found.storage), (Strategy::$strategy, storage));
            assert_eq!(memory(stringify!($type)), memory_of(stats), stringify!($type));
            assert_eq!((found.live, found.high_water), (Some(1), stats.high_water));
            assert_eq!(found.threads, usize::from(storage == Storage::ThreadLocal));
            let mut theirs = thread::spawn(|| info(stringify!($type)).unwrap()).join().unwrap();
            assert_eq!(theirs.live, (storage == Storage::Static).then_some(1));
            (theirs.live, theirs.high_water) = (found.live, found.high_water);
            assert_eq!(found, theirs);
        )*};
    }
    check! {
        AnyList: FREE_LIST ThreadLocal by PoolBox::new;
        AnyStack: POINTER_STACK ThreadLocal by PoolBox::new;
        AnyCounted: FREE_LIST ThreadLocal by PoolBox::new;
        AnyShared: POINTER_STACK Static by PoolBox::new;
        AnyLimited: FREE_LIST Static by PoolBox::new;
        AnyFixed: POINTER_STACK Static by PoolBox::new;
        AnyListed: ROSTER ThreadLocal by AnyListed::pool_insert;
        AnyEverybody: ROSTER Static by AnyEverybody::pool_insert;
    }
}

#[test]
fn refusals_are_counted() {
    #[derive(Pooled)]
    #[pool(chunk = 4, max = 16)]
    struct TightLocal([u64; 4]);
    #[derive(Pooled)]
    #[pool(static, chunk = 4, max = 16)]
    struct TightShared([u64; 4]);
    #[derive(Pooled)]
    #[pool(static, capacity = 16)]
    struct TightFixed([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster, capacity = 16)]
    struct TightListed(u64);
    #[derive(Pooled)]
    #[pool(static, strategy = roster, max = 16)]
    struct TightEverybody(u64);

    macro_rules! check {
        ($($type:ident by $make:expr, $try_make:expr;)*) => {$(
            let failures = || info(stringify!($type)).map_or(0, |info| info.failures);
            // The first use of a pool may be one that it refuses.
            assert!($type::pool_try_reserve(17).is_err());
            assert_eq!(failures(), 1, "{}: room is refused, too", stringify!($type));
            assert!(catch_unwind(|| $type::pool_reserve(17)).is_err());
            assert_eq!(failures(), 2);
            let kept: Vec<_> = (0..16).map(|_| $make).collect();
            for known in 3..6 {
                assert!($try_make.is_err());
                assert_eq!(failures(), known, "{}", stringify!($type));
            }
            assert_eq!(info(stringify!($type)).unwrap().live, Some(16));
            drop(kept);
        )*};
    }
    macro_rules! boxes {
        ($($type:ident)*) => {
            check! {$(
                $type by PoolBox::new($type([0; 4])), $type::pool_try_alloc_with(|| $type([0; 4]));
            )*}
        };
    }
    boxes!(TightLocal TightShared TightFixed);
    check! {
        TightListed by TightListed::pool_insert(TightListed(0)), TightListed::pool_try_insert(TightListed(0));
        TightEverybody by TightEverybody::pool_insert(TightEverybody(0)), TightEverybody::pool_try_insert(TightEverybody(0));
    }
}

/// Another roster may be put into the place of a type's own, which may live longer than its thread.
#[test]
fn the_roster_in_the_types_place_is_what_counts() {
    #[derive(Pooled)]
    #[pool(strategy = roster, chunk = 4)]
    struct Swapped(u64);
    #[derive(Pooled)]
    #[pool(static, strategy = roster, chunk = 4)]
    struct SwappedShared(u64);

    macro_rules! check {
        ($($type:ident)*) => {$(
            let name = stringify!($type);
            let is_its = |live| {
                assert_eq!(memory(name), memory_of($type::pool_stats()), "{name}");
                assert_eq!(info(name).unwrap().live, Some(live), "{name}");
            };
            $type::pool_insert($type(0));
            is_its(1);
            let called = $type::pool_stats().name;
            let saved: Roster<_> = (0..100).map($type).collect();
            $type::pool_with(|roster| *roster = saved.with_name("saved"));
            is_its(100);
            assert_eq!(($type::pool_stats().name, $type::pool_map().name()), (called, called));
            $type::pool_insert($type(0));
            is_its(101);
            *$type::pool_borrow_mut() = (0..10).map($type).collect();
            is_its(10);
            let caught = catch_unwind(|| $type::pool_with(|roster| {
                *roster = (0..1000).map($type).collect();
                panic!("in the middle");
            }));
            assert!(caught.is_err());
            is_its(1000);
            // The thread's totals have also what was taken out, until it is dropped.
            let sum_is = |live, taken: &Roster<_>| {
                let mut sum = memory_of($type::pool_stats());
                if info(name).unwrap().storage == Storage::ThreadLocal {
                    let theirs = memory_of(taken.stats());
                    sum.iter_mut().zip(theirs).for_each(|(sum, figure)| *sum += figure);
                }
                assert_eq!((memory(name), info(name).unwrap().live), (sum, Some(live)), "{name}");
            };
            let mut taken = $type::pool_with(mem::take);
            sum_is(0, &taken);
            taken.extend((0..5000).map($type));
            sum_is(0, &taken);
            $type::pool_insert($type(0));
            $type::pool_with(|roster| mem::swap(roster, &mut taken));
            sum_is(6000, &taken);
            drop(taken);
            is_its(6000);
            let taken = $type::pool_with(mem::take);
            thread::spawn(move || drop(taken)).join().unwrap();
            is_its(0);
        )*};
    }
    check!(Swapped SwappedShared);
}

#[test]
fn a_roster_in_use_has_no_count() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct LentHere(u64);
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct LentToAll(u64);

    macro_rules! check {
        ($($type:ident)*) => {$(
            let (name, of_other_thread) = (stringify!($type), stringify!($type) == "LentToAll");
            // The totals are known at that time, too.
            let is_in_use = move |roster: &Roster<$type>| {
                let of_ours = move || {
                    assert_eq!(info(name).unwrap().live, None, "{name}");
                    memory(name)
                };
                assert_eq!(of_ours(), memory_of(roster.stats()), "{name}");
                assert_eq!(thread::spawn(of_ours).join().unwrap(), memory_of(roster.stats()));
            };
            $type::pool_insert($type(0));
            $type::pool_with(|roster| {
                is_in_use(roster);
                (0..1000).for_each(|n| _ = roster.insert($type(n)));
                is_in_use(roster);
                roster.clear();
                roster.shrink_to_fit();
                is_in_use(roster);
                roster.insert($type(0));
            });
            let guard = $type::pool_borrow_mut();
            is_in_use(&guard);
            drop(guard);
            // Who reads does not keep others from asking.
            let live = move || info(name).unwrap().live;
            $type::pool_read(|_| assert_eq!(live(), Some(1)));
            let guard = $type::pool_borrow();
            assert_eq!(live(), Some(1));
            assert_eq!(thread::spawn(live).join().unwrap(), of_other_thread.then_some(1));
            drop(guard);
            assert_eq!(live(), Some(1));
        )*};
    }
    check!(LentHere LentToAll);
}

#[test]
fn each_pool_by_layout_is_listed() {
    struct Large([u8; 1777]);

    fn found(name: &'static str) -> Option<PoolInfo> {
        pools().find(|info| info.name == Some(name))
    }

    macro_rules! check {
        ($($marker:ident, $storage:ident, $threads:literal, $name:literal;)*) => {$(
            assert_eq!(found($name), None);
            assert_eq!($marker::stats().count(), 32);
            assert_eq!(found($name), None, "to ask is no growth");
            let kept = PoolBoxIn::new_in(Large([0; 1777]), $marker);
            let info = found($name).unwrap();
            assert_eq!((info.strategy, info.storage), (Strategy::FREE_LIST, Storage::$storage));
            assert_eq!((info.type_name, info.threads), (stringify!($marker), $threads));
            let stats = $marker::stats().find(|stats| stats.name == $name).unwrap();
            assert_eq!([info.capacity, info.chunks, info.bytes], memory_of(stats));
            assert_eq!((info.live, stats.live), (Some(1), 1));
            drop(kept);
            assert_eq!(found($name).unwrap().live, Some(0));
        )*};
    }
    check! {
        ByLayout, ThreadLocal, 1, "ByLayout, 1792 bytes";
        SharedByLayout, Static, 0, "SharedByLayout, 1792 bytes";
    }
}

/// The roster is empty and has no memory then.
#[test]
fn a_clone_that_panics_leaves_no_memory_in_the_totals() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Brittle(u32);

    impl Clone for Brittle {
        fn clone(&self) -> Self {
            assert_ne!(self.0, 7, "on purpose");
            Self(self.0)
        }
    }

    (100..1100).for_each(|n| _ = Brittle::pool_insert(Brittle(n)));
    let saved: Roster<Brittle> = (0..10).map(Brittle).collect();
    let cloned = catch_unwind(AssertUnwindSafe(|| {
        Brittle::pool_with(|roster| roster.clone_from(&saved));
    }));
    assert!(cloned.is_err());
    assert_eq!(info("Brittle").unwrap().bytes, Brittle::pool_stats().bytes);
}
