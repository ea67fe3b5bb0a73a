//! Numbers of slots that a static pool, or a roster, cannot have

use typed_pool::Pooled;

const NONE: usize = 0;

// More than any memory has room for.
#[derive(Pooled)]
#[pool(static, capacity = 1 << 60)]
struct CapacityOverAddressSpace([f32; 4]);

// More slots than a static pool can have.
#[derive(Pooled)]
#[pool(static, capacity = 1 << 32)]
struct CapacityOverIndexRange(u8);

// A static pool of no slots.
#[derive(Pooled)]
#[pool(static, capacity = NONE)]
struct CapacityZero([f32; 4]);

// More slots than a handle can number.
#[derive(Pooled)]
#[pool(strategy = roster, max = 1 << 32)]
struct MaxOverIndexRangeOfARoster {
    health: i32,
}

fn main() {}
