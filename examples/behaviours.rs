//! A guard with a behaviour tree: once of trait objects, each node in the pool of its type, and once of closures, which
//! have no name to derive anything for, in pools by layout. Both do the same.
//!
//! ```text
//! cargo run --release --example behaviours
//! ```
//!
//! Read `behaviours/trait_objects.rs` and `behaviours/closures.rs`.

#[path = "behaviours/closures.rs"]
mod closures;
#[path = "behaviours/trait_objects.rs"]
mod trait_objects;
#[path = "behaviours/world.rs"]
mod world;

use world::World;

fn main() {
    let mut tree = trait_objects::guard();
    let night = World::night(|world| tree.tick(world));
    println!("{night}");
    println!("\n{}", trait_objects::pools());

    let mut tree = closures::guard();
    let same = World::night(|world| tree(world));
    assert_eq!(night.to_string(), same.to_string());
    println!("\nA tree of closures did the same.");
}
