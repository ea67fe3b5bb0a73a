//! The storage `static` of rosters: one for the whole process, behind a lock.
//!
//! User code runs while the lock is held, so each thread keeps a [`BorrowState`], in a `const` thread-local. A thread that
//! already reads may read again without the lock; any other use while it holds the lock is a panic, not a deadlock.
//!
//! A panic in user code does not poison the roster: the roster is in order whenever user code runs, and thread-local
//! rosters have no poison either.

use core::cell::{Cell, UnsafeCell};
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::base::config::Config;
use crate::base::ledger::{Facts, Record, Refusal};
use crate::base::opaque::{Opaque, Resident};
use crate::base::shared_lock::{FREE, LEFT, SharedLock, Word};
use crate::base::stats;
use crate::derived::pooled::Pooled;
use crate::derived::roster_ref::HasRoster;
use crate::derived::rosters::{DeferredRemovals, facts, remove};
use crate::derived::storage::{InStatic, Never, RosterHandles, RosterStorage, Storage};
use crate::roster::Roster;
use crate::thread::LocalKey;

/// The key of a roster, with the statics that it needs.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_roster {
    ($ty:ty, $config:expr) => {{
        $crate::__private::thread_local! {
            static __TYPED_POOL_BORROWS: $crate::__private::BorrowState =
                const { $crate::__private::BorrowState::UNUSED };
        }
        static __TYPED_POOL: $crate::__private::SharedRoster<$ty> = {
            let __config = $config;
            // SAFETY: the thread-local is declared above, and nothing else refers to it.
            unsafe { $crate::__private::SharedRoster::new(__config, &__TYPED_POOL_BORROWS) }
        };
        // SAFETY: the static is declared above, and nothing else refers to it.
        unsafe { $crate::__private::InStatic::new(&raw const __TYPED_POOL) }
    }};
}

/// The one roster of a type, for all threads.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct SharedRoster<T> {
    uses: Uses,
    /// Behind the lock.
    roster: UnsafeCell<Roster<T>>,
}

/// Who uses a roster, whatever its type.
struct Uses {
    lock: SharedLock,
    borrows: &'static LocalKey<BorrowState>,
    record: Record,
    /// How many threads are about to clear it.
    clearing: AtomicUsize,
}

/// How one thread uses the roster.
///
/// Uses are counted, not nested: closures may be suspended (coroutines), and end in any order. The state has no
/// destructor, so a leaked closure leaves the roster in use forever.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct BorrowState {
    /// How many uses read otherwise than by the thread's row.
    uses: Cell<usize>,
    deferred: Opaque<DeferredRemovals>,
}

impl Resident for BorrowState {
    fn is_spent(&self) -> bool {
        self.uses.get() == 0
    }
}

impl BorrowState {
    /// No use.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const UNUSED: Self =
        Self { uses: Cell::new(0), deferred: Opaque::new(DeferredRemovals::new()) };

    /// Tells this state from other threads' states.
    fn address(&self) -> usize {
        ptr::from_ref(self).addr()
    }
}

/// Exclusive uses by this thread of rosters that were being cleared; with one more, if this is one. `None` if the thread counts no more.
///
/// Not inlined: see [`Uses::end_counted`].
#[cold]
#[inline(never)]
fn uses_while_clearing(one_more: bool) -> Option<usize> {
    std::thread_local! {
        static COUNT: Cell<usize> = const { Cell::new(0) };
    }
    let count = |count: &Cell<usize>| {
        count.set(count.get().wrapping_add(one_more.into()));
        count.get()
    };
    COUNT.try_with(count).ok()
}

/// A thread clears the roster, until this is dropped: one of as many.
struct Clearing(&'static AtomicUsize);

impl Drop for Clearing {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How a use is remembered.
enum Use {
    /// By the row of its thread.
    InRow(&'static Word),
    /// By the state at this address; 0 if the thread has no state any more, or the use is exclusive.
    Otherwise(usize),
}

impl Uses {
    /// A use that reads; `None` if this thread has the roster exclusively.
    #[cold]
    #[inline(never)]
    fn read(&'static self, facts: &'static Facts) -> Option<Use> {
        if self.lock.is_written_here() {
            return None;
        }
        if let Some(word) = self.lock.read_by_row() {
            return Some(Use::InRow(word));
        }
        self.record.join(facts);
        self.lock.count_in(|| self.is_read_here());
        let count = |state: &BorrowState| {
            state.uses.set(state.uses.get() + 1);
            state.address()
        };
        Some(Use::Otherwise(self.borrows.try_with(count).unwrap_or(0)))
    }

    /// Takes the lock for a use that writes; returns whether it did: not if this thread uses the roster already.
    #[cold]
    #[inline(never)]
    fn write(&'static self) -> bool {
        let is_used = self.lock.is_written_here() || self.is_read_here();
        if !is_used {
            self.lock.write();
        }
        !is_used
    }

    /// Whether this thread reads. (If it began what ended elsewhere, and others are counted, it seems to.)
    fn is_read_here(&self) -> bool {
        self.lock.is_read_by_row()
            || self.lock.is_counted()
                && self.borrows.try_with(|state| state.uses.get() != 0).unwrap_or(false)
    }

    /// Ends a use that is counted in the state with this address. As [`SharedLock::leave`].
    ///
    /// If the thread has another state, the closure was suspended in one thread and resumed in another. The first
    /// thread's state is out of reach, and stays as it is.
    ///
    /// Not inlined: the compiler would assume that the thread is the same as at the beginning.
    #[inline(never)]
    fn end_counted(&'static self, address: usize) -> bool {
        let _ = self.borrows.try_with(|state| {
            if state.address() == address {
                state.uses.set(state.uses.get().saturating_sub(1));
            }
        });
        self.lock.count_out()
    }

    /// Ends a use that leaves work: wakes others, and removes what this thread has put off, unless it still uses the roster. Others may
    /// have the roster by then, and destructors use it.
    #[cold]
    #[inline(never)]
    fn end_use<T: HasRoster>(&'static self, sleeper: usize) {
        if self.lock.wake(sleeper) && !self.is_read_here() {
            self.remove_deferred::<T>(None);
        }
    }

    /// Removes the `first`, and what this thread has put off.
    fn remove_deferred<T: HasRoster>(&'static self, first: Option<u64>) {
        let count = |by| self.lock.count_put_off(by);
        let take = |number| T::KEY.try_lend_mut(|roster| remove(roster, number)).ok();
        let removed = self.borrows.try_with(|state| state.deferred.run(first, count, take));
        if let (Err(_), Some(number)) = (removed, first) {
            // The thread's state is gone: this one is nested.
            drop(take(number));
        }
    }
}

// SAFETY: a writer holds the lock alone, and a reader shares it with readers only. Elements are sent from the thread that
// inserts to the one that removes (`Send`), and several threads may refer to them at a time (`Sync`).
unsafe impl<T: Send + Sync> Sync for SharedRoster<T> {}

impl<T> SharedRoster<T> {
    /// An empty roster that grows as `config` says.
    ///
    /// # Safety
    ///
    /// No other roster has the thread-local `borrows`.
    #[must_use]
    pub const unsafe fn new(config: Config, borrows: &'static LocalKey<BorrowState>) -> Self {
        let uses = Uses {
            lock: SharedLock::new(),
            borrows,
            record: Record::new(),
            clearing: AtomicUsize::new(0),
        };
        Self { uses, roster: UnsafeCell::new(Roster::with_config(config)) }
    }
}

/// The roster until this is dropped: to read, or `ALONE`.
#[allow(missing_debug_implementations, unnameable_types, reason = "for `RosterRef`")]
pub struct StaticRef<T: HasRoster<Key = InStatic<SharedRoster<T>>>, const ALONE: bool> {
    usage: Use,
    roster: PhantomData<&'static T>,
}

impl<T: HasRoster<Key = InStatic<SharedRoster<T>>>, const ALONE: bool> Deref
    for StaticRef<T, ALONE>
{
    type Target = Roster<T>;

    #[inline]
    fn deref(&self) -> &Roster<T> {
        // SAFETY: the lock is held until this is dropped; for writing, if `ALONE`, and then not twice by this thread.
        unsafe { &*T::KEY.get().roster.get() }
    }
}

impl<T: HasRoster<Key = InStatic<SharedRoster<T>>>> DerefMut for StaticRef<T, true> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Roster<T> {
        // SAFETY: as above.
        unsafe { &mut *T::KEY.get().roster.get() }
    }
}

impl<T: HasRoster<Key = InStatic<SharedRoster<T>>>, const ALONE: bool> Drop
    for StaticRef<T, ALONE>
{
    #[inline(always)]
    fn drop(&mut self) {
        let uses = &T::KEY.get().uses;
        let is_more_to_do = match self.usage {
            Use::InRow(word) => uses.lock.leave(word),
            Use::Otherwise(state) if !ALONE => uses.end_counted(state),
            Use::Otherwise(_) => {
                if uses.clearing.load(Ordering::Relaxed) != 0 {
                    uses_while_clearing(true);
                }
                uses.lock.end_writing()
            }
        };
        if is_more_to_do {
            uses.end_use::<T>(if ALONE { FREE } else { LEFT });
        }
    }
}

impl<T: Pooled<RosterHandles, __Storage = Self>> Storage<T> for InStatic<SharedRoster<T>> {
    type Boxes = Never;
    type Roster = Self;

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn facts() -> &'static Facts {
        const { &facts::<T>(stats::Storage::Static) }
    }
}

#[allow(private_interfaces, reason = "for this crate alone")]
impl<T: Pooled<RosterHandles, __Storage = Self>> RosterStorage<T> for InStatic<SharedRoster<T>> {
    type Ref = StaticRef<T, false>;
    type RefMut = StaticRef<T, true>;

    #[inline(always)]
    fn try_borrow(self) -> Result<StaticRef<T, false>, Refusal> {
        // By the key of the type, as a `StaticRef` finds the roster and ends the use.
        let uses = &T::__POOL.get().uses;
        let usage = match uses.lock.read_at_hand() {
            Some(word) => Use::InRow(word),
            None => uses.read(Self::facts()).ok_or(Refusal::InUse)?,
        };
        Ok(StaticRef { usage, roster: PhantomData })
    }

    #[inline(always)]
    fn try_borrow_mut(self) -> Result<StaticRef<T, true>, Refusal> {
        let uses = &T::__POOL.get().uses;
        if !uses.lock.write_at_hand() && !uses.write() {
            return Err(Refusal::InUse);
        }
        if !uses.record.is_listed() {
            uses.record.join(Self::facts());
        }
        let mut writing = StaticRef { usage: Use::Otherwise(0), roster: PhantomData };
        // It is new, or was assigned by the last use.
        writing.join(&uses.record);
        Ok(writing)
    }

    #[track_caller]
    fn refuse(self, refusal: Refusal) -> ! {
        Self::facts().refuse(refusal)
    }

    fn remove_later(self, number: u64) {
        self.get().uses.remove_deferred::<T>(Some(number));
    }

    fn look<R>(self, may_wait: bool, f: impl FnOnce(&Roster<T>) -> R) -> Result<R, Refusal> {
        if may_wait {
            return self.try_lend(f);
        }
        let uses = &T::__POOL.get().uses;
        if !uses.lock.try_read(uses.is_read_here()) {
            return Err(Refusal::InUse);
        }
        Ok(f(&StaticRef::<T, false> { usage: Use::Otherwise(0), roster: PhantomData }))
    }

    /// What others insert meanwhile is not pursued, or there might be no end; what the destructors insert
    /// that run here is.
    #[track_caller]
    fn clear(self) {
        let clearing = &self.get().uses.clearing;
        clearing.fetch_add(1, Ordering::Relaxed);
        let _clearing = Clearing(clearing);
        loop {
            let (before, mut own, mut first) = (uses_while_clearing(false), 1, 0);
            let end = self.lend_mut(|roster| roster.capacity());
            while first < end {
                own += 1;
                let popped = self.lend_mut(|roster| roster.pop_first_from(&mut first));
                if popped.is_none() {
                    break;
                }
                drop(popped);
            }
            // Whatever a destructor did with the roster, it may have inserted elements, or put another roster there.
            if uses_while_clearing(false) == before.map(|before| before.wrapping_add(own)) {
                return;
            }
        }
    }
}
