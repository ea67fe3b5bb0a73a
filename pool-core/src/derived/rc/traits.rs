//! The traits that `Arc` and `Rc` have, by way of the element.

use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::task::{RawWaker, RawWakerVTable, Waker};

use crate::base::pointer_traits::{error_trait, pointer_traits};
use crate::derived::rc::{
    Atomic, CountedPool, PoolArc, PoolMarker, RefCounted, RefCountedBy, RefCountedWeak,
};
use crate::pointer::ref_counts::Count;
use crate::pointer::unsize::{Unsize, unsized_element};

impl<T: ?Sized, C: Count, P: PoolMarker<T>> Deref for RefCounted<T, C, P> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the element lives as long as one of its owners, and is not written to meanwhile.
        unsafe { self.element.as_ref() }
    }
}

impl<T: Default, C: Count, P: CountedPool<T, C>> Default for RefCounted<T, C, P> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new_with(T::default)
    }
}

impl<T, C: Count, P: CountedPool<T, C>> From<T> for RefCounted<T, C, P> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

pointer_traits! {
    /// Compares the elements by `T::eq`, even if both pointers are to the same one.
    ///
    /// `Rc` and `Arc` compare their addresses first where `T: Eq`. They can since std specialises on that, which stable
    /// Rust cannot. Where it matters, ask [`RefCounted::ptr_eq`] before.
    [T: ?Sized, C: Count, P: PoolMarker<T>] RefCounted<T, C, P>
}
error_trait!([T: ?Sized, C: Count, P: PoolMarker<T>] RefCounted<T, C, P>);

// A panic that a thread survives has not interrupted the counts.
impl<T: RefUnwindSafe + ?Sized, C: Count, P: PoolMarker<T>> UnwindSafe for RefCounted<T, C, P> {}
impl<T: RefUnwindSafe + ?Sized, C: Count, P: PoolMarker<T>> RefUnwindSafe for RefCounted<T, C, P> {}

// SAFETY: the coercion does not change the address, which is checked.
unsafe impl<T: ?Sized, U: ?Sized, C: Count, P> Unsize<T, U, RefCounted<U, C, P::Of<U>>>
    for RefCounted<T, C, P>
where
    P: PoolMarker<T, Of<U>: PoolMarker<U>>,
{
    #[inline(always)]
    unsafe fn unsize(self, coerce: impl FnOnce(*mut T) -> *mut U) -> RefCounted<U, C, P::Of<U>> {
        let this = ManuallyDrop::new(self);
        RefCounted::of_element(unsized_element(this.element, coerce))
    }
}

// SAFETY: as above.
unsafe impl<T: ?Sized, U: ?Sized, C: Count, P> Unsize<T, U, RefCountedWeak<U, C, P::Of<U>>>
    for RefCountedWeak<T, C, P>
where
    P: PoolMarker<T, Of<U>: PoolMarker<U>>,
{
    #[inline(always)]
    unsafe fn unsize(
        self,
        coerce: impl FnOnce(*mut T) -> *mut U,
    ) -> RefCountedWeak<U, C, P::Of<U>> {
        let this = ManuallyDrop::new(self);
        RefCountedWeak::of_element(unsized_element(this.pointer.element, coerce))
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
    const {
        &RawWakerVTable::new(
            |task| {
                // SAFETY: the waker owns the element, and so will its clone.
                unsafe { PoolArc::<W>::increment_strong_count(task.cast()) };
                RawWaker::new(task, table::<W>())
            },
            // SAFETY: the waker, which owned the element, is gone.
            |task| W::wake(unsafe { PoolArc::from_raw(task.cast()) }),
            // SAFETY: the waker owns the element, and this pointer gives up nothing.
            |task| W::wake_by_ref(&ManuallyDrop::new(unsafe { PoolArc::from_raw(task.cast()) })),
            // SAFETY: the waker, which owned the element, is gone.
            |task| unsafe { PoolArc::<W>::decrement_strong_count(task.cast()) },
        )
    }
}

#[cfg(feature = "serde")]
mod with_serde {
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Serialize, Serializer};

    use crate::derived::rc::{Count, CountedPool, PoolMarker, RefCounted, RefCountedWeak};
    use crate::pointer::boxed::serde::deserialize_in;

    /// As its element. Two pointers to one element are written as two.
    impl<T: Serialize + ?Sized, C: Count, P: PoolMarker<T>> Serialize for RefCounted<T, C, P> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            (**self).serialize(serializer)
        }
    }

    /// Reads an element into a slot of its own, as a [`PoolBox`](crate::PoolBox) does: pointers that shared one share none now.
    impl<'de, T: Deserialize<'de>, C: Count, P: CountedPool<T, C>> Deserialize<'de>
        for RefCounted<T, C, P>
    {
        #[track_caller]
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserialize_in(deserializer, P::Pool::default()).map(Self::from)
        }
    }

    /// As an `Option` of its element.
    impl<T: Serialize + ?Sized, C: Count, P: PoolMarker<T>> Serialize for RefCountedWeak<T, C, P> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.upgrade().serialize(serializer)
        }
    }

    /// Points to no element, whatever was written: nobody would own it.
    impl<'de, T: Deserialize<'de>, C: Count, P: CountedPool<T, C>> Deserialize<'de>
        for RefCountedWeak<T, C, P>
    {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Option::<T>::deserialize(deserializer)?;
            Ok(Self::new())
        }
    }
}
