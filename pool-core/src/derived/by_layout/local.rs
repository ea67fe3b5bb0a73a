//! A thread's pools by layout: one thread-local, const and without a destructor, with a free list for each class.

use core::alloc::Layout;
use core::mem::ManuallyDrop;
#[cfg(all(feature = "sites", not(feature = "passthrough")))]
use core::num::NonZeroU32;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::ledger::{self, Facts};
#[cfg(not(feature = "passthrough"))]
use crate::base::stats::PoolStats;
use crate::derived::by_layout::classes::{CLASSES, Class, of_each_class};
use crate::derived::companion::Companion;
use crate::derived::local_slots::LocalSlots;
use crate::derived::per_thread::PerThread;
use crate::derived::thread_exit::Registration;
use crate::derived::thread_local::{AccessError, Resident, thread_local};
use crate::strategy::{InFreeList, Slots};

/// What a thread has.
struct LocalClasses {
    /// Without their destructors, or the thread-local would have one.
    slots: [ManuallyDrop<Slots<InFreeList>>; CLASSES],
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

thread_local! {
    static LOCAL: LocalClasses = const {
        LocalClasses { slots: of_each_class!(all_empty), registration: Registration::NONE }
    };
}

/// Of each class; the addresses of the first serve all.
static COMPANIONS: [Companion; CLASSES] = [const { Companion::NEW }; CLASSES];

/// This thread's.
#[inline(always)]
fn here() -> PerThread<LocalClasses> {
    // SAFETY: both were declared for one another; there is no destructor.
    unsafe { PerThread::new(&LOCAL, &COMPANIONS[0].addresses) }
}

impl Resident for LocalClasses {
    fn is_spent(&self) -> bool {
        !self.registration.is_listed()
            && self.slots.iter().all(|slots| slots.cursor.chain.slots() == 0)
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

/// A pool of this thread.
#[derive(Clone, Copy)]
pub(super) struct Local(pub(super) Class);

impl LocalSlots for Local {
    type Strategy = InFreeList;

    #[inline(always)]
    fn layout(self) -> Layout {
        self.0.layout()
    }

    #[inline(always)]
    fn with<R>(self, f: impl FnOnce(&Slots<InFreeList>) -> R) -> Result<R, AccessError> {
        here().with(|local| f(self.0.of_all::<ManuallyDrop<_>>(&local.slots)))
    }

    fn facts(self) -> &'static Facts {
        self.0.of_all(&FACTS)
    }

    fn close_at_exit(self) {
        let close = here().close(|| {
            let closed = here().with(|local| {
                local.close();
                local.registration.next()
            });
            closed.ok().flatten()
        });
        let _ = here().with(|local| {
            if !local.registration.register(close, NonNull::from(local).cast()) {
                // The end has come already.
                local.close();
            }
        });
    }
}

macro_rules! facts {
    ($($bytes:literal)*) => {
        [$(Facts {
            type_name: || "ByLayout",
            name: Some(concat!("ByLayout, ", $bytes, " bytes")),
            strategy: ledger::Strategy::FREE_LIST,
            storage: ledger::Storage::ThreadLocal,
            look: || Local(Class::with_bytes($bytes)).look(),
            #[cfg(feature = "sites")]
            show_lines: |found| Local(Class::with_bytes($bytes)).lines(found),
            record: || Some(&Class::with_bytes($bytes).of_all(&COMPANIONS).record),
            has_accounts: cfg!(not(feature = "passthrough")),
        }),*]
    };
}

static FACTS: [Facts; CLASSES] = of_each_class!(facts);

#[cfg(not(feature = "passthrough"))]
impl Local {
    #[cfg(feature = "sites")]
    pub(super) fn lines(self, found: &mut dyn FnMut(NonZeroU32)) {
        self.show_lines(found);
    }

    fn look(self) -> Option<PoolStats> {
        self.with(|slots| slots.stats("ByLayout", self.layout())).ok()
    }
}

/// Blocks of the heap, in the place of slots.
#[cfg(feature = "passthrough")]
mod blocks {
    use crate::base::config::Config;
    use crate::base::stats::PoolStats;
    use crate::derived::backing::Blocks;
    use crate::derived::by_layout::classes::{CLASSES, of_each_class};
    use crate::derived::by_layout::local::{Local, LocalClasses};
    use crate::derived::storage::gone;
    use crate::derived::thread_local::thread_local;

    thread_local! {
        static BLOCKS: [Blocks; CLASSES] = const { [Blocks::NONE; CLASSES] };
    }

    macro_rules! names {
        ($($bytes:literal)*) => { [$(concat!("ByLayout, ", $bytes, " bytes")),*] };
    }

    impl Local {
        /// None: there is nothing beside a block.
        #[cfg(feature = "sites")]
        pub(crate) fn lines(self, _: &mut dyn FnMut(core::num::NonZeroU32)) {}

        /// Shows the figures.
        pub(crate) fn show<R>(self, f: impl FnOnce(&Blocks) -> R) -> R {
            let shown = BLOCKS.try_with(|blocks| f(self.0.of_all(blocks)));
            shown.unwrap_or_else(|_| gone::<LocalClasses>())
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
