//! The rosters of types: one in each thread, or one for all.

use alloc::collections::LinkedList;
use core::alloc::Layout;
use core::marker::PhantomData;
use core::mem;

use crate::base::Finally;
use crate::base::atomic::{Mutex, lock};
use crate::base::handle::{Handle, IS_HANDLE};
use crate::base::ledger::{OpError, PoolOps, TypeFacts, Visit};
use crate::base::map::PoolMap;
use crate::base::stats::{self, PoolStats};
use crate::derived::local::LocalPoolRef;
use crate::derived::pooled::{Pooled, facts_of};
use crate::derived::roster_ref::HasHandles;
use crate::derived::storage::{BoxStorage, Never, RosterHandles, RosterStorage as _};
use crate::roster::Roster;
use crate::strategy::InFreeList;

mod cell;
pub(crate) mod local;
pub(crate) mod static_roster;

/// Removals that are deferred until the roster is unused, by the numbers that [`take`] is given.
type Deferred = Mutex<LinkedList<u64>>;

#[inline]
fn defer(deferred: &Deferred, number: u64) {
    // Made before the lock is taken: the heap may be a user of the roster.
    let mut last = LinkedList::from([number]);
    lock(deferred).append(&mut last);
}

/// An element that was removed, if there was one, and the memory of its place among those that wait. Both are dropped when the roster is
/// not borrowed: the heap may be a user of it, as a destructor may.
type Removed<T> = (Option<T>, LinkedList<u64>);

/// Removes the element whose handle has this number; without [`IS_HANDLE`] among its bits, gives back the slot that is reserved for the
/// handle. Without a number, removes the element that has waited longest; `None` if none waits.
fn take<T>(deferred: &Deferred, number: Option<u64>, roster: &mut Roster<T>) -> Option<Removed<T>> {
    let mut first = LinkedList::new();
    if number.is_none() {
        let mut waiting = lock(deferred);
        first = mem::take(&mut *waiting);
        *waiting = first.split_off(first.len().min(1));
    }
    let number = number.or(first.front().copied())?;
    let Some(handle) = Handle::from_bits(number | IS_HANDLE) else { return Some((None, first)) };
    if number & IS_HANDLE != 0 {
        return Some((roster.remove(handle), first));
    }
    roster.release(handle);
    Some((None, first))
}

/// How deep removals that destructors ask for are nested.
const MOST_NESTED: usize = 16;

/// Takes out the number's element and drops it, or defers that; then takes out and drops those that wait, until there is none. `nest`
/// adds to the depth of removals in this thread, and returns it.
///
/// A removal that a destructor asks for runs within it, up to [`MOST_NESTED`] deep; a chain takes no more stack than that, since the rest waits for
/// the deepest call. (If only one ran at a time, a destructor that is suspended for ever would leave all others waiting.)
fn remove_nested<T>(
    nest: impl Fn(isize) -> usize,
    number: Option<u64>,
    defer: impl FnOnce(u64),
    take: impl Fn(Option<u64>) -> Option<Removed<T>>,
) {
    let is_shallow = nest(1) <= MOST_NESTED;
    let _nested = Finally(|| _ = nest(-1));
    // What is taken is dropped here.
    let is_taken = |number| is_shallow && take(number).is_some();
    if let Some(number) = number.filter(|&number| !is_taken(Some(number))) {
        defer(number);
    }
    while is_taken(None) {}
}

/// A pool of handles has no boxes.
// SAFETY: nothing is ever found, nor acquired.
unsafe impl<T: 'static> BoxStorage<T> for Never {
    type Slot = T;
    const LAYOUT: Layout = Layout::new::<T>();
    type Found = LocalPoolRef<InFreeList>;

    unsafe fn find(self) -> Self::Found {
        match self {}
    }
}

/// Returns the facts of the rosters of a type.
const fn facts<T: Pooled<RosterHandles>>(storage: stats::Storage) -> TypeFacts {
    facts_of::<T, _>(stats::Strategy::ROSTER, storage, const { &OfType::<T>(PhantomData) })
}

/// The roster of a type, for what is rarely done with it.
struct OfType<T>(PhantomData<fn() -> T>);

impl<T: HasHandles> PoolOps for OfType<T> {
    fn stats(&'static self, may_wait: bool) -> Result<PoolStats, OpError> {
        let stats = T::KEY.inspect(may_wait, Roster::stats)?;
        Ok(PoolStats { name: T::CONFIG.name_of::<T>(), ..stats })
    }

    fn reserve(&'static self, additional: usize) -> Result<(), OpError> {
        let reserved = T::KEY.try_lend_mut(|roster| roster.try_reserve(additional))?;
        reserved.map_err(OpError::NoRoom)
    }

    fn prefault(&'static self) -> Result<(), OpError> {
        T::KEY.try_lend_mut(Roster::prefault)
    }

    fn trim(&'static self) -> Result<usize, OpError> {
        T::KEY.try_lend_mut(|roster| roster.trim_to(0))
    }

    fn visit(&'static self, visit: Visit) -> Option<&'static dyn PoolOps> {
        T::KEY.visit(visit)
    }

    fn is_used_here(&'static self) -> bool {
        T::KEY.is_used_here()
    }

    #[cfg(feature = "view")]
    fn map(&'static self, may_wait: bool) -> Result<PoolMap, OpError> {
        T::KEY.inspect(may_wait, |roster| roster.map_as(T::CONFIG.name_of::<T>()))
    }
}
