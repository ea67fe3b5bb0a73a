//! Contestants that threads share. Their objects stay where they are until they are freed, on any thread.

use mimalloc::MiMalloc;
use snmalloc_rs::SnMalloc;
use tikv_jemallocator::Jemalloc;

use super::{Derived, DerivedFixed, DerivedList, Keys, Queue, Slots, SystemBox};
use crate::contestant::Contestant;
use crate::limits::SharedMagazine;
use crate::objects::{Obj64, Payload, Static64, StaticFixed64, StaticList64};

visitors! {
    VisitShared [T: Payload, C: Contestant<T, Object: Send> + Send + Sync];
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

/// [`shared_heaps`], and those that are made for fewer. opool lends its objects for as long as the process lives.
pub fn shared_peers(visitor: &mut impl VisitShared) {
    shared_heaps(visitor);
    visitor.visit::<StaticFixed64, DerivedFixed>();
    visitor.visit::<Obj64, Keys<Obj64>>();
    visitor.visit::<Obj64, Queue<Obj64>>();
}
