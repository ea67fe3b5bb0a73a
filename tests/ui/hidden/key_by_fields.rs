//! As `key_by_hand`: by its fields.

#![forbid(unsafe_code)]

use std::marker::PhantomData;
use typed_pool::__private::{Fixed, FixedStack, InStatic};

static POOL: FixedStack<u64, 4> = Fixed::EMPTY;

const KEY: InStatic<FixedStack<u64, 4>> = InStatic { place: &raw const POOL, marker: PhantomData };

fn main() {}
