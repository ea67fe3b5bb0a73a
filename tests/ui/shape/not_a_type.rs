//! The derive on something that is no type
//!
//! Fix: write it on a struct or an enum.

#[derive(typed_pool::Pooled)]
fn bullet() {}

fn main() {}
