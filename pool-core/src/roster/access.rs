//! From a handle to its element.

use alloc::format;
use core::ops::{Index, IndexMut};

use crate::base::handle::Handle;
use crate::base::stats::OneLine;
use crate::roster::Roster;

impl<T> Roster<T> {
    /// How many elements are live. O(1).
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// Whether no element is live.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the handle's element is live. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert(1);
    /// assert!(roster.contains(handle));
    /// roster.remove(handle);
    /// assert!(!roster.contains(handle));
    /// ```
    #[doc(alias = "contains_key")]
    #[inline(always)]
    #[must_use]
    pub fn contains(&self, handle: Handle<T>) -> bool {
        self.directory.contains(handle.raw())
    }

    /// The handle of the element in this slot, if there is one. O(1).
    ///
    /// For tables beside the roster that are indexed by slot ([`Handle::index`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("in slot 0");
    /// assert_eq!(roster.handle_of_slot(0), Some(handle));
    /// assert_eq!(roster.handle_of_slot(1), None);
    /// ```
    #[doc(alias("get_by_slot", "remove_by_slot", "contains_slot", "get_unknown_gen"))]
    #[inline]
    #[must_use]
    pub fn handle_of_slot(&self, slot: u32) -> Option<Handle<T>> {
        let (slot, word) = self.directory.entry(slot)?;
        Some(Handle::new(slot, word))
    }

    /// Returns the handle of the element that `element` refers to; `None` if the reference does not lead into this roster.
    /// O(chunks).
    ///
    /// Also `None` if `T` is zero-sized, since all such elements have one address.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let ten = roster.insert(10);
    /// let greatest = roster.values().max().unwrap();
    /// assert_eq!(roster.handle_of(greatest), Some(ten));
    /// assert_eq!(roster.handle_of(&10), None, "not in the roster");
    /// ```
    #[doc(alias = "key_of")]
    #[must_use]
    pub fn handle_of(&self, element: &T) -> Option<Handle<T>> {
        self.handle_of_slot(self.store.slot_at(element)?)
    }

    /// Returns the address of the handle's element.
    #[inline(always)]
    pub(super) fn find(&self, handle: Handle<T>) -> Option<*mut T> {
        if !self.contains(handle) {
            return None;
        }
        // SAFETY: a slot that is live exists.
        Some(unsafe { self.store.slot(handle.slot()) })
    }

    /// The element, if it is live. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let (mut ours, mut theirs) = (Roster::new(), Roster::new());
    /// let handle = ours.insert(1);
    /// theirs.insert(2);
    /// assert_eq!(ours.get(handle), Some(&1));
    /// assert_eq!(theirs.get(handle), None, "the handle of another roster");
    /// ```
    #[inline(always)]
    #[doc(alias = "get_unchecked")]
    #[must_use]
    pub fn get(&self, handle: Handle<T>) -> Option<&T> {
        match self.find(handle) {
            // SAFETY: the element is there, and only `&mut self` can change it.
            Some(element) => Some(unsafe { &*element }),
            None => None,
        }
    }

    /// The element, if it is live. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert(1);
    /// if let Some(number) = roster.get_mut(handle) {
    ///     *number += 1;
    /// }
    /// assert_eq!(roster[handle], 2);
    /// ```
    #[inline(always)]
    #[doc(alias = "get_unchecked_mut")]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<T>) -> Option<&mut T> {
        match self.find(handle) {
            // SAFETY: the element is there, and `self` is borrowed for as long as the reference lasts.
            Some(element) => Some(unsafe { &mut *element }),
            None => None,
        }
    }

    /// Several elements at once; `None` if one of them is not live, or is named twice. O(N²).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let (a, b) = (roster.insert("a"), roster.insert("b"));
    /// if let Some([first, second]) = roster.get_disjoint_mut([a, b]) {
    ///     std::mem::swap(first, second);
    /// }
    /// assert_eq!((roster[a], roster[b]), ("b", "a"));
    /// assert!(roster.get_disjoint_mut([a, a]).is_none());
    /// ```
    #[doc(alias("get2_mut", "get_many_mut", "get_disjoint_unchecked_mut"))]
    #[must_use]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        handles: [Handle<T>; N],
    ) -> Option<[&mut T; N]> {
        // Handles that find the same element are equal.
        let is_new = |n: usize| self.contains(handles[n]) && !handles[..n].contains(&handles[n]);
        if !(0..N).all(is_new) {
            return None;
        }
        Some(handles.map(|handle| match self.find(handle) {
            // SAFETY: the element is there; no two slots are the same, since no two of these handles are equal; and `self`
            // is borrowed for as long as the references last.
            Some(element) => unsafe { &mut *element },
            None => self.absent(handle),
        }))
    }

    /// Panics with the reason why a handle finds nothing, as far as it is known.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn absent(&self, handle: Handle<T>) -> ! {
        let name = OneLine(self.name());
        let (index, generation, tag) = (handle.index(), handle.generation(), handle.tag());
        let own = self.directory.tag();
        let reason = match self.directory.words().get(index).copied() {
            _ if handle == Handle::DANGLING => "`Handle::DANGLING`",
            _ if own != Some(tag) => {
                let own = own.map_or("has given out none".into(), |tag| format!("has tag {tag}"));
                &format!(
                    "of another roster: this one {own}, and in a thread-local pool every thread has its own"
                )
            }
            Some(_) if self.directory.is_reserved(handle.raw()) => {
                "detached, or its element is being made"
            }
            Some(known) if known == 0 || handle.word().get() < known => {
                "stale: this use of the slot is over"
            }
            _ => "one that this roster has not given out",
        };
        panic!(
            "no element in the roster of `{name}`: the handle (slot {index}, generation {generation}, tag {tag}) is \
             {reason}; `get` returns an `Option`"
        )
    }
}

impl<T> Index<Handle<T>> for Roster<T> {
    type Output = T;

    /// The element.
    ///
    /// # Panics
    ///
    /// If [`Roster::get`] finds nothing: the handle is stale, belongs to another roster, or its element is detached.
    #[inline]
    #[track_caller]
    fn index(&self, handle: Handle<T>) -> &T {
        match self.get(handle) {
            Some(element) => element,
            None => self.absent(handle),
        }
    }
}

impl<T> IndexMut<Handle<T>> for Roster<T> {
    /// The element.
    ///
    /// # Panics
    ///
    /// If [`Roster::get`] finds nothing: the handle is stale, belongs to another roster, or its element is detached.
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, handle: Handle<T>) -> &mut T {
        match self.find(handle) {
            // SAFETY: as in `get_mut`.
            Some(element) => unsafe { &mut *element },
            None => self.absent(handle),
        }
    }
}
