//! A box used as a box of a supertype
//!
//! Fix: take the element out with `PoolBox::into_inner`, and box it anew: each of the two has a
//! pool of its own.

#![allow(coherence_leak_check)]

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(instances(Callback<for<'a> fn(&'a u8)>, Callback<fn(&'static u8)>))]
struct Callback<F> {
    call: F,
}

// One is a subtype of the other, but each has a pool of its own.
fn coerced(of_any: PoolBox<Callback<for<'a> fn(&'a u8)>>) -> PoolBox<Callback<fn(&'static u8)>> {
    of_any
}

fn main() {}
