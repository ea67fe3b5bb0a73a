//! A thread's pools by layout: one thread-local, const and without a destructor, with a free list for each class.
//!
//! As in `derived/local.rs`, but one registration closes all classes.

use core::any::type_name;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use crate::base::guard::hardened::IS_HARDENED;
use crate::base::stats::PoolStats;
use crate::derived::addresses::Addresses;
use crate::derived::by_layout::ByLayout;
use crate::derived::by_layout::classes::{CLASSES, Class};
use crate::derived::per_thread::PerThread;
use crate::derived::storage::gone;
use crate::derived::thread_exit::Registration;
use crate::pool::reserve::chunk_failed;
use crate::strategy::{InFreeList, Slots};

/// What a thread has.
struct LocalClasses {
    /// Without their destructors, or the thread-local would have one.
    slots: [ManuallyDrop<Slots<InFreeList>>; CLASSES],
    registration: Registration,
}

std::thread_local! {
    static LOCAL: LocalClasses = const {
        LocalClasses {
            slots: [const { ManuallyDrop::new(Slots::EMPTY) }; CLASSES],
            registration: Registration::NONE,
        }
    };
}

static ADDRESSES: Addresses = Addresses::NONE;

/// This thread's.
#[inline(always)]
fn here() -> PerThread<LocalClasses> {
    // SAFETY: both were declared for one another; there is no destructor.
    unsafe { PerThread::new(&LOCAL, &ADDRESSES) }
}

impl LocalClasses {
    #[inline(always)]
    fn slots(&self, class: Class) -> &Slots<InFreeList> {
        &self.slots[class.index()]
    }

    /// Closes all classes: their thread is ending.
    fn close(&self) {
        Class::all().for_each(|class| self.slots(class).close(class.slot()));
    }

    /// Sees to it that the pools are closed when their thread ends; to be called before one grows.
    fn register(&self) {
        let close = here().close(|| {
            let closed = here().with(|local| {
                local.close();
                local.registration.next()
            });
            closed.ok().flatten()
        });
        if !self.registration.register(close, NonNull::from(self).cast()) {
            // The end has come already.
            self.close();
        }
    }

    /// Takes a slot where none is at hand.
    ///
    /// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    extern "C" fn refill(&self, class: Class) -> Option<NonNull<u8>> {
        self.register();
        self.slots(class).refill(class.slot())
    }
}

/// Takes a slot, for a `T`.
#[inline(always)]
pub(super) fn take<T: ?Sized>(class: Class) -> Option<NonNull<u8>> {
    let taken = here().with(|local| {
        let (slots, slot) = (local.slots(class), class.slot());
        let taken = slots.take(slot).or_else(|| local.refill(class))?;
        if let Err(fault) = slots.check_fill(taken, slot) {
            fault.panic_in(type_name::<T>(), taken.as_ptr());
        }
        Some(taken)
    });
    taken.ok().flatten()
}

/// Panics if it is found that a slot cannot be taken back.
#[track_caller]
pub(super) fn verify<T: ?Sized>(taken: NonNull<u8>, class: Class) {
    if cfg!(pool_native_tls) {
        let check =
            |local: &LocalClasses| local.slots(class).check(taken.addr().get(), class.slot());
        if let Ok(Err(fault)) = here().with(check) {
            fault.panic_in(type_name::<T>(), taken.as_ptr());
        }
    }
}

/// Takes a slot back, of a `T`.
///
/// # Safety
///
/// It came from [`take`] in this thread, with this class, and has not been given back since. The pointer is good for writing to
/// all of it, and nothing uses it any more.
#[inline(always)]
pub(super) unsafe fn put<T: ?Sized>(freed: NonNull<u8>, class: Class) {
    // Where the thread-local is gone, so is the way to its chunks: the slot is leaked.
    let _ = here().with(|local| {
        let (slots, slot) = (local.slots(class), class.slot());
        if cfg!(not(pool_native_tls)) && !slots.owns(freed.addr().get(), slot) {
            return;
        }
        if IS_HARDENED {
            // Once more: the element's destructor has run since.
            if let Err(fault) = slots.check(freed.addr().get(), slot) {
                fault.panic_in(type_name::<T>(), freed.as_ptr());
            }
        }
        // SAFETY: passed on from the caller.
        unsafe { slots.put(freed.as_ptr(), slot) };
    });
}

/// Ends the program, since [`take`] found no slot for a `T`.
#[cold]
#[track_caller]
pub(super) fn exhausted<T>(class: Class) -> ! {
    let least = here().with(|local| local.slots(class).cursor.config.least_chunk());
    match least {
        Ok(least) => chunk_failed::<T, InFreeList>(least, class.slot()),
        Err(_) => gone::<T>(),
    }
}

/// The figures of a class that is called `name`; `None` where the platform has destroyed it.
pub(super) fn stats(class: Class, name: &'static str) -> Option<PoolStats> {
    here().with(|local| local.slots(class).stats(name, class.slot())).ok()
}

/// Makes room for `additional` more slots.
#[track_caller]
pub(super) fn reserve(class: Class, additional: usize) {
    let reserved = here().with(|local| {
        local.register();
        local.slots(class).try_reserve(additional, class.slot())
    });
    match reserved {
        Ok(Ok(())) => {}
        Ok(Err(error)) => error.panic::<ByLayout, InFreeList>(additional, class.slot()),
        Err(_) => gone::<ByLayout>(),
    }
}

/// Gives the chunks without an occupied slot back to the heap; returns their bytes.
pub(super) fn trim(class: Class) -> usize {
    here().with(|local| local.slots(class).trim(class.slot())).unwrap_or(0)
}
