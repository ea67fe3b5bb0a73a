//! What was asked for, as ratios.

use core::fmt;

use serde::{Deserialize, Serialize};

use super::{OURS, Track, Unit};

/// Contestants that do the same job and are no part of this project. Those that free nothing
/// do another.
const PEERS: [&str; 19] = [
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
    "generational-arena",
    "snmalloc",
    "sharded-slab",
    "plurality (Mutex)",
    "object-pool",
    "lockfree-object-pool",
    "opool",
    "heapless",
];

/// What a target compares with.
#[derive(Clone, Copy, Debug)]
pub enum Rival {
    /// One by name.
    Named(&'static str),
    /// The fastest of the peers.
    BestPeer,
    /// The faster of these two.
    FasterOf(&'static str, &'static str),
    /// None: so much of the table's unit, whatever others take.
    Nobody,
}

/// "This contestant takes at most this multiple of that one's time."
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The contestant that has to meet it.
    pub who: &'static str,
    /// The ratio asked for.
    pub at_most: f64,
    /// What it is compared with.
    pub rival: Rival,
    /// Whether to miss it is no failure.
    pub is_stretch: bool,
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
        Self { who, at_most, rival, is_stretch: false }
    }

    /// The same, as what would be still better.
    #[must_use]
    pub const fn stretch(self) -> Self {
        Self { is_stretch: true, ..self }
    }

    /// What was reached. `None` where one of them did not take part.
    #[must_use]
    pub fn judge(&self, tracks: &[Track], unit: Unit) -> Option<Verdict> {
        let named = |name: &str| tracks.iter().find(|track| track.name == name);
        let rival = match self.rival {
            Rival::Named(name) => Some(named(name)?),
            Rival::BestPeer => Some(fastest(PEERS.iter().filter_map(|name| named(name)))?),
            Rival::FasterOf(one, other) => Some(fastest([named(one)?, named(other)?].into_iter())?),
            Rival::Nobody => None,
        };
        let ours = named(self.who)?;
        Some(Verdict {
            who: self.who.to_owned(),
            at_most: self.at_most,
            rival: rival.map_or(unit.name(), |rival| rival.name).to_owned(),
            is_best_peer: matches!(self.rival, Rival::BestPeer),
            is_absolute: rival.is_none(),
            is_stretch: self.is_stretch,
            reached: rival.map_or(ours.median() / unit.base(), |rival| ours.times(rival)),
        })
    }
}

/// How a target was met.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// The contestant that had to meet it.
    pub who: String,
    /// The ratio asked for.
    pub at_most: f64,
    /// What it is compared with, or the unit of both figures.
    pub rival: String,
    /// Whether that is the fastest of the peers.
    pub is_best_peer: bool,
    /// Whether the figures are no ratios.
    #[serde(default)]
    pub is_absolute: bool,
    /// Whether to miss it is no failure.
    #[serde(default)]
    pub is_stretch: bool,
    /// The ratio reached.
    pub reached: f64,
}

impl Verdict {
    /// Whether the target was reached.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.reached <= self.at_most
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { who, at_most, rival, reached, .. } = self;
        let verdict = match (self.is_met(), self.is_stretch) {
            (true, _) => "ok",
            (false, true) => "missed (stretch)",
            (false, false) => "MISSED",
        };
        if self.is_absolute {
            return write!(f, "{who} <= {at_most:.0} {rival}: {reached:.0} {rival} {verdict}");
        }
        let best = if self.is_best_peer { "best peer, " } else { "" };
        write!(f, "{who} <= {at_most:.2}x {best}{rival}: {reached:.2}x {verdict}")
    }
}

fn fastest<'t>(tracks: impl Iterator<Item = &'t Track>) -> Option<&'t Track> {
    tracks.min_by(|one, other| one.median().total_cmp(&other.median()))
}
