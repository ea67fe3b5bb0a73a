//! Which line has made an element: the feature `sites`.
//!
//! The first line to make an element is entered in a table of the process, and from then on known by its number (a `Line`). Each
//! slot's mark has the number of the line whose element lies there, or 0; beside a roster's slots stand such numbers alone. A number is
//! written when the slot is taken, and cleared when the slot is given back, so there is one for each slot that counts as live.
//!
//! Without the feature nothing is left of this: what is passed on has no size. The rest of the crate has no `cfg` for it but where
//! lines are asked for. Functions that make an element tell their caller's line in every build (`#[track_caller]`), which costs nothing
//! where it is not read: no count in `benches/instructions.txt` differs.

/// Whether each live element knows the line that made it.
pub(crate) const IS_SITED: bool = cfg!(feature = "sites");

/// The number of a line, which is its place in the table and one; 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line([u32; IS_SITED as usize]);

impl Line {
    pub(crate) const NONE: Self = Self([0; IS_SITED as usize]);

    /// The line that calls the function that asks. (With the feature it is in `lines`.)
    #[cfg(not(feature = "sites"))]
    #[inline(always)]
    pub(crate) fn of_caller() -> Self {
        Self::NONE
    }

    pub(crate) fn with_number(number: u32) -> Self {
        Self([number; IS_SITED as usize])
    }

    pub(crate) fn number(self) -> u32 {
        self.0.first().copied().unwrap_or(0)
    }
}

/// The table of lines, and what is said of one.
#[cfg(feature = "sites")]
pub(crate) mod lines {
    use alloc::vec;
    use alloc::vec::Vec;
    use core::fmt;
    use core::panic::Location;
    use core::ptr;
    use core::sync::atomic::{AtomicPtr, Ordering};

    use crate::base::watch::sites::Line;

    /// How many lines the process can tell apart. What others make has no site. (A page of the table is there once a line is entered.)
    pub(crate) const MOST_LINES: usize = if cfg!(feature = "std") { 16 * 1024 } else { 512 };

    /// How many places are looked at for a line.
    const PROBES: usize = 32;

    /// The lines that have made elements: a place is found by the address of the line's [`Location`]. What has been entered stays, and what
    /// it points to is never changed, so readers need no lock. The heap is not asked: it may be a user of pools itself.
    static LINES: [AtomicPtr<Location<'static>>; MOST_LINES] =
        [const { AtomicPtr::new(ptr::null_mut()) }; MOST_LINES];

    impl Line {
        /// The line that calls the function that asks.
        #[inline]
        #[track_caller]
        pub(crate) fn of_caller() -> Self {
            let location = ptr::from_ref(Location::caller()).cast_mut();
            let place = first_place(location);
            Self::with_number(if LINES[place].load(Ordering::Relaxed) == location {
                place as u32 + 1
            } else {
                find_or_enter(location)
            })
        }
    }

    /// Locations lie side by side, most of them 24 bytes each, so no other mixing is needed.
    #[inline]
    fn first_place(location: *mut Location<'static>) -> usize {
        (location.addr() / align_of::<Location<'static>>()) % MOST_LINES
    }

    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    pub(super) extern "C" fn find_or_enter(location: *mut Location<'static>) -> u32 {
        let first = first_place(location);
        for place in (first..first + PROBES).map(|place| place % MOST_LINES) {
            let found = LINES[place].load(Ordering::Relaxed);
            if found == location || (found.is_null() && enter(place, location)) {
                return place as u32 + 1;
            }
        }
        0
    }

    /// Whether the line is in this place, which was empty.
    #[cfg(target_has_atomic = "ptr")]
    fn enter(place: usize, location: *mut Location<'static>) -> bool {
        let null = ptr::null_mut();
        let entered =
            LINES[place].compare_exchange(null, location, Ordering::Release, Ordering::Relaxed);
        entered.map_or_else(|found| found == location, |_| true)
    }

    /// On targets without compare-and-swap, where pools are not listed either, no line is entered.
    #[cfg(not(target_has_atomic = "ptr"))]
    fn enter(_: usize, _: *mut Location<'static>) -> bool {
        false
    }

    /// The line that has this place.
    pub(super) fn location(place: usize) -> Option<&'static Location<'static>> {
        let line = LINES.get(place)?.load(Ordering::Acquire);
        // SAFETY: null, or from a `&'static` (`Line::of_caller`).
        unsafe { line.as_ref() }
    }

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
        /// The lines that `show` shows, each as often as it has made an element of `slot_bytes` bytes.
        pub(crate) fn list(
            slot_bytes: usize,
            show: impl FnOnce(&mut dyn FnMut(Line)),
        ) -> Vec<Self> {
            let mut counts = vec![0; MOST_LINES];
            show(&mut |line| {
                if let Some(place) = line.number().checked_sub(1) {
                    counts[place as usize] += 1;
                }
            });
            let counts = counts.into_iter().enumerate().filter(|(_, live)| *live > 0);
            Self::merge(counts.filter_map(|(place, live)| {
                Some(Self { location: location(place)?, live, bytes: live * slot_bytes })
            }))
        }

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

    impl fmt::Display for Site {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let Self { location, live, bytes } = self;
            write!(f, "{location}: {live} live, {bytes} bytes")
        }
    }
}

#[cfg(all(test, feature = "sites"))]
mod tests;
