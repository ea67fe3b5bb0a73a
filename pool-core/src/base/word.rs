//! The two atomic words of a pool without a heap: one that is compared and swapped, and a link.
//!
//! The first has 64 bits where the target can compare and swap those, else 32. A target that cannot
//! do it at all gets it from the feature `portable-atomic` or `critical-section`; without either,
//! the derive has refused the pool ([`CompareAndSwap`](crate::__private::CompareAndSwap)).

pub(crate) use core::sync::atomic::Ordering;

/// The value of an [`AtomicWord`].
#[cfg(pool_swap_64)]
pub(crate) type WordBits = u64;
/// The value of an [`AtomicWord`].
#[cfg(not(pool_swap_64))]
pub(crate) type WordBits = u32;

/// The most slots that a pool may have: their numbers leave half of an [`AtomicWord`] for a tag.
pub(crate) const MOST_SLOTS: usize = (WordBits::MAX >> (WordBits::BITS / 2)) as usize;

#[cfg(pool_swap)]
mod imp {
    use super::{Ordering, WordBits};
    use crate::base::atomic::{atomic, const_unless_model};

    #[cfg(pool_swap_64)]
    type AtomicBits = atomic::AtomicU64;
    #[cfg(not(pool_swap_64))]
    type AtomicBits = atomic::AtomicU32;

    /// A word that is compared and swapped.
    #[derive(Debug)]
    pub(crate) struct AtomicWord(AtomicBits);

    /// A number from 0, the number of no slot, to that of the last one.
    #[derive(Debug)]
    pub(crate) struct AtomicLink {
        number: atomic::AtomicU32,
        /// The state of the slot whose link this is.
        #[cfg(feature = "hardened")]
        pub(crate) state: AtomicWord,
    }

    impl AtomicWord {
        const_unless_model! {
            pub(crate) const fn new() -> Self {
                Self(AtomicBits::new(0))
            }
        }

        #[inline(always)]
        pub(crate) fn load(&self, order: Ordering) -> WordBits {
            self.0.load(order)
        }

        /// Puts `new` in the place of `current`, or says what is there instead; may fail for no
        /// reason.
        #[inline(always)]
        #[cfg(not(pool_swap = "section"))]
        pub(crate) fn replace(
            &self,
            current: WordBits,
            new: WordBits,
            success: Ordering,
            failure: Ordering,
        ) -> Result<WordBits, WordBits> {
            self.0.compare_exchange_weak(current, new, success, failure)
        }

        /// Puts `new` in the place of `current`, or says what is there instead.
        ///
        /// The critical section keeps others from coming between. A plain load does not enter
        /// it, and relies on the orders.
        #[cfg(pool_swap = "section")]
        pub(crate) fn replace(
            &self,
            current: WordBits,
            new: WordBits,
            _: Ordering,
            _: Ordering,
        ) -> Result<WordBits, WordBits> {
            critical_section::with(|_| {
                let found = self.0.load(Ordering::Acquire);
                if found != current {
                    return Err(found);
                }
                self.0.store(new, Ordering::Release);
                Ok(found)
            })
        }
    }

    impl AtomicLink {
        const_unless_model! {
            pub(crate) const fn new() -> Self {
                Self {
                    number: atomic::AtomicU32::new(0),
                    #[cfg(feature = "hardened")]
                    state: AtomicWord::new(),
                }
            }
        }

        #[inline(always)]
        pub(crate) fn get(&self) -> u32 {
            self.number.load(Ordering::Relaxed)
        }

        #[inline(always)]
        pub(crate) fn set(&self, number: u32) {
            self.number.store(number, Ordering::Relaxed);
        }
    }
}

/// Stands in where no pool gets past the derive.
#[cfg(not(pool_swap))]
mod imp {
    use super::{Ordering, WordBits};

    #[derive(Debug)]
    pub(crate) struct AtomicWord;

    #[derive(Debug)]
    pub(crate) struct AtomicLink {
        #[cfg(feature = "hardened")]
        pub(crate) state: AtomicWord,
    }

    impl AtomicWord {
        pub(crate) const fn new() -> Self {
            Self
        }

        pub(crate) fn load(&self, _: Ordering) -> WordBits {
            unreachable!()
        }

        pub(crate) fn replace(
            &self,
            _: WordBits,
            _: WordBits,
            _: Ordering,
            _: Ordering,
        ) -> Result<WordBits, WordBits> {
            unreachable!()
        }
    }

    impl AtomicLink {
        pub(crate) const fn new() -> Self {
            Self {
                #[cfg(feature = "hardened")]
                state: AtomicWord,
            }
        }

        pub(crate) fn get(&self) -> u32 {
            unreachable!()
        }

        pub(crate) fn set(&self, _: u32) {
            unreachable!()
        }
    }
}

pub(crate) use imp::{AtomicLink, AtomicWord};
