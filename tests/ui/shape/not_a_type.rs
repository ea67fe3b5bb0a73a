//! The derive on something that is not a type
//!
//! Fix: write it on a struct or an enum.

#[derive(typed_pool::Pooled)]
fn bullet() {}

fn main() {}
