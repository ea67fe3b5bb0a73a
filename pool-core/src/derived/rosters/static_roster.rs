//! The storage `static` of rosters: one for the whole process, behind a lock.
//!
//! User code runs while the lock is held. The lock knows which thread holds it, except for readers that are only counted: each thread
//! counts its own, in a [`BorrowState`]. A thread that already reads may read again; any other use while it holds the lock is a
//! panic, not a deadlock.
//!
//! A panic in user code does not poison the roster: the roster is in order whenever user code runs, and thread-local
//! rosters have no poison either.

use alloc::collections::LinkedList;
use core::cell::{Cell, UnsafeCell};
use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::Ordering;

use crate::base::atomic::Mutex;
use crate::base::config::Config;
use crate::base::ledger::{OpError, Record, TypeFacts};
use crate::base::opaque::Resident;
use crate::base::shared_lock::{SharedLock, UNIT, Use};
use crate::base::stats;
use crate::derived::pooled::Pooled;
use crate::derived::rosters::{Deferred, Removed, defer, facts, remove_nested, take};
use crate::derived::storage::{InStatic, Never, RosterHandles, RosterStorage, Storage};
use crate::roster::Roster;
use crate::thread::{self, LocalKey};

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
    deferred: Deferred,
}

/// How one thread uses the roster, as far as the lock does not know.
///
/// Uses are counted, not nested: closures may be suspended (coroutines), and end in any order.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct BorrowState {
    /// How many uses read without a word.
    reads: Cell<usize>,
    /// How deep removals are nested.
    depth: Cell<usize>,
}

impl Resident for BorrowState {
    #[inline]
    fn is_reclaimable(&self) -> bool {
        self.reads.get() == 0 && self.depth.get() == 0
    }
}

impl BorrowState {
    /// No use.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const UNUSED: Self = Self { reads: Cell::new(0), depth: Cell::new(0) };
}

/// The number of this thread. (If none is left, one that other threads have as well: then a use that could wait for them may be an error.)
#[inline(always)]
fn this_thread() -> usize {
    thread::number().max(1)
}

impl Uses {
    /// A use that reads; `None` if this thread has the roster exclusively.
    #[inline(always)]
    fn read(&self) -> Option<Use<'_>> {
        let thread = this_thread();
        match self.lock.enter(thread) {
            None => self.read_counted(thread),
            entered => entered,
        }
    }

    #[cold]
    #[inline]
    fn read_counted(&self, thread: usize) -> Option<Use<'_>> {
        if self.lock.is_written_by(thread) {
            return None;
        }
        let reads_already = self.is_read_by(thread);
        self.lock.wait_until(|| self.lock.try_count(reads_already));
        self.count(None, |state| &state.reads, 1);
        Some(Use::Counted(thread))
    }

    /// Begins to write; `false` if this thread uses the roster already. (No [`Use`] is returned: it would go through memory.)
    #[inline(always)]
    fn write(&self) -> bool {
        let thread = this_thread();
        self.lock.try_write(thread).is_some() || self.wait_to_write(thread)
    }

    #[cold]
    #[inline]
    fn wait_to_write(&self, thread: usize) -> bool {
        let is_used = self.lock.is_written_by(thread) || self.is_read_by(thread);
        if !is_used {
            self.lock.write(thread);
        }
        !is_used
    }

    /// Whether this thread reads. (It seems to if a use that it began has ended in another thread, while other readers are counted.)
    #[inline]
    fn is_read_by(&self, thread: usize) -> bool {
        let reads = self.count(None, |state| &state.reads, 0);
        self.lock.is_read_by(thread, reads.is_some_and(|reads| reads != 0))
    }

    /// Changes this thread's state. If this is not the `thread` with that number, a closure was suspended there and resumed here: that
    /// thread's state is out of reach, and stays as it is.
    ///
    /// Not inlined: the compiler would assume that the thread is the same as at the beginning.
    #[cold]
    #[inline(never)]
    fn count(
        &self,
        thread: Option<usize>,
        what: fn(&BorrowState) -> &Cell<usize>,
        by: isize,
    ) -> Option<usize> {
        let count = |state: &BorrowState| {
            what(state).set(what(state).get().saturating_add_signed(by));
            what(state).get()
        };
        let is_here = thread.is_none_or(|thread| thread == this_thread());
        if is_here { self.borrows.try_with(count).ok() } else { None }
    }
}

// SAFETY: a writer holds the lock alone, and a reader shares it with readers only. Elements are sent from the thread that
// inserts to the one that removes (`Send`), and several threads may refer to them at a time (`Sync`): only `new` makes one.
unsafe impl<T> Sync for SharedRoster<T> {}

impl<T> SharedRoster<T> {
    /// An empty roster that grows as `config` says.
    ///
    /// # Safety
    ///
    /// No other roster has the thread-local `borrows`.
    #[must_use]
    #[rustfmt::skip] // The compiler shows the bounds.
    pub const unsafe fn new(config: Config, borrows: &'static LocalKey<BorrowState>) -> Self
    where
        T: Send + // use `Arc` for `Rc`, `Mutex` for `RefCell`; or leave out `static`
            Sync, // use an atomic for `Cell`, `RwLock` for `RefCell`; or leave out `static`
    {
        let uses = Uses {
            lock: SharedLock::new(),
            borrows,
            record: Record::new(),
            deferred: Mutex::new(LinkedList::new()),
        };
        Self { uses, roster: UnsafeCell::new(Roster::with_config(config)) }
    }
}

impl<T: 'static> SharedRoster<T> {
    /// Removes the element with the number, and those that wait, unless the roster is in use: then the end of that use will.
    #[cold]
    #[inline(never)]
    fn remove_deferred(&'static self, number: Option<u64>) {
        let uses = &self.uses;
        let defer = |number| {
            defer(&uses.deferred, number);
            uses.lock.to_do.fetch_add(UNIT, Ordering::SeqCst);
        };
        let thread = this_thread();
        let nest = |by| uses.count(Some(thread), |state| &state.depth, by).unwrap_or(0);
        remove_nested(nest, number, defer, |number| self.take(number));
    }

    /// [`take`], if the roster is unused.
    fn take(&'static self, number: Option<u64>) -> Option<Removed<T>> {
        let Uses { lock, deferred, .. } = &self.uses;
        if number.is_none() && lock.to_do.load(Ordering::SeqCst) < UNIT {
            return None;
        }
        let usage = lock.try_write(this_thread())?;
        // Not dropped, since its destructor would come back here; and not used once the lock is given back.
        let mut alone = ManuallyDrop::new(StaticRef::<T, true> { shared: self, usage });
        let removed = take(deferred, number, &mut alone);
        if number.is_none() && removed.is_some() {
            lock.to_do.fetch_sub(UNIT, Ordering::SeqCst);
        }
        lock.end(&alone.usage);
        removed
    }
}

/// The roster until this is dropped: to read, or `ALONE`.
#[allow(missing_debug_implementations, unnameable_types, reason = "for `RosterRef`")]
pub struct StaticRef<T: 'static, const ALONE: bool> {
    shared: &'static SharedRoster<T>,
    usage: Use<'static>,
}

impl<T, const ALONE: bool> Deref for StaticRef<T, ALONE> {
    type Target = Roster<T>;

    #[inline]
    fn deref(&self) -> &Roster<T> {
        // SAFETY: the lock is held until this is dropped; for writing, if `ALONE`, and then not twice by this thread.
        unsafe { &*self.shared.roster.get() }
    }
}

impl<T> DerefMut for StaticRef<T, true> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Roster<T> {
        // SAFETY: as above.
        unsafe { &mut *self.shared.roster.get() }
    }
}

impl<T, const ALONE: bool> Drop for StaticRef<T, ALONE> {
    #[inline(always)]
    fn drop(&mut self) {
        let uses = &self.shared.uses;
        if let Use::Counted(thread) = self.usage {
            uses.count(Some(thread), |state| &state.reads, -1);
        }
        if uses.lock.end(&self.usage) {
            self.shared.remove_deferred(None);
        }
    }
}

impl<T: Pooled<RosterHandles, __Storage = Self>> Storage<T> for InStatic<SharedRoster<T>> {
    type Boxes = Never;
    type Roster = Self;

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn facts() -> &'static TypeFacts {
        const { &facts::<T>(stats::Storage::Static) }
    }
}

#[allow(private_interfaces, reason = "for this crate alone")]
impl<T: Pooled<RosterHandles, __Storage = Self>> RosterStorage<T> for InStatic<SharedRoster<T>> {
    type Ref = StaticRef<T, false>;
    type RefMut = StaticRef<T, true>;

    #[inline(always)]
    fn try_borrow(self) -> Result<StaticRef<T, false>, OpError> {
        let shared = self.get();
        let usage = shared.uses.read().ok_or(OpError::InUse)?;
        Ok(StaticRef { shared, usage })
    }

    #[inline(always)]
    fn try_borrow_mut(self) -> Result<StaticRef<T, true>, OpError> {
        let shared = self.get();
        if !shared.uses.write() {
            return Err(OpError::InUse);
        }
        let mut writing = StaticRef { shared, usage: Use::Alone };
        let record = &shared.uses.record;
        if !record.is_listed() {
            record.join(Self::facts());
        }
        // It is new, or was assigned by the last use.
        writing.join(record, T::__CONFIG.name);
        Ok(writing)
    }

    fn remove_later(self, number: u64) {
        self.get().remove_deferred(Some(number));
    }

    fn inspect<R>(self, may_wait: bool, f: impl FnOnce(&Roster<T>) -> R) -> Result<R, OpError> {
        if may_wait {
            return self.try_lend(f);
        }
        let (shared, thread) = (self.get(), this_thread());
        let uses = &shared.uses;
        if !uses.lock.try_count(uses.is_read_by(thread)) {
            return Err(OpError::InUse);
        }
        Ok(f(&StaticRef::<T, false> { shared, usage: Use::Counted(0) }))
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
