//! What stands in a static beside the thread-local of a type's pools.

use crate::base::ledger::Record;
use crate::base::opaque::Opaque;
use crate::derived::addresses::Addresses;

/// What the threads of a process share of the pools of one type.
#[derive(Debug)]
pub struct Companion {
    pub(crate) addresses: Addresses,
    pub(crate) record: Opaque<Record>,
}

impl Companion {
    /// Of a type whose pool was never used.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const NEW: Self = Self { addresses: Addresses::NONE, record: Opaque::new(Record::new()) };
}
