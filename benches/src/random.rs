//! Random numbers from a fixed seed, so that every contestant gets the same ones.

/// A multiply-and-xorshift generator: a nanosecond a number, good enough to scatter.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence that belongs to `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ (mixed >> 32)
    }

    /// A number below `bound`.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        // The high half of the product, which is below `bound` and needs no division.
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number in -0.5 .. 0.5.
    #[inline]
    pub fn centred(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1_u32 << 24) as f32 - 0.5
    }

    /// The numbers below `count`, shuffled.
    pub fn permutation(mut self, count: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..count).collect();
        self.shuffle(&mut order);
        order
    }

    /// Puts them in a random order.
    pub fn shuffle<V>(&mut self, values: &mut [V]) {
        for last in (1..values.len() as u32).rev() {
            values.swap(last as usize, self.below(last + 1) as usize);
        }
    }
}
