//! The rosters of types: one in each thread, or one for all.

use alloc::collections::VecDeque;
use core::any::type_name;
use core::cell::{Cell, RefCell};
use core::marker::PhantomData;

use crate::base::handle::{Handle, IS_HANDLE};
use crate::base::ledger::{Facts, Refusal, Upkeep, Visit};
#[cfg(feature = "view")]
use crate::base::map::PoolMap;
use crate::base::stats::{self, PoolStats};
use crate::base::watch::sites::Line;
use crate::derived::pooled::Pooled;
use crate::derived::roster_ref::HasRoster;
use crate::derived::storage::{RosterHandles, RosterStorage as _};
use crate::roster::Roster;

mod cell;
pub(crate) mod local;
pub(crate) mod static_roster;

/// Removes the element whose handle has this number; without [`IS_HANDLE`] among its bits, gives back the slot that is reserved for the
/// handle.
fn remove<T>(roster: &mut Roster<T>, number: u64) -> Option<T> {
    let handle = Handle::from_bits(number | IS_HANDLE)?;
    if number & IS_HANDLE == 0 {
        roster.release(handle);
        return None;
    }
    roster.remove(handle)
}

/// Removals that wait until a thread's last use of a roster ends, or the destructor of an element that it removes: see [`remove`].
#[derive(Debug)]
struct DeferredRemovals {
    waiting: RefCell<VecDeque<u64>>,
    /// Whether [`DeferredRemovals::run`] is at work.
    is_running: Cell<bool>,
}

impl DeferredRemovals {
    const fn new() -> Self {
        Self { waiting: RefCell::new(VecDeque::new()), is_running: Cell::new(false) }
    }

    fn is_empty(&self) -> bool {
        self.waiting.borrow().is_empty()
    }

    /// Calls `remove`, which may run destructors, with the `first` number, if there is one, and with those that wait, until it says that the
    /// roster is borrowed. What the destructors ask for waits until they have returned, so they are never nested. A change in how many wait
    /// is told to `count` first.
    fn run(&self, first: Option<u64>, count: impl Fn(isize), mut remove: impl FnMut(u64) -> bool) {
        struct Running<'a>(&'a Cell<bool>);

        impl Drop for Running<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }

        let is_nested = self.is_running.replace(true);
        let running = (!is_nested).then(|| Running(&self.is_running));
        if let Some(number) = first {
            if is_nested || !remove(number) {
                count(1);
                self.waiting.borrow_mut().push_back(number);
                return;
            }
        }
        while running.is_some() {
            let Some(number) = self.waiting.borrow_mut().pop_front() else {
                // Its memory: a thread-local has no destructor.
                return drop(self.waiting.take());
            };
            count(-1);
            if !remove(number) {
                count(1);
                return self.waiting.borrow_mut().push_front(number);
            }
        }
    }
}

/// What is known of the rosters of a type.
const fn facts<T: Pooled<RosterHandles>>(storage: stats::Storage) -> Facts {
    Facts {
        type_name: type_name::<T>,
        name: T::__CONFIG.name,
        strategy: stats::Strategy::ROSTER,
        storage,
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

    fn is_used_here(&'static self) -> bool {
        T::KEY.is_used_here()
    }

    #[cfg(feature = "view")]
    fn map(&'static self) -> Result<PoolMap, Refusal> {
        T::KEY.try_lend(Roster::map)
    }
}
