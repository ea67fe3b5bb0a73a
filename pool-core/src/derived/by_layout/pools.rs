//! The pools of each class. A thread has a free list for each, all in one `const` thread-local without a destructor; the
//! process has a depot for each, and each thread an array of magazines.

use core::ptr::{self, NonNull};

use crate::base::ledger::{PoolOps, TypeFacts};
use crate::base::stats::{Storage, Strategy};
use crate::derived::by_layout::classes::{CLASSES, Class, array, of_each_class};
use crate::derived::by_layout::{AnyPool, ByLayout, SharedByLayout};
use crate::derived::local::{LocalPoolRef, LocalPools, LocalSlots};
use crate::derived::magazines::{SharedDepot, SharedPoolRef, SharedPools, ThreadMagazine};
use crate::strategy::{InFreeList, Slots};
use crate::thread::local::{Finder, InThread, SharedRecord};
use crate::thread::thread_local;

#[inline]
const fn depot(bytes: usize) -> SharedDepot {
    SharedDepot::new(Slots::EMPTY, Class::with_bytes(bytes).layout())
}

thread_local! {
    static CLASS_POOLS: [LocalSlots<InFreeList>; CLASSES] =
        const { [const { LocalSlots::EMPTY }; CLASSES] };
}
thread_local! {
    static MAGAZINES: [ThreadMagazine; CLASSES] = const { [const { ThreadMagazine::new() }; CLASSES] };
}

static DEPOTS: [SharedDepot; CLASSES] = of_each_class!(array depot;);
static LOCAL_RECORDS: [SharedRecord; CLASSES] = [const { SharedRecord::NEW }; CLASSES];

/// The key of this thread's pools.
// SAFETY: both were declared for one another; there is no destructor.
const LOCAL: InThread<[LocalSlots<InFreeList>; CLASSES], [SharedRecord; CLASSES]> =
    unsafe { InThread::new(&CLASS_POOLS, &raw const LOCAL_RECORDS) };

/// The key of this thread's magazines.
// SAFETY: both were declared for one another; what leads to a magazine has no destructor.
const SHARED: InThread<[ThreadMagazine; CLASSES], [SharedDepot; CLASSES]> =
    unsafe { InThread::new(&MAGAZINES, &raw const DEPOTS) };

#[inline]
const fn local_pools(bytes: usize) -> LocalPools<InFreeList> {
    let class = Class::with_bytes(bytes);
    Finder {
        index: class.index(),
        with: |index, f| _ = LOCAL.with(|all| f(&all[index])),
        shared: |index| &LOCAL_RECORDS[index],
        slot: class.layout(),
        facts: |index| &ByLayout::FACTS[index],
    }
}

#[inline]
const fn shared_pools(bytes: usize) -> SharedPools {
    let class = Class::with_bytes(bytes);
    Finder {
        index: class.index(),
        with: |index, f| _ = SHARED.with(|all| f(&all[index])),
        shared: |index| &DEPOTS[index],
        slot: class.layout(),
        facts: |index| &SharedByLayout::FACTS[index],
    }
}

static LOCAL_POOLS: [LocalPools<InFreeList>; CLASSES] = of_each_class!(array local_pools;);
/// A constant, as its facts are: a static would be compiled, with all that it refers to, even if it is unused.
const SHARED_POOLS: &[SharedPools; CLASSES] = &of_each_class!(array shared_pools;);

macro_rules! names {
    ($of:literal; $($bytes:literal)*) => { [$(concat!($of, ", ", $bytes, " bytes")),*] };
}

#[inline]
const fn local_facts(bytes: usize) -> TypeFacts {
    const NAMES: [&str; CLASSES] = of_each_class!(names "ByLayout";);
    let index = Class::with_bytes(bytes).index();
    facts::<ByLayout>(NAMES[index], Storage::ThreadLocal, &LOCAL_POOLS[index])
}

#[inline]
const fn shared_facts(bytes: usize) -> TypeFacts {
    const NAMES: [&str; CLASSES] = of_each_class!(names "SharedByLayout";);
    let index = Class::with_bytes(bytes).index();
    facts::<SharedByLayout>(NAMES[index], Storage::Static, &SHARED_POOLS[index])
}

const fn facts<P: AnyPool>(
    name: &'static str,
    storage: Storage,
    ops: &'static dyn PoolOps,
) -> TypeFacts {
    let type_name = || P::NAME;
    TypeFacts { type_name, name: Some(name), strategy: Strategy::FREE_LIST, storage, ops }
}

// SAFETY: they are this thread's pools, which free no chunk with a live slot, and are never dropped. A slot is found by its layout alone,
// and one that `Slots::acquire` gave is in no list until it is released.
#[allow(private_interfaces, reason = "for this crate alone")]
unsafe impl AnyPool for ByLayout {
    const NAME: &'static str = "ByLayout";
    const FACTS: &'static [TypeFacts; CLASSES] = &of_each_class!(array local_facts;);
    type Found = LocalPoolRef<InFreeList>;

    #[allow(clippy::manual_map, reason = "a call less in an unoptimised build")]
    #[inline(always)]
    unsafe fn find(class: Class) -> Self::Found {
        // SAFETY: the caller uses it during one operation only, which destroys no thread-local.
        let local = match unsafe { LOCAL.find::<false>() } {
            Some(all) => Some(class.of_all(all)),
            None => None,
        };
        LocalPoolRef { local, pools: class.of_all(&LOCAL_POOLS) }
    }

    #[inline]
    fn reach(class: Class, block: NonNull<u8>) -> NonNull<u8> {
        // SAFETY: it is used until this returns.
        let local = unsafe { Self::find(class) }.local;
        local.map_or(block, |local| local.slots.reach(block, class.layout()))
    }
}

// SAFETY: they are static pools, which are never dropped. A slot is found by its layout alone. Slots go by way of magazines, and each is in
// one place at a time.
#[allow(private_interfaces, reason = "for this crate alone")]
unsafe impl AnyPool for SharedByLayout {
    const NAME: &'static str = "SharedByLayout";
    const FACTS: &'static [TypeFacts; CLASSES] = &of_each_class!(array shared_facts;);
    type Found = SharedPoolRef;

    #[allow(clippy::manual_map, reason = "a call less in an unoptimised build")]
    #[inline(always)]
    unsafe fn find(class: Class) -> Self::Found {
        // SAFETY: the caller uses it during one operation only, which destroys no thread-local.
        let place = match unsafe { SHARED.find::<true>() } {
            Some(all) => Some(class.of_all(all)),
            None => None,
        };
        SharedPoolRef { place, pools: class.of_all(SHARED_POOLS) }
    }

    /// The chunks are behind the depot's lock, which is taken once for many slots: hence by the address, since they are exposed.
    #[inline]
    fn reach(_: Class, block: NonNull<u8>) -> NonNull<u8> {
        NonNull::new(ptr::with_exposed_provenance_mut(block.addr().get())).unwrap_or(block)
    }
}
