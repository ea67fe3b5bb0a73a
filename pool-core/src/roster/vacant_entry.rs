//! A slot that is known before it is filled.

use core::fmt;

use crate::base::exhausted::Exhausted;
use crate::base::handle::Handle;
use crate::base::watch::sites::Line;
use crate::roster::Roster;

/// From [`Roster::vacant_entry`]: a vacant slot, whose handle is known.
///
/// Until [`VacantEntry::insert`] nothing has happened: the slot is vacant, and its handle finds nothing. If the entry is
/// dropped or leaked, the next element gets the handle. So an entry tells which handle comes next, and wears no slot.
/// (Where a handle that was shown in vain has to be stale for ever, take [`Roster::insert_with`].)
#[must_use = "the slot stays vacant unless it is filled"]
pub struct VacantEntry<'a, T> {
    roster: &'a mut Roster<T>,
    handle: Handle<T>,
}

impl<T> Roster<T> {
    /// The lowest vacant slot, with the handle that its element will have. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the roster is bounded and no slot is vacant ([`Roster::try_vacant_entry`] does not).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Roster};
    ///
    /// struct Node { itself: Handle<Node> }
    ///
    /// let mut nodes = Roster::new();
    /// let entry = nodes.vacant_entry();
    /// let itself = entry.handle();
    /// entry.insert(Node { itself });
    /// assert_eq!(nodes[itself].itself, itself);
    ///
    /// let next = nodes.vacant_entry().handle(); // not filled
    /// assert_eq!(nodes.insert(Node { itself }), next);
    /// ```
    ///
    /// In a type's own pool:
    ///
    /// ```
    /// use typed_pool::{Handle, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Node { itself: Handle<Node> }
    ///
    /// let mut nodes = Node::pool_borrow_mut();
    /// let entry = nodes.vacant_entry();
    /// let itself = entry.handle();
    /// entry.insert(Node { itself });
    /// assert_eq!(nodes[itself].itself, itself);
    /// ```
    #[doc(alias = "vacant_key")]
    #[track_caller]
    pub fn vacant_entry(&mut self) -> VacantEntry<'_, T> {
        match self.try_vacant_entry() {
            Ok(entry) => entry,
            Err(exhausted) => exhausted.raise(),
        }
    }

    /// [`Roster::vacant_entry`] that does not panic if no slot is vacant.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the roster is bounded and no slot is vacant, or the heap has no room.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut seats = Roster::bounded(1);
    /// *seats.try_vacant_entry().unwrap().insert("Ada") = "Grace";
    /// assert!(seats.try_vacant_entry().is_err());
    /// ```
    pub fn try_vacant_entry(&mut self) -> Result<VacantEntry<'_, T>, Exhausted> {
        loop {
            if let Some((slot, word)) = self.directory.next() {
                let handle = Handle::new(slot, word);
                return Ok(VacantEntry { roster: self, handle });
            }
            self.grow()?;
        }
    }
}

impl<'a, T> VacantEntry<'a, T> {
    /// The handle that the element will have. Before that it finds nothing.
    #[doc(alias = "key")]
    #[inline]
    pub fn handle(&self) -> Handle<T> {
        self.handle
    }

    /// Puts the element into the slot. O(1).
    #[inline]
    #[track_caller]
    pub fn insert(self, value: T) -> &'a mut T {
        let Self { roster, handle } = self;
        assert_eq!(roster.claim(), Some(handle.raw()));
        roster.put(handle.raw(), value, Line::of_caller());
        &mut roster[handle]
    }
}

impl<T> fmt::Debug for VacantEntry<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VacantEntry").field("handle", &self.handle).finish()
    }
}
