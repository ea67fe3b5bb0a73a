//! Dense order: the live elements in a list without gaps.

use core::fmt;

use crate::base::copied;
use crate::base::handle::Handle;
use crate::roster::Roster;
use crate::roster::dense::OrderTables;
use crate::roster::word::{handle_word, live_slots};

impl<T> Roster<T> {
    /// Lends the dense order of the elements: each has an index below [`Roster::len`], without gaps.
    ///
    /// The first call builds two tables, of 4 bytes a slot each, in the order of memory. It costs O(slots); later calls cost O(1).
    /// From then on, an element that is inserted or reattached comes last, and the last element takes the index of one that is
    /// removed or detached. So indices do not stay in the order of iteration, and two rosters that must agree should both call this
    /// early.
    ///
    /// A roster whose order was never requested has no memory for it.
    ///
    /// # Examples
    ///
    /// For a buffer beside the roster, such as the instances on a graphics card: `swap_remove` on the buffer does the same as the
    /// removal here. Look up the index before `remove` or `detach`; rebuild the buffer after `retain` or `clear`.
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut ships = Roster::new();
    /// let mut buffer = Vec::new();
    /// let [a, b, c] = [10, 20, 30].map(|position| {
    ///     let handle = ships.insert(position);
    ///     buffer.insert(ships.order().index_of(handle).unwrap(), position); // at the end
    ///     handle
    /// });
    ///
    /// let index = ships.order().index_of(a).unwrap();
    /// ships.remove(a);
    /// buffer.swap_remove(index);
    /// assert_eq!(buffer, [30, 20]);
    /// assert_eq!(ships.order().index_of(c), Some(0));
    ///
    /// ships.retain(|_, position| *position < 30);
    /// buffer = ships.order().iter().map(|(_, position)| *position).collect();
    /// assert_eq!(buffer, [20]);
    /// assert_eq!(ships.order().handle_at(0), Some(b));
    /// ```
    #[doc(alias("swap_delete", "swap_remove", "dense_index"))]
    pub fn order(&mut self) -> Order<'_, T> {
        if !self.directory.order.is_kept {
            self.build_order();
        }
        Order { roster: self }
    }

    #[cold]
    fn build_order(&mut self) {
        let order = OrderTables::of(live_slots(self.directory.words()), self.capacity());
        self.directory.order = order.unwrap_or_else(|error| self.refused_by_heap(error.0).raise());
        self.publish();
    }

    /// Gives the tables of the dense order back to the heap, if there are any.
    pub(crate) fn forget_order(&mut self) {
        self.directory.order = OrderTables::NONE;
        self.publish();
    }
}

/// From [`Roster::order`]: the elements in a list without gaps.
pub struct Order<'a, T> {
    roster: &'a Roster<T>,
}

copied!(['a, T] Order['a, T]);

impl<'a, T> Order<'a, T> {
    /// The number of elements. O(1).
    #[must_use]
    pub fn len(self) -> usize {
        self.roster.len()
    }

    /// Whether no element is live.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.roster.is_empty()
    }

    /// The index of an element, below [`Order::len`]; `None` if the handle is stale. O(1).
    #[inline]
    #[must_use]
    pub fn index_of(self, handle: Handle<T>) -> Option<usize> {
        let places = &self.roster.directory.order.places;
        self.roster.contains(handle).then(|| places[handle.index()] as usize)
    }

    /// The handle of the element with this index; `None` from [`Order::len`] on. O(1).
    ///
    /// # Examples
    ///
    /// To pick an element at random:
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let handles: Vec<_> = (0..10).map(|n| roster.insert(n)).collect();
    /// let random = 123_456_789;
    /// let order = roster.order();
    /// assert_eq!(order.handle_at(random % order.len()), Some(handles[9]));
    /// ```
    #[inline]
    #[must_use]
    pub fn handle_at(self, index: usize) -> Option<Handle<T>> {
        self.roster.handle_of_slot(*self.roster.directory.order.slots.get(index)?)
    }

    /// Handles and elements, by their index.
    #[must_use]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (Handle<T>, &'a T)> + ExactSizeIterator {
        self.roster.directory.order.slots.iter().map(move |&slot| {
            let handle =
                Handle::new(slot, handle_word(self.roster.directory.words()[slot as usize]));
            (handle, &self.roster[handle])
        })
    }
}

impl<T> fmt::Debug for Order<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|(handle, _)| handle)).finish()
    }
}
