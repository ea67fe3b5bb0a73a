//! As `box_coerced_to_another_pool`: a reserved slot.

#![allow(coherence_leak_check)]

use typed_pool::{Pooled, Vacant};

#[derive(Pooled)]
#[pool(instances(Callback<for<'a> fn(&'a u8)>, Callback<fn(&'static u8)>))]
struct Callback<F> {
    call: F,
}

// One is a subtype of the other, but each has a pool of its own.
fn coerced(of_any: Vacant<Callback<for<'a> fn(&'a u8)>>) -> Vacant<Callback<fn(&'static u8)>> {
    of_any
}

fn main() {}
