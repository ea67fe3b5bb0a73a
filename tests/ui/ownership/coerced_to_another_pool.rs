//! Coerced to what the pool of a supertype has

#![allow(coherence_leak_check)]

use typed_pool::{Handle, PoolBox, PoolRc, PoolRcWeak, Pooled, Vacant};

#[derive(Pooled)]
#[pool(rc, instances(Callback<for<'a> fn(&'a u8)>, Callback<fn(&'static u8)>))]
struct Callback<F> {
    call: F,
}

// One is a subtype of the other, but each has a pool of its own.
type OfAny = Callback<for<'a> fn(&'a u8)>;
type OfStatic = Callback<fn(&'static u8)>;

fn boxed(of_any: PoolBox<OfAny>) -> PoolBox<OfStatic> {
    of_any
}

fn owners(of_any: PoolRc<OfAny>) -> PoolRc<OfStatic> {
    of_any
}

fn weak(of_any: PoolRcWeak<OfAny>) -> PoolRcWeak<OfStatic> {
    of_any
}

fn reserved(of_any: Vacant<OfAny>) -> Vacant<OfStatic> {
    of_any
}

fn handle(of_any: Handle<for<'a> fn(&'a u8)>) -> Handle<fn(&'static u8)> {
    of_any
}

fn main() {}
