//! The key of a type's thread-local, which leads to each thread's part of the type's pool.

use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::base::copied;
use crate::base::ledger::{OpError, Record};
use crate::base::opaque::{Opaque, Resident};
use crate::base::sealed::Sealed;
use crate::thread::LocalKey;

/// The record of one type's pools that all threads share: a static beside their thread-local.
#[derive(Debug)]
pub struct SharedRecord(Opaque<Record>);

impl SharedRecord {
    /// For a type whose pool was never used.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const NEW: Self = Self(Opaque::new(Record::new()));

    pub(crate) fn get(&self) -> &Record {
        &self.0
    }
}

/// Leads to a `P` of each thread: a thread-local without a destructor, which the thread's end closes.
pub struct InThread<P: 'static> {
    local: &'static LocalKey<P>,
    /// A pointer for the reason given in `storage.rs`.
    record: *const SharedRecord,
    marker: PhantomData<fn(P) -> P>,
}

copied!([P] InThread[P]);

// SAFETY: it leads each thread to a `P` of its own; the record is in a static, and `Sync`.
unsafe impl<P> Sync for InThread<P> {}

impl<P> Sealed for InThread<P> {}

impl<P> InThread<P> {
    /// The key of a thread-local, and of the static beside it.
    ///
    /// # Safety
    ///
    /// Both were declared for this key, the thread-local with a constant initialiser. `P` has no destructor.
    pub const unsafe fn new(local: &'static LocalKey<P>, record: *const SharedRecord) -> Self {
        Self { local, record, marker: PhantomData }
    }
}

impl<P: Resident> InThread<P> {
    /// Returns the process's record of the type's pools.
    pub(crate) fn record(self) -> &'static Record {
        // SAFETY: it points to a static (`InThread::new`).
        unsafe { &*self.record }.get()
    }

    /// Finds this thread's `P`; on some platforms `None` if it is the first use, and there is no memory. If it `IS_WORD`, it is read
    /// once, so its address need not be in a register.
    ///
    /// # Safety
    ///
    /// The reference is used only until the end of the operation that asks for it. This operation runs no user's code but
    /// the heap, so nothing destroys thread-locals meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn find<const IS_WORD: bool>(self) -> Option<&'static P> {
        match self.local.try_with(|place| NonNull::from(place)) {
            Ok(place) => {
                let place = if IS_WORD { place } else { in_register(place) };
                // SAFETY: it is this thread's, which is there while it is used (caller).
                Some(unsafe { place.as_ref() })
            }
            Err(_) => None,
        }
    }

    /// Calls `f` with this thread's `P`, which stays until `f` returns, whatever `f` calls; on some platforms an error if it is
    /// the first use, and there is no memory.
    #[inline(always)]
    pub(crate) fn with<R>(self, f: impl FnOnce(&P) -> R) -> Result<R, OpError> {
        let done = if cfg!(pool_native_tls) {
            // SAFETY: the thread does not end before `f` returns, nor do its thread-locals without a destructor.
            unsafe { self.find::<false>() }.map(f)
        } else {
            self.local.try_with(f).ok()
        };
        done.ok_or(OpError::NoMemory)
    }
}

/// The same pointer; in an optimised build for x86-64 its address is in a register from here on.
///
/// For thread-locals: an executable would reach them relative to the segment register `fs` in each instruction, and such a
/// load waits for the store before it. Relative to any other register it does not: there, processors rename memory
/// (`docs/decisions/thread.md`).
#[inline(always)]
#[allow(clippy::pointers_in_nomem_asm_block, reason = "what it points to is not looked at")]
fn in_register<T>(place: NonNull<T>) -> NonNull<T> {
    #[cfg(all(target_arch = "x86_64", not(any(miri, debug_assertions))))]
    let place = {
        let mut address = place.as_ptr();
        // SAFETY: no instruction is in it, and the register stays as it is.
        unsafe {
            core::arch::asm!("/* {} */", inout(reg) address, options(pure, nomem, nostack, preserves_flags));
        }
        // SAFETY: it is the address that came in.
        unsafe { NonNull::new_unchecked(address) }
    };
    place
}
