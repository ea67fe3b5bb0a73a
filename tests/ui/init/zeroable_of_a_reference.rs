//! `zeroable!` of a struct with a reference
//!
//! Fix: build it field by field: a reference is never zero. An `Option` of one may be.

use typed_pool::zeroable;

struct Name(&'static str);

zeroable!(Name { 0 });

fn main() {}
