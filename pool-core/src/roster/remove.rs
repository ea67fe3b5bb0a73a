//! Removing elements: one, some, all.

use core::iter::{self, Map};
use core::ptr;

use crate::base::Finally;
use crate::base::handle::Handle;
use crate::roster::directory::Directory;
use crate::roster::iter::counted;
use crate::roster::walk::Cursor;
use crate::roster::word::handle_to;
use crate::roster::{Roster, Store};

impl<T> Roster<T> {
    /// Takes the element out; `None` if the handle is stale. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("once");
    /// assert_eq!(roster.remove(handle), Some("once"));
    /// assert_eq!(roster.remove(handle), None);
    /// ```
    #[doc(alias("try_remove", "invalidate"))]
    #[inline(always)]
    pub fn remove(&mut self, handle: Handle<T>) -> Option<T> {
        // SAFETY: the slot was live until now.
        self.directory.remove(handle.raw()).then(|| unsafe { self.store.take(handle.slot()) })
    }

    /// Removes every element for which `keep` returns `false`, in the order of memory. O(slots / 64 +
    /// elements).
    ///
    /// # Panics
    ///
    /// If `keep` or a destructor panics. What was removed before stays removed, and the rest stays in place.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let handles: Vec<_> = (0..10).map(|n| roster.insert(n)).collect();
    /// roster.retain(|_, n| { *n += 1; *n % 2 == 0 });
    /// assert_eq!(roster.len(), 5);
    /// assert_eq!(roster.get(handles[1]), Some(&2));
    /// assert_eq!(roster.get(handles[2]), None);
    /// ```
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(Handle<T>, &mut T) -> bool) {
        let mut cursor = Cursor::new(&self.directory);
        while cursor.advance(&self.directory, &self.store) {
            cursor.pass_part(|slot, element| {
                // The handle is read for each use: if `keep` does not use it, an element that stays costs no look at the table.
                // SAFETY: the slot was live when the cursor came to its part, and only it can be discarded here.
                let handle = |of: &Directory| unsafe { handle_to::<T>(of.words(), slot) };
                // SAFETY: the slot holds an element, which no other code can reach.
                let shown = unsafe { &mut *element };
                if !keep(handle(&self.directory), shown) {
                    self.directory.remove(handle(&self.directory).raw());
                    let _leave = Finally(|| self.store.leave(slot, element));
                    // SAFETY: nothing refers to the element, now that its slot is vacant and `shown` is gone.
                    unsafe { ptr::drop_in_place(element) };
                }
            });
        }
    }

    /// Removes every element, in the order of memory. Their handles are stale then.
    ///
    /// Detached elements are outside of the roster, so they are not dropped: their handles and slots are kept until
    /// [`Roster::reattach`], or until [`Roster::release`] of each handle that [`Roster::detached`] names.
    ///
    /// O(elements + slots / 64). The memory is kept.
    ///
    /// # Panics
    ///
    /// If a destructor panics; the elements after that one stay.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let before = roster.insert(1);
    /// roster.clear();
    /// let after = roster.insert(2);
    /// assert_eq!((roster.get(before), roster.get(after)), (None, Some(&2)));
    /// ```
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
    }

    /// Removes the elements one by one, in the order of memory. The remaining elements are dropped with the iterator, or stay in
    /// the roster if the iterator is leaked. O(elements + slots / 64).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let a = roster.insert("a");
    /// roster.insert("b");
    /// let first = roster.drain().next();
    /// assert_eq!(first, Some((a, "a")));
    /// assert!(roster.is_empty());
    /// ```
    pub fn drain(&mut self) -> Drain<'_, T> {
        Drain { roster: self, first: 0 }
    }

    /// Removes and yields the elements for which `is_to_go` returns `true`, in the order of memory: each call of `next` goes on up
    /// to the next such element. Elements that the iterator has not reached when it is dropped or leaked stay in the roster.
    /// O(elements + slots / 64) in all.
    ///
    /// To drop them where they are, take [`Roster::retain`].
    ///
    /// # Panics
    ///
    /// `next` panics if `is_to_go` does; the element stays, and the iterator can go on behind it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut wounded: Roster<i32> = [3, -1, 8, -5].into_iter().collect();
    /// let dead: Vec<_> = wounded.extract_if(|_, health| *health <= 0).collect();
    /// assert_eq!(dead.iter().map(|(_, health)| *health).collect::<Vec<_>>(), [-1, -5]);
    /// assert!(wounded.values().eq(&[3, 8]));
    /// assert!(!wounded.contains(dead[0].0), "stale");
    /// ```
    pub fn extract_if(
        &mut self,
        mut is_to_go: impl FnMut(Handle<T>, &mut T) -> bool,
    ) -> impl Iterator<Item = (Handle<T>, T)> {
        let mut first = 0;
        iter::from_fn(move || {
            // The slot is passed before the closure, which may panic.
            while let Some(handle) = self.handle_from(&mut first) {
                if is_to_go(handle, &mut self[handle]) {
                    return self.remove(handle).map(|element| (handle, element));
                }
            }
            None
        })
    }

    /// The elements without their handles, in the order of memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster: Roster<String> = ["a", "b"].map(String::from).into_iter().collect();
    /// assert_eq!(roster.into_values().collect::<Vec<String>>(), ["a", "b"]);
    /// ```
    pub fn into_values(self) -> IntoValues<T> {
        self.into_iter().map(|(_, element)| element)
    }

    /// Finds the first element from the slot `first` on, and moves `first` behind it. So a loop ends even if elements are
    /// inserted meanwhile.
    pub(crate) fn handle_from(&self, first: &mut usize) -> Option<Handle<T>> {
        self.directory.pop_first(first).map(|(slot, word)| Handle::new(slot, word))
    }

    /// Takes out the element that [`Roster::handle_from`] finds.
    #[inline(always)]
    pub(crate) fn pop_first_from(&mut self, first: &mut usize) -> Option<(Handle<T>, T)> {
        let handle = self.handle_from(first)?;
        self.remove(handle).map(|element| (handle, element))
    }
}

impl<T> Drop for Roster<T> {
    fn drop(&mut self) {
        // Without a destructor the elements go with their memory.
        if Store::<T>::GO_SINGLY {
            // If a destructor panics, the drain drops what is left.
            self.drain().roster.clear();
        }
    }
}

/// The iterator that removes the elements from the slot `first` on.
macro_rules! taking_out {
    ($name:ident<$($lifetime:lifetime,)? T>) => {
        impl<$($lifetime,)? T> Iterator for $name<$($lifetime,)? T> {
            type Item = (Handle<T>, T);

            fn next(&mut self) -> Option<Self::Item> {
                self.roster.pop_first_from(&mut self.first)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.roster.len(), Some(self.roster.len()))
            }
        }

        counted!([$($lifetime,)? T] $name[$($lifetime,)? T]);
    };
}

taking_out!(Drain<'a, T>);
taking_out!(IntoIter<T>);

/// From [`Roster::drain`]: takes the elements out, in the order of memory.
pub struct Drain<'a, T> {
    roster: &'a mut Roster<T>,
    first: usize,
}

impl<T> Drop for Drain<'_, T> {
    fn drop(&mut self) {
        self.roster.clear();
    }
}

/// From `IntoIterator` for a [`Roster`]: handles and elements, in the order of memory.
pub struct IntoIter<T> {
    roster: Roster<T>,
    first: usize,
}

impl<T> IntoIterator for Roster<T> {
    type Item = (Handle<T>, T);
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { roster: self, first: 0 }
    }
}

/// From [`Roster::into_values`]: the elements, in the order of memory.
pub type IntoValues<T> = Map<IntoIter<T>, fn((Handle<T>, T)) -> T>;
