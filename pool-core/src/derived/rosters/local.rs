//! The storage `thread_local` of rosters: each thread has a roster of its own.
//!
//! The thread-local has no destructor, for the reasons given in `derived/local.rs`. When its thread ends, the roster is
//! *closed*: its elements are dropped, and its memory goes back. Destructors of other thread-locals may still use it,
//! before or after. If they leave something in it, it is closed again.

use alloc::collections::LinkedList;
use core::any::type_name;
use core::cell::Cell;
use core::marker::PhantomData;
use core::mem;
use core::ops::{Deref, DerefMut};

use crate::base::Finally;
use crate::base::atomic::{Mutex, lock};
use crate::base::config::Config;
use crate::base::ledger::{OpError, PoolOps, TypeFacts, Visit};
use crate::base::opaque::{Opaque, Resident};
use crate::base::stats;
use crate::derived::pooled::Pooled;
use crate::derived::roster_ref::HasHandles;
use crate::derived::rosters::cell::{Lent, RosterCell};
use crate::derived::rosters::{Deferred, OfType, defer, facts, remove_nested, take};
use crate::derived::storage::{Never, RosterHandles, RosterStorage, Storage};
use crate::roster::Roster;
use crate::thread::end::Registration;
use crate::thread::local::InThread;

/// One thread's roster of one type.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct LocalRoster<T> {
    roster: Opaque<RosterCell<T>>,
    registration: Opaque<Registration>,
    is_closed: Cell<bool>,
    deferred: Opaque<Deferred>,
    /// How deep removals are nested.
    depth: Cell<usize>,
    /// Whether there is something to do when a use ends: the roster is closed, or removals were deferred.
    is_unsettled: Cell<bool>,
}

impl<T> Resident for LocalRoster<T> {
    fn is_reclaimable(&self) -> bool {
        let is_unused = || self.roster.borrow::<true>().is_some_and(|roster| roster.is_unused());
        !self.registration.is_listed() && is_unused()
    }
}

impl<T> LocalRoster<T> {
    /// A roster that grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self::new(Config::new());

    /// A roster that grows as `config` says.
    #[must_use]
    pub const fn new(config: Config) -> Self {
        Self {
            roster: Opaque::new(RosterCell::new(config)),
            registration: Registration::OPAQUE,
            is_closed: Cell::new(false),
            deferred: Opaque::new(Mutex::new(LinkedList::new())),
            depth: Cell::new(0),
            is_unsettled: Cell::new(false),
        }
    }
}

impl<T: HasHandles<Key = InThread<Self>>> LocalRoster<T> {
    /// Sees to it that the roster is closed when its thread ends; to be called before it grows.
    #[inline]
    fn register(&self, facts: fn() -> &'static TypeFacts) {
        if !self.registration.is_registered() {
            self.register_now(facts);
        }
    }

    #[cold]
    fn register_now(&self, facts: fn() -> &'static TypeFacts) {
        // One in use does not grow now, and would not be listed.
        let Some(mut roster) = self.roster.borrow::<true>() else { return };
        T::KEY.shared().get().join(facts());
        roster.join(T::KEY.shared().get(), T::CONFIG.name);
        drop(roster);
        if !self.registration.register(&OfType::<T>(PhantomData), T::KEY.shared().get()) {
            // The end has come already.
            self.begin_to_close();
        }
    }

    /// If the roster is in use while the thread ends, it stays as it is: the process exits from within a closure, or a
    /// coroutine was suspended in one.
    fn close(&self) {
        self.begin_to_close();
        let Some(mut roster) = self.roster.borrow::<true>() else { return };
        roster.publish();
        let (mut first, end) = (0, roster.capacity());
        drop(roster);
        // One by one: destructors may use the roster, and elements that they insert may remain.
        while first < end {
            let Some(mut roster) = self.roster.borrow::<true>() else { return };
            let Some(popped) = roster.pop_first_from(&mut first) else { return };
            drop(roster);
            drop(popped);
        }
    }

    fn begin_to_close(&self) {
        self.is_closed.set(true);
        self.is_unsettled.set(true);
    }

    /// Settles the roster when a use of it ends, even by a panic: if it is closed, or removals were deferred.
    #[inline]
    fn at_end(&self) -> Finally<impl FnMut() + '_> {
        Finally(|| {
            if self.is_unsettled.get() {
                self.end_use(None);
            }
        })
    }

    /// Removes the `first`, and all whose removal was deferred, unless another use goes on.
    #[cold]
    #[inline(never)]
    fn end_use(&self, first: Option<u64>) {
        let defer = |number| {
            self.is_unsettled.set(true);
            defer(&self.deferred, number);
        };
        let nest = |by| {
            self.depth.set(self.depth.get().wrapping_add_signed(by));
            self.depth.get()
        };
        remove_nested(nest, first, defer, |number| {
            take(&self.deferred, number, &mut *self.roster.borrow::<true>()?)
        });
        self.is_unsettled.set(self.is_closed.get() || !lock(&self.deferred).is_empty());
        if self.is_closed.get() {
            self.settle(Roster::is_unused);
        }
    }

    /// Replaces a closed roster by a new one, as the type configures it, if it `is_reclaimable`; otherwise lists it to be closed once more.
    /// Unless the type has chosen a tag, the new one has a tag of its own, so old handles find nothing there.
    #[cold]
    fn settle(&self, is_reclaimable: fn(&Roster<T>) -> bool) {
        // It may be in use, even if only to read.
        let Some(mut roster) = self.roster.borrow::<true>() else { return };
        if is_reclaimable(&roster) {
            let spent = mem::replace(&mut *roster, Roster::with_config(T::CONFIG));
            drop(roster);
            drop(spent);
        } else {
            drop(roster);
            let (pool, record) = (&OfType::<T>(PhantomData), T::KEY.shared().get());
            self.registration.register_again(pool, record, type_name::<T>);
        }
    }
}

/// A roster in use. When the use ends, even by a panic, it may be another one, which then adds to the totals of the type.
struct Joins<'a, T: HasHandles<Key = InThread<LocalRoster<T>>>>(&'a mut Roster<T>);

impl<T: HasHandles<Key = InThread<LocalRoster<T>>>> Drop for Joins<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.0.join(T::KEY.shared().get(), T::CONFIG.name);
    }
}

/// The roster, until this is dropped: to read, or `ALONE`.
#[allow(missing_debug_implementations, unnameable_types, reason = "for `RosterRef`")]
pub struct LocalRef<T: HasHandles<Key = InThread<LocalRoster<T>>>, const ALONE: bool>(
    Lent<T, ALONE>,
);

impl<T: HasHandles<Key = InThread<LocalRoster<T>>>, const ALONE: bool> Deref
    for LocalRef<T, ALONE>
{
    type Target = Roster<T>;

    #[inline]
    fn deref(&self) -> &Roster<T> {
        &self.0.roster
    }
}

impl<T: HasHandles<Key = InThread<LocalRoster<T>>>> DerefMut for LocalRef<T, true> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Roster<T> {
        &mut self.0.roster
    }
}

impl<T: HasHandles<Key = InThread<LocalRoster<T>>>, const ALONE: bool> Drop for LocalRef<T, ALONE> {
    fn drop(&mut self) {
        let _ = T::KEY.with(|local| {
            let _settle = local.at_end();
            if ALONE {
                self.0.roster.join(T::KEY.shared().get(), T::CONFIG.name);
            }
            mem::replace(&mut self.0, Lent::NONE).end(&local.roster)
        });
    }
}

impl<T: Pooled<RosterHandles, __Storage = Self>> Storage<T> for InThread<LocalRoster<T>> {
    type Boxes = Never;
    type Roster = Self;

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn facts() -> &'static TypeFacts {
        const { &facts::<T>(stats::Storage::ThreadLocal) }
    }
}

#[allow(private_interfaces, reason = "for this crate alone")]
impl<T: Pooled<RosterHandles, __Storage = Self>> RosterStorage<T> for InThread<LocalRoster<T>> {
    type Ref = LocalRef<T, false>;
    type RefMut = LocalRef<T, true>;

    fn try_borrow(self) -> Result<LocalRef<T, false>, OpError> {
        self.with(|local| local.roster.lend())?.map(LocalRef).ok_or(OpError::InUse)
    }

    fn try_borrow_mut(self) -> Result<LocalRef<T, true>, OpError> {
        let lent = self.with(|local| {
            local.register(Self::facts);
            local.roster.lend()
        });
        lent?.map(LocalRef).ok_or(OpError::InUse)
    }

    #[inline]
    fn try_lend_mut<R>(self, f: impl FnOnce(&mut Roster<T>) -> R) -> Result<R, OpError> {
        let result = self.with(|local| {
            local.register(Self::facts);
            let _settle = local.at_end();
            let mut roster = local.roster.borrow::<true>()?;
            Some(f(Joins(&mut roster).0))
        });
        result?.ok_or(OpError::InUse)
    }

    #[inline]
    fn try_lend<R>(self, f: impl FnOnce(&Roster<T>) -> R) -> Result<R, OpError> {
        let result = self.with(|local| {
            let _settle = local.at_end();
            let roster = local.roster.borrow::<false>()?;
            Some(f(&roster))
        });
        result?.ok_or(OpError::InUse)
    }

    fn remove_later(self, number: u64) {
        let _ = self.with(|local| local.end_use(Some(number)));
    }

    fn is_used_here(self) -> bool {
        self.with(|local| local.registration.is_registered()).unwrap_or(false)
    }

    fn visit(self, visit: Visit) -> Option<&'static dyn PoolOps> {
        let visited = self.with(|local| {
            if visit != Visit::End {
                return local.registration.next(visit, self.shared().get());
            }
            local.close();
            let next = local.registration.next(visit, self.shared().get());
            // Detached elements are with the user, and keep nothing here.
            local.settle(|roster| roster.is_empty());
            next
        });
        visited.ok().flatten()
    }
}
