//! What is said of one line.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU32;
use core::panic::Location;

use crate::base::watch::sites::lines::{MOST_LINES, location};

/// A line of the program, and the elements that it has made and that are live.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Bullet([f32; 4]);
///
/// let kept: Vec<_> = (0..3).map(|_| PoolBox::new(Bullet([0.0; 4]))).collect();
/// for site in Bullet::pool_sites() {
///     assert_eq!((site.location.file(), site.live, site.bytes), (file!(), 3, 48));
///     println!("{site}"); // "src/main.rs:6:34: 3 live, 48 bytes"
/// }
/// # drop(kept);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Site {
    /// The line that made the call.
    pub location: &'static Location<'static>,
    /// How many elements it has made that are live, or slots it has reserved.
    pub live: usize,
    /// The bytes of their slots.
    pub bytes: usize,
}

impl Site {
    /// The sums by line: the biggest count first.
    pub(crate) fn merge(sites: impl Iterator<Item = Self>) -> Vec<Self> {
        let mut all: Vec<_> = sites.collect();
        all.sort_by_key(|site| site.location);
        // One line may have several locations in memory.
        all.dedup_by(|site, first| {
            let is_same = site.location == first.location;
            if is_same {
                first.live += site.live;
                first.bytes += site.bytes;
            }
            is_same
        });
        all.sort_by_key(|site| core::cmp::Reverse(site.live));
        all
    }
}

/// How many slots each line has.
///
/// It asks the heap when it is made, and for the list, but not while it counts: that may be under a lock.
pub(crate) struct Tally(Vec<usize>);

impl Tally {
    pub(crate) fn new() -> Self {
        Self(vec![0; MOST_LINES])
    }

    /// Counts the numbers that it is called with.
    pub(crate) fn count(&mut self) -> impl FnMut(NonZeroU32) {
        |number| self.0[number.get() as usize - 1] += 1
    }

    /// The lines, if a slot has this many bytes.
    pub(crate) fn list(self, slot_bytes: usize) -> Vec<Site> {
        let mut sites = Vec::new();
        for (place, &live) in self.0.iter().enumerate() {
            if live > 0 {
                let location = location(NonZeroU32::MIN.saturating_add(place as u32));
                let site = |location| Site { location, live, bytes: live * slot_bytes };
                sites.extend(location.map(site));
            }
        }
        Site::merge(sites.into_iter())
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { location, live, bytes } = self;
        write!(f, "{location}: {live} live, {bytes} bytes")
    }
}
