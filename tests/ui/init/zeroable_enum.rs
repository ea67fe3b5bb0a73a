//! `zeroable!` of an enum
//!
//! Fix: build enums from values: whether zeros are one of their variants cannot be checked.

use typed_pool::zeroable;

enum Never {}

zeroable!(Never {});

fn main() {}
