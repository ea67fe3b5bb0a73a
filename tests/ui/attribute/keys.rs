//! Keys that are none, or are given twice

use typed_pool::{PoolBox, PoolRc, Pooled};

mod engine {
    pub use typed_pool as pools;
}

// A key that does not exist.
#[derive(Pooled)]
#[pool(capcity = 64)]
struct UnknownKey([f32; 4]);

// A key like none that exists.
#[derive(Pooled)]
#[pool(colour = 64)]
struct UnknownKeyLikeNoOther([f32; 4]);

// By the word that others have for it.
#[derive(Pooled)]
#[pool(thread_safe, limit = 64, size = 64, handles)]
struct UnknownKeyOfAnotherLibrary([f32; 4]);

// `arc` for `rc`.
#[derive(Pooled)]
#[pool(static, arc)]
struct RcMisspelt(u64);

// `rc` a second time.
#[derive(Pooled)]
#[pool(rc, rc)]
struct RcTwice(u64);

// A key given twice.
#[derive(Pooled)]
#[pool(chunk = 64, chunk = 128)]
struct DuplicateKey([f32; 4]);

// A path to the library in quotes.
#[derive(Pooled)]
#[pool(crate = "engine::pools")]
struct CrateQuoted([f32; 4]);

// A library that is not a path.
#[derive(Pooled)]
#[pool(crate = 64)]
struct CrateNotAPath([f32; 4]);

fn main() {
    // One mistake is one error, on a type that is used, too.
    drop(PoolRc::new(RcTwice(1)));
    drop(PoolBox::new(UnknownKey([0.0; 4])));
    println!("{}", UnknownKey::pool_stats());
}
