//! Which pools take part that threads share: one list for the criterion bench and the runner alike.

mod blocks;
mod keys;
mod locked;
mod recycled;

use mimalloc::MiMalloc;
use snmalloc_rs::SnMalloc;
use tikv_jemallocator::Jemalloc;

pub use blocks::Blocks;
pub use keys::Keys;
pub use locked::Locked;
pub use recycled::{LockFree, Maker, Queue, Stack};

use super::{Derived, DerivedFixed, DerivedList, Slots, SystemBox};
use crate::contestant::Contestant;
use crate::limits::SharedMagazine;
use crate::objects::{Obj64, Payload, Static64, StaticFixed64, StaticList64};

/// Does something with each of them.
pub trait VisitShared {
    /// Meets one. Its objects stay where they are until they are freed, on any thread.
    fn visit<T: Payload, C: Contestant<T, Object: Send> + Send + Sync>(&mut self);
}

/// typed-pool, the limit and the heaps: those that take objects by the ten thousands.
pub fn shared_heaps(visitor: &mut impl VisitShared) {
    visitor.visit::<Static64, Derived>();
    visitor.visit::<StaticList64, DerivedList>();
    visitor.visit::<Obj64, Slots<SharedMagazine>>();
    visitor.visit::<Obj64, SystemBox>();
    visitor.visit::<Obj64, Slots<MiMalloc>>();
    visitor.visit::<Obj64, Slots<Jemalloc>>();
    visitor.visit::<Obj64, Slots<SnMalloc>>();
}

/// typed-pool, the limit, the heaps, the crates. All of them can do everything that threads do here; those
/// that lend objects out and keep them lend them for as long as the process lives.
pub fn shared_peers(visitor: &mut impl VisitShared) {
    visitor.visit::<Static64, Derived>();
    visitor.visit::<StaticList64, DerivedList>();
    visitor.visit::<StaticFixed64, DerivedFixed>();
    visitor.visit::<Obj64, Slots<SharedMagazine>>();
    visitor.visit::<Obj64, SystemBox>();
    visitor.visit::<Obj64, Slots<MiMalloc>>();
    visitor.visit::<Obj64, Slots<Jemalloc>>();
    visitor.visit::<Obj64, Slots<SnMalloc>>();
    visitor.visit::<Obj64, Keys<Obj64>>();
    visitor.visit::<Obj64, Locked<Obj64>>();
    visitor.visit::<Obj64, Stack<Obj64>>();
    visitor.visit::<Obj64, LockFree<Obj64>>();
    visitor.visit::<Obj64, Queue<Obj64>>();
    visitor.visit::<Obj64, Blocks>();
}
