//! The lines that made live elements, in reports and messages: with the feature `sites`.

#[cfg(feature = "sites")]
use alloc::vec::Vec;
use core::fmt;

use crate::base::ledger::Record;
#[cfg(feature = "sites")]
use crate::base::stats::Counted;
#[cfg(feature = "sites")]
use crate::base::watch::sites::lines::Site;

/// How many lines are shown of each type.
#[cfg(feature = "sites")]
const SHOWN: usize = 3;

/// The lines that made the live elements of one type's pool, the biggest count first: as far as the calling thread can know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sites(#[cfg(feature = "sites")] Vec<Site>);

#[cfg(feature = "sites")]
impl Sites {
    pub(super) const NONE: Self = Self(Vec::new());

    pub(super) fn of(record: &'static Record) -> Self {
        let Some(upkeep) = record.facts().map(|facts| facts.upkeep) else { return Self::NONE };
        upkeep.map(false).map_or(Self::NONE, |map| Self(Site::list(&map)))
    }

    /// The elements that these lines have made more than `before`.
    #[cfg(feature = "std")]
    pub(super) fn gain(mut self, before: Option<&Self>) -> Self {
        for site in &mut self.0 {
            let same = |other: &&Site| other.location == site.location;
            let known = before.and_then(|before| before.0.iter().find(same));
            site.live = site.live.saturating_sub(known.map_or(0, |known| known.live));
        }
        self.0.retain(|site| site.live > 0);
        self.0.sort_by_key(|site| core::cmp::Reverse(site.live));
        self
    }

    /// Writes the biggest, a line each.
    pub(super) fn write_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Site { location, live, bytes } in self.0.iter().take(SHOWN) {
            writeln!(f, "  {live:>8} live, {bytes:>10} bytes: {location}")?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => writeln!(f, "  .. {}", Counted(more, "more line")),
        }
    }
}

/// Writes the biggest behind a text: `, made at src/main.rs:3:5 (2)`.
#[cfg(feature = "sites")]
impl fmt::Display for Sites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, Site { location, live, .. }) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, ",{} {location} ({live})", if at == 0 { " made at" } else { "" })?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {}", Counted(more, "more line")),
        }
    }
}

#[cfg(not(feature = "sites"))]
impl Sites {
    pub(super) const NONE: Self = Self();

    pub(super) fn of(_: &'static Record) -> Self {
        Self::NONE
    }

    #[cfg(feature = "std")]
    pub(super) fn gain(self, _: Option<&Self>) -> Self {
        self
    }

    pub(super) fn write_lines(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

#[cfg(not(feature = "sites"))]
impl fmt::Display for Sites {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
