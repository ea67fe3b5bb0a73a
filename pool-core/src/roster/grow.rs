//! Capacity: how it grows and shrinks.

use core::alloc::Layout;
use core::any::type_name;

use crate::base::exhausted::Exhausted;
use crate::base::ledger::Record;
use crate::base::stats::Memory;
use crate::base::watch::sanitizer;
use crate::memory::{heap, pages};
use crate::roster::directory::Directory;
use crate::roster::store::NoRoom;
use crate::roster::walk::WORD;
use crate::roster::{Roster, Store};

/// The fewest slots in a first chunk of no chosen size.
const FIRST_CHUNK_SLOTS: usize = 4;

impl<T> Roster<T> {
    /// How many elements the roster can hold without growth, including those that are live. O(1).
    ///
    /// (Each detached or retired slot leaves room for one element fewer.)
    #[inline]
    #[must_use]
    #[doc(alias = "is_full")]
    pub fn capacity(&self) -> usize {
        self.directory.occupancy.slots()
    }

    /// Makes room for `additional` more elements, so that inserting them will not grow the roster.
    ///
    /// O(1) amortised, as `Vec::reserve`: a roster that already has chunks is at least doubled, as far as its limit allows.
    /// The room is rounded up, by less than 4 KiB and at most 63 slots.
    ///
    /// # Panics
    ///
    /// If the roster's limit does not allow this, or the slots exceed `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::<u64>::new();
    /// roster.reserve(5000);
    /// assert!(roster.capacity() >= 5000);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        if let Err(error) = self.try_reserve(additional) {
            error.raise();
        }
    }

    /// Like [`Roster::reserve`], but does not double the roster. A call before each of many insertions is slow.
    ///
    /// # Panics
    ///
    /// As [`Roster::reserve`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster: Roster<u64> = (0..5000).collect();
    /// roster.reserve_exact(5000);
    /// assert!((10_000..10_064).contains(&roster.capacity()));
    /// ```
    #[track_caller]
    pub fn reserve_exact(&mut self, additional: usize) {
        if let Err(error) = self.try_make_room(additional, 0) {
            error.raise();
        }
    }

    /// Like [`Roster::reserve`], but returns an error.
    ///
    /// # Errors
    ///
    /// If the roster's limit does not allow this, or the heap has no room. The roster has not changed then.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), Exhausted> {
        self.try_make_room(additional, self.capacity())
    }

    /// [`Roster::make_room`], with an error that says why there is none.
    fn try_make_room(&mut self, additional: usize, wanted: usize) -> Result<(), Exhausted> {
        let made = self.make_room(additional, wanted);
        made.map_err(|refused| self.reserve_error(additional, refused.0))
    }

    /// Makes the error for so many more elements; with the layout of the block, if the heap refused one.
    pub(crate) fn reserve_error(&self, additional: usize, request: Option<Layout>) -> Exhausted {
        let counts = (self.directory.occupied_or_lost(), additional);
        let (config, name) = (&self.config, type_name::<T>());
        let error = Exhausted::to_reserve(name, config, counts, size_of::<T>(), request);
        error.of_roster(self.directory.reserved, self.directory.retired)
    }

    /// Returns what `find` finds, once the roster has grown if need be.
    pub(super) fn grown_for<R>(
        &mut self,
        find: impl Fn(&mut Directory) -> Option<R>,
    ) -> Result<R, Exhausted> {
        loop {
            if let Some(found) = find(&mut self.directory) {
                return Ok(found);
            }
            self.grow()?;
        }
    }

    /// Adds a chunk, for at least one more element.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> Result<(), Exhausted> {
        // Unless the user has chosen a size.
        let is_first = self.capacity() == 0 && self.config.first == 0;
        let wanted = if is_first { FIRST_CHUNK_SLOTS } else { self.capacity() };
        self.make_room(1, wanted).map_err(|_| self.exhausted())
    }

    /// Why the roster could not grow.
    #[cold]
    pub(super) fn exhausted(&self) -> Exhausted {
        if self.directory.occupied_or_lost() < self.config.max {
            let least = self.rounded(self.capacity() + 1) - self.capacity();
            return self.refused_by_heap(Layout::array::<T>(least).ok());
        }
        let (detached, retired) = (self.directory.reserved, self.directory.retired);
        Exhausted::new(type_name::<T>(), &self.config).of_roster(detached, retired)
    }

    /// The error where the heap refuses this request.
    #[cold]
    pub(crate) fn refused_by_heap(&self, request: Option<Layout>) -> Exhausted {
        let full = Exhausted::new(type_name::<T>(), &self.config);
        full.at_heap(self.capacity(), size_of::<T>(), request)
    }

    /// Makes room for this many elements more. If the roster has to grow, it is by `wanted` slots, if the heap has room for them.
    fn make_room(&mut self, additional: usize, wanted: usize) -> Result<(), NoRoom> {
        if additional <= self.directory.vacant() {
            return Ok(());
        }
        let (occupied, present) = (self.directory.occupied_or_lost(), self.capacity());
        let mut refused = NoRoom(None);
        if additional <= self.config.max.saturating_sub(occupied) {
            let least = self.rounded(occupied + additional) - present;
            let grown = heap::grow(wanted, least, self.config.max - present, |slots| {
                self.grow_to(self.rounded(present + slots)).map_err(|error| refused = error).ok()
            });
            if grown.is_some() {
                return Ok(());
            }
        }
        self.published.refused();
        Err(refused)
    }

    /// Adds one chunk that brings the capacity to `capacity` slots. If it cannot, nothing changes.
    pub(super) fn grow_to(&mut self, capacity: usize) -> Result<(), NoRoom> {
        let mut directory = self.directory.resized(capacity)?;
        self.store.try_grow(capacity)?;
        // A tag, with the first memory.
        if directory.first_word == 0 {
            directory.renew(self.new_first_word());
        }
        self.directory = directory;
        self.publish();
        Ok(())
    }

    /// How many slots to have if `slots` are needed, which is more than there are; at most the limit.
    pub(super) fn rounded(&self, slots: usize) -> usize {
        // A pool of a fixed size has all its slots at once.
        let wanted = slots.max(self.config.first);
        // For small elements, whole words of the bitmap, so that a walk need not split the last one.
        let unit =
            if wanted > WORD && Store::<T>::GRANULE >= 16 { WORD } else { Store::<T>::GRANULE };
        wanted.checked_next_multiple_of(unit).unwrap_or(usize::MAX).min(self.config.max)
    }

    /// Gives unused chunks at the end back to the heap; the generations of their slots, 4 bytes each, are kept.
    /// O(slots).
    ///
    /// Elements stay where they are, so gaps between them remain until new elements fill them. To close the gaps at once:
    /// `let dense: Roster<T> = old.into_values().collect()`, with other handles.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let handles: Vec<_> = (0..10_000).map(|n| roster.insert(n)).collect();
    /// roster.retain(|_, n| *n < 10);
    /// roster.shrink_to_fit();
    /// assert!(roster.capacity() < 10_000);
    /// assert_eq!(roster[handles[9]], 9);
    /// ```
    #[doc(alias = "compact")]
    pub fn shrink_to_fit(&mut self) {
        self.trim_to(0);
    }

    /// Like [`Roster::shrink_to_fit`], but keeps room for `capacity` elements, live ones included. Does nothing if the capacity is
    /// lower. O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster: Roster<u64> = (0..100_000).collect();
    /// roster.clear();
    /// roster.shrink_to(10_000);
    /// assert!((10_000..100_000).contains(&roster.capacity()));
    /// ```
    pub fn shrink_to(&mut self, capacity: usize) {
        self.trim_to(capacity);
    }

    /// Faults in the memory of all slots behind the last occupied one, by writing to each of its pages, so that the next use of a
    /// slot does not wait for the system. For a level's start, after [`Roster::reserve`].
    ///
    /// O(bytes), at about a microsecond for 4 KiB; less on huge pages (the feature `huge-pages`).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut monsters = Roster::<[u64; 8]>::with_capacity(10_000);
    /// monsters.prefault();
    /// assert!(monsters.is_empty());
    /// ```
    pub fn prefault(&mut self) {
        // The generations do not tell: slots keep theirs when their memory goes and comes back.
        let end = self.directory.end();
        for (start, slots) in self.store.chunks() {
            let first = end.clamp(slots.start, slots.end);
            let start = start.wrapping_add((first - slots.start) * size_of::<T>());
            let bytes = (slots.end - first) * size_of::<T>();
            // SAFETY: these are slots of this chunk; none of them is live, and one that is reserved holds nothing either.
            unsafe { pages::touch(start, bytes) };
            if Store::<T>::IS_POISONED {
                sanitizer::poison(start, bytes);
            }
        }
    }

    pub(crate) fn trim_to(&mut self, capacity: usize) -> usize {
        let before = self.bytes();
        self.store.trim(self.directory.end().max(capacity));
        self.directory.shrink(self.store.capacity());
        self.publish();
        before.saturating_sub(self.bytes())
    }

    /// Has the roster add to the totals of its type, and take the type's name, unless it does already: it may be new, or have been
    /// assigned.
    #[inline(always)]
    pub(crate) fn join(&mut self, record: &'static Record, name: Option<&'static str>) {
        if self.published.is_none() {
            self.config.name = name;
            self.published.join(record);
            self.publish();
        }
    }

    /// Tells the totals of the type what memory the roster has now.
    #[cold]
    #[inline(never)]
    pub(crate) fn publish(&mut self) {
        let memory = Memory {
            capacity: self.capacity(),
            chunks: self.store.chunks().len(),
            bytes: self.bytes(),
        };
        self.published.publish(memory, self.directory.used());
    }

    /// Whether no element is live, detached or being made.
    pub(crate) fn is_unused(&self) -> bool {
        self.is_empty() && self.directory.reserved == 0
    }
}
