//! Which pools are listed, and with what.

use std::any::type_name;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{mem, ptr, thread};

use typed_pool::pools::{PoolInfo, Storage, Strategy};
use typed_pool::{ByLayout, FreeList, PointerStack, PoolBox, Pooled, Roster, SharedByLayout};

use crate::info;

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
    assert_eq!((found.stats, found.failures, found.is_exact), (Planet::pool_stats(), 0, true));
    let thread = found.thread.unwrap();
    assert!(thread.is_current && !thread.has_ended && thread.id > 0);
    drop(planet);
    Planet::pool_trim();
    let found = info("Planet").unwrap();
    assert_eq!((found.stats.live, found.stats.chunks, found.stats.high_water), (0, 0, 1));
}

#[test]
fn each_kind_of_pool_is_listed() {
    #[derive(Pooled)]
    struct AnyList([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = pointer_stack)]
    struct AnyStack([u8; 3]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct AnyListed(u64);
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
    #[pool(static, strategy = roster)]
    struct AnyEverybody(u64);
    #[derive(Pooled)]
    #[pool(rc)]
    struct AnyCounted(u64);

    let kept = (
        (
            PoolBox::new(AnyList([0; 4])),
            PoolBox::new(AnyStack([0; 3])),
            PoolBox::new(AnyCounted(0)),
        ),
        (
            PoolBox::new(AnyShared([0; 4])),
            PoolBox::new(AnyLimited([0; 4])),
            PoolBox::new(AnyFixed([0; 4])),
        ),
    );
    AnyListed::pool_insert(AnyListed(0));
    AnyEverybody::pool_insert(AnyEverybody(0));
    let of = |name| {
        let info = info(name).unwrap_or_else(|| panic!("{name} is not listed"));
        assert!(info.is_exact, "{name}");
        assert_eq!(info.thread.is_some(), info.storage == Storage::ThreadLocal, "{name}");
        (info.strategy, info.storage, info.stats)
    };
    assert_eq!(of("AnyList"), (Strategy::FREE_LIST, Storage::ThreadLocal, AnyList::pool_stats()));
    assert_eq!(
        of("AnyStack"),
        (Strategy::POINTER_STACK, Storage::ThreadLocal, AnyStack::pool_stats())
    );
    assert_eq!(
        of("AnyCounted"),
        (Strategy::FREE_LIST, Storage::ThreadLocal, AnyCounted::pool_stats())
    );
    assert_eq!(of("AnyListed"), (Strategy::ROSTER, Storage::ThreadLocal, AnyListed::pool_stats()));
    assert_eq!(
        of("AnyShared"),
        (Strategy::POINTER_STACK, Storage::Static, AnyShared::pool_stats())
    );
    assert_eq!(of("AnyLimited"), (Strategy::FREE_LIST, Storage::Static, AnyLimited::pool_stats()));
    assert_eq!(of("AnyFixed"), (Strategy::POINTER_STACK, Storage::Static, AnyFixed::pool_stats()));
    assert_eq!(of("AnyEverybody"), (Strategy::ROSTER, Storage::Static, AnyEverybody::pool_stats()));
    drop(kept);
}

#[test]
fn growth_and_refusals_are_counted() {
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

    macro_rules! check {
        ($($type:ident)*) => {$(
            let kept: Vec<_> = (0..16).map(|_| PoolBox::new($type([0; 4]))).collect();
            assert_eq!(info(stringify!($type)).unwrap().failures, 0);
            for failures in 1..4 {
                assert!($type::pool_try_alloc_with(|| $type([0; 4])).is_err());
                let found = info(stringify!($type)).unwrap();
                assert_eq!((found.failures, found.stats.live), (failures, 16));
                assert_eq!(found.grown, found.stats.chunks);
            }
            assert!(catch_unwind(|| $type::pool_reserve(17)).is_err());
            assert_eq!(info(stringify!($type)).unwrap().failures, 4, "room is refused, too");
            drop(kept);
        )*};
    }
    check!(TightLocal TightShared TightFixed);
    for n in 0..16 {
        TightListed::pool_insert(TightListed(n));
    }
    assert!(TightListed::pool_try_insert(TightListed(16)).is_err());
    assert!(catch_unwind(|| TightListed::pool_reserve(17)).is_err());
    let found = info("TightListed").unwrap();
    assert_eq!((found.failures, found.stats.live, found.grown), (2, 16, 1));
    // What goes and comes back has come twice.
    let before = info("TightLocal").unwrap().grown;
    assert!(TightLocal::pool_trim() > 0);
    drop(PoolBox::new(TightLocal([0; 4])));
    let found = info("TightLocal").unwrap();
    assert_eq!((found.grown, found.stats.chunks), (before + 1, 1));
}

#[test]
fn values_are_listed_under_their_names() {
    let of = |name| typed_pool::pools().find(move |info| info.name == Some(name));
    let list = FreeList::<[u64; 4]>::named("listed/list");
    let stack = PointerStack::<u8>::bounded(100).with_name("listed/stack");
    let mut roster = Roster::named("listed/roster");
    assert!(of("listed/list").is_none() && of("listed/roster").is_none(), "neither has grown");
    assert_eq!(of("listed/stack").unwrap().stats, stack.stats());

    let kept: Vec<_> = (0..100).map(|n| list.alloc([n; 4])).collect();
    roster.extend(0..1000_u64);
    let (of_list, of_roster) = (of("listed/list").unwrap(), of("listed/roster").unwrap());
    for (of, stats) in [(of_list, list.stats()), (of_roster, roster.stats())] {
        assert_eq!(of.stats.capacity, stats.capacity);
        assert_eq!((of.stats.chunks, of.stats.bytes), (stats.chunks, stats.bytes));
        assert_eq!((of.storage, of.thread, of.is_exact), (Storage::Owned, None, true));
        assert!(of.grown > 0);
    }
    assert_eq!(of_list.type_name, type_name::<[u64; 4]>());
    assert_eq!((of_roster.type_name, of_roster.strategy), ("u64", Strategy::ROSTER));

    // A value that moves is the same pool, and has one name at a time.
    drop(kept);
    let list = thread::spawn(move || list).join().unwrap().with_name("listed/other");
    assert!(of("listed/list").is_none());
    assert_eq!(of("listed/other").unwrap().stats, list.stats());
    let clone = roster.clone();
    drop((list, stack, roster));
    assert!(
        typed_pool::pools().all(|info| info.name.is_none_or(|name| !name.starts_with("listed/")))
    );
    assert_eq!(clone.len(), 1000);
}

#[test]
fn raw_pools_are_listed_under_their_names() {
    use std::alloc::Layout;
    use typed_pool::{RawFreeList, RawPointerStack};

    let of = |name| typed_pool::pools().find(move |info| info.name == Some(name));
    let layout = Layout::new::<[u64; 3]>();
    let mut list = RawFreeList::named("raw/list", layout, 4).unwrap();
    let stack = RawPointerStack::new(layout, 4).unwrap().with_name("raw/stack");
    assert!(of("raw/list").is_none(), "it has not grown");
    assert_eq!((of("raw/stack").unwrap().stats, stack.stats().name), (stack.stats(), "raw/stack"));
    (0..20).for_each(|_| assert!(list.alloc().is_some()));
    assert_eq!((0..7).filter(|_| stack.alloc().is_none()).count(), 3);
    let (of_list, of_stack) = (of("raw/list").unwrap(), of("raw/stack").unwrap());
    assert_eq!((of_list.grown, of_list.stats.capacity), (list.stats().chunks, 32));
    assert_eq!((of_list.type_name, of_list.strategy), ("RawFreeList", Strategy::FREE_LIST));
    assert_eq!(
        (of_stack.type_name, of_stack.strategy),
        ("RawPointerStack", Strategy::POINTER_STACK)
    );
    assert_eq!((of_stack.failures, of_stack.grown, of_stack.storage), (3, 1, Storage::Owned));
    list.reset();
    assert_eq!(of("raw/list").unwrap().stats, list.stats());
    list.trim();
    assert_eq!(of("raw/list").unwrap().stats, list.stats());
    let list = list.with_name("raw/other");
    assert!(of("raw/list").is_none() && of("raw/other").is_some());
    drop((list, stack));
    assert!(of("raw/other").is_none() && of("raw/stack").is_none());
}

#[test]
fn frame_stacks_are_listed_under_their_names() {
    use typed_pool::{FrameStack, LocalFrameStack};

    let of = |name| typed_pool::pools().find(move |info| info.name == Some(name));
    let mut local = LocalFrameStack::bounded(1000).with_name("frames/local");
    let mut shared = FrameStack::named("frames/shared");
    assert!(of("frames/local").is_none() && of("frames/shared").is_none(), "neither has grown");
    local.alloc([0_u8; 600]);
    assert!(local.try_alloc([0_u8; 600]).is_err());
    let found = of("frames/local").unwrap();
    assert_eq!((found.type_name, found.strategy), ("LocalFrameStack", Strategy::FRAME_STACK));
    assert_eq!((found.storage, found.thread, found.is_exact), (Storage::Owned, None, true));
    assert_eq!((found.failures, found.grown, found.stats.limit), (1, 1, Some(1000)));
    assert_eq!((found.stats.live, found.stats.capacity, found.stats.slot_bytes), (600, 1000, 1));
    assert!(found.stats.bytes > 1000);
    local.reset();
    assert_eq!(of("frames/local").unwrap().stats.live, 0);

    // Several threads make it grow.
    thread::scope(|scope| {
        for _ in 0..4 {
            let shared = &shared;
            scope.spawn(move || (0..100).for_each(|n| _ = shared.alloc_slice(&[n as u8; 1000])));
        }
    });
    let found = of("frames/shared").unwrap();
    assert_eq!((found.grown, found.stats.capacity), (found.stats.chunks, shared.capacity()));
    assert!(found.stats.live > 0 && found.stats.live <= 400_000, "{found:?}");
    // Its bytes are no elements that leak.
    assert!(!typed_pool::pools::leaks().any(|leak| leak.name == Some("frames/shared")));
    assert!(shared.trim() > 400_000);
    let found = of("frames/shared").unwrap();
    assert_eq!((found.stats.live, found.stats.chunks, found.stats.high_water), (0, 0, 400_000));
    let moved = thread::spawn(move || shared.with_name("frames/other")).join().unwrap();
    moved.alloc(0_u8);
    assert!(of("frames/shared").is_none());
    assert_eq!(of("frames/other").unwrap().stats.live, 1);
    drop((local, moved));
    assert!(of("frames/other").is_none() && of("frames/local").is_none());
}

#[test]
fn a_roster_that_is_assigned_to_a_types_pool_is_the_types() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Assigned(u64);

    Assigned::pool_insert(Assigned(0));
    let mut other = Roster::named("assigned");
    other.extend((0..100).map(Assigned));
    let id = info("Assigned").unwrap().thread.unwrap().id;
    Assigned::pool_with(|roster| *roster = other);
    assert!(!typed_pool::pools().any(|info| info.name == Some("assigned")));
    let found = info("Assigned").unwrap();
    assert_eq!((found.stats.live, found.thread.unwrap().id), (100, id));
}

#[test]
fn a_roster_that_is_lent_is_as_it_was() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Lent(u64);
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct LentToAll(u64);

    Lent::pool_insert(Lent(0));
    LentToAll::pool_insert(LentToAll(0));
    Lent::pool_with(|_| assert!(!info("Lent").unwrap().is_exact));
    LentToAll::pool_with(|_| {
        assert!(!info("LentToAll").unwrap().is_exact);
        // Another thread does not wait.
        thread::scope(|scope| {
            scope.spawn(|| assert!(!info("LentToAll").unwrap().is_exact)).join().unwrap();
        });
    });
    LentToAll::pool_read(|_| assert!(info("LentToAll").unwrap().is_exact));
    assert!(info("Lent").unwrap().is_exact && info("LentToAll").unwrap().is_exact);
}

#[test]
fn each_pool_by_layout_is_listed() {
    struct Large {
        #[allow(dead_code)]
        bytes: [u8; 1777],
    }

    fn found(name: &str) -> Option<PoolInfo> {
        typed_pool::pools().find(|info| info.name == Some(name))
    }

    macro_rules! check {
        ($($marker:ident, $storage:ident, $name:literal;)*) => {$(
            assert_eq!(found($name), None);
            assert_eq!($marker::stats().count(), 32);
            assert_eq!(found($name), None, "to ask is no growth");
            let kept = PoolBox::new_in(Large { bytes: [0; 1777] }, $marker);
            let info = found($name).unwrap();
            assert_eq!((info.strategy, info.storage), (Strategy::FREE_LIST, Storage::$storage));
            assert_eq!((info.type_name, info.is_exact), (stringify!($marker), true));
            assert_eq!(Some(info.stats), $marker::stats().find(|stats| stats.name == $name));
            assert_eq!((info.stats.live, info.stats.name), (1, $name));
            drop(kept);
            assert_eq!(found($name).unwrap().stats.live, 0);
        )*};
    }
    check! {
        ByLayout, ThreadLocal, "ByLayout, 1792 bytes";
        SharedByLayout, Static, "SharedByLayout, 1792 bytes";
    }
}

/// Another roster may be put into the place of a type's own, which may live longer than its thread.
#[test]
fn what_is_listed_of_a_roster_does_not_leave_with_another() {
    #[derive(Pooled)]
    #[pool(strategy = roster, chunk = 4, max = 100)]
    struct Swapped(#[allow(dead_code)] u64);
    #[derive(Pooled)]
    #[pool(static, strategy = roster, chunk = 4, max = 100)]
    struct SwappedShared(#[allow(dead_code)] u64);

    macro_rules! check {
        ($($type:ident)*) => {$(
            let name = stringify!($type);
            $type::pool_insert($type(0));
            let listed = info(name).unwrap();
            assert_eq!((listed.grown, listed.stats.live), (1, 1));
            let mut taken = $type::pool_with(mem::take);
            let without = info(name).unwrap();
            assert_eq!((without.grown, without.stats), (1, $type::pool_stats()));
            taken.extend((0..50).map($type));
            assert_eq!(info(name).unwrap(), without);
            $type::pool_with(|roster| *roster = Roster::bounded(100));
            let refusals = $type::pool_with(|roster| {
                (0..103).filter(|&n| roster.try_insert($type(n)).is_err()).count()
            });
            let full = info(name).unwrap();
            assert_eq!((refusals, full.failures), (3, 3));
            assert!(full.grown > without.grown);
            assert_eq!((full.stats, full.stats.live), ($type::pool_stats(), 100));
            let mut guard = $type::pool_borrow_mut();
            assert!(guard.try_insert($type(0)).is_err());
            drop(guard);
            assert_eq!(info(name).unwrap().failures, 4);
            let mut guard = $type::pool_borrow_mut();
            *guard = Roster::new();
            drop(guard);
            let emptied = info(name).unwrap();
            assert_eq!((emptied.failures, emptied.stats), (4, $type::pool_stats()));
            thread::spawn(move || taken.extend((0..40).map($type))).join().unwrap();
            assert_eq!(info(name).unwrap(), emptied);
        )*};
    }
    check!(Swapped SwappedShared);
}

#[test]
fn room_that_a_value_refuses_is_counted() {
    let of = |name| typed_pool::pools().find(move |info| info.name == Some(name)).unwrap();
    let list = FreeList::<[u64; 4]>::bounded(4).with_name("refuses/list");
    let mut roster = Roster::<u64>::bounded(4).with_name("refuses/roster");
    assert!(catch_unwind(AssertUnwindSafe(|| list.reserve(5))).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| roster.reserve(5))).is_err());
    assert!(roster.try_reserve(5).is_err());
    assert_eq!((of("refuses/list").failures, of("refuses/roster").failures), (1, 2));
}

#[test]
fn a_bounded_roster_with_a_name_is_listed() {
    let roster = Roster::<u64>::bounded(4).with_name("listed/bounded");
    let of = || typed_pool::pools().find(|info| info.name == Some("listed/bounded"));
    assert_eq!(of().unwrap().stats.capacity, 4);
    drop(roster);
    assert!(of().is_none());
}

/// A guard that is leaked takes the roster with it: nobody hears what becomes of it.
#[test]
fn the_thread_of_a_leaked_guard_has_ended() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct TakenAway(#[allow(dead_code)] u64);

    let leak = || {
        TakenAway::pool_insert(TakenAway(1));
        // What is leaked on purpose is still known, so no tool reports it.
        static KEPT: AtomicUsize = AtomicUsize::new(0);
        let guard = Box::leak(Box::new(TakenAway::pool_borrow_mut()));
        KEPT.store(ptr::from_ref(guard).addr(), Ordering::Relaxed);
        let listed = info("TakenAway").unwrap();
        assert!(listed.thread.is_some_and(|thread| thread.is_current && !thread.has_ended));
    };
    thread::spawn(leak).join().unwrap();
    let found = typed_pool::pools().find(|info| info.type_name.ends_with("::TakenAway")).unwrap();
    assert!(found.thread.is_some_and(|thread| thread.has_ended) && !found.is_exact, "{found:?}");
}

#[test]
fn chunks_of_a_roster_that_is_assigned_count_as_growth() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct PutThere(#[allow(dead_code)] u64);

    PutThere::pool_insert(PutThere(0));
    assert_eq!(info("PutThere").unwrap().grown, 1);
    let mut other = Roster::new();
    other.extend((0..10_000).map(PutThere));
    let chunks = other.stats().chunks;
    assert!(chunks > 1);
    PutThere::pool_with(|roster| *roster = other);
    assert_eq!(info("PutThere").unwrap().grown, 1 + chunks);
    *PutThere::pool_borrow_mut() = Roster::new();
    assert_eq!(info("PutThere").unwrap().grown, 1 + chunks);
}
