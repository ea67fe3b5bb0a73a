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
struct Nested {
    rows: [[u8; if LIMIT > 2 { 8 } else { 16 }]; { const ROWS: usize = LIMIT; ROWS }],
    pair: (u8, Option<[u16; match LIMIT { 0 => 1, n => n }]>),
    grid: Grid<{ if LIMIT > 2 { 8 } else { 16 } }>,
    grids: Vec<(Grid<1>, Grid<{ loop { break 3 } }>)>,
    call: fn([u8; if LIMIT < 2 { 8 } else { 16 }], &u8) -> Option<u8>,
    #[allow(dead_code)]
    last: Box<dyn Fn([u8; if LIMIT > 2 { 8 } else { 16 }]) -> u8>,
}

#[derive(Pooled)]
#[pool(instances(Sized8, Sized8<{ let n = 4; n }>, crate::Sized8<{ if 1 < 2 { 5 } else { 6 } }>,))]
struct Sized8<const N: usize = { if LIMIT > 2 { 8 } else { 16 } }>([u64; N])
where
    [u8; if LIMIT > 2 { 8 } else { 16 }]: Copy;

#[derive(Pooled)]
#[pool(instances(Bounded<u64>))]
struct Bounded<T>
where
    T: Into<u64> + PartialEq<T>,
    [u8; if LIMIT > 2 { 8 } else { 16 }]: Copy,
{
    values: [T; if LIMIT > 2 { 8 } else { 16 }],
}

macro_rules! list {
    ($name:ident, $length:expr, $element:ty) => {
        #[derive(Pooled)]
        struct $name {
            values: [$element; $length],
            grid: Grid<{ $length }>,
        }
    };
}

list!(List, if LIMIT > 2 { 8 } else { 16 }, [u8; if LIMIT > 2 { 8 } else { 16 }]);

#[derive(Pooled)]
#[pool(pad)]
#[repr(i64)]
enum Tagged {
    Small { values: [u8; if LIMIT > 2 { 8 } else { 16 }] } = if LIMIT < 2 { 1 } else { 2 },
    Large { values: [u8; 3] } = <i64 as Select<u8, u16>>::SELECTED + if LIMIT < 2 { 1 } else { 2 },
    Huge = 100,
}

trait Select<A, B> {
    const SELECTED: i64;
}

impl<A, B> Select<A, B> for i64 {
    const SELECTED: i64 = 7;
}

#[derive(Pooled)]
#[pool(pad)]
enum Kind {
    Small = { LIMIT as isize } * 2,
    Large = if LIMIT > 2 { 1 } else { 2 },
}

fn main() {
    assert_eq!(Sized8::<4>::pool_stats().slot_bytes, 32);
    assert_eq!(<Sized8>::pool_stats().slot_bytes, 64);
}
