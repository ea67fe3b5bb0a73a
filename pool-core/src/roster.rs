//! A pool whose elements are known by handles.

use crate::base::config::{Bound, Config};
use crate::base::exhausted::{Exhausted, raised};
use crate::base::handle::Handle;
use crate::base::ledger::Published;
use crate::base::watch::sites::{IS_SITED, Line};
use crate::roster::directory::Directory;
use crate::roster::store::Store;
pub(crate) use crate::roster::word::RawHandle;
use crate::roster::word::{MAX_SLOTS, first_word, next_tag, noted_tag};

mod access;
mod dense;
mod detach;
pub(crate) mod directory;
mod figures;
mod grow;
pub(crate) mod iter;
mod occupancy;
mod order;
#[cfg(feature = "rayon")]
mod rayon;
mod remove;
pub mod secondary_map;
#[cfg(feature = "serde")]
mod serde;
mod store;
#[cfg(test)]
mod tests;
mod traits;
mod walk;
mod word;

pub use detach::VacantEntry;
pub use iter::{Handles, Iter, IterMut, Values, ValuesMut};
pub use order::Order;
pub use remove::{Drain, IntoIter, IntoValues};

/// A pool that owns its elements and gives out [`Handle`]s to them.
///
/// For objects that refer to one another and come and go: a monster's target, a missile's owner. A handle may be kept for any
/// length of time; once its element is gone, the handle finds nothing. Elements never move, iteration goes in the order of memory,
/// and a dense order is kept on request ([`Roster::order`]).
///
/// Inserting, removing and finding are O(1), except when an insertion adds a chunk; the lowest vacant slot is used
/// first. The first chunk has 16 slots, or as many as 1 KiB has room for, but at least 4, and each further chunk doubles
/// the roster; two elements of 16 bytes take 380 bytes, with all tables. Besides an element's own bytes, a slot costs 4 bytes and a bit, and 8 bytes more
/// once the dense order is requested.
///
/// Elements may be of any size, zero included. A roster is covariant in `T`, as a `Vec` is; a handle stands for exactly
/// one type.
///
/// The page `guide::migrating` of `typed-pool` lists the names of slotmap, slab, thunderdome, generational-arena and `HashMap`
/// beside ours. It also lists what a roster lacks (`compact`, since elements never move; keys of your own choice), and what to use
/// instead.
///
/// The technique is the swap-delete pool of T. Cohen (*A Dynamic Component Architecture for High
/// Performance Gameplay*, 2010) as M. Labbe described it (2023), with an occupancy bitmap beside the
/// roster, so that iteration need not follow the shuffled dense order.
///
/// # Examples
///
/// ```
/// use typed_pool::{Handle, Roster};
///
/// struct Monster { health: i32, target: Option<Handle<Monster>> }
///
/// let mut monsters = Roster::new();
/// let orc = monsters.insert(Monster { health: 40, target: None });
/// let goblin = monsters.insert(Monster { health: 5, target: Some(orc) });
///
/// for monster in monsters.values_mut() {
///     monster.health -= 10;
/// }
/// monsters.retain(|_, monster| monster.health > 0);
///
/// assert!(monsters.contains(orc));
/// assert!(monsters.get(goblin).is_none(), "stale");
/// ```
#[doc(alias("SlotMap", "HopSlotMap", "DenseSlotMap", "Slab", "Arena"))]
pub struct Roster<T> {
    store: Store<T>,
    /// The states of the store's slots.
    directory: Directory,
    pub(crate) config: Config,
    /// The memory that it has added to the totals of its type, if it is a type's own.
    pub(crate) published: Published,
}

// SAFETY: the roster owns its elements, and its pointers lead to nothing else.
unsafe impl<T: Send> Send for Roster<T> {}
// SAFETY: a shared roster gives out shared references only, and nothing changes behind it.
unsafe impl<T: Sync> Sync for Roster<T> {}

impl<T> Roster<T> {
    /// An empty roster, which allocates its first chunk for the first element.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let roster = Roster::<u8>::new();
    /// assert_eq!((roster.len(), roster.capacity()), (0, 0));
    /// ```
    #[doc(alias = "with_key")]
    #[must_use]
    pub const fn new() -> Self {
        Self::with_config(Config::new())
    }

    pub(crate) const fn with_config(config: Config) -> Self {
        let config = match config.max {
            // The limit of all rosters is no bound of this one: no advice could raise it.
            MAX_SLOTS.. => Config { max: MAX_SLOTS, bound: Bound::None, ..config },
            _ => config,
        };
        Self {
            store: Store::new(),
            directory: Directory::EMPTY,
            config,
            published: Published::NONE,
        }
    }

    /// An empty roster whose handles have this tag, so that the same operations give the same handles, hashes, orders and
    /// saved bytes in every process: for lockstep, replays, and tests that compare.
    ///
    /// Other rosters get a tag of their own with their first memory; it depends on what the process has done before. A chosen tag
    /// no longer tells rosters apart: a roster may accept a handle of another one with the same tag
    /// ([`Handle`](Handle#the-64-bits)). So choose a different tag for each roster of one type.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let [mut here, mut there] = [7, 7].map(Roster::tagged);
    /// assert_eq!(here.insert("orc"), there.insert("orc"));
    /// assert_eq!(here, there);
    /// assert_eq!(here.tag(), Some(7));
    /// ```
    ///
    /// In a type's own pool, where every thread's roster has this tag:
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster, tag = 7)]
    /// struct Monster(u32);
    ///
    /// let monster = Monster::pool_insert(Monster(40));
    /// assert_eq!(monster.tag(), 7);
    /// ```
    #[must_use]
    pub const fn tagged(tag: u8) -> Self {
        Self::with_config(Config::new().tag(tag))
    }

    /// Returns the tag of the roster's handles: [chosen](Roster::tagged), or assigned with the roster's first memory; `None` before
    /// that.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// assert_eq!(roster.tag(), None);
    /// let handle = roster.insert(());
    /// assert_eq!(roster.tag(), Some(handle.tag()));
    /// ```
    #[must_use]
    pub fn tag(&self) -> Option<u8> {
        self.directory.tag().or(self.config.tag)
    }

    /// Makes all slots of an empty roster fresh, retired ones included. Returns `false`, and changes nothing, if an element is live
    /// or detached. O(slots).
    ///
    /// The roster gets another tag, so stale handles stay stale. A roster keeps its tag, though, if the program has chosen it
    /// ([`Roster::tagged`]) or `serde` has read it. Then generations begin anew, and an old handle may find a new element. In that
    /// case, [tidy](crate::SecondaryMap::tidy) secondary maps first: they would take their old values for newer ones.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut monsters = Roster::bounded(4);
    /// let orc = monsters.insert("orc");
    /// assert!(!monsters.renew());
    /// monsters.clear(); // a level ends
    /// assert!(monsters.renew());
    /// assert_eq!(monsters.insert("orc").generation(), 1);
    /// assert!(!monsters.contains(orc));
    /// ```
    pub fn renew(&mut self) -> bool {
        let is_unused = self.is_unused();
        if is_unused && self.directory.first_word != 0 {
            self.directory.renew(self.new_first_word());
        }
        is_unused
    }

    /// The first word of slots with the chosen tag, or with a new one.
    fn new_first_word(&self) -> u32 {
        first_word(self.config.tag.map_or_else(next_tag, noted_tag))
    }

    /// Returns the same roster, called `name` in [`stats`](Self::stats) and messages: `Roster::bounded(8).with_name("orcs")`.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let orcs = Roster::<u64>::bounded(8).with_name("orcs");
    /// assert_eq!(orcs.stats().name, "orcs");
    /// ```
    #[must_use]
    pub const fn with_name(mut self, name: &'static str) -> Self {
        self.config.name = Some(name);
        self
    }

    /// A roster with room for `capacity` elements before it grows, in one chunk.
    ///
    /// The room is rounded up, by less than 4 KiB, and by 63 slots at most.
    ///
    /// # Panics
    ///
    /// If `capacity` exceeds `u32::MAX` slots or `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let roster = Roster::<[f32; 4]>::with_capacity(1000);
    /// assert!(roster.capacity() >= 1000);
    /// assert_eq!(roster.stats().chunks, 1);
    /// ```
    #[doc(alias = "with_capacity_and_key")]
    #[track_caller]
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut roster = Self::new();
        roster.reserve(capacity);
        roster
    }

    /// A roster of `capacity` slots in one chunk, which never grows.
    ///
    /// A slot is retired after 8,388,607 uses, so a bounded roster that runs for months wears out: [`Roster::renew`] it while it is
    /// empty, or take a growing roster and compare its [`len`](Roster::len).
    ///
    /// # Panics
    ///
    /// If `capacity` exceeds `u32::MAX` slots or `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::bounded(1);
    /// let only = roster.insert("only");
    /// assert_eq!(roster.try_insert("other").unwrap_err().into_inner(), "other");
    /// roster.remove(only);
    /// assert!(roster.try_insert("other").is_ok());
    /// ```
    #[track_caller]
    #[must_use]
    pub fn bounded(capacity: usize) -> Self {
        let mut roster = Self::with_config(Config::bounded(capacity));
        roster.reserve(capacity);
        roster
    }

    /// Puts `value` into the lowest vacant slot. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the roster is bounded and no slot is vacant ([`Roster::try_insert`] does not).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let hello = roster.insert("hello");
    /// assert_eq!(roster[hello], "hello");
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn insert(&mut self, value: T) -> Handle<T> {
        // The slot first: a failure that holds the value would take it through memory.
        let entry = match self.directory.insert_at_hand() {
            Some(entry) => entry,
            None => self.claim_or_raise(),
        };
        // As in `put`, which an unoptimised build would hand another copy of the value.
        // SAFETY: a slot that was vacant exists.
        let place = unsafe { self.store.place(entry.0) };
        // SAFETY: it holds no element.
        unsafe { place.write(value) };
        Handle::new(entry.0, entry.1)
    }

    /// Puts `value` into the lowest vacant slot, or gives it back if there is none.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if the roster is bounded and no slot is vacant, or the heap has no room.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::bounded(0);
    /// assert_eq!(roster.try_insert("lost?").unwrap_err().into_inner(), "lost?");
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn try_insert(&mut self, value: T) -> Result<Handle<T>, Exhausted<T>> {
        match self.claim() {
            Some(entry) => Ok(self.put(entry, value)),
            None => Err(self.exhausted().with_value(value)),
        }
    }

    /// The lowest vacant slot, which counts as live from here on: the caller must [put](Roster::put) an element
    /// there. `None` if the limit does not allow another.
    #[inline(always)]
    fn claim(&mut self) -> Option<RawHandle> {
        match self.directory.insert_at_hand() {
            Some(entry) => Some(entry),
            None => self.claim_rarely(),
        }
    }

    #[cold]
    #[inline(never)]
    fn claim_rarely(&mut self) -> Option<RawHandle> {
        self.grown_for(Directory::insert).ok()
    }

    /// Puts an element into a slot that was vacant.
    #[inline(always)]
    #[track_caller]
    fn put(&mut self, (slot, word): RawHandle, value: T) -> Handle<T> {
        // SAFETY: a slot that was vacant exists.
        let place = unsafe { self.store.place(slot) };
        // SAFETY: it holds no element.
        unsafe { place.write(value) };
        Handle::new(slot, word)
    }

    /// Enters the line that made an element which was just put in.
    #[inline(always)]
    pub(crate) fn sign(&self, element: Option<Handle<T>>, line: Line) {
        if IS_SITED {
            element.into_iter().for_each(|handle| line.enter(self.store.site(handle.slot())));
        }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn claim_or_raise(&mut self) -> RawHandle {
        raised(self.grown_for(Directory::insert))
    }

    /// Inserts the element that `f` makes, given its future handle.
    ///
    /// The handle finds nothing while `f` runs. If `f` panics, the slot goes back, and the handle that
    /// `f` has seen is stale.
    ///
    /// # Panics
    ///
    /// If the roster is bounded and no slot is vacant, or if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Roster};
    ///
    /// struct Node { parent: Handle<Node> }
    ///
    /// let mut nodes = Roster::new();
    /// let root = nodes.insert_with(|itself| Node { parent: itself });
    /// assert_eq!(nodes[root].parent, root);
    /// ```
    #[doc(alias = "insert_with_key")]
    #[inline]
    #[track_caller]
    pub fn insert_with(&mut self, f: impl FnOnce(Handle<T>) -> T) -> Handle<T> {
        raised(self.try_insert_with(f))
    }

    /// Like [`Roster::insert_with`], but returns an error if no slot is vacant; `f` is not called then.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the roster is bounded and no slot is vacant, or the heap has no room.
    ///
    /// # Panics
    ///
    /// If `f` panics; the slot goes back.
    #[doc(alias = "try_insert_with_key")]
    #[track_caller]
    pub fn try_insert_with(
        &mut self,
        f: impl FnOnce(Handle<T>) -> T,
    ) -> Result<Handle<T>, Exhausted> {
        let handle = self.reserve_slot()?;
        self.fill_with(handle, f);
        Ok(handle)
    }
}
