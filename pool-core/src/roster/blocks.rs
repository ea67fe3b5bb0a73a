//! Where a roster's elements lie with the feature `passthrough`: each in a block of its own from the
//! program's allocator, which is there for as long as the element is.
//!
//! It takes the place of `store.rs`, and has the same operations.

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use core::alloc::Layout;
use core::any::type_name;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::{self, NonNull};

use crate::base::guard::tracy;
use crate::base::sites::{Line, RosterSites};
use crate::roster::table::{StoreError, TableVec, copy_with_room};

/// Blocks by the index of their slot. Growth takes room in the table, and no block.
#[derive(Debug)]
pub(super) struct Store<T> {
    /// For each slot its block, if it has one, as an occupied slot does.
    table: TableVec<Option<NonNull<T>>>,
    /// How many there are.
    blocks: usize,
    /// Which line has made each element.
    sites: RosterSites,
    marker: PhantomData<T>,
}

impl<T> Store<T> {
    /// Slots that lie in one piece.
    pub(super) const GRANULE: usize = 1;

    pub(super) const fn new() -> Self {
        Self { table: TableVec::new(), blocks: 0, sites: RosterSites::new(), marker: PhantomData }
    }

    pub(super) fn capacity(&self) -> usize {
        self.table.len()
    }

    /// Every block counts as a chunk.
    pub(super) fn chunks(&self) -> usize {
        self.blocks
    }

    /// Each slot lies in a piece of its own.
    pub(super) fn slots_in(&self, _chunk: usize) -> usize {
        1
    }

    /// Where the slot's element is. For a vacant slot, which iteration may ask for, the pointer is dangling.
    ///
    /// # Safety
    ///
    /// `index` is below the capacity.
    pub(super) unsafe fn slot(&self, index: u32) -> *mut T {
        // SAFETY: there is an entry for every slot.
        let block = unsafe { *self.table.get_unchecked(index as usize) };
        block.unwrap_or(NonNull::dangling()).as_ptr()
    }

    /// The slot whose block is at this address. O(slots).
    pub(super) fn slot_at(&self, address: *const T) -> Option<u32> {
        let is_there = |block: &Option<NonNull<T>>| {
            block.is_some_and(|block| ptr::eq(block.as_ptr(), address))
        };
        let slot = self.table.iter().position(is_there).filter(|_| size_of::<T>() > 0)?;
        Some(slot as u32)
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.blocks * size_of::<T>()
            + self.table.capacity() * size_of::<Option<NonNull<T>>>()
            + self.sites.bytes()
    }

    /// Brings the capacity to `capacity` slots, all of which are vacant.
    pub(super) fn try_grow(&mut self, capacity: usize) -> Result<(), StoreError> {
        // As if the slots lay in one piece: the limit of a roster is the same here.
        Layout::array::<T>(capacity).map_err(|_| StoreError::Overflow)?;
        // Exactly, since the roster doubles already.
        let sites = self.sites.room(capacity).map_err(StoreError::Heap)?;
        let added = capacity - self.table.len();
        let table = |_| StoreError::of::<Option<NonNull<T>>>(capacity);
        self.table.try_reserve_exact(added).map_err(table)?;
        self.table.resize(capacity, None);
        self.sites = sites;
        Ok(())
    }

    /// [`Store::try_grow`]: no chunk can be absent here.
    #[cfg(feature = "serde")]
    pub(super) fn try_restore(
        &mut self,
        capacity: usize,
        _is_live: impl Fn(usize) -> bool,
    ) -> Result<(), StoreError> {
        self.try_grow(capacity)
    }

    /// Nothing: a block is no chunk.
    pub(super) fn for_each_chunk(&self, _: impl FnMut(usize, Range<usize>)) {}

    /// Nothing, for the same reason.
    pub(super) fn spare_at_end(&self, _: impl Fn(usize) -> bool) -> (usize, usize) {
        (0, self.capacity())
    }

    /// Whether slots have to be filled before they are occupied: never.
    pub(super) fn is_sparse(&self) -> bool {
        false
    }

    pub(super) fn try_fill(&mut self, _slot: usize) -> Result<(), StoreError> {
        Ok(())
    }

    pub(super) fn try_fill_to(&mut self, _last: usize) -> Result<usize, StoreError> {
        Ok(self.capacity())
    }

    /// Nothing: vacant slots have no memory.
    ///
    /// # Safety
    ///
    /// There is no condition here; there is one where slots lie in chunks.
    pub(super) unsafe fn prefault(&mut self, _first: usize) {}

    /// The last slot, which can go alone.
    pub(super) fn last_chunk(&self) -> Option<Range<usize>> {
        let last = self.table.len().checked_sub(1)?;
        Some(last..last + 1)
    }

    /// Gives up the last slot and forgets what is in it.
    pub(super) fn pop_chunk(&mut self) {
        let Some(block) = self.table.pop() else { return };
        self.free(block);
        self.sites.truncate(self.table.len());
        // By halves: giving up many slots should not move the table as many times.
        if self.table.len() <= self.table.capacity() / 2 {
            // If the heap has no room for a smaller table, the large one does.
            if let Ok(smaller) = copy_with_room(&self.table, self.table.len()) {
                self.table = smaller;
            }
        }
    }

    /// A block for the element that will be put into the slot. If the heap has no room, this ends as `Box` does.
    ///
    /// # Safety
    ///
    /// `index` is below the capacity, and the slot holds no element.
    pub(super) unsafe fn occupy(&mut self, index: u32, line: Line) -> *mut T {
        let layout = Layout::new::<T>();
        if layout.size() == 0 {
            self.sites.set(index, line);
            return NonNull::dangling().as_ptr();
        }
        // SAFETY: the size is not 0.
        let block = unsafe { alloc(layout) }.cast::<T>();
        let Some(block) = NonNull::new(block) else { no_room(layout) };
        self.table[index as usize] = Some(block);
        self.sites.set(index, line);
        self.blocks += 1;
        if tracy::IS_ON {
            tracy::hand_out(block.as_ptr().cast(), size_of::<T>(), type_name::<T>());
        }
        block.as_ptr()
    }

    /// Gives the slot's block back.
    ///
    /// # Safety
    ///
    /// The slot was occupied, and its element is no longer used.
    pub(super) unsafe fn leave(&mut self, index: u32) {
        self.sites.set(index, Line::NONE);
        let block = self.table[index as usize].take();
        self.free(block);
    }

    /// Gives back a block that is no longer in the table, if there is one.
    fn free(&mut self, block: Option<NonNull<T>>) {
        if let Some(block) = block {
            self.blocks -= 1;
            if tracy::IS_ON {
                tracy::take_back(block.as_ptr().cast(), type_name::<T>());
            }
            // SAFETY: only `occupy` puts blocks into the table, with this layout.
            unsafe { dealloc(block.as_ptr().cast(), Layout::new::<T>()) };
        }
    }
}

impl<T> Store<T> {
    /// Gives back what is kept of lines for slots that are gone.
    pub(super) fn shrink_sites(&mut self) {
        self.sites.shrink();
    }

    /// Which line has made the element in a slot.
    pub(super) fn line(&self, index: u32) -> Line {
        self.sites.get(index)
    }

    /// Shows the line that has made each element.
    #[cfg(feature = "sites")]
    pub(super) fn show_lines(&self, found: &mut dyn FnMut(core::num::NonZeroU32)) {
        self.sites.show(found);
    }
}

impl<T> Drop for Store<T> {
    fn drop(&mut self) {
        while let Some(block) = self.table.pop() {
            self.free(block);
        }
    }
}

/// Ends the program, even where [`handle_alloc_error`] panics, as it may without `std`: the directory already lists
/// the slot as occupied.
#[cold]
fn no_room(layout: Layout) -> ! {
    /// Panics while a panic unwinds, which ends the program.
    struct Again;

    impl Drop for Again {
        fn drop(&mut self) {
            panic!("there is no memory for an element of a roster");
        }
    }

    let _again = Again;
    handle_alloc_error(layout)
}
