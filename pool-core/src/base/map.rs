//! A map of a pool's memory: each chunk and each slot, and what can be told from that.
//!
//! A pool draws itself on a canvas, which has its memory before the pool is looked at: the heap may be a user of the pool.

mod canvas;
mod chunk;
mod pool_map;

pub(crate) use canvas::{Canvas, Room};
pub use chunk::{MapChunk, SlotUse};
pub use pool_map::PoolMap;
