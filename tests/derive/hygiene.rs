//! The derive in crates that forbid, deny, shadow and rename.

#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    nonstandard_style,
    rust_2018_idioms,
    unnameable_types,
    unreachable_pub,
    unused,
    unused_lifetimes,
    unused_qualifications,
    clippy::all,
    clippy::pedantic
)]

pub(crate) mod by_hand;
pub(crate) mod fragments;
pub(crate) mod names;
mod no_prelude;
mod renamed;
mod shadowed;
