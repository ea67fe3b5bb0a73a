//! Types that can be derived, and places where.

#![deny(
    future_incompatible,
    rust_2018_compatibility,
    rust_2021_compatibility,
    rust_2024_compatibility
)]

mod hygiene;
mod shapes;
