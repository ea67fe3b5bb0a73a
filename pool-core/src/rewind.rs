//! A roster that remembers, and can go back.

use core::iter;
use core::mem;
use core::ops::{Deref, Index, IndexMut};

use crate::base::exhausted::{Exhausted, raised};
use crate::base::handle::Handle;
use crate::base::stats::PoolStats;
use crate::rewind::log::{Log, Memory};
use crate::rewind::mark::get_or_make;
use crate::roster::Roster;

mod changes;
mod log;
mod mark;
pub(crate) mod rewindable;
#[cfg(test)]
mod tests;
mod touched;
mod traits;

pub use changes::{Change, ChangeKind, Changes};
pub use mark::{Forgotten, Mark};
pub use rewindable::Rewindable;
pub use touched::{IterMut, Touched, ValuesMut};

/// A [`Roster`] that remembers what changes, and can go back: for rollback, undo, and deltas.
///
/// [`mark`](Rewind::mark) gives the present state a name, [`rewind`](Rewind::rewind) restores that state, and
/// [`confirm`](Rewind::confirm) forgets earlier ones. The cost is in proportion to the changes since a mark, not to the size of the
/// roster: the first write to an element after a mark puts a clone of it into a log. An element that is removed moves into the log,
/// without a clone, and its destructor waits until a later mark is confirmed.
///
/// A rewind restores everything: elements, their handles, the order of iteration, vacant and detached slots. So elements that are
/// inserted next get the same handles as the first time, and a simulation that runs twice from one mark, with the same input, does
/// the same twice. (Memory that was added in between stays.)
///
/// Reads use the roster's methods, through `Deref`. Writes use the methods here. Mutable iteration yields [`Touched`] elements;
/// each is remembered at the first write to it, and not when it is only read. Before the first mark, nothing is remembered.
///
/// # What there is not
///
/// - `drain`, which gives elements away: the log needs them. [`extract_if`](Rewind::extract_if) yields clones instead, and
///   [`clear`](Rewind::clear) yields nothing.
/// - A dense order ([`Roster::order`]). A roster gives up its dense order when it becomes a rewind.
/// - `par_values_mut`: threads would have to agree, for each element, on which of them writes to it first. Compute on all cores
///   from `par_values` (the feature `rayon`), and write the results here.
/// - `vacant_entry`: [`insert_with`](Rewind::insert_with) does the same.
/// - Exclusive access to the roster as a whole, which could change anything unseen.
///   [`into_roster`](Rewind::into_roster) ends the remembering.
///
/// # Examples
///
/// ```
/// use typed_pool::Rewind;
///
/// let mut world = Rewind::new();
/// let orc = world.insert("orc");
/// let before = world.mark();
///
/// world[orc] = "wounded orc";
/// world.remove(orc);
/// let elf = world.insert("elf");
///
/// world.rewind(before).unwrap();
/// assert_eq!(world.get(orc), Some(&"orc"));
/// assert!(!world.contains(elf));
///
/// // The same again has the same handles.
/// world.remove(orc);
/// assert_eq!(world.insert("elf"), elf);
/// ```
#[doc(alias("rollback", "undo", "snapshot", "history"))]
pub struct Rewind<T> {
    roster: Roster<T>,
    log: Log<T>,
    /// The number of the next mark.
    next: u64,
    /// The origin of its own marks, once there is one.
    origin: usize,
    /// The origin of the world's marks, if it is a part of one.
    world: usize,
}

impl<T> Rewind<T> {
    /// An empty rewind, which remembers nothing before the first mark. See [`Roster::new`].
    ///
    /// For a roster with room, a limit, a name or elements: `Rewind::from(roster)`.
    #[must_use]
    pub const fn new() -> Self {
        Self::of(Roster::new())
    }

    const fn of(roster: Roster<T>) -> Self {
        Self { roster, log: Log::new(), next: 1, origin: 0, world: 0 }
    }

    /// Returns the roster as it is now. Everything that was remembered is dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world: Rewind<u32> = (0..3).collect();
    /// let _ = world.mark();
    /// world.retain(|_, n| **n != 1);
    /// assert!(world.into_roster().into_values().eq([0, 2]));
    /// ```
    #[must_use]
    pub fn into_roster(self) -> Roster<T> {
        self.roster
    }

    /// Makes room for `additional` more elements, and room in the log for as many that are written to or removed. See
    /// [`Roster::reserve`].
    ///
    /// # Panics
    ///
    /// As [`Roster::reserve`].
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        if let Err(error) = self.try_reserve(additional) {
            error.raise();
        }
    }

    /// Like [`Rewind::reserve`], but returns an error.
    ///
    /// # Errors
    ///
    /// As [`Roster::try_reserve`].
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), Exhausted> {
        if additional == 0 {
            return Ok(());
        }
        self.roster.try_reserve(additional)?;
        let reserved = self.log.try_reserve(additional, self.roster.capacity());
        reserved.map_err(|entry| self.roster.reserve_error(additional, Some(entry)))?;
        self.log.reserved = self.log.reserved.max(additional);
        Ok(())
    }

    /// Makes all slots of an empty rewind without a mark fresh. Returns `false`, and changes nothing, if there is an element, or a
    /// mark ([`Rewind::confirm_all`] forgets marks). See [`Roster::renew`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Rewind, Roster};
    ///
    /// let mut world = Rewind::from(Roster::bounded(4));
    /// world.insert("orc");
    /// let _ = world.mark();
    /// world.clear();
    /// assert!(!world.renew(), "the orc may come back");
    /// world.confirm_all();
    /// assert!(world.renew());
    /// ```
    pub fn renew(&mut self) -> bool {
        !self.log.is_open() && self.roster.renew()
    }

    /// Returns the roster's statistics. `bytes` includes the log's memory, which is also shown as `log_bytes`. O(chunks + marks).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world: Rewind<[u64; 8]> = (0..100).map(|n| [n; 8]).collect();
    /// assert_eq!(world.stats().log_bytes, 0);
    /// let _ = world.mark();
    /// world.values_mut().for_each(|mut numbers| numbers[0] += 1);
    /// assert!(world.stats().log_bytes > 100 * 64);
    /// ```
    #[must_use]
    pub fn stats(&self) -> PoolStats {
        let log_bytes = self.log.bytes();
        let stats = self.roster.stats();
        PoolStats { bytes: stats.bytes + log_bytes, log_bytes, ..stats }
    }

    /// Puts `value` into the lowest vacant slot. O(1), unless the pool grows. See [`Roster::insert`].
    ///
    /// # Panics
    ///
    /// If it is bounded and no slot is vacant.
    #[inline]
    #[track_caller]
    pub fn insert(&mut self, value: T) -> Handle<T> {
        raised(self.try_insert(value))
    }

    /// Like [`Rewind::insert`], but gives the value back if no slot is vacant.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if it is bounded and no slot is vacant, or the heap has no room.
    #[track_caller]
    pub fn try_insert(&mut self, value: T) -> Result<Handle<T>, Exhausted<T>> {
        if let Err(exhausted) = self.try_reserve_entry() {
            return Err(exhausted.with_value(value));
        }
        let handle = self.roster.try_insert(value)?;
        self.log.push_empty(handle, false);
        Ok(handle)
    }

    /// Inserts the element that `f` makes, given its future handle. See [`Roster::insert_with`].
    ///
    /// # Panics
    ///
    /// If it is bounded and no slot is vacant, or if `f` panics; the handle that `f` has seen is stale then, until a rewind.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Rewind};
    ///
    /// struct Node { itself: Handle<Node> }
    ///
    /// let mut nodes = Rewind::new();
    /// let node = nodes.insert_with(|itself| Node { itself });
    /// assert_eq!(nodes[node].itself, node);
    /// # impl Clone for Node { fn clone(&self) -> Self { Node { itself: self.itself } } }
    /// ```
    #[track_caller]
    pub fn insert_with(&mut self, f: impl FnOnce(Handle<T>) -> T) -> Handle<T> {
        raised(self.try_insert_with(f))
    }

    /// Like [`Rewind::insert_with`], but returns an error if no slot is vacant; `f` is not called then.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if it is bounded and no slot is vacant, or the heap has no room.
    #[track_caller]
    pub fn try_insert_with(
        &mut self,
        f: impl FnOnce(Handle<T>) -> T,
    ) -> Result<Handle<T>, Exhausted> {
        self.try_reserve_entry()?;
        let handle = self.roster.reserve_slot()?;
        // Before `f`, since the slot has changed already, whether `f` panics or not.
        self.log.push_empty(handle, false);
        self.roster.fill_with(handle, f);
        Ok(handle)
    }

    /// Removes the element; `false` if the handle is stale. O(1).
    ///
    /// If a rewind may need the element, it moves into the log. So it is not returned, and its destructor does not run before
    /// [`confirm`](Rewind::confirm). Otherwise the element is dropped here: if there is no mark, or if the log already holds the
    /// state that its slot had at the last mark.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::rc::Rc;
    /// use typed_pool::Rewind;
    ///
    /// let rc = Rc::new(());
    /// let mut world = Rewind::new();
    /// let handle = world.insert(rc.clone());
    /// let _ = world.mark();
    /// assert!(world.remove(handle));
    /// assert!(!world.remove(handle), "stale");
    /// assert_eq!(Rc::strong_count(&rc), 2, "it could come back");
    ///
    /// let later = world.mark();
    /// world.confirm(later);
    /// assert_eq!(Rc::strong_count(&rc), 1);
    /// ```
    pub fn remove(&mut self, handle: Handle<T>) -> bool {
        raised(self.try_reserve_entry());
        let removed = self.roster.remove(handle);
        let is_removed = removed.is_some();
        drop(removed.and_then(|element| self.log.push_removed(handle, element)));
        is_removed
    }

    /// Removes every element. Their handles are stale then, and their destructors wait, as in [`Rewind::remove`].
    ///
    /// O(elements + slots / 64).
    pub fn clear(&mut self) {
        if !self.log.is_open() {
            return self.roster.clear();
        }
        let mut first = 0;
        while let Some(handle) = self.roster.handle_from(&mut first) {
            self.remove(handle);
        }
    }

    /// Gives back the slot of a [detached](Rewind::detach) element that will not return; see [`Roster::release`].
    pub fn release(&mut self, handle: Handle<T>) -> bool {
        self.log_detached(handle);
        self.roster.release(handle)
    }

    /// Puts an element into the slot of this handle, whose own element was [detached](Rewind::detach). O(1). See
    /// [`Roster::reattach`].
    ///
    /// # Panics
    ///
    /// If the handle's element is not detached.
    #[track_caller]
    pub fn reattach(&mut self, handle: Handle<T>, value: T) {
        self.log_detached(handle);
        self.roster.reattach(handle, value);
    }

    /// Like [`Rewind::reattach`], but returns an error.
    ///
    /// # Errors
    ///
    /// The value, if the handle's element is not detached, or the heap has no room for an entry of the log.
    #[track_caller]
    pub fn try_reattach(&mut self, handle: Handle<T>, value: T) -> Result<(), T> {
        if self.try_reserve_entry().is_err() {
            return Err(value);
        }
        self.log_detached(handle);
        self.roster.try_reattach(handle, value)?;
        Ok(())
    }

    /// Remembers the slot of an element, if that is detached.
    fn log_detached(&mut self, handle: Handle<T>) {
        raised(self.try_reserve_entry());
        if self.roster.is_detached(handle) {
            self.log.push_empty(handle, true);
        }
    }

    /// Makes sure that the log can take another entry, of whichever slot the next insertion takes.
    #[inline]
    fn try_reserve_entry(&mut self) -> Result<(), Exhausted> {
        if !self.log.is_open() {
            return Ok(());
        }
        let reserved = self.log.try_reserve(1, self.roster.capacity());
        reserved.map_err(|entry| self.roster.refused_by_heap(Some(entry)))
    }

    /// Whether a rewind to this mark is possible. O(log marks).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world = Rewind::<u32>::new();
    /// let (first, second) = (world.mark(), world.mark());
    /// world.confirm(second);
    /// assert!(!world.knows(first) && world.knows(second));
    /// ```
    #[must_use]
    pub fn knows(&self, mark: Mark) -> bool {
        self.log.find(mark).is_some()
    }

    /// Restores the state at the mark. The mark stays good, for further rewinds; later marks are forgotten.
    ///
    /// O(changes since the mark); no element is cloned. Elements that were inserted since are dropped, and so are the present
    /// values of changed elements, once the state is restored.
    ///
    /// # Errors
    ///
    /// [`Forgotten`], which says why, and nothing changes: a later mark was confirmed, a rewind went back to an earlier one, or the
    /// mark is another rewind's.
    ///
    /// # Panics
    ///
    /// If a destructor panics. The state is consistent, and the other elements are dropped, now or by the next rewind or
    /// confirmation.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Forgotten, Rewind};
    ///
    /// let mut world = Rewind::new();
    /// let marks: Vec<_> = (0..4).map(|n| { world.insert(n); world.mark() }).collect();
    /// world.rewind(marks[1])?;
    /// assert!(world.values().eq(&[0, 1]));
    /// world.insert(20);
    /// world.rewind(marks[1])?; // again
    /// assert!(world.values().eq(&[0, 1]));
    /// assert_eq!(world.rewind(marks[2]), Err(Forgotten::Rewound));
    /// # Ok::<_, Forgotten>(())
    /// ```
    #[doc(alias("rollback", "restore", "undo"))]
    #[track_caller]
    pub fn rewind(&mut self, mark: Mark) -> Result<(), Forgotten> {
        let rewound = self.log.rewind(&mut self.roster, mark);
        rewound.ok_or_else(|| self.why_forgotten(mark))?;
        self.log.drop_spent();
        Ok(())
    }

    /// Why a mark is not known.
    fn why_forgotten(&self, mark: Mark) -> Forgotten {
        if ![self.origin, self.world].contains(&mark.origin) || mark.number >= self.next {
            return Forgotten::Foreign;
        }
        self.log.why_forgotten(mark)
    }

    /// Forgets the marks before this one, and what was remembered for them: destructors of elements that were removed before the
    /// mark run now. The mark itself stays good. Does nothing if the mark is forgotten already.
    ///
    /// O(changes before the mark).
    ///
    /// # Panics
    ///
    /// If a destructor panics. The state is consistent, and the other elements are dropped, now or by the next rewind or
    /// confirmation.
    ///
    /// # Examples
    ///
    /// Eight marks at a time:
    ///
    /// ```
    /// use std::collections::VecDeque;
    /// use typed_pool::Rewind;
    ///
    /// let mut world: Rewind<u32> = (0..10).collect();
    /// let mut marks = VecDeque::new();
    /// for frame in 0..100 {
    ///     marks.push_back(world.mark());
    ///     if marks.len() > 8 {
    ///         marks.pop_front();
    ///         world.confirm(marks[0]);
    ///     }
    ///     world.values_mut().for_each(|mut number| *number += frame);
    /// }
    /// assert_eq!(marks.len(), 8);
    /// ```
    #[doc(alias("commit", "forget"))]
    pub fn confirm(&mut self, mark: Mark) {
        self.log.confirm(mark);
        self.log.drop_spent();
    }

    /// Forgets all marks, and remembers nothing until the next one. Destructors of removed elements run now, and the log's memory goes
    /// back to the heap, [reserved](Rewind::reserve) or not.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world: Rewind<u32> = (0..3).collect();
    /// let mark = world.mark();
    /// world.clear();
    /// world.confirm_all();
    /// assert!(world.rewind(mark).is_err());
    /// assert!(world.is_empty());
    /// ```
    pub fn confirm_all(&mut self) {
        drop(mem::replace(&mut self.log, Log::new()));
    }
}

impl<T: Clone> Rewind<T> {
    /// Gives the present state a name, to go back to later. O(1), unless most elements were written to since the previous mark:
    /// then all elements are copied, which is cheaper than to remember each.
    ///
    /// A mark is good until a later one is [confirmed](Rewind::confirm), or until a [rewind](Rewind::rewind) to an earlier one.
    /// Until then, the log keeps all changes since the mark in memory.
    ///
    /// # Panics
    ///
    /// If a clone panics; nothing has changed then.
    #[doc(alias("save", "snapshot", "checkpoint"))]
    #[must_use = "a mark that is lost keeps what it needs until another is confirmed"]
    pub fn mark(&mut self) -> Mark {
        let mark = Mark { number: self.next, origin: get_or_make(&mut self.origin) };
        self.mark_as(mark);
        mark
    }

    /// Makes this mark, whose number is at least the next.
    fn mark_as(&mut self, mark: Mark) {
        self.log.mark(mark, &self.roster);
        self.next = mark.number + 1;
        if mark.origin != self.origin {
            self.world = mark.origin;
        }
    }

    /// Returns the element, exclusively, if it is live. Its present value is remembered, since it may be written to. O(1).
    ///
    /// # Panics
    ///
    /// If a clone panics; nothing has changed then.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world = Rewind::new();
    /// let handle = world.insert(1);
    /// let mark = world.mark();
    /// if let Some(number) = world.get_mut(handle) {
    ///     *number += 1;
    /// }
    /// assert_eq!(world[handle], 2);
    /// world.rewind(mark).unwrap();
    /// assert_eq!(world[handle], 1);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<T>) -> Option<&mut T> {
        let element = self.roster.get_mut(handle)?;
        Memory::of(&mut self.log).before_write(handle, element);
        Some(element)
    }

    /// Returns several elements at once, exclusively, and remembers their present values; `None` if one of them is not live, or is
    /// named twice. O(N²). See [`Roster::get_disjoint_mut`].
    ///
    /// # Panics
    ///
    /// If a clone panics; nothing has changed then.
    #[must_use]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        handles: [Handle<T>; N],
    ) -> Option<[&mut T; N]> {
        let elements = self.roster.get_disjoint_mut(handles)?;
        for (handle, element) in handles.iter().zip(&elements) {
            Memory::of(&mut self.log).before_write(*handle, element);
        }
        Some(elements)
    }

    /// Removes every element for which `keep` returns `false`, in the order of memory. An element is remembered when `keep` first
    /// writes to it; destructors wait, as in [`Rewind::remove`]. O(slots / 64 + elements).
    ///
    /// # Panics
    ///
    /// If `keep` or a clone panics. What was removed before stays removed, and the rest stays in place.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world: Rewind<u32> = (0..4).collect();
    /// let mark = world.mark();
    /// world.retain(|_, n| { if **n == 3 { **n = 30 } **n % 2 == 0 });
    /// assert!(world.values().eq(&[0, 2, 30]));
    /// world.rewind(mark).unwrap();
    /// assert!(world.values().eq(&[0, 1, 2, 3]));
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(Handle<T>, &mut Touched<'_, T>) -> bool) {
        let mut first = 0;
        while let Some(handle) = self.choose(&mut first, |handle, element| !keep(handle, element)) {
            self.remove(handle);
        }
    }

    /// Removes the elements for which `is_to_go` returns `true`, and yields them in the order of memory. Where a rewind may need
    /// the element itself, as in [`Rewind::remove`], it yields a clone. Elements that the iterator does not reach stay. See
    /// [`Roster::extract_if`].
    ///
    /// # Panics
    ///
    /// `next` panics if `is_to_go` or a clone does; the element stays, and the iterator can go on behind it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world: Rewind<i32> = [3, -1, 8].into_iter().collect();
    /// let mark = world.mark();
    /// let dead: Vec<_> = world.extract_if(|_, health| **health < 0).map(|(_, health)| health).collect();
    /// assert_eq!((dead, world.len()), (vec![-1], 2));
    /// world.rewind(mark).unwrap();
    /// assert!(world.values().eq(&[3, -1, 8]));
    /// ```
    pub fn extract_if(
        &mut self,
        mut is_to_go: impl FnMut(Handle<T>, &mut Touched<'_, T>) -> bool,
    ) -> impl Iterator<Item = (Handle<T>, T)> {
        let mut first = 0;
        iter::from_fn(move || {
            let handle = self.choose(&mut first, &mut is_to_go)?;
            // If the clone panics, the element has not left. (Where the mark has copied, this notes the removal, which follows.)
            let kept = Memory::of(&mut self.log).first_write(handle.slot());
            let clone = kept.map(|_| self.roster[handle].clone());
            let element = self.log.push_removed(handle, self.roster.remove(handle)?);
            element.or(clone).map(|element| (handle, element))
        })
    }

    /// The first element from the slot `first` on that the closure chooses, with room for its entry. Moves `first` behind each slot
    /// before the closure, which may panic, sees its element.
    fn choose(
        &mut self,
        first: &mut usize,
        mut is_chosen: impl FnMut(Handle<T>, &mut Touched<'_, T>) -> bool,
    ) -> Option<Handle<T>> {
        loop {
            let handle = self.roster.handle_from(first)?;
            raised(self.try_reserve_entry());
            let Some(element) = self.roster.get_mut(handle) else { continue };
            let memory = Memory::of(&mut self.log);
            if is_chosen(handle, &mut Touched { handle, element, memory }) {
                return Some(handle);
            }
        }
    }

    /// Handles and elements, in the order of memory; each is remembered when it is first written to.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world: Rewind<u32> = (0..100).collect();
    /// let mark = world.mark();
    /// for (_, mut number) in world.iter_mut() {
    ///     if *number > 97 {
    ///         *number = 0; // this one alone is remembered, and the next
    ///     }
    /// }
    /// assert_eq!(world.changes(mark).count(), 2);
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        self.values_mut().map(|touched| (Touched::handle(&touched), touched))
    }

    /// The elements, in the order of memory; each is remembered when it is first written to.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world: Rewind<u32> = (1..=4).collect();
    /// let mark = world.mark();
    /// world.values_mut().for_each(|mut number| *number *= 2);
    /// assert!(world.values().eq(&[2, 4, 6, 8]));
    /// world.rewind(mark).unwrap();
    /// assert!(world.values().eq(&[1, 2, 3, 4]));
    /// ```
    #[inline]
    #[must_use]
    pub fn values_mut(&mut self) -> ValuesMut<'_, T> {
        let memory = Memory::of(&mut self.log);
        ValuesMut { elements: self.roster.iter_mut(), memory }
    }

    /// Takes the element out and keeps its slot and its handle for it, until [`Rewind::reattach`]. O(1). A clone is remembered:
    /// after a rewind, that clone is in its place, whatever has become of the element that was taken out. See [`Roster::detach`].
    ///
    /// # Panics
    ///
    /// If a clone panics; nothing has changed then.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world = Rewind::new();
    /// let orc = world.insert("orc");
    /// let mark = world.mark();
    /// let away = world.detach(orc).unwrap();
    /// world.rewind(mark).unwrap();
    /// assert_eq!(world[orc], "orc");
    /// assert_eq!(world.try_reattach(orc, away), Err("orc"), "it is there");
    /// ```
    #[must_use = "without `reattach` or `release` the slot stays occupied; `remove` drops the element"]
    pub fn detach(&mut self, handle: Handle<T>) -> Option<T> {
        self.get_mut(handle)?;
        self.roster.detach(handle)
    }
}

impl<T> Deref for Rewind<T> {
    type Target = Roster<T>;

    #[inline(always)]
    fn deref(&self) -> &Roster<T> {
        &self.roster
    }
}

impl<T> Index<Handle<T>> for Rewind<T> {
    type Output = T;

    /// The element.
    ///
    /// # Panics
    ///
    /// If there is none, as `Index` of a [`Roster`] says.
    #[inline]
    #[track_caller]
    fn index(&self, handle: Handle<T>) -> &T {
        &self.roster[handle]
    }
}

impl<T: Clone> IndexMut<Handle<T>> for Rewind<T> {
    /// The element, whose present value is remembered.
    ///
    /// # Panics
    ///
    /// If there is none, as `Index` of a [`Roster`] says, or if a clone panics.
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, handle: Handle<T>) -> &mut T {
        let element = &mut self.roster[handle];
        Memory::of(&mut self.log).before_write(handle, element);
        element
    }
}
