//! The storage `thread_local` of rosters: every thread has one of its own.
//!
//! The thread-local has no destructor, for the reasons that `local.rs` gives. At the end of its thread
//! the roster is *closed*: its elements are dropped, and its memory goes back. Destructors of other
//! thread-locals may still use it, whether they run before that or after.

use core::cell::{Cell, RefCell};
use core::mem::ManuallyDrop;

use crate::config::Config;
use crate::exit::{Close, Registration};
use crate::key::{InThread, Place};
use crate::kind::Handles;
use crate::pooled::Pooled;
use crate::roster::Roster;
use crate::stats::PoolStats;
use crate::storage::{Storage, in_use};

/// One thread's roster of one type.
#[derive(Debug)]
pub struct LocalRoster<T> {
    /// Without its destructor, or the thread-local would have one.
    roster: RefCell<ManuallyDrop<Roster<T>>>,
    registration: Registration,
    is_closed: Cell<bool>,
}

impl<T: 'static> Place for LocalRoster<T> {}

impl<T> LocalRoster<T> {
    /// A roster that grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self::new(Config::new());

    /// A roster that grows as `config` says.
    pub const fn new(config: Config) -> Self {
        Self {
            roster: RefCell::new(ManuallyDrop::new(Roster::with_config(config))),
            registration: Registration::NONE,
            is_closed: Cell::new(false),
        }
    }

    /// Lends the roster to `f`, and then gives back what a closed one does not need; `None` if it is in
    /// use.
    ///
    /// The panic is the caller's, outside of the closures: they would hide the user's line.
    fn with<R>(&self, f: impl FnOnce(&mut Roster<T>) -> R) -> Option<R> {
        let mut roster = self.roster.try_borrow_mut().ok()?;
        let result = f(&mut roster);
        if self.is_closed.get() && roster.is_unused() {
            // A new roster has a tag of its own, so handles to this one find nothing there.
            let config = roster.config();
            let spent = core::mem::replace(&mut **roster, Roster::with_config(config));
            drop(roster);
            drop(spent);
        }
        Some(result)
    }

    /// Drops the elements one by one. No borrow is held meanwhile: destructors may use the roster.
    /// `None` if it is in use.
    fn clear(&self) -> Option<()> {
        let mut first = 0;
        while let Some(element) = self.with(|roster| roster.pop_around(&mut first))? {
            drop(element);
        }
        Some(())
    }

    fn close(&self) {
        self.is_closed.set(true);
        if self.clear().is_none() {
            in_use::<T>();
        }
    }
}

impl<T: Pooled<Handles, __Storage = InThread<Self>>> LocalRoster<T> {
    /// Sees to it that the roster is closed when its thread ends; to be called before it grows.
    #[inline]
    fn register(&self) {
        if !self.registration.is_done() {
            self.register_now();
        }
    }

    #[cold]
    fn register_now(&self) {
        let close = Close(|| {
            let closed = T::__POOL.try_with(|local| {
                local.close();
                local.registration.next()
            });
            closed.ok().flatten()
        });
        if !self.registration.register(close) {
            // The end has come already.
            self.is_closed.set(true);
        }
    }
}

// SAFETY: there are no boxes.
unsafe impl<T: Pooled<Handles, __Storage = Self>> Storage<T, Handles> for InThread<LocalRoster<T>> {
    #[inline]
    #[track_caller]
    fn lend_mut<R>(self, f: impl FnOnce(&mut Roster<T>) -> R) -> R {
        let result = self.try_with(|local| {
            local.register();
            local.with(f)
        });
        match result {
            Ok(Some(result)) => result,
            Ok(None) => in_use::<T>(),
            Err(_) => gone::<T>(),
        }
    }

    #[inline]
    #[track_caller]
    fn lend<R>(self, f: impl FnOnce(&Roster<T>) -> R) -> R {
        let result = self.try_with(|local| {
            let roster = local.roster.try_borrow().ok()?;
            Some(f(&roster))
        });
        match result {
            Ok(Some(result)) => result,
            Ok(None) => in_use::<T>(),
            Err(_) => gone::<T>(),
        }
    }

    #[track_caller]
    fn clear(self) {
        if let Ok(None) = self.try_with(LocalRoster::clear) {
            in_use::<T>();
        }
    }

    #[track_caller]
    fn stats(self) -> PoolStats {
        self.lend(Roster::stats)
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        self.lend_mut(|roster| roster.reserve(additional));
    }

    #[track_caller]
    fn touch(self) {
        self.lend_mut(Roster::prefault);
    }

    #[track_caller]
    fn trim(self) -> usize {
        self.lend_mut(Roster::trim)
    }
}

/// Only where the platform destroys thread-locals without a destructor, too.
#[cold]
#[track_caller]
fn gone<T>() -> ! {
    panic!("the thread's pool of `{}` is gone: the thread is ending", core::any::type_name::<T>())
}
