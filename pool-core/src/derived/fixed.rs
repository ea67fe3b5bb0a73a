//! The storage `static` with a capacity: one pool for the whole process, without a heap.
//!
//! A `static` item of a fixed number of slots, which is all zeros at the start and so takes no room
//! in the program's file (it lies in `.bss`). Any thread allocates, any thread frees, at any time,
//! with no lock and nothing to be done when a thread begins or ends. See `fixed/free.rs` for how
//! free slots are found, in which order memory is accessed, and the promise that none hides.
//!
//! # Where links lie
//!
//! Apart from the slots, or each beside its slot.
//!
//! Not in the *place* of an element, as in the free lists that one thread uses. There a slot's link
//! and its element take turns. Here a thread may read the link of a slot which others have handed
//! out since; it would read what their owner writes into the element, not atomically, at the same
//! time.

use core::alloc::Layout;
use core::any::type_name;
use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering;

use crate::base::atomic::swap::AtomicUsize;
use crate::base::exhausted::{Exhausted, ReserveError};
use crate::base::ledger::{self, Facts, Record, Refusal, Strategy, Upkeep};
#[cfg(all(feature = "alloc", feature = "view"))]
use crate::base::map::PoolMap;
use crate::base::stats::PoolStats;
use crate::base::watch::hardened::{self, Fault, IS_HARDENED};
use crate::base::watch::sanitizer::{self, Once};
use crate::base::watch::sites::Line;
use crate::base::watch::{IS_WATCHED, Mark, valgrind};
use crate::base::word::{AtomicLink, MOST_SLOTS};
use crate::derived::pooled::Pooled;
use crate::derived::storage::{
    Acquired, BoxStorage, CountedStorage, Found, InStatic, Never, SharedStorage, Storage,
};
use crate::derived::with_counts::{Holds, WithCounts};

mod free;

use free::{FreeSlots, SHARDS, SlotLinks, shard};

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
    fn acquire(&self, line: Line, list: impl FnOnce()) -> Acquired {
        self.poisoned.call(|| self.poison_all());
        let Some(number) = self.free.pop(shard(), &self.slots, list) else {
            return Ok(None);
        };
        // SAFETY: a slot in a static.
        let slot = unsafe { NonNull::new_unchecked(self.slots.slot(number)) }.cast();
        sanitizer::unpoison(slot.as_ptr(), size_of::<A::Element>());
        let pool = ptr::from_ref(self).cast();
        valgrind::hand_out(pool, slot.as_ptr(), size_of::<A::Element>());
        if IS_WATCHED && self.mark(number).occupy(line) && IS_HARDENED {
            // SAFETY: it was filled when it was freed.
            let checked = unsafe { hardened::check_fill(slot.as_ptr(), size_of::<A::Element>()) };
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
    unsafe fn release(&self, slot: NonNull<u8>) -> Result<(), Fault> {
        let number = ((slot.addr().get() - self.slots.slot(1).addr()) / A::STRIDE) as u32 + 1;
        if IS_WATCHED {
            self.mark(number).vacate()?;
        }
        // SAFETY: it was occupied, and nothing uses it any more (caller).
        unsafe { hardened::fill(slot.as_ptr(), size_of::<A::Element>()) };
        sanitizer::poison(slot.as_ptr(), size_of::<A::Element>());
        valgrind::take_back(ptr::from_ref(self).cast(), slot.as_ptr());
        self.free.push(shard(), number, &self.slots);
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

// SAFETY: it is the one pool of the type, in a static.
unsafe impl<T, A> BoxStorage<T> for InStatic<Fixed<A>>
where
    T: Pooled<__Storage = Self>,
    A: SlotLayout<Element: Holds<T>>,
{
    type Slot = A::Element;
    const LAYOUT: Layout = Layout::new::<A::Element>();
    type Found = FixedPool<T>;

    #[inline(always)]
    unsafe fn find(self) -> FixedPool<T> {
        const { assert_slots::<A>() };
        FixedPool(PhantomData)
    }
}

// SAFETY: a slot that is taken is in no shard until it is released, and `SlotLayout` says that no other slot overlaps it.
// It lies in a static, with its link beside it.
unsafe impl<T, A> Found for FixedPool<T>
where
    T: Pooled<__Storage = InStatic<Fixed<A>>>,
    A: SlotLayout<Element: Holds<T>>,
{
    #[inline(always)]
    fn acquire(self, _: Layout, line: Line) -> Acquired {
        T::__POOL.get().acquire(line, || T::__POOL.get().record.join(InStatic::<Fixed<A>>::facts()))
    }

    fn check(self, address: usize, _: Layout) -> Result<(), Fault> {
        T::__POOL.get().check(address)
    }

    #[inline(always)]
    unsafe fn release(self, freed: NonNull<u8>, _: Layout) -> Result<(), Fault> {
        // SAFETY: passed on from the caller. Whether it is occupied is checked where that changes.
        unsafe { T::__POOL.get().release(freed) }
    }
}

/// The pool of `T`s. Its slots are not prefaulted, since another thread may take any vacant one
/// meanwhile, and there is nothing to trim.
pub struct FixedPool<T>(PhantomData<fn() -> T>);

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

    #[cfg(all(feature = "alloc", feature = "view"))]
    fn map(&'static self) -> Result<PoolMap, Refusal> {
        Ok(T::__POOL.get().map(T::__CONFIG.name_of::<T>()))
    }
}

// SAFETY: any thread puts a slot into any shard.
unsafe impl<T, A: SlotLayout<Element: Holds<T>>> SharedStorage<T> for InStatic<Fixed<A>> {}

// SAFETY: the slots are `WithCounts<T>`s.
#[diagnostic::do_not_recommend]
unsafe impl<T, A: SlotLayout<Element = WithCounts<T>>> CountedStorage<T> for InStatic<Fixed<A>> {}

/// The slots of a pool, and their links.
///
/// # Safety
///
/// `slot` returns a pointer to room for an `Element`, a different one for each number. Nothing else
/// refers to that room, and it stays where it is as long as the layout does.
#[doc(hidden)]
pub unsafe trait SlotLayout: SlotLinks + 'static {
    /// What lies in a slot.
    type Element;

    /// All slots vacant.
    const VACANT: Self;

    /// From one slot to the next, in bytes.
    const STRIDE: usize;

    /// The strategy whose slots lie so.
    const STRATEGY: Strategy;

    /// The slot `number`, which is 1 to `SLOTS`.
    fn slot(&self, number: u32) -> *mut Self::Element;
}

/// Of the strategy `pointer_stack`: elements lie side by side, and links behind them all.
#[derive(Debug)]
pub struct LinksApart<T, const N: usize> {
    slots: UnsafeCell<[MaybeUninit<T>; N]>,
    links: [AtomicLink; N],
}

// SAFETY: what is in a slot belongs to the code that took it, and `SharedStorage` and the bounds of
// `PoolBox` see to it that an element goes to another thread only if it may. The rest is atomic.
unsafe impl<T, const N: usize> Sync for LinksApart<T, N> {}

impl<T, const N: usize> SlotLinks for LinksApart<T, N> {
    const SLOTS: usize = N;

    #[inline(always)]
    fn link(&self, number: u32) -> &AtomicLink {
        let index = number as usize - 1;
        debug_assert!(index < N);
        // SAFETY: it is the number of a slot: heads and links hold no others except 0, which callers rule out first.
        unsafe { self.links.get_unchecked(index) }
    }
}

// SAFETY: the slots are an array, and no reference to that is ever made.
unsafe impl<T: 'static, const N: usize> SlotLayout for LinksApart<T, N> {
    type Element = T;

    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const VACANT: Self = Self {
        slots: UnsafeCell::new([const { MaybeUninit::uninit() }; N]),
        links: [const { AtomicLink::new() }; N],
    };

    const STRIDE: usize = size_of::<T>();

    const STRATEGY: Strategy = Strategy::POINTER_STACK;

    #[inline(always)]
    fn slot(&self, number: u32) -> *mut T {
        self.slots.get().cast::<T>().wrapping_add(number as usize - 1)
    }
}

/// Of the strategy `free_list`: each element with its link behind it, so handing out a slot or taking one
/// back touches one place in memory.
#[derive(Debug)]
pub struct LinksInline<T, const N: usize> {
    slots: [LinkedSlot<T>; N],
}

#[derive(Debug)]
#[repr(C)]
struct LinkedSlot<T> {
    slot: UnsafeCell<MaybeUninit<T>>,
    link: AtomicLink,
}

// SAFETY: as for `LinksApart`.
unsafe impl<T, const N: usize> Sync for LinksInline<T, N> {}

impl<T, const N: usize> LinksInline<T, N> {
    #[inline(always)]
    fn at(&self, number: u32) -> &LinkedSlot<T> {
        let index = number as usize - 1;
        debug_assert!(index < N);
        // SAFETY: as for `LinksApart`.
        unsafe { self.slots.get_unchecked(index) }
    }
}

impl<T, const N: usize> SlotLinks for LinksInline<T, N> {
    const SLOTS: usize = N;

    #[inline(always)]
    fn link(&self, number: u32) -> &AtomicLink {
        &self.at(number).link
    }
}

// SAFETY: each slot is a field of one element of an array, and in a cell.
unsafe impl<T: 'static, const N: usize> SlotLayout for LinksInline<T, N> {
    type Element = T;

    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const VACANT: Self = Self {
        slots: [const {
            LinkedSlot { slot: UnsafeCell::new(MaybeUninit::uninit()), link: AtomicLink::new() }
        }; N],
    };

    const STRIDE: usize = size_of::<LinkedSlot<T>>();

    const STRATEGY: Strategy = Strategy::FREE_LIST;

    #[inline(always)]
    fn slot(&self, number: u32) -> *mut T {
        self.at(number).slot.get().cast()
    }
}

/// How it draws its map.
#[cfg(all(feature = "alloc", feature = "view"))]
mod map {
    use crate::base::map::{Canvas, PoolMap, Room, SlotUse};
    use crate::derived::fixed::free::shard;
    use crate::derived::fixed::{Fixed, SlotLayout};

    impl<A: SlotLayout> Fixed<A> {
        /// A map of the pool, which is called `name`.
        pub(super) fn map(&self, name: &'static str) -> PoolMap {
            /// How often the pool is looked at, to see all of it at one moment.
            const LOOKS: usize = 8;

            let room = Room { chunks: 1, slots: A::SLOTS };
            let address = |number: u32| self.slots.slot(number).addr();
            Canvas::draw(|canvas| {
                for _ in 0..LOOKS {
                    canvas.begin(name, A::STRIDE, room)?;
                    canvas.chunk(address(1), A::SLOTS, size_of::<Self>(), A::SLOTS);
                    let is_settled =
                        self.free.look(shard(), &self.slots, &mut |first, slots, is_used| {
                            let use_ = if is_used { SlotUse::Vacant } else { SlotUse::NeverUsed };
                            (first..first + slots as u32)
                                .for_each(|n| canvas.mark(address(n), use_));
                        });
                    if is_settled {
                        return Ok(());
                    }
                }
                canvas.is_blurred();
                Ok(())
            })
        }
    }
}

#[cfg(all(test, pool_asan))]
mod tests;
