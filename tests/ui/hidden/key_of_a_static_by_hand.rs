//! As `key_by_hand`: of a static.

#![forbid(unsafe_code)]

use typed_pool::__private::{Fixed, FixedStack, InStatic};

static POOL: FixedStack<u64, 4> = Fixed::EMPTY;

const KEY: InStatic<FixedStack<u64, 4>> = InStatic::new(&raw const POOL);

fn main() {}
