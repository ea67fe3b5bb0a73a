//! What was asked for, as ratios.

use super::{OURS, Track};

/// Contestants that do the same job and are no part of this project. Those that free nothing
/// do another.
const PEERS: [&str; 18] = [
    "Box (system)",
    "mimalloc",
    "jemalloc",
    "slab (keys)",
    "shared_arena Pool",
    "shared_arena Arena",
    "SlotMap",
    "HopSlotMap",
    "DenseSlotMap",
    "slab",
    "thunderdome",
    "snmalloc",
    "sharded-slab",
    "plurality (Mutex)",
    "object-pool",
    "lockfree-object-pool",
    "opool",
    "heapless",
];

/// Whom a target compares with.
#[derive(Clone, Copy, Debug)]
pub enum Rival {
    /// One by name.
    Named(&'static str),
    /// Whoever was fastest among the peers.
    BestPeer,
    /// Whoever was faster of the two by name.
    FasterOf(&'static str, &'static str),
}

/// "This contestant takes at most so many times as long as that one."
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Of whom it is asked.
    pub who: &'static str,
    /// The ratio asked for.
    pub at_most: f64,
    /// Compared with whom.
    pub rival: Rival,
}

impl Target {
    /// Asked of [`OURS`].
    #[must_use]
    pub const fn ours(at_most: f64, rival: Rival) -> Self {
        Self::of(OURS, at_most, rival)
    }

    /// Asked of one by name.
    #[must_use]
    pub const fn of(who: &'static str, at_most: f64, rival: Rival) -> Self {
        Self { who, at_most, rival }
    }

    /// One line: what was asked, what was reached. `None` where someone did not take part.
    #[must_use]
    pub fn judge(&self, table: &str, tracks: &[Track]) -> Option<String> {
        let named = |name: &str| tracks.iter().find(|track| track.name == name);
        let rival = match self.rival {
            Rival::Named(name) => named(name)?,
            Rival::BestPeer => fastest(PEERS.iter().filter_map(|name| named(name)))?,
            Rival::FasterOf(one, other) => fastest([named(one)?, named(other)?].into_iter())?,
        };
        let Self { who, at_most, .. } = *self;
        let reached = named(who)?.times(rival);
        let verdict = if reached <= at_most { "ok" } else { "MISSED" };
        let best = if matches!(self.rival, Rival::BestPeer) { "best peer, " } else { "" };
        Some(format!(
            "{table}: {who} <= {at_most:.2}x {best}{}: {reached:.2}x {verdict}",
            rival.name
        ))
    }
}

fn fastest<'t>(tracks: impl Iterator<Item = &'t Track>) -> Option<&'t Track> {
    tracks.min_by(|one, other| one.median().total_cmp(&other.median()))
}
