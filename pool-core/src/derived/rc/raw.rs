//! Shared elements as raw pointers.

use core::mem::ManuallyDrop;
use core::ptr::NonNull;
use core::task::{RawWaker, RawWakerVTable, Waker};

use crate::derived::rc::{Atomic, PoolArc, PoolMarker, RefCounted, RefCountedBy, RefCountedWeak};
use crate::pointer::ref_counts::Count;

impl<T: ?Sized, C: Count, P: PoolMarker<T>> RefCounted<T, C, P> {
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

impl<T: ?Sized, C: Count, P: PoolMarker<T>> RefCountedWeak<T, C, P> {
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

/// What a [`Waker`] that is a [`PoolArc`] does when it is woken: std's `Wake`, whose methods take an `Arc`.
///
/// An executor that keeps its tasks in a pool gets its wakers from there too: `Waker::from(task)` allocates nothing, and so
/// does a clone of it. Since a method can take `self` by `Box`, `Rc` or `Arc` alone, the functions here have an argument `this`.
///
/// # Examples
///
/// A task that puts itself into a queue when it is woken:
///
/// ```
/// use std::sync::mpsc::{self, Sender};
/// use std::task::{Context, Waker};
/// use typed_pool::{PoolArc, PoolWake, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(static, rc)]
/// struct Task { id: u32, ready: Sender<PoolArc<Task>> }
///
/// impl PoolWake for Task {
///     fn wake(this: PoolArc<Self>) {
///         // Without its executor there is nobody to run it.
///         let _ = this.ready.clone().send(this);
///     }
/// }
///
/// let (ready, queue) = mpsc::channel();
/// let task = PoolArc::new(Task { id: 7, ready });
/// let waker = Waker::from(PoolArc::clone(&task));
/// Context::from_waker(&waker).waker().wake_by_ref();
/// assert_eq!(queue.recv().unwrap().id, 7);
/// ```
pub trait PoolWake: RefCountedBy<Atomic> + Send + Sync {
    /// Wakes the task.
    fn wake(this: PoolArc<Self>);

    /// Wakes the task without giving up the waker. Unless it is written, it clones the pointer and calls
    /// [`PoolWake::wake`].
    fn wake_by_ref(this: &PoolArc<Self>) {
        Self::wake(PoolArc::clone(this));
    }
}

/// One owner of the element. Nothing is allocated.
impl<W: PoolWake> From<PoolArc<W>> for Waker {
    #[inline]
    fn from(task: PoolArc<W>) -> Self {
        let raw = RawWaker::from(task);
        // SAFETY: it keeps the contract of a raw waker: its functions may be called by any thread, as `W: Send + Sync`, and
        // each gives up, adds or keeps one owner, as it should.
        unsafe { Self::from_raw(raw) }
    }
}

/// One owner of the element. Nothing is allocated.
impl<W: PoolWake> From<PoolArc<W>> for RawWaker {
    #[inline]
    fn from(task: PoolArc<W>) -> Self {
        Self::new(PoolArc::into_raw(task).cast(), table::<W>())
    }
}

/// What a waker does with its pointer, which comes from [`PoolArc::into_raw`].
///
/// Not inlined, so that there is one table for a `W`: [`Waker::will_wake`] compares their addresses.
#[inline(never)]
fn table<W: PoolWake>() -> &'static RawWakerVTable {
    const { &RawWakerVTable::new(clone::<W>, wake::<W>, wake_by_ref::<W>, drop_waker::<W>) }
}

/// # Safety
///
/// `task` is the pointer of a waker, which owns the element.
unsafe fn clone<W: PoolWake>(task: *const ()) -> RawWaker {
    // SAFETY: passed on from the caller.
    let task = ManuallyDrop::new(unsafe { PoolArc::from_raw(task.cast::<W>()) });
    RawWaker::from(PoolArc::clone(&task))
}

/// # Safety
///
/// `task` is the pointer of a waker, which owns the element and is given up.
unsafe fn wake<W: PoolWake>(task: *const ()) {
    // SAFETY: passed on from the caller.
    W::wake(unsafe { PoolArc::from_raw(task.cast()) });
}

/// # Safety
///
/// `task` is the pointer of a waker, which owns the element.
unsafe fn wake_by_ref<W: PoolWake>(task: *const ()) {
    // SAFETY: passed on from the caller.
    let task = ManuallyDrop::new(unsafe { PoolArc::from_raw(task.cast::<W>()) });
    W::wake_by_ref(&task);
}

/// # Safety
///
/// `task` is the pointer of a waker, which owns the element and is given up.
unsafe fn drop_waker<W: PoolWake>(task: *const ()) {
    // SAFETY: passed on from the caller.
    drop(unsafe { PoolArc::from_raw(task.cast::<W>()) });
}
