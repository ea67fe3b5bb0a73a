//! Where the counts of an element lie: before it, or in a pool of a fixed capacity beside all of them.

use core::cell::UnsafeCell;
use core::marker::PhantomData;
#[cfg(any(feature = "std", feature = "passthrough"))]
use core::mem::offset_of;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr::{self, NonNull};

use crate::base::exhausted::Exhausted;
use crate::derived::pooled::Pooled;
use crate::derived::storage::Storage;
use crate::pointer::counter::{Atomic, Plain};
use crate::pointer::pool::{Pool, sealed};
use crate::pointer::ref_counts::Counts;
#[cfg(feature = "std")]
use crate::pool::typed::FreeList;

/// Room for the counts of an element, whoever counts. Written before all else by whoever takes the slot.
#[derive(Debug)]
#[repr(transparent)]
pub struct Room(UnsafeCell<MaybeUninit<Either>>);

/// For its size and alignment.
union Either {
    _plain: ManuallyDrop<Counts<Plain>>,
    _atomic: ManuallyDrop<Counts<Atomic>>,
}

// SAFETY: the room belongs to whoever has the slot, and what they put there is atomic if they are many
// (`Counted`).
unsafe impl Sync for Room {}

impl Room {
    /// Without counts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const VACANT: Self = Self(UnsafeCell::new(MaybeUninit::uninit()));
}

/// Room for the counts of a `T` that does not lie with it.
#[derive(Debug)]
#[repr(transparent)]
pub struct RoomBeside<T> {
    room: Room,
    marker: PhantomData<fn(T) -> T>,
}

impl<T> RoomBeside<T> {
    /// Without counts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const VACANT: Self = Self { room: Room::VACANT, marker: PhantomData };
}

/// Leads to the rooms that lie beside a static pool of `T`s with a capacity: one for each slot.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct Rooms<T>(*const [RoomBeside<T>]);

impl<T> Rooms<T> {
    /// Of a pool whose slots have room.
    pub const NONE: Self = Self(ptr::slice_from_raw_parts(ptr::null(), 0));

    /// Those in a static.
    ///
    /// # Safety
    ///
    /// It was declared for them.
    pub const unsafe fn new<const N: usize>(rooms: *const [RoomBeside<T>; N]) -> Self {
        Self(rooms)
    }

    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    /// # Safety
    ///
    /// There are more than `index`.
    #[inline(always)]
    pub(crate) unsafe fn get(&self, index: usize) -> NonNull<Room> {
        // SAFETY: inside the static (caller).
        let room = unsafe { self.0.cast::<Room>().add(index) };
        // SAFETY: a static is there for ever, and a room is a cell.
        NonNull::from(unsafe { &*room })
    }
}

/// Leads to rooms that are declared for the counts of a type: as many as its pool has slots.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_rooms {
    ($ty:ty, $slots:expr) => {{
        static __TYPED_POOL_ROOMS: [$crate::__private::RoomBeside<$ty>; $slots] =
            [$crate::__private::RoomBeside::VACANT; $slots];
        // SAFETY: the static was declared above, and only this refers to it.
        unsafe { $crate::__private::Rooms::new(&raw const __TYPED_POOL_ROOMS) }
    }};
}

/// An element with its counts before it: what slots hold on the heap.
///
/// They come from a free list, whichever strategy the boxes of the type have. It writes its link where the
/// counts were, and never into an element that was dropped.
#[cfg(any(feature = "std", feature = "passthrough"))]
#[allow(missing_debug_implementations, unnameable_types, reason = "for the derive")]
#[repr(C)]
pub struct WithCounts<T> {
    room: Room,
    element: T,
}

/// The pool of elements with counts.
#[cfg(feature = "std")]
pub type CountedList<T> = FreeList<WithCounts<T>>;

#[cfg(any(feature = "std", feature = "passthrough"))]
impl<T> WithCounts<T> {
    /// The place of the element in a slot.
    #[inline(always)]
    pub(crate) fn element(slot: NonNull<Self>) -> NonNull<T> {
        // SAFETY: inside the slot, whose pointer is good for all of it.
        unsafe { slot.byte_add(offset_of!(Self, element)) }.cast()
    }

    /// The slot of an element.
    ///
    /// # Safety
    ///
    /// `element` came from [`WithCounts::element`].
    #[inline(always)]
    pub(crate) unsafe fn slot(element: NonNull<T>) -> NonNull<Self> {
        // SAFETY: inside the slot, for all of which the pointer is still good (caller).
        unsafe { element.byte_sub(offset_of!(Self, element)) }.cast()
    }

    /// The counts of an element.
    ///
    /// # Safety
    ///
    /// As [`WithCounts::slot`].
    #[inline(always)]
    pub(crate) unsafe fn room(element: NonNull<T>) -> NonNull<Room> {
        // SAFETY: passed on from the caller; the counts are the first field.
        unsafe { Self::slot(element) }.cast()
    }
}

/// The slots with counts of a type's pool. A box from here is an element that nobody shares yet.
#[derive(Debug)]
pub(crate) struct Slots;

impl sealed::Sealed for Slots {}

impl<T: Pooled> Pool<T> for Slots {
    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>> {
        T::__POOL.acquire_counted()
    }

    /// No pointer that counts is made of a raw one without its counts, which say whether it lives.
    fn verify(&self, _: NonNull<T>) {}

    #[inline(always)]
    unsafe fn release(&self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        unsafe { T::__POOL.release_counted(slot) };
    }

    fn refusal(&self) -> Exhausted {
        T::__POOL.refusal_counted()
    }
}
