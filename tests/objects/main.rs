//! Trait objects in pools.

mod typed;
