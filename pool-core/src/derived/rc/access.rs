//! Operations on a shared element, other than looking at it.

use core::any::TypeId;
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};

use crate::derived::boxes::PoolObject;
use crate::derived::rc::{CountedPool, RefCounted, RefCountedWeak};
use crate::pointer::PoolMarker;
use crate::pointer::boxed::Vacant;
use crate::pointer::ref_counts::Count;

impl<T: ?Sized, C: Count, P: PoolMarker<T>> RefCounted<T, C, P> {
    /// Returns the element, exclusively, if this is its only pointer: no other owner, and no weak pointer.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Score { points: u64 }
    ///
    /// let mut score = PoolRc::new(Score { points: 1 });
    /// PoolRc::get_mut(&mut score).unwrap().points += 1;
    /// let other = PoolRc::clone(&score);
    /// assert!(PoolRc::get_mut(&mut score).is_none());
    /// assert_eq!(other.points, 2);
    /// ```
    #[inline]
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        if !this.counts().is_unique() {
            return None;
        }
        // SAFETY: there is no other pointer, and from the borrowed one none can be made during the borrow.
        Some(unsafe { this.element.as_mut() })
    }

    /// Makes a weak pointer to the element, which does not keep the element.
    ///
    /// # Examples
    ///
    /// See [`RefCountedWeak`].
    #[inline]
    #[must_use]
    pub fn downgrade(this: &Self) -> RefCountedWeak<T, C, P> {
        this.counts().downgrade();
        RefCountedWeak::of_element(this.element)
    }

    /// Returns the number of owners. Of a [`PoolArc`](super::PoolArc), other threads may change it at any time.
    ///
    /// # Examples
    ///
    /// See [`RefCountedWeak::strong_count`].
    #[must_use]
    pub fn strong_count(this: &Self) -> usize {
        this.counts().strong()
    }

    /// Returns the number of weak pointers to the element. Of a [`PoolArc`](super::PoolArc), other threads may change it at any
    /// time.
    ///
    /// # Examples
    ///
    /// See [`RefCountedWeak::strong_count`].
    #[must_use]
    pub fn weak_count(this: &Self) -> usize {
        this.counts().weak()
    }

    /// Whether both own the same element.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled, PartialEq)]
    /// #[pool(rc)]
    /// struct Score { points: u64 }
    ///
    /// let one = PoolRc::new(Score { points: 1 });
    /// assert!(PoolRc::ptr_eq(&one, &PoolRc::clone(&one)));
    /// let alike = PoolRc::new(Score { points: 1 });
    /// assert!(one == alike && !PoolRc::ptr_eq(&one, &alike));
    /// ```
    #[must_use]
    pub fn ptr_eq(this: &Self, other: &Self) -> bool {
        ptr::addr_eq(this.element.as_ptr(), other.element.as_ptr())
    }

    /// Returns a raw pointer to the element, which its owners still own.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Score { points: u64 }
    ///
    /// let score = PoolRc::new(Score { points: 1 });
    /// assert!(std::ptr::eq(PoolRc::as_ptr(&score), &*score));
    /// ```
    #[must_use]
    pub fn as_ptr(this: &Self) -> *const T {
        this.element.as_ptr()
    }

    /// Turns the pointer into a raw one, which still owns the element: give it back to [`RefCounted::from_raw`].
    ///
    /// # Examples
    ///
    /// See [`RefCounted::from_raw`].
    #[must_use = "losing the pointer leaks the element"]
    pub fn into_raw(this: Self) -> *const T {
        ManuallyDrop::new(this).element.as_ptr()
    }

    /// Turns the raw pointer of [`RefCounted::into_raw`] back into an owner.
    ///
    /// # Safety
    ///
    /// 1. `raw` came from [`RefCounted::into_raw`] of the same kind of pointer, on this thread if it was a
    ///    [`PoolRc`](super::PoolRc) or an `any::Rc`. That was a pointer to a `T`, or, in a pool by layout, to a type with the
    ///    layout of a `T`. (The address of a `&T` will not do, since a `&T` does not reach the counts.)
    /// 2. One pointer is made for each that was turned into `raw`. Another does no harm in a `ManuallyDrop`, if it is only read and
    ///    cloned, and only while the element has an owner.
    ///
    /// # Examples
    ///
    /// The equivalents of `Arc`'s `increment_strong_count` and `decrement_strong_count`:
    ///
    /// ```
    /// use std::mem::ManuallyDrop;
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Score { points: u64 }
    ///
    /// let raw = PoolRc::into_raw(PoolRc::new(Score { points: 1 }));
    /// // SAFETY: `raw` has just come from `into_raw`, and owns the element; this pointer is only cloned.
    /// let owner = ManuallyDrop::new(unsafe { PoolRc::from_raw(raw) });
    /// let other = PoolRc::clone(&owner);
    /// assert_eq!(PoolRc::strong_count(&other), 2);
    /// // SAFETY: this is the one pointer that was turned into `raw`, which is used no more.
    /// drop(unsafe { PoolRc::from_raw(raw) });
    /// assert_eq!((other.points, PoolRc::strong_count(&other)), (1, 1));
    /// ```
    #[must_use = "call `drop(PoolRc::from_raw(raw))` to drop it"]
    pub unsafe fn from_raw(raw: *const T) -> Self {
        // SAFETY: the pointer to an element is not null (caller).
        Self::of_element(unsafe { NonNull::new_unchecked(raw.cast_mut()) })
    }

    /// Drops the element, and then gives up the weak pointer that all strong ones held, even if the
    /// destructor unwinds. The element may use the pool, which is in order.
    ///
    /// # Safety
    ///
    /// `Counts::dec_strong` has said so, to this pointer, which is not used again.
    #[inline(never)]
    pub(super) unsafe fn drop_element(&mut self) {
        let _held = RefCountedWeak::<T, C, P>::of_element(self.element);
        // SAFETY: no strong pointer is left, nor can any be made from a weak one.
        unsafe { self.element.drop_in_place() };
    }
}

impl<O: PoolObject + ?Sized, C: Count> RefCounted<O, C> {
    /// Returns a pointer to a `T`, if the object is one: the reverse of [`unsize!`](crate::unsize).
    ///
    /// # Errors
    ///
    /// The pointer as it was, if the object is of another type.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolObject, PoolRc, Pooled, unsize};
    ///
    /// trait Enemy: PoolObject {}
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Orc(u64);
    ///
    /// impl Enemy for Orc {}
    ///
    /// let enemy: PoolRc<dyn Enemy> = unsize!(PoolRc::new(Orc(7)) => dyn Enemy);
    /// let Ok(orc) = PoolRc::downcast::<Orc>(enemy) else { panic!("an orc") };
    /// assert_eq!(orc.0, 7);
    /// ```
    pub fn downcast<T: PoolObject + 'static>(this: Self) -> Result<RefCounted<T, C>, Self> {
        if (this.__owner().id)() != TypeId::of::<T>() {
            return Err(this);
        }
        // It is a `T` (`PoolObject`), in the pool of that, and counted as one pointer.
        Ok(RefCounted::of_element(ManuallyDrop::new(this).element.cast()))
    }
}

/// Functions that need the element's size.
impl<T, C: Count, P: PoolMarker<T>> RefCounted<T, C, P> {
    /// Returns the element, exclusively. If it has another owner, `this` first becomes the owner of a clone, in a slot of its own.
    /// If all other pointers are weak, the element itself moves to another slot, and nothing is cloned. Weak pointers do not follow
    /// to the new slot.
    ///
    /// # Panics
    ///
    /// If there are other pointers and no slot, or if `clone` panics. Nothing has changed then.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled, Clone)]
    /// #[pool(rc)]
    /// struct Score { points: u64 }
    ///
    /// let mut score = PoolRc::new(Score { points: 1 });
    /// let before = PoolRc::clone(&score);
    /// PoolRc::make_mut(&mut score).points += 1;
    /// assert_eq!((before.points, score.points), (1, 2));
    /// ```
    #[track_caller]
    pub fn make_mut(this: &mut Self) -> &mut T
    where
        T: Clone,
        P: CountedPool<T, C>,
    {
        if !this.counts().is_unique() {
            // What may panic comes first.
            let slot = Vacant::new_in(P::HERE);
            if this.counts().dec_strong_if_unique() {
                // Weak ones alone are left, which find nothing from here on: the element moves.
                let held = RefCountedWeak::<T, C, P>::of_element(this.element);
                // SAFETY: there is no strong pointer, and the element is not used again where it was.
                let element = unsafe { this.element.read() };
                this.element = ManuallyDrop::new(Self::from(slot.fill(element))).element;
                drop(held);
            } else {
                *this = Self::from(slot.fill_with(|| T::clone(this)));
            }
        }
        // SAFETY: there was no other pointer, or it was made here.
        unsafe { this.element.as_mut() }
    }

    /// Moves the element out if it has no other owner. Weak pointers find nothing from then on.
    ///
    /// # Errors
    ///
    /// The pointer, if there is another owner. (If all owners of a [`PoolArc`](super::PoolArc) do this at
    /// the same time, all may be refused.)
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled, Debug)]
    /// #[pool(rc)]
    /// struct Score { points: u64 }
    ///
    /// let score = PoolRc::new(Score { points: 3 });
    /// let other = PoolRc::clone(&score);
    /// let score = PoolRc::try_unwrap(score).unwrap_err();
    /// drop(other);
    /// assert_eq!(PoolRc::try_unwrap(score).unwrap().points, 3);
    /// ```
    #[inline]
    pub fn try_unwrap(this: Self) -> Result<T, Self> {
        if !this.counts().dec_strong_if_unique() {
            return Err(this);
        }
        // SAFETY: it said so.
        Ok(unsafe { Self::take_element(ManuallyDrop::new(this)) })
    }

    /// Gives the pointer up, and moves the element out if it was the last owner's. If all owners do this,
    /// in whatever threads, exactly one gets the element.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::thread;
    /// use typed_pool::{PoolArc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(static, rc)]
    /// struct Level { name: String }
    ///
    /// let here = PoolArc::new(Level { name: "moon".into() });
    /// let there = PoolArc::clone(&here);
    /// let other = thread::spawn(move || PoolArc::into_inner(there));
    /// let found = [PoolArc::into_inner(here), other.join().unwrap()];
    /// assert_eq!(found.into_iter().flatten().count(), 1);
    /// ```
    #[inline]
    #[must_use]
    pub fn into_inner(this: Self) -> Option<T> {
        let this = ManuallyDrop::new(this);
        if !this.counts().dec_strong() {
            return None;
        }
        // SAFETY: it said so.
        Some(unsafe { Self::take_element(this) })
    }

    /// Moves the element out.
    ///
    /// # Safety
    ///
    /// This was the last strong pointer, and is counted no more.
    unsafe fn take_element(this: ManuallyDrop<Self>) -> T {
        // Given up at the end: the weak pointer that all strong ones held.
        let held = RefCountedWeak::<T, C, P>::of_element(this.element);
        // SAFETY: there is no strong pointer, and the element is not used again where it was.
        unsafe { held.pointer.element.read() }
    }
}
