//! Construction in place.

mod address;
mod in_place;
mod names;
