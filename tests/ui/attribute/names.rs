//! Names that are none

use typed_pool::Pooled;

// An empty name.
#[derive(Pooled)]
#[pool(name = "")]
struct NameEmpty([f32; 4]);

// A name left out.
#[derive(Pooled)]
#[pool(name)]
struct NameMissing([f32; 4]);

// A name without quotes.
#[derive(Pooled)]
#[pool(name = bullets)]
struct NameUnquoted([f32; 4]);

fn main() {}
