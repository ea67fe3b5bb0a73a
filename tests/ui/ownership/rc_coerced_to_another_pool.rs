//! As `box_coerced_to_another_pool`: pointers that share an element, and weak ones.

#![allow(coherence_leak_check)]

use typed_pool::{PoolRc, PoolRcWeak, Pooled};

#[derive(Pooled)]
#[pool(rc, instances(Callback<for<'a> fn(&'a u8)>, Callback<fn(&'static u8)>))]
struct Callback<F> {
    call: F,
}

type OfAny = Callback<for<'a> fn(&'a u8)>;
type OfStatic = Callback<fn(&'static u8)>;

fn owners(of_any: PoolRc<OfAny>) -> PoolRc<OfStatic> {
    of_any
}

fn weak(of_any: PoolRcWeak<OfAny>) -> PoolRcWeak<OfStatic> {
    of_any
}

fn main() {}
