//! How a map is shown.

#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "svg")]
mod svg;
mod terminal;
