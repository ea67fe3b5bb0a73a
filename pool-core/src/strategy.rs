//! What a pool asks of the way in which its vacant slots are remembered.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::memory::bump::Region;

pub(crate) mod free_list;
pub(crate) mod pointer_stack;

/// A free list or a pointer stack: the state of one pool, whatever its slots hold.
///
/// Compiled once for all element types but for the two hot paths. Every method takes the slots'
/// layout, always the same, whose size is not zero and a multiple of the alignment. Only the heap is
/// ever called from in here, and only with the state in order, since the heap may be a user of this
/// very pool.
pub(crate) trait Strategy {
    /// What [`Strategy::for_each_vacant`] lists, in a pool's `Display`.
    const LISTED_IN: &'static str;

    /// The raw pool with this strategy.
    const RAW_POOL: &'static str;

    /// What growth has left over. The heap, which gets it back, may be a user of this very pool and trim it:
    /// so not before a slot of the new chunk was taken.
    type Outgrown;

    fn region(&self) -> &Region;

    /// Takes a slot without growing; `None` if that cannot be done ([`Strategy::refill`] can,
    /// perhaps).
    fn take(&self, slot: Layout) -> Option<NonNull<u8>>;

    /// Takes a slot back. Does not allocate.
    ///
    /// # Safety
    ///
    /// `freed` came from [`Strategy::take`] or [`Strategy::refill`] of this pool and has not been
    /// taken back since; it may be used to write a link there, and nobody uses the slot any more.
    unsafe fn put(&self, freed: *mut u8, slot: Layout);

    /// Takes a slot where [`Strategy::take`] found none: from the next chunk, or from a new one.
    /// `None` if the pool is at its limit or the heap has no room ([`Region::is_at_limit`] tells
    /// which).
    fn refill(&self, slot: Layout) -> Option<NonNull<u8>>;

    /// Takes slots that were never used and lie one behind the other, `most` at most, where no other is
    /// vacant; returns the first, and how many there are. O(1).
    #[cfg(feature = "std")]
    fn take_run(&self, most: usize, slot: Layout) -> (*mut u8, usize);

    /// Appends a chunk of `slots` slots; `None` if the heap has no room for it.
    fn grow_by(&self, slots: usize, slot: Layout) -> Option<Self::Outgrown>;

    /// The largest block of memory that [`Strategy::grow_by`] asks an empty pool's heap for; `None`
    /// where no block can be that large.
    fn largest_block(slots: usize, slot: Layout) -> Option<Layout>
    where
        Self: Sized;

    /// All slots are vacant from here on, and count as never used: the oldest chunk comes first, and of it the
    /// lowest address.
    fn reset(&self, slot: Layout);

    /// Slots that are live.
    fn live(&self, slot: Layout) -> usize;

    /// Heap bytes that are held beside the chunks.
    fn bytes_beside(&self) -> usize;

    /// Shows the vacant slots that are remembered, in the order in which they will be handed out.
    fn for_each_vacant(&self, slot: Layout, show: &mut dyn FnMut(*mut u8));

    /// The slot that was put back last, if it is known and still vacant; null or no slot if not.
    fn newest(&self) -> *mut u8;

    /// A vacant slot was written over. Finds those again that only a link in it had led to; but not those that
    /// `is_elsewhere`.
    fn mend(&self, is_elsewhere: &dyn Fn(*mut u8) -> bool, slot: Layout) {
        let _ = (is_elsewhere, slot);
    }

    /// Gives the chunks without a live slot back to the heap; returns their bytes.
    fn trim(&self, slot: Layout) -> usize;

    /// Closes the pool, whose thread is ending: what is not in use goes back to the heap at once,
    /// the rest as soon as it is freed.
    ///
    /// Boxes may be dropped and made after this, by the destructors of other thread-locals.
    #[cfg(feature = "std")]
    fn close(&self, slot: Layout);

    /// Gives everything back to the heap.
    ///
    /// # Safety
    ///
    /// Nobody uses a slot any more.
    unsafe fn dissolve(&self);
}
