//! Zeros for an instance whose parameter is not zeroable
//!
//! Fix: build it by naming its fields: a generic struct is zeroable where the types of its fields
//! are.

use typed_pool::{FreeList, Zeroable, init};

#[derive(Zeroable)]
struct Pair<T>(T, T);

fn main() {
    let Ok(pair) = FreeList::<Pair<String>>::new().init(init::zeroed());
    let _ = (&pair.0, &pair.1);
}
