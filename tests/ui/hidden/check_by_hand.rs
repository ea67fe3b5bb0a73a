//! One of the derive's checks, implemented by hand
//!
//! Fix: leave it to the derive. An element without a size needs no pool.

#![forbid(unsafe_code)]

use typed_pool::__private::{Checked, HasSize, HoldsLink, WithinAddressSpace, Zero};

struct Marker;

impl HasSize<Marker> for Zero {}

impl HoldsLink<Marker, 3> for Checked {
    type Outcome = Checked;
}

impl WithinAddressSpace<Marker, 1000> for Checked {
    type Outcome = Checked;
    fn sealed(_: typed_pool::__private::Seal) {}
}

fn main() {}
