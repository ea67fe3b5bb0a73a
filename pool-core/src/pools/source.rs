//! Where the lines are found that have made a pool's elements: with the feature `sites`.

#[cfg(feature = "sites")]
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "sites")]
use core::panic::Location;
use core::ptr;

#[cfg(feature = "std")]
use crate::base::ledger::account::Entered;
#[cfg(all(feature = "sites", feature = "std"))]
use crate::base::ledger::account::remains;
use crate::base::ledger::{Facts, Storage};
use crate::base::watch::sites::IS_SITED;
#[cfg(feature = "sites")]
use crate::base::watch::sites::lines::{Site, Tally};
#[cfg(feature = "std")]
use crate::derived::thread_exit::thread_number;

/// The number of the thread that asks, where there are several.
pub(super) fn this_thread() -> u32 {
    #[cfg(feature = "std")]
    return thread_number();
    #[cfg(not(feature = "std"))]
    0
}

/// How many lines are shown of each row, and of each leak.
#[cfg(feature = "sites")]
pub(super) const SHOWN: usize = 3;

/// Writes the first lines, with how many elements each has made, behind what has `separator` at its end.
#[cfg(feature = "sites")]
pub(super) fn write_made_at(
    separator: char,
    lines: impl ExactSizeIterator<Item = (&'static Location<'static>, usize)>,
    f: &mut impl fmt::Write,
) -> fmt::Result {
    let more = lines.len().saturating_sub(SHOWN);
    for (at, (location, count)) in lines.take(SHOWN).enumerate() {
        match at {
            0 => write!(f, "{separator} made at {location} ({count})"),
            _ => write!(f, ", {location} ({count})"),
        }?;
    }
    match more {
        0 => Ok(()),
        more => write!(f, " and {more} more lines"),
    }
}

/// Where the sites of a pool are found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Source([Place; IS_SITED as usize]);

#[derive(Clone, Copy)]
struct Place {
    /// Of a pool that can be looked at.
    facts: Option<&'static Facts>,
    /// The only thread that can look at it; 0 if any can.
    thread: u32,
    /// Of one whose thread has ended; or 0.
    account: usize,
}

impl Source {
    /// Nowhere: in another thread, or in a value.
    pub(super) const NONE: Self = Self::at(None, 0, 0);

    const fn at(facts: Option<&'static Facts>, thread: u32, account: usize) -> Self {
        Self([Place { facts, thread, account }; IS_SITED as usize])
    }

    pub(super) fn at_hand(facts: &'static Facts) -> Self {
        let thread = if facts.storage == Storage::ThreadLocal { this_thread() } else { 0 };
        Self::at(Some(facts), thread, 0)
    }

    #[cfg(feature = "std")]
    pub(super) fn left_by(entered: &Entered) -> Self {
        Self::at(None, 0, if entered.has_ended { entered.key } else { 0 })
    }

    /// The lines, if a slot has this many bytes: the biggest count first.
    #[cfg(feature = "sites")]
    pub(super) fn list(self, slot_bytes: usize) -> Vec<Site> {
        let Self([Place { facts, thread, account }]) = self;
        // What was found in one thread may be asked in another, which has a pool of its own.
        if ![0, this_thread()].contains(&thread) {
            return Vec::new();
        }
        let mut sites = Tally::new();
        if let Some(facts) = facts {
            let _ = facts.upkeep.show_lines(false, &mut sites.count());
        } else if account == 0 {
            return Vec::new();
        }
        #[cfg(feature = "std")]
        if account != 0 {
            remains::show(account, &mut sites.count());
        }
        sites.list(slot_bytes)
    }
}

/// Where what is live was made, behind a leak.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "sites")]
        {
            let sites = self.list(0);
            let lines = sites.iter().map(|site| (site.location, site.live));
            write_made_at(';', lines, f)?;
        }
        let _ = f;
        Ok(())
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        let facts = |place: &Self| place.facts.map_or(ptr::null(), ptr::from_ref);
        let which = |place: &Self| (place.thread, place.account);
        which(self) == which(other) && ptr::eq(facts(self), facts(other))
    }
}

impl Eq for Place {}
