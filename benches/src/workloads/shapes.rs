//! W10: trait objects. One is made, called and freed; or a vector of ten types is built, called and dropped.

use core::hint::black_box;

use typed_pool::{PoolObject, Pooled};

use super::moved;
use crate::contestant::Dynamic;
use crate::random::Random;

/// The trait of the objects. A box of plurality's dereferences to `&mut dyn Shape` only if that is `Unpin`.
pub trait Shape: PoolObject + Unpin {
    /// Looks at the object, and changes it.
    fn turn(&mut self, angle: u64) -> u64;
}

/// One of the types.
pub trait Kind: Shape + Pooled {
    /// Writes all fields, from `seed`.
    fn written(seed: u64) -> Self;
}

macro_rules! kinds {
    ($($number:literal: $kind:ident = $words:literal;)*) => {
        $(
            #[doc = concat!(stringify!($words), " words.")]
            #[derive(Pooled)]
            pub struct $kind {
                words: [u64; $words],
            }

            impl Shape for $kind {
                #[inline(never)]
                fn turn(&mut self, angle: u64) -> u64 {
                    // Another number for each type, so that the linker does not make one function of two.
                    self.words[0] = self.words[0].wrapping_mul(2 * $number + 3).wrapping_add(angle);
                    self.words[0] ^ self.words[$words - 1]
                }
            }

            impl Kind for $kind {
                #[inline(always)]
                fn written(seed: u64) -> Self {
                    Self { words: core::array::from_fn(|index| seed + index as u64) }
                }
            }
        )*

        /// One of the type with this number.
        #[inline(always)]
        fn born<C: Dynamic>(contestant: C, kind: u32, seed: u64) -> C::Object {
            match kind {
                $($number => contestant.make(|| $kind::written(seed)),)*
                _ => unreachable!("there are ten types"),
            }
        }
    };
}

kinds! {
    0: Dot = 1;
    1: Line = 2;
    2: Circle = 3;
    3: Square = 4;
    4: Triangle = 6;
    5: Ellipse = 8;
    6: Pentagon = 10;
    7: Hexagon = 12;
    8: Star = 16;
    9: Spline = 24;
}

const KINDS: u32 = 10;

/// Makes an object of three words, calls it, and frees it. The compiler does not get to know what it calls and frees.
#[inline(never)]
pub fn pairs<const PLACE: usize, C: Dynamic>(contestant: C, pairs: u64) -> u64 {
    moved::<PLACE>();
    let mut sum = 0_u64;
    for seed in 0..pairs {
        let mut object = contestant.make(|| Circle::written(seed));
        sum = sum.wrapping_add(black_box(&mut object).turn(seed));
    }
    sum
}

/// Ten types in turn.
pub fn in_turn(count: u32) -> Vec<u32> {
    (0..count).map(|number| number % KINDS).collect()
}

/// Any of them at random, the same for all contestants.
pub fn at_random(count: u32) -> Vec<u32> {
    let mut random = Random::new(11);
    (0..count).map(|_| random.below(KINDS)).collect()
}

/// Builds a vector, calls its objects, and drops it.
#[inline(never)]
pub fn mixed<const PLACE: usize, C: Dynamic>(
    contestant: C,
    kinds: &[u32],
    objects: &mut Vec<C::Object>,
) -> u64 {
    moved::<PLACE>();
    for (seed, &kind) in (0..).zip(kinds) {
        objects.push(born(contestant, kind, seed));
    }
    let mut sum = 0_u64;
    for (angle, object) in (0..).zip(&mut *objects) {
        sum = sum.rotate_left(1).wrapping_add(object.turn(angle));
    }
    objects.clear();
    sum
}
