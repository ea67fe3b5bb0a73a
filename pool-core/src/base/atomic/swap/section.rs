//! Atomics that are changed in a critical section, so that no other change comes between. Loads do not enter it: the
//! memory orders suffice for them.

use core::sync::atomic;

use core::sync::atomic::Ordering;

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

            fn change(
                &self,
                change: impl Fn($number) -> Option<$number>,
            ) -> Result<$number, $number> {
                critical_section::with(|_| {
                    let found = self.0.load(Ordering::Acquire);
                    let Some(new) = change(found) else { return Err(found) };
                    self.0.store(new, Ordering::Release);
                    Ok(found)
                })
            }

            pub(crate) fn compare_exchange(
                &self,
                current: $number,
                new: $number,
                _: Ordering,
                _: Ordering,
            ) -> Result<$number, $number> {
                self.change(|found| (found == current).then_some(new))
            }
        }
    };
}

in_section!(AtomicU32, u32);
in_section!(AtomicUsize, usize);

impl AtomicU32 {
    pub(crate) fn compare_exchange_weak(
        &self,
        current: u32,
        new: u32,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u32, u32> {
        self.compare_exchange(current, new, success, failure)
    }
}

impl AtomicUsize {
    /// In the section as well, so that no change is lost.
    pub(crate) fn store(&self, number: usize, _: Ordering) {
        let _ = self.change(|_| Some(number));
    }

    pub(crate) fn fetch_add(&self, number: usize, _: Ordering) -> usize {
        self.change(|found| Some(found.wrapping_add(number))).unwrap_or(0)
    }

    pub(crate) fn fetch_sub(&self, number: usize, _: Ordering) -> usize {
        self.change(|found| Some(found.wrapping_sub(number))).unwrap_or(0)
    }
}
