//! Reports of a pool's memory to AddressSanitizer and Valgrind.
//!
//! To both, a pool is one long block that is valid from end to end. So a pool *poisons* each slot that it takes back,
//! and unpoisons each that it hands out: then the use of a freed slot is reported, through whatever pointer. `build.rs`
//! finds out whether the program is built for AddressSanitizer; Valgrind is told in programs with the feature `valgrind`
//! (`valgrind.rs`). Without either nothing is left of this.
//!
//! # AddressSanitizer
//!
//! The sanitizer keeps track of granules of 8 bytes: of each it knows how many bytes, from its beginning, may be used.
//! So slots of a multiple of 8 bytes are poisoned exactly. Smaller or odd ones, which a pointer stack has, share granules
//! with their neighbours, which may be another thread's. So a block poisons only granules that lie wholly inside it, and
//! unpoisons every granule that it overlaps: no thread poisons what another one uses, and where two write to one granule's
//! record, both write that all of it may be used. Some uses of freed slots go unreported.
//!
//! # Valgrind
//!
//! Valgrind keeps track of single bytes, and also knows which are initialised. Besides what is poisoned, it is told which
//! slots a chunk has handed out (a *memory pool*, in its words): then a report names the slot, who took it and who freed
//! it, and a leaked box is a leak. Frame stacks and rosters only poison, since their users need not give back what they hand
//! out.

use core::ffi::c_void;
use core::hint;
use core::sync::atomic::Ordering;

use crate::base::atomic::swap::AtomicU32;
use crate::base::atomic::{array_of, const_unless_model};
use crate::base::watch::valgrind;

/// Whether the sanitizer is there. Without it nothing refers to the functions below.
const HAS_ASAN: bool = cfg!(pool_asan);

/// The unit of the sanitizer's records, in bytes.
const GRANULE: usize = 8;

// SAFETY: as `sanitizer/asan_interface.h` declares them. Both change the sanitizer's shadow of memory, never the memory itself; the shadow
// of what is no memory ends the process.
unsafe extern "C" {
    safe fn __asan_poison_memory_region(start: *const c_void, bytes: usize);
    safe fn __asan_unpoison_memory_region(start: *const c_void, bytes: usize);
}

/// Marks `bytes` bytes at `start` as unusable.
#[inline(always)]
pub(crate) fn poison(start: *mut u8, bytes: usize) {
    if HAS_ASAN {
        let before = start.addr().next_multiple_of(GRANULE) - start.addr();
        let inner = bytes.saturating_sub(before) / GRANULE * GRANULE;
        __asan_poison_memory_region(start.wrapping_add(before).cast(), inner);
    }
    valgrind::mark(valgrind::MAKE_MEM_NOACCESS, start, bytes);
}

/// Marks `bytes` bytes at `start` as usable, and not initialised.
#[inline(always)]
pub(crate) fn unpoison(start: *mut u8, bytes: usize) {
    reveal_to_asan(start, bytes);
    valgrind::mark(valgrind::MAKE_MEM_UNDEFINED, start, bytes);
}

/// Marks `bytes` bytes at `start` as usable, with what was written there before.
#[inline(always)]
pub(crate) fn reveal(start: *mut u8, bytes: usize) {
    reveal_to_asan(start, bytes);
    valgrind::mark(valgrind::MAKE_MEM_DEFINED, start, bytes);
}

#[inline(always)]
fn reveal_to_asan(start: *mut u8, bytes: usize) {
    if HAS_ASAN && bytes > 0 {
        let before = start.addr() % GRANULE;
        let touched = (before + bytes).next_multiple_of(GRANULE);
        __asan_unpoison_memory_region(start.wrapping_sub(before).cast(), touched);
    }
}

/// A report that is made once, by the first thread that takes a slot of a `static`.
///
/// A chunk from the heap is poisoned where it is made. A `static` is made nowhere: the first thread to use it poisons it,
/// and others wait for that (so a signal handler must not interrupt the first one and use the pool).
pub(crate) struct Once([AtomicU32; IS_ON as usize]);

pub(crate) const IS_ON: bool = HAS_ASAN || valgrind::IS_ON;

const NOT_YET: u32 = 0;
const BEGUN: u32 = 1;
const DONE: u32 = 2;

impl Once {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self(array_of!(AtomicU32::new(NOT_YET); IS_ON as usize))
        }
    }

    /// Returns when it has been done, by this call of `f` or another.
    #[inline(always)]
    pub(crate) fn call(&self, f: impl FnOnce()) {
        if IS_ON {
            self.call_once(f);
        }
    }

    fn call_once(&self, f: impl FnOnce()) {
        let [stage] = &self.0[..] else { return };
        let replace = |old, new| {
            stage.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire).is_ok()
        };
        if stage.load(Ordering::Acquire) == NOT_YET && replace(NOT_YET, BEGUN) {
            f();
            replace(BEGUN, DONE);
        }
        while stage.load(Ordering::Acquire) != DONE {
            hint::spin_loop();
        }
    }
}
