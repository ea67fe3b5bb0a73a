//! The storage `static` of rosters: one for the whole process, behind a lock.
//!
//! A lock for reading and writing: of std, which has no more to do than this, and no dependency. Whoever
//! holds it runs the user's code, so each thread notes what it holds, in a `const` thread-local. A
//! thread that already reads may read again without the lock; any other use while it holds the lock is a
//! panic, and not a deadlock. Threads that wait for each other's rosters are found in debug builds
//! (`order.rs`).
//!
//! A panic in the user's code does not poison the roster: whatever that code was about, the roster itself
//! is in order whenever it runs, and a thread-local roster has no poison either.

use core::any::type_name;
use core::cell::{Cell, UnsafeCell};
use core::mem::ManuallyDrop;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::LocalKey;

use crate::base::config::Config;
use crate::base::stats::PoolStats;
use crate::derived::key::{InStatic, Place};
use crate::derived::kind::Handles;
use crate::derived::pooled::Pooled;
use crate::derived::rosters::order;
use crate::derived::storage::{Storage, in_use};
use crate::roster::Roster;

/// The key of a roster, with the statics that are declared for it.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_roster {
    ($ty:ty, $config:expr) => {{
        $crate::__private::thread_local! {
            static __TYPED_POOL_LENT: $crate::__private::Lent =
                const { $crate::__private::Lent::NOT };
        }
        static __TYPED_POOL: $crate::__private::SharedRoster<$ty> = {
            let config = $config;
            // SAFETY: the thread-local was declared above, and only this refers to it.
            unsafe { $crate::__private::SharedRoster::new(config, &__TYPED_POOL_LENT) }
        };
        // SAFETY: the static was declared above, and only this refers to it.
        unsafe { $crate::__private::InStatic::new(&raw const __TYPED_POOL) }
    }};
}

/// The roster of a type, for all threads.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct SharedRoster<T> {
    lock: RwLock<()>,
    /// Behind the lock.
    roster: UnsafeCell<Roster<T>>,
    lent: &'static LocalKey<Lent>,
}

/// How one thread uses the roster.
///
/// Uses are counted, and not nested: closures may be suspended (coroutines), and end in any order. A note
/// has no destructor. So who leaks a closure leaves the roster lent for ever.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct Lent {
    /// So many times to read, or -1 to write.
    uses: Cell<isize>,
    /// The lock, while the thread reads: the first reader took it, and the last gives it back.
    lock: Cell<Option<ManuallyDrop<RwLockReadGuard<'static, ()>>>>,
    /// Tells the note from those of other threads; 0 until it is asked for.
    number: Cell<usize>,
    /// How often the thread has left the roster with more elements.
    insertions: Cell<usize>,
}

impl Lent {
    /// Not at all.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const NOT: Self = Self {
        uses: Cell::new(0),
        lock: Cell::new(None),
        number: Cell::new(0),
        insertions: Cell::new(0),
    };

    fn number(&self) -> usize {
        if self.number.get() == 0 {
            self.number.set(unique());
        }
        self.number.get()
    }
}

/// A number, from 1 on, that no other caller gets.
pub(super) fn unique() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A use of a roster, until this is dropped.
struct Use<Lock> {
    lent: &'static LocalKey<Lent>,
    /// Its address.
    roster: usize,
    /// The number of the note in which it stands; `None` where the thread has none any more.
    note: Option<usize>,
    /// Whether it leaves the roster with more elements.
    has_inserted: bool,
    /// Not that of readers who have a note.
    _lock: Option<Lock>,
}

impl<Lock> Drop for Use<Lock> {
    fn drop(&mut self) {
        if let Some(note) = self.note {
            end(self.lent, note, self.roster, self.has_inserted);
        }
    }
}

/// Strikes a use from the thread's note.
///
/// If that is another note, the closure was suspended in one thread and is resumed in another. The first
/// thread's note is out of reach, so there the roster remains in use.
///
/// Not inlined: the compiler would take it that the thread is the same as at the beginning.
#[inline(never)]
fn end(lent: &'static LocalKey<Lent>, note: usize, roster: usize, has_inserted: bool) {
    let _ = lent.try_with(|lent| {
        if lent.number.get() == note {
            let insertions = lent.insertions.get().wrapping_add(has_inserted.into());
            lent.insertions.set(insertions);
            let left = lent.uses.get().abs() - 1;
            lent.uses.set(left);
            if left == 0 {
                order::leave(roster);
                drop(lent.lock.take().map(ManuallyDrop::into_inner));
            }
        }
    });
}

/// Why the roster is not lent.
enum Refusal {
    InUse,
    /// The thread has this type's roster, which others have lent the other way round.
    Order(&'static str),
}

impl Refusal {
    #[cold]
    #[track_caller]
    fn panic<T>(self) -> ! {
        match self {
            Self::InUse => in_use::<T>(),
            Self::Order(outer) => order::panic(type_name::<T>(), outer),
        }
    }
}

// SAFETY: who writes has the lock alone, and who reads shares it with readers. Elements are sent from the
// thread that inserts to the one that removes, and referred to by several at a time.
unsafe impl<T: Send + Sync> Sync for SharedRoster<T> {}

impl<T: 'static> Place for SharedRoster<T> {}

impl<T> SharedRoster<T> {
    /// An empty roster that grows as `config` says.
    ///
    /// # Safety
    ///
    /// `lent` is a thread-local of its own.
    pub const unsafe fn new(config: Config, lent: &'static LocalKey<Lent>) -> Self {
        let roster = UnsafeCell::new(Roster::with_config(config));
        Self { lock: RwLock::new(()), roster, lent }
    }

    #[track_caller]
    fn write<R>(&'static self, f: impl FnOnce(&mut Roster<T>) -> R) -> R {
        match self.begin_to_write() {
            Ok(writing) => self.written(writing, f),
            Err(refusal) => refusal.panic::<T>(),
        }
    }

    fn begin_to_write(&'static self) -> Result<Use<RwLockWriteGuard<'static, ()>>, Refusal> {
        let lock = || self.lock.write().unwrap_or_else(PoisonError::into_inner);
        let noted = self.lent.try_with(|lent| {
            if lent.uses.get() != 0 {
                return Err(Refusal::InUse);
            }
            self.enter()?;
            let lock = lock();
            lent.uses.set(-1);
            Ok((Some(lent.number()), lock))
        });
        let (note, lock) = noted.unwrap_or_else(|_| Ok((None, lock())))?;
        Ok(self.used(note, Some(lock)))
    }

    fn written<R>(
        &'static self,
        mut writing: Use<RwLockWriteGuard<'static, ()>>,
        f: impl FnOnce(&mut Roster<T>) -> R,
    ) -> R {
        // SAFETY: the lock is held, for writing, until `writing` is dropped, and not twice by this thread.
        let roster = unsafe { &mut *self.roster.get() };
        let before = roster.len();
        let result = f(roster);
        writing.has_inserted = roster.len() > before;
        result
    }

    #[track_caller]
    fn read<R>(&'static self, f: impl FnOnce(&Roster<T>) -> R) -> R {
        match self.begin_to_read() {
            // SAFETY: the lock is held for reading until the last use of this thread's note is struck, and
            // this one's is struck when `f` has returned.
            Ok(_reading) => f(unsafe { &*self.roster.get() }),
            Err(refusal) => refusal.panic::<T>(),
        }
    }

    fn begin_to_read(&'static self) -> Result<Use<RwLockReadGuard<'static, ()>>, Refusal> {
        let lock = || self.lock.read().unwrap_or_else(PoisonError::into_inner);
        let noted = self.lent.try_with(|lent| {
            let uses = lent.uses.get();
            if uses < 0 {
                return Err(Refusal::InUse);
            }
            // Who has the lock for reading must not ask again: a writer may stand in between.
            if uses == 0 {
                self.enter()?;
                lent.lock.set(Some(ManuallyDrop::new(lock())));
            }
            lent.uses.set(uses + 1);
            Ok((Some(lent.number()), None))
        });
        let (note, lock) = noted.unwrap_or_else(|_| Ok((None, Some(lock()))))?;
        Ok(self.used(note, lock))
    }

    fn used<Lock>(&self, note: Option<usize>, lock: Option<Lock>) -> Use<Lock> {
        let (lent, roster) = (self.lent, self.address());
        Use { lent, roster, note, has_inserted: false, _lock: lock }
    }

    /// Before the thread waits for the lock.
    fn enter(&self) -> Result<(), Refusal> {
        let wanted = order::Roster { address: self.address(), name: type_name::<T>() };
        order::enter(wanted).map_err(Refusal::Order)
    }

    fn address(&self) -> usize {
        ptr::from_ref(self).addr()
    }

    /// How often this thread has left the roster with more elements.
    fn insertions(&self) -> usize {
        self.lent.try_with(|lent| lent.insertions.get()).unwrap_or(0)
    }
}

// SAFETY: there are no boxes.
unsafe impl<T: Pooled<Handles, __Storage = Self>> Storage<T, Handles>
    for InStatic<SharedRoster<T>>
{
    #[inline]
    #[track_caller]
    fn lend_mut<R>(self, f: impl FnOnce(&mut Roster<T>) -> R) -> R {
        self.get().write(f)
    }

    #[inline]
    fn try_lend_mut<R>(self, f: impl FnOnce(&mut Roster<T>) -> R) -> Option<R> {
        let roster = self.get();
        let writing = roster.begin_to_write().ok()?;
        Some(roster.written(writing, f))
    }

    #[inline]
    #[track_caller]
    fn lend<R>(self, f: impl FnOnce(&Roster<T>) -> R) -> R {
        self.get().read(f)
    }

    /// What others insert meanwhile is not pursued, or there might be no end; what the destructors insert
    /// that run here is.
    #[track_caller]
    fn clear(self) {
        let roster = self.get();
        loop {
            let before = roster.insertions();
            let (mut first, end) = (0, roster.write(|roster| roster.capacity()));
            while first < end {
                let popped = roster.write(|roster| roster.pop_first_from(&mut first));
                if popped.is_none() {
                    break;
                }
                drop(popped);
            }
            if roster.insertions() == before {
                return;
            }
        }
    }

    #[track_caller]
    fn stats(self) -> PoolStats {
        self.get().read(Roster::stats)
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        if let Err(error) = self.get().write(|roster| roster.reserve_within_limit(additional)) {
            panic!("{error}");
        }
    }

    #[track_caller]
    fn touch(self) {
        self.get().write(Roster::prefault);
    }

    #[track_caller]
    fn trim(self) -> usize {
        self.get().write(Roster::trim)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// What a coroutine has on its stack, which is moved with it.
    struct Moved<T>(T);

    // SAFETY: a use of a static roster belongs to no thread, but for what `end` makes sure of.
    unsafe impl<T> Send for Moved<T> {}

    fn in_thread<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> R {
        thread::spawn(f).join().expect("no panic")
    }

    #[test]
    fn a_use_that_ends_in_another_thread_leaves_the_roster_lent() {
        let key = crate::__static_roster!(u8, Config::new());
        let roster: &'static SharedRoster<u8> = key.get();
        let uses = || roster.lent.with(|lent| lent.uses.get());
        let begin = || roster.begin_to_read().ok().expect("nobody writes");
        // By a thread that is still there, and by one that has ended, with its note.
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
        assert!(roster.begin_to_write().is_err());
        in_thread(move || assert!(roster.lock.try_write().is_err(), "two have it for ever"));
        assert_eq!(roster.read(|roster| roster.len()), 0);
    }
}
