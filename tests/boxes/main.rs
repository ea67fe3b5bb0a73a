//! Elements of derived pools, each owned by a box or by shared pointers.

#[macro_use]
#[path = "../common/by_layout.rs"]
mod common;

mod boxed;
mod counted;
mod made;
mod pooled;
