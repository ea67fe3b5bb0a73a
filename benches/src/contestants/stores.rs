//! Which containers take part: one list for the criterion benches and the runner alike.

use beach_map::BeachMap;
use mimalloc::MiMalloc;
use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, SlotMap};
use stash::UniqueStash;
use thunderdome::Arena;
use typed_pool::Roster;

use super::maps::HopSlots;
use super::vectors::Boxes;
use super::{Derived, OwnedStack, Slots, SystemBox};
use crate::limits::roster::{
    Apart, Beside, Blocks, Counting, Cursor, Dense, Descent, Doubling, Entries, Flat, Hint,
    InOrder, Logarithm, Mapped, NextFit, Paged, SwapDelete, WordStack,
};
use crate::limits::{PlainList, PointerStack};
use crate::objects::Obj64;
use crate::store::{Keyed, Store};
use crate::workloads::frame::Bullet;

/// Does something with each container of bullets.
pub trait VisitStore {
    /// Meets one.
    fn visit<S: Store<Bullet>>(&mut self);
}

/// Does something with each container with keys.
pub trait VisitKeyed {
    /// Meets one.
    fn visit<M: Keyed<Obj64>>(&mut self);
}

/// Does something with each arena of numbers.
pub trait VisitArena {
    /// Meets one.
    fn visit<M: Keyed<u64>>(&mut self);
}

/// Calls `visit` with each type in turn.
macro_rules! visit {
    ($visitor:ident: $($contestant:ty),* $(,)?) => { $($visitor.visit::<$contestant>();)* };
}

/// Chunks that double the pool, so that values never move.
type Chunks<T> = Paged<T, 7>;

/// Containers of bullets.
pub fn stores(visitor: &mut impl VisitStore) {
    visit!(
        visitor: Roster<_>, Boxes<_, Derived>, Boxes<_, OwnedStack<_>>,
        Mapped<_, Apart<Chunks<_>>, Hint, Counting>, Mapped<_, Apart<Chunks<_>>, Cursor, Counting, true>,
        Mapped<_, Apart<Chunks<_>>, Cursor, Dense>, SwapDelete<_, Apart<Chunks<_>>>,
        Boxes<_, Slots<PlainList>>, Boxes<_, Slots<PointerStack>>,
        SlotMap<DefaultKey, _>, HopSlots<_>, DenseSlotMap<DefaultKey, _>,
        Slab<_>, Arena<_>, Boxes<_, SystemBox>, Boxes<_, Slots<MiMalloc>>, Vec<_>,
    );
}

/// Containers with keys.
pub fn keyed(visitor: &mut impl VisitKeyed) {
    visit!(
        visitor: Roster<_>,
        Mapped<_, Apart<Chunks<_>>, Hint, Counting>, Mapped<_, Apart<Chunks<_>>, Cursor, Counting, true>,
        Mapped<_, Apart<Chunks<_>>, Cursor, Dense>, SwapDelete<_, Apart<Chunks<_>>>,
        SlotMap<DefaultKey, _>, HopSlots<_>, DenseSlotMap<DefaultKey, _>, Slab<_>, Arena<_>,
    );
}

/// The library, the limits of a crowd that dies and is born, and the crates.
pub fn keyed_crowds(visitor: &mut impl VisitKeyed) {
    visit!(
        visitor: Roster<_>, Mapped<_, Apart<Chunks<_>>, Hint, Counting>, SwapDelete<_, Apart<Chunks<_>>>,
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
        Slab<_>, Arena<_>, generational_arena::Arena<_>, BeachMap<_>, UniqueStash<_>,
    );
}

/// The library and the crates.
pub fn keyed_peers(visitor: &mut impl VisitKeyed) {
    visit!(
        visitor: Roster<_>,
        SlotMap<DefaultKey, _>, HopSlots<_>, DenseSlotMap<DefaultKey, _>, Slab<_>, Arena<_>,
    );
}

/// The designs by hand.
macro_rules! designs {
    ($visitor:ident) => {
        visit!(
            $visitor: Roster<_>,
            Mapped<_, Apart<Flat<_>>, Cursor, Counting>,
            Mapped<_, Apart<Flat<_>>, Cursor, Blocks>,
            Mapped<_, Apart<Flat<_>>, Cursor, Dense>,
            Mapped<_, Entries<Flat<_>>, Cursor, Dense>,
            Mapped<_, Beside<_, Flat<_>>, Cursor, Counting>,
            SwapDelete<_, Apart<Flat<_>>>,
            SwapDelete<_, Entries<Flat<_>>>,
            Mapped<_, Apart<Doubling<_>>, Cursor, Counting>,
            Mapped<_, Apart<Doubling<_, Logarithm>>, Cursor, Counting>,
            Mapped<_, Apart<Paged<_, 7>>, Cursor, Counting>,
            Mapped<_, Apart<Paged<_, 10>>, Cursor, Counting>,
            Mapped<_, Apart<Doubling<_>>, Cursor, Dense>,
            Mapped<_, Entries<Doubling<_>>, Cursor, Dense>,
            Mapped<_, Apart<Flat<_>>, Descent, Counting>,
            Mapped<_, Apart<Flat<_>>, NextFit, Counting>,
            Mapped<_, Apart<Flat<_>>, WordStack, Counting>,
            Mapped<_, Apart<Flat<_>>, Hint, Counting>,
            Mapped<_, Apart<Flat<_>>, Cursor, Counting, true>,
            SlotMap<DefaultKey, _>,
            HopSlots<_>,
            DenseSlotMap<DefaultKey, _>,
            Slab<_>,
            Arena<_>,
        );
    };
}

/// The designs, of bullets.
pub fn store_designs(visitor: &mut impl VisitStore) {
    designs!(visitor);
}

/// The designs, with keys.
pub fn keyed_designs(visitor: &mut impl VisitKeyed) {
    designs!(visitor);
}
