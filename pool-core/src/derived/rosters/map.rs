//! How a type's roster draws its map.

use crate::base::ledger::Refusal;
use crate::base::ledger::draw::{Draw, drawn};
use crate::base::map::PoolMap;
use crate::derived::in_thread::InThread;
use crate::derived::pooled::Pooled;
use crate::derived::rosters::local::{LocalRoster, OfLocal};
use crate::derived::rosters::static_roster::{OfStatic, SharedRoster};
use crate::derived::storage::InStatic;
use crate::derived::storage::RosterHandles;
use crate::derived::storage::RosterStorage as _;

impl<T: Pooled<RosterHandles, __Storage = InThread<LocalRoster<T>>>> Draw for OfLocal<T> {
    fn map(&'static self) -> Result<PoolMap, Refusal> {
        drawn(|canvas| T::__POOL.try_lend(|roster| roster.draw(canvas)))
    }
}

impl<T: Pooled<RosterHandles, __Storage = InStatic<SharedRoster<T>>>> Draw for OfStatic<T> {
    fn map(&'static self) -> Result<PoolMap, Refusal> {
        drawn(|canvas| T::__POOL.try_lend(|roster| roster.draw(canvas)))
    }
}
