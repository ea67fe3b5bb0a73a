//! How a thread's pool of slots draws its map.

use crate::base::ledger::Refusal;
use crate::base::ledger::draw::{Draw, drawn};
use crate::base::map::PoolMap;
use crate::derived::local::LocalPools;
use crate::strategy::Strategy;

impl<S: Strategy> Draw for LocalPools<S> {
    fn map(&'static self) -> Result<PoolMap, Refusal> {
        let name = (self.facts)().pool_name();
        drawn(|canvas| self.with(|slots| slots.draw(name, self.slot, canvas)))
    }
}
