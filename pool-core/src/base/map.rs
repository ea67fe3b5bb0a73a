//! A map of a pool's memory: each chunk and each slot, and what can be told from that.
//!
//! A pool draws itself on a canvas, which has its memory before the pool is looked at: the heap may be a user of the pool.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::iter;

/// How much room a map takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) chunks: usize,
    /// Slots that have a use each.
    pub(crate) slots: usize,
}

/// A map that is being drawn. Only [`Canvas::draw`] asks the heap for anything.
pub(crate) struct Canvas {
    pub(crate) map: PoolMap,
    /// The number of the chunk that was looked at last.
    at_hand: usize,
}

impl Canvas {
    /// Lets a pool draw itself.
    ///
    /// `fill` calls [`Canvas::begin`] first, and returns its error: then it is called again, with more room, because the heap may be a
    /// user of the pool. `fill` itself asks the heap for nothing.
    pub(crate) fn draw(mut fill: impl FnMut(&mut Self) -> Result<(), Room>) -> PoolMap {
        let Ok(map) = Self::try_draw(|canvas| Ok::<_, Infallible>(fill(canvas)));
        map
    }

    /// [`Canvas::draw`] of a pool that may be out of reach.
    pub(crate) fn try_draw<E>(
        mut fill: impl FnMut(&mut Self) -> Result<Result<(), Room>, E>,
    ) -> Result<PoolMap, E> {
        let mut canvas = Self::with_room(Room { chunks: 0, slots: 0 });
        while let Err(room) = fill(&mut canvas)? {
            drop(canvas);
            canvas = Self::with_room(room);
        }
        Ok(canvas.sorted())
    }

    /// The map, in the order of addresses.
    #[inline]
    fn sorted(mut self) -> PoolMap {
        self.map.chunks.sort_unstable_by_key(|chunk| chunk.address);
        self.map
    }

    fn with_room(room: Room) -> Self {
        let map = PoolMap {
            name: "",
            slot_bytes: 0,
            chunks: Vec::with_capacity(room.chunks),
            uses: Vec::with_capacity(room.slots),
            kept_elsewhere: 0,
            returnable: 0,
            is_exact: true,
            is_of_bytes: false,
        };
        Self { map, at_hand: 0 }
    }

    /// An empty canvas for a pool of this name, whose slots lie `slot_bytes` apart.
    ///
    /// # Errors
    ///
    /// If there is less room than this.
    pub(crate) fn begin(
        &mut self,
        name: &'static str,
        slot_bytes: usize,
        room: Room,
    ) -> Result<(), Room> {
        let map = &mut self.map;
        if map.chunks.capacity() < room.chunks || map.uses.capacity() < room.slots {
            return Err(room);
        }
        map.chunks.clear();
        map.uses.clear();
        (map.name, map.slot_bytes) = (name, slot_bytes);
        (map.kept_elsewhere, map.returnable, map.is_exact) = (0, 0, true);
        self.at_hand = 0;
        Ok(())
    }

    /// The next chunk. Its first `used` slots are live; the others were never used.
    pub(crate) fn chunk(&mut self, address: usize, slots: usize, bytes: usize, used: usize) {
        let first = self.map.uses.len();
        debug_assert!(first + slots <= self.map.uses.capacity(), "asked for");
        self.map.uses.resize(first + used, SlotUse::Live);
        self.map.uses.resize(first + slots, SlotUse::NeverUsed);
        self.map.chunks.push(Outline { address, slots, bytes, uses: Uses::From(first) });
    }

    /// The next chunk of a frame stack.
    pub(crate) fn stack(&mut self, address: usize, size: usize, bytes: usize, used: usize) {
        self.map.chunks.push(Outline { address, slots: size, bytes, uses: Uses::Stacked(used) });
    }

    /// The last chunk's slots.
    #[inline]
    pub(crate) fn last_uses(&mut self) -> &mut [SlotUse] {
        match self.map.chunks.last() {
            Some(&Outline { uses: Uses::From(first), .. }) => &mut self.map.uses[first..],
            _ => &mut [],
        }
    }

    /// What the slot at the address is used for. O(chunks) if the last one was of another chunk.
    pub(crate) fn use_at(&mut self, address: usize) -> Option<&mut SlotUse> {
        let bytes = self.map.slot_bytes;
        let spans = |chunk: &Outline| address.wrapping_sub(chunk.address) < chunk.slots * bytes;
        if !self.map.chunks.get(self.at_hand).is_some_and(spans) {
            self.at_hand = self.map.chunks.iter().position(spans)?;
        }
        let chunk = self.map.chunks[self.at_hand];
        match chunk.uses {
            Uses::From(first) => self.map.uses.get_mut(first + (address - chunk.address) / bytes),
            Uses::Stacked(_) => None,
        }
    }

    /// The slot at the address is vacant.
    pub(crate) fn free(&mut self, address: usize) {
        self.mark(address, SlotUse::Vacant);
    }

    /// Says what a slot is used for, unless that is known already.
    pub(crate) fn mark(&mut self, address: usize, as_what: SlotUse) {
        if let Some(slot @ SlotUse::Live) = self.use_at(address) {
            *slot = as_what;
        }
    }

    /// The bytes of chunks without an occupied slot, and how many slots the others have.
    pub(crate) fn vacant_chunks(&self) -> (usize, usize) {
        let (mut bytes, mut left) = (0, 0);
        for chunk in self.map.chunks() {
            if chunk.occupied() == 0 {
                bytes += chunk.bytes();
            } else {
                left += chunk.slots();
            }
        }
        (bytes, left)
    }
}

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
    #[inline]
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
struct Outline {
    /// Of the first slot.
    address: usize,
    slots: usize,
    /// Bytes of memory, the chunk's header included.
    bytes: usize,
    uses: Uses,
}

/// What the slots of a chunk are used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Uses {
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
    outline: Outline,
    /// Of its own slots, if they are listed.
    uses: &'a [SlotUse],
}

impl<'a> MapChunk<'a> {
    /// The address of the first slot.
    pub fn address(&self) -> usize {
        self.outline.address
    }

    /// How many slots it has; of a frame stack, bytes.
    #[inline]
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
    #[inline]
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
    #[inline]
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
    /// let chunk = map.chunks().next().unwrap();
    /// assert_eq!((chunk.live(), chunk.occupied()), (3, 4));
    /// # drop(taken);
    /// ```
    #[inline]
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
    #[inline]
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

    fn count(&self, is_meant: impl Fn(SlotUse) -> bool) -> usize {
        self.runs().filter(|(slot, _)| is_meant(*slot)).map(|(_, slots)| slots).sum()
    }
}

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
///
/// # Drawing
///
/// `Display` draws it for a terminal, two slots to a character: `█`, `▀`, `▄` or blank, the upper half for the lower
/// address. A line is as wide as the format says (`{:100}`; 80 by default). All chunks together take about as many
/// lines as its precision says (`{:80.40}`; 24 by default): in a large pool each half stands for several slots. Where not
/// all slots of a half are occupied, nor all vacant, the character is a shade: `░`, `▒` or `▓`. `{:#}` draws each slot.
/// [`to_svg`](PoolMap::to_svg) is a picture in colours.
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
/// assert_eq!(map.live(), 100);
/// // Nine of ten slots are vacant, and yet no chunk can go:
/// assert_eq!(map.returnable_bytes(), Bullet::pool_trim());
/// assert!(map.fullness()[1] > 0, "chunks with a tenth of their slots live");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolMap {
    name: &'static str,
    slot_bytes: usize,
    /// In the order of their addresses.
    chunks: Vec<Outline>,
    /// Of the slots of all chunks.
    uses: Vec<SlotUse>,
    /// How many vacant slots are shown as live.
    pub(crate) kept_elsewhere: usize,
    /// How many bytes a trim would return.
    pub(crate) returnable: usize,
    /// Whether no slot was used while they were looked at.
    pub(crate) is_exact: bool,
    /// Whether slots are bytes, of a frame stack.
    pub(crate) is_of_bytes: bool,
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
    #[inline]
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
    #[inline]
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
    #[inline]
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
    #[inline]
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
    #[inline]
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
    #[inline]
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
    #[inline]
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
