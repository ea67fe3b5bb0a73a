//! Atomics that are compared and swapped: by the target, or, where it has no such instruction, through
//! `portable-atomic` or a critical section. Without these features the derive refuses a static pool there
//! ([`StaticElement`](crate::__private::StaticElement)).

pub(crate) use bits::{AtomicWord, WordBits};
pub(crate) use found::{AtomicNumber, AtomicU32, AtomicUsize};

/// As wide as the target compares and swaps.
#[cfg(pool_swap_64)]
mod bits {
    pub(crate) use crate::base::atomic::atomic::AtomicU64 as AtomicWord;

    /// The value of an [`AtomicWord`].
    pub(crate) type WordBits = u64;
}

#[cfg(not(pool_swap_64))]
mod bits {
    pub(crate) use crate::base::atomic::swap::found::AtomicU32 as AtomicWord;

    pub(crate) type WordBits = u32;
}

#[cfg(pool_swap = "core")]
mod found {
    pub(crate) use crate::base::atomic::atomic::{
        AtomicU32, AtomicU32 as AtomicNumber, AtomicUsize,
    };
}

#[cfg(pool_swap = "portable")]
mod found {
    pub(crate) use portable_atomic::{AtomicU32, AtomicU32 as AtomicNumber, AtomicUsize};
}

/// Atomics that are changed in a critical section, so that no other change comes between. Loads do not enter it: the
/// memory orders suffice for them.
#[cfg(not(any(pool_swap = "core", pool_swap = "portable")))]
mod found {
    /// A number that is loaded and stored only.
    pub(crate) use core::sync::atomic::AtomicU32 as AtomicNumber;
    use core::sync::atomic::{self, Ordering};

    /// Calls `f`, which loads and stores, while nothing else does.
    fn alone<R>(f: impl FnOnce() -> R) -> R {
        #[cfg(pool_swap = "section")]
        return critical_section::with(|_| f());
        // The derive refuses every pool that threads share.
        #[cfg(not(pool_swap))]
        f()
    }

    /// An atomic that the target can only load and store, with the operations that it lacks.
    macro_rules! in_section {
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

                fn change(&self, change: impl FnOnce($number) -> $number) -> $number {
                    alone(|| {
                        let found = self.0.load(Ordering::Acquire);
                        self.0.store(change(found), Ordering::Release);
                        found
                    })
                }

                /// In the section as well, so that no change is lost.
                pub(crate) fn store(&self, number: $number, _: Ordering) {
                    self.change(|_| number);
                }

                pub(crate) fn fetch_add(&self, number: $number, _: Ordering) -> $number {
                    self.change(|found| found.wrapping_add(number))
                }

                pub(crate) fn fetch_sub(&self, number: $number, _: Ordering) -> $number {
                    self.change(|found| found.wrapping_sub(number))
                }

                pub(crate) fn fetch_update(
                    &self,
                    _: Ordering,
                    _: Ordering,
                    mut change: impl FnMut($number) -> Option<$number>,
                ) -> Result<$number, $number> {
                    let mut is_changed = true;
                    let found = self.change(|found| {
                        change(found).unwrap_or_else(|| {
                            is_changed = false;
                            found
                        })
                    });
                    if is_changed { Ok(found) } else { Err(found) }
                }

                pub(crate) fn compare_exchange(
                    &self,
                    current: $number,
                    new: $number,
                    _: Ordering,
                    _: Ordering,
                ) -> Result<$number, $number> {
                    let change = |found| (found == current).then_some(new);
                    self.fetch_update(Ordering::AcqRel, Ordering::Acquire, change)
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

    in_section!(AtomicU32, u32);
    in_section!(AtomicUsize, usize);
}
