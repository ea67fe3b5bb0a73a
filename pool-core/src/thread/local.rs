//! The key of a type's thread-local and of the static beside it, and the table by which all but the hot path reaches both.

use core::alloc::Layout;
use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::base::copied;
use crate::base::ledger::{OpError, Record, TypeFacts};
use crate::base::opaque::{Opaque, Resident};
use crate::base::sealed::Sealed;
use crate::thread::LocalKey;

/// The record of one type's pools that all threads share: a static beside their thread-local.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct SharedRecord(Opaque<Record>);

impl SharedRecord {
    /// For a type whose pool was never used.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const NEW: Self = Self(Opaque::new(Record::new()));

    pub(crate) fn get(&self) -> &Record {
        &self.0
    }
}

/// Leads to an `L` of each thread and to an `S` of all threads. The `L` lies in a thread-local without a destructor, and the thread's end
/// closes it; the `S` lies in a static beside it. `P` is the pool, where neither names it.
pub struct InThread<L: 'static, S: 'static = SharedRecord, P = ()> {
    local: &'static LocalKey<L>,
    /// A pointer for the reason given in `derived/storage.rs`.
    shared: *const S,
    marker: PhantomData<*mut (L, P)>,
}

copied!([L, S, P] InThread[L, S, P]);

impl<L, S, P> Sealed for InThread<L, S, P> {}

impl<L> InThread<L> {
    /// [`InThread::new`] for the derive, which pays for each parameter that the compiler has to infer.
    ///
    /// # Safety
    ///
    /// As for [`InThread::new`].
    pub const unsafe fn with_record(
        local: &'static LocalKey<L>,
        shared: *const SharedRecord,
    ) -> Self {
        Self { local, shared, marker: PhantomData }
    }
}

impl<L, S, P> InThread<L, S, P> {
    /// The key of a thread-local, and of the static beside it.
    ///
    /// # Safety
    ///
    /// Both were declared for this key: the thread-local with a constant initialiser, `shared` as a static. The slots of a depot have the
    /// layout of `P`'s slots. `L` has no destructor.
    pub const unsafe fn new(local: &'static LocalKey<L>, shared: *const S) -> Self {
        Self { local, shared, marker: PhantomData }
    }

    /// Returns the part that all threads share.
    pub(crate) fn shared(self) -> &'static S {
        // SAFETY: it points to a static (`InThread::new`).
        unsafe { &*self.shared }
    }
}

impl<L: Resident, S, P> InThread<L, S, P> {
    /// Finds this thread's `L`; on some platforms `None` if it is the first use, and there is no memory. If it `IS_WORD`, it is read
    /// once, so its address need not be in a register.
    ///
    /// # Safety
    ///
    /// The reference is used only until the end of the operation that asks for it. This operation runs no user's code but
    /// the heap, so no thread-local is destroyed before it ends.
    #[inline(always)]
    pub(crate) unsafe fn find<const IS_WORD: bool>(self) -> Option<&'static L> {
        match self.local.try_with(|place| NonNull::from(place)) {
            Ok(place) => {
                let place = if IS_WORD { place } else { in_register(place) };
                // SAFETY: it is this thread's, which is there while it is used (caller).
                Some(unsafe { place.as_ref() })
            }
            Err(_) => None,
        }
    }

    /// Calls `f` with this thread's `L`, which stays until `f` returns, whatever `f` calls; on some platforms an error if it is
    /// the first use, and there is no memory.
    #[inline(always)]
    pub(crate) fn with<R>(self, f: impl FnOnce(&L) -> R) -> Result<R, OpError> {
        let done = if cfg!(pool_native_tls) {
            // SAFETY: the thread does not end before `f` returns, nor do its thread-locals without a destructor.
            unsafe { self.find::<false>() }.map(f)
        } else {
            self.local.try_with(f).ok()
        };
        done.ok_or(OpError::NoMemory)
    }
}

/// A use of a thread's part of a pool.
type Use<'a, L> = dyn FnMut(&L) + 'a;

/// Leads to a pool of one type, or of one class of layouts, without naming either: to this thread's part, an `L`, and to the part that
/// all threads share, an `S`. All but the hot path uses this, and so is compiled once for each `L`.
pub(crate) struct Finder<L: 'static, S: 'static> {
    /// The index among the pools to which the functions lead.
    pub(crate) index: usize,
    /// Calls a closure by [`InThread::with`], if that is possible.
    pub(crate) with: fn(usize, &mut Use<'_, L>),
    /// Returns the shared part, by [`InThread::shared`].
    pub(crate) shared: fn(usize) -> &'static S,
    /// The layout of a slot.
    pub(crate) slot: Layout,
    pub(crate) facts: fn(usize) -> &'static TypeFacts,
}

impl<L, S> Finder<L, S> {
    pub(crate) fn facts(&self) -> &'static TypeFacts {
        (self.facts)(self.index)
    }

    pub(crate) fn shared(&self) -> &'static S {
        (self.shared)(self.index)
    }

    /// Calls `f` with this thread's part of the pool. It calls no user's code but the heap.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&L) -> R) -> Result<R, OpError> {
        let (mut f, mut result) = (Some(f), None);
        (self.with)(self.index, &mut |local| result = f.take().map(|f| f(local)));
        result.ok_or(OpError::NoMemory)
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
