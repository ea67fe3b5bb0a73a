//! The map, and what it says of fragmentation.

use alloc::vec::Vec;

use crate::base::map::chunk::{MapChunk, Outline, SlotUse, Uses};

/// What the slots of a pool are used for, chunk by chunk and in the order of addresses: a picture of one moment.
///
/// From [`pool_map`](crate::Pooled::pool_map) of a type with a pool, and `map` of pools, rosters and frame stacks that are values.
/// To draw one is O(slots), and takes a byte for each slot. The heap is asked for these before the
/// pool is looked at, so it may use the pool meanwhile.
///
/// # What it shows
///
/// - **A pool that no other thread uses**: each slot as it is.
/// - **A static pool that grows**: each slot, but other threads keep free slots in their magazines, and only they know which.
///   These are shown as [`SlotUse::Live`]; [`kept_elsewhere`](PoolMap::kept_elsewhere) says how many there are, and
///   [`live`](PoolMap::live) leaves them out. (If the pool has a limit, it is known which they are: [`SlotUse::Kept`].) The pool's lock
///   is held for as long as it takes to look at each slot; threads that have slots at hand work on.
/// - **A static pool with a capacity**: nobody is kept waiting. The pool is looked at until nobody has taken or freed a slot
///   meanwhile, eight times at most. Then the last look is shown: it may lack vacant slots, or show live ones as vacant, and
///   [`is_exact`](PoolMap::is_exact) is `false`.
/// - **A frame stack**: bytes in place of slots. In each chunk the bytes up to the end of the last block are live.
/// - **With the feature `passthrough`**, derived pools of boxes have no chunks, and an empty map.
///
/// # Drawing
///
/// `Display` draws it for a terminal, two slots to a character: `█`, `▀`, `▄` or blank, the upper half for the lower
/// address. A line is as wide as the format says (`{:100}`; 80 by default). All chunks together take about as many
/// lines as its precision says (`{:80.40}`; 24 by default): in a large pool each half stands for several slots. Where not
/// all slots of a half are occupied, nor all vacant, the character is a shade: `░`, `▒` or `▓`. `{:#}` draws each slot. With
/// the feature `svg` there is `to_svg`, for a picture in colours.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Bullet([f32; 4]);
///
/// let mut bullets: Vec<_> = (0..1000).map(|n| PoolBox::new(Bullet([n as f32; 4]))).collect();
/// let mut n = 0;
/// bullets.retain(|_| { n += 1; n % 10 == 0 });
/// let map = Bullet::pool_map();
/// println!("{map}");
/// # #[cfg(not(feature = "passthrough"))] {
/// assert_eq!(map.live(), 100);
/// // Nine of ten slots are vacant, and yet no chunk can go:
/// assert_eq!(map.returnable_bytes(), Bullet::pool_trim());
/// assert!(map.fullness()[1] > 0, "chunks with a tenth of their slots live");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolMap {
    pub(super) name: &'static str,
    pub(super) slot_bytes: usize,
    /// In the order of their addresses.
    pub(super) chunks: Vec<Outline>,
    /// Of the slots of all chunks.
    pub(super) uses: Vec<SlotUse>,
    pub(super) kept_elsewhere: usize,
    pub(super) returnable: usize,
    pub(super) is_exact: bool,
    /// Whether slots are bytes.
    pub(super) is_of_bytes: bool,
}

impl PoolMap {
    /// What the pool is called: the element's type, or the name that it was given.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(name = "bullets", capacity = 4)]
    /// struct Bullet([f32; 4]);
    ///
    /// let bullet = PoolBox::new(Bullet([0.0; 4]));
    /// let map = Bullet::pool_map();
    /// assert_eq!(map.name(), "bullets");
    /// # drop(bullet);
    /// ```
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Bytes from one slot to the next; 1 for a frame stack.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// assert_eq!(FreeList::<u64>::bounded(4).map().slot_bytes(), 8);
    /// ```
    pub fn slot_bytes(&self) -> usize {
        self.slot_bytes
    }

    /// Whether this is a frame stack's map, in which slots are bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, LocalFrameStack};
    ///
    /// assert!(!FreeList::<u64>::new().map().is_of_bytes());
    /// assert!(LocalFrameStack::new().map().is_of_bytes());
    /// ```
    pub fn is_of_bytes(&self) -> bool {
        self.is_of_bytes
    }

    /// The chunks, in the order of their addresses.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(4);
    /// let first = pool.alloc(1);
    /// let map = pool.map();
    /// for chunk in map.chunks() {
    ///     println!("{} of {} slots live", chunk.live(), chunk.slots()); // "1 of 4 slots live"
    /// }
    /// # assert_eq!(map.chunks().len(), 1);
    /// # drop(first);
    /// ```
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = MapChunk<'_>> {
        self.chunks.iter().map(|&outline| MapChunk {
            outline,
            uses: match outline.uses {
                Uses::From(first) => &self.uses[first..first + outline.slots],
                Uses::Stacked(_) => &[],
            },
        })
    }

    /// What the slot that begins at this address is used for; `None` if none does. O(log chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    /// use typed_pool::pools::SlotUse;
    ///
    /// let pool = FreeList::new();
    /// let kept = pool.alloc(7_u64);
    /// let address = (&raw const *kept).addr();
    /// assert_eq!(pool.map().slot_at(address), Some(SlotUse::Live));
    /// assert_eq!(pool.map().slot_at(address + 1), None);
    /// drop(kept);
    /// assert_eq!(pool.map().slot_at(address), Some(SlotUse::Vacant));
    /// ```
    pub fn slot_at(&self, address: usize) -> Option<SlotUse> {
        let behind = self.chunks.partition_point(|chunk| chunk.address <= address);
        let chunk = self.chunks.get(behind.checked_sub(1)?)?;
        let offset = address - chunk.address;
        let number = offset.checked_div(self.slot_bytes)?;
        if number >= chunk.slots || offset % self.slot_bytes != 0 {
            return None;
        }
        match chunk.uses {
            Uses::From(first) => self.uses.get(first + number).copied(),
            Uses::Stacked(used) if number < used => Some(SlotUse::Live),
            Uses::Stacked(_) => Some(SlotUse::Vacant),
        }
    }

    /// Slots of all chunks.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(4);
    /// let first = pool.alloc(1);
    /// let map = pool.map();
    /// assert_eq!((map.slots(), map.live(), map.vacant()), (4, 1, 3));
    /// # drop(first);
    /// ```
    pub fn slots(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.slots).sum()
    }

    /// Bytes of all chunks, their headers included.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(4);
    /// let first = pool.alloc(1);
    /// let map = pool.map();
    /// assert!(map.bytes() >= map.slots() * map.slot_bytes());
    /// # drop(first);
    /// ```
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.bytes).sum()
    }

    /// Slots with a live element, or reserved for one; of a frame stack, bytes in use. O(slots).
    ///
    /// As [`PoolStats::live`](crate::PoolStats::live) of the same moment.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(4);
    /// let first = pool.alloc(1);
    /// let map = pool.map();
    /// assert_eq!(map.live(), pool.stats().live);
    /// # drop(first);
    /// ```
    pub fn live(&self) -> usize {
        self.chunks().map(|chunk| chunk.live()).sum::<usize>().saturating_sub(self.kept_elsewhere)
    }

    /// Slots that are not [occupied](SlotUse::is_occupied), those that other threads keep included. O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(4);
    /// let first = pool.alloc(1);
    /// let map = pool.map();
    /// assert_eq!(map.vacant(), 3);
    /// # drop(first);
    /// ```
    pub fn vacant(&self) -> usize {
        let free = self.chunks().map(|chunk| chunk.count(|slot| !slot.is_occupied()));
        free.sum::<usize>() + self.kept_elsewhere
    }

    /// How many vacant slots are shown as live, because they are in other threads' magazines, and only these threads know which they
    /// are. A thread that works meanwhile may be counted late.
    pub fn kept_elsewhere(&self) -> usize {
        self.kept_elsewhere
    }

    /// Whether each slot is shown as it was, at one and the same moment.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(4);
    /// let first = pool.alloc(1);
    /// let map = pool.map();
    /// assert!(map.is_exact()); // no other thread uses this pool
    /// # drop(first);
    /// ```
    pub fn is_exact(&self) -> bool {
        self.is_exact && self.kept_elsewhere == 0
    }

    /// How many chunks are how full, by tenths: the first figure is of chunks with less than a tenth of their slots occupied, the
    /// last of those with nine tenths or more. O(slots).
    ///
    /// Many chunks in the middle are what fragmentation looks like: memory that cannot be given back, though most of it is vacant.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(10);
    /// let two = [pool.alloc(1), pool.alloc(2)];
    /// assert_eq!(pool.map().fullness(), [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    /// # drop(two);
    /// ```
    pub fn fullness(&self) -> [usize; 10] {
        let mut chunks = [0; 10];
        for chunk in self.chunks() {
            let tenth = chunk.occupied() as u128 * 10 / chunk.slots().max(1) as u128;
            chunks[(tenth as usize).min(9)] += 1;
        }
        chunks
    }

    /// The bytes that a trim would return now: `pool_trim` of a derived pool, `trim` of one that is a value, `shrink_to_fit` of a
    /// roster.
    ///
    /// Of a pool that other threads use, as long as they change nothing in between.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::new();
    /// let mut all: Vec<_> = (0..1000).map(|n| pool.alloc(n)).collect();
    /// all.truncate(1);
    /// let returnable = pool.map().returnable_bytes();
    /// assert!(returnable > 0);
    /// assert_eq!(pool.trim(), returnable);
    /// # drop(all);
    /// ```
    pub fn returnable_bytes(&self) -> usize {
        self.returnable
    }

    /// The most slots side by side that are not occupied; of a frame stack, bytes. O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster: Roster<u64> = (0..100).collect();
    /// roster.retain(|_, n| *n % 10 == 0 || *n > 50);
    /// assert!(roster.map().longest_vacant_run() >= 9);
    /// ```
    pub fn longest_vacant_run(&self) -> usize {
        let in_chunk = |chunk: MapChunk<'_>| {
            let (mut run, mut longest) = (0, 0);
            for (slot, slots) in chunk.runs() {
                run = if slot.is_occupied() { 0 } else { run + slots };
                longest = longest.max(run);
            }
            longest
        };
        self.chunks().map(in_chunk).max().unwrap_or(0)
    }
}
