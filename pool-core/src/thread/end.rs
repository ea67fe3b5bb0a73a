//! The end of a thread, which closes the pools that have grown in it; and `flush_thread`, for all of its pools before that.

use core::cell::Cell;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::thread::LocalKey;

use crate::base::ledger::{PoolOps, Record, Visit};
use crate::base::opaque::{Opaque, Resident};
use crate::thread::{This, with};

/// How often the end of a thread closes the listed pools. After that, a destructor that always inserts
/// another element is reported.
const MAX_ROUNDS: u32 = 1000;

/// A pool's place in the list of those that its thread closes when it ends.
///
/// A list through the pools themselves: to allocate one would call the heap, which may itself be a
/// user of pools, in the middle of a registration.
pub(crate) struct Registration {
    is_registered: Cell<bool>,
    is_listed: Cell<bool>,
    /// The pool to be closed after this one.
    next: Cell<Option<&'static dyn PoolOps>>,
}

impl Registration {
    /// The place of a pool that has not grown yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NONE: Self = Self {
        is_registered: Cell::new(false),
        is_listed: Cell::new(false),
        next: Cell::new(None),
    };

    /// The same, for the derive.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const OPAQUE: Opaque<Self> = Opaque::new(Self::NONE);

    /// Whether [`Registration::register`] has been called.
    #[inline]
    pub(crate) fn is_registered(&self) -> bool {
        self.is_registered.get()
    }

    /// Lists the pool, so that the end of the thread visits it; `false` if the end has come already.
    pub(crate) fn register(&self, pool: &'static dyn PoolOps, record: &'static Record) -> bool {
        self.is_registered.replace(true) || self.enlist(pool, record)
    }

    /// Lists a closed pool to be closed again, since a destructor has put something into it. Reports it if the thread has no
    /// further end because destructors went on for all rounds.
    pub(crate) fn register_again(
        &self,
        pool: &'static dyn PoolOps,
        record: &'static Record,
        type_name: fn() -> &'static str,
    ) {
        let is_last_round = || with(|this| this.rounds.get() == Some(0)).unwrap_or(false);
        if !self.enlist(pool, record) && is_last_round() {
            // Once.
            self.is_listed.set(true);
            // A panic in a thread-local's destructor would abort the process.
            let _ = writeln!(
                io::stderr(),
                "typed-pool: a thread has ended, and left elements or free slots in its pool of `{}`: for \
                 {MAX_ROUNDS} rounds destructors have inserted or reserved again",
                type_name()
            );
        }
    }

    /// Lists the pool. The record counts the thread from here on, until the visit at its end.
    fn enlist(&self, pool: &'static dyn PoolOps, record: &'static Record) -> bool {
        if self.is_listed.replace(true) {
            return true;
        }
        let is_listed = with(|this| {
            let comes = this.will_end();
            if comes {
                self.next.set(this.first.replace(Some(pool)));
                record.thread_begins();
            }
            comes
        });
        self.is_listed.set(is_listed.unwrap_or(false));
        self.is_listed.get()
    }

    /// Whether the list leads to this pool.
    #[cfg_attr(pool_native_tls, allow(dead_code, reason = "`Resident::is_reclaimable`"))]
    pub(crate) fn is_listed(&self) -> bool {
        self.is_listed.get()
    }

    /// Returns the pool after this one. At the end of the thread, the record counts the thread off, and this pool may be listed again from
    /// here on.
    pub(crate) fn next(
        &self,
        visit: Visit,
        record: &'static Record,
    ) -> Option<&'static dyn PoolOps> {
        if visit != Visit::End {
            return self.next.get();
        }
        record.thread_ends();
        self.is_listed.set(false);
        self.next.take()
    }
}

impl This {
    /// Whether a guard will close the listed pools, as far as std knows: it goes on saying so after the last thread-local is destroyed.
    #[inline(always)]
    fn will_end(&self) -> bool {
        match self.rounds.get() {
            Some(left) => left > 0,
            None => GUARDS.iter().any(|guard| guard.try_with(|_| ()).is_ok()),
        }
    }

    /// Closes what is listed.
    fn close_all(&self) {
        for left in (0..MAX_ROUNDS).rev() {
            self.rounds.set(Some(left));
            let mut next = self.first.take();
            if next.is_none() {
                break;
            }
            while let Some(pool) = next {
                next = pool.visit(Visit::End);
            }
        }
        self.rounds.set(None);
    }
}

impl Resident for This {
    fn is_reclaimable(&self) -> bool {
        self.mark.get() == 0 && self.first.get().is_none() && self.rounds.get().is_none()
    }
}

/// Gives back the free slots that the calling thread has at hand, of all pools that threads share: the static ones that grow, and
/// [`SharedByLayout`](crate::SharedByLayout).
///
/// For a thread that is about to wait, or to do something else for long. Of each pool that it has used a thread keeps up to half a
/// megabyte of free slots, and no chunk goes back to the heap in which there is one of them. After this, a trim by any thread
/// ([`Pooled::pool_trim`](crate::Pooled::pool_trim)) returns every chunk without an occupied slot, as far as this thread is concerned. The
/// thread may go on using the pools.
///
/// O(pools that the thread has used), each with a lock, for a moment.
///
/// # Examples
///
/// ```
/// use std::thread;
/// use typed_pool::{PoolBox, Pooled, flush_thread};
///
/// #[derive(Pooled)]
/// #[pool(static)]
/// struct Job([u64; 16]);
///
/// thread::scope(|scope| {
///     let worker = scope.spawn(|| {
///         drop([1, 2, 3].map(|n| PoolBox::new(Job([n; 16]))));
///         flush_thread();
///         thread::park();
///     });
///     while Job::pool_trim() == 0 {
///         thread::yield_now();
///     }
///     assert_eq!(Job::pool_stats().bytes, 0);
///     worker.thread().unpark();
/// });
/// ```
///
/// In the threads of tokio, whenever one has nothing to do:
///
/// ```ignore
/// let runtime = tokio::runtime::Builder::new_multi_thread()
///     .on_thread_park(typed_pool::flush_thread)
///     .build()?;
/// ```
///
/// In the threads of rayon, after parallel work:
///
/// ```ignore
/// rayon::broadcast(|_| typed_pool::flush_thread());
/// Job::pool_trim();
/// ```
pub fn flush_thread() {
    let mut next = with(|this| this.first.get()).flatten();
    while let Some(pool) = next {
        next = pool.visit(Visit::Flush);
    }
}

/// Whether the end of this thread, or another part of it, is still to come.
pub(crate) fn will_end() -> bool {
    with(This::will_end).unwrap_or(false)
}

static IS_OVER: OnceLock<fn()> = OnceLock::new();

/// Registers a callback that runs when a thread's pools have been closed. The first one counts.
#[cfg_attr(not(feature = "view"), allow(dead_code, reason = "`pools/leaks.rs`"))]
#[inline]
pub(crate) fn when_it_is_over(call: fn()) {
    let _ = IS_OVER.set(call);
}

/// A thread-local of this type, once it has been touched, is destroyed when the thread exits, and so closes pools.
struct ExitGuard;

impl Drop for ExitGuard {
    fn drop(&mut self) {
        with(|this| {
            let is_first = !this.is_ending.replace(true);
            this.close_all();
            if let (true, Some(call)) = (is_first, IS_OVER.get()) {
                call();
            }
        });
    }
}

macro_rules! guards {
    ($($NAME:ident)*) => {
        std::thread_local! {
            $(static $NAME: ExitGuard = const { ExitGuard };)*
        }

        /// Several, since each is destroyed once: a thread-local that is destroyed later may put something into a
        /// pool that has been closed.
        static GUARDS: [LocalKey<ExitGuard>; [$(stringify!($NAME)),*].len()] = [$($NAME),*];
    };
}

guards!(FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH);
