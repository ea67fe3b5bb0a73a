//! Atomics that are compared and swapped: by the target, or, where it has no such instruction, through
//! `portable-atomic`. Without that feature the derive refuses a static pool there
//! ([`StaticElement`](crate::__private::StaticElement)).

use core::sync::atomic::Ordering;

pub(crate) use bits::{AtomicWord, WordBits};
pub(crate) use found::{AtomicU32, AtomicUsize};

/// A number that nothing else in the process has, and that is not 0. (With 32-bit words they come again after four billion. On a target
/// without atomic addition an interrupt, or another core, may get the same one.)
pub(crate) fn new_number() -> usize {
    static LAST: found::StaticUsize = found::StaticUsize::new(0);
    LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1).max(1)
}

/// Whether there are such atomics. (`--cfg pool_no_swap` and `--cfg pool_narrow` are for tests, on a target that can do more.)
pub(crate) const IS_THERE: bool =
    cfg!(any(all(target_has_atomic = "32", not(pool_no_swap)), feature = "portable-atomic"));

/// As wide as the target compares and swaps.
#[cfg(all(target_has_atomic = "64", not(pool_no_swap), not(pool_narrow)))]
mod bits {
    pub(crate) use crate::base::atomic::atomic::AtomicU64 as AtomicWord;

    /// The value of an [`AtomicWord`].
    pub(crate) type WordBits = u64;
}

#[cfg(any(not(target_has_atomic = "64"), pool_no_swap, pool_narrow))]
mod bits {
    pub(crate) use crate::base::atomic::swap::found::AtomicU32 as AtomicWord;

    pub(crate) type WordBits = u32;
}

#[cfg(all(target_has_atomic = "32", not(pool_no_swap)))]
mod found {
    /// For statics, in which loom's cannot be.
    pub(super) use core::sync::atomic::AtomicUsize as StaticUsize;

    pub(crate) use crate::base::atomic::atomic::{AtomicU32, AtomicUsize};
}

#[cfg(all(any(not(target_has_atomic = "32"), pool_no_swap), feature = "portable-atomic"))]
mod found {
    pub(super) use portable_atomic::AtomicUsize as StaticUsize;
    pub(crate) use portable_atomic::{AtomicU32, AtomicUsize};
}

/// Atomics that the target can only load and store, with the operations that it lacks in two steps: no pool that threads share
/// has one here.
#[cfg(all(any(not(target_has_atomic = "32"), pool_no_swap), not(feature = "portable-atomic")))]
mod found {
    use core::sync::atomic::{self, Ordering};

    macro_rules! in_two_steps {
        ($Atomic:ident, $number:ty) => {
            #[derive(Debug)]
            pub(crate) struct $Atomic(atomic::$Atomic);

            impl $Atomic {
                pub(crate) const fn new(number: $number) -> Self {
                    Self(atomic::$Atomic::new(number))
                }

                #[inline(always)]
                pub(crate) fn load(&self, order: Ordering) -> $number {
                    self.0.load(order)
                }

                #[inline(always)]
                pub(crate) fn store(&self, number: $number, order: Ordering) {
                    self.0.store(number, order);
                }

                pub(crate) fn fetch_add(&self, number: $number, _: Ordering) -> $number {
                    let found = self.0.load(Ordering::Acquire);
                    self.0.store(found.wrapping_add(number), Ordering::Release);
                    found
                }

                pub(crate) fn fetch_sub(&self, number: $number, order: Ordering) -> $number {
                    self.fetch_add(number.wrapping_neg(), order)
                }

                pub(crate) fn fetch_update(
                    &self,
                    _: Ordering,
                    _: Ordering,
                    mut change: impl FnMut($number) -> Option<$number>,
                ) -> Result<$number, $number> {
                    let found = self.0.load(Ordering::Acquire);
                    let changed = change(found).ok_or(found)?;
                    self.0.store(changed, Ordering::Release);
                    Ok(found)
                }

                pub(crate) fn compare_exchange(
                    &self,
                    current: $number,
                    new: $number,
                    success: Ordering,
                    failure: Ordering,
                ) -> Result<$number, $number> {
                    self.fetch_update(success, failure, |found| (found == current).then_some(new))
                }

                pub(crate) fn compare_exchange_weak(
                    &self,
                    current: $number,
                    new: $number,
                    success: Ordering,
                    failure: Ordering,
                ) -> Result<$number, $number> {
                    self.compare_exchange(current, new, success, failure)
                }
            }
        };
    }

    in_two_steps!(AtomicU32, u32);
    in_two_steps!(AtomicUsize, usize);

    pub(super) type StaticUsize = AtomicUsize;
}
