//! The trait that `#[derive(Pooled)]` implements.

use core::any::type_name;
use core::pin::Pin;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::ledger::{OpError, PoolOps, TypeFacts};
use crate::base::sealed::Sealed;
use crate::base::stats::{self, PoolStats};
#[cfg(feature = "sites")]
use crate::base::watch::sites::list::Site;
use crate::derived::storage::{BoxStorage, Boxes, PoolKind, RosterHandles, Storage};
use crate::init::{Init, TryInitError};
use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::{OwnPool, PoolMarker as _, panic_exhausted};
#[cfg(feature = "rosters")]
use {
    crate::base::exhausted::raised,
    crate::base::handle::Handle,
    crate::base::watch::sites::Line,
    crate::derived::roster_ref::{HasHandles, InUse, Reserved, RosterRef, RosterRefMut},
    crate::derived::storage::{RosterStorage, done},
    crate::roster::Roster,
};
#[cfg(feature = "alloc")]
use {crate::base::map::PoolMap, alloc::vec::Vec};

/// Functions that the feature `rosters` brings.
macro_rules! with_rosters {
    ($($function:item)*) => {$(
        #[cfg(feature = "rosters")]
        $function
    )*};
}

/// A type with a pool of its own.
///
/// Implemented by `#[derive(Pooled)]`, and only by it: the hidden items belong to the derive, and
/// change without notice. The attribute `#[pool(..)]` says how the pool grows, and what it hands out: boxes, or, with
/// `strategy = roster`, handles. In generic code `T: Pooled` is a type with boxes ([`Boxes`]), and
/// `T: Pooled<RosterHandles>` one with handles ([`RosterHandles`](crate::RosterHandles)).
///
/// # The functions, by purpose
///
/// **Boxes**, of every type but those with `strategy = roster`. (If there is no slot, the functions with `_try_` in the name return
/// an error; the others panic.)
///
/// | to | call |
/// |---|---|
/// | box an existing value | [`PoolBox::new(value)`](PoolBox::new) |
/// | box a `Default` | [`pool_alloc`](Pooled::pool_alloc), [`pool_try_alloc`](Pooled::pool_try_alloc) |
/// | box what a closure returns | [`pool_alloc_with`](Pooled::pool_alloc_with), [`pool_try_alloc_with`](Pooled::pool_try_alloc_with) |
/// | box many values | [`pool_alloc_many`](Pooled::pool_alloc_many) |
/// | build an element in place, field by field | [`pool_init`](Pooled::pool_init), [`pool_try_init`](Pooled::pool_try_init), [`pool_pin_init`](Pooled::pool_pin_init) |
/// | reserve a slot now, and fill it later | [`pool_vacant`](Pooled::pool_vacant), [`pool_try_vacant`](Pooled::pool_try_vacant) |
/// | free a box | drop it, or [`pool_free`](Pooled::pool_free) |
///
/// **Handles**, of types with `strategy = roster`. (They need the feature `rosters`.)
///
/// | to | call |
/// |---|---|
/// | put an element in | [`pool_insert`](Pooled::pool_insert), [`pool_try_insert`](Pooled::pool_try_insert); if it holds its own handle: [`pool_insert_with`](Pooled::pool_insert_with), [`pool_try_insert_with`](Pooled::pool_try_insert_with) |
/// | look at one | [`pool_get`](Pooled::pool_get), [`pool_get_mut`](Pooled::pool_get_mut), [`pool_contains`](Pooled::pool_contains) |
/// | take one out, or drop all | [`pool_remove`](Pooled::pool_remove), [`pool_clear`](Pooled::pool_clear); in a destructor: [`pool_remove_later`](Pooled::pool_remove_later) |
/// | make the slots of an empty pool fresh, and see the tag of its handles | [`pool_renew`](Pooled::pool_renew), [`pool_tag`](Pooled::pool_tag) |
/// | use the roster itself: iterate, save it, ... | [`pool_with`](Pooled::pool_with) and [`pool_read`](Pooled::pool_read), with a closure; [`pool_borrow_mut`](Pooled::pool_borrow_mut) and [`pool_borrow`](Pooled::pool_borrow), as guards; an error in place of a panic: [`pool_try_with`](Pooled::pool_try_with), [`pool_try_read`](Pooled::pool_try_read), [`pool_try_borrow_mut`](Pooled::pool_try_borrow_mut), [`pool_try_borrow`](Pooled::pool_try_borrow) |
///
/// **The pool itself**, of both kinds.
///
/// | to | call |
/// |---|---|
/// | see how much is in use, and where | [`pool_stats`](Pooled::pool_stats), `pool_map` |
/// | see which lines made the live elements (the feature `sites`) | `pool_sites` |
/// | make room ahead | [`pool_reserve`](Pooled::pool_reserve), [`pool_try_reserve`](Pooled::pool_try_reserve), [`pool_prefault`](Pooled::pool_prefault) |
/// | give memory back | [`pool_trim`](Pooled::pool_trim) |
///
/// # Threads
///
/// The pool is thread-local: every thread has its own, with its own limit, and a box stays on its thread. When a thread
/// ends, its pool's memory is given back, except for chunks that hold a leaked box. With `#[pool(static)]` there is one
/// pool for all threads instead.
///
/// A handle of a derived thread-local pool finds its element only on its own thread; on any other thread, a rayon worker included,
/// it finds nothing ([unless 255 rosters came in between](Handle#the-64-bits)). So borrow the roster, and give other threads the
/// reference:
///
/// ```
/// use std::thread;
/// use typed_pool::{Handle, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(strategy = roster)]
/// struct Monster { health: i32 }
///
/// #[derive(Pooled)]
/// #[pool(strategy = roster)]
/// struct Missile { target: Handle<Monster> }
///
/// let orc = Monster::pool_insert(Monster { health: 40 });
/// Missile::pool_insert(Missile { target: orc });
///
/// // Both rosters are borrowed here; the other thread uses these references.
/// let hits = Monster::pool_read(|monsters| Missile::pool_read(|missiles| {
///     let count = || missiles.values().filter(|missile| monsters.contains(missile.target)).count();
///     thread::scope(|scope| scope.spawn(count).join().unwrap())
/// }));
/// assert_eq!(hits, 1);
///
/// // On its own, that thread has a pool of its own, which is empty.
/// let found = thread::spawn(move || Monster::pool_get(orc, |_| ())).join().unwrap();
/// assert_eq!(found, None);
/// ```
///
/// # The end of a thread
///
/// The elements of a thread-local roster are dropped when its thread ends. Their destructors may use this and other pools, and so
/// may the destructors of other thread-locals, which run before or after. Elements that these insert into a roster that has ended
/// are dropped as well, in a further round. (After a thousand rounds, or with more than seven such thread-locals in a row, the
/// remaining elements are leaked. The first case prints a warning.)
///
/// The end of a thread never panics by itself. A roster that is still borrowed leaks its elements: if the process exits within a
/// closure, a coroutine is suspended in one, or a guard is leaked. (A guard in another thread-local does no harm: the roster ends
/// when thread and guard both have.) But a destructor that panics while its thread ends aborts the process, as it does in any
/// thread-local.
///
/// # Deadlocks
///
/// A static pool has one roster for all threads, behind a lock. To borrow the roster, a thread waits until other threads have
/// returned from their closures ([`Pooled::pool_with`]) and dropped their guards ([`Pooled::pool_borrow_mut`]); readers share the
/// lock. So threads can deadlock:
///
/// - if they borrow two static rosters at once, in opposite orders. Borrow them in the same order everywhere, or one after the
///   other.
/// - if a closure waits for a thread that uses the roster: one that it has spawned (`thread::scope`), or a rayon worker. This holds
///   for [`Pooled::pool_read`] too: a waiting writer blocks new readers. Let the other thread use the closure's argument.
///
/// A rayon worker that waits for its jobs (`join`, `scope`, a parallel iterator) may run another job while the closure still runs.
/// If that job uses the pool, thread-local or static, it panics, because the pool is in use. So while a roster is borrowed, do not
/// begin parallel work that uses its pool.
///
/// A leaked guard leaves the roster in use for ever. So does a closure that never ends, because a coroutine suspended in it is
/// leaked or ends in another thread.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled, Default)]
/// struct QuadTreeNode {
///     bounds: [f32; 4],
///     items: Vec<u32>,
///     children: [Option<PoolBox<QuadTreeNode>>; 4],
/// }
///
/// let mut root = QuadTreeNode::pool_alloc();
/// root.children[0] = Some(QuadTreeNode::pool_alloc());
/// assert_eq!(QuadTreeNode::pool_stats().live, 2);
/// drop(root);
/// assert_eq!(QuadTreeNode::pool_stats().live, 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no boxes: write `#[derive(Pooled)]`, or `: PoolObject` on a trait, or call a roster's `pool_insert`",
    label = "no pool of boxes",
    note = "for a trait of yours: `trait Shape: PoolObject`, then `unsize!(PoolBox::new(value) => dyn Shape)`",
    note = "a type with `strategy = roster` has handles in place of boxes: `pool_insert(value)` returns one",
    note = "a generic type lists the instances that have a pool: `#[pool(instances(Node<f32>, Node<f64>))]`",
    note = "in generic code, where `{Self}` is a parameter, write `{Self}: Pooled`",
    note = "for a type of another crate take an `any::Box`, which is for all types"
)]
pub trait Pooled<Kind: PoolKind = Boxes>: Sized + 'static {
    #[doc(hidden)]
    type __Storage: Storage<Self>;

    /// In slots, as in the attribute. Constants of the trait, they hide no name that the attribute refers to.
    #[doc(hidden)]
    const __CAPACITY: usize = 0;
    #[doc(hidden)]
    const __CHUNK: usize = 0;
    #[doc(hidden)]
    const __MAX: usize = 0;

    /// How the pool grows, and what it is called.
    #[doc(hidden)]
    const __CONFIG: Config = Config::new();

    /// Leads to the pool. A constant, so it always leads to one pool.
    #[doc(hidden)]
    const __POOL: Kind::View<Self, Self::__Storage> = not_derived();

    /// Reserves a slot, then puts a `Self::default()` into it.
    ///
    /// An optimised build usually builds the value in the slot; [`Pooled::pool_init`] guarantees it. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied, or if `default` panics; in that case the slot
    /// goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled, Default)]
    /// struct Explosion { frame: u32, position: (f32, f32) }
    ///
    /// let explosion = Explosion::pool_alloc();
    /// assert_eq!(explosion.frame, 0);
    /// ```
    #[inline]
    #[track_caller]
    #[rustfmt::skip] // The compiler shows this line to who gives it a value.
    #[must_use]
    fn pool_alloc() -> PoolBox<Self> // of a value: `pool_alloc_with(|| value)`, or `PoolBox::new(value)`
    where
        Self: HasBoxes + Default, // else `pool_alloc_with(|| value)`, or `PoolBox::new(value)`
    {
        <Self as Pooled>::pool_vacant().fill_with(Self::default)
    }

    /// Like [`Pooled::pool_alloc`], but returns an error if there is no slot; `default` is not called then.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool has a limit and every slot is occupied, or the heap has no room.
    ///
    /// # Panics
    ///
    /// If `default` panics; the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled, Default)]
    /// #[pool(capacity = 1)]
    /// struct Boss { health: u64 }
    ///
    /// let boss = Boss::pool_try_alloc().ok();
    /// assert!(boss.is_some() && Boss::pool_try_alloc().is_err());
    /// ```
    #[inline]
    #[track_caller]
    fn pool_try_alloc() -> Result<PoolBox<Self>, Exhausted>
    where
        Self: HasBoxes + Default,
    {
        Ok(<Self as Pooled>::pool_try_vacant()?.fill_with(Self::default))
    }

    /// Reserves a slot, then puts the result of `f` into it. `f` may use the pool; if `f` panics, the slot goes back.
    ///
    /// An optimised build usually builds the value in the slot; [`Pooled::pool_init`] guarantees it. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied, or if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// struct Bullet { position: (f32, f32), velocity: (f32, f32) }
    ///
    /// let bullet = Bullet::pool_alloc_with(|| Bullet { position: (0.0, 0.0), velocity: (1.0, 0.5) });
    /// assert_eq!(bullet.velocity.0, 1.0);
    /// ```
    #[inline]
    #[track_caller]
    #[must_use]
    fn pool_alloc_with(f: impl FnOnce() -> Self) -> PoolBox<Self>
    where
        Self: HasBoxes,
    {
        <Self as Pooled>::pool_vacant().fill_with(f)
    }

    /// Like [`Pooled::pool_alloc_with`], but returns an error if there is no slot; `f` is not called then.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool has a limit and every slot is occupied, or the heap has no room.
    ///
    /// # Panics
    ///
    /// If `f` panics.
    #[inline]
    #[track_caller]
    fn pool_try_alloc_with(f: impl FnOnce() -> Self) -> Result<PoolBox<Self>, Exhausted>
    where
        Self: HasBoxes,
    {
        Ok(<Self as Pooled>::pool_try_vacant()?.fill_with(f))
    }

    /// Builds an element in its slot, as the initialiser says: field by field, at every
    /// optimisation level, and never on the stack. The initialiser may use the pool. O(1), unless the
    /// pool grows.
    ///
    /// # Errors
    ///
    /// The initialiser's error. The fields built so far are dropped, and the slot goes back.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied ([`Pooled::pool_try_init`] does not), or if
    /// the initialiser panics; then the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::str::Utf8Error;
    /// use typed_pool::{Pooled, init, try_init};
    ///
    /// #[derive(Pooled, Debug)]
    /// struct Page { title: String, text: [u8; 65_536] }
    ///
    /// let Ok(page) = Page::pool_init(init!(Page { title: "one".into(), text <- init::zeroed() }));
    /// assert_eq!((&*page.title, page.text[0]), ("one", 0));
    ///
    /// let page = Page::pool_init(try_init!(Page {
    ///     text <- init::from_fn(|_| b' '),
    ///     title: str::from_utf8(&[0xFF])?.into(),
    /// } ? Utf8Error));
    /// assert!(page.is_err());
    /// ```
    #[inline]
    #[track_caller]
    fn pool_init<E>(init: impl Init<Self, E>) -> Result<PoolBox<Self>, E>
    where
        Self: HasBoxes,
    {
        <Self as Pooled>::pool_vacant().init(init)
    }

    /// Like [`Pooled::pool_init`], but returns an error if there is no slot; the initialiser does not run then.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] if the pool has a limit and every slot is occupied, or the heap has no room;
    /// [`TryInitError::Init`] if the initialiser fails, and the slot goes back.
    ///
    /// # Panics
    ///
    /// If the initialiser panics; the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::init::TryInitError;
    /// use typed_pool::{Pooled, init};
    ///
    /// #[derive(Pooled)]
    /// #[pool(capacity = 1)]
    /// struct Boss { health: u64 }
    ///
    /// let boss = Boss::pool_try_init(init!(Boss { health: 100 })).unwrap();
    /// let other = Boss::pool_try_init(init!(Boss { health: 200 }));
    /// assert!(matches!(other, Err(TryInitError::Exhausted(_))));
    /// # drop(boss);
    /// ```
    #[inline]
    #[track_caller]
    fn pool_try_init<E>(init: impl Init<Self, E>) -> Result<PoolBox<Self>, TryInitError<E>>
    where
        Self: HasBoxes,
    {
        PoolBox::try_init(init)
    }

    /// Like [`Pooled::pool_init`], but pins the element, `Unpin` or not. Code that needs the element's address runs afterwards, on
    /// the `Pin`.
    ///
    /// # Errors
    ///
    /// The initialiser's error. The slot goes back.
    ///
    /// # Panics
    ///
    /// As [`Pooled::pool_init`].
    ///
    /// # Examples
    ///
    /// ```
    /// use std::marker::PhantomPinned;
    /// use std::ptr;
    /// use typed_pool::{Pooled, init};
    ///
    /// /// A list that begins as its own only member.
    /// #[derive(Pooled)]
    /// struct Head { next: *const Head, _pinned: PhantomPinned }
    ///
    /// let Ok(mut head) = Head::pool_pin_init(init!(Head {
    ///     next: ptr::null(),
    ///     _pinned: PhantomPinned,
    /// }));
    /// let address = ptr::from_ref(&*head);
    /// // SAFETY: nothing is moved out of the `Head`.
    /// unsafe { head.as_mut().get_unchecked_mut() }.next = address;
    /// assert!(ptr::eq(head.next, &*head));
    /// ```
    #[inline]
    #[track_caller]
    fn pool_pin_init<E>(init: impl Init<Self, E>) -> Result<Pin<PoolBox<Self>>, E>
    where
        Self: HasBoxes,
    {
        <Self as Pooled>::pool_init(init).map(PoolBox::into_pin)
    }

    /// Boxes each of the values, as [`PoolBox::new`] does, and returns the boxes in the same order.
    ///
    /// The elements are adjacent in memory where slots are handed out in order: in a thread-local pool that has freed none of its
    /// elements, or all.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and too few vacant slots, or if the iterator panics. The elements made so far are dropped then.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Spark { angle: f64 }
    ///
    /// let sparks = Spark::pool_alloc_many((0..64).map(|n| Spark { angle: f64::from(n) / 64.0 }));
    /// assert_eq!((sparks.len(), Spark::pool_stats().live), (64, 64));
    ///
    /// let two = Spark::pool_alloc_many([Spark { angle: 0.1 }, Spark { angle: 0.2 }]);
    /// let Ok([first, second]) = <[PoolBox<Spark>; 2]>::try_from(two) else { unreachable!() };
    /// assert!(first.angle < second.angle);
    /// ```
    #[cfg(feature = "alloc")]
    #[track_caller]
    #[must_use]
    fn pool_alloc_many(values: impl IntoIterator<Item = Self>) -> Vec<PoolBox<Self>>
    where
        Self: HasBoxes,
    {
        let values = values.into_iter();
        // No more at once: a hint may be wrong, or more than any pool has slots.
        let mut boxes = Vec::with_capacity(values.size_hint().0.min(1024));
        // A loop, not `map`: a panic in a closure would name this line, and not the caller's.
        for value in values {
            boxes.push(PoolBox::new(value));
        }
        boxes
    }

    /// Reserves a slot, to be filled later; a slot that is not filled goes back. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// struct Bullet([f32; 4]);
    ///
    /// let slot = Bullet::pool_vacant();
    /// assert_eq!(Bullet::pool_stats().live, 1);
    /// assert_eq!(slot.fill(Bullet([1.0; 4])).0, [1.0; 4]);
    /// ```
    #[inline(always)]
    #[track_caller]
    fn pool_vacant() -> Vacant<Self>
    where
        Self: HasBoxes,
    {
        match <Self as Pooled>::__POOL.acquire() {
            // SAFETY: it has just come from there.
            Some(slot) => unsafe { Vacant::of_slot(slot, OwnPool::HERE) },
            None => panic_exhausted((), &OwnPool::<Self>::HERE),
        }
    }

    /// Like [`Pooled::pool_vacant`], but returns an error if there is no slot.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool has a limit and every slot is occupied, or the heap has no room.
    #[inline(always)]
    #[track_caller]
    fn pool_try_vacant() -> Result<Vacant<Self>, Exhausted>
    where
        Self: HasBoxes,
    {
        Vacant::try_new_in(OwnPool::HERE)
    }

    /// Drops a box: the destructor runs, and the slot goes back. The same as `drop`, as the counterpart of
    /// `pool_alloc`. O(1).
    ///
    /// # Panics
    ///
    /// If the destructor panics; the slot goes back all the same.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled, Default)]
    /// struct Monster { health: i64 }
    ///
    /// let monster = Monster::pool_alloc();
    /// Monster::pool_free(monster);
    /// assert_eq!(Monster::pool_stats().live, 0);
    /// ```
    #[inline]
    fn pool_free(element: PoolBox<Self>)
    where
        Self: HasBoxes,
    {
        drop(element);
    }

    with_rosters! {
    /// Puts `value` into the lowest vacant slot of the type's roster. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and no slot is vacant, or if the pool is in use
    /// ([`Pooled::pool_with`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32, target: Option<Handle<Monster>> }
    ///
    /// let orc = Monster::pool_insert(Monster { health: 40, target: None });
    /// let goblin = Monster::pool_insert(Monster { health: 15, target: Some(orc) });
    /// Monster::pool_remove(orc);
    /// let target = Monster::pool_get(goblin, |goblin| goblin.target).flatten();
    /// assert_eq!(target, Some(orc));
    /// assert!(Monster::pool_get(orc, |_| ()).is_none(), "stale");
    /// ```
    #[inline]
    #[track_caller]
    fn pool_insert(value: Self) -> Handle<Self>
    where
        Self: HasHandles,
    {
        // The error goes another way: in one result with it, the handle would be written to memory in pieces, and read in one.
        let (line, mut refused) = (Line::of_caller(), None);
        let inserted = done::<Self, _>(Self::KEY.try_lend_mut(|roster| {
            let inserted = roster.try_insert(value).map_err(|error| refused = Some(error)).ok();
            roster.sign(inserted, line);
            inserted
        }));
        match (inserted, refused) {
            (Some(handle), _) => handle,
            (None, Some(exhausted)) => exhausted.raise(),
            (None, None) => unreachable!(),
        }
    }

    /// Like [`Pooled::pool_insert`], but gives the value back if there is no slot.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if the pool has a limit and no slot is vacant, or the heap has no room.
    ///
    /// # Panics
    ///
    /// If the pool is in use ([`Pooled::pool_with`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled, Debug, PartialEq)]
    /// #[pool(strategy = roster, capacity = 1)]
    /// struct Boss { health: u64 }
    ///
    /// assert!(Boss::pool_try_insert(Boss { health: 100 }).is_ok());
    /// let second = Boss::pool_try_insert(Boss { health: 200 }).unwrap_err();
    /// assert_eq!(second.into_inner(), Boss { health: 200 });
    /// ```
    #[inline]
    #[track_caller]
    fn pool_try_insert(value: Self) -> Result<Handle<Self>, Exhausted<Self>>
    where
        Self: HasHandles,
    {
        let line = Line::of_caller();
        done::<Self, _>(Self::KEY.try_lend_mut(|roster| {
            let inserted = roster.try_insert(value);
            roster.sign(inserted.as_ref().ok().copied(), line);
            inserted
        }))
    }

    /// Inserts the element that `f` makes, given its future handle. The pool is not in use while `f` runs, so `f` may use it, but
    /// the handle finds nothing until `f` has returned. If `f` panics, the slot goes back.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and no slot is vacant, if the pool is in use ([`Pooled::pool_with`]), or if `f` panics. Also if the
    /// slot is no longer reserved when `f` returns: because `f` has filled it ([`Roster::reattach`] with the handle) or replaced
    /// the roster, or because the thread's end has closed the pool while `f` was suspended. Then the element is dropped, and all
    /// other effects of `f` stay.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Part { whole: Handle<Part>, name: &'static str }
    ///
    /// let car = Part::pool_insert_with(|car| {
    ///     Part::pool_insert(Part { whole: car, name: "wheel" });
    ///     Part { whole: car, name: "car" }
    /// });
    /// let of_car = Part::pool_with(|parts| parts.values().filter(|part| part.whole == car).count());
    /// assert_eq!(of_car, 2);
    /// ```
    #[doc(alias = "insert_with_key")]
    #[track_caller]
    fn pool_insert_with(f: impl FnOnce(Handle<Self>) -> Self) -> Handle<Self>
    where
        Self: HasHandles,
    {
        raised(<Self as Pooled<Kind>>::pool_try_insert_with(f))
    }

    /// Like [`Pooled::pool_insert_with`], but returns an error if there is no slot; `f` is not called then.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool has a limit and no slot is vacant, or the heap has no room.
    ///
    /// # Panics
    ///
    /// As [`Pooled::pool_insert_with`], except at the limit.
    #[doc(alias = "try_insert_with_key")]
    #[track_caller]
    fn pool_try_insert_with(f: impl FnOnce(Handle<Self>) -> Self) -> Result<Handle<Self>, Exhausted>
    where
        Self: HasHandles,
    {
        let reserved = Reserved(done::<Self, _>(Self::KEY.try_lend_mut(Roster::reserve_slot))?);
        let value = f(reserved.0);
        Ok(reserved.fill(value))
    }

    /// Takes the element out; `None` if the handle is stale. O(1).
    ///
    /// # Panics
    ///
    /// If the pool is in use ([`Pooled::pool_with`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32 }
    ///
    /// let goblin = Monster::pool_insert(Monster { health: 15 });
    /// assert_eq!(Monster::pool_remove(goblin).map(|goblin| goblin.health), Some(15));
    /// assert!(Monster::pool_remove(goblin).is_none());
    /// ```
    #[inline]
    #[track_caller]
    fn pool_remove(handle: Handle<Self>) -> Option<Self>
    where
        Self: HasHandles,
    {
        done::<Self, _>(Self::KEY.try_lend_mut(|roster| roster.remove(handle)))
    }

    /// Whether the handle's element is live. O(1).
    ///
    /// # Panics
    ///
    /// If the pool is in use ([`Pooled::pool_with`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32 }
    ///
    /// let goblin = Monster::pool_insert(Monster { health: 15 });
    /// assert!(Monster::pool_contains(goblin));
    /// Monster::pool_remove(goblin);
    /// assert!(!Monster::pool_contains(goblin));
    /// ```
    #[doc(alias = "contains_key")]
    #[inline]
    #[track_caller]
    #[must_use]
    fn pool_contains(handle: Handle<Self>) -> bool
    where
        Self: HasHandles,
    {
        done::<Self, _>(Self::KEY.try_lend(|roster| roster.contains(handle)))
    }

    /// Calls `f` with the element, and returns the result of `f`; `None` if the handle is stale. `f` may read from the pool, too
    /// ([`Pooled::pool_read`], `pool_get`, `pool_contains`), but must not otherwise use it. O(1).
    ///
    /// # Panics
    ///
    /// If the pool is in use ([`Pooled::pool_with`]), or if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32 }
    ///
    /// let goblin = Monster::pool_insert(Monster { health: 15 });
    /// assert_eq!(Monster::pool_get(goblin, |goblin| goblin.health), Some(15));
    /// ```
    #[inline]
    #[track_caller]
    #[rustfmt::skip] // The compiler shows this line to who leaves out the closure.
    fn pool_get<R>(handle: Handle<Self>, f: impl FnOnce(&Self) -> R) -> Option<R> // for references: `pool_borrow()`
    where
        Self: HasHandles,
    {
        done::<Self, _>(Self::KEY.try_lend(|roster| roster.get(handle).map(f)))
    }

    /// Like [`Pooled::pool_get`], but `f` may change the element, and must not use the pool. O(1).
    ///
    /// # Panics
    ///
    /// If the pool is in use ([`Pooled::pool_with`]), or if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32 }
    ///
    /// let goblin = Monster::pool_insert(Monster { health: 15 });
    /// let health = Monster::pool_get_mut(goblin, |goblin| {
    ///     goblin.health -= 5;
    ///     goblin.health
    /// });
    /// assert_eq!(health, Some(10));
    /// ```
    #[inline]
    #[track_caller]
    #[rustfmt::skip] // The compiler shows this line to who leaves out the closure.
    fn pool_get_mut<R>(handle: Handle<Self>, f: impl FnOnce(&mut Self) -> R) -> Option<R> // or `pool_borrow_mut()`
    where
        Self: HasHandles,
    {
        done::<Self, _>(Self::KEY.try_lend_mut(|roster| roster.get_mut(handle).map(f)))
    }

    /// Lends the type's roster to `f`, for iteration and all other operations of a [`Roster`].
    ///
    /// While `f` runs, the pool is in use: `f` must go through its argument. A destructor that runs within `f` must not use the
    /// pool either, except by [`Pooled::pool_remove_later`]. ([`Pooled::pool_clear`] and [`Pooled::pool_remove`] release the pool
    /// before elements are dropped, so their destructors may use it.) `f` may use pools of other types.
    ///
    /// `f` may assign another roster to its argument, such as one read from a save file. That roster keeps its own limit, chunk
    /// size and tag, whatever `#[pool(..)]` says; statistics and maps keep the pool's name.
    ///
    /// With a static pool, `f` must not wait for a thread that uses the pool, nor borrow rosters in another order than the rest of
    /// the program: see [Deadlocks](Pooled#deadlocks).
    ///
    /// # Panics
    ///
    /// If the pool is in use already, or if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster, capacity = 4096)]
    /// struct Monster { health: i32 }
    ///
    /// let goblin = Monster::pool_insert(Monster { health: 15 });
    /// Monster::pool_with(|monsters| {
    ///     for monster in monsters.values_mut() {
    ///         monster.health -= 1;
    ///     }
    ///     assert_eq!(monsters[goblin].health, 14);
    /// });
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias("pool_values_mut", "pool_retain", "pool_iter_mut"))]
    #[rustfmt::skip] // The compiler shows this line to who leaves out the closure.
    fn pool_with<R>(f: impl FnOnce(&mut Roster<Self>) -> R) -> R // without a closure: `pool_borrow_mut()`
    where
        Self: HasHandles,
    {
        done::<Self, _>(Self::KEY.try_lend_mut(f))
    }

    /// Lends the roster to `f` for reading. Several threads may read a static pool at the same time.
    ///
    /// `f` may read again, but must not otherwise use the pool. To change one element:
    /// [`Pooled::pool_get_mut`].
    ///
    /// With a static pool, `f` must not wait for a thread that uses the pool, even to read it, nor borrow rosters in another order
    /// than the rest of the program: see [Deadlocks](Pooled#deadlocks).
    ///
    /// # Panics
    ///
    /// If this thread has borrowed the pool to change it, or if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32 }
    ///
    /// Monster::pool_insert(Monster { health: 15 });
    /// let strongest = Monster::pool_read(|all| all.values().map(|monster| monster.health).max());
    /// assert_eq!(strongest, Some(15));
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias("pool_values", "pool_iter", "pool_handles"))]
    fn pool_read<R>(f: impl FnOnce(&Roster<Self>) -> R) -> R
    where
        Self: HasHandles,
    {
        done::<Self, _>(Self::KEY.try_lend(f))
    }

    /// Borrows the roster for reading until the returned guard is dropped. It is [`Pooled::pool_read`] without a closure, for code
    /// with `?`, `return` or `.await` in it. O(1).
    ///
    /// While the guard lives, the pool cannot be changed. Closures and other guards may read it, any number of them, and may end in
    /// any order. A temporary guard lives to the end of its statement, or of the block of an `if let` or a `match`. So
    /// `Monster::pool_remove(Monster::pool_borrow().handles().next()?)` panics: bind the handle to a variable first.
    ///
    /// If the guard is leaked, this thread can only read the pool from then on. Other threads that try to change a `static` pool
    /// wait for ever; the elements of a thread-local roster are leaked as well.
    ///
    /// # Panics
    ///
    /// As [`Pooled::pool_read`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { target: Option<Handle<Monster>>, health: i32 }
    ///
    /// fn health_of_the_target(of: Handle<Monster>) -> Option<i32> {
    ///     let monsters = Monster::pool_borrow();
    ///     let target = monsters.get(of)?.target?;
    ///     Some(monsters.get(target)?.health)
    /// }
    ///
    /// let orc = Monster::pool_insert(Monster { target: None, health: 40 });
    /// let elf = Monster::pool_insert(Monster { target: Some(orc), health: 30 });
    /// assert_eq!((health_of_the_target(elf), health_of_the_target(orc)), (Some(40), None));
    /// ```
    #[track_caller]
    #[must_use = "the borrow ends when the guard is dropped"]
    fn pool_borrow() -> RosterRef<Self>
    where
        Self: HasHandles,
    {
        RosterRef(done::<Self, _>(Self::KEY.try_borrow()))
    }

    /// Borrows the roster exclusively until the returned guard is dropped. It is [`Pooled::pool_with`] without a closure, for code
    /// with `?`, `return` or `.await` in it, or with several rosters at once. O(1).
    ///
    /// While the guard lives, the rules of [`Pooled::pool_with`] apply: the pool is in use, for destructors as well, and another
    /// roster may be assigned through the guard. A temporary guard lives as long as one of [`Pooled::pool_borrow`].
    ///
    /// For a thread-local roster the closure is cheaper, one nanosecond instead of twenty: the guard takes the roster's tables
    /// out of the pool, and puts them back.
    ///
    /// If the guard is leaked, the pool is in use for ever. Other threads that use a `static` pool wait for ever; the elements of a
    /// thread-local roster are leaked as well.
    ///
    /// # Panics
    ///
    /// As [`Pooled::pool_with`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32 }
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Missile { target: Handle<Monster> }
    ///
    /// let orc = Monster::pool_insert(Monster { health: 40 });
    /// Missile::pool_insert(Missile { target: orc });
    ///
    /// let mut monsters = Monster::pool_borrow_mut();
    /// for missile in Missile::pool_borrow().values() {
    ///     let Some(monster) = monsters.get_mut(missile.target) else { continue };
    ///     monster.health -= 15;
    /// }
    /// drop(monsters);
    /// assert_eq!(Monster::pool_get(orc, |orc| orc.health), Some(25));
    /// ```
    #[track_caller]
    #[must_use = "the borrow ends when the guard is dropped"]
    fn pool_borrow_mut() -> RosterRefMut<Self>
    where
        Self: HasHandles,
    {
        RosterRefMut(done::<Self, _>(Self::KEY.try_borrow_mut()))
    }

    /// Like [`Pooled::pool_with`], but returns an error if this thread has already borrowed the roster. Waits if another thread
    /// has.
    ///
    /// # Errors
    ///
    /// [`InUse`], where [`Pooled::pool_with`] panics; `f` is not called then.
    ///
    /// # Panics
    ///
    /// If `f` panics.
    #[inline]
    fn pool_try_with<R>(f: impl FnOnce(&mut Roster<Self>) -> R) -> Result<R, InUse>
    where
        Self: HasHandles,
    {
        Self::KEY.try_lend_mut(f).map_err(InUse::of::<Self>)
    }

    /// Like [`Pooled::pool_read`], but returns an error if this thread has borrowed the roster exclusively. Waits if another thread
    /// has.
    ///
    /// # Errors
    ///
    /// [`InUse`], where [`Pooled::pool_read`] panics; `f` is not called then.
    ///
    /// # Panics
    ///
    /// If `f` panics.
    #[inline]
    fn pool_try_read<R>(f: impl FnOnce(&Roster<Self>) -> R) -> Result<R, InUse>
    where
        Self: HasHandles,
    {
        Self::KEY.try_lend(f).map_err(InUse::of::<Self>)
    }

    /// Like [`Pooled::pool_borrow`], but returns an error if this thread has borrowed the roster exclusively. Waits if another
    /// thread has.
    ///
    /// # Errors
    ///
    /// [`InUse`], where [`Pooled::pool_borrow`] panics.
    fn pool_try_borrow() -> Result<RosterRef<Self>, InUse>
    where
        Self: HasHandles,
    {
        Self::KEY.try_borrow().map(RosterRef).map_err(InUse::of::<Self>)
    }

    /// Like [`Pooled::pool_borrow_mut`], but returns an error if this thread has already borrowed the roster. Waits if another
    /// thread has.
    ///
    /// # Errors
    ///
    /// [`InUse`], where [`Pooled::pool_borrow_mut`] panics.
    fn pool_try_borrow_mut() -> Result<RosterRefMut<Self>, InUse>
    where
        Self: HasHandles,
    {
        Self::KEY.try_borrow_mut().map(RosterRefMut).map_err(InUse::of::<Self>)
    }

    /// Makes all slots of an empty pool fresh, retired ones included. Returns `false`, and changes nothing, if the pool has an
    /// element. O(slots). See [`Roster::renew`].
    ///
    /// # Panics
    ///
    /// If the pool is in use ([`Pooled::pool_with`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster, capacity = 4)]
    /// struct Monster(u32);
    ///
    /// let orc = Monster::pool_insert(Monster(40));
    /// assert!(!Monster::pool_renew());
    /// Monster::pool_clear(); // a level ends
    /// assert!(Monster::pool_renew());
    /// assert!(!Monster::pool_contains(orc));
    /// ```
    #[track_caller]
    fn pool_renew() -> bool
    where
        Self: HasHandles,
    {
        done::<Self, _>(Self::KEY.try_lend_mut(Roster::renew))
    }

    /// Returns the tag of the pool's handles: chosen by `tag = N`, or assigned with the roster's first memory; `None` before that.
    /// See [`Roster::tag`].
    ///
    /// # Panics
    ///
    /// If the pool is in use ([`Pooled::pool_with`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster, tag = 7)]
    /// struct Monster(u32);
    ///
    /// assert_eq!(Monster::pool_tag(), Some(7));
    /// ```
    #[track_caller]
    #[must_use]
    fn pool_tag() -> Option<u8>
    where
        Self: HasHandles,
    {
        done::<Self, _>(Self::KEY.try_lend(Roster::tag))
    }

    /// Removes and drops the element: now, or, if the roster is borrowed, when its last borrow ends. Does nothing if the handle is
    /// stale. O(1).
    ///
    /// If the pool is static, other threads may have borrowed it as well. The call waits for none of them: the thread whose borrow
    /// ends last removes the element and runs its destructor. (If that borrow ends at the very moment of this call, the element may
    /// stay until the next use of the pool ends.)
    ///
    /// It is meant for destructors, which may run while the roster is borrowed: within [`Pooled::pool_with`], for example, where
    /// [`Pooled::pool_remove`] panics. Until the element is removed, its handle finds it. If a guard is leaked, its borrow never
    /// ends, and the element stays. The handles of waiting elements are kept in a list; if the heap has no room for the list, the
    /// process aborts.
    ///
    /// Destructors that remove other elements in this way nest up to 16 deep; beyond that, a removal waits until the deepest
    /// destructor ends. So a chain of any length, in which each element removes the next, takes a bounded stack.
    /// A destructor that is suspended for ever counts as one of the 16.
    ///
    /// # Panics
    ///
    /// If the element's destructor panics. If several elements wait, the others are removed when the next borrow, or the next call
    /// of this function, ends.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Texture { bytes: Vec<u8> }
    ///
    /// struct Sprite { texture: Handle<Texture> }
    ///
    /// impl Drop for Sprite {
    ///     fn drop(&mut self) {
    ///         Texture::pool_remove_later(self.texture);
    ///     }
    /// }
    ///
    /// let texture = Texture::pool_insert(Texture { bytes: vec![0; 16] });
    /// let sprite = Sprite { texture };
    /// Texture::pool_with(|textures| {
    ///     drop(sprite);
    ///     assert!(textures.contains(texture), "not yet");
    /// });
    /// assert!(!Texture::pool_contains(texture));
    /// ```
    fn pool_remove_later(handle: Handle<Self>)
    where
        Self: HasHandles,
    {
        Self::KEY.remove_later(handle.to_bits());
    }

    /// Drops every element of the type's roster, in memory order. Destructors may use the pool; elements that they insert are
    /// dropped as well, in a further pass if need be. O(elements + slots / 64) for each pass.
    ///
    /// In a static pool, elements that other threads insert meanwhile are dropped, too: the call returns when it finds the pool empty. Stop
    /// threads that insert faster than it clears.
    ///
    /// # Panics
    ///
    /// If the pool is in use ([`Pooled::pool_with`]), or if a destructor panics; the elements after
    /// that one stay.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { minion: Option<Handle<Monster>> }
    ///
    /// impl Drop for Monster {
    ///     fn drop(&mut self) {
    ///         self.minion.and_then(Monster::pool_remove);
    ///     }
    /// }
    ///
    /// let minion = Monster::pool_insert(Monster { minion: None });
    /// Monster::pool_insert(Monster { minion: Some(minion) });
    /// Monster::pool_clear();
    /// assert_eq!(Monster::pool_stats().live, 0);
    /// ```
    #[track_caller]
    fn pool_clear()
    where
        Self: HasHandles,
    {
        Self::KEY.clear();
    }
    }

    /// Returns statistics for this thread's pool, or for the shared pool if it is `static`. O(chunks), or O(slots) for a static
    /// pool with a capacity.
    ///
    /// # Panics
    ///
    /// With a roster: if the pool is in use ([`Pooled::pool_with`]). Within, use
    /// [`Roster::stats`](crate::Roster::stats) on the closure's argument.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled, Default)]
    /// struct Bullet([f32; 4]);
    ///
    /// let bullets: Vec<_> = (0..1000).map(|_| Bullet::pool_alloc()).collect();
    /// drop(bullets);
    /// let stats = Bullet::pool_stats();
    /// assert_eq!((stats.live, stats.high_water), (0, 1000));
    /// ```
    #[track_caller]
    #[must_use]
    #[doc(alias("pool_len", "pool_is_empty", "pool_capacity"))]
    fn pool_stats() -> PoolStats {
        Self::__Storage::facts().run(|pool| pool.stats(true))
    }

    /// Returns the source lines that made the live elements of this thread's pool, or of the shared pool if it is `static`. Lines
    /// with the most elements come first.
    ///
    /// An element's line is the one that calls `PoolBox::new(..)`, `.clone()`, `pool_insert(..)` or the like. If a library makes
    /// the call (`collect`, a deserialiser), it is a line of the library. A slot that is reserved has a line, too. In a static
    /// pool, changes that other threads make during the call may be included or not.
    ///
    /// O(slots x chunks).
    ///
    /// # Panics
    ///
    /// With a roster: if the pool is in use ([`Pooled::pool_with`]). Within, use
    /// [`Roster::sites`](crate::Roster::sites) on the closure's argument.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32 }
    ///
    /// for health in 0..9 {
    ///     Monster::pool_insert(Monster { health });
    /// }
    /// Monster::pool_insert(Monster { health: 40 });
    /// let sites = Monster::pool_sites();
    /// assert_eq!((sites[0].live, sites[1].live), (9, 1));
    /// assert_eq!(sites[0].location.line() + 2, sites[1].location.line());
    /// ```
    #[cfg(feature = "sites")]
    #[track_caller]
    #[must_use]
    fn pool_sites() -> Vec<Site> {
        Site::list([Self::__Storage::facts().run(|pool| pool.map(true))])
    }

    /// Returns a map of this thread's pool, or of the shared pool if it is `static`: each chunk, and the state of each slot.
    /// O(slots x chunks). See [`PoolMap`] for what it shows of a pool that other threads use at the same time.
    ///
    /// # Panics
    ///
    /// With a roster: if the pool is in use ([`Pooled::pool_with`]). Within, use [`Roster::map`](crate::Roster::map) on the
    /// closure's argument.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Bullet([f32; 4]);
    ///
    /// let bullets: Vec<_> = (0..100).map(|n| PoolBox::new(Bullet([n as f32; 4]))).collect();
    /// let map = Bullet::pool_map();
    /// println!("{map}");
    /// assert_eq!(map.live(), 100);
    /// # drop(bullets);
    /// ```
    #[cfg(all(feature = "alloc", feature = "view"))]
    #[track_caller]
    #[must_use]
    fn pool_map() -> PoolMap {
        Self::__Storage::facts().run(|pool| pool.map(true))
    }

    /// Makes room for `additional` more elements in this thread's pool, or in the shared pool if it is `static`: that many
    /// allocations will not grow the pool. (In a `static` pool, this holds for allocations by one thread: each further thread keeps
    /// some free slots at hand.) If slots are reserved while the thread is ending, and stay unused, they go back to the heap before
    /// it has ended.
    ///
    /// # Panics
    ///
    /// If the pool's limit is too low, or the slots exceed `isize::MAX` bytes. With a
    /// roster, also if the pool is in use ([`Pooled::pool_with`]): within, use
    /// [`Roster::reserve`](crate::Roster::reserve) on the closure's argument.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled, Default)]
    /// struct Bullet([f32; 4]);
    ///
    /// Bullet::pool_reserve(5000);
    /// assert!(Bullet::pool_stats().capacity >= 5000);
    /// ```
    #[track_caller]
    fn pool_reserve(additional: usize) {
        Self::__Storage::facts().run(|pool| pool.reserve(additional));
    }

    /// Like [`Pooled::pool_reserve`], but returns an error.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool's limit is too low, or the heap has no room. The pool has no fewer slots than before.
    ///
    /// # Panics
    ///
    /// With a roster: if the pool is in use ([`Pooled::pool_with`]). Within, use
    /// [`Roster::try_reserve`](crate::Roster::try_reserve) on the closure's argument.
    #[track_caller]
    fn pool_try_reserve(additional: usize) -> Result<(), Exhausted> {
        let facts = Self::__Storage::facts();
        match facts.ops.reserve(additional) {
            Err(OpError::NoRoom(error)) => Err(error),
            reserved => {
                facts.expect(reserved);
                Ok(())
            }
        }
    }

    /// Faults in the memory of all slots that were never used, by writing to each of its pages, so that the first use of a slot
    /// does not wait for the system. For use after [`Pooled::pool_reserve`], at a level's start. Does nothing for a static pool
    /// with a capacity, whose slots another thread may take at any time.
    ///
    /// With a roster: the memory of all slots behind the last occupied one.
    ///
    /// O(bytes), at about a microsecond for 4 KiB; less on huge pages (the feature `huge-pages`).
    ///
    /// # Panics
    ///
    /// With a roster: if the pool is in use ([`Pooled::pool_with`]). Within, use
    /// [`Roster::prefault`](crate::Roster::prefault) on the closure's argument.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled, Default)]
    /// struct Bullet([f32; 4]);
    ///
    /// Bullet::pool_reserve(5000);
    /// Bullet::pool_prefault();
    /// assert_eq!(Bullet::pool_stats().live, 0);
    /// ```
    #[track_caller]
    fn pool_prefault() {
        Self::__Storage::facts().run(|pool| pool.prefault());
    }

    /// Gives every chunk without an occupied slot back to the heap; returns their bytes.
    ///
    /// A static pool keeps chunks in which another thread has free slots.
    ///
    /// O(vacant slots x chunks): for a level's end, not for a frame's.
    ///
    /// A roster gives back chunks at its end only, and keeps 4 bytes for each of their slots. O(slots).
    ///
    /// # Panics
    ///
    /// With a roster: if the pool is in use ([`Pooled::pool_with`]). Within, use
    /// [`Roster::shrink_to_fit`](crate::Roster::shrink_to_fit) on the closure's argument.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled, Default)]
    /// struct Bullet([f32; 4]);
    ///
    /// drop(Bullet::pool_alloc());
    /// assert!(Bullet::pool_trim() > 0);
    /// assert_eq!(Bullet::pool_stats().bytes, 0);
    /// ```
    #[track_caller]
    #[allow(clippy::must_use_candidate, reason = "it is done for its effect")]
    fn pool_trim() -> usize {
        Self::__Storage::facts().run(|pool| pool.trim())
    }
}

/// For types whose pool of handles has boxes, too. There is none. But with this `impl` a call of `pool_alloc` on a type without a pool is
/// an error with the message of [`Pooled`], and not "function not found".
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<T: Pooled<RosterHandles, __Storage: BoxStorage<T>>> Pooled for T {
    type __Storage = <T as Pooled<RosterHandles>>::__Storage;
}

/// A type whose pool hands out boxes: any without `strategy = roster`. The bound of the functions for boxes.
///
/// Every `T: Pooled` has it, so generic code needs no more than `T: Pooled`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no boxes: its pool has `strategy = roster`, and hands out handles",
    label = "has handles",
    note = "keep a `Handle<{Self}>`, from `{Self}::pool_insert(value)`",
    note = "or remove `strategy = roster` from the `#[pool(..)]` on `{Self}`, and it has boxes",
    note = "in generic code, where `{Self}` is a parameter, write `{Self}: Pooled`"
)]
pub trait HasBoxes: Pooled<Boxes> {}

#[diagnostic::do_not_recommend]
impl<T: Pooled<__Storage: Sealed>> HasBoxes for T {}

#[cfg(feature = "rosters")]
#[diagnostic::do_not_recommend]
impl<T: Pooled<RosterHandles>> HasHandles for T {
    type Key = <T::__Storage as Storage<T>>::Roster;

    const KEY: Self::Key = T::__POOL;

    const CONFIG: Config = T::__CONFIG;
}

/// The facts of a type's pool.
pub(crate) const fn facts_of<T: Pooled<Kind>, Kind: PoolKind>(
    strategy: stats::Strategy,
    storage: stats::Storage,
    ops: &'static dyn PoolOps,
) -> TypeFacts {
    TypeFacts { type_name: type_name::<T>, name: T::__CONFIG.name, strategy, storage, ops }
}

/// Stands beside an error of the derive, where nothing asks for it.
const fn not_derived<P>() -> P {
    panic!("only `#[derive(Pooled)]` gives a type a pool")
}
