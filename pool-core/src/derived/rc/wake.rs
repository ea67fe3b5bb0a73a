//! Wakers that are shared elements.

use core::mem::ManuallyDrop;
use core::task::{RawWaker, RawWakerVTable, Waker};

use crate::derived::rc::{Atomic, PoolArc, RefCountedBy};

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
