use typed_pool::Pooled;

const LIMIT: usize = 1024;

const fn double(n: usize) -> usize {
    2 * n
}

#[derive(Pooled)]
struct None([f32; 4]);

#[derive(Pooled)]
#[pool(strategy = free_list, thread_local, capacity = 64,)]
struct Fixed([f32; 4]);

#[derive(Pooled)]
#[pool(chunk = 64usize)]
#[pool(max = 0x1_00, name = "merged")]
struct Merged([f32; 4]);

#[derive(Pooled)]
#[pool(chunk = { LIMIT / 2 }, max = if cfg!(test) { 4 } else { double(LIMIT) })]
struct Computed([f32; 4]);

#[derive(Pooled)]
#[pool { pad, chunk = size_of::<Result<u8, u8>>() * 4, name = concat!("a", ", ", "b") }]
struct Braces(u8);

#[derive(Pooled)]
#[cfg_attr(all(), pool(capacity = 1 << 4 >> 1))]
struct Conditional([f32; 4]);

fn main() {}
