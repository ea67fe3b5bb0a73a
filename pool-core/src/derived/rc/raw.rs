//! Shared elements as raw pointers.

use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use crate::derived::rc::{PoolMarker, RefCounted, RefCountedWeak};
use crate::pointer::counter::Count;
use crate::pointer::pool::Pool;

impl<T: ?Sized, C: Count, P: Pool<T> + PoolMarker> RefCounted<T, C, P> {
    /// A raw pointer to the element, which stays its owners'.
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
    pub fn as_ptr(this: &Self) -> *const T {
        this.element.as_ptr()
    }

    /// The pointer as a raw one, which owns the element as before: give it back by
    /// [`RefCounted::from_raw`].
    ///
    /// # Examples
    ///
    /// See [`RefCounted::from_raw`].
    pub fn into_raw(this: Self) -> *const T {
        ManuallyDrop::new(this).element.as_ptr()
    }

    /// Makes the pointer again that [`RefCounted::into_raw`] took apart.
    ///
    /// # Safety
    ///
    /// 1. `raw` came from [`RefCounted::into_raw`] of the same kind of pointer, on this thread if it was a
    ///    [`PoolRc`](super::PoolRc) or an `any::Rc`; of one to a `T`, or by layout to what has the layout of a `T`.
    ///    (The address of a `&T` will not do, since that does not reach the counts.)
    /// 2. No other pointer was made of it since, except those that
    ///    [`RefCounted::increment_strong_count`] allows.
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
    /// let raw = PoolRc::into_raw(PoolRc::new(Score { points: 1 }));
    /// // SAFETY: `raw` has just come from `into_raw`, and is used no more.
    /// let score = unsafe { PoolRc::from_raw(raw) };
    /// assert_eq!(score.points, 1);
    /// ```
    pub unsafe fn from_raw(raw: *const T) -> Self {
        // SAFETY: the pointer to an element is not null (caller).
        Self::of_element(unsafe { NonNull::new_unchecked(raw.cast_mut()) })
    }

    /// Adds an owner without a pointer of its own yet: one more [`RefCounted::from_raw`] is allowed.
    ///
    /// # Safety
    ///
    /// `raw` came from [`RefCounted::into_raw`] of the same kind of pointer, on this thread if it was a
    /// [`PoolRc`](super::PoolRc), and the element still has an owner.
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
    /// let raw = PoolRc::into_raw(PoolRc::new(Score { points: 1 }));
    /// // SAFETY: `raw` owns the element, and will by two pointers from here on ...
    /// unsafe { PoolRc::increment_strong_count(raw) };
    /// // SAFETY: ... which are made ...
    /// let score = unsafe { PoolRc::from_raw(raw) };
    /// assert_eq!(PoolRc::strong_count(&score), 2);
    /// // SAFETY: ... and given up.
    /// unsafe { PoolRc::decrement_strong_count(raw) };
    /// assert_eq!(PoolRc::strong_count(&score), 1);
    /// ```
    pub unsafe fn increment_strong_count(raw: *const T) {
        // SAFETY: passed on from the caller, and nothing is given up.
        let this = ManuallyDrop::new(unsafe { Self::from_raw(raw) });
        this.counts().inc_strong();
    }

    /// Gives up one owner, and drops the element if it was the last.
    ///
    /// # Safety
    ///
    /// As for [`RefCounted::from_raw`].
    ///
    /// # Examples
    ///
    /// See [`RefCounted::increment_strong_count`].
    pub unsafe fn decrement_strong_count(raw: *const T) {
        // SAFETY: passed on from the caller.
        drop(unsafe { Self::from_raw(raw) });
    }
}

impl<T: ?Sized, C: Count, P: Pool<T> + PoolMarker> RefCountedWeak<T, C, P> {
    /// The pointer as a raw one, which keeps the slot as before: give it back by [`RefCountedWeak::from_raw`]. The element
    /// may go meanwhile, so it is not to be read.
    ///
    /// # Examples
    ///
    /// See [`RefCountedWeak::from_raw`].
    #[must_use = "the slot stays occupied"]
    pub fn into_raw(self) -> *const T {
        ManuallyDrop::new(self).as_ptr()
    }

    /// Makes the pointer again that [`RefCountedWeak::into_raw`] took apart, to an element or to none.
    ///
    /// # Safety
    ///
    /// 1. `raw` came from [`RefCountedWeak::into_raw`] of the same kind of pointer, on this thread if it was a
    ///    [`PoolRcWeak`](super::PoolRcWeak) or an `any::RcWeak`; of one to a `T`, or by layout to what has the layout of a `T`.
    /// 2. No other pointer was made of it since.
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
    /// let raw = PoolRc::downgrade(&orc).into_raw();
    /// assert_eq!(PoolRc::weak_count(&orc), 1);
    /// // SAFETY: `raw` has just come from `into_raw`, and is used no more.
    /// let target = unsafe { PoolRcWeak::from_raw(raw) };
    /// assert_eq!(target.upgrade().map(|orc| orc.health), Some(40));
    /// ```
    pub unsafe fn from_raw(raw: *const T) -> Self {
        // SAFETY: the pointer to an element, or to none, is not null (caller).
        Self::of_element(unsafe { NonNull::new_unchecked(raw.cast_mut()) })
    }
}
