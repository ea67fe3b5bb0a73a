//! The pools by layout of the whole process: a depot for each class, and in each thread an array of magazines.

use core::alloc::Layout;
#[cfg(all(feature = "sites", not(feature = "passthrough")))]
use core::num::NonZeroU32;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::guard::IS_WATCHED;
use crate::base::ledger::{self, Facts, Record};
#[cfg(not(feature = "passthrough"))]
use crate::base::stats::PoolStats;
use crate::derived::by_layout::classes::{CLASSES, Class, of_each_class};
use crate::derived::companion::Companion;
use crate::derived::magazines::cache::{Cache as _, ListCache};
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::held::NoPlaces;
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::shareable::{Shareable, SlotLayout};
use crate::derived::magazines::shared_slots::SharedSlots;
use crate::derived::magazines::sizes::Sizes;
use crate::derived::per_thread::PerThread;
use crate::derived::thread_exit::Close;
use crate::derived::thread_local::{AccessError, thread_local};
use crate::strategy::{InFreeList, Slots};

/// What stands behind a depot. One type for all classes, so that the depot is compiled once.
pub(super) struct ClassSlots(Slots<InFreeList>);

impl Shareable for ClassSlots {
    type Strategy = InFreeList;
    type Cache = ListCache;
    type Slot = Class;
    type Held = NoPlaces;

    #[inline(always)]
    fn slots(&self) -> &Slots<InFreeList> {
        &self.0
    }
}

impl SlotLayout for Class {
    #[inline(always)]
    fn layout(self) -> Layout {
        Class::layout(self)
    }
}

type Magazines = [Magazine<ClassSlots>; CLASSES];

thread_local! {
    static MAGAZINES: Magazines =
        const { [const { Magazine::new(ListCache::new(), []) }; CLASSES] };
}

/// Of each class; the addresses of the first serve all.
static COMPANIONS: [Companion; CLASSES] = [const { Companion::NEW }; CLASSES];

macro_rules! depots {
    ($($bytes:literal)*) => {
        [$({
            let config = Config::new().name(concat!("SharedByLayout, ", $bytes, " bytes"));
            depot($bytes, config)
        }),*]
    };
}

static DEPOTS: [Depot<ClassSlots>; CLASSES] = of_each_class!(depots);

const fn depot(bytes: usize, config: Config) -> Depot<ClassSlots> {
    let class = Class::with_bytes(bytes);
    let sizes = if IS_WATCHED {
        Sizes::NONE
    } else {
        Sizes::new(class.layout(), usize::MAX, ListCache::AT_HAND)
    };
    Depot::with_pool(ClassSlots(Slots::new(config)), class, sizes)
}

/// This thread's magazines.
#[inline(always)]
fn here() -> PerThread<Magazines> {
    // SAFETY: both were declared for one another; a magazine has no destructor.
    unsafe { PerThread::new(&MAGAZINES, &COMPANIONS[0].addresses) }
}

/// A pool of all threads.
#[derive(Clone, Copy)]
pub(super) struct Shared(pub(super) Class);

impl SharedSlots for Shared {
    type Pool = ClassSlots;

    #[inline(always)]
    fn slot(self) -> Class {
        self.0
    }

    #[inline(always)]
    fn depot(self) -> &'static Depot<ClassSlots> {
        self.0.of_all(&DEPOTS)
    }

    #[inline(always)]
    fn with<R>(self, f: impl FnOnce(&Magazine<ClassSlots>) -> R) -> Result<R, AccessError> {
        here().with(|magazines| f(self.0.of_all(magazines)))
    }

    fn facts(self) -> &'static Facts {
        self.0.of_all(&FACTS)
    }

    fn record(self) -> &'static Record {
        &self.0.of_all(&COMPANIONS).record
    }

    fn mend(self) -> &'static fn() {
        self.0.of_all(&MENDS)
    }

    fn register(self, magazine: &Magazine<ClassSlots>) -> bool {
        let close = here().close(*self.0.of_all(&ENDS));
        let registered = here().with(|magazines| {
            magazine.registration.register(close, NonNull::from(magazines).cast())
        });
        registered.unwrap_or(false)
    }
}

macro_rules! ends {
    ($($bytes:literal)*) => { [$(|| Shared(Class::with_bytes($bytes)).end()),*] };
}

/// What empties this thread's magazine of each class.
static ENDS: [fn() -> Option<Close>; CLASSES] = of_each_class!(ends);

macro_rules! mends {
    ($($bytes:literal)*) => { [$(|| Shared(Class::with_bytes($bytes)).forget_others()),*] };
}

/// What forgets the magazines of threads that stayed behind in a `fork`.
static MENDS: [fn(); CLASSES] = of_each_class!(mends);

macro_rules! facts {
    ($($bytes:literal)*) => {
        [$(Facts {
            type_name: || "SharedByLayout",
            name: Some(concat!("SharedByLayout, ", $bytes, " bytes")),
            strategy: ledger::Strategy::FREE_LIST,
            storage: ledger::Storage::Static,
            look: || Shared(Class::with_bytes($bytes)).look(),
            #[cfg(feature = "sites")]
            show_lines: |found| Shared(Class::with_bytes($bytes)).lines(found),
            record: || Some(Shared(Class::with_bytes($bytes)).record()),
            has_accounts: cfg!(not(feature = "passthrough")),
        }),*]
    };
}

static FACTS: [Facts; CLASSES] = of_each_class!(facts);

#[cfg(not(feature = "passthrough"))]
impl Shared {
    #[cfg(feature = "sites")]
    pub(super) fn lines(self, found: &mut dyn FnMut(NonZeroU32)) {
        self.try_show_lines(found);
    }

    fn look(self) -> Option<PoolStats> {
        self.try_stats::<Self>()
    }
}

/// Blocks of the heap, in the place of slots.
#[cfg(feature = "passthrough")]
mod blocks {
    use crate::base::config::Config;
    use crate::base::stats::PoolStats;
    use crate::derived::backing::Blocks;
    use crate::derived::by_layout::classes::{CLASSES, of_each_class};
    use crate::derived::by_layout::shared::Shared;

    static BLOCKS: [Blocks; CLASSES] = [Blocks::NONE; CLASSES];

    macro_rules! names {
        ($($bytes:literal)*) => { [$(concat!("SharedByLayout, ", $bytes, " bytes")),*] };
    }

    impl Shared {
        /// None: there is nothing beside a block.
        #[cfg(feature = "sites")]
        pub(crate) fn lines(self, _: &mut dyn FnMut(core::num::NonZeroU32)) {}

        /// Shows the figures.
        pub(crate) fn show<R>(self, f: impl FnOnce(&Blocks) -> R) -> R {
            f(self.0.of_all(&BLOCKS))
        }

        pub(super) fn look(self) -> Option<PoolStats> {
            Some(self.stats_of_blocks())
        }

        pub(crate) fn stats_of_blocks(self) -> PoolStats {
            let name = self.0.of_all(&of_each_class!(names));
            self.show(|blocks| blocks.stats_of(name, self.0.bytes(), &Config::new()))
        }
    }
}
