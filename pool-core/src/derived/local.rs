//! The storage `thread_local`: every thread has a pool of its own.
//!
//! The hot path is one `const` thread-local without a destructor: no registration to check, no
//! lazy initialisation, and it stays usable until the very end of its thread (`thread_local.rs`).
//!
//! What a destructor would do is left to a second thread-local, which only growth touches: at the end
//! of the thread it *closes* every pool that has grown there (`reclaim.rs`).
//!
//! Other thread-locals may be destroyed before that or after, and their destructors may drop boxes
//! and make new ones. A closed pool serves both and keeps no chunk without a live slot.

use core::alloc::Layout;
use core::any::type_name;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::ledger::{self, Facts, Record, Refusal, Upkeep};
use crate::base::opaque::Opaque;
use crate::base::stats::PoolStats;
use crate::base::watch::hardened::Fault;
use crate::base::watch::sites::Line;
use crate::derived::in_thread::InThread;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{BoxStorage, CountedStorage, Never, Storage, assert_size};
use crate::derived::thread_exit::{Registration, Visit, this_thread};
use crate::derived::thread_local::Resident;
use crate::derived::with_counts::{Holds, RefCounts, panic_of_taken};
use crate::pool::typed::TypedPool;
use crate::strategy::{Slots, Strategy};

/// The key of a thread-local that is declared for it.
///
/// Both in one macro: where the derive does not find the library, that is one error and not two.
#[doc(hidden)]
#[macro_export]
macro_rules! __thread_local {
    ($ty:ty, $initial:expr) => {{
        $crate::__private::thread_local! {
            static __TYPED_POOL: $ty = const { $initial };
        }
        static __TYPED_POOL_COMPANION: $crate::__private::Companion =
            $crate::__private::Companion::NEW;
        // SAFETY: both were declared above, and only this refers to them.
        unsafe {
            $crate::__private::InThread::new(&__TYPED_POOL, &raw const __TYPED_POOL_COMPANION)
        }
    }};
}

/// One thread's pool of one type: a `P`, which is a [`TypedPool`].
#[derive(Debug)]
pub struct LocalPool<P> {
    /// Without its destructor, or the thread-local would have one.
    pool: Opaque<P>,
    registration: Opaque<Registration>,
}

/// The key of a pool whose slots are `E`s.
type ThreadKey<E, S> = InThread<LocalPool<TypedPool<E, S>>>;

impl<E, S: Strategy> Resident for LocalPool<TypedPool<E, S>> {
    fn is_spent(&self) -> bool {
        let slots = &self.pool.slots;
        let is_empty = slots.cursor.chain.slots() == 0 && slots.live(TypedPool::<E, S>::SLOT) == 0;
        !self.registration.is_listed() && is_empty
    }
}

impl<E, S: Strategy> LocalPool<TypedPool<E, S>> {
    /// A pool that grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self { pool: TypedPool::OPAQUE, registration: Registration::OPAQUE };

    /// A pool that grows as `config` says.
    pub const fn new(config: Config) -> Self {
        let pool = Opaque::new(TypedPool::with_config(config));
        Self { pool, registration: Registration::OPAQUE }
    }
}

/// Leads to this thread's pool of one type, or of one class of layouts, where neither is known: for all but the hot path, which
/// is compiled once for each strategy.
pub(crate) struct LocalPools<S: Strategy> {
    /// This thread's. As unsafe as [`InThread::find`].
    pub(crate) find: unsafe fn() -> Option<&'static Slots<S>>,
    /// The layout of a slot.
    pub(crate) slot: Layout,
    /// Sees to it that the pool is closed when its thread ends.
    pub(crate) close_at_exit: fn(),
    pub(crate) record: fn() -> &'static Record,
    pub(crate) facts: fn() -> &'static Facts,
}

impl<S: Strategy> LocalPools<S> {
    /// Calls `f` with the pool. It calls no user's code but the heap.
    pub(super) fn with<R>(&self, f: impl FnOnce(&Slots<S>) -> R) -> Result<R, Refusal> {
        // SAFETY: it is used until `f` returns.
        unsafe { (self.find)() }.map(f).ok_or(Refusal::NoMemory)
    }

    /// Sees to it that the pool is closed when its thread ends, and listed; to be called before it grows.
    #[cold]
    fn register(&self) {
        let facts = (self.facts)();
        if S::HAS_BLOCKS {
            return (self.record)().join(facts);
        }
        (self.close_at_exit)();
        let _ = self.with(|slots| {
            let cursor = &slots.cursor;
            if !cursor.account.is_open() {
                let name = cursor.config.name.unwrap_or_else(facts.type_name);
                cursor.account.open(facts, name, this_thread(cursor.is_closed.get()));
            }
        });
    }
}

/// Takes a slot of this thread's pool, where none is at hand.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
pub(crate) extern "C" fn refill<S: Strategy>(
    slots: &Slots<S>,
    slot: Layout,
    pools: &LocalPools<S>,
) -> Option<NonNull<u8>> {
    // A pool with chunks has been registered before the first.
    if slots.cursor.chain.first().is_none() {
        pools.register();
    }
    slots.refill(slot)
}

impl<S: Strategy> Upkeep for LocalPools<S> {
    fn stats(&'static self, _: bool) -> Result<PoolStats, Refusal> {
        self.with(|slots| slots.stats((self.facts)().pool_name(), self.slot))
    }

    fn show_lines(&'static self, _: bool, found: &mut dyn FnMut(Line)) -> Result<(), Refusal> {
        self.with(|slots| slots.show_lines(found))
    }

    fn reserve(&'static self, additional: usize) -> Result<(), Refusal> {
        self.register();
        let name = (self.facts)().pool_name();
        let reserved = self.with(|slots| slots.try_reserve(additional, 0, name, self.slot))?;
        reserved.map_err(|error| {
            if S::HAS_BLOCKS {
                (self.record)().refused();
            }
            Refusal::NoRoom(error)
        })
    }

    fn prefault(&'static self) -> Result<(), Refusal> {
        self.with(|slots| slots.cursor.prefault(self.slot))
    }

    fn trim(&'static self) -> Result<usize, Refusal> {
        Ok(self.with(|slots| slots.trim(self.slot)).unwrap_or(0))
    }

    fn exhausted(&'static self) -> Result<Exhausted, Refusal> {
        if S::HAS_BLOCKS {
            (self.record)().refused();
        }
        let name = (self.facts)().pool_name();
        let why = |slots: &Slots<S>| slots.exhausted(name, slots.is_at_limit(self.slot), self.slot);
        // A thread that has no memory for its pool has none for a chunk.
        let none = Slots::<S>::EMPTY;
        Ok(self.with(why).unwrap_or_else(|_| none.exhausted(name, false, self.slot)))
    }

    fn count_weak(&'static self, change: isize) {
        let _ = self.with(|slots| slots.count_weak(change, self.slot));
    }

    fn record(&'static self) -> Option<&'static Record> {
        Some((self.record)())
    }
}

impl<E: 'static, S: Strategy> ThreadKey<E, S> {
    /// This thread's slots.
    ///
    /// # Safety
    ///
    /// As for [`InThread::find`].
    #[inline(always)]
    unsafe fn slots(self) -> Option<&'static Slots<S>> {
        // SAFETY: passed on from the caller.
        match unsafe { self.find() } {
            Some(local) => Some(&local.pool.slots),
            None => None,
        }
    }

    const fn pools<T: Pooled<__Storage = Self>>() -> &'static LocalPools<S>
    where
        E: Holds<T>,
    {
        const {
            assert_size(TypedPool::<E, S>::SLOT);
            &LocalPools {
                // SAFETY: passed on from the caller.
                find: || unsafe { T::__POOL.slots() },
                slot: TypedPool::<E, S>::SLOT,
                close_at_exit: || {
                    let close = T::__POOL.close(|visit| {
                        let closed = T::__POOL.with(|local| {
                            if visit == Visit::End {
                                local.pool.slots.close(TypedPool::<E, S>::SLOT);
                            }
                            local.registration.next(visit)
                        });
                        closed.ok().flatten()
                    });
                    let _ = T::__POOL.with(|local| {
                        if !local.registration.register(close, NonNull::from(local).cast()) {
                            // The end has come already.
                            local.pool.slots.close(TypedPool::<E, S>::SLOT);
                        }
                    });
                },
                record: || T::__POOL.record(),
                facts: <Self as Storage<T>>::facts,
            }
        }
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> Storage<T> for ThreadKey<E, S> {
    type Boxes = Self;
    type Roster = Never;

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn facts() -> &'static Facts {
        const {
            &Facts {
                type_name: type_name::<T>,
                name: T::__CONFIG.name,
                strategy: S::KIND,
                storage: ledger::Storage::ThreadLocal,
                has_accounts: !S::HAS_BLOCKS,
                upkeep: Self::pools::<T>(),
            }
        }
    }
}

// SAFETY: slots come from a typed pool of this thread, which frees no chunk with a live slot, and is never dropped.
unsafe impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> BoxStorage<T>
    for ThreadKey<E, S>
{
    #[inline(always)]
    fn acquire(self) -> Option<NonNull<T>> {
        let slot = TypedPool::<E, S>::SLOT;
        // SAFETY: they are used until this returns.
        let slots = unsafe { self.slots() }?;
        match slots.acquire(slot, Line::of_caller(), || refill(slots, slot, Self::pools::<T>())) {
            // SAFETY: the pool has just handed the slot out, whose pointer is good for all of it.
            Ok(Some(taken)) => Some(unsafe { Holds::element(taken.cast::<E>()) }),
            Ok(None) => None,
            Err((taken, fault)) => panic_of_taken::<T, E>(taken.cast(), fault),
        }
    }

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn check(self, element: NonNull<T>) -> Result<(), Fault> {
        // SAFETY: they are used until this returns.
        let Some(slots) = (unsafe { self.slots() }) else { return Ok(()) };
        slots.check(<E as Holds<T>>::address(element), TypedPool::<E, S>::SLOT)
    }

    #[inline(always)]
    unsafe fn release(self, element: NonNull<T>) {
        // SAFETY: a box's element, which came from `acquire` (caller).
        let freed: NonNull<E> = unsafe { Holds::slot(element) };
        // SAFETY: they are used until this returns.
        let Some(slots) = (unsafe { self.slots() }) else { return };
        // SAFETY: passed on from the caller; neither a box nor a pointer that counts by one thread
        // leaves its thread, so this is the pool from which the slot came.
        if let Err(fault) = unsafe { slots.release(freed.cast(), TypedPool::<E, S>::SLOT) } {
            fault.panic(element.as_ptr());
        }
    }
}

// SAFETY: the slots are `WithCounts<T>`s (`Holds`).
#[diagnostic::do_not_recommend]
unsafe impl<T, E: Holds<T, Counts = RefCounts>, S: Strategy> CountedStorage<T> for ThreadKey<E, S> {}
