//! The storage `static` of rosters: one for the whole process, behind a lock.
//!
//! User code runs while the lock is held, so each thread keeps a [`BorrowState`], in a `const` thread-local. A thread that
//! already reads may read again without the lock; any other use while it holds the lock is a panic, not a deadlock.
//!
//! A panic in user code does not poison the roster: the roster is in order whenever user code runs, and thread-local
//! rosters have no poison either.

use core::any::type_name;
use core::cell::{Cell, UnsafeCell};
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut};
use std::sync::{RwLockReadGuard, RwLockWriteGuard};

use crate::base::config::Config;
use crate::base::handle::Handle;
use crate::base::ledger::{self, Facts, Owner, Record, Refusal, Upkeep};
use crate::base::opaque::Opaque;
use crate::base::shared_lock::{SharedLock, Word};
use crate::base::stats::PoolStats;
use crate::base::watch::sites::Line;
use crate::derived::pooled::Pooled;
use crate::derived::rosters::ahead::Ahead;
use crate::derived::rosters::{PutOff, unique};
use crate::derived::storage::InStatic;
use crate::derived::storage::RosterHandles;
use crate::derived::storage::{Never, RosterStorage, Storage};
use crate::derived::thread_local::{LocalKey, Resident};
use crate::roster::Roster;

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
            let config = $config;
            // SAFETY: the thread-local is declared above, and nothing else refers to it.
            unsafe { $crate::__private::SharedRoster::new(config, &__TYPED_POOL_BORROWS) }
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
    ahead: Ahead,
}

/// Who uses a roster, whatever its type.
struct Uses {
    lock: SharedLock,
    borrows: &'static LocalKey<BorrowState>,
    record: Record,
}

/// How one thread uses the roster.
///
/// Uses are counted, not nested: closures may be suspended (coroutines), and end in any order. The state has no
/// destructor, so a leaked closure leaves the roster in use forever.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct BorrowState {
    /// How many uses read otherwise than by the thread's row, or -1 if one writes.
    uses: Cell<isize>,
    /// The lock, while they read: the first of them takes it, and the last gives it back.
    lock: Cell<Option<ManuallyDrop<RwLockReadGuard<'static, ()>>>>,
    /// Tells this state from other threads' states; 0 until it is needed.
    number: Cell<usize>,
    /// How many of the thread's uses inserted elements.
    insertions: Cell<usize>,
    put_off: Opaque<PutOff>,
    /// Of the type, once a removal was put off.
    facts: Cell<Option<&'static Facts>>,
}

impl Resident for BorrowState {
    fn is_spent(&self) -> bool {
        self.uses.get() == 0
    }
}

impl BorrowState {
    /// No use.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const UNUSED: Self = Self {
        uses: Cell::new(0),
        lock: Cell::new(None),
        number: Cell::new(0),
        insertions: Cell::new(0),
        put_off: Opaque::new(PutOff::new()),
        facts: Cell::new(None),
    };

    /// The number; calls `first_use` before there is one.
    fn number(&self, first_use: impl FnOnce()) -> usize {
        if self.number.get() == 0 {
            first_use();
            self.number.set(unique());
        }
        self.number.get()
    }
}

/// How a use that reads is remembered.
enum Reader {
    /// By the row of its thread.
    InRow(&'static Word),
    /// By the state with this number.
    Counted(usize),
    /// By itself: the thread has no state any more.
    Alone(#[expect(unused, reason = "it is dropped")] RwLockReadGuard<'static, ()>),
}

impl Uses {
    /// A use that reads; `None` if this thread has the roster exclusively.
    #[inline(never)]
    fn read(&'static self, facts: &'static Facts) -> Option<Reader> {
        if let Some(word) = self.lock.read_by_row() {
            return Some(Reader::InRow(word));
        }
        let counted = self.borrows.try_with(|state| {
            let uses = state.uses.get();
            if uses < 0 {
                return None;
            }
            // A thread that has the lock for reading must not ask again: a writer may be waiting in between.
            if uses == 0 {
                state.lock.set(Some(ManuallyDrop::new(self.lock.read_by_lock())));
            }
            state.uses.set(uses + 1);
            Some(Reader::Counted(state.number(|| self.record.join(facts))))
        });
        counted.unwrap_or_else(|_| Some(Reader::Alone(self.lock.read_by_lock())))
    }

    /// A use that writes: the number of the state that counts it, if the thread has one, and the lock. `None` if this thread uses
    /// the roster already.
    #[inline]
    fn write(
        &'static self,
        facts: &'static Facts,
    ) -> Option<(usize, RwLockWriteGuard<'static, ()>)> {
        let counted = self.borrows.try_with(|state| {
            if state.uses.get() != 0 || self.lock.is_read_by_row() {
                return None;
            }
            let lock = self.lock.write();
            state.uses.set(-1);
            Some((state.number(|| self.record.join(facts)), lock))
        });
        counted.unwrap_or_else(|_| Some((0, self.lock.write())))
    }

    /// Ends a use that is counted in the state with this number. Says whether it was the last, and removals were put off.
    ///
    /// If the thread has another state, the closure was suspended in one thread and resumed in another. The first
    /// thread's state is out of reach, so the roster remains in use there.
    ///
    /// Not inlined: the compiler would assume that the thread is the same as at the beginning.
    #[inline(never)]
    fn end(&'static self, number: usize, has_inserted: bool) -> bool {
        let is_last = self.borrows.try_with(|state| {
            if number != 0 && state.number.get() == number {
                if has_inserted {
                    state.insertions.set(state.insertions.get().wrapping_add(1));
                }
                let left = state.uses.get().abs() - 1;
                state.uses.set(left);
                if left == 0 {
                    drop(state.lock.take().map(ManuallyDrop::into_inner));
                    return !state.put_off.is_empty() && !self.lock.is_read_by_row();
                }
            }
            false
        });
        is_last.unwrap_or(false)
    }

    /// Ends a use that reads.
    #[inline(always)]
    fn end_reading(&'static self, reader: &Reader) {
        let has_put_off = match *reader {
            Reader::InRow(word) => self.lock.end(word) != 0 && self.has_put_off(),
            Reader::Counted(state) => self.end(state, false),
            Reader::Alone(_) => false,
        };
        if has_put_off {
            self.remove_put_off();
        }
    }

    /// Whether removals were put off until now: this thread has no use.
    #[cold]
    fn has_put_off(&'static self) -> bool {
        let is_time = |state: &BorrowState| state.uses.get() == 0 && !state.put_off.is_empty();
        !self.lock.is_read_by_row() && self.borrows.try_with(is_time).unwrap_or(false)
    }

    /// Removes what was put off. Others may have the roster by now, and destructors use it.
    #[cold]
    #[inline(never)]
    fn remove_put_off(&self) {
        let facts = self.borrows.try_with(|state| state.facts.get()).ok().flatten();
        facts.into_iter().for_each(|facts| facts.upkeep.remove_put_off());
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
    pub const unsafe fn new(config: Config, borrows: &'static LocalKey<BorrowState>) -> Self {
        let uses = Uses { lock: SharedLock::new(), borrows, record: Record::new() };
        Self { uses, roster: UnsafeCell::new(Roster::with_config(config)), ahead: Ahead::new() }
    }

    /// `None` if this thread uses the roster already.
    #[inline]
    fn begin_to_write(&'static self, facts: &'static Facts) -> Option<StaticRefMut<T>> {
        let (state, lock) = self.uses.write(facts)?;
        let mut writing = StaticRefMut { roster: self, before: 0, state, lock: Some(lock) };
        if !writing.has_account() {
            writing.open_account(facts, Owner::NONE);
        }
        self.ahead.settle(&mut writing);
        writing.before = writing.inserted();
        Some(writing)
    }

    /// `None` if this thread has the roster exclusively.
    #[inline(always)]
    fn begin_to_read(&'static self, facts: &'static Facts) -> Option<StaticRef<T>> {
        let reader = match self.uses.lock.read_at_hand() {
            Some(word) => Reader::InRow(word),
            None => self.uses.read(facts)?,
        };
        Some(StaticRef { roster: self, reader })
    }

    /// The figures; `None` if this thread or another has the roster exclusively.
    fn look<R>(&'static self, look: impl FnOnce(&Roster<T>) -> R) -> Option<R> {
        let uses = self.uses.borrows.try_with(|state| state.uses.get()).unwrap_or(0);
        if uses < 0 {
            return None;
        }
        let lock = self.uses.lock.try_read();
        // If this thread has it all the same, a writer waits.
        if lock.is_none() && uses == 0 && !self.uses.lock.is_read_by_row() {
            return None;
        }
        // SAFETY: the lock is held for reading: by this, or by another use of this thread's.
        Some(look(unsafe { &*self.roster.get() }))
    }

    /// How many of this thread's uses inserted elements.
    fn insertions(&self) -> usize {
        self.uses.borrows.try_with(|state| state.insertions.get()).unwrap_or(0)
    }
}

/// The roster, to read, until this is dropped.
#[allow(missing_debug_implementations, unnameable_types, reason = "for `RosterRef`")]
pub struct StaticRef<T: 'static> {
    roster: &'static SharedRoster<T>,
    reader: Reader,
}

impl<T> Deref for StaticRef<T> {
    type Target = Roster<T>;

    #[inline]
    fn deref(&self) -> &Roster<T> {
        // SAFETY: the lock is held for reading until the last use of the thread's has ended, and this one has not.
        unsafe { &*self.roster.roster.get() }
    }
}

impl<T> Drop for StaticRef<T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.roster.uses.end_reading(&self.reader);
    }
}

/// The roster, exclusively, until this is dropped.
#[allow(missing_debug_implementations, unnameable_types, reason = "for `RosterRefMut`")]
pub struct StaticRefMut<T: 'static> {
    roster: &'static SharedRoster<T>,
    /// How many elements had come in.
    before: usize,
    /// The number of the state that counts it; 0 if the thread has no state any more.
    state: usize,
    lock: Option<RwLockWriteGuard<'static, ()>>,
}

impl<T> Deref for StaticRefMut<T> {
    type Target = Roster<T>;

    #[inline]
    fn deref(&self) -> &Roster<T> {
        // SAFETY: the lock is held, for writing, until this is dropped, and not twice by this thread.
        unsafe { &*self.roster.roster.get() }
    }
}

impl<T> DerefMut for StaticRefMut<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Roster<T> {
        // SAFETY: as above.
        unsafe { &mut *self.roster.roster.get() }
    }
}

impl<T> Drop for StaticRefMut<T> {
    #[inline]
    fn drop(&mut self) {
        let has_inserted = self.inserted() != self.before;
        // Who has no state has a number that is no state's.
        if self.roster.uses.end(self.state, has_inserted) {
            drop(self.lock.take());
            self.roster.uses.remove_put_off();
        }
    }
}

impl<T: Pooled<RosterHandles, __Storage = Self>> Storage<T> for InStatic<SharedRoster<T>> {
    type Boxes = Never;
    type Roster = Self;

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn facts() -> &'static Facts {
        const {
            &Facts {
                type_name: type_name::<T>,
                name: T::__CONFIG.name,
                strategy: ledger::Strategy::ROSTER,
                storage: ledger::Storage::Static,
                has_accounts: true,
                upkeep: &OfStatic::<T>(PhantomData),
            }
        }
    }
}

#[allow(private_interfaces, reason = "for this crate alone")]
impl<T: Pooled<RosterHandles, __Storage = Self>> RosterStorage<T> for InStatic<SharedRoster<T>> {
    type Ref = StaticRef<T>;
    type RefMut = StaticRefMut<T>;

    #[inline(always)]
    fn try_borrow(self) -> Result<StaticRef<T>, Refusal> {
        self.get().begin_to_read(Self::facts()).ok_or(Refusal::InUse)
    }

    #[inline]
    fn try_borrow_mut(self) -> Result<StaticRefMut<T>, Refusal> {
        self.get().begin_to_write(Self::facts()).ok_or(Refusal::InUse)
    }

    #[track_caller]
    fn refuse(self, refusal: Refusal) -> ! {
        Self::facts().refuse(refusal)
    }

    fn put_off(self, handle: Handle<T>) {
        let put_off = |state: &BorrowState| {
            state.facts.set(Some(Self::facts()));
            state.put_off.push(handle.to_bits());
            SharedLock::count_put_off(1);
        };
        let _ = self.get().uses.borrows.try_with(put_off);
    }

    fn reserve_ahead(self) -> Result<Option<Handle<T>>, Refusal> {
        self.try_lend(|roster| self.get().ahead.ask(roster))
    }

    fn give_back(self, handle: Handle<T>) {
        if self.try_lend_mut(|roster| roster.release(handle)).is_err() {
            self.get().ahead.give_back(handle);
        }
    }

    /// What others insert meanwhile is not pursued, or there might be no end; what the destructors insert
    /// that run here is.
    #[track_caller]
    fn clear(self) {
        loop {
            let before = self.get().insertions();
            let (mut first, end) = (0, self.lend_mut(|roster| roster.capacity()));
            while first < end {
                let popped = self.lend_mut(|roster| roster.pop_first_from(&mut first));
                if popped.is_none() {
                    break;
                }
                drop(popped);
            }
            if self.get().insertions() == before {
                return;
            }
        }
    }
}

/// The roster of all threads, for what is rarely done with it.
pub(in crate::derived) struct OfStatic<T>(PhantomData<fn() -> T>);

impl<T: Pooled<RosterHandles, __Storage = InStatic<SharedRoster<T>>>> OfStatic<T> {
    pub(in crate::derived) fn lend<R>(
        &self,
        may_wait: bool,
        f: impl FnOnce(&Roster<T>) -> R,
    ) -> Result<R, Refusal> {
        if !may_wait {
            return T::__POOL.get().look(f).ok_or(Refusal::InUse);
        }
        T::__POOL.try_lend(f)
    }
}

impl<T: Pooled<RosterHandles, __Storage = InStatic<SharedRoster<T>>>> Upkeep for OfStatic<T> {
    fn stats(&'static self, may_wait: bool) -> Result<PoolStats, Refusal> {
        self.lend(may_wait, Roster::stats)
    }

    fn reserve(&'static self, additional: usize) -> Result<(), Refusal> {
        let reserved = T::__POOL.try_lend_mut(|roster| roster.try_reserve(additional))?;
        reserved.map_err(Refusal::NoRoom)
    }

    fn prefault(&'static self) -> Result<(), Refusal> {
        T::__POOL.try_lend_mut(Roster::prefault)
    }

    fn trim(&'static self) -> Result<usize, Refusal> {
        T::__POOL.try_lend_mut(Roster::trim)
    }

    fn show_lines(
        &'static self,
        may_wait: bool,
        found: &mut dyn FnMut(Line),
    ) -> Result<(), Refusal> {
        self.lend(may_wait, |roster| roster.show_lines(found))
    }

    fn record(&'static self) -> Option<&'static Record> {
        Some(&T::__POOL.get().uses.record)
    }

    fn remove_put_off(&'static self) {
        let remove = |handle| {
            SharedLock::count_put_off(-1);
            let Some(handle) = Handle::from_bits(handle) else { return true };
            let removed = T::__POOL.try_lend_mut(|roster| roster.remove(handle));
            if removed.is_err() {
                SharedLock::count_put_off(1);
            }
            removed.is_ok()
        };
        let _ = T::__POOL.get().uses.borrows.try_with(|state| state.put_off.drain(remove));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const FACTS: &Facts = &Facts {
        storage: ledger::Storage::Static,
        ..Facts::owned(|| "u8", ledger::Strategy::ROSTER)
    };

    /// What a coroutine has on its stack, which is moved with it.
    struct Moved<T>(T);

    // SAFETY: a use of a static roster belongs to no thread, except as `end` checks.
    unsafe impl<T> Send for Moved<T> {}

    fn in_thread<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> R {
        thread::spawn(f).join().expect("no panic")
    }

    #[test]
    fn a_use_that_ends_in_another_thread_leaves_the_roster_lent() {
        let key = crate::__static_roster!(u8, Config::new());
        let roster: &'static SharedRoster<u8> = key.get();
        let uses = || roster.uses.borrows.try_with(|state| state.uses.get()).expect("it is there");
        let begin = || roster.begin_to_read(FACTS).expect("nobody writes");
        // By a thread that is still there, and by one that has ended, with its state.
        let ours = Moved(begin());
        let gone = in_thread(move || Moved(begin()));
        in_thread(move || {
            let theirs = [begin(), begin()];
            drop({ ours }.0);
            drop({ gone }.0);
            assert_eq!(uses(), 2);
            drop(theirs);
            assert_eq!(uses(), 0);
        });
        assert_eq!(uses(), 1);
        assert!(roster.begin_to_write(FACTS).is_none());
        assert!(roster.uses.lock.is_read(), "two have it for ever");
        assert_eq!(begin().len(), 0);
    }
}
