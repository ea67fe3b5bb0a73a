//! Changes since a mark.

use alloc::vec::Vec;
use core::any::type_name;
use core::fmt;
use core::iter::{self, FusedIterator};
use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::base::copied;
use crate::base::handle::Handle;
use crate::rewind::Rewind;
use crate::rewind::log::live_handle;
use crate::rewind::mark::Mark;
use crate::roster::secondary_map::HandleMap;

/// The net change of an element since a mark: from [`Rewind::changes`].
pub struct Change<T> {
    /// The element's handle. If the element was removed, the handle finds nothing.
    pub handle: Handle<T>,
    /// The kind of change.
    pub kind: ChangeKind,
}

/// The kind of a [`Change`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// The element was not there at the mark, and is there now.
    Inserted,
    /// The element was there at the mark, and has been written to since, or at least lent to be written to.
    Changed,
    /// The element was there at the mark, and is not there now. (A detached element counts as removed.)
    Removed,
}

copied!([T] Change[T]);

impl<T> PartialEq for Change<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.handle, self.kind) == (other.handle, other.kind)
    }
}

impl<T> Eq for Change<T> {}

impl<T> fmt::Debug for Change<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change").field("handle", &self.handle).field("kind", &self.kind).finish()
    }
}

impl<T> Rewind<T> {
    /// Iterates over the changes since a mark: each element once, in the order of slots. An element that was inserted and removed again is left
    /// out. If a slot lost one element and got another, the one that was removed comes first.
    ///
    /// O(slots + entries since the mark). Each mark since then has an entry for each slot that was written to after that mark.
    /// (Fewer are read if they suffice.) Nothing is allocated, unless another iterator over changes of this rewind is alive. To see
    /// what a rewind would change, call this before the rewind ([`Changes::undone`]).
    ///
    /// # Panics
    ///
    /// If the mark is forgotten ([`Rewind::knows`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{ChangeKind, Rewind};
    ///
    /// let mut world: Rewind<u32> = (0..3).collect();
    /// let handles: Vec<_> = world.handles().collect();
    /// let mark = world.mark();
    /// world[handles[0]] += 10;
    /// world.remove(handles[2]);
    /// let new = world.insert(20);
    ///
    /// let changes: Vec<_> = world.changes(mark).map(|change| (change.handle, change.kind)).collect();
    /// assert_eq!(changes, [
    ///     (handles[0], ChangeKind::Changed),
    ///     (handles[2], ChangeKind::Removed),
    ///     (new, ChangeKind::Inserted), // in the slot of the other
    /// ]);
    /// ```
    #[doc(alias("diff", "delta"))]
    #[track_caller]
    #[must_use]
    pub fn changes(&self, mark: Mark) -> Changes<'_, T> {
        if !self.knows(mark) {
            panic!(
                "no changes of the rewind of `{}`: {}; ask `knows` first",
                type_name::<T>(),
                self.why_forgotten(mark)
            )
        }
        let links = &self.log.links;
        let more_words = || links.words.iter().map(|_| AtomicU32::default()).collect();
        let own = if links.lend_words() { None } else { Some(more_words()) };
        let changes = Changes { rewind: self, mark, slot: 0, next: None, own, is_undone: false };
        self.log.words_at(mark, changes.words());
        changes
    }

    /// Iterates over the slots that have changed since a mark, as ranges in ascending order: for tables beside the roster, such as
    /// one on a graphics card. Ranges that touch are merged.
    ///
    /// O(slots + entries since the mark), as [`Rewind::changes`].
    ///
    /// # Panics
    ///
    /// If the mark is forgotten ([`Rewind::knows`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world: Rewind<u32> = (0..100).collect();
    /// let mark = world.mark();
    /// for (handle, mut number) in world.iter_mut() {
    ///     if [4, 5, 9, 50].contains(&handle.index()) {
    ///         *number += 1;
    ///     }
    /// }
    /// assert!(world.dirty(mark).eq([4..6, 9..10, 50..51]));
    /// ```
    #[track_caller]
    pub fn dirty(&self, mark: Mark) -> impl Iterator<Item = Range<usize>> {
        let mut slots = self.changes(mark).map(|change| change.handle.index()).peekable();
        iter::from_fn(move || {
            let start = slots.next()?;
            let mut end = start + 1;
            while let Some(slot) = slots.next_if(|&slot| slot <= end) {
                end = slot + 1;
            }
            Some(start..end)
        })
    }
}

impl<T, V, const SPARSE: bool> HandleMap<T, V, SPARSE> {
    /// Drops the values of elements that are no longer live after these changes. O(slots + entries since the mark).
    ///
    /// Call it with [`changes(mark)`](Rewind::changes) after a frame, and with `changes(mark).undone()` **before** a rewind to the
    /// mark. Then the map has values of live elements only, in both directions. (After the rewind, no changes since the mark are
    /// left: use [`HandleMap::tidy`] then, which goes through the whole map.) A detached element counts as removed.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Rewind, SecondaryMap};
    ///
    /// let mut world: Rewind<u32> = (0..3).collect();
    /// let mut names: SecondaryMap<_, _> = world.handles().zip(["a", "b", "c"]).collect();
    /// let mark = world.mark();
    /// world.retain(|_, n| **n > 0);
    /// names.apply(world.changes(mark));
    /// assert!(names.values().eq(&["b", "c"]));
    ///
    /// let new = world.insert(3);
    /// names.insert(new, "d");
    /// names.apply(world.changes(mark).undone());
    /// world.rewind(mark).unwrap();
    /// assert!(names.values().eq(&["b", "c"]));
    /// ```
    pub fn apply(&mut self, mut changes: Changes<'_, T>) {
        while let Some((slot, [_, live])) = changes.next_slot() {
            self.keep_only(slot, live);
        }
    }
}

/// From [`Rewind::changes`]: the changes since a mark, in the order of slots.
pub struct Changes<'a, T> {
    rewind: &'a Rewind<T>,
    mark: Mark,
    /// The next slot to look at.
    slot: usize,
    /// An element that was inserted where another was removed.
    next: Option<Handle<T>>,
    /// How slots were at the mark, where the log's own table is in use.
    own: Option<Vec<AtomicU32>>,
    is_undone: bool,
}

impl<'a, T> Changes<'a, T> {
    /// Reverses the changes, as a rewind to the mark does: insertions become removals, and removals insertions.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{ChangeKind, Rewind};
    ///
    /// let mut world = Rewind::new();
    /// let mark = world.mark();
    /// let orc = world.insert("orc");
    /// let change = world.changes(mark).undone().next().unwrap();
    /// assert_eq!((change.handle, change.kind), (orc, ChangeKind::Removed));
    /// ```
    #[must_use]
    pub fn undone(mut self) -> Self {
        self.is_undone = !self.is_undone;
        self
    }

    fn words(&self) -> &[AtomicU32] {
        self.own.as_deref().unwrap_or(&self.rewind.log.links.words)
    }

    /// The next slot that was written to, and the elements that were live there before and after.
    fn next_slot(&mut self) -> Option<(u32, [Option<Handle<T>>; 2])> {
        let mut links = self.rewind.log.links.of.get(self.slot..)?.iter();
        let slot = self.slot + links.position(|&link| link >= self.mark.number)?;
        self.slot = slot + 1;
        let word = self.words()[slot].load(Ordering::Relaxed);
        let slot = slot as u32;
        let before = live_handle(slot, word);
        let now = self.rewind.handle_of_slot(slot);
        Some((slot, if self.is_undone { [now, before] } else { [before, now] }))
    }
}

impl<T> Drop for Changes<'_, T> {
    fn drop(&mut self) {
        if self.own.is_none() {
            self.rewind.log.links.take_words_back();
        }
    }
}

impl<T> Iterator for Changes<'_, T> {
    type Item = Change<T>;

    fn next(&mut self) -> Option<Change<T>> {
        if let Some(handle) = self.next.take() {
            return Some(Change { handle, kind: ChangeKind::Inserted });
        }
        loop {
            let (handle, kind) = match self.next_slot()?.1 {
                [None, None] => continue,
                [None, Some(handle)] => (handle, ChangeKind::Inserted),
                [Some(before), Some(after)] if before == after => (before, ChangeKind::Changed),
                [Some(before), after] => {
                    self.next = after;
                    (before, ChangeKind::Removed)
                }
            };
            return Some(Change { handle, kind });
        }
    }
}

impl<T> FusedIterator for Changes<'_, T> {}

impl<T> fmt::Debug for Changes<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").finish_non_exhaustive()
    }
}
