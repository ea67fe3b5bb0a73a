//! Targets, as ratios.

use core::fmt;

use super::{OURS, Outcome, Standing};
use crate::run::tables::is_peer;

/// The other side of a target.
#[derive(Clone, Copy, Debug)]
pub enum Rival {
    /// One by name.
    Named(&'static str),
    /// The fastest of the peers, which do the same job and are no part of this project.
    BestPeer,
    /// The faster of these two, or the one that took part.
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
    /// The other side.
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

    /// Compares an outcome with the target. `None` where one of them did not take part.
    #[must_use]
    pub fn judge(&self, outcome: &Outcome) -> Option<Verdict> {
        let rival = match self.rival {
            Rival::Named(name) => Some(outcome.of(name)?),
            Rival::BestPeer => {
                Some(fastest(outcome.standings.iter().filter(|one| is_peer(&one.contestant)))?)
            }
            Rival::FasterOf(one, other) => {
                Some(fastest([one, other].into_iter().filter_map(|name| outcome.of(name)))?)
            }
            Rival::Nobody => None,
        };
        let ours = outcome.of(self.who)?;
        Some(Verdict {
            target: *self,
            rival: rival.map_or(outcome.unit.name(), |rival| &rival.contestant).to_owned(),
            // The median of ratios where one of the two is what all ratios refer to; else their quotient.
            reached: rival.map_or(ours.value, |rival| ours.times / rival.times),
        })
    }
}

/// How a target was met.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The target.
    pub target: Target,
    /// The other side's name, or the unit of both figures.
    pub rival: String,
    /// The ratio reached.
    pub reached: f64,
}

impl Verdict {
    /// Whether the target was reached.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.reached <= self.target.at_most
    }

    /// Describes the target.
    #[must_use]
    pub fn asked(&self) -> String {
        let Self { target: Target { who, at_most, rival, is_stretch }, rival: name, .. } = self;
        let stretch = if *is_stretch { " (if it can be)" } else { "" };
        match rival {
            Rival::Nobody => format!("{who} at most {at_most:.0} {name}{stretch}"),
            Rival::BestPeer => {
                format!("{who} at most {at_most:.2} times best peer, {name}{stretch}")
            }
            _ => format!("{who} at most {at_most:.2} times {name}{stretch}"),
        }
    }

    /// Describes the result.
    #[must_use]
    pub fn answer(&self) -> String {
        match self.target.rival {
            Rival::Nobody => format!("{:.0} {}", self.reached, self.rival),
            _ => format!("{:.2}", self.reached),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match (self.is_met(), self.target.is_stretch) {
            (true, _) => "ok",
            (false, true) => "missed",
            (false, false) => "MISSED",
        };
        write!(f, "{}: {} {verdict}", self.asked(), self.answer())
    }
}

fn fastest<'s>(standings: impl Iterator<Item = &'s Standing>) -> Option<&'s Standing> {
    standings.min_by(|one, other| one.value.total_cmp(&other.value))
}
