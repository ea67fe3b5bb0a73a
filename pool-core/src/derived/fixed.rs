//! The storage `static` with a capacity: one pool for the whole process, without a heap.
//!
//! A `static` item of a fixed number of slots, which is all zeros at the start and so takes no room
//! in the program's file (it lies in `.bss`). Any thread allocates, any thread frees, at any time,
//! with no lock and nothing to be done when a thread begins or ends. See `fixed/free.rs` for how
//! free slots are found, in which order memory is accessed, and the promise that none hides.
//!
//! # Where links lie
//!
//! Links lie apart from the slots.
//!
//! They are not in the *place* of an element, as in the free lists that one thread uses. There a
//! slot's link and its element take turns. Here a thread may read the link of a slot that another
//! thread has taken since. In the element's place, that would be a race with the owner, which
//! writes to the element at the same time, not atomically.

use core::alloc::Layout;
use core::any::type_name;
use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};

use crate::base::exhausted::Exhausted;
use crate::base::ledger::{OpError, PoolOps, Record, TypeFacts};
#[cfg(all(feature = "alloc", feature = "view"))]
use crate::base::map::{PoolMap, SlotUse};
use crate::base::stats::{self, PoolStats, Strategy};
use crate::base::watch::hardened::{self, Fault, IS_HARDENED};
use crate::base::watch::sanitizer::{self, Once};
use crate::base::watch::{IS_WATCHED, Mark, valgrind};
use crate::derived::pooled::{Pooled, facts_of};
use crate::derived::storage::{Acquired, BoxStorage, Found, InStatic, Never, Storage, assert_size};
use crate::derived::with_counts::Holds;
use crate::thread;

mod free;

pub use free::MOST_SLOTS;
use free::{FreeSlots, SHARDS};

/// A pool of `N` elements, whichever strategy is written. Elements lie side by side.
pub struct Fixed<E, const N: usize> {
    free: FreeSlots<SHARDS, N>,
    poisoned: Once,
    record: Record,
    /// Its places are numbered from 1. No reference to any is ever made here.
    slots: UnsafeCell<[MaybeUninit<E>; N]>,
}

// SAFETY: what is in a slot belongs to the code that took it, and the bounds of `PoolBox`
// see to it that an element goes to another thread only if it may. The rest is atomic.
unsafe impl<E, const N: usize> Sync for Fixed<E, N> {}

/// The key of a pool with a capacity: of a static that is declared for it.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_slots {
    ($pool:ty) => {{
        static __TYPED_POOL: $pool = <$pool>::EMPTY;
        // SAFETY: the static was declared above, and only this refers to it.
        unsafe { $crate::__private::InStatic::new(&raw const __TYPED_POOL) }
    }};
}

impl<E: 'static, const N: usize> Fixed<E, N> {
    /// No slot was ever used. All zeros.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self {
        free: FreeSlots::new(),
        poisoned: Once::new(),
        record: Record::new(),
        slots: UnsafeCell::new([const { MaybeUninit::uninit() }; N]),
    };

    const SLOT_BYTES: usize = size_of::<E>();

    /// The slot `number`, which is 1 to `N`.
    #[inline(always)]
    fn slot(&self, number: u32) -> *mut u8 {
        self.slots.get().cast::<E>().wrapping_add(number as usize - 1).cast()
    }

    #[inline(always)]
    fn mark(&self, number: u32) -> &Mark {
        &self.free.link(number).mark
    }

    /// Poisons all slots, none of which was ever used.
    fn poison_all(&self) {
        valgrind::create_static(ptr::from_ref(self).cast());
        for number in 1..=N as u32 {
            sanitizer::poison(self.slot(number), Self::SLOT_BYTES);
        }
    }
}

impl<T, E, const N: usize> Storage<T> for InStatic<Fixed<E, N>>
where
    T: Pooled<__Storage = Self>,
    E: Holds<T>,
{
    type Boxes = Self;
    type Roster = Never;

    fn facts() -> &'static TypeFacts {
        const {
            // Does not compile where there can be no such pool.
            let _ = <Self as BoxStorage<T>>::LAYOUT;
            let pool = &FixedPool::<T>(PhantomData);
            &facts_of::<T, _>(Strategy::POINTER_STACK, stats::Storage::Static, pool)
        }
    }
}

// SAFETY: it is the one pool of the type, in a static, and any thread puts a slot into any shard. Slots are the elements of an array; one
// that is taken is in no shard until it is released.
unsafe impl<T, E, const N: usize> BoxStorage<T> for InStatic<Fixed<E, N>>
where
    T: Pooled<__Storage = Self>,
    E: Holds<T>,
{
    type Slot = E;
    const LAYOUT: Layout = {
        let slot = Layout::new::<E>();
        assert_size(slot);
        assert!(N > 0 && N <= MOST_SLOTS, "a static pool cannot have as many slots");
        slot
    };
    type Found = FixedPool<T>;

    #[inline(always)]
    unsafe fn find(self) -> FixedPool<T> {
        FixedPool(PhantomData)
    }
}

impl<T, E, const N: usize> Found for FixedPool<T>
where
    T: Pooled<__Storage = InStatic<Fixed<E, N>>>,
    E: Holds<T>,
{
    #[inline(always)]
    fn acquire(self, _: Layout) -> Acquired {
        let (pool, bytes) = (T::__POOL.get(), Fixed::<E, N>::SLOT_BYTES);
        pool.poisoned.call(|| pool.poison_all());
        let list = || pool.record.join(InStatic::<Fixed<E, N>>::facts());
        let Some(number) = pool.free.pop(thread::number(), list) else {
            return Ok(None);
        };
        // SAFETY: a slot in a static.
        let slot = unsafe { NonNull::new_unchecked(pool.slot(number)) };
        sanitizer::unpoison(slot.as_ptr(), bytes);
        valgrind::hand_out(ptr::from_ref(pool).cast(), slot.as_ptr(), bytes);
        if IS_WATCHED && pool.mark(number).occupy() && IS_HARDENED {
            // SAFETY: it was filled when it was freed.
            let checked = unsafe { hardened::check_fill(slot.as_ptr(), bytes) };
            if let Err(fault) = checked {
                // It is freed again, and refilled.
                // SAFETY: it was just taken, and not handed out yet.
                let _ = unsafe { self.release(slot, Layout::new::<E>()) };
                return Err((slot, fault));
            }
        }
        Ok(Some(slot))
    }

    fn check(self, address: usize, _: Layout) -> Result<(), Fault> {
        let (pool, bytes) = (T::__POOL.get(), Fixed::<E, N>::SLOT_BYTES);
        let offset = address.wrapping_sub(pool.slot(1).addr());
        if offset / bytes >= N {
            return Err(Fault::Foreign);
        }
        if offset % bytes != 0 {
            return Err(Fault::Interior { offset: offset % bytes });
        }
        let number = (offset / bytes) as u32 + 1;
        let is_occupied =
            pool.mark(number).is_occupied().unwrap_or_else(|| pool.free.is_used(number));
        if is_occupied { Ok(()) } else { Err(Fault::Vacant) }
    }

    #[inline(always)]
    unsafe fn release(self, freed: NonNull<u8>, _: Layout) -> Result<(), Fault> {
        let (pool, bytes) = (T::__POOL.get(), Fixed::<E, N>::SLOT_BYTES);
        let number = ((freed.addr().get() - pool.slot(1).addr()) / bytes) as u32 + 1;
        if IS_WATCHED {
            pool.mark(number).vacate()?;
        }
        // SAFETY: it was occupied, and nothing uses it any more (caller).
        unsafe { hardened::fill(freed.as_ptr(), bytes) };
        sanitizer::poison(freed.as_ptr(), bytes);
        valgrind::take_back(ptr::from_ref(pool).cast(), freed.as_ptr());
        pool.free.push(thread::number(), number);
        Ok(())
    }
}

/// The pool of `T`s. Its slots are not prefaulted, since another thread may take any vacant one
/// at the same time, and there is nothing to trim.
pub struct FixedPool<T>(PhantomData<fn() -> T>);

impl<T, E, const N: usize> PoolOps for FixedPool<T>
where
    T: Pooled<__Storage = InStatic<Fixed<E, N>>>,
    E: Holds<T>,
{
    fn stats(&'static self, _: bool) -> Result<PoolStats, OpError> {
        // Each is of its own moment: a change in between is seen in one, or in neither.
        let (pool, mut free) = (T::__POOL.get(), 0);
        pool.free.for_each_vacant(&mut |_, slots, is_used| free += if is_used { slots } else { 0 });
        let used = pool.free.used();
        Ok(PoolStats {
            name: T::__CONFIG.name_of::<T>(),
            strategy: Strategy::POINTER_STACK,
            live: used.saturating_sub(free),
            high_water: used,
            capacity: N,
            limit: Some(N),
            chunks: 1,
            slot_bytes: size_of::<E>(),
            bytes: size_of::<Fixed<E, N>>(),
            ..PoolStats::default()
        })
    }

    fn reserve(&'static self, additional: usize) -> Result<(), OpError> {
        if additional <= N {
            return Ok(());
        }
        let record = &T::__POOL.get().record;
        record.join(InStatic::<Fixed<E, N>>::facts());
        record.refused();
        let PoolStats { live, .. } = self.stats(true)?;
        let (name, config, size) = (type_name::<T>(), &T::__CONFIG, size_of::<E>());
        let error = Exhausted::to_reserve(name, config, (live, additional), size, None);
        Err(OpError::NoRoom(error))
    }

    fn exhausted(&'static self) -> Result<Exhausted, OpError> {
        T::__POOL.get().record.refused();
        Ok(Exhausted::new(type_name::<T>(), &T::__CONFIG))
    }

    #[cfg(all(feature = "alloc", feature = "view"))]
    fn map(&'static self, _: bool) -> Result<PoolMap, OpError> {
        let pool = T::__POOL.get();
        let address = |number: u32| pool.slot(number).addr();
        let (name, slot_bytes) = (T::__CONFIG.name_of::<T>(), size_of::<E>());
        let mut map = PoolMap::with_capacity(name, slot_bytes, [1, N]);
        map.add_chunk(address(1), size_of_val(pool), N, &mut |_| SlotUse::Live);
        pool.free.for_each_vacant(&mut |first, slots, is_used| {
            let state = if is_used { SlotUse::Vacant } else { SlotUse::NeverUsed };
            (first..first + slots as u32).for_each(|number| map.mark(address(number), state));
        });
        Ok(map)
    }
}

#[cfg(all(test, pool_asan))]
mod tests;
