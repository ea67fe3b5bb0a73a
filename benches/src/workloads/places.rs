//! The same code at several places in the program.
//!
//! The address at which the linker puts a loop changes its time by up to a third, and every contestant has a loop of its own. So a
//! workload that is compiled for each contestant is compiled for each of some places, too, and its turns go through
//! them: a median is then over places as well as over rounds.

use core::arch::asm;

/// How many places there are: a cache line's quarters, which loops are aligned to.
pub const PLACES: usize = 4;

/// Moves the code behind it by this many quarters of a cache line, and keeps the compiler from merging the copies.
#[inline(always)]
pub fn moved<const PLACE: usize>() {
    // SAFETY: nothing is done, a few times.
    unsafe {
        asm!(
            ".rept {count}", "nop", ".endr",
            count = const 16 * PLACE,
            options(nomem, nostack, preserves_flags),
        );
    }
}

/// `at_place!(round: work::<PLACE>(arguments))` calls the copy whose turn it is in this round.
macro_rules! at_place {
    ($round:expr, $($subject:ident).+ ::<PLACE $(, $generic:ty)*> $arguments:tt) => {
        match $round % $crate::workloads::PLACES {
            0 => $($subject).+::<0 $(, $generic)*> $arguments,
            1 => $($subject).+::<1 $(, $generic)*> $arguments,
            2 => $($subject).+::<2 $(, $generic)*> $arguments,
            _ => $($subject).+::<3 $(, $generic)*> $arguments,
        }
    };
}

pub(crate) use at_place;
