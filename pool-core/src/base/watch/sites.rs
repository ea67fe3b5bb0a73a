//! The line that made each element: the feature `sites`.
//!
//! One table for the process has the address of each slot in use, and the line that took it. A function that hands a slot to the user enters it
//! (`#[track_caller]` tells the line), and one that gets it back removes it. A pool's [map](crate::base::map) names its slots, so the table
//! knows nothing of pools, and pools know nothing of the table.
//!
//! Without the feature no line is entered, and lists of lines are empty. The rest of the crate has no `cfg` for it but where lines are
//! listed.
//! `#[track_caller]` costs nothing where the line is not read: no count in `benches/instructions.txt` differs.

pub(crate) use lines::{Line, enter, leave};

/// Whether the line that made an element is known.
pub(crate) const IS_SITED: bool = cfg!(feature = "sites");

#[cfg(not(feature = "sites"))]
mod lines {
    use core::ptr::NonNull;

    /// A line of the program, if lines were known.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Line;

    impl Line {
        #[inline(always)]
        pub(crate) fn of_caller() -> Self {
            Self
        }

        pub(crate) fn of(_: NonNull<u8>) -> Self {
            Self
        }

        #[inline(always)]
        pub(crate) fn enter(self, _: NonNull<u8>) {}
    }

    #[inline(always)]
    pub(crate) fn enter(_: NonNull<u8>) {}

    #[inline(always)]
    pub(crate) fn leave(_: NonNull<u8>) {}
}

/// The table of lines.
#[cfg(feature = "sites")]
mod lines {
    use core::panic::Location;
    use core::ptr::{self, NonNull};
    use core::sync::atomic::{AtomicPtr, Ordering};

    use crate::base::atomic::swap::AtomicUsize;

    /// The places at which a slot may stand in the table.
    pub(super) const PLACES: usize = 16;

    /// Each of so many buckets has [`PLACES`]. A page of the table takes memory once a slot stands there.
    const BUCKETS: usize = if cfg!(feature = "std") { 1 << 17 } else { 1 << 6 };

    /// The slots in use. The heap is not asked for memory: it may be a user of pools itself. A slot whose bucket is full has no line.
    static TABLE: [[Place; PLACES]; BUCKETS] =
        [const { [const { Place::new() }; PLACES] }; BUCKETS];

    pub(super) struct Place {
        /// Its address; 0 if the place is free. A slot has one owner at a time, who alone writes here.
        slot: AtomicUsize,
        /// Null while the place is free, and until the line is known.
        line: AtomicPtr<Location<'static>>,
    }

    impl Place {
        const fn new() -> Self {
            Self { slot: AtomicUsize::new(0), line: AtomicPtr::new(ptr::null_mut()) }
        }

        fn has(&self, slot: usize) -> bool {
            self.slot.load(Ordering::Acquire) == slot
        }

        /// Takes a free place for the slot.
        fn take(&self, slot: usize) -> bool {
            let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
            self.has(0) && self.slot.compare_exchange(0, slot, acquire, relaxed).is_ok()
        }
    }

    /// The places of a slot: the upper bits of a product depend on all bits of the address.
    pub(super) fn bucket(slot: usize) -> &'static [Place; PLACES] {
        let product = slot.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as usize);
        &TABLE[product >> (usize::BITS - BUCKETS.ilog2())]
    }

    fn find(slot: usize) -> Option<&'static Place> {
        bucket(slot).iter().find(|place| place.has(slot))
    }

    /// A line of the program; `None` if it is not known.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Line(pub(super) Option<&'static Location<'static>>);

    impl Line {
        /// The line of the caller.
        #[inline]
        #[track_caller]
        pub(crate) fn of_caller() -> Self {
            Self(Some(Location::caller()))
        }

        /// The line that took the slot.
        pub(crate) fn of(slot: NonNull<u8>) -> Self {
            Self(location(slot.addr().get()))
        }

        /// The slot is in use, and this line took it.
        #[cold]
        #[inline(never)]
        pub(crate) fn enter(self, slot: NonNull<u8>) {
            let slot = slot.addr().get();
            // (A slot that was in use when its pool ended has a place still.)
            let place = find(slot).or_else(|| bucket(slot).iter().find(|place| place.take(slot)));
            if let Some(place) = place {
                let line = self.0.map_or(ptr::null(), ptr::from_ref);
                place.line.store(line.cast_mut(), Ordering::Release);
            }
        }
    }

    /// Returns the line that took the slot at an address.
    pub(super) fn location(slot: usize) -> Option<&'static Location<'static>> {
        let place = find(slot)?;
        let line = place.line.load(Ordering::Acquire);
        // The place may be another slot's by now, and the line that slot's: then the other address is seen, too.
        if !place.has(slot) {
            return None;
        }
        // SAFETY: null, or from a `&'static` (`Line::enter`).
        unsafe { line.as_ref() }
    }

    /// Notes that the slot is in use: the caller's line took it.
    #[inline]
    #[track_caller]
    pub(crate) fn enter(slot: NonNull<u8>) {
        Line::of_caller().enter(slot);
    }

    /// The slot is about to be given back.
    #[cold]
    #[inline(never)]
    pub(crate) fn leave(slot: NonNull<u8>) {
        if let Some(place) = find(slot.addr().get()) {
            place.line.store(ptr::null_mut(), Ordering::Release);
            place.slot.store(0, Ordering::Release);
        }
    }
}

/// No lines: the feature is off.
#[cfg(all(not(feature = "sites"), feature = "alloc", feature = "view"))]
pub(crate) mod list {
    use core::fmt;

    use crate::base::map::PoolMap;

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct Sites;

    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "the gain is for `std`"))]
    impl Sites {
        pub(crate) const NONE: Self = Self;

        pub(crate) fn of(_: impl FnOnce() -> Option<PoolMap>) -> Self {
            Self
        }

        #[inline]
        pub(crate) fn gain(self, _: Option<&Self>) -> Self {
            self
        }

        #[inline]
        pub(crate) fn write_lines(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Ok(())
        }
    }

    impl fmt::Display for Sites {
        #[inline]
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Ok(())
        }
    }
}

/// The elements that lines have made.
#[cfg(feature = "sites")]
pub(crate) mod list {
    use alloc::collections::BTreeMap;
    use alloc::vec::Vec;
    use core::cmp::Reverse;
    use core::fmt;
    use core::panic::Location;

    use crate::base::map::{PoolMap, SlotUse};
    use crate::base::stats::Counted;
    use crate::base::watch::sites::lines;

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
        /// The lines that made the live elements of pools, the biggest count first.
        pub(crate) fn list(maps: impl IntoIterator<Item = PoolMap>) -> Vec<Self> {
            let mut sites = BTreeMap::new();
            for map in maps {
                // (A roster's slots without a size have an address each.)
                let (bytes, stride) = (map.slot_bytes(), map.slot_bytes().max(1));
                for chunk in map.chunks() {
                    let slots = chunk.slots().iter().zip((chunk.address()..).step_by(stride));
                    for (_, slot) in slots.filter(|(slot, _)| **slot == SlotUse::Live) {
                        let Some(location) = lines::location(slot) else { continue };
                        let none = Self { location, live: 0, bytes: 0 };
                        // By what it says: one line may have several locations in memory.
                        let site = sites.entry(location).or_insert(none);
                        (site.live, site.bytes) = (site.live + 1, site.bytes + bytes);
                    }
                }
            }
            let mut sites: Vec<_> = sites.into_values().collect();
            sites.sort_by_key(|site| Reverse(site.live));
            sites
        }
    }

    impl fmt::Display for Site {
        #[inline]
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let Self { location, live, bytes } = self;
            write!(f, "{location}: {live} live, {bytes} bytes")
        }
    }

    /// How many lines are shown of each type.
    const SHOWN: usize = 3;

    /// The lines that made the live elements of one type's pool, the biggest count first: as far as the calling thread can know.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct Sites(Vec<Site>);

    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "the gain is for `std`"))]
    impl Sites {
        pub(crate) const NONE: Self = Self(Vec::new());

        pub(crate) fn of(map: impl FnOnce() -> Option<PoolMap>) -> Self {
            Self(Site::list(map()))
        }

        /// The elements that these lines have made more than `before`.
        #[inline]
        pub(crate) fn gain(mut self, before: Option<&Self>) -> Self {
            for site in &mut self.0 {
                let same = |other: &&Site| other.location == site.location;
                let known = before.and_then(|before| before.0.iter().find(same));
                site.live = site.live.saturating_sub(known.map_or(0, |known| known.live));
            }
            self.0.retain(|site| site.live > 0);
            self.0.sort_by_key(|site| Reverse(site.live));
            self
        }

        /// Writes the biggest, a line each.
        #[inline]
        pub(crate) fn write_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    impl fmt::Display for Sites {
        #[inline]
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
}

#[cfg(all(test, feature = "sites"))]
mod tests;
