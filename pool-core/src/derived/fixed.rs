//! The storage `static` with a capacity: one pool for the whole process, without a heap.
//!
//! A `static` item of a fixed number of slots, which is all zeros at the start and so takes no room
//! in the program's file (it lies in `.bss`). Any thread allocates, any thread frees, at any time,
//! with no lock and nothing to be done when a thread begins or ends. See `fixed/free.rs` for how
//! free slots are found, in which order memory is accessed, and the promise that none hides.

use core::any::type_name;
use core::marker::PhantomData;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering;

use crate::base::atomic::swap::AtomicUsize;
use crate::base::exhausted::{Exhausted, ReserveError};
use crate::base::ledger::{self, Facts, Record, Refusal, Upkeep};
use crate::base::stats::PoolStats;
use crate::base::watch::hardened::{self, Fault, IS_HARDENED};
use crate::base::watch::sanitizer::{self, Once};
use crate::base::watch::sites::Line;
use crate::base::watch::{IS_WATCHED, Mark, valgrind};
use crate::base::word::MOST_SLOTS;
use crate::derived::key::InStatic;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{BoxStorage, CountedStorage, Never, SharedStorage, Storage};
use crate::derived::with_counts::{Holds, WithCounts, panic_of_taken};

mod free;
#[cfg(all(feature = "alloc", feature = "view"))]
mod map;
mod slot_layout;
mod thread;

use free::FreeSlots;
use slot_layout::{LinksApart, LinksInline, SlotLayout};
use thread::SHARDS;

/// A pool of as many elements as `A` has slots.
#[derive(Debug)]
pub struct Fixed<A> {
    free: FreeSlots<SHARDS>,
    poisoned: Once,
    record: Record,
    /// Occupied slots that weak pointers alone hold (`PoolArc`).
    weak: AtomicUsize,
    slots: A,
}

/// A pool with the strategy `pointer_stack`.
pub type FixedStack<T, const N: usize> = Fixed<LinksApart<T, N>>;

/// A pool with the strategy `free_list`.
pub type FixedList<T, const N: usize> = Fixed<LinksInline<T, N>>;

/// The key of a pool with a capacity: of a static that is declared for it.
#[cfg(not(feature = "passthrough"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __static_slots {
    ($pool:ty) => {{
        static __TYPED_POOL: $pool = <$pool>::EMPTY;
        // SAFETY: the static was declared above, and only this refers to it.
        unsafe { $crate::__private::InStatic::new(&raw const __TYPED_POOL) }
    }};
}

/// Does not compile where there can be no such pool.
const fn assert_slots<A: SlotLayout>() {
    assert!(size_of::<A::Element>() > 0, "a type without a size has no such pool");
    assert!(A::SLOTS > 0 && A::SLOTS <= MOST_SLOTS, "a static pool cannot have as many slots");
}

/// A slot, if there is one; or one that was written to while it was free.
type Acquired<E> = Result<Option<NonNull<E>>, (NonNull<E>, Fault)>;

impl<A: SlotLayout> Fixed<A> {
    /// No slot was ever used. All zeros.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self {
        free: FreeSlots::new(),
        poisoned: Once::new(),
        record: Record::new(),
        weak: AtomicUsize::new(0),
        slots: A::VACANT,
    };

    /// Takes a slot for a line; calls `list` first where the own shard has none. `None` if there is none, or an error with a slot
    /// that was written to while it was free.
    #[inline(always)]
    fn acquire(&self, line: Line, list: impl FnOnce()) -> Acquired<A::Element> {
        self.poisoned.call(|| self.poison_all());
        let Some(number) = self.free.pop(thread::shard(), &self.slots, list) else {
            return Ok(None);
        };
        // SAFETY: a slot in a static.
        let slot = unsafe { NonNull::new_unchecked(self.slots.slot(number)) };
        sanitizer::unpoison(slot.as_ptr().cast(), size_of::<A::Element>());
        let pool = ptr::from_ref(self).cast();
        valgrind::hand_out(pool, slot.as_ptr().cast(), size_of::<A::Element>());
        if IS_WATCHED && self.mark(number).occupy(line) && IS_HARDENED {
            // SAFETY: it was filled when it was freed.
            let checked =
                unsafe { hardened::check_fill(slot.as_ptr().cast(), size_of::<A::Element>()) };
            if let Err(fault) = checked {
                // It is freed again, and refilled.
                // SAFETY: it was just taken, and given to nobody.
                let _ = unsafe { self.release(slot) };
                return Err((slot, fault));
            }
        }
        Ok(Some(slot))
    }

    #[inline(always)]
    fn mark(&self, number: u32) -> &Mark {
        &self.slots.link(number).mark
    }

    /// Poisons all slots, none of which was ever used.
    fn poison_all(&self) {
        valgrind::create_static(ptr::from_ref(self).cast());
        for number in 1..=A::SLOTS as u32 {
            sanitizer::poison(self.slots.slot(number).cast(), size_of::<A::Element>());
        }
    }

    /// What is wrong with giving back the slot at this address.
    fn check(&self, slot: usize) -> Result<(), Fault> {
        let offset = slot.wrapping_sub(self.slots.slot(1).addr());
        if offset / A::STRIDE >= A::SLOTS {
            return Err(Fault::Foreign);
        }
        if offset % A::STRIDE != 0 {
            return Err(Fault::Interior { offset: offset % A::STRIDE });
        }
        let number = (offset / A::STRIDE) as u32 + 1;
        let is_occupied =
            self.mark(number).is_occupied().unwrap_or_else(|| self.free.is_used::<A>(number));
        if is_occupied { Ok(()) } else { Err(Fault::Vacant) }
    }

    /// Takes a slot back, unless it is found not to be occupied.
    ///
    /// # Safety
    ///
    /// 1. The slot came from [`Fixed::acquire`].
    /// 2. If it is occupied, nothing uses it any more.
    #[inline(always)]
    unsafe fn release(&self, slot: NonNull<A::Element>) -> Result<(), Fault> {
        let number = ((slot.addr().get() - self.slots.slot(1).addr()) / A::STRIDE) as u32 + 1;
        if IS_WATCHED {
            self.mark(number).vacate()?;
        }
        // SAFETY: it was occupied, and nothing uses it any more (caller).
        unsafe { hardened::fill(slot.as_ptr().cast(), size_of::<A::Element>()) };
        sanitizer::poison(slot.as_ptr().cast(), size_of::<A::Element>());
        valgrind::take_back(ptr::from_ref(self).cast(), slot.as_ptr().cast());
        self.free.push(thread::shard(), number, &self.slots);
        Ok(())
    }

    fn weak(&self) -> usize {
        self.weak.load(Ordering::Relaxed)
    }
}

impl<T, A> Storage<T> for InStatic<Fixed<A>>
where
    T: Pooled<__Storage = Self>,
    A: SlotLayout<Element: Holds<T>>,
{
    type Boxes = Self;
    type Roster = Never;

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn facts() -> &'static Facts {
        const {
            assert_slots::<A>();
            &Facts {
                type_name: type_name::<T>,
                name: T::__CONFIG.name,
                strategy: A::STRATEGY,
                storage: ledger::Storage::Static,
                has_accounts: false,
                upkeep: &FixedPool::<T>(PhantomData),
            }
        }
    }
}

// SAFETY: a slot that is taken is in no shard until it is released, and `SlotLayout` says that no other slot overlaps it.
// It lies in a static, with its link beside it.
unsafe impl<T, A> BoxStorage<T> for InStatic<Fixed<A>>
where
    T: Pooled<__Storage = Self>,
    A: SlotLayout<Element: Holds<T>>,
{
    #[inline(always)]
    fn acquire(self) -> Option<NonNull<T>> {
        const { assert_slots::<A>() };
        match self.get().acquire(Line::of_caller(), || self.get().record.join(Self::facts())) {
            // SAFETY: the pool has just handed the slot out, whose pointer is good for all of it.
            Ok(Some(taken)) => Some(unsafe { Holds::element(taken) }),
            Ok(None) => None,
            Err((taken, fault)) => panic_of_taken::<T, _>(taken, fault),
        }
    }

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn check(self, element: NonNull<T>) -> Result<(), Fault> {
        self.get().check(<A::Element as Holds<T>>::address(element))
    }

    #[inline(always)]
    unsafe fn release(self, element: NonNull<T>) {
        // SAFETY: it came from `acquire` (caller), and this is the only pool of `T`s.
        let slot: NonNull<A::Element> = unsafe { Holds::slot(element) };
        // SAFETY: passed on from the caller. Whether it is occupied is checked where that changes.
        if let Err(fault) = unsafe { self.get().release(slot) } {
            fault.panic(element.as_ptr());
        }
    }
}

/// The pool of `T`s, for what is rarely done with it. Its slots are not prefaulted, since another thread may take any vacant one
/// meanwhile, and there is nothing to trim.
struct FixedPool<T>(PhantomData<fn() -> T>);

impl<T, A> Upkeep for FixedPool<T>
where
    T: Pooled<__Storage = InStatic<Fixed<A>>>,
    A: SlotLayout<Element: Holds<T>>,
{
    fn stats(&'static self, _: bool) -> Result<PoolStats, Refusal> {
        // Both are of their moment: what others do in between is seen in one, or in neither.
        let pool = T::__POOL.get();
        let free = pool.free.count_free(&pool.slots);
        let used = pool.free.used();
        Ok(PoolStats {
            name: T::__CONFIG.name_of::<T>(),
            live: used.saturating_sub(free + pool.weak()),
            weak: pool.weak(),
            high_water: used,
            capacity: A::SLOTS,
            limit: Some(A::SLOTS),
            chunks: 1,
            slot_bytes: A::STRIDE,
            bytes: size_of::<Fixed<A>>(),
            ..PoolStats::default()
        })
    }

    fn show_lines(&'static self, _: bool, found: &mut dyn FnMut(Line)) -> Result<(), Refusal> {
        let pool = T::__POOL.get();
        (1..=A::SLOTS as u32).for_each(|number| found(pool.mark(number).line()));
        Ok(())
    }

    fn reserve(&'static self, additional: usize) -> Result<(), Refusal> {
        if additional <= A::SLOTS {
            return Ok(());
        }
        let record = &T::__POOL.get().record;
        record.join(InStatic::<Fixed<A>>::facts());
        record.refused();
        let PoolStats { live, weak, .. } = self.stats(true)?;
        let (name, config, size) = (type_name::<T>(), &T::__CONFIG, size_of::<A::Element>());
        let error = ReserveError::new(name, config, live + weak, additional, size);
        Err(Refusal::NoRoom(ReserveError { weak, ..error }))
    }

    fn exhausted(&'static self) -> Result<Exhausted, Refusal> {
        let pool = T::__POOL.get();
        pool.record.refused();
        Ok(Exhausted::new::<T>(&T::__CONFIG).held_weakly(pool.weak()))
    }

    fn count_weak(&'static self, change: isize) {
        T::__POOL.get().weak.fetch_add(change as usize, Ordering::Relaxed);
    }

    fn record(&'static self) -> Option<&'static Record> {
        Some(&T::__POOL.get().record)
    }
}

// SAFETY: any thread puts a slot into any shard.
unsafe impl<T, A: SlotLayout<Element: Holds<T>>> SharedStorage<T> for InStatic<Fixed<A>> {}

// SAFETY: the slots are `WithCounts<T>`s.
#[diagnostic::do_not_recommend]
unsafe impl<T, A: SlotLayout<Element = WithCounts<T>>> CountedStorage<T> for InStatic<Fixed<A>> {}

#[cfg(all(test, pool_asan))]
mod tests {
    use core::ffi::c_void;
    use core::ptr::NonNull;

    use super::{Fixed, FixedList, FixedStack};
    use crate::base::watch::sites::Line;

    unsafe extern "C" {
        fn __asan_address_is_poisoned(address: *const c_void) -> i32;
    }

    #[test]
    fn what_is_vacant_is_poisoned() {
        fn acquire<A: super::SlotLayout>(pool: &Fixed<A>) -> NonNull<A::Element> {
            pool.acquire(Line::NONE, || ()).ok().flatten().unwrap()
        }
        fn check<A: super::SlotLayout<Element = [u64; 3]>>(pool: &'static Fixed<A>) {
            let is_poisoned = |slot: *mut [u64; 3]| {
                // SAFETY: the call looks at the sanitizer's shadow only.
                unsafe { __asan_address_is_poisoned(slot.cast()) != 0 }
            };
            let [first, second] = [(); 2].map(|()| acquire(pool));
            assert!(!is_poisoned(first.as_ptr()) && !is_poisoned(second.as_ptr()));
            let vacant =
                (1..=A::SLOTS as u32).filter(|&number| is_poisoned(pool.slots.slot(number)));
            assert_eq!(vacant.count(), A::SLOTS - 2, "never used");
            // SAFETY: the slot has just been taken, and is not used.
            unsafe { pool.release(first) }.unwrap();
            assert!(is_poisoned(first.as_ptr()) && !is_poisoned(second.as_ptr()));
            assert_eq!(acquire(pool), first);
            assert!(!is_poisoned(first.as_ptr()));
        }
        static STACK: FixedStack<[u64; 3], 4> = Fixed::EMPTY;
        static LIST: FixedList<[u64; 3], 4> = Fixed::EMPTY;
        check(&STACK);
        check(&LIST);
    }
}
