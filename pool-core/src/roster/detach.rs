//! Slots that have a handle but no element: it is detached, or still being made.

use core::fmt;

use crate::base::Guarded;
use crate::base::exhausted::{Exhausted, raised};
use crate::base::handle::Handle;
use crate::base::stats::OneLine;
use crate::base::watch::sites::Line;
use crate::roster::Roster;
use crate::roster::directory::Directory;
use crate::roster::word::handle_word;

impl<T> Roster<T> {
    /// Takes the element out and keeps its slot and its handle for it, until [`Roster::reattach`]. O(1).
    ///
    /// Until then the handle finds nothing, and the slot is not used for anything else. If the element never returns,
    /// [`Roster::release`] gives the slot back; [`PoolStats::detached`](crate::PoolStats) counts detached elements, and
    /// [`Roster::detached`] names their handles. To work on an element and on its roster at once, use [`Roster::with_detached`],
    /// which puts the element back by itself, even after a panic. (A thread-local roster ends with its thread, detached elements or
    /// not.)
    ///
    /// # Examples
    ///
    /// To give an element away for a while:
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut ships = Roster::new();
    /// let ship = ships.insert("Argo".to_owned());
    /// let away = ships.detach(ship).unwrap();
    /// assert!(!ships.contains(ship) && ships.detached().eq([ship]));
    /// ships.reattach(ship, away);
    /// assert_eq!(ships[ship], "Argo");
    /// ```
    #[must_use = "without `reattach` or `release` the slot stays occupied; `remove` drops the element"]
    pub fn detach(&mut self, handle: Handle<T>) -> Option<T> {
        // SAFETY: the slot was live until now.
        self.directory.detach(handle.raw()).then(|| unsafe { self.store.take(handle.slot()) })
    }

    /// Calls `f` with an element and the rest of its roster, and returns the result of `f`; `None` if the handle is stale. O(1).
    ///
    /// The element is [detached](Roster::detach) during the call, and moved twice. Afterwards, or if `f` panics, it is back under
    /// its handle, as the last in dense order. If the slot is no longer kept for the element, since `f` has
    /// [released](Roster::release) or filled the slot, or has assigned another roster, the element is dropped.
    ///
    /// # Panics
    ///
    /// If `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let a = roster.insert(1);
    /// roster.insert(2);
    /// roster.with_detached(a, |number, others| *number += others.values().sum::<i32>());
    /// assert_eq!(roster[a], 3);
    /// ```
    pub fn with_detached<R>(
        &mut self,
        handle: Handle<T>,
        f: impl FnOnce(&mut T, &mut Self) -> R,
    ) -> Option<R> {
        let line = self.contains(handle).then(|| Line::of(self.store.site(handle.slot())))?;
        let element = self.detach(handle);
        let mut away = Guarded((self, element), |(roster, element)| {
            if let Some(element) = element.take() {
                let attached = roster.try_reattach(handle, element);
                roster.sign(attached.is_ok().then_some(handle), line);
            }
        });
        let (roster, element) = &mut away.0;
        Some(f(element.as_mut()?, roster))
    }

    /// Iterates over the handles of detached elements, and of elements that are still being made
    /// ([`Pooled::pool_insert_with`](crate::Pooled::pool_insert_with)), in the order of slots. O(slots) if there are any.
    ///
    /// # Examples
    ///
    /// To release the slots of elements that never returned:
    ///
    /// ```
    /// use typed_pool::{Handle, Roster};
    ///
    /// let mut monsters = Roster::new();
    /// let orc = monsters.insert("orc");
    /// drop(monsters.detach(orc));
    /// let lost: Vec<Handle<_>> = monsters.detached().collect();
    /// for handle in lost {
    ///     monsters.release(handle);
    /// }
    /// assert_eq!(monsters.stats().detached, 0);
    /// ```
    pub fn detached(&self) -> impl Iterator<Item = Handle<T>> {
        let words = self.directory.words().iter().zip(0..);
        let handles = words.map(|(&word, slot)| Handle::new(slot, handle_word(word)));
        let detached = handles.filter(|handle| self.directory.is_reserved(handle.raw()));
        detached.take(self.directory.reserved)
    }

    /// Puts an element into the slot of this handle, whose own element was [detached](Roster::detach). O(1).
    ///
    /// # Panics
    ///
    /// If the handle's element is not detached ([`Roster::try_reattach`] gives the value back).
    #[doc(alias("insert_at", "insert_at_slot"))]
    #[track_caller]
    pub fn reattach(&mut self, handle: Handle<T>, value: T) {
        if self.try_reattach(handle, value).is_err() {
            panic!(
                "cannot reattach to the roster of `{}`: the handle (slot {}, generation {}) \
                 belongs to no detached element; `try_reattach` gives the value back",
                OneLine(self.name()),
                handle.index(),
                handle.generation()
            );
        }
    }

    /// Like [`Roster::reattach`], but returns an error.
    ///
    /// # Errors
    ///
    /// The value, if the handle's element is not detached.
    #[track_caller]
    pub fn try_reattach(&mut self, handle: Handle<T>, value: T) -> Result<(), T> {
        if !self.directory.is_reserved(handle.raw()) {
            return Err(value);
        }
        // SAFETY: a reserved slot exists and holds no element.
        unsafe { self.store.put(handle.slot(), value) };
        self.directory.fill(handle.raw());
        Ok(())
    }

    /// Gives back the slot of a [detached](Roster::detach) element that will not return; the handle is stale from then on. Returns
    /// `false`, and changes nothing, if the handle's element is not detached. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut monsters = Roster::bounded(1);
    /// let orc = monsters.insert("orc");
    /// drop(monsters.detach(orc)); // it dies while it is away
    /// assert_eq!(monsters.stats().detached, 1);
    /// assert!(monsters.try_insert("troll").is_err());
    ///
    /// assert!(monsters.release(orc));
    /// assert!(!monsters.release(orc), "stale");
    /// assert!(monsters.try_insert("troll").is_ok());
    /// ```
    pub fn release(&mut self, handle: Handle<T>) -> bool {
        self.directory.release(handle.raw())
    }

    /// Reserves the lowest vacant slot.
    pub(crate) fn reserve_slot(&mut self) -> Result<Handle<T>, Exhausted> {
        let (slot, word) = self.grown_for(Directory::reserve)?;
        Ok(Handle::new(slot, word))
    }

    /// Puts the element that `f` makes into a reserved slot. If there is none in the end, the slot is given up.
    #[track_caller]
    pub(crate) fn fill_with(&mut self, handle: Handle<T>, f: impl FnOnce(Handle<T>) -> T) {
        let filling = Guarded(self, |roster| _ = roster.release(handle));
        let element = f(handle);
        let filled = filling.0.try_reattach(handle, element);
        debug_assert!(filled.is_ok(), "the slot was reserved for it");
    }

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
        raised(self.try_vacant_entry())
    }

    /// Like [`Roster::vacant_entry`], but returns an error if no slot is vacant.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the roster is bounded and no slot is vacant, or the heap has no room.
    pub fn try_vacant_entry(&mut self) -> Result<VacantEntry<'_, T>, Exhausted> {
        let (slot, word) = self.grown_for(|directory| directory.next())?;
        Ok(VacantEntry { roster: self, handle: Handle::new(slot, word) })
    }
}

/// From [`Roster::vacant_entry`]: a vacant slot, whose handle is known.
///
/// Until [`VacantEntry::insert`], the slot is vacant, and its handle finds nothing. If the entry is dropped or leaked, the next
/// element gets the handle. So an entry tells which handle comes next, without wear on the slot. (If the handle of an element that
/// never comes has to be stale for ever, use [`Roster::insert_with`].)
#[must_use = "the slot stays vacant unless it is filled"]
pub struct VacantEntry<'a, T> {
    roster: &'a mut Roster<T>,
    handle: Handle<T>,
}

impl<'a, T> VacantEntry<'a, T> {
    /// The handle that the element will have. Until the element is inserted, the handle finds nothing.
    #[doc(alias = "key")]
    #[inline]
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        self.handle
    }

    /// Puts the element into the slot. O(1).
    #[inline]
    #[track_caller]
    pub fn insert(self, value: T) -> &'a mut T {
        let Self { roster, handle } = self;
        assert_eq!(roster.claim(), Some(handle.raw()));
        roster.put(handle.raw(), value);
        &mut roster[handle]
    }
}

impl<T> fmt::Debug for VacantEntry<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VacantEntry").field("handle", &self.handle).finish()
    }
}
