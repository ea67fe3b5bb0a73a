//! The objects of the flat workloads: plain data of 8, 16, 64, 256 and 1,024 bytes.

use core::array;

use typed_pool::Pooled;

/// An object that writes all of its fields when it is made.
pub trait Payload: Sized + 'static {
    /// Writes all fields, from `seed`.
    fn written(seed: u64) -> Self;

    /// Returns the first field.
    fn first(&self) -> u64;

    /// Adds all fields up, to prove that nothing overwrote them.
    fn sum(&self) -> u64;
}

impl Payload for u64 {
    #[inline(always)]
    fn written(seed: u64) -> Self {
        seed
    }

    #[inline(always)]
    fn first(&self) -> u64 {
        *self
    }

    #[inline(always)]
    fn sum(&self) -> u64 {
        *self
    }
}

macro_rules! objects {
    ($($name:ident = $words:literal;)*) => {$(
        #[doc = concat!(stringify!($words), " words.")]
        #[derive(Pooled)]
        pub struct $name {
            words: [u64; $words],
        }

        impl Payload for $name {
            #[inline(always)]
            fn written(seed: u64) -> Self {
                Self { words: array::from_fn(|index| seed + index as u64) }
            }

            #[inline(always)]
            fn first(&self) -> u64 {
                self.words[0]
            }

            #[inline]
            fn sum(&self) -> u64 {
                self.words.iter().sum()
            }
        }
    )*};
}

objects! {
    Obj16 = 2;
    Obj64 = 8;
    Obj256 = 32;
    Obj1024 = 128;
}
