//! Numbers that are none, or cannot be

use typed_pool::Pooled;

// A boolean for a number.
#[derive(Pooled)]
#[pool(capacity = true)]
struct NumberBool([f32; 4]);

// A number with a fraction.
#[derive(Pooled)]
#[pool(capacity = 64.0)]
struct NumberFloat([f32; 4]);

// A negative number.
#[derive(Pooled)]
#[pool(capacity = -64)]
struct NumberNegative([f32; 4]);

// A number in quotes.
#[derive(Pooled)]
#[pool(capacity = "64")]
struct NumberString([f32; 4]);

// A number with the suffix of another type.
#[derive(Pooled)]
#[pool(capacity = 64u8)]
struct NumberSuffix([f32; 4]);

// A number beyond `usize`.
#[derive(Pooled)]
#[pool(capacity = 0x1_0000_0000_0000_0000)]
struct NumberTooLarge([f32; 4]);

// A pool of no slots.
#[derive(Pooled)]
#[pool(capacity = 0)]
struct NumberZero([f32; 4]);

// A value in parentheses.
#[derive(Pooled)]
#[pool(capacity(64))]
struct ValueInParentheses([f32; 4]);

// A tag that is none.
#[derive(Pooled)]
#[pool(strategy = roster, tag = 256)]
struct TagTooLarge(u64);

fn main() {}
