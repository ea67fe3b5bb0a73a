//! Construction in place.

mod address;
mod in_place;
mod names;
#[path = "../common/in_place.rs"]
mod on_heap;
mod zeroable;
