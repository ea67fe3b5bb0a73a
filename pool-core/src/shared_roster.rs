//! The storage `static` of rosters: one for the whole process, behind a lock.
//!
//! A lock for reading and writing: of std, which has no more to do than this, and no dependency. Whoever
//! holds it runs the user's code, so each thread notes what it holds, in a `const` thread-local. A
//! thread that already reads may read again without the lock; any other use while it holds the lock is a
//! panic, and not a deadlock.
//!
//! A panic in the user's code does not poison the roster: whatever that code was about, the roster itself
//! is in order whenever it runs, and a thread-local roster has no poison either.

use core::cell::{Cell, UnsafeCell};
use std::sync::{PoisonError, RwLock};
use std::thread::LocalKey;

use crate::config::Config;
use crate::key::{InStatic, Place};
use crate::kind::Handles;
use crate::pooled::Pooled;
use crate::roster::Roster;
use crate::stats::PoolStats;
use crate::storage::{Storage, in_use};

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

/// How one thread uses the roster: so many times to read, or -1 to write.
#[derive(Debug)]
pub struct Lent(Cell<isize>);

impl Lent {
    /// Not at all.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const NOT: Self = Self(Cell::new(0));

    /// Notes another use, until the result is dropped.
    fn lend(&self, uses: isize) -> Use<'_> {
        Use { lent: &self.0, before: self.0.replace(uses) }
    }
}

struct Use<'a> {
    lent: &'a Cell<isize>,
    before: isize,
}

impl Drop for Use<'_> {
    fn drop(&mut self) {
        self.lent.set(self.before);
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
    fn write<R>(&self, f: impl FnOnce(&mut Roster<T>) -> R) -> R {
        let result = self.noted(|lent| {
            if lent.is_some_and(|lent| lent.0.get() != 0) {
                return None;
            }
            let _guard = self.lock.write().unwrap_or_else(PoisonError::into_inner);
            let _use = lent.map(|lent| lent.lend(-1));
            // SAFETY: the lock is held, for writing, and not twice by this thread.
            Some(f(unsafe { &mut *self.roster.get() }))
        });
        // Here, where no closure hides the user's line.
        match result {
            Some(result) => result,
            None => in_use::<T>(),
        }
    }

    #[track_caller]
    fn read<R>(&self, f: impl FnOnce(&Roster<T>) -> R) -> R {
        let result = self.noted(|lent| {
            let uses = lent.map_or(0, |lent| lent.0.get());
            if uses < 0 {
                return None;
            }
            // Who has the lock for reading must not ask again: a writer may stand in between.
            let lock = || self.lock.read().unwrap_or_else(PoisonError::into_inner);
            let _guard = (uses == 0).then(lock);
            let _use = lent.map(|lent| lent.lend(uses + 1));
            // SAFETY: this thread holds the lock for reading.
            Some(f(unsafe { &*self.roster.get() }))
        });
        match result {
            Some(result) => result,
            None => in_use::<T>(),
        }
    }

    /// Calls `f` with the thread's note, if there is one still.
    fn noted<R>(&self, f: impl FnOnce(Option<&Lent>) -> R) -> R {
        let mut f = Some(f);
        let mut call = |lent: Option<&Lent>| f.take().map(|f| f(lent));
        let called = self.lent.try_with(|lent| call(Some(lent))).ok().flatten();
        match called.or_else(|| call(None)) {
            Some(result) => result,
            None => unreachable!("`f` is called once"),
        }
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
    #[track_caller]
    fn lend<R>(self, f: impl FnOnce(&Roster<T>) -> R) -> R {
        self.get().read(f)
    }

    #[track_caller]
    fn clear(self) {
        let mut first = 0;
        while let Some(element) = self.get().write(|roster| roster.pop_around(&mut first)) {
            drop(element);
        }
    }

    #[track_caller]
    fn stats(self) -> PoolStats {
        self.get().read(Roster::stats)
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        self.get().write(|roster| roster.reserve(additional));
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
