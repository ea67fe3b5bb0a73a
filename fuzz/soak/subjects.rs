//! What a thread of the soak does with pools, and the books that it keeps of them.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Mutex, PoisonError};

use typed_pool::any::{Arc, ArcWeak, Box as AnyBox, SendBox};
use typed_pool::{
    ByLayout, FreeList, Handle, LocalFrameStack, PointerStack, PoolArc, PoolArcWeak, PoolBox,
    PoolRc, PoolRcWeak, Pooled, Roster, SharedByLayout,
};

use crate::heap::while_poor;

/// Elements that are alive, in all threads.
pub(crate) static ALIVE: AtomicIsize = AtomicIsize::new(0);

/// What every element has: it notices when it is not what was put there, and is counted.
pub(crate) struct Canary {
    seed: u64,
    /// What is dropped twice, or never, shows where the heap is watched.
    mirror: Box<u64>,
}

impl Canary {
    fn new(seed: u64) -> Self {
        ALIVE.fetch_add(1, Ordering::Relaxed);
        Self { seed, mirror: Box::new(!seed) }
    }

    fn check(&self, seed: u64) {
        assert_eq!(
            (self.seed, *self.mirror),
            (seed, !seed),
            "an element is not what was put there"
        );
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        self.check(self.seed);
        self.seed = 0xDEAD;
        ALIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Something that random steps are done to.
pub(crate) trait Subject {
    fn step(&mut self, random: &mut fastrand::Rng);

    /// That all elements are what they should be.
    fn check(&self);

    /// The thread is about to end. What the subject has may be left to thread-locals, or to another thread.
    fn leave(self: Box<Self>);

    /// Drops what it has now.
    fn end(self: Box<Self>);
}

thread_local! {
    /// Destroyed before pools, or after them, as it happens.
    static LATE: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// Now and then the heap has no large blocks, so that a pool has to do with less than it would like. (Where it has not even the
/// least, a program ends, as with `Box`.)
fn perhaps_poor<R>(random: &mut fastrand::Rng, f: impl FnOnce() -> R) -> R {
    if random.u8(..4) == 0 { while_poor(random.usize(LEAST..4 * LEAST), f) } else { f() }
}

/// What pools of some hundred elements can do with.
const LEAST: usize = 16 << 10;

/// Boxes of a derived type, with what each should hold.
macro_rules! boxes {
    ($($name:ident($words:literal) $(#[$attribute:meta])* $(shares through $shelf:ident)?;)*) => {$(
        #[derive(Pooled)]
        $(#[$attribute])*
        pub(crate) struct $name(Canary, #[allow(dead_code, reason = "it is there for its size")] [u64; $words]);

        $(static $shelf: Mutex<Vec<(PoolBox<$name>, u64)>> = Mutex::new(Vec::new());)?

        impl Subject for Vec<(PoolBox<$name>, u64)> {
            fn step(&mut self, random: &mut fastrand::Rng) {
                let seed = random.u64(..);
                match random.u8(..64) {
                    0 if random.u8(..8) == 0 => self.clear(),
                    1 => _ = $name::pool_trim(),
                    2 => {
                        let unwound = catch_unwind(|| $name::pool_try_alloc_with(|| resume_unwind(Box::new("no"))));
                        assert!(!matches!(unwound, Ok(Ok(_))));
                    }
                    3 => drop($name::pool_try_vacant()),
                    4 if !self.is_empty() => {
                        let (b, seed) = self.swap_remove(random.usize(..self.len()));
                        PoolBox::into_inner(b).0.check(seed);
                    }
                    5..24 if !self.is_empty() => {
                        let (b, seed) = self.swap_remove(random.usize(..self.len()));
                        b.0.check(seed);
                    }
                    $(24..30 => {
                        let mut shelf = $shelf.lock().unwrap_or_else(PoisonError::into_inner);
                        if random.bool() {
                            let taken = shelf.pop();
                            drop(shelf);
                            self.extend(taken);
                        } else if let Some(given) = self.pop() {
                            shelf.push(given);
                        }
                    })?
                    _ => {
                        // Values are made before, as they ask the heap as well.
                        let values: Vec<_> = (0..random.usize(..8)).map(|n| seed ^ n as u64).collect();
                        self.reserve(values.len());
                        for seed in values {
                            let canary = Canary::new(seed);
                            let made = perhaps_poor(random, || $name::pool_try_alloc_with(|| $name(canary, [seed; $words])));
                            self.extend(made.ok().map(|b| (b, seed)));
                        }
                    }
                }
            }

            fn check(&self) {
                self.iter().for_each(|(b, seed)| b.0.check(*seed));
            }

            fn leave(self: Box<Self>) {
                $(if true {
                    return $shelf.lock().unwrap_or_else(PoisonError::into_inner).extend(*self);
                })?
                #[allow(unreachable_code, reason = "of those that other threads may have")]
                LATE.with_borrow_mut(|late| late.push(self));
            }

            fn end(self: Box<Self>) {}
        }
    )*

        /// Drops what lies on the shelves, and gives back the memory of static pools.
        pub(crate) fn clear_boxes() {
            $(
                $($shelf.lock().unwrap_or_else(PoisonError::into_inner).clear();)?
                _ = $name::pool_trim();
            )*
        }

        pub(crate) fn some_boxes(random: &mut fastrand::Rng) -> Box<dyn Subject> {
            let all: &[fn() -> Box<dyn Subject>] = &[$(|| Box::new(Vec::<(PoolBox<$name>, u64)>::new())),*];
            random.choice(all).expect("there are some")()
        }
    };
}

boxes! {
    List(1);
    Stack(4) #[pool(strategy = pointer_stack)];
    Large(60) #[pool(chunk = 5)];
    Limited(2) #[pool(max = 300, chunk = 7)];
    Bounded(2) #[pool(capacity = 200)];
    Shared(1) #[pool(static)] shares through SHARED;
    SharedList(3) #[pool(static, strategy = free_list)] shares through SHARED_LIST;
    SharedLimited(1) #[pool(static, max = 700)] shares through SHARED_LIMITED;
    Fixed(2) #[pool(static, capacity = 500)] shares through FIXED;
    FixedStack(2) #[pool(static, capacity = 500, strategy = pointer_stack)] shares through FIXED_STACK;
}

/// Handles of a derived type, with what each should find, and some that find nothing.
macro_rules! rosters {
    ($($name:ident($is_shared:literal) $(#[$attribute:meta])*;)*) => {$(
        #[derive(Pooled)]
        #[pool(strategy = roster)]
        $(#[$attribute])*
        pub(crate) struct $name(Canary);

        impl Subject for (Vec<(Handle<$name>, u64)>, Vec<Handle<$name>>) {
            fn step(&mut self, random: &mut fastrand::Rng) {
                let (live, stale) = self;
                let seed = random.u64(..);
                match random.u8(..64) {
                    0 => _ = $name::pool_trim(),
                    1..24 if !live.is_empty() => {
                        let (handle, seed) = live.swap_remove(random.usize(..live.len()));
                        $name::pool_remove(handle).expect("a live handle").0.check(seed);
                        if stale.len() < 100 {
                            stale.push(handle);
                        }
                    }
                    24..30 if !live.is_empty() => {
                        let (handle, seed) = live[random.usize(..live.len())];
                        assert!($name::pool_get(handle, |element| element.0.check(seed)).is_some());
                    }
                    30..36 if !stale.is_empty() => {
                        assert!(!$name::pool_contains(stale[random.usize(..stale.len())]));
                    }
                    _ => {
                        live.reserve(1);
                        let value = $name(Canary::new(seed));
                        let made = perhaps_poor(random, || $name::pool_try_insert(value));
                        live.extend(made.ok().map(|handle| (handle, seed)));
                    }
                }
            }

            fn check(&self) {
                for &(handle, seed) in &self.0 {
                    assert!($name::pool_get(handle, |element| element.0.check(seed)).is_some());
                }
            }

            fn leave(self: Box<Self>) {
                // Those of the thread are dropped with its pool.
                if $is_shared {
                    self.end();
                }
            }

            fn end(self: Box<Self>) {
                self.0.iter().for_each(|&(handle, _)| drop($name::pool_remove(handle)));
            }
        }
    )*

        pub(crate) fn clear_rosters() {
            $(_ = $name::pool_trim();)*
        }

        pub(crate) fn some_roster(random: &mut fastrand::Rng) -> Box<dyn Subject> {
            let all: &[fn() -> Box<dyn Subject>] =
                &[$(|| Box::new((Vec::<(Handle<$name>, u64)>::new(), Vec::<Handle<$name>>::new()))),*];
            random.choice(all).expect("there are some")()
        }
    };
}

rosters! {
    Listed(false);
    ListedBounded(false) #[pool(capacity = 150)];
    SharedListed(true) #[pool(static)];
}

/// Owners of shared elements, and weak pointers, of which some are to elements that are gone.
macro_rules! shared {
    ($($subject:ident: $Strong:ty, $Weak:ty, $new:expr, $alias:ident::$Inner:ident;)*) => {$(
        #[derive(Default)]
        struct $subject {
            strong: Vec<($Strong, u64)>,
            weak: Vec<($Weak, u64)>,
        }

        impl Subject for $subject {
            fn step(&mut self, random: &mut fastrand::Rng) {
                let seed = random.u64(..);
                match random.u8(..32) {
                    0 => self.strong.clear(),
                    1 => self.weak.clear(),
                    2..10 if !self.strong.is_empty() => {
                        self.strong.swap_remove(random.usize(..self.strong.len()));
                    }
                    10..16 if !self.strong.is_empty() => {
                        let (owner, seed) = &self.strong[random.usize(..self.strong.len())];
                        let again = (owner.clone(), *seed);
                        self.strong.push(again);
                    }
                    16..20 if !self.strong.is_empty() => {
                        let (owner, seed) = &self.strong[random.usize(..self.strong.len())];
                        self.weak.push((<$Strong>::downgrade(owner), *seed));
                    }
                    20..24 if !self.weak.is_empty() => {
                        let (weak, seed) = self.weak.swap_remove(random.usize(..self.weak.len()));
                        if let Some(owner) = weak.upgrade() {
                            self.strong.push((owner, seed));
                        }
                    }
                    _ => self.strong.push(($new(Canary::new(seed)), seed)),
                }
            }

            fn check(&self) {
                self.strong.iter().for_each(|(owner, seed)| owner.$alias().check(*seed));
                for (weak, seed) in &self.weak {
                    let owners = self.strong.iter().filter(|(_, other)| other == seed).count();
                    assert_eq!(weak.strong_count(), owners);
                }
            }

            fn leave(self: Box<Self>) {
                LATE.with_borrow_mut(|late| late.push(self));
            }

            fn end(self: Box<Self>) {}
        }
    )*};
}

/// Where an element's canary is.
trait Look {
    fn look(&self) -> &Canary;
}

impl Look for Canary {
    fn look(&self) -> &Canary {
        self
    }
}

macro_rules! counted {
    ($($name:ident $(#[$attribute:meta])*;)*) => {$(
        #[derive(Pooled)]
        $(#[$attribute])*
        struct $name(Canary);

        impl Look for $name {
            fn look(&self) -> &Canary {
                &self.0
            }
        }
    )*};
}

counted! {
    Counted #[pool(rc)];
    SharedCounted #[pool(static, rc)];
}

shared! {
    OfThread: PoolRc<Counted>, PoolRcWeak<Counted>, |canary| PoolRc::new(Counted(canary)), look::Counted;
    OfProcess: PoolArc<SharedCounted>, PoolArcWeak<SharedCounted>, |canary| PoolArc::new(SharedCounted(canary)), look::SharedCounted;
    OfAnyType: Arc<Canary>, ArcWeak<Canary>, Arc::new, look::Canary;
}

/// Elements of several sizes in pools by layout.
#[derive(Default)]
struct AnySizes {
    small: Vec<(AnyBox<Canary>, u64)>,
    large: Vec<(AnyBox<(Canary, [u64; 90])>, u64)>,
    sent: Vec<(SendBox<(Canary, [u64; 9])>, u64)>,
}

impl Subject for AnySizes {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let seed = random.u64(..);
        match random.u8(..32) {
            0 => self.small.clear(),
            1 => self.large.clear(),
            2 => self.sent.clear(),
            3 => _ = ByLayout::trim(),
            4 => _ = SharedByLayout::trim(),
            5..9 if !self.small.is_empty() => {
                drop(self.small.swap_remove(random.usize(..self.small.len())))
            }
            9..12 if !self.large.is_empty() => {
                drop(self.large.swap_remove(random.usize(..self.large.len())))
            }
            12..15 if !self.sent.is_empty() => {
                drop(self.sent.swap_remove(random.usize(..self.sent.len())))
            }
            15..20 => {
                self.large.reserve(1);
                let value = (Canary::new(seed), [seed; 90]);
                let made = perhaps_poor(random, || AnyBox::try_new(value));
                self.large.extend(made.ok().map(|b| (b, seed)));
            }
            20..25 => {
                self.sent.reserve(1);
                let value = (Canary::new(seed), [seed; 9]);
                let made = perhaps_poor(random, || SendBox::try_new(value));
                self.sent.extend(made.ok().map(|b| (b, seed)));
            }
            _ => {
                self.small.reserve(1);
                let value = Canary::new(seed);
                let made = perhaps_poor(random, || AnyBox::try_new(value));
                self.small.extend(made.ok().map(|b| (b, seed)));
            }
        }
    }

    fn check(&self) {
        self.small.iter().for_each(|(b, seed)| b.check(*seed));
        self.large.iter().for_each(|(b, seed)| b.0.check(*seed));
        self.sent.iter().for_each(|(b, seed)| b.0.check(*seed));
    }

    fn leave(self: Box<Self>) {
        LATE.with_borrow_mut(|late| late.push(self));
    }

    fn end(self: Box<Self>) {}
}

/// Pools that are values, as long as there are boxes of them.
struct Owned<S> {
    boxes: Vec<(S, u64)>,
    make: Box<dyn Fn(u64) -> Option<S>>,
    look: fn(&S) -> &Canary,
}

impl<S: 'static> Subject for Owned<S> {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let seed = random.u64(..);
        if random.bool() && !self.boxes.is_empty() {
            drop(self.boxes.swap_remove(random.usize(..self.boxes.len())));
        } else {
            self.boxes.extend((self.make)(seed).map(|b| (b, seed)));
        }
    }

    fn check(&self) {
        self.boxes.iter().for_each(|(b, seed)| (self.look)(b).check(*seed));
    }

    fn leave(self: Box<Self>) {
        LATE.with_borrow_mut(|late| late.push(self));
    }

    fn end(self: Box<Self>) {}
}

fn owned(random: &mut fastrand::Rng) -> Box<dyn Subject> {
    use std::rc::Rc;
    let slots = random.usize(1..300);
    if random.bool() {
        let pool = Rc::new(FreeList::bounded(slots));
        Box::new(Owned::<PoolBox<Canary, Rc<FreeList<Canary>>>> {
            boxes: Vec::new(),
            make: Box::new(move |seed| {
                PoolBox::try_new_in(Canary::new(seed), Rc::clone(&pool)).ok()
            }),
            look: |b| b,
        })
    } else {
        let pool = Rc::new(PointerStack::with_capacity(slots));
        Box::new(Owned::<PoolBox<Canary, Rc<PointerStack<Canary>>>> {
            boxes: Vec::new(),
            make: Box::new(move |seed| {
                PoolBox::try_new_in(Canary::new(seed), Rc::clone(&pool)).ok()
            }),
            look: |b| b,
        })
    }
}

/// A frame, and the next, on a heap that refuses blocks of any size.
impl Subject for LocalFrameStack {
    fn step(&mut self, random: &mut fastrand::Rng) {
        self.reset();
        let mut live = Vec::new();
        for _ in 0..random.usize(..40) {
            let (seed, len) = (random.u64(..), random.usize(1..200));
            let canary = Canary::new(seed);
            let made = while_poor(random.usize(..4 * LEAST), || {
                self.try_alloc(canary).ok().zip(self.try_alloc_slice_with(len, |_| seed).ok())
            });
            live.extend(made.map(|(canary, slice)| (canary, slice, seed)));
        }
        for (canary, slice, seed) in &live {
            canary.check(*seed);
            assert!(slice.iter().all(|word| word == seed));
        }
        drop(live);
        if random.u8(..16) == 0 {
            self.trim();
        }
    }

    fn check(&self) {}

    fn leave(self: Box<Self>) {
        LATE.with_borrow_mut(|late| late.push(self));
    }

    fn end(self: Box<Self>) {}
}

/// A roster that is a value, which is cloned, and compared.
impl Subject for Roster<u64> {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let seed = random.u64(..);
        match random.u8(..32) {
            0 => *self = self.clone(),
            1 => self.retain(|_, value| *value % 3 != 0),
            2 => self.shrink_to_fit(),
            3..12 => {
                let some =
                    self.iter().nth(seed as usize % (self.len() + 1)).map(|(handle, _)| handle);
                assert_eq!(some.map(|handle| self.remove(handle).is_some()), some.map(|_| true));
            }
            _ => _ = perhaps_poor(random, || self.try_insert(seed)),
        }
    }

    fn check(&self) {
        assert_eq!(self.iter().count(), self.len());
    }

    fn leave(self: Box<Self>) {
        LATE.with_borrow_mut(|late| late.push(self));
    }

    fn end(self: Box<Self>) {}
}

/// One of all that there is.
pub(crate) fn some(random: &mut fastrand::Rng) -> Box<dyn Subject> {
    match random.u8(..20) {
        0..8 => some_boxes(random),
        8..11 => some_roster(random),
        11 => Box::<OfThread>::default(),
        12 => Box::<OfProcess>::default(),
        13 => Box::<OfAnyType>::default(),
        14..17 => Box::<AnySizes>::default(),
        17 => owned(random),
        18 => Box::new(LocalFrameStack::new()),
        _ => Box::new(Roster::<u64>::new()),
    }
}

/// Once no thread works: drops what lies between threads, and gives back what pools keep.
pub(crate) fn clear() {
    clear_boxes();
    clear_rosters();
    SharedCounted::pool_trim();
    SharedByLayout::trim();
}
