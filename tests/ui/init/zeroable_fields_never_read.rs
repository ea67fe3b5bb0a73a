//! A field of a zeroable struct that is never read

#![deny(dead_code)]

use typed_pool::{FreeList, Zeroable, init};

#[derive(Zeroable)]
struct Cell<'a, T: Clone, const N: usize>
where
    T: 'a,
{
    height: f32,
    flags: [T; N],
    of: Option<&'a T>,
}

fn main() {
    let pool = FreeList::<Cell<'_, u8, 4>>::new();
    let Ok(cell) = pool.init(init::zeroed());
    println!("{}", cell.height);
}
