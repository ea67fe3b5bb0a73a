//! The contestants of the workloads of containers.

use beach_map::BeachMap;
use mimalloc::MiMalloc;
use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, SlotMap};
use thunderdome::Arena;
use typed_pool::Roster;

use super::maps::HopSlots;
use super::vectors::Boxes;
use super::{Derived, OwnedStack, Slots, SystemBox};
use crate::limits::roster::{InOrder, SwapDelete};
use crate::limits::{PlainList, PointerStack};
use crate::objects::Obj64;
use crate::store::{Keyed, Store};
use crate::workloads::frame::Bullet;

visitors! {
    VisitStore [S: Store<Bullet>];
    VisitKeyed [M: Keyed<Obj64>];
    VisitArena [M: Keyed<u64>];
}

/// Containers of bullets.
pub fn stores(visitor: &mut impl VisitStore) {
    visit!(
        visitor: Roster<_>, Boxes<_, Derived>, Boxes<_, OwnedStack<_>>,
        SwapDelete<_>, Boxes<_, Slots<PlainList>>, Boxes<_, Slots<PointerStack>>,
        SlotMap<DefaultKey, _>, HopSlots<_>, DenseSlotMap<DefaultKey, _>,
        Slab<_>, Arena<_>, Boxes<_, SystemBox>, Boxes<_, Slots<MiMalloc>>, Vec<_>,
    );
}

/// Containers with keys.
pub fn keyed(visitor: &mut impl VisitKeyed) {
    visit!(
        visitor: Roster<_>, SwapDelete<_>,
        SlotMap<DefaultKey, _>, HopSlots<_>, DenseSlotMap<DefaultKey, _>, Slab<_>, Arena<_>,
    );
}

/// [`keyed`], and the limit of iteration.
pub fn keyed_ruins(visitor: &mut impl VisitKeyed) {
    keyed(visitor);
    visit!(visitor: InOrder<_>);
}

/// The library and all crates of arenas.
pub fn arenas(visitor: &mut impl VisitArena) {
    visit!(
        visitor: Roster<_>, SlotMap<DefaultKey, _>, HopSlots<_>, DenseSlotMap<DefaultKey, _>,
        Slab<_>, Arena<_>, generational_arena::Arena<_>, BeachMap<_>,
    );
}
