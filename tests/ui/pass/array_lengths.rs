//! Lengths that are expressions of every kind.

use typed_pool::Pooled;

const LIMIT: usize = 4;

#[derive(Pooled)]
struct Lengths {
    block: [u8; LIMIT / 2],
    choice: [u8; if LIMIT > 2 { 8 } else { 16 }],
    call: [u64; size_of::<[u8; 2]>()],
    matched: [u8; match LIMIT {
        0 => 1,
        n => n,
    }],
    shifted: [u8; 1 << 3],
}

#[derive(Pooled)]
#[pool(instances(Grid<{ LIMIT + 1 }>, Grid<{ if LIMIT > 2 { 8 } else { 16 } }>))]
struct Grid<const N: usize>([u64; N]);

#[derive(Pooled)]
#[pool(pad)]
enum Kind {
    Small = { LIMIT as isize } * 2,
    Large = if LIMIT > 2 { 1 } else { 2 },
}

fn main() {}
