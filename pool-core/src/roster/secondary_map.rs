//! Values beside a roster's elements, known by the same handles.

use alloc::alloc::handle_alloc_error;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::fmt;
use core::mem;

use crate::base::handle::Handle;
use crate::roster::Roster;
use crate::roster::secondary_map::list::{Keyed, List};

mod access;
mod iter;
mod list;

pub use iter::{Exactly, IntoIter, Iter, IterMut};

/// Slots in one piece, by the lower bits of their number. It has no memory before one of them has a value.
type Page<T, V> = Box<[Option<Keyed<T, V>>]>;

/// Bytes of a page, unless one slot needs more.
const PAGE: usize = 256;

/// How many pages the table may always name.
const FREE: usize = 64;

/// Values keyed by the [`Handle`]s of a [`Roster`], without the roster knowing of the map.
///
/// For data that only some systems need, or only some elements have: the path of a walking monster, the physics engine's id of a
/// body. Finding a value reads a table by the handle's slot and a page of values, and compares generation and tag, so a stale
/// handle finds nothing, even if its slot is in use again.
///
/// The map does not notice removals from the roster: the value of a removed element stays until its handle is
/// removed here as well, or a newer handle to the same slot is inserted. [`SecondaryMap::tidy`] drops all such values.
///
/// A map is meant for the handles of one roster. It tells handles of other rosters apart, by their tag, but has one
/// place for each slot number: the last inserted handle gets it.
///
/// Values lie in pages of 256 bytes, or of one larger value. A page is allocated only where a value is; each of its slots takes 8
/// bytes and a value, rounded up to the alignment. A table of two words a page leads to the pages. The number of values bounds
/// the length of the table: for each value, it may have as many bytes as a page. Values of slots beyond the table lie in a list by
/// slot, until there are more values. (That is so if fewer than one in some hundreds of slots has a value, or if the handle came
/// from outside.) In the list, a value takes its own bytes and 8 more, and finding it takes a search. So **memory follows the
/// values, whatever their handles are**. Removing a value keeps its page for the next one; `map = map.drain().collect()` gives back what
/// removed values took. For values that few of many elements have, [`SparseSecondaryMap`] is the list alone.
///
/// # Examples
///
/// ```
/// use typed_pool::{Roster, SecondaryMap};
///
/// let mut monsters = Roster::new();
/// let (orc, goblin) = (monsters.insert("orc"), monsters.insert("goblin"));
///
/// let mut poison = SecondaryMap::new();
/// poison.insert(goblin, 3);
/// assert_eq!(poison.get(orc), None);
///
/// monsters.remove(goblin);
/// let troll = monsters.insert("troll"); // in the same slot
/// assert_eq!(poison.get(troll), None);
/// poison.insert(troll, 5);
/// assert_eq!((poison.get(goblin), poison.get(troll)), (None, Some(&5)));
/// ```
pub type SecondaryMap<T, V> = HandleMap<T, V, false>;

/// A [`SecondaryMap`] for values that few of many elements have.
///
/// It has the methods of a `SecondaryMap`, with the same results in the same order. Only the values lie elsewhere: in a list that
/// is sorted by slots, in pieces of 4 KiB. Each value takes its own bytes and 8 more, rounded up to the alignment, wherever its
/// slot is. Finding one of n values takes log n steps: about as long as in a `HashMap` with hundreds of values, and longer with
/// many thousands. Inserting or removing a value moves those behind it in its piece. A piece keeps the room of removed values until
/// its last one goes; `map = map.drain().collect()` packs the pieces.
///
/// Unlike a `HashMap<Handle<T>, V>`, it has one place for each slot. So the value of a newer element replaces that of a stale one,
/// and dead values do not pile up. And its order is the same in every run.
///
/// # Examples
///
/// ```
/// use typed_pool::{Roster, SparseSecondaryMap};
///
/// let mut monsters: Roster<usize> = (0..10_000).collect();
/// let boss = monsters.handles().last().unwrap();
/// let mut crowns = SparseSecondaryMap::from_iter([(boss, "gold")]);
///
/// monsters.remove(boss);
/// let heir = monsters.insert(1); // in the same slot
/// crowns.insert(heir, "iron");
/// assert_eq!((crowns.len(), crowns.get(boss), crowns.get(heir)), (1, None, Some(&"iron")));
///
/// monsters.remove(heir);
/// crowns.tidy(&monsters);
/// assert!(crowns.is_empty());
/// ```
pub type SparseSecondaryMap<T, V> = HandleMap<T, V, true>;

/// [`SecondaryMap`] and [`SparseSecondaryMap`], for code that takes either.
///
/// # Examples
///
/// ```
/// use typed_pool::secondary_map::HandleMap;
/// use typed_pool::{Roster, SecondaryMap, SparseSecondaryMap};
///
/// fn total<T, const SPARSE: bool>(map: &HandleMap<T, u32, SPARSE>) -> u32 {
///     map.values().sum()
/// }
///
/// let mut roster = Roster::new();
/// let (a, b) = (roster.insert('a'), roster.insert('b'));
/// assert_eq!(total(&SecondaryMap::from_iter([(a, 1), (b, 2)])), 3);
/// assert_eq!(total(&SparseSecondaryMap::from_iter([(a, 1)])), 1);
/// ```
pub struct HandleMap<T, V, const SPARSE: bool> {
    /// The pages of the first slots. It is as long as the values pay for, so no slot, however high, decides what is allocated. `SPARSE`:
    /// there is none.
    table: Vec<Page<T, V>>,
    /// Values behind the table's end, until the table reaches them.
    far: List<T, V>,
    len: usize,
}

impl<T, V, const SPARSE: bool> HandleMap<T, V, SPARSE> {
    /// An empty map, which allocates with the first value.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::SecondaryMap;
    ///
    /// let map = SecondaryMap::<String, u32>::new();
    /// assert!(map.is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { table: Vec::new(), far: List::new(), len: 0 }
    }

    /// How many values there are. O(1).
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no value.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Inserts a value for the handle, and returns the handle's previous value. O(1) amortised; O(√n) for one of n values in the
    /// list.
    ///
    /// The value of another handle to the same slot is dropped, since that handle is stale: an older one of the
    /// same roster, or one of a roster with another tag.
    ///
    /// **If the slot has the value of a newer handle, this one is stale, and `value` is dropped.**
    /// [`SecondaryMap::try_insert`] gives it back. So it is with [`Handle::DANGLING`], which is never valid.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let old = roster.insert('a');
    /// let mut map = SecondaryMap::new();
    /// assert_eq!(map.insert(old, 1), None);
    /// assert_eq!(map.insert(old, 2), Some(1));
    ///
    /// roster.remove(old);
    /// let new = roster.insert('b');
    /// assert_eq!(map.insert(new, 3), None);
    /// assert_eq!(map.insert(old, 4), None, "stale");
    /// assert_eq!((map.len(), map[new]), (1, 3));
    /// ```
    pub fn insert(&mut self, handle: Handle<T>, value: V) -> Option<V> {
        match self.try_insert(handle, value) {
            Ok(before) => before,
            Err(_) if self.is_stale(handle) => None,
            Err(_) => handle_alloc_error(Layout::new::<Option<Keyed<T, V>>>()),
        }
    }

    /// Like [`SecondaryMap::insert`], but gives the value back if the handle is known to be stale, or the heap has no room.
    ///
    /// # Errors
    ///
    /// The value, if the slot has one for a newer handle of the same roster, or the handle is [`Handle::DANGLING`]. Also
    /// if the heap has no room; then nothing has changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let old = roster.insert('a');
    /// roster.remove(old);
    /// let new = roster.insert('b');
    ///
    /// let mut map = SecondaryMap::new();
    /// assert_eq!(map.try_insert(old, 1), Ok(None), "nothing is known of a newer one");
    /// assert_eq!(map.try_insert(new, 2), Ok(None));
    /// assert_eq!(map.try_insert(old, 3), Err(3));
    /// ```
    pub fn try_insert(&mut self, handle: Handle<T>, value: V) -> Result<Option<V>, V> {
        // No roster has the last slot.
        if handle.slot() == u32::MAX {
            return Err(value);
        }
        match self.kept_mut(handle.index()) {
            Some((present, _)) if is_newer(*present, handle) => Err(value),
            Some((present, place)) => {
                let is_same = mem::replace(present, handle).raw() == handle.raw();
                let before = mem::replace(place, value);
                Ok(is_same.then_some(before))
            }
            None => self.insert_new((handle, value)).map(|()| None),
        }
    }

    /// Like [`SecondaryMap::insert`], for an element that is live in `roster`: its value replaces whatever the map has for the
    /// slot. O(1) amortised.
    ///
    /// Use it beside a [`Rewind`](crate::Rewind). A rewind sets generations back, so by itself the map would take its values from
    /// before the rewind for newer ones.
    ///
    /// # Errors
    ///
    /// The value, if the element is not live in `roster`, or the heap has no room.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Rewind, SecondaryMap};
    ///
    /// let (mut world, mut names) = (Rewind::new(), SecondaryMap::new());
    /// let mark = world.mark();
    /// let orc = world.insert("orc");
    /// world.remove(orc);
    /// let elf = world.insert("elf"); // in the same slot
    /// names.insert(elf, "Elrond");
    ///
    /// world.rewind(mark).unwrap();
    /// let troll = world.insert("troll");
    /// assert_eq!(names.insert_live(&world, troll, "Tom"), Ok(None));
    /// assert_eq!(names[troll], "Tom");
    /// assert_eq!(names.insert_live(&world, elf, "Elrond"), Err("Elrond"));
    /// ```
    pub fn insert_live(
        &mut self,
        roster: &Roster<T>,
        handle: Handle<T>,
        value: V,
    ) -> Result<Option<V>, V> {
        if !self.make_way(roster, handle) {
            return Err(value);
        }
        self.try_insert(handle, value)
    }

    /// Drops what else the slot of an element has, if the element is live in `roster`; tells whether it is.
    fn make_way(&mut self, roster: &Roster<T>, handle: Handle<T>) -> bool {
        let is_live = roster.contains(handle);
        if is_live {
            self.keep_only(handle.slot(), Some(handle));
        }
        is_live
    }

    /// Whether the handle is known to be stale.
    fn is_stale(&self, handle: Handle<T>) -> bool {
        let present = self.kept(handle.index());
        handle.slot() == u32::MAX || present.is_some_and(|kept| is_newer(kept.0, handle))
    }

    /// Takes the handle's value out. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("orc");
    /// let mut map = SecondaryMap::from_iter([(handle, 1)]);
    /// assert_eq!(map.remove(handle), Some(1));
    /// assert_eq!(map.remove(handle), None);
    /// ```
    pub fn remove(&mut self, handle: Handle<T>) -> Option<V> {
        let at = handle.index();
        let removed = if let Some(page) = self.table.get_mut(at / Self::SLOTS) {
            page.get_mut(at % Self::SLOTS)?.take_if(|kept| kept.0 == handle)?
        } else {
            self.far.get(at).filter(|kept| kept.0 == handle)?;
            self.far.remove(at)?
        };
        self.len -= 1;
        Some(removed.1)
    }

    /// Removes every value for which `keep` returns `false`, in the order of slots. O(slots). To remove the values of elements that
    /// are gone, call [`HandleMap::tidy`].
    ///
    /// # Panics
    ///
    /// If `keep` or a destructor panics. What was removed before stays removed, and the rest stays in place.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let roster: Roster<usize> = (0..10).collect();
    /// let mut map: SecondaryMap<_, _> = roster.iter().map(|(handle, n)| (handle, n * 2)).collect();
    /// map.retain(|_, value| *value < 6);
    /// assert_eq!(map.len(), 3);
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(Handle<T>, &mut V) -> bool) {
        let Self { table, far, len } = self;
        let mut is_dead = |(handle, value): &mut Keyed<T, V>| {
            let is_dead = !keep(*handle, value);
            // Counted before it is dropped, which may panic.
            *len -= usize::from(is_dead);
            is_dead
        };
        for page in table {
            for slot in page {
                drop(slot.take_if(&mut is_dead));
            }
        }
        let (mut piece, mut place) = (0, 0);
        while let Some(values) = far.pieces.get_mut(piece) {
            let Some(kept) = values.get_mut(place) else {
                (piece, place) = (piece + 1, 0);
                continue;
            };
            if is_dead(kept) {
                let at = kept.0.index();
                drop(far.remove(at));
            } else {
                place += 1;
            }
        }
    }

    /// Drops the values whose elements are no longer in the roster, or never were. O(slots).
    ///
    /// An element that is [detached](Roster::detach) is not in the roster: tidy when it is back, or keep its value yourself.
    ///
    /// # Panics
    ///
    /// As [`HandleMap::retain`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster: Roster<usize> = (0..10).collect();
    /// let mut map: SecondaryMap<_, _> = roster.handles().map(|handle| (handle, "path")).collect();
    /// roster.retain(|_, n| *n < 3);
    /// map.tidy(&roster);
    /// assert_eq!(map.len(), 3);
    /// ```
    ///
    /// A type's own roster is lent by `pool_read`: `Monster::pool_read(|monsters| paths.tidy(monsters))`.
    pub fn tidy(&mut self, roster: &Roster<T>) {
        self.retain(|handle, _| roster.contains(handle));
    }

    /// Drops the value in a slot, unless it belongs to this handle.
    pub(crate) fn keep_only(&mut self, slot: u32, handle: Option<Handle<T>>) {
        let kept = self.kept(slot as usize).map(|kept| kept.0);
        if let Some(other) = kept.filter(|&kept| handle != Some(kept)) {
            drop(self.remove(other));
        }
    }

    /// Removes every value. A map keeps its pages, and a sparse one its first piece. O(slots).
    ///
    /// # Panics
    ///
    /// If a destructor panics; the map is empty all the same.
    pub fn clear(&mut self) {
        // What is not back in its place after a panic is dropped by the unwinding.
        let Self { mut table, mut far, .. } = mem::take(self);
        table.iter_mut().for_each(|page| page.fill_with(|| None));
        far.pieces.truncate(1);
        far.pieces.iter_mut().for_each(Vec::clear);
        (self.table, self.far) = (table, far);
    }
}

impl<T, V, const SPARSE: bool> HandleMap<T, V, SPARSE> {
    /// Slots in a page: a power of two.
    const SLOTS: usize = {
        let slots = PAGE / size_of::<Option<Keyed<T, V>>>();
        if slots > 1 { 1 << slots.ilog2() } else { 1 }
    };

    /// How many pages the table may have for each value: they take as much memory as the slots of one.
    const PAID: usize = {
        let slots = Self::SLOTS * size_of::<Option<Keyed<T, V>>>();
        (if slots > PAGE { slots } else { PAGE }) / size_of::<Page<T, V>>()
    };

    /// Returns the value of a slot.
    #[inline]
    fn kept(&self, at: usize) -> Option<&Keyed<T, V>> {
        match self.table.get(at / Self::SLOTS) {
            Some(page) => page.get(at % Self::SLOTS)?.as_ref(),
            None => self.far.get(at),
        }
    }

    /// Returns the value of a slot, exclusively.
    #[inline]
    fn kept_mut(&mut self, at: usize) -> Option<&mut Keyed<T, V>> {
        match self.table.get_mut(at / Self::SLOTS) {
            Some(page) => page.get_mut(at % Self::SLOTS)?.as_mut(),
            None => self.far.get_mut(at),
        }
    }

    /// Puts a value into a slot that has none; gives it back if the heap has no room.
    #[inline]
    fn insert_new(&mut self, kept: Keyed<T, V>) -> Result<(), V> {
        let at = kept.0.index();
        match self.table.get_mut(at / Self::SLOTS) {
            Some(page) if !page.is_empty() => page[at % Self::SLOTS] = Some(kept),
            _ => self.insert_rarely(kept)?,
        }
        self.len += 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn insert_rarely(&mut self, kept: Keyed<T, V>) -> Result<(), V> {
        let (at, number) = (kept.0.index(), kept.0.index() / Self::SLOTS);
        // How many pages the values pay for.
        let paid = (self.len + 1).saturating_mul(Self::PAID).saturating_add(FREE);
        let paid = if SPARSE { 0 } else { paid };
        let may_open = self.adopt(paid).is_some() && number < paid;
        if (may_open || number < self.table.len()) && self.open(number).is_some() {
            self.table[number][at % Self::SLOTS] = Some(kept);
            return Ok(());
        }
        // The list has what lies behind the table's end.
        if number < self.table.len() { Err(kept.1) } else { self.far.insert(kept) }
    }

    /// Moves the values whose pages are before `pages` from the list into the table; `None` if the heap has no room for all.
    fn adopt(&mut self, pages: usize) -> Option<()> {
        let page_of = |at: usize| at / Self::SLOTS;
        while let Some(number) = self.far.first().map(page_of).filter(|&number| number < pages) {
            self.open(number)?;
            while let Some(at) = self.far.first().filter(|&at| page_of(at) == number) {
                self.table[number][at % Self::SLOTS] = self.far.remove(at);
            }
        }
        Some(())
    }

    /// Gives memory to a page that has none, in a table that reaches there; `None` if the heap has no room.
    fn open(&mut self, number: usize) -> Option<()> {
        if self.table.get(number).is_some_and(|page| !page.is_empty()) {
            return Some(());
        }
        let mut slots = Vec::new();
        slots.try_reserve_exact(Self::SLOTS).ok()?;
        slots.resize_with(Self::SLOTS, || None);
        if number >= self.table.len() {
            self.table.try_reserve(number + 1 - self.table.len()).ok()?;
            self.table.resize_with(number + 1, Page::default);
        }
        self.table[number] = slots.into_boxed_slice();
        Some(())
    }
}

/// Whether `present` is a handle that is known to be newer than another to its slot. Between rosters with different tags,
/// that is not known.
fn is_newer<T>(present: Handle<T>, other: Handle<T>) -> bool {
    present.tag() == other.tag() && present.word() > other.word()
}

impl<T, V, const SPARSE: bool> Default for HandleMap<T, V, SPARSE> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, V: Clone, const SPARSE: bool> Clone for HandleMap<T, V, SPARSE> {
    fn clone(&self) -> Self {
        Self {
            table: self.table.clone(),
            far: List { pieces: self.far.pieces.clone() },
            len: self.len,
        }
    }
}

/// Two maps are equal if they have equal values for the same handles.
impl<T, V: PartialEq, const SPARSE: bool> PartialEq for HandleMap<T, V, SPARSE> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T, V: Eq, const SPARSE: bool> Eq for HandleMap<T, V, SPARSE> {}

impl<T, V: fmt::Debug, const SPARSE: bool> fmt::Debug for HandleMap<T, V, SPARSE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T, V, const SPARSE: bool> Extend<(Handle<T>, V)> for HandleMap<T, V, SPARSE> {
    /// [Inserts](HandleMap::insert) every value, in turn.
    fn extend<I: IntoIterator<Item = (Handle<T>, V)>>(&mut self, pairs: I) {
        pairs.into_iter().for_each(|(handle, value)| {
            self.insert(handle, value);
        });
    }
}

impl<T, V, const SPARSE: bool> FromIterator<(Handle<T>, V)> for HandleMap<T, V, SPARSE> {
    fn from_iter<I: IntoIterator<Item = (Handle<T>, V)>>(pairs: I) -> Self {
        let mut map = Self::new();
        map.extend(pairs);
        map
    }
}
