//! One chunk of a map, and what its slots are used for.

use core::iter;

/// What a slot is used for, in a [`PoolMap`](crate::pools::PoolMap).
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
/// use typed_pool::pools::SlotUse;
///
/// let pool = FreeList::<u64>::bounded(4);
/// let first = pool.alloc(1);
/// drop(pool.alloc(2));
/// let map = pool.map();
/// let uses: Vec<SlotUse> = map.chunks().flat_map(|chunk| chunk.slot_uses()).collect();
/// assert_eq!(uses, [SlotUse::Live, SlotUse::Vacant, SlotUse::NeverUsed, SlotUse::NeverUsed]);
/// # drop(first);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SlotUse {
    /// An element lives there, or the slot is reserved for one. Of a frame stack: a byte that is in use.
    Live,
    /// A roster's slot that is kept for an element that is detached, or being made.
    Detached,
    /// A roster's slot that has had all its handles, and is never used again.
    Retired,
    /// Vacant, but another thread has it at hand.
    Kept,
    /// Vacant: it was used.
    Vacant,
    /// Vacant: it was not used since the pool was last empty; of a roster, or of a static pool with a capacity, never.
    NeverUsed,
}

impl SlotUse {
    /// Whether the slot is occupied: [`Live`](SlotUse::Live), [`Detached`](SlotUse::Detached) or
    /// [`Retired`](SlotUse::Retired).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::SlotUse;
    ///
    /// assert!(SlotUse::Detached.is_occupied());
    /// assert!(!SlotUse::Vacant.is_occupied());
    /// ```
    pub fn is_occupied(self) -> bool {
        matches!(self, Self::Live | Self::Detached | Self::Retired)
    }

    /// In words.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::SlotUse;
    ///
    /// assert_eq!(SlotUse::NeverUsed.as_str(), "never used");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Detached => "detached",
            Self::Retired => "retired",
            Self::Kept => "kept",
            Self::Vacant => "vacant",
            Self::NeverUsed => "never used",
        }
    }
}

/// Where a chunk's slots are, and what they are used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    /// Of the first slot.
    pub(super) address: usize,
    pub(super) slots: usize,
    /// Bytes of memory, the chunk's header included.
    pub(super) bytes: usize,
    pub(super) uses: Uses,
}

/// What the slots of a chunk are used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uses {
    /// Each has its own, in the map's list from here on.
    From(usize),
    /// This number of them is live, and the others, behind these, are vacant.
    Stacked(usize),
}

/// A chunk of a [`PoolMap`](crate::pools::PoolMap): one block of memory, whose slots lie one behind the other.
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
///
/// let pool = FreeList::<u64>::bounded(4);
/// let first = pool.alloc(1);
/// let map = pool.map();
/// let chunk = map.chunks().next().unwrap();
/// assert_eq!((chunk.address(), chunk.slots(), chunk.live()), ((&raw const *first).addr(), 4, 1));
/// # drop(first);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapChunk<'a> {
    pub(super) outline: Outline,
    /// Of its own slots, if they are listed.
    pub(super) uses: &'a [SlotUse],
}

impl<'a> MapChunk<'a> {
    /// The address of the first slot.
    pub fn address(&self) -> usize {
        self.outline.address
    }

    /// How many slots it has; of a frame stack, bytes.
    pub fn slots(&self) -> usize {
        self.outline.slots
    }

    /// Bytes of memory, a header included.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(4);
    /// let first = pool.alloc(1);
    /// let map = pool.map();
    /// let chunk = map.chunks().next().unwrap();
    /// assert!(chunk.bytes() >= 4 * map.slot_bytes());
    /// # drop(first);
    /// ```
    pub fn bytes(&self) -> usize {
        self.outline.bytes
    }

    /// Slots that are [`SlotUse::Live`]. O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(4);
    /// let first = pool.alloc(1);
    /// let map = pool.map();
    /// let chunk = map.chunks().next().unwrap();
    /// assert_eq!((chunk.live(), chunk.slots()), (1, 4));
    /// # drop(first);
    /// ```
    pub fn live(&self) -> usize {
        self.count(|slot| slot == SlotUse::Live)
    }

    /// Slots that are [occupied](SlotUse::is_occupied). O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster: Roster<u64> = (0..4).collect();
    /// let first = roster.handles().next().unwrap();
    /// let taken = roster.detach(first); // its slot is kept for it
    /// let map = roster.map();
    /// # #[cfg(not(feature = "passthrough"))] {
    /// let chunk = map.chunks().next().unwrap();
    /// assert_eq!((chunk.live(), chunk.occupied()), (3, 4));
    /// # }
    /// # drop(taken);
    /// ```
    pub fn occupied(&self) -> usize {
        self.count(SlotUse::is_occupied)
    }

    /// What the slots are used for, in address order.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    /// use typed_pool::pools::SlotUse;
    ///
    /// let pool = FreeList::<u64>::bounded(4);
    /// let first = pool.alloc(1);
    /// drop(pool.alloc(2));
    /// let map = pool.map();
    /// let chunk = map.chunks().next().unwrap();
    /// assert_eq!(chunk.slot_uses().filter(|slot| *slot == SlotUse::NeverUsed).count(), 2);
    /// # drop(first);
    /// ```
    pub fn slot_uses(&self) -> impl Iterator<Item = SlotUse> + use<'a> {
        self.runs().flat_map(|(slot, count)| iter::repeat_n(slot, count))
    }

    /// The same as runs of adjacent slots that are used alike, with their lengths.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    /// use typed_pool::pools::SlotUse;
    ///
    /// let pool = FreeList::<u64>::bounded(4);
    /// let first = pool.alloc(1);
    /// drop(pool.alloc(2));
    /// let map = pool.map();
    /// let chunk = map.chunks().next().unwrap();
    /// assert!(chunk.runs().eq([(SlotUse::Live, 1), (SlotUse::Vacant, 1), (SlotUse::NeverUsed, 2)]));
    /// # drop(first);
    /// ```
    pub fn runs(&self) -> impl Iterator<Item = (SlotUse, usize)> + use<'a> {
        let stacked = match self.outline.uses {
            Uses::From(_) => [(SlotUse::Live, 0); 2],
            Uses::Stacked(used) => {
                [(SlotUse::Live, used), (SlotUse::Vacant, self.outline.slots - used)]
            }
        };
        let listed = self.uses.chunk_by(PartialEq::eq).map(|run| (run[0], run.len()));
        stacked.into_iter().filter(|(_, slots)| *slots > 0).chain(listed)
    }

    pub(super) fn count(&self, is_meant: impl Fn(SlotUse) -> bool) -> usize {
        self.runs().filter(|(slot, _)| is_meant(*slot)).map(|(_, slots)| slots).sum()
    }
}
