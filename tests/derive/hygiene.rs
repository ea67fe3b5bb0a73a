//! The derive in crates that forbid, deny, shadow and rename.

#![forbid(unsafe_code)]
#![deny(
    deprecated,
    explicit_outlives_requirements,
    keyword_idents,
    let_underscore,
    missing_docs,
    nonstandard_style,
    refining_impl_trait,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unnameable_types,
    unreachable_pub,
    unused,
    unused_lifetimes,
    unused_qualifications,
    clippy::all,
    clippy::pedantic
)]

pub(crate) mod by_hand;
pub(crate) mod deprecated;
pub(crate) mod fragments;
pub(crate) mod names;
mod renamed;
mod shadowed;
