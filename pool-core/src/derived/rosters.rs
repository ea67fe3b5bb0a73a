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

/// How deep removals are nested that destructors ask for.
const MOST_NESTED: usize = 16;

/// Removals that wait until a thread's last use of a roster ends, or the destructor of an element that it removes: see [`remove`].
#[derive(Debug)]
struct DeferredRemovals {
    waiting: RefCell<VecDeque<u64>>,
    /// Calls of [`DeferredRemovals::run`] that have not returned.
    depth: Cell<usize>,
    /// Whether the roster is borrowed to take an element out: the end of that borrow removes nothing.
    is_taking: Cell<bool>,
}

impl DeferredRemovals {
    const fn new() -> Self {
        Self {
            waiting: RefCell::new(VecDeque::new()),
            depth: Cell::new(0),
            is_taking: Cell::new(false),
        }
    }

    fn is_empty(&self) -> bool {
        self.waiting.borrow().is_empty()
    }

    /// Removes the element with the `first` number, if there is one, and those that wait, until the roster is borrowed. `take` takes an element
    /// out, and returns `None` if it is borrowed. A change in how many wait is told to `count` first.
    ///
    /// What a destructor asks for is done within it, up to [`MOST_NESTED`] deep; a chain takes no more stack than that, since the rest waits for
    /// the deepest call. (If one at a time were all, a destructor that is suspended for ever would leave all others waiting.)
    fn run<R>(
        &self,
        first: Option<u64>,
        count: impl Fn(isize),
        mut take: impl FnMut(u64) -> Option<R>,
    ) {
        struct Reset<'a>(&'a Cell<bool>);

        impl Drop for Reset<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }

        struct Running<'a>(&'a Cell<usize>);

        impl Drop for Running<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() - 1);
            }
        }

        let mut remove = |number| {
            let taken = {
                self.is_taking.set(true);
                let _taking = Reset(&self.is_taking);
                take(number)
            };
            taken.is_some()
        };
        let depth = self.depth.get();
        let running = (depth < MOST_NESTED && !self.is_taking.get()).then(|| {
            self.depth.set(depth + 1);
            Running(&self.depth)
        });
        if let Some(number) = first {
            if running.is_none() || !remove(number) {
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
        let stats = T::KEY.look(may_wait, Roster::stats)?;
        Ok(PoolStats { name: T::CONFIG.name_of::<T>(), ..stats })
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

    fn visit(&'static self, visit: Visit) -> Option<&'static dyn Upkeep> {
        T::KEY.visit(visit)
    }

    fn is_used_here(&'static self) -> bool {
        T::KEY.is_used_here()
    }

    #[cfg(feature = "view")]
    fn map(&'static self, may_wait: bool) -> Result<PoolMap, Refusal> {
        T::KEY.look(may_wait, |roster| roster.map_as(T::CONFIG.name_of::<T>()))
    }
}
