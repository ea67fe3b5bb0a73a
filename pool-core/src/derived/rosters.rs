//! The rosters of types: one in each thread, or one for all.

use alloc::vec::{self, Vec};
use core::any::type_name;
use core::cell::{Cell, RefCell};
use core::marker::PhantomData;
use core::mem;

use crate::base::handle::{Handle, IS_HANDLE};
use crate::base::ledger::{self, Facts, Record, Refusal, Upkeep, Visit};
#[cfg(feature = "view")]
use crate::base::map::{Canvas, PoolMap};
use crate::base::stats::PoolStats;
use crate::base::watch::sites::Line;
use crate::derived::pooled::Pooled;
use crate::derived::roster_ref::HasRoster;
use crate::derived::storage::{RosterHandles, RosterStorage as _};
use crate::roster::Roster;

mod cell;
pub(crate) mod local;
pub(crate) mod static_roster;

/// Does what was put off: removes the element with this number, or gives back the reserved slot with the number of this without
/// [`IS_HANDLE`].
fn settle<T>(roster: &mut Roster<T>, number: u64) -> Option<T> {
    let handle = Handle::from_bits(number | IS_HANDLE)?;
    if number & IS_HANDLE == 0 {
        roster.release(handle);
        return None;
    }
    roster.remove(handle)
}

/// What a thread does when its last use of a roster ends: see [`settle`].
#[derive(Debug)]
struct PutOff {
    handles: RefCell<Vec<u64>>,
    /// How many wait, with those that [`PutOff::drain`] has taken out of the list.
    waiting: Cell<usize>,
}

impl PutOff {
    const fn new() -> Self {
        Self { handles: RefCell::new(Vec::new()), waiting: Cell::new(0) }
    }

    fn is_empty(&self) -> bool {
        self.waiting.get() == 0
    }

    fn push(&self, handle: u64) {
        self.handles.borrow_mut().push(handle);
        self.waiting.set(self.waiting.get() + 1);
    }

    /// Calls `remove`, which may run destructors, with each handle in turn, until it says that it cannot: a destructor has
    /// borrowed the roster and keeps it. Uses that end meanwhile find an empty list, so destructors are not nested as deep as
    /// it is long.
    fn drain(&self, mut remove: impl FnMut(u64) -> bool) {
        /// What a destructor that panics leaves for the next time.
        struct Rest<'a>(&'a PutOff, vec::IntoIter<u64>);

        impl Drop for Rest<'_> {
            fn drop(&mut self) {
                self.0.handles.borrow_mut().extend(&mut self.1);
            }
        }

        let handles = mem::take(&mut *self.handles.borrow_mut());
        let mut rest = Rest(self, handles.into_iter());
        for handle in rest.1.by_ref() {
            self.waiting.set(self.waiting.get() - 1);
            if !remove(handle) {
                return self.push(handle);
            }
        }
    }
}

/// What is known of the rosters of a type.
const fn facts<T: Pooled<RosterHandles>>(storage: ledger::Storage) -> Facts {
    Facts {
        type_name: type_name::<T>,
        name: T::__CONFIG.name,
        strategy: ledger::Strategy::ROSTER,
        storage,
        has_accounts: true,
        upkeep: const { &OfType::<T>(PhantomData) },
    }
}

/// The roster of a type, for what is rarely done with it.
struct OfType<T>(PhantomData<fn() -> T>);

impl<T: HasRoster> Upkeep for OfType<T> {
    fn stats(&'static self, may_wait: bool) -> Result<PoolStats, Refusal> {
        T::KEY.look(may_wait, Roster::stats)
    }

    fn reserve(&'static self, additional: usize) -> Result<(), Refusal> {
        let reserved = T::KEY.try_lend_mut(|roster| roster.try_reserve(additional))?;
        reserved.map_err(Refusal::NoRoom)
    }

    fn prefault(&'static self) -> Result<(), Refusal> {
        T::KEY.try_lend_mut(Roster::prefault)
    }

    fn trim(&'static self) -> Result<usize, Refusal> {
        T::KEY.try_lend_mut(|roster| roster.trim_to(0))
    }

    fn show_lines(
        &'static self,
        may_wait: bool,
        found: &mut dyn FnMut(Line),
    ) -> Result<(), Refusal> {
        T::KEY.look(may_wait, |roster| roster.show_lines(found))
    }

    fn visit(&'static self, visit: Visit) -> Option<&'static dyn Upkeep> {
        T::KEY.visit(visit)
    }

    fn record(&'static self) -> Option<&'static Record> {
        Some(T::KEY.record())
    }

    #[cfg(feature = "view")]
    fn map(&'static self) -> Result<PoolMap, Refusal> {
        Canvas::try_draw(|canvas| T::KEY.try_lend(|roster| roster.draw(canvas)))
    }
}
