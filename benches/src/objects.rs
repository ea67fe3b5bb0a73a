//! The objects of the flat workloads: plain data of 16, 64, 256 and 1,024 bytes.

use core::array;

use typed_pool::Pooled;

/// Objects that pools have room for which cannot grow: more than the threads' workloads keep.
pub const SHARED_CAPACITY: usize = 4_096;

/// An object that writes all of its fields when it is made.
pub trait Payload: Sized + 'static {
    /// Writes all fields, from `seed`.
    fn written(seed: u64) -> Self;

    /// The first field.
    fn first(&self) -> u64;

    /// Adds all fields up, to prove that nothing overwrote them.
    fn sum(&self) -> u64;
}

macro_rules! objects {
    ($($(#[$attribute:meta])* $name:ident = $words:literal;)*) => {$(
        #[derive(Pooled)]
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
    /// 64 bytes, in a pool that all threads share.
    #[pool(static)]
    Static64 = 8;
    /// The same, with a free list.
    #[pool(static, strategy = free_list)]
    StaticList64 = 8;
    /// The same, with all its slots from the start.
    #[pool(static, capacity = SHARED_CAPACITY)]
    StaticFixed64 = 8;
}
