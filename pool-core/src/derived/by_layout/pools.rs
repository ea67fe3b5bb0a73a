//! The pools of each class: of a thread a free list, all of them in one thread-local that is const and without a destructor; of
//! the whole process a depot, and in each thread an array of magazines.

use core::alloc::Layout;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::ledger::{self, Facts};
use crate::base::watch::hardened::Fault;
use crate::base::watch::sites::Line;
use crate::derived::backing::ClassStrategy;
use crate::derived::by_layout::classes::{CLASSES, Class, of_each_class};
use crate::derived::by_layout::{ByLayout, Classes, SharedByLayout};
use crate::derived::in_thread::{Companion, InThread};
use crate::derived::local::{LocalPools, refill};
use crate::derived::magazines::SharedPools;
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::magazine::Magazine;
use crate::derived::thread_exit::{Close, Registration, Visit};
use crate::derived::thread_local::{Resident, thread_local};
use crate::strategy::{Remember as _, Slots};

/// What a thread has.
struct LocalClasses {
    /// Without their destructors, or the thread-local would have one.
    slots: [ManuallyDrop<Slots<ClassStrategy>>; CLASSES],
    /// One for all.
    registration: Registration,
}

macro_rules! all_empty {
    ($($bytes:literal)*) => {
        [$(ManuallyDrop::new(Slots::new(
            Config::new().name(concat!("ByLayout, ", $bytes, " bytes")),
        ))),*]
    };
}

/// A magazine without places, since these pools have no limit.
type ClassMagazine = Magazine<ClassStrategy, 0>;

thread_local! {
    static LOCAL_CLASSES: LocalClasses = const {
        LocalClasses { slots: of_each_class!(all_empty), registration: Registration::NONE }
    };
}

thread_local! {
    static ALL_MAGAZINES: [ClassMagazine; CLASSES] = const { [ClassMagazine::EMPTY; CLASSES] };
}

/// Of each class; the addresses of the first serve all.
static LOCAL_COMPANIONS: [Companion; CLASSES] = [const { Companion::NEW }; CLASSES];
static SHARED_COMPANIONS: [Companion; CLASSES] = [const { Companion::NEW }; CLASSES];

/// What this thread has.
#[inline(always)]
fn local() -> InThread<LocalClasses> {
    // SAFETY: both were declared for one another; there is no destructor.
    unsafe { InThread::new(&LOCAL_CLASSES, &raw const LOCAL_COMPANIONS[0]) }
}

/// This thread's magazines.
#[inline(always)]
fn magazines() -> InThread<[ClassMagazine; CLASSES]> {
    // SAFETY: both were declared for one another; a magazine has no destructor.
    unsafe { InThread::new(&ALL_MAGAZINES, &raw const SHARED_COMPANIONS[0]) }
}

macro_rules! depots {
    ($($bytes:literal)*) => {
        [$(Depot::new(
            Config::new().name(concat!("SharedByLayout, ", $bytes, " bytes")),
            Class::with_bytes($bytes).layout(),
        )),*]
    };
}

static DEPOTS: [Depot<ClassStrategy, 0>; CLASSES] = of_each_class!(depots);

impl Resident for LocalClasses {
    fn is_spent(&self) -> bool {
        !self.registration.is_listed()
            && self.slots.iter().zip(Class::ALL).all(|(slots, class)| {
                slots.cursor.chain.slots() == 0 && slots.live(class.layout()) == 0
            })
    }
}

impl LocalClasses {
    /// Closes all pools: their thread is ending.
    fn close(&self) {
        for (slots, class) in self.slots.iter().zip(Class::ALL) {
            slots.close(class.layout());
        }
    }
}

/// Sees to it that this thread's end closes its pools.
fn close_at_exit() {
    let close = local().close(|visit| {
        let closed = local().with(|local| {
            if visit == Visit::End {
                local.close();
            }
            local.registration.next(visit)
        });
        closed.ok().flatten()
    });
    let _ = local().with(|local| {
        if !local.registration.register(close, NonNull::from(local).cast()) {
            // The end has come already.
            local.close();
        }
    });
}

impl Class {
    /// This thread's slots of the class.
    ///
    /// # Safety
    ///
    /// As for [`InThread::find`].
    #[inline(always)]
    unsafe fn slots(self) -> Option<&'static Slots<ClassStrategy>> {
        // SAFETY: passed on from the caller.
        match unsafe { local().find() } {
            Some(local) => Some(&**self.of_all(&local.slots)),
            None => None,
        }
    }

    /// This thread's magazine of the class.
    ///
    /// # Safety
    ///
    /// As for [`InThread::find`].
    #[inline(always)]
    unsafe fn magazine(self) -> Option<&'static ClassMagazine> {
        // SAFETY: passed on from the caller.
        match unsafe { magazines().find() } {
            Some(magazines) => Some(self.of_all(magazines)),
            None => None,
        }
    }

    /// Sees to it that this thread's end empties the magazine; `false` if the end has come already.
    fn register(self, magazine: &ClassMagazine, end: fn(Visit) -> Option<Close>) -> bool {
        let registered = magazines().with(|all| {
            magazine.registration.register(magazines().close(end), NonNull::from(all).cast())
        });
        registered.unwrap_or(false)
    }
}

macro_rules! local_pools {
    ($($bytes:literal)*) => {
        [$({
            const CLASS: Class = Class::with_bytes($bytes);
            LocalPools {
                // SAFETY: passed on from the caller.
                find: || unsafe { CLASS.slots() },
                slot: CLASS.layout(),
                close_at_exit,
                record: || &CLASS.of_all(&LOCAL_COMPANIONS).record,
                facts: || ByLayout::facts(CLASS),
            }
        }),*]
    };
}

static LOCAL_POOLS: [LocalPools<ClassStrategy>; CLASSES] = of_each_class!(local_pools);

macro_rules! shared_pools {
    ($($bytes:literal)*) => {
        [$({
            const CLASS: Class = Class::with_bytes($bytes);
            SharedPools {
                // SAFETY: passed on from the caller.
                magazine: || unsafe { CLASS.magazine() },
                depot: || CLASS.of_all(&DEPOTS),
                register: |magazine| {
                    CLASS.register(magazine, |visit| CLASS.of_all(&SHARED_POOLS).visit(visit))
                },
                forget_others: || CLASS.of_all(&SHARED_POOLS).forget_others(),
                record: || &CLASS.of_all(&SHARED_COMPANIONS).record,
                facts: || SharedByLayout::facts(CLASS),
            }
        }),*]
    };
}

static SHARED_POOLS: [SharedPools<ClassStrategy, 0>; CLASSES] = of_each_class!(shared_pools);

macro_rules! facts {
    ($name:literal $Storage:ident $POOLS:ident $($bytes:literal)*) => {
        [$(Facts {
            type_name: || $name,
            name: Some(concat!($name, ", ", $bytes, " bytes")),
            strategy: ledger::Strategy::FREE_LIST,
            storage: ledger::Storage::$Storage,
            has_accounts: !ClassStrategy::HAS_BLOCKS,
            upkeep: &$POOLS[Class::with_bytes($bytes).index()],
        }),*]
    };
}

static LOCAL_FACTS: [Facts; CLASSES] = of_each_class!(facts "ByLayout" ThreadLocal LOCAL_POOLS);
static SHARED_FACTS: [Facts; CLASSES] = of_each_class!(facts "SharedByLayout" Static SHARED_POOLS);

// SAFETY: slots come from this thread's pools, which free no chunk with a live slot, and are never dropped.
unsafe impl Classes for ByLayout {
    const POOLS: Self = Self;
    const NAME: &'static str = "ByLayout";

    fn facts(class: Class) -> &'static Facts {
        class.of_all(&LOCAL_FACTS)
    }

    #[inline(always)]
    fn pop(
        class: Class,
        slot: Layout,
        line: Line,
    ) -> Result<Option<NonNull<u8>>, (NonNull<u8>, Fault)> {
        // SAFETY: they are used until this returns.
        let Some(slots) = (unsafe { class.slots() }) else { return Ok(None) };
        slots.acquire(slot, line, || refill(slots, slot, class.of_all(&LOCAL_POOLS)))
    }

    fn check(class: Class, slot: Layout, address: usize) -> Result<(), Fault> {
        // SAFETY: they are used until this returns.
        let Some(slots) = (unsafe { class.slots() }) else { return Ok(()) };
        slots.check(address, slot)
    }

    #[inline(always)]
    unsafe fn push(class: Class, slot: Layout, freed: NonNull<u8>) -> Result<(), Fault> {
        // SAFETY: they are used until this returns.
        let Some(slots) = (unsafe { class.slots() }) else { return Ok(()) };
        // SAFETY: passed on from the caller.
        unsafe { slots.release(freed, slot) }
    }
}

// SAFETY: slots come from pools that are never dropped, perhaps by way of magazines, and each is in one place at a time.
unsafe impl Classes for SharedByLayout {
    const POOLS: Self = Self;
    const NAME: &'static str = "SharedByLayout";

    fn facts(class: Class) -> &'static Facts {
        class.of_all(&SHARED_FACTS)
    }

    #[inline(always)]
    fn pop(
        class: Class,
        slot: Layout,
        line: Line,
    ) -> Result<Option<NonNull<u8>>, (NonNull<u8>, Fault)> {
        // SAFETY: it is used until this returns.
        let magazine = unsafe { class.magazine() };
        class.of_all(&SHARED_POOLS).acquire(magazine, slot, line)
    }

    fn check(class: Class, slot: Layout, address: usize) -> Result<(), Fault> {
        class.of_all(&SHARED_POOLS).check(address, slot)
    }

    #[inline(always)]
    unsafe fn push(class: Class, slot: Layout, freed: NonNull<u8>) -> Result<(), Fault> {
        // SAFETY: it is used until this returns.
        let magazine = unsafe { class.magazine() };
        // SAFETY: passed on from the caller.
        unsafe { class.of_all(&SHARED_POOLS).release(magazine, freed, slot) }
    }
}
