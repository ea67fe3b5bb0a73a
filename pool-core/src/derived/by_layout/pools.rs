//! The pools of each class. A thread has a free list for each, all in one `const` thread-local without a destructor; the
//! process has a depot for each, and each thread an array of magazines.

use core::ptr::{self, NonNull};

use crate::base::config::Config;
use crate::base::ledger::TypeFacts;
use crate::base::stats;
use crate::derived::by_layout::classes::{CLASSES, Class, array, of_each_class};
use crate::derived::by_layout::{AnyPool, ByLayout, SharedByLayout};
use crate::derived::local::{LocalPoolRef, LocalPools, LocalSlots};
use crate::derived::magazines::{SharedDepot, SharedPoolRef, SharedPools, ThreadMagazine};
use crate::strategy::InFreeList;
use crate::thread::local::{Finder, InThread, SharedRecord};
use crate::thread::thread_local;

const fn depot(bytes: usize) -> SharedDepot {
    SharedDepot::new(Config::new(), Class::with_bytes(bytes).layout())
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

macro_rules! facts {
    ($name:literal $Pools:ident $Storage:ident $POOLS:ident $($bytes:literal)*) => {
        [$(TypeFacts {
            type_name: || $Pools::NAME,
            name: Some(concat!($name, ", ", $bytes, " bytes")),
            strategy: stats::Strategy::FREE_LIST,
            storage: stats::Storage::$Storage,
            ops: &$POOLS[Class::with_bytes($bytes).index()],
        }),*]
    };
}

// SAFETY: they are this thread's pools, which free no chunk with a live slot, and are never dropped. A slot is found by its layout alone,
// and one that `Slots::acquire` gave is in no list until it is released.
#[allow(private_interfaces, reason = "for this crate alone")]
unsafe impl AnyPool for ByLayout {
    const NAME: &'static str = "ByLayout";
    const FACTS: &'static [TypeFacts; CLASSES] =
        &of_each_class!(facts "ByLayout" ByLayout ThreadLocal LOCAL_POOLS);
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
    const FACTS: &'static [TypeFacts; CLASSES] =
        &of_each_class!(facts "SharedByLayout" SharedByLayout Static SHARED_POOLS);
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
