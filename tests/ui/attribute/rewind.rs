//! `rewind` where it cannot be

use std::rc::Rc;

use typed_pool::{Pooled, Rewind, Rewindable};

// A type's own roster that goes back.
#[derive(Pooled, Clone)]
#[pool(strategy = roster, rewind)]
struct OfAType([f32; 4]);

// A world without a part that remembers.
#[derive(Rewindable)]
struct OfNothing {
    #[rewind(clone)]
    tick: u64,
}

// A field that cannot go back.
#[derive(Rewindable)]
struct OfANumber {
    things: Rewind<u8>,
    tick: u64,
}

// A word that there is not.
#[derive(Rewindable)]
struct ByAnotherWord {
    things: Rewind<u8>,
    #[rewind(copy)]
    tick: u64,
}

// A value that marks cannot keep.
#[derive(Rewindable)]
struct OfAnRc {
    things: Rewind<u8>,
    #[rewind(clone)]
    settings: Rc<u64>,
}

// As a strategy.
#[derive(Pooled, Clone)]
#[pool(strategy = rewind)]
struct AsAStrategy([f32; 4]);

fn main() {
    OfAType::pool_insert(OfAType([0.0; 4]));
}
