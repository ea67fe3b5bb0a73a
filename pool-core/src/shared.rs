//! The storage `static` of a pool that grows: one for the whole process, with a magazine of free slots
//! in every thread that uses it.
//!
//! The *magazine* is a `const` thread-local without a destructor, as in `local.rs`, and most operations
//! touch nothing else. The *depot* is an ordinary pool (a pointer stack or a free list, with all that
//! these can do) behind a lock. A magazine that is empty fetches half its room from the depot, one that
//! is full gives half its slots back; so a lock is taken once for a hundred objects. Slots of a type are
//! alike: one that is freed joins the magazine of the thread that frees it, whoever took it. (The technique
//! is J. Bonwick's and J. Adams's: *Magazines and Vmem*, 2001.)
//!
//! # Memory ordering
//!
//! Slots go from thread to thread in two ways. As an element in a box: that is an ordinary value, and
//! whoever sends it synchronises. Or free, through the depot: then the thread that put it there released
//! the lock before the one that takes it acquired it, so whatever the first did with the slot has
//! happened before. Everything behind the lock is plain. A magazine is its thread's alone, but for its
//! length, which other threads read for `pool_stats`: an atomic, relaxed, since it is no more than a
//! figure.
//!
//! # Near a limit
//!
//! Slots in the magazine of an idle thread cannot be had by others, and nobody can take them from there
//! without making every operation atomic. A pool that grows does not care. One with a limit (`max`) keeps
//! its magazines small, or has none, so that each thread hides a sixty-fourth of the slots at most. With
//! `capacity` nothing may be hidden, which is another storage altogether (`fixed.rs`).
//!
//! # The end of a thread
//!
//! The thread's slots go back to the depot (`exit.rs`). Destructors of other thread-locals may free and
//! allocate after that: the magazine has no room from then on, and each such operation goes to the depot
//! by itself. Nothing is stranded in a thread that has ended.

use core::alloc::Layout;
use core::any::type_name;
use core::cell::{Cell, UnsafeCell};
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};
use std::sync::{Mutex, PoisonError};
use std::thread::LocalKey;

use crate::config::{Bound, Config};
use crate::exhausted::Exhausted;
use crate::exit::{Close, Registration};
use crate::free_list::FreeList;
use crate::hardened::{self, IS_HARDENED};
use crate::kind::Boxes;
use crate::owned::{IS_WATCHED, OwnedPool, chunk_failed};
use crate::pointer_stack::PointerStack;
use crate::pooled::Pooled;
use crate::stats::PoolStats;
use crate::storage::{SharedStorage, Storage};

use cache::Cache;
pub(crate) use cache::Cached;

mod cache;

/// A reference to the statics of a pool that are declared for it.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_pool {
    ($pool:ty, $config:expr) => {{
        $crate::__private::thread_local! {
            static __MAGAZINE: $crate::__private::Magazine<$pool> =
                const { $crate::__private::Magazine::<$pool>::EMPTY };
        }
        static __DEPOT: $crate::__private::Depot<$pool> =
            $crate::__private::Depot::<$pool>::new($config);
        static __POOL: $crate::__private::Shared<$pool> =
            $crate::__private::Shared::new(&__MAGAZINE, &__DEPOT);
        &__POOL
    }};
}

/// The pool of a type, for all threads: a `P`, and what stands before it.
///
/// Constant, so the compiler sees through it.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct Shared<P: Cached + 'static> {
    magazine: &'static LocalKey<Magazine<P>>,
    depot: &'static Depot<P>,
}

/// One thread's free slots.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct Magazine<P: Cached> {
    slots: P::Cache,
    /// How many slots there may be: none before the first use, and after the end.
    room: Cell<usize>,
    /// Whether this thread is in the depot, and so has its lock.
    is_in_depot: Cell<bool>,
    registration: Registration,
    /// The magazine of another thread, and so on through all of them. Behind the depot's lock.
    next: Cell<*const Self>,
}

/// The slots that are in nobody's magazine.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct Depot<P: Cached> {
    lock: Mutex<()>,
    /// Behind the lock.
    state: UnsafeCell<State<P>>,
}

struct State<P: Cached> {
    /// Never dropped: boxes may exist for as long as the process.
    pool: ManuallyDrop<P>,
    /// The first of the magazines of all threads.
    magazines: Cell<*const Magazine<P>>,
}

// SAFETY: the state is touched by who has the lock only (`Depot::enter`). What lies there are free
// slots, of which every thread may make use, and the addresses of magazines, of which only the lengths
// are read, which are atomic.
unsafe impl<P: Cached> Sync for Depot<P> {}

// SAFETY: references to what is `Sync`. (`Send` elements are asked for where a box is sent.)
unsafe impl<P: Cached> Sync for Shared<P> {}

/// The fewest and the most slots that go between a magazine and the depot at a time.
const BATCH: (usize, usize) = (16, cache::ROOM / 2);
/// Bytes of slots in a batch, between those bounds: or threads would hide megabytes from one another.
const BATCH_BYTES: usize = 256 * 1024;

/// Of a pool with a limit no thread hides more than one slot in so many from the others.
const HIDDEN: usize = 64;

/// How many slots of a size go between a magazine and the depot at a time.
const fn batch(slot: Layout) -> usize {
    let slots = BATCH_BYTES / slot.size();
    if slots < BATCH.0 {
        BATCH.0
    } else if slots > BATCH.1 {
        BATCH.1
    } else {
        slots
    }
}

macro_rules! constants {
    ($Pool:ident) => {
        impl<T> Depot<$Pool<T>> {
            /// The depot of a pool that grows as `config` says.
            pub const fn new(config: Config) -> Self {
                let pool = ManuallyDrop::new($Pool::with_config(config));
                let state = State { pool, magazines: Cell::new(ptr::null()) };
                Self { lock: Mutex::new(()), state: UnsafeCell::new(state) }
            }
        }
    };
}

constants!(FreeList);
constants!(PointerStack);

impl<P: Cached> Magazine<P> {
    /// The magazine of a thread that has not used the pool yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self {
        slots: P::Cache::EMPTY,
        room: Cell::new(0),
        is_in_depot: Cell::new(false),
        registration: Registration::NONE,
        next: Cell::new(ptr::null()),
    };
}

impl<P: Cached> Shared<P> {
    /// The pool that lies in these two.
    pub const fn new(magazine: &'static LocalKey<Magazine<P>>, depot: &'static Depot<P>) -> Self {
        Self { magazine, depot }
    }
}

impl<P: Cached> Depot<P> {
    /// Calls `f` with the lock; `magazine` is this thread's, if it has one.
    fn enter<R>(&self, magazine: Option<&Magazine<P>>, f: impl FnOnce(&State<P>) -> R) -> R {
        /// Says that the thread is outside again.
        struct Inside<'a>(&'a Cell<bool>);

        impl Drop for Inside<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }

        let state = self.state.get();
        let is_in_depot = magazine.map(|magazine| &magazine.is_in_depot);
        if is_in_depot.is_some_and(Cell::get) {
            // The heap is called from in here, and may be a user of this very pool, as a strategy
            // expects (`Strategy`).
            // SAFETY: this thread has the lock, and the state is shared only.
            return f(unsafe { &*state });
        }
        // Nothing in here can leave the state in disorder: no user's code runs behind the lock.
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let _inside = is_in_depot.map(|is_in_depot| {
            is_in_depot.set(true);
            Inside(is_in_depot)
        });
        // SAFETY: this thread has the lock.
        f(unsafe { &*state })
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<P: OwnedPool + Cached> Depot<P> {
    /// Takes one slot.
    fn take(&self, magazine: Option<&Magazine<P>>) -> Option<NonNull<P::Element>> {
        self.enter(magazine, |state| state.pool.take().or_else(|| state.pool.refill()))
    }

    /// Takes one slot back.
    ///
    /// # Safety
    ///
    /// That of [`Storage::release`].
    unsafe fn put(&self, magazine: Option<&Magazine<P>>, slot: NonNull<P::Element>) {
        // SAFETY: passed on from the caller.
        self.enter(magazine, |state| unsafe { state.pool.put(slot) });
    }

    /// Takes a batch out of a magazine.
    fn collect(&self, magazine: &Magazine<P>, count: usize) {
        self.enter(Some(magazine), |state| {
            magazine.slots.spill(count, P::SLOT.size(), |slot| {
                // SAFETY: slots in magazines are not null ...
                let slot = unsafe { NonNull::new_unchecked(slot) };
                // SAFETY: ... but free slots of this pool, and just left the magazine.
                unsafe { state.pool.put(slot.cast()) };
            });
        });
    }

    /// Adds a magazine to the list.
    fn enlist(&self, magazine: &Magazine<P>) {
        self.enter(Some(magazine), |state| magazine.next.set(state.magazines.replace(magazine)));
    }

    /// Takes a magazine off the list.
    fn strike(&self, magazine: &Magazine<P>) {
        self.enter(Some(magazine), |state| {
            let mut place = &state.magazines;
            // SAFETY: a thread takes its magazine off the list before it ends.
            while let Some(other) = unsafe { place.get().as_ref() } {
                if ptr::eq(other, magazine) {
                    place.set(other.next.get());
                    return;
                }
                place = &other.next;
            }
        });
    }

    /// Free slots in all magazines.
    fn in_magazines(state: &State<P>) -> usize {
        // SAFETY: as in `strike`.
        let magazine = |magazine: *const Magazine<P>| unsafe { magazine.as_ref() };
        let all = core::iter::successors(magazine(state.magazines.get()), |other| {
            magazine(other.next.get())
        });
        all.map(|magazine| magazine.slots.len()).sum()
    }
}

/// What is done rarely, for a thread's magazine.
#[allow(private_bounds, reason = "for this crate")]
impl<T, P> Shared<P>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element = T> + Cached,
{
    /// Gives the magazine room, and sees to it that its thread's end empties it.
    fn register(&self, magazine: &Magazine<P>) {
        if cfg!(not(pool_native_tls)) || magazine.registration.is_done() {
            // Where the platform destroys the magazine before anyone can empty it (`local.rs`), it never has
            // room, nor a place in the list, and every operation goes to the depot.
            return;
        }
        let close = Close(|| {
            let shared = T::__storage();
            let closed = shared.magazine.try_with(|magazine| {
                magazine.room.set(0);
                shared.depot.collect(magazine, usize::MAX);
                shared.depot.strike(magazine);
                magazine.registration.next()
            });
            closed.ok().flatten()
        });
        if magazine.registration.register(close) {
            self.depot.enlist(magazine);
            let limit = self.depot.enter(Some(magazine), |state| state.pool.owned().config().max);
            let room = (2 * batch(P::SLOT)).min(limit / HIDDEN);
            // Of one slot there is no half.
            magazine.room.set(if room < 2 { 0 } else { room });
        }
    }

    /// Takes a slot where the magazine has none, and a batch with it.
    ///
    /// `extern "C"`, as it does not unwind: see `put_rare` in `list.rs`.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    extern "C" fn fetch(&self, magazine: &Magazine<P>) -> Option<NonNull<T>> {
        self.register(magazine);
        if magazine.room.get() == 0 {
            return self.depot.take(Some(magazine));
        }
        self.depot.enter(Some(magazine), |state| {
            let first = state.pool.take().or_else(|| state.pool.refill())?;
            let mut others = [first; BATCH.1];
            let room = magazine.room.get() / 2 - magazine.slots.len().min(magazine.room.get() / 2);
            let mut count = 0;
            while count < room {
                let Some(slot) = state.pool.take() else { break };
                others[count] = slot;
                count += 1;
            }
            // The first to come is the first to go: they come in the order of addresses, where they
            // were never used.
            for slot in others[..count].iter().rev() {
                // SAFETY: there is room for so many, and the slots are free.
                unsafe { magazine.slots.push(slot.as_ptr().cast(), P::SLOT.size()) };
            }
            Some(first)
        })
    }

    /// Takes a slot back where the magazine has no room, and a batch out of it.
    ///
    /// # Safety
    ///
    /// That of [`Storage::release`].
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    unsafe extern "C" fn overflow(&self, magazine: &Magazine<P>, slot: NonNull<T>) {
        self.register(magazine);
        let room = magazine.room.get();
        if room == 0 {
            // SAFETY: passed on from the caller.
            unsafe { self.depot.put(Some(magazine), slot) };
            return;
        }
        if magazine.slots.len() == room {
            self.depot.collect(magazine, room / 2);
        }
        // SAFETY: there is room, and the slot is free (caller).
        unsafe { magazine.slots.push(slot.as_ptr().cast(), P::SLOT.size()) };
    }
}

// SAFETY: slots come from an owned pool of `T`s, by way of magazines perhaps, in which each is once.
unsafe impl<T, P> Storage<T, Boxes> for Shared<P>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element = T> + Cached + 'static,
{
    #[inline(always)]
    fn acquire(&'static self) -> Option<NonNull<T>> {
        if IS_WATCHED {
            let taken = self.enter(|state| state.pool.take().or_else(|| state.pool.refill()));
            // SAFETY: as in `OwnedPool::intact`.
            return unsafe { hardened::intact(taken, P::SLOT.size(), type_name::<T>()) };
        }
        let taken = self.magazine.try_with(|magazine| match magazine.slots.pop(P::SLOT.size()) {
            // SAFETY: slots in magazines are not null.
            Some(slot) => Some(unsafe { NonNull::new_unchecked(slot.cast()) }),
            None => self.fetch(magazine),
        });
        taken.unwrap_or_else(|_| self.depot.take(None))
    }

    #[track_caller]
    fn verify(&'static self, slot: NonNull<T>) {
        // In a debug build it would cost a lock where there is none otherwise.
        if IS_HARDENED {
            if let Err(fault) = self.enter(|state| state.pool.check(slot)) {
                fault.panic(slot.as_ptr());
            }
        }
    }

    #[inline(always)]
    unsafe fn release(&'static self, slot: NonNull<T>) {
        if IS_WATCHED {
            // At once, or another thread could free the slot, too, after it was checked. The panic comes
            // when the lock is open: it calls what others have written.
            let checked = self.enter(|state| {
                let checked = if IS_HARDENED { state.pool.check(slot) } else { Ok(()) };
                if checked.is_ok() {
                    // SAFETY: passed on from the caller.
                    unsafe { state.pool.put_checked(slot) };
                }
                checked
            });
            if let Err(fault) = checked {
                fault.panic(slot.as_ptr());
            }
            return;
        }
        let released = self.magazine.try_with(|magazine| {
            if magazine.slots.len() < magazine.room.get() {
                // SAFETY: there is room, and the slot is free (caller).
                unsafe { magazine.slots.push(slot.as_ptr().cast(), P::SLOT.size()) };
            } else {
                // SAFETY: passed on from the caller.
                unsafe { self.overflow(magazine, slot) };
            }
        });
        if released.is_err() {
            // SAFETY: passed on from the caller.
            unsafe { self.depot.put(None, slot) };
        }
    }

    #[track_caller]
    fn refusal(&'static self) -> Exhausted {
        let config = self.enter(|state| *state.pool.owned().config());
        if config.bound != Bound::None {
            // Not asked of the state, which may have changed since: others free, and trim.
            return Exhausted::new::<T>(&config);
        }
        // Outside of the lock, since who is told of it may use the pool.
        chunk_failed::<P>(1)
    }

    fn stats(&'static self) -> PoolStats {
        self.enter(|state| {
            let stats = state.pool.figures();
            // A thread that works meanwhile may be counted late.
            let live = stats.live.saturating_sub(Depot::in_magazines(state));
            PoolStats { live, ..stats }
        })
    }

    #[track_caller]
    fn reserve(&'static self, additional: usize) {
        if let Err(refused) = self.enter(|state| state.pool.try_reserve(additional)) {
            refused.panic::<P>(additional);
        }
    }

    fn touch(&'static self) {
        self.enter(|state| state.pool.touch());
    }

    fn trim(&'static self) -> usize {
        let _ = self.magazine.try_with(|magazine| self.depot.collect(magazine, usize::MAX));
        self.enter(|state| state.pool.give_back())
    }
}

impl<P: Cached> Shared<P> {
    fn enter<R>(&self, f: impl FnOnce(&State<P>) -> R) -> R {
        let mut f = Some(f);
        let entered = self
            .magazine
            .try_with(|magazine| f.take().map(|f| self.depot.enter(Some(magazine), f)));
        match (entered, f) {
            (Ok(Some(result)), _) => result,
            (_, Some(f)) => self.depot.enter(None, f),
            _ => unreachable!("`f` is called once"),
        }
    }
}

// SAFETY: a slot is put into the magazine of the thread that frees it, or into the depot.
unsafe impl<T, P> SharedStorage<T> for Shared<P>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element = T> + Cached + 'static,
{
}
