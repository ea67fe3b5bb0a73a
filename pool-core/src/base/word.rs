//! The two atomic words of a pool without a heap: one that is compared and swapped, and a link.
//!
//! The first has 64 bits where the target compares and swaps as many, else 32. A target that cannot
//! do it at all gets it from the feature `portable-atomic` or `critical-section`; without either,
//! the derive has refused the pool ([`CompareAndSwap`](crate::__private::CompareAndSwap)).

pub(crate) use core::sync::atomic::Ordering;

/// The value of a [`Word`].
#[cfg(pool_swap_64)]
pub(crate) type Bits = u64;
/// The value of a [`Word`].
#[cfg(not(pool_swap_64))]
pub(crate) type Bits = u32;

/// The most slots that a pool may have: their numbers leave half of a [`Word`] for a tag.
pub(crate) const MOST_SLOTS: usize = (Bits::MAX >> (Bits::BITS / 2)) as usize;

#[cfg(pool_swap)]
mod imp {
    use super::{Bits, Ordering};
    use crate::base::atomic::atomic;

    #[cfg(pool_swap_64)]
    type Atomic = atomic::AtomicU64;
    #[cfg(not(pool_swap_64))]
    type Atomic = atomic::AtomicU32;

    /// A word that is compared and swapped.
    #[derive(Debug)]
    pub(crate) struct Word(Atomic);

    /// A number from 0, the number of no slot, to that of the last one.
    #[derive(Debug)]
    pub(crate) struct Link {
        number: atomic::AtomicU32,
        /// The state of the slot whose link this is.
        #[cfg(feature = "hardened")]
        pub(crate) state: Word,
    }

    /// In models atomics are made at run time.
    macro_rules! constructors {
        ($($constant:ident)?) => {
            impl Word {
                pub(crate) $($constant)? fn new() -> Self {
                    Self(Atomic::new(0))
                }
            }

            impl Link {
                pub(crate) $($constant)? fn new() -> Self {
                    Self {
                        number: atomic::AtomicU32::new(0),
                        #[cfg(feature = "hardened")]
                        state: Word::new(),
                    }
                }
            }
        };
    }

    #[cfg(not(all(loom, test)))]
    constructors!(const);
    #[cfg(all(loom, test))]
    constructors!();

    impl Word {
        #[inline(always)]
        pub(crate) fn load(&self, order: Ordering) -> Bits {
            self.0.load(order)
        }

        /// Puts `new` in the place of `current`, or says what is there instead; may fail for no
        /// reason.
        #[inline(always)]
        #[cfg(not(pool_swap = "section"))]
        pub(crate) fn replace(
            &self,
            current: Bits,
            new: Bits,
            success: Ordering,
            failure: Ordering,
        ) -> Result<Bits, Bits> {
            self.0.compare_exchange_weak(current, new, success, failure)
        }

        /// Puts `new` in the place of `current`, or says what is there instead.
        ///
        /// The critical section keeps others from coming between. Those who only load do not enter
        /// it, and are told by the orders.
        #[cfg(pool_swap = "section")]
        pub(crate) fn replace(
            &self,
            current: Bits,
            new: Bits,
            _: Ordering,
            _: Ordering,
        ) -> Result<Bits, Bits> {
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

    impl Link {
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
    use super::{Bits, Ordering};

    #[derive(Debug)]
    pub(crate) struct Word;

    #[derive(Debug)]
    pub(crate) struct Link {
        #[cfg(feature = "hardened")]
        pub(crate) state: Word,
    }

    impl Word {
        pub(crate) const fn new() -> Self {
            Self
        }

        pub(crate) fn load(&self, _: Ordering) -> Bits {
            unreachable!()
        }

        pub(crate) fn replace(
            &self,
            _: Bits,
            _: Bits,
            _: Ordering,
            _: Ordering,
        ) -> Result<Bits, Bits> {
            unreachable!()
        }
    }

    impl Link {
        pub(crate) const fn new() -> Self {
            Self {
                #[cfg(feature = "hardened")]
                state: Word,
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

pub(crate) use imp::{Link, Word};
