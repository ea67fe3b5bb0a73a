//! What the flat workloads allocate: plain objects of 16, 64, 256 and 1,024 bytes.

use core::array;

use typed_pool::Pooled;

/// An object whose every field is written at birth.
pub trait Payload: Sized + 'static {
    /// Writes all fields, from `seed`.
    fn written(seed: u64) -> Self;

    /// The first field.
    fn first(&self) -> u64;

    /// Adds all fields up, to prove that nobody overwrote them.
    fn sum(&self) -> u64;
}

macro_rules! objects {
    ($($(#[$attribute:meta])* $name:ident = $words:literal;)*) => {$(
        #[derive(Pooled, Debug)]
        $(#[$attribute])*
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
    /// 16 bytes.
    Obj16 = 2;
    /// 64 bytes.
    Obj64 = 8;
    /// 256 bytes.
    Obj256 = 32;
    /// 1,024 bytes.
    Obj1024 = 128;
}
