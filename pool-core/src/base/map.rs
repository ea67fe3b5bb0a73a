//! A map of a pool's memory: each chunk, and the state of each slot.

use alloc::vec::Vec;
use core::slice;

/// The state of a slot, in a [`PoolMap`](crate::pools::PoolMap).
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
/// assert_eq!(chunk.slots(), [SlotUse::Live, SlotUse::Vacant, SlotUse::NeverUsed, SlotUse::NeverUsed]);
/// # drop(first);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SlotUse {
    /// An element lives there, or the slot is reserved for one.
    Live,
    /// A roster's slot that is kept for an element that is detached, or being made.
    Detached,
    /// A roster's slot that has had all its handles, and is never used again.
    Retired,
    /// Vacant: it was used.
    Vacant,
    /// Vacant: it was not used since the pool was last empty; of a roster, or of a static pool with a capacity, never.
    NeverUsed,
}

/// The place of a chunk, and the first of its slots' states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outline {
    address: usize,
    bytes: usize,
    first: usize,
    slots: usize,
}

/// A chunk of a [`PoolMap`](crate::pools::PoolMap): one block of memory with adjacent slots.
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
/// assert_eq!((chunk.address(), chunk.slots().len(), chunk.live()), ((&raw const *first).addr(), 4, 1));
/// # drop(first);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapChunk<'a> {
    outline: Outline,
    uses: &'a [SlotUse],
}

impl<'a> MapChunk<'a> {
    /// Returns the address of the first slot.
    #[must_use]
    #[inline]
    pub fn address(&self) -> usize {
        self.outline.address
    }

    /// Returns the bytes of memory, with the header that a pool's chunk has. A roster's tables are not in it.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.outline.bytes
    }

    /// Returns the state of each slot, in the order of addresses.
    #[must_use]
    #[inline]
    pub fn slots(&self) -> &'a [SlotUse] {
        self.uses
    }

    /// Returns the number of slots that are [`SlotUse::Live`]. O(slots).
    #[must_use]
    #[inline]
    pub fn live(&self) -> usize {
        self.uses.iter().filter(|slot| **slot == SlotUse::Live).count()
    }
}

/// The chunks of a pool in the order of addresses, with the state of each slot.
///
/// From [`pool_map`](crate::Pooled::pool_map) of a type, and `map` of a pool or roster that is a value. To draw one is O(slots x chunks),
/// and takes a byte for each slot.
///
/// Other threads may use slots of a static pool while the map is drawn: then it is not a consistent snapshot. In a static pool
/// that grows, free slots that other threads keep in their magazines are shown as [`SlotUse::Live`], since only these threads know
/// which they are; [`kept_elsewhere`](PoolMap::kept_elsewhere) counts them.
///
/// `Display` draws it for a terminal, `to_svg` as a picture. In a large pool a cell stands for several slots.
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
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolMap {
    name: &'static str,
    slot_bytes: usize,
    chunks: Vec<Outline>,
    uses: Vec<SlotUse>,
    kept_elsewhere: usize,
}

impl PoolMap {
    /// An empty map with memory for a number of chunks and of slots. Drawing on it does not call the heap, which may use the
    /// pool; chunks for which there is no memory are left out.
    #[inline]
    pub(crate) fn with_capacity(
        name: &'static str,
        slot_bytes: usize,
        [chunks, slots]: [usize; 2],
    ) -> Self {
        let (chunks, uses) = (Vec::with_capacity(chunks), Vec::with_capacity(slots));
        Self { name, slot_bytes, chunks, uses, kept_elsewhere: 0 }
    }

    /// Adds a chunk, with the state of each slot by its number there.
    pub(crate) fn add_chunk(
        &mut self,
        address: usize,
        bytes: usize,
        slots: usize,
        state: &mut dyn FnMut(usize) -> SlotUse,
    ) {
        let first = self.uses.len();
        if self.chunks.len() == self.chunks.capacity() || self.uses.capacity() < first + slots {
            return;
        }
        self.uses.extend((0..slots).map(state));
        let at = self.chunks.partition_point(|chunk| chunk.address < address);
        self.chunks.insert(at, Outline { address, bytes, first, slots });
    }

    /// Says what the slot at the address is used for.
    #[inline]
    pub(crate) fn mark(&mut self, address: usize, state: SlotUse) {
        let bytes = self.slot_bytes;
        let spans = |chunk: &&Outline| address.wrapping_sub(chunk.address) < chunk.slots * bytes;
        if let Some(chunk) = self.chunks.iter().find(spans) {
            self.uses[chunk.first + (address - chunk.address) / bytes] = state;
        }
    }

    /// Says how many of the live slots are in magazines of other threads.
    #[inline]
    pub(crate) fn set_kept_elsewhere(&mut self, slots: usize) {
        self.kept_elsewhere = slots;
    }

    /// Returns what the pool is called: the element's type, or the name that it was given.
    #[must_use]
    #[inline]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the bytes of one slot.
    #[must_use]
    #[inline]
    pub fn slot_bytes(&self) -> usize {
        self.slot_bytes
    }

    /// Returns an iterator over the chunks, in the order of addresses.
    #[must_use]
    #[inline]
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = MapChunk<'_>> {
        let uses = |outline: &Outline| &self.uses[outline.first..][..outline.slots];
        let chunks: slice::Iter<'_, Outline> = self.chunks.iter();
        chunks.map(move |outline| MapChunk { outline: *outline, uses: uses(outline) })
    }

    /// Returns the number of live slots; those not counted that are [kept elsewhere](PoolMap::kept_elsewhere). O(slots).
    #[must_use]
    #[inline]
    pub fn live(&self) -> usize {
        let live: usize = self.chunks().map(|chunk| chunk.live()).sum();
        live.saturating_sub(self.kept_elsewhere)
    }

    /// Returns the number of free slots that are shown as live, since they are in other threads' magazines.
    #[must_use]
    #[inline]
    pub fn kept_elsewhere(&self) -> usize {
        self.kept_elsewhere
    }
}
