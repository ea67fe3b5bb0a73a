//! What has changed since a mark.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use crate::base::handle::{Handle, copied};
use crate::rewind::Rewind;
use crate::rewind::log::{Links, Log, Mark};
use crate::roster::Roster;
use crate::roster::secondary_map::HandleMap;

/// What has happened to an element since a mark, all in all: from [`Rewind::changes`].
pub struct Change<T> {
    /// Which element. A handle that was removed finds nothing.
    pub handle: Handle<T>,
    /// What has happened to it.
    pub kind: ChangeKind,
}

/// See [`Change`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It was not there, and is.
    Inserted,
    /// It was there, and was written to, or at least lent to be written to.
    Changed,
    /// It was there, and is not. (Also if it is detached.)
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
    /// What has changed since a mark: each element once, in the order of slots. What was inserted and removed again is left
    /// out. If a slot lost one element and got another, the one that was removed comes first.
    ///
    /// O(slots + changes) in all; nothing is allocated. To know what a rewind would change, ask before it.
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
    pub fn changes(&self, mark: Mark) -> Changes<'_, T> {
        let known = self.log.as_deref().and_then(|log| Some((log, log.start(mark)?)));
        let Some((log, start)) = known else {
            panic!("what has changed since a forgotten mark is not known; ask `knows` first")
        };
        Changes { roster: self, links: &self.links, log, start, slot: 0, next: None }
    }

    /// The slots of what has changed since a mark, as ranges in ascending order: for tables beside the roster, on a graphics
    /// card, say. Ranges that touch are one, and with [`Dirty::merged`] those that are near each other.
    ///
    /// O(slots + changes) in all; nothing is allocated.
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
    /// // One upload of six slots costs less than two.
    /// assert!(world.dirty(mark).merged(8).eq([4..10, 50..51]));
    /// ```
    #[track_caller]
    pub fn dirty(&self, mark: Mark) -> Dirty<'_, T> {
        Dirty { changes: self.changes(mark), gap: 0, next: None }
    }
}

impl<T, V, const SPARSE: bool> HandleMap<T, V, SPARSE> {
    /// Drops the values of elements that were removed, as [`Rewind::changes`] tells of them.
    /// O(changes). A detached element counts as removed.
    ///
    /// After a rewind, what belongs to elements that it took back is dropped by [`HandleMap::tidy`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Rewind, SecondaryMap};
    ///
    /// let mut world: Rewind<u32> = (0..3).collect();
    /// let mut names: SecondaryMap<_, _> = world.handles().zip(["a", "b", "c"]).collect();
    /// let mut paths: SecondaryMap<_, _> = world.handles().map(|handle| (handle, vec![0])).collect();
    /// let mark = world.mark();
    /// world.retain(|_, n| **n > 0);
    /// names.apply(world.changes(mark));
    /// paths.apply(world.changes(mark));
    /// assert!(names.values().eq(&["b", "c"]));
    /// assert_eq!(paths.len(), 2);
    /// ```
    pub fn apply(&mut self, changes: impl IntoIterator<Item = Change<T>>) {
        for change in changes {
            if change.kind == ChangeKind::Removed {
                self.remove(change.handle);
            }
        }
    }
}

/// From [`Rewind::changes`]: what has changed, in the order of slots.
pub struct Changes<'a, T> {
    roster: &'a Roster<T>,
    links: &'a Links,
    log: &'a Log<T>,
    /// The position of the first entry behind the mark.
    start: u32,
    /// What to look at next.
    slot: usize,
    /// An element that was inserted where another was removed.
    next: Option<Handle<T>>,
}

impl<T> Iterator for Changes<'_, T> {
    type Item = Change<T>;

    fn next(&mut self) -> Option<Change<T>> {
        if let Some(handle) = self.next.take() {
            return Some(Change { handle, kind: ChangeKind::Inserted });
        }
        loop {
            let (slot, before) = self.log.next_written(self.links, &mut self.slot, self.start)?;
            let (handle, kind) = match (before.handle(slot), self.roster.handle_of_slot(slot)) {
                (None, None) => continue,
                (None, Some(handle)) => (handle, ChangeKind::Inserted),
                (Some(before), Some(handle)) if before == handle => (handle, ChangeKind::Changed),
                (Some(before), now) => {
                    self.next = now;
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

/// From [`Rewind::dirty`]: ranges of slots, in ascending order.
pub struct Dirty<'a, T> {
    changes: Changes<'a, T>,
    gap: usize,
    /// A range that may still grow.
    next: Option<Range<usize>>,
}

impl<T> Dirty<'_, T> {
    /// Makes one range of those that have no more than `gap` unchanged slots between them.
    #[must_use]
    pub fn merged(self, gap: usize) -> Self {
        Self { gap, ..self }
    }
}

impl<T> Iterator for Dirty<'_, T> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        for change in &mut self.changes {
            let slot = change.handle.index();
            match &mut self.next {
                Some(range) if slot <= range.end.saturating_add(self.gap) => range.end = slot + 1,
                _ => {
                    if let Some(range) = self.next.replace(slot..slot + 1) {
                        return Some(range);
                    }
                }
            }
        }
        self.next.take()
    }
}

impl<T> FusedIterator for Dirty<'_, T> {}

impl<T> fmt::Debug for Dirty<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dirty").field("gap", &self.gap).finish_non_exhaustive()
    }
}
