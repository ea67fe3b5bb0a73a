//! The strategy is one word, and the storage another: one suite over both strategies, in pools that are
//! values and in pools that belong to a type.
//!
//! Every test runs in a thread of its own, so every pool starts empty.

use std::cell::RefCell;
use std::ops::DerefMut;
use std::panic::{AssertUnwindSafe, catch_unwind};

use typed_pool::{Exhausted, FreeList, PointerStack, PoolBox, PoolBoxIn, PoolStats, Pooled, init};

/// What is pooled: it has a number, and notes when it is dropped.
trait Element: Sized + 'static {
    fn new(id: u32, is_armed: bool) -> Self;
    fn id(&self) -> u32;
}

thread_local! {
    static DEAD: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// The pool of a strategy and a storage.
trait Subject: Sized {
    type Element: Element;
    /// Whether slots lie in chunks.
    type Box<'a>: DerefMut<Target = Self::Element>
    where
        Self: 'a;

    /// An empty pool. Of types that have one it is the thread's.
    fn new() -> Self;
    fn alloc(&self, element: Self::Element) -> Self::Box<'_>;
    fn try_alloc(&self, element: Self::Element) -> Result<Self::Box<'_>, Exhausted<Self::Element>>;
    fn alloc_with(&self, f: impl FnOnce() -> Self::Element) -> Self::Box<'_>;
    fn try_init(&self, id: Result<u32, &'static str>) -> Result<Self::Box<'_>, &'static str>;
    fn reserve_slot(&self, then: impl FnOnce(&Self));
    fn into_inner(b: Self::Box<'_>) -> Self::Element;
    fn stats(&self) -> PoolStats;
    fn reserve(&self, additional: usize);
    fn trim(&self) -> usize;

    fn make(&self, id: u32) -> Self::Box<'_> {
        self.alloc(Self::Element::new(id, false))
    }

    fn make_all(&self, count: u32) -> Vec<Self::Box<'_>> {
        (0..count).map(|id| self.make(id)).collect()
    }
}

fn address<E>(element: &E) -> usize {
    (&raw const *element).addr()
}

/// Declares an element type, and the pool of it: an owned one, or with an attribute its own.
macro_rules! subjects {
    ($($Subject:ident($Element:ident): $kind:ident $pool:tt;)*) => {$(
        element!($kind $pool struct $Element { id: u32, is_armed: bool, padding: [u64; 3] });

        impl Element for $Element {
            fn new(id: u32, is_armed: bool) -> Self {
                Self { id, is_armed, padding: [u64::from(id); 3] }
            }

            fn id(&self) -> u32 {
                assert_eq!(self.padding, [u64::from(self.id); 3]);
                self.id
            }
        }

        impl Drop for $Element {
            fn drop(&mut self) {
                DEAD.with_borrow_mut(|dead| dead.push(self.id));
                assert!(!self.is_armed, "boom");
            }
        }

        subject!($kind $pool $Subject $Element);
    )*};
}

macro_rules! element {
    (owned $pool:tt $($element:tt)*) => { $($element)* };
    (derived ($($attribute:tt)*) $($element:tt)*) => {
        #[derive(Pooled)]
        #[pool($($attribute)*)]
        $($element)*
    };
}

macro_rules! subject {
    (owned ($Pool:ident::$new:ident($($capacity:literal)?)) $Subject:ident $Element:ident) => {
        struct $Subject($Pool<$Element>);

        impl Subject for $Subject {
            type Element = $Element;
            type Box<'a> = PoolBoxIn<$Element, &'a $Pool<$Element>>;

            fn new() -> Self {
                Self($Pool::$new($($capacity)?))
            }
            fn alloc(&self, element: $Element) -> Self::Box<'_> {
                self.0.alloc(element)
            }
            fn try_alloc(&self, element: $Element) -> Result<Self::Box<'_>, Exhausted<$Element>> {
                self.0.try_alloc(element)
            }
            fn alloc_with(&self, f: impl FnOnce() -> $Element) -> Self::Box<'_> {
                self.0.alloc_with(f)
            }
            fn try_init(&self, id: Result<u32, &'static str>) -> Result<Self::Box<'_>, &'static str> {
                self.0.init(init::try_with(move || id.map(|id| $Element::new(id, false))))
            }
            fn reserve_slot(&self, then: impl FnOnce(&Self)) {
                let slot = self.0.vacant();
                then(self);
                assert_eq!(slot.fill($Element::new(1, false)).id(), 1);
            }
            fn into_inner(b: Self::Box<'_>) -> $Element {
                PoolBoxIn::into_inner(b)
            }
            fn stats(&self) -> PoolStats {
                self.0.stats()
            }
            fn reserve(&self, additional: usize) {
                self.0.reserve(additional);
            }
            fn trim(&self) -> usize {
                self.0.trim()
            }
        }
    };
    (derived $pool:tt $Subject:ident $Element:ident) => {
        struct $Subject;

        impl Subject for $Subject {
            type Element = $Element;
            type Box<'a> = PoolBox<$Element>;

            fn new() -> Self {
                Self
            }
            fn alloc(&self, element: $Element) -> Self::Box<'_> {
                PoolBox::new(element)
            }
            fn try_alloc(&self, element: $Element) -> Result<Self::Box<'_>, Exhausted<$Element>> {
                PoolBox::try_new(element)
            }
            fn alloc_with(&self, f: impl FnOnce() -> $Element) -> Self::Box<'_> {
                $Element::pool_alloc_with(f)
            }
            fn try_init(&self, id: Result<u32, &'static str>) -> Result<Self::Box<'_>, &'static str> {
                $Element::pool_init(init::try_with(move || id.map(|id| $Element::new(id, false))))
            }
            fn reserve_slot(&self, then: impl FnOnce(&Self)) {
                let slot = $Element::pool_vacant();
                then(self);
                assert_eq!(slot.fill($Element::new(1, false)).id(), 1);
            }
            fn into_inner(b: Self::Box<'_>) -> $Element {
                PoolBox::into_inner(b)
            }
            fn stats(&self) -> PoolStats {
                $Element::pool_stats()
            }
            fn reserve(&self, additional: usize) {
                $Element::pool_reserve(additional);
            }
            fn trim(&self) -> usize {
                $Element::pool_trim()
            }
        }
    };
}

subjects! {
    OwnedList(OfOwnedList): owned (FreeList::new());
    OwnedStack(OfOwnedStack): owned (PointerStack::new());
    LocalList(OfLocalList): derived (strategy = free_list);
    LocalStack(OfLocalStack): derived (strategy = pointer_stack);

    BoundedOwnedList(OfBoundedOwnedList): owned (FreeList::bounded(3));
    BoundedOwnedStack(OfBoundedOwnedStack): owned (PointerStack::bounded(3));
    BoundedLocalList(OfBoundedLocalList): derived (strategy = free_list, capacity = 3);
    BoundedLocalStack(OfBoundedLocalStack): derived (strategy = pointer_stack, capacity = 3);
}

/// Each function of `suite` and of `bounded`, over each subject; those of slots where the attribute says so.
macro_rules! over_all {
    ($($(#[$of_slots:meta])? $module:ident: $Subject:ident, $Bounded:ident;)*) => {$(
        mod $module {
            use super::*;

            tests!($Subject, suite: elements_are_kept_apart_and_dropped_once,
                what_is_moved_out_is_not_dropped, figures_are_exact,
                constructors_may_use_the_pool_and_fail, panics_cost_no_slot,
                a_vacant_slot_is_nobody_elses);
            $(#[$of_slots])?
            tests!($Subject, suite: reserve_and_trim);
            $(#[$of_slots])?
            tests!($Subject, order: an_emptied_pool_hands_out_as_it_did_at_first,
                the_slot_freed_last_is_reused_first);
            tests!($Bounded, bounded: a_limit_is_kept, panics_in_a_full_pool_cost_no_slot);
        }
    )*};
}

macro_rules! tests {
    ($Subject:ident, $suite:ident: $($name:ident),*) => {$(
        #[test]
        fn $name() {
            $suite::$name::<$Subject>();
        }
    )*};
}

over_all! {
    owned_free_list: OwnedList, BoundedOwnedList;
    owned_pointer_stack: OwnedStack, BoundedOwnedStack;
    thread_local_free_list: LocalList, BoundedLocalList;
    thread_local_pointer_stack: LocalStack, BoundedLocalStack;
}

mod order {
    use super::*;

    pub(crate) fn an_emptied_pool_hands_out_as_it_did_at_first<S: Subject>() {
        let mut rng = fastrand::Rng::with_seed(5);
        let pool = S::new();
        let mut known = Vec::new();
        // Twice as many as before, and fewer: with and without another chunk.
        let counts = [2, 3, 100, 5000, 70, 20_000, 2, 40_000];
        for count in counts.map(|count| if cfg!(miri) { count.min(300) } else { count }) {
            let mut boxes = pool.make_all(count);
            let addresses: Vec<_> = boxes.iter().map(|b| address(&**b)).collect();
            let both = known.len().min(addresses.len());
            assert!(known[..both] == addresses[..both], "{count} in disorder");
            if addresses.len() > known.len() {
                known.clone_from(&addresses);
            }
            rng.shuffle(&mut boxes);
            let kept = boxes.split_off(boxes.len() / 2);
            drop(boxes);
            let mut boxes = pool.make_all(count / 3);
            boxes.extend(kept);
            rng.shuffle(&mut boxes);
            drop(boxes);
            assert_eq!(pool.stats().live, 0);
            let again = pool.make_all(count);
            let again: Vec<_> = again.iter().map(|b| address(&**b)).collect();
            assert!(again == addresses, "{count} came back in disorder");
        }
    }

    pub(crate) fn the_slot_freed_last_is_reused_first<S: Subject>() {
        let pool = S::new();
        let kept = pool.make(0);
        let [a, b, c] = [1, 2, 3].map(|id| pool.make(id));
        let [at_a, at_b, at_c] = [&a, &b, &c].map(|b| address(&**b));
        drop(b);
        drop(c);
        drop(a);
        let again = [4, 5, 6].map(|id| pool.make(id));
        assert_eq!(again.each_ref().map(|b| address(&**b)), [at_a, at_c, at_b]);
        assert_eq!(kept.id(), 0);
    }
}

mod suite {
    use super::*;

    pub(crate) fn elements_are_kept_apart_and_dropped_once<S: Subject>() {
        let pool = S::new();
        let boxes = pool.make_all(5000);
        assert!(boxes.iter().zip(0..).all(|(b, id)| b.id() == id));
        assert_eq!(pool.stats().live, 5000);
        drop(boxes);
        assert_eq!(DEAD.take(), (0..5000).collect::<Vec<_>>());
        assert_eq!(pool.stats().live, 0);
    }

    pub(crate) fn what_is_moved_out_is_not_dropped<S: Subject>() {
        let pool = S::new();
        let inner = S::into_inner(pool.make(7));
        assert_eq!((inner.id(), pool.stats().live), (7, 0));
        assert_eq!(DEAD.take(), []);
        drop(inner);
        assert_eq!(DEAD.take(), [7]);
    }

    pub(crate) fn figures_are_exact<S: Subject>() {
        let pool = S::new();
        let before = pool.stats();
        assert_eq!((before.live, before.capacity, before.chunks, before.bytes), (0, 0, 0, 0));
        let mut boxes = pool.make_all(3000);
        boxes.truncate(1000);
        let stats = pool.stats();
        assert_eq!((stats.live, stats.high_water, stats.limit), (1000, 3000, None));
        assert_eq!(stats.slot_bytes, size_of::<S::Element>());
        assert!(stats.capacity >= 3000);
        assert!(stats.bytes >= stats.capacity * stats.slot_bytes);
        assert!(stats.chunks <= 8, "{stats}");
        drop(boxes);
        drop(pool.make(0));
        assert_eq!((pool.stats().live, pool.stats().high_water), (0, 3000));
    }

    pub(crate) fn reserve_and_trim<S: Subject>() {
        let pool = S::new();
        pool.reserve(1000);
        let reserved = pool.stats();
        assert_eq!((reserved.capacity, reserved.chunks), (1000, 1));
        let mut boxes = pool.make_all(1000);
        assert_eq!(pool.stats().bytes, reserved.bytes);
        pool.reserve(50);
        let mut more = pool.make_all(4000);
        assert!(pool.stats().chunks > 1);
        // Some die where most live on, and most die where some do: what stays is kept apart.
        boxes.retain(|b| b.id() % 3 == 0);
        more.truncate(10);
        let before = pool.stats();
        assert_eq!(before.bytes - pool.trim(), pool.stats().bytes);
        assert!(pool.stats().bytes < before.bytes);
        assert_eq!((pool.trim(), pool.stats().live), (0, boxes.len() + 10));
        let vacant = pool.stats().capacity - pool.stats().live;
        let chunks = pool.stats().chunks;
        let again = pool.make_all(u32::try_from(vacant).unwrap());
        assert_eq!(pool.stats().chunks, chunks);
        assert!(boxes.iter().all(|b| b.id() % 3 == 0));
        assert!(more.iter().zip(0..).all(|(b, id)| b.id() == id));
        assert!(again.iter().zip(0..).all(|(b, id)| b.id() == id));
        drop((boxes, more, again));
        assert!(pool.trim() > 0);
        assert_eq!((pool.stats().bytes, pool.stats().capacity), (0, 0));
        assert_eq!(pool.make(1).id(), 1);
    }

    pub(crate) fn constructors_may_use_the_pool_and_fail<S: Subject>() {
        let pool = S::new();
        let mut inner = None;
        let outer = pool.alloc_with(|| {
            inner = Some(pool.make(2));
            drop(pool.make(3));
            S::Element::new(1, false)
        });
        assert_eq!((outer.id(), inner.map(|b| b.id())), (1, Some(2)));
        assert_eq!(pool.try_init(Err("no")).err(), Some("no"));
        assert_eq!(pool.try_init(Ok(4)).map(|b| b.id()), Ok(4));
        assert_eq!(pool.stats().live, 1);
    }

    pub(crate) fn panics_cost_no_slot<S: Subject>() {
        let pool = S::new();
        for _ in 0..10 {
            let no = || drop(pool.alloc_with(|| panic!("no")));
            assert!(catch_unwind(AssertUnwindSafe(no)).is_err());
            let bomb = pool.alloc(S::Element::new(0, true));
            assert!(catch_unwind(AssertUnwindSafe(|| drop(bomb))).is_err());
            assert_eq!(pool.stats().live, 0);
        }
        assert_eq!(pool.stats().high_water, 1);
    }

    pub(crate) fn a_vacant_slot_is_nobody_elses<S: Subject>() {
        let pool = S::new();
        pool.reserve_slot(|pool| {
            assert_eq!(pool.stats().live, 1);
            assert!(pool.make_all(2000).iter().zip(0..).all(|(b, id)| b.id() == id));
        });
        assert_eq!(pool.stats().live, 0);
    }
}

mod bounded {
    use super::*;

    pub(crate) fn a_limit_is_kept<S: Subject>() {
        let pool = S::new();
        let stats = pool.stats();
        assert_eq!((stats.capacity, stats.limit), (3, Some(3)));
        let mut boxes = pool.make_all(3);
        let Err(refused) = pool.try_alloc(S::Element::new(3, false)) else { panic!("a fourth") };
        assert_eq!((refused.capacity(), pool.stats().chunks), (3, 1));
        assert!(refused.to_string().contains("all 3 slots are occupied"), "{refused}");
        assert_eq!(refused.into_inner().id(), 3);
        let panic = catch_unwind(AssertUnwindSafe(|| drop(pool.make(3)))).unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().contains("all 3 slots are occupied"));
        boxes.remove(1);
        boxes.push(pool.make(4));
        assert!(boxes.iter().map(|b| b.id()).eq([0, 2, 4]));
        let refused = catch_unwind(AssertUnwindSafe(|| pool.reserve(1))).unwrap_err();
        assert!(refused.downcast_ref::<String>().unwrap().contains("3 of at most 3"));
        drop(boxes);
        assert!(pool.trim() > 0);
        assert_eq!((pool.stats().capacity, pool.stats().bytes), (3, 0));
        assert_eq!(pool.make_all(3).len(), 3);
    }

    pub(crate) fn panics_in_a_full_pool_cost_no_slot<S: Subject>() {
        let pool = S::new();
        let kept = [pool.make(1), pool.make(2)];
        for _ in 0..10 {
            let bomb = pool.alloc(S::Element::new(0, true));
            assert!(catch_unwind(AssertUnwindSafe(|| drop(bomb))).is_err());
            assert!(
                catch_unwind(AssertUnwindSafe(|| drop(pool.alloc_with(|| panic!("no"))))).is_err()
            );
            assert_eq!(pool.stats().live, 2);
        }
        assert_eq!(kept.map(|b| b.id()), [1, 2]);
    }
}
