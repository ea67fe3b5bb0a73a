//! The exit of a thread, which closes the pools that have grown in it; and what a thread does with all of its pools before.

use core::cell::Cell;
use core::ffi::c_void;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::thread::LocalKey;

use crate::base::ledger::{Record, Upkeep, Visit};
use crate::base::opaque::{Opaque, Resident};
use crate::derived::thread_exit::last_call::{IS_CALLED, ROUNDS, in_next_round};
use crate::derived::thread_local::thread_local;

/// Where std's own destructors come last, or it is not known what comes after them.
#[cfg(not(all(target_os = "linux", target_env = "gnu", pool_native_tls, not(miri))))]
mod last_call {
    pub(super) const IS_CALLED: bool = false;
    pub(super) const ROUNDS: u8 = 1;

    pub(super) fn in_next_round(_: extern "C" fn(*mut core::ffi::c_void)) -> bool {
        true
    }
}

/// How often an exit closes what is listed. A destructor that always inserts another element is noticed
/// after that.
const MAX_ROUNDS: u32 = 1000;

/// A pool's place in the list of those that its thread closes when it ends.
///
/// A list through the pools themselves: to allocate one would call the heap, which may itself be a
/// user of pools, in the middle of a registration.
pub(crate) struct Registration {
    is_registered: Cell<bool>,
    is_listed: Cell<bool>,
    /// Whether the type's record counts this thread.
    is_counted: Cell<bool>,
    /// What is to be closed after this pool.
    next: Cell<Option<&'static dyn Upkeep>>,
}

impl Registration {
    /// The place of a pool that has not grown yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NONE: Self = Self {
        is_registered: Cell::new(false),
        is_listed: Cell::new(false),
        is_counted: Cell::new(false),
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

    /// Sees to it that the end of the thread visits the pool; `false` if the end has come already. The record counts the thread
    /// from here on until its end.
    pub(crate) fn register(&self, pool: &'static dyn Upkeep, record: &'static Record) -> bool {
        if self.is_registered.replace(true) {
            return true;
        }
        let is_listed = self.enlist(pool);
        if is_listed {
            self.is_counted.set(true);
            record.thread_begins();
        }
        is_listed
    }

    /// Sees to it that a pool which has been closed is closed again: a destructor has put something into it
    /// since. `false` if there is no further end; if one destructor always follows another, that is said.
    pub(crate) fn register_again(
        &self,
        pool: &'static dyn Upkeep,
        type_name: fn() -> &'static str,
    ) -> bool {
        let is_listed = self.enlist(pool);
        if !is_listed && CLOSE_LIST.try_with(|list| list.rounds.get() == Some(0)).unwrap_or(false) {
            // Once.
            self.is_listed.set(true);
            // A panic in a thread-local's destructor would abort the process.
            let _ = writeln!(
                io::stderr(),
                "typed-pool: a thread has ended, and left elements in its pool of `{}`: for {MAX_ROUNDS} rounds \
                 their destructors have inserted others",
                type_name()
            );
        }
        is_listed
    }

    fn enlist(&self, pool: &'static dyn Upkeep) -> bool {
        if self.is_listed.replace(true) {
            return true;
        }
        let is_listed = CLOSE_LIST.try_with(|list| {
            let comes = match list.rounds.get() {
                Some(left) => left > 0,
                None => list.will_end(),
            };
            if comes {
                self.next.set(list.first.replace(Some(pool)));
            }
            comes
        });
        self.is_listed.set(is_listed.unwrap_or(false));
        self.is_listed.get()
    }

    /// Whether the list leads to this pool.
    #[cfg_attr(pool_native_tls, allow(dead_code, reason = "`Resident::is_spent`"))]
    pub(crate) fn is_listed(&self) -> bool {
        self.is_listed.get()
    }

    /// What comes after this pool; at the end, this may be listed again from here on.
    pub(crate) fn next(
        &self,
        visit: Visit,
        record: &'static Record,
    ) -> Option<&'static dyn Upkeep> {
        if visit != Visit::End {
            return self.next.get();
        }
        if self.is_counted.replace(false) {
            record.thread_ends();
        }
        self.is_listed.set(false);
        self.next.take()
    }
}

/// The pools of this thread that are to be closed.
struct CloseList {
    /// The latest.
    first: Cell<Option<&'static dyn Upkeep>>,
    /// While they are being closed, how many rounds may follow.
    rounds: Cell<Option<u32>>,
    /// Whether a guard has been destroyed.
    is_ending: Cell<bool>,
    /// How often [`close_late`] was called.
    last_calls: Cell<u8>,
    /// Whether nothing comes any more.
    has_ended: Cell<bool>,
}

thread_local! {
    static CLOSE_LIST: CloseList = const {
        CloseList {
            first: Cell::new(None),
            rounds: Cell::new(None),
            is_ending: Cell::new(false),
            last_calls: Cell::new(0),
            has_ended: Cell::new(false),
        }
    };
}

impl Resident for CloseList {
    fn is_spent(&self) -> bool {
        self.first.get().is_none() && self.rounds.get().is_none()
    }
}

impl CloseList {
    /// Whether something will close what is listed.
    fn will_end(&self) -> bool {
        // Once the keys' turn has come, guards come too late.
        let is_late = self.last_calls.get() > 0;
        !self.has_ended.get()
            && in_next_round(close_late)
            && (is_late || GUARDS.iter().any(|guard| guard.try_with(|_| ()).is_ok()))
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
    let _ = CLOSE_LIST.try_with(|list| {
        let mut next = list.first.get();
        while let Some(pool) = next {
            next = pool.visit(Visit::Flush);
        }
    });
}

/// Closes what the destructors of other thread-locals, or of keys, have listed.
extern "C" fn close_late(_: *mut c_void) {
    let _ = CLOSE_LIST.try_with(|list| {
        list.close_all();
        list.last_calls.set(list.last_calls.get() + 1);
        // If no guard was destroyed, the guards came too late, and so may this: in which round, nobody knows.
        let is_last = list.last_calls.get() >= ROUNDS || !list.is_ending.get();
        list.has_ended.set(is_last || !in_next_round(close_late));
        if list.has_ended.get() {
            tell();
        }
    });
}

static IS_OVER: OnceLock<fn()> = OnceLock::new();

/// Has `call` called when a thread's pools have been closed for the last time, as far as anybody can know. The first `call` counts.
#[cfg_attr(not(any(unix, windows)), allow(dead_code, reason = "`pools/at_exit.rs`"))]
pub(crate) fn when_it_is_over(call: fn()) {
    let _ = IS_OVER.set(call);
}

fn tell() {
    IS_OVER.get().into_iter().for_each(|call| call());
}

/// A thread-local of this type, once it has been touched, is destroyed when the thread exits, and so closes pools.
struct ExitGuard;

impl Drop for ExitGuard {
    fn drop(&mut self) {
        let _ = CLOSE_LIST.try_with(|list| {
            let is_first = !list.is_ending.replace(true);
            list.close_all();
            if is_first && !IS_CALLED {
                tell();
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

/// A call when a thread has all but ended.
///
/// At a thread's end glibc first runs the destructors of its thread-locals, and then those of its keys (`pthread_key_create`).
/// The second are foreign code, which may use pools. What registers with std at that time is never called: std does not know
/// that its time has passed. So pools have a key, too.
#[cfg(all(target_os = "linux", target_env = "gnu", pool_native_tls, not(miri)))]
mod last_call {
    use core::ffi::{c_int, c_uint, c_void};
    use core::ptr;
    use core::sync::atomic::{AtomicBool, Ordering};
    use std::sync::OnceLock;

    /// Whether there is one.
    pub(super) const IS_CALLED: bool = true;

    /// In how many rounds to be called. glibc goes through the keys of a thread four times, as long as one is set
    /// (`PTHREAD_DESTRUCTOR_ITERATIONS`). By the last, ThreadSanitizer has forgotten the thread.
    pub(super) const ROUNDS: u8 = 3;

    type Destructor = unsafe extern "C" fn(*mut c_void);

    unsafe extern "C" {
        fn pthread_key_create(key: *mut c_uint, destructor: Option<Destructor>) -> c_int;
        fn pthread_key_delete(key: c_uint) -> c_int;
        fn pthread_setspecific(key: c_uint, value: *const c_void) -> c_int;
    }

    static KEY: OnceLock<Option<c_uint>> = OnceLock::new();

    /// Whether the key is about to be deleted, and may become somebody else's.
    static IS_OVER: AtomicBool = AtomicBool::new(false);

    /// Sees to it that `call` is called in the next round of this thread's keys; `false` if the system has no more keys, or
    /// the process is ending.
    ///
    /// Always the same function, which is safe to call.
    pub(super) fn in_next_round(call: extern "C" fn(*mut c_void)) -> bool {
        let key = KEY.get_or_init(|| {
            let (mut key, call): (_, Destructor) = (0, call);
            // SAFETY: the key is there to be written to, and the function is safe to call.
            let created = unsafe { pthread_key_create(&raw mut key, Some(call)) };
            (created == 0).then_some(key)
        });
        if IS_OVER.load(Ordering::Relaxed) {
            return false;
        }
        // Any value but null.
        let value = ptr::dangling::<c_void>();
        // SAFETY: nobody reads the value.
        key.is_some_and(|key| unsafe { pthread_setspecific(key, value) } == 0)
    }

    /// Before a library is unloaded, the function with it; and when the process ends.
    extern "C" fn forget() {
        IS_OVER.store(true, Ordering::Relaxed);
        if let Some(&Some(key)) = KEY.get() {
            // SAFETY: the key was created, and is not deleted twice: this runs once.
            unsafe { pthread_key_delete(key) };
        }
    }

    #[used]
    // SAFETY: the section is a list of such functions.
    #[unsafe(link_section = ".fini_array")]
    static FORGET: extern "C" fn() = forget;
}
