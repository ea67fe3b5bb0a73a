//! The sizes of the slots: which one a layout takes; and the pools of each.
//!
//! Steps of 8 bytes up to 128, and four to each power of two above that, so that at most a fifth of a slot is vacant (and 7
//! bytes of a small one). Chunks begin on a cache line, so a slot is aligned to the largest power of two that divides its
//! size, up to 64: whatever is a multiple of its alignment finds a slot that is aligned as well.
//!
//! Of a thread the pool of a class is a free list, all of them in one thread-local that is const and without a destructor; of
//! the whole process a depot, and in each thread an array of magazines.

use core::alloc::Layout;

use crate::base::config::Config;
use crate::base::ledger::{self, Facts};
use crate::derived::backing::ClassStrategy;
use crate::derived::by_layout::{ByClass, ByLayout, SharedByLayout};
use crate::derived::in_thread::{Companion, InThread};
use crate::derived::local::{FoundLocal, LocalPool, LocalPools};
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::{FoundShared, SharedDepot, SharedPools};
use crate::derived::thread_local::thread_local;
use crate::pool::typed::TypedPool;
use crate::strategy::Remember as _;

/// How many classes there are.
pub(crate) const CLASSES: usize = 32;

/// The largest slot.
pub(crate) const MOST_BYTES: usize = 2048;

/// The largest alignment of a slot.
pub(crate) const MOST_ALIGN: usize = 64;

/// All slots are a multiple of this.
const STEP: usize = 8;

/// Calls a macro with the bytes of the slots of each class, and with what comes before them.
macro_rules! of_each_class {
    ($macro:ident $($first:tt)*) => {
        $macro! {
            $($first)*
            8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128
            160 192 224 256 320 384 448 512 640 768 896 1024 1280 1536 1792 2048
        }
    };
}

macro_rules! array {
    ($($bytes:literal)*) => { [$($bytes),*] };
}

const BYTES: [u16; CLASSES] = of_each_class!(array);

/// The layout of the slots of each class.
static LAYOUTS: [Layout; CLASSES] = {
    let mut layouts = [Layout::new::<()>(); CLASSES];
    let mut class = 0;
    while class < CLASSES {
        layouts[class] = match Layout::from_size_align(BYTES[class] as usize, STEP) {
            Ok(layout) => layout,
            Err(_) => unreachable!(),
        };
        class += 1;
    }
    layouts
};

/// A size of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(u8);

/// The class of each size, in steps.
const OF_STEPS: [Class; MOST_BYTES / STEP + 1] = {
    let mut of = [Class(0); MOST_BYTES / STEP + 1];
    let (mut steps, mut class) = (0, Class(0));
    while steps < of.len() {
        if steps * STEP > BYTES[class.index()] as usize {
            class = Class(class.0 + 1);
        }
        of[steps] = class;
        steps += 1;
    }
    of
};

impl Class {
    /// The class of a layout; `None` if the layout is too large, aligned to too much, or of no size.
    #[inline(always)]
    pub(crate) const fn of(layout: Layout) -> Option<Self> {
        static OF: [Class; MOST_BYTES / STEP + 1] = OF_STEPS;
        let (size, align) = (layout.size(), layout.align());
        if size == 0 || size > MOST_BYTES || align > MOST_ALIGN {
            return None;
        }
        // A layout need not be a multiple of its alignment.
        let align = if align < STEP { STEP } else { align };
        let size = (size + align - 1) & !(align - 1);
        Some(OF[size / STEP])
    }

    /// All classes, from the smallest.
    pub(crate) const ALL: [Self; CLASSES] = {
        let mut all = [Self(0); CLASSES];
        let mut class = 0;
        while class < CLASSES {
            all[class] = Self(class as u8);
            class += 1;
        }
        all
    };

    /// The layout of what a slot is taken for.
    #[inline(always)]
    pub(crate) fn slot(self, element: Layout) -> Layout {
        if cfg!(feature = "passthrough") { element } else { self.layout() }
    }

    /// The class of slots of this size.
    pub(crate) const fn with_bytes(bytes: usize) -> Self {
        OF_STEPS[bytes / STEP]
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// What the class has in an array of all.
    #[inline(always)]
    pub(crate) fn of_all<T>(self, all: &[T; CLASSES]) -> &T {
        if cfg!(debug_assertions) {
            // Three calls less in an unoptimised build.
            return &all[self.index()];
        }
        // SAFETY: there is no other class (`OF_STEPS`, `ALL`).
        unsafe { all.get_unchecked(self.index()) }
    }

    /// The layout of a slot.
    #[inline(always)]
    pub(crate) const fn layout(self) -> Layout {
        LAYOUTS[self.index()]
    }
}

/// A pool without a type: the layout of its slots is passed in, whatever the `u64` says.
type ClassPool = LocalPool<TypedPool<u64, ClassStrategy>>;

/// A magazine without places, since these pools have no limit.
type ClassMagazine = Magazine<ClassStrategy, 0>;

macro_rules! all_empty {
    ($($bytes:literal)*) => {
        [$(LocalPool::new(Config::new().name(concat!("ByLayout, ", $bytes, " bytes")))),*]
    };
}

macro_rules! depots {
    ($($bytes:literal)*) => {
        [$(SharedDepot::new(
            Config::new().name(concat!("SharedByLayout, ", $bytes, " bytes")),
            Class::with_bytes($bytes).layout(),
        )),*]
    };
}

thread_local! {
    static CLASS_POOLS: [ClassPool; CLASSES] = const { of_each_class!(all_empty) };
}

thread_local! {
    static MAGAZINES: [ClassMagazine; CLASSES] = const { [ClassMagazine::EMPTY; CLASSES] };
}

/// The addresses of the first serve all, as those of the first companion do.
static DEPOTS: [SharedDepot<ClassStrategy, 0>; CLASSES] = of_each_class!(depots);
static LOCAL_COMPANIONS: [Companion; CLASSES] = [const { Companion::NEW }; CLASSES];

/// What this thread has.
#[inline(always)]
fn class_pools() -> InThread<[ClassPool; CLASSES]> {
    // SAFETY: both were declared for one another; there is no destructor.
    unsafe { InThread::new(&CLASS_POOLS, &raw const LOCAL_COMPANIONS[0]) }
}

/// This thread's magazines.
#[inline(always)]
fn magazines() -> InThread<[ClassMagazine; CLASSES]> {
    // SAFETY: both were declared for one another; a magazine has no destructor.
    unsafe { InThread::new(&MAGAZINES, &raw const DEPOTS[0].companion) }
}

static LOCAL_POOLS: [LocalPools<ClassStrategy>; CLASSES] = {
    let mut all = [const {
        LocalPools {
            index: 0,
            // SAFETY: passed on from the caller.
            find: |index| unsafe { class_pools().find() }.map(|all| all[index].parts()),
            slot: Class::ALL[0].layout(),
            remember: |is_listed| class_pools().remember(is_listed),
            record: |index| &LOCAL_COMPANIONS[index].record,
            facts: |index| &LOCAL_FACTS[index],
        }
    }; CLASSES];
    let mut index = 0;
    while index < CLASSES {
        all[index].index = index;
        all[index].slot = Class::ALL[index].layout();
        index += 1;
    }
    all
};

static SHARED_POOLS: [SharedPools<ClassStrategy, 0>; CLASSES] = {
    let mut all = [const {
        SharedPools {
            index: 0,
            // SAFETY: passed on from the caller.
            magazine: |index| unsafe { magazines().find() }.map(|all| &all[index]),
            depot: &raw const DEPOTS[0],
            remember: |is_listed| magazines().remember(is_listed),
            forget_others: || SHARED_POOLS.iter().for_each(SharedPools::forget_others),
            facts: |index| &SHARED_FACTS[index],
        }
    }; CLASSES];
    let mut index = 0;
    while index < CLASSES {
        all[index].index = index;
        all[index].depot = &raw const DEPOTS[index];
        index += 1;
    }
    all
};

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

// SAFETY: they are this thread's pools, which free no chunk with a live slot, and are never dropped. A slot is found by its layout alone.
unsafe impl ByClass for ByLayout {
    const NAME: &'static str = "ByLayout";
    type Found = FoundLocal<ClassStrategy>;

    fn facts(class: Class) -> &'static Facts {
        class.of_all(&LOCAL_FACTS)
    }

    #[inline(always)]
    unsafe fn find(class: Class) -> Self::Found {
        // SAFETY: passed on from the caller.
        let slots = match unsafe { class_pools().find() } {
            Some(all) => Some(class.of_all(all).slots()),
            None => None,
        };
        FoundLocal { slots, pools: class.of_all(&LOCAL_POOLS) }
    }
}

// SAFETY: they are static pools, which are never dropped. A slot is found by its layout alone.
unsafe impl ByClass for SharedByLayout {
    const NAME: &'static str = "SharedByLayout";
    type Found = FoundShared<ClassStrategy, 0>;

    fn facts(class: Class) -> &'static Facts {
        class.of_all(&SHARED_FACTS)
    }

    #[inline(always)]
    unsafe fn find(class: Class) -> Self::Found {
        // SAFETY: passed on from the caller.
        let magazine = match unsafe { magazines().find() } {
            Some(all) => Some(class.of_all(all)),
            None => None,
        };
        FoundShared { magazine, pools: class.of_all(&SHARED_POOLS) }
    }
}

#[cfg(test)]
mod tests;
