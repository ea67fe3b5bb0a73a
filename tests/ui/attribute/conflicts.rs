//! Keys that do not go together

use typed_pool::Pooled;

// A first chunk for a pool that never grows.
#[derive(Pooled)]
#[pool(capacity = 64, chunk = 16)]
struct CapacityWithChunk([f32; 4]);

// With `max` as well.
#[derive(Pooled)]
#[pool(chunk = 16, max = 64, capacity = 64)]
struct CapacityWithChunkAndMax([f32; 4]);

// A first chunk over the limit.
#[derive(Pooled)]
#[pool(chunk = 128, max = 64)]
struct ChunkOverMax([f32; 4]);

// `pad` where nothing needs padding.
#[derive(Pooled)]
#[pool(strategy = pointer_stack, pad)]
struct PadWithPointerStack(u8);

// `pad` with `static`, which implies a pointer stack.
#[derive(Pooled)]
#[pool(static, pad)]
struct PadWithStatic(u8);

// `pad` where slots have room for a link already.
#[derive(Pooled)]
#[pool(pad, rc)]
struct PadWithRc(u8);

// `pad` with a strategy that does not need it.
#[derive(Pooled)]
#[pool(strategy = roster, pad)]
struct Pad(u8);

// `rc` on a roster.
#[derive(Pooled)]
#[pool(strategy = roster, rc)]
struct RcOfARoster(u64);

// `pad` in a static pool with a capacity.
#[derive(Pooled)]
#[pool(static, strategy = free_list, capacity = 64, pad)]
struct PadInAStaticPool(u8);

// `static` and `thread_local`.
#[derive(Pooled)]
#[pool(static, thread_local, capacity = 64)]
struct WithThreadLocal([f32; 4]);

// A tag for a pool without handles.
#[derive(Pooled)]
#[pool(tag = 7)]
struct TagOfBoxes([f32; 4]);

fn main() {
    drop(RcOfARoster::pool_insert(RcOfARoster(40)));
}
