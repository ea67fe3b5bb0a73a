//! What the process knows of its pools, and keeps for those who ask (the room `pools`).
//!
//! Every type with a pool has a [`Record`], in a static that its pool has anyway; the first use that leaves the hot path puts
//! it into a list. A pool that grows has an *account* as well ([`Account`]): an entry of a table with its latest figures, which
//! its owner writes when it grows, is trimmed and ends, and which any thread reads without a lock ([`Versioned`]).
//!
//! Nothing here calls the heap while it holds a lock, and no user's code runs within.

#[cfg_attr(
    any(not(all(feature = "std", feature = "view")), all(loom, test)),
    path = "ledger/account_off.rs"
)]
pub(crate) mod account;
#[cfg_attr(
    not(any(all(feature = "view", target_has_atomic = "ptr"), all(loom, test))),
    path = "ledger/record_off.rs"
)]
mod record;
mod terms;
pub(crate) mod upkeep;
#[cfg(any(target_has_atomic = "ptr", all(loom, test)))]
pub(crate) mod versioned;

pub(crate) use account::{Account, RosterAccount};
#[cfg(all(loom, test))]
pub(crate) use record::{Ended, Records};
pub(crate) use terms::Owner;
pub use terms::{Storage, Strategy, ThreadName};
pub(crate) use upkeep::{Facts, Record, Refusal, Upkeep};
