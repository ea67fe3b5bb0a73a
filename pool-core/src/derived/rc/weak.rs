//! The pointer that does not keep its element.

use core::fmt;
use core::mem::{self, ManuallyDrop};
use core::ptr::{self, NonNull};

use crate::derived::rc::{CountedPool, RefCounted, write_counts};
use crate::pointer::ref_counts::{Atomic, Count, Counts, Plain};
use crate::pointer::{OwnPool, PoolMarker, panic_exhausted};

/// A weak pointer to the element of a [`RefCounted`], which can tell whether the element is still there: what `Weak` is for `Arc`
/// and `Rc`.
///
/// It keeps the slot, not the element, so the pool counts the slot as live ([`PoolStats::live`](crate::PoolStats::live)) until the
/// last weak pointer is gone. Its aliases are [`PoolArcWeak`] and [`PoolRcWeak`]; [`RefCounted::downgrade`] makes one.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolRc, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(rc)]
/// struct Monster { health: i64 }
///
/// let orc = PoolRc::new(Monster { health: 40 });
/// let target = PoolRc::downgrade(&orc);
/// assert_eq!(target.upgrade().map(|orc| orc.health), Some(40));
/// drop(orc);
/// assert!(target.upgrade().is_none());
/// assert_eq!(Monster::pool_stats().live, 1, "the slot waits for the weak pointer");
/// drop(target);
/// assert_eq!(Monster::pool_stats().live, 0);
/// ```
pub struct RefCountedWeak<T: ?Sized, C: Count, P: PoolMarker<T> = OwnPool<T>> {
    /// The pointer to which it is upgraded: from the pool, or [`NOWHERE`]. It may be sent and shared where that may.
    pub(super) pointer: ManuallyDrop<RefCounted<T, C, P>>,
}

/// A weak pointer to the element of a [`PoolArc`](super::PoolArc), which can tell whether the element is still there.
pub type PoolArcWeak<T> = RefCountedWeak<T, Atomic>;

/// A weak pointer to the element of a [`PoolRc`](super::PoolRc), which can tell whether the element is still there.
pub type PoolRcWeak<T> = RefCountedWeak<T, Plain>;

/// The address of no element: it could not have a byte there.
const NOWHERE: NonNull<u8> = NonNull::new(ptr::without_provenance_mut(usize::MAX)).unwrap();

impl<T, C: Count, P: PoolMarker<T>> RefCountedWeak<T, C, P> {
    /// A pointer to no element, which needs no slot.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRcWeak, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Monster { target: PoolRcWeak<Monster> }
    ///
    /// let monster = Monster { target: PoolRcWeak::new() };
    /// assert!(monster.target.upgrade().is_none());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::of_element(NOWHERE.cast())
    }
}

impl<T: ?Sized, C: Count, P: PoolMarker<T>> RefCountedWeak<T, C, P> {
    /// Returns another owner of the element, if the element is still there.
    ///
    /// # Examples
    ///
    /// See [`RefCountedWeak`].
    #[inline]
    #[must_use]
    pub fn upgrade(&self) -> Option<RefCounted<T, C, P>> {
        let is_there = self.counts()?.upgrade();
        // Not before it was counted: even an unused pointer would be given up.
        is_there.then(|| RefCounted::of_element(self.pointer.element))
    }

    /// Returns the number of owners; 0 if the element is gone.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Monster { health: i64 }
    ///
    /// let orc = PoolRc::new(Monster { health: 40 });
    /// let (first, second) = (PoolRc::downgrade(&orc), PoolRc::downgrade(&orc));
    /// assert_eq!((first.strong_count(), PoolRc::weak_count(&orc)), (1, 2));
    /// drop(orc);
    /// assert_eq!(second.strong_count(), 0);
    /// ```
    #[must_use]
    pub fn strong_count(&self) -> usize {
        self.counts().map_or(0, Counts::strong)
    }

    /// Whether both point to the same element, or to none.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, PoolRcWeak, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Monster { health: i64 }
    ///
    /// let orc = PoolRc::new(Monster { health: 40 });
    /// let target = PoolRc::downgrade(&orc);
    /// assert!(target.ptr_eq(&target.clone()) && !target.ptr_eq(&PoolRcWeak::new()));
    /// ```
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        ptr::addr_eq(self.pointer.element.as_ptr(), other.pointer.element.as_ptr())
    }

    /// The pointer to an element that was counted already: as the one of all strong pointers, or on its own.
    #[inline(always)]
    pub(super) const fn of_element(element: NonNull<T>) -> Self {
        Self { pointer: ManuallyDrop::new(RefCounted::of_element(element)) }
    }

    /// The counts, if there is a slot.
    #[inline(always)]
    fn counts(&self) -> Option<&Counts<C>> {
        // With a slot: that came from a pool with room for counts, and this pointer keeps it.
        let is_counted = self.pointer.element.cast() != NOWHERE;
        if is_counted { Some(self.pointer.counts()) } else { None }
    }
}

impl<T: ?Sized, C: Count, P: PoolMarker<T>> Clone for RefCountedWeak<T, C, P> {
    /// One more weak pointer to the same element.
    #[inline]
    fn clone(&self) -> Self {
        if let Some(counts) = self.counts() {
            counts.inc_weak();
        }
        Self::of_element(self.pointer.element)
    }
}

impl<T: ?Sized, C: Count, P: PoolMarker<T>> Drop for RefCountedWeak<T, C, P> {
    #[inline]
    fn drop(&mut self) {
        if !self.counts().is_some_and(Counts::dec_weak) {
            return;
        }
        // SAFETY: 1. and 2. it came from the pool, and was not released: a pointer was left; 3. that was the last one, and
        // the element was dropped, or moved out, or never there.
        unsafe { P::HERE.release(self.pointer.element) };
    }
}

/// The counted weak pointer to a slot that has never had an element, which gives the slot up without a reference to it.
struct Unmade<T, C: Count, P: PoolMarker<T>>(ManuallyDrop<RefCountedWeak<T, C, P>>);

impl<T, C: Count, P: PoolMarker<T>> Drop for Unmade<T, C, P> {
    fn drop(&mut self) {
        let held = &self.0.pointer;
        if held.counts().dec_weak() {
            // SAFETY: 1. and 2. it came from the pool, and was not released: this pointer was left; 3. it was the last one.
            unsafe { P::HERE.release_vacant(held.element) };
        }
    }
}

/// Elements that hold weak pointers to themselves.
impl<T, C: Count, P: PoolMarker<T>> RefCounted<T, C, P> {
    /// Makes an element that can hold a weak pointer to itself. `f` is given that pointer, which cannot be upgraded before `f` has
    /// returned. If `f` panics, the slot goes back with the last clone of the pointer.
    ///
    /// # Panics
    ///
    /// As [`RefCounted::new`], and if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, PoolRcWeak, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Widget { this: PoolRcWeak<Widget>, id: u32 }
    ///
    /// let widget = PoolRc::new_cyclic(|this| {
    ///     assert!(this.upgrade().is_none());
    ///     Widget { this: this.clone(), id: 7 }
    /// });
    /// assert_eq!(widget.this.upgrade().map(|same| same.id), Some(7));
    /// ```
    #[track_caller]
    #[must_use]
    pub fn new_cyclic(f: impl FnOnce(&RefCountedWeak<T, C, P>) -> T) -> Self
    where
        P: CountedPool<T, C>,
    {
        let pool = P::HERE;
        let Some(element) = pool.acquire() else { panic_exhausted::<_, T, P>((), &pool) };
        // SAFETY: the slot has just been taken, and has room for counts.
        unsafe { write_counts::<T, C>(element, 0) };
        let held = Unmade(ManuallyDrop::new(RefCountedWeak::of_element(element)));
        let value = f(&held.0);
        // SAFETY: the slot fits a `T`, and nothing reads it: no weak pointer can be upgraded yet.
        unsafe { element.write(value) };
        let strong = Self::of_element(element);
        strong.counts().publish();
        // It goes on as the weak pointer that all strong ones hold together.
        mem::forget(held);
        strong
    }
}

impl<T, C: Count, P: PoolMarker<T>> Default for RefCountedWeak<T, C, P> {
    /// [`RefCountedWeak::new`].
    fn default() -> Self {
        Self::new()
    }
}

impl<T: ?Sized, C: Count, P: PoolMarker<T>> fmt::Debug for RefCountedWeak<T, C, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(Weak)")
    }
}
