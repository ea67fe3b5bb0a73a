//! Numbers of slots that cannot be, by constants

use typed_pool::Pooled;

const NONE: usize = 0;
const LIMIT: usize = 64;

// More slots than the address space has room for.
#[derive(Pooled)]
#[pool(capacity = usize::MAX / 8)]
struct CapacityOverAddressSpace([f32; 4]);

// With elements that would fit, but not the pointers to them.
#[derive(Pooled)]
#[pool(strategy = pointer_stack, capacity = usize::MAX / 4)]
struct CapacityOfSmallElements(u8);

// In the limit.
#[derive(Pooled)]
#[pool(max = usize::MAX)]
struct MaxOverAddressSpace([f32; 4]);

// A pool of no slots, by a constant.
#[derive(Pooled)]
#[pool(capacity = NONE)]
struct CapacityZero([f32; 4]);

// In the first chunk.
#[derive(Pooled)]
#[pool(chunk = 64 - 64)]
struct ChunkZero([f32; 4]);

// A first chunk over the limit, by constants.
#[derive(Pooled)]
#[pool(chunk = 2 * LIMIT, max = LIMIT)]
struct ChunkOverMax([f32; 4]);

fn main() {}
