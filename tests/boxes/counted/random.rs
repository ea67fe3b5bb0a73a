//! Random operations on boxes, vacant slots and shared pointers of one pool, against a model that keeps counts by address.
//!
//! More seeds: `MODEL_SEEDS=1000 cargo test --test boxes random`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::mem::{self, ManuallyDrop};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use typed_pool::rc::{Atomic, Count, Plain, RefCounted, RefCountedBy, RefCountedWeak};
use typed_pool::{PoolBox, Pooled, Vacant, init};

fn seeds() -> u64 {
    std::env::var("MODEL_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(4)
}

/// An element that holds a number.
trait Value: Clone + Debug {
    /// Whether each has an [`Owner`].
    const OWNS: bool = true;

    fn new(number: u64) -> Self;
    fn number(&self) -> u64;
    fn set(&mut self, number: u64);
}

/// Owns memory, so that what is dropped twice, or never, shows; and it is counted.
#[derive(Debug)]
struct Owner(Box<u64>, Arc<AtomicIsize>);

thread_local! {
    /// Each test has a count of its own.
    static OWNERS: RefCell<Arc<AtomicIsize>> = RefCell::default();
}

fn owners() -> Arc<AtomicIsize> {
    OWNERS.with_borrow(Arc::clone)
}

impl Owner {
    fn new(number: u64) -> Self {
        let owners = owners();
        owners.fetch_add(1, Ordering::Relaxed);
        Self(Box::new(number), owners)
    }
}

impl Clone for Owner {
    fn clone(&self) -> Self {
        Self::new(*self.0)
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.1.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Debug)]
enum Pointer<T: RefCountedBy<C>, C: Count> {
    Vacant(Vacant<T>),
    Box(PoolBox<T>),
    Strong(RefCounted<T, C>),
    Weak(RefCountedWeak<T, C>),
}

use Pointer::{Strong, Weak};

/// Where the element is, or was.
fn address<T: RefCountedBy<C>, C: Count>(weak: &RefCountedWeak<T, C>) -> *const T {
    const { assert!(size_of::<RefCountedWeak<T, C>>() == size_of::<*const T>()) };
    // SAFETY: it is one word, and has nothing but the address.
    unsafe { mem::transmute_copy(weak) }
}

/// An occupied slot. In a box: one strong pointer.
#[derive(Default)]
struct Slot {
    number: Option<u64>,
    strong: usize,
    weak: usize,
}

struct Model<T: RefCountedBy<C>, C: Count> {
    random: fastrand::Rng,
    pointers: Vec<Pointer<T, C>>,
    /// Raw pointers from `into_raw` of boxes, and of strong pointers.
    raw_boxes: Vec<*mut T>,
    raw_strong: Vec<*const T>,
    slots: BTreeMap<usize, Slot>,
}

impl<T: RefCountedBy<C> + Value, C: Count> Model<T, C> {
    fn live(&self) -> usize {
        let is_vacant = |pointer: &&Pointer<T, C>| matches!(pointer, Pointer::Vacant(_));
        self.slots.len() + self.pointers.iter().filter(is_vacant).count()
    }

    fn is_full(&self) -> bool {
        T::pool_stats().limit == Some(self.live())
    }

    fn number(&mut self) -> u64 {
        self.random.u64(..256)
    }

    /// A slot was handed out.
    fn occupy(&mut self, element: *const T, number: Option<u64>, strong: usize, weak: usize) {
        let (at, apart) = (element.addr(), size_of::<T>() + 2 * size_of::<usize>());
        assert_eq!(at % align_of::<T>(), 0);
        assert!(self.slots.range(at.saturating_sub(apart - 1)..at + apart).next().is_none());
        self.slots.insert(at, Slot { number, strong, weak });
    }

    fn slot(&mut self, element: *const T) -> &mut Slot {
        self.slots.get_mut(&element.addr()).expect("an occupied slot")
    }

    /// A strong pointer has gone.
    fn drop_strong(&mut self, element: *const T) {
        let slot = self.slot(element);
        slot.strong -= 1;
        if slot.strong == 0 {
            slot.number = None;
            if slot.weak == 0 {
                self.slots.remove(&element.addr());
            }
        }
    }

    fn drop_weak(&mut self, element: *const T) {
        if let Some(slot) = self.slots.get_mut(&element.addr()) {
            slot.weak -= 1;
            if slot.strong + slot.weak == 0 {
                self.slots.remove(&element.addr());
            }
        }
    }

    fn make(&mut self) {
        let (number, is_full) = (self.number(), self.is_full());
        match self.random.u8(..7) {
            0 => match PoolBox::try_new(T::new(number)) {
                Ok(made) => self.made_box(made, number, is_full),
                Err(error) => assert!(is_full && error.into_inner().number() == number),
            },
            1 => match RefCounted::try_new(T::new(number)) {
                Ok(made) => self.made_strong(made, number, is_full),
                Err(error) => assert!(is_full && error.into_inner().number() == number),
            },
            2 => match T::pool_try_vacant() {
                Ok(vacant) => {
                    assert!(!is_full);
                    self.pointers.push(Pointer::Vacant(vacant));
                }
                Err(_) => assert!(is_full),
            },
            3 => {
                let panics = || -> T { resume_unwind(Box::new("no element")) };
                let made = catch_unwind(|| {
                    RefCounted::<T, C>::try_init(init::with(panics)).map(mem::forget)
                });
                assert_eq!(matches!(made, Ok(Err(_))), is_full);
            }
            4 if is_full => {
                let made = catch_unwind(|| mem::forget(RefCounted::<T, C>::new(T::new(number))));
                assert!(made.is_err());
            }
            4 => {
                let clones = self.random.usize(..3);
                let mut kept = Vec::new();
                let made = RefCounted::new_cyclic(|weak| {
                    assert!(weak.upgrade().is_none() && weak.strong_count() == 0);
                    kept.resize_with(clones, || weak.clone());
                    T::new(number)
                });
                self.made_strong(made, number, is_full);
                self.kept_weak(kept);
            }
            5 if !is_full => {
                let mut kept = Vec::new();
                let made = catch_unwind(AssertUnwindSafe(|| {
                    RefCounted::<T, C>::new_cyclic(|weak| {
                        kept.push(weak.clone());
                        resume_unwind(Box::new("no element"))
                    })
                }));
                assert!(made.is_err());
                self.occupy(address(&kept[0]), None, 0, 0);
                self.kept_weak(kept);
            }
            _ => self.pointers.push(Weak(RefCountedWeak::new())),
        }
    }

    fn made_box(&mut self, made: PoolBox<T>, number: u64, is_full: bool) {
        assert!(!is_full);
        self.occupy(PoolBox::as_ptr(&made), Some(number), 1, 0);
        self.pointers.push(Pointer::Box(made));
    }

    fn made_strong(&mut self, made: RefCounted<T, C>, number: u64, is_full: bool) {
        assert!(!is_full);
        self.occupy(RefCounted::as_ptr(&made), Some(number), 1, 0);
        self.pointers.push(Strong(made));
    }

    fn kept_weak(&mut self, kept: Vec<RefCountedWeak<T, C>>) {
        for weak in kept {
            self.slot(address(&weak)).weak += 1;
            self.pointers.push(Weak(weak));
        }
    }

    /// Makes a box or a strong pointer again of what was one, or has one more of it.
    fn change_raw(&mut self) {
        if let Some(raw) = self.raw_boxes.pop() {
            // SAFETY: `change_box` has it from a box, on this thread.
            self.pointers.push(Pointer::Box(unsafe { PoolBox::from_raw(raw) }));
        }
        let Some(raw) = self.raw_strong.pop() else { return };
        match self.random.u8(..3) {
            0 => {
                // SAFETY: `change_strong` has it from a strong pointer, on this thread, and it owns the element. This one is only
                // cloned.
                let held = ManuallyDrop::new(unsafe { RefCounted::<T, C>::from_raw(raw) });
                self.slot(raw).strong += 1;
                self.raw_strong.extend([raw, RefCounted::into_raw(RefCounted::clone(&held))]);
            }
            1 => {
                // SAFETY: it is one of the pointers that were turned into `raw`.
                drop(unsafe { RefCounted::<T, C>::from_raw(raw) });
                self.drop_strong(raw);
            }
            _ => {
                // SAFETY: as above.
                self.pointers.push(Strong(unsafe { RefCounted::from_raw(raw) }));
            }
        }
    }

    /// Does something to one of the pointers.
    fn change(&mut self) {
        if self.pointers.is_empty() {
            return;
        }
        let index = self.random.usize(..self.pointers.len());
        let (pointer, number) = (self.pointers.swap_remove(index), self.number());
        match pointer {
            Pointer::Vacant(vacant) => {
                if self.random.bool() {
                    let made = vacant.fill(T::new(number));
                    self.made_box(made, number, false);
                }
            }
            Pointer::Box(boxed) => self.change_box(boxed, number),
            Strong(strong) => self.change_strong(strong, number),
            Weak(weak) => self.change_weak(weak),
        }
    }

    fn change_box(&mut self, mut boxed: PoolBox<T>, number: u64) {
        let at = PoolBox::as_ptr(&boxed);
        match self.random.u8(..6) {
            0 => {
                assert_eq!(Some(PoolBox::into_inner(boxed).number()), self.slot(at).number);
                self.drop_strong(at);
            }
            1 => {
                drop(boxed);
                self.drop_strong(at);
            }
            2 => {
                boxed.set(number);
                self.slot(at).number = Some(number);
                self.pointers.push(Pointer::Box(boxed));
            }
            3 => self.raw_boxes.push(PoolBox::into_raw(boxed)),
            _ => {
                let shared = RefCounted::from(boxed);
                assert_eq!(RefCounted::as_ptr(&shared), at);
                self.pointers.push(Strong(shared));
            }
        }
    }

    fn change_strong(&mut self, mut strong: RefCounted<T, C>, number: u64) {
        let at = RefCounted::as_ptr(&strong);
        let Slot { number: held, strong: owners, weak } = *self.slot(at);
        let (is_sole, is_unique) = (owners == 1, owners == 1 && weak == 0);
        match self.random.u8(..9) {
            0 | 1 => {
                self.slot(at).strong += 1;
                self.pointers.push(Strong(strong.clone()));
            }
            2 => {
                self.slot(at).weak += 1;
                self.pointers.push(Weak(RefCounted::downgrade(&strong)));
            }
            3 => {
                let exclusive = RefCounted::get_mut(&mut strong);
                assert_eq!(exclusive.is_some(), is_unique);
                if let Some(element) = exclusive {
                    element.set(number);
                    self.slot(at).number = Some(number);
                }
            }
            4 if is_unique || !self.is_full() => {
                RefCounted::make_mut(&mut strong).set(number);
                if is_unique {
                    assert_eq!(RefCounted::as_ptr(&strong), at);
                    self.slot(at).number = Some(number);
                } else {
                    self.occupy(RefCounted::as_ptr(&strong), Some(number), 1, 0);
                    self.drop_strong(at);
                }
            }
            4 => {
                let changed = catch_unwind(AssertUnwindSafe(|| {
                    RefCounted::make_mut(&mut strong).set(number);
                }));
                assert!(changed.is_err() && RefCounted::as_ptr(&strong) == at);
            }
            5 => match RefCounted::try_unwrap(strong) {
                Ok(element) => {
                    assert!(is_sole && Some(element.number()) == held);
                    return self.drop_strong(at);
                }
                Err(refused) => {
                    assert!(!is_sole);
                    strong = refused;
                }
            },
            6 => {
                let element = RefCounted::into_inner(strong);
                assert_eq!(element.map(|element| element.number()), held.filter(|_| is_sole));
                return self.drop_strong(at);
            }
            7 => return self.raw_strong.push(RefCounted::into_raw(strong)),
            _ => {
                drop(strong);
                return self.drop_strong(at);
            }
        }
        self.pointers.push(Strong(strong));
    }

    fn change_weak(&mut self, weak: RefCountedWeak<T, C>) {
        let at = address(&weak);
        match self.random.u8(..4) {
            0 => {
                if let Some(slot) = self.slots.get_mut(&at.addr()) {
                    slot.weak += 1;
                }
                self.pointers.push(Weak(weak.clone()));
            }
            1 => {
                let upgraded = weak.upgrade();
                let held = self.slots.get(&at.addr()).and_then(|slot| slot.number);
                assert_eq!(upgraded.as_ref().map(|strong| strong.number()), held);
                if let Some(strong) = upgraded {
                    self.slot(at).strong += 1;
                    self.pointers.push(Strong(strong));
                }
            }
            _ => {
                drop(weak);
                return self.drop_weak(at);
            }
        }
        self.pointers.push(Weak(weak));
    }

    fn look_after(&mut self) {
        match self.random.u8(..3) {
            0 => {
                T::pool_trim();
            }
            1 => T::pool_prefault(),
            _ => {
                let room = T::pool_stats().limit.map_or(10, |limit| limit - self.live());
                T::pool_reserve(room.min(10));
            }
        }
    }

    fn check(&mut self) {
        let stats = T::pool_stats();
        let in_use = stats.live;
        assert_eq!(in_use, self.live());
        assert!(in_use <= stats.high_water && stats.limit.is_none_or(|most| in_use <= most));
        let elements = self.slots.values().filter(|slot| slot.number.is_some()).count();
        let expected = if T::OWNS { elements } else { 0 };
        assert_eq!(owners().load(Ordering::Relaxed), expected as isize);
        for pointer in &self.pointers {
            let (at, number) = match pointer {
                Pointer::Box(boxed) => (PoolBox::as_ptr(boxed), boxed.number()),
                Strong(strong) => {
                    let slot = &self.slots[&RefCounted::as_ptr(strong).addr()];
                    assert_eq!(RefCounted::strong_count(strong), slot.strong);
                    assert_eq!(RefCounted::weak_count(strong), slot.weak);
                    (RefCounted::as_ptr(strong), strong.number())
                }
                Weak(weak) => {
                    let slot = self.slots.get(&address(weak).addr());
                    assert_eq!(weak.strong_count(), slot.map_or(0, |slot| slot.strong));
                    continue;
                }
                Pointer::Vacant(_) => continue,
            };
            assert_eq!(self.slots[&at.addr()].number, Some(number));
        }
    }

    /// Takes up what has no destructor.
    fn end(mut self) {
        while !self.raw_boxes.is_empty() || !self.raw_strong.is_empty() {
            self.change_raw();
        }
    }
}

/// In one thread.
fn alone<T: RefCountedBy<C> + Value, C: Count>() {
    for seed in 0..seeds() {
        let random = fastrand::Rng::with_seed(seed);
        let mut model = Model::<T, C> {
            random,
            pointers: Vec::new(),
            raw_boxes: Vec::new(),
            raw_strong: Vec::new(),
            slots: BTreeMap::new(),
        };
        for step in 0..400 {
            // It grows and shrinks, in turn.
            match model.random.u8(..64) {
                0 => model.look_after(),
                1..6 => model.change_raw(),
                n if n % 4 < if step / 100 % 2 == 0 { 2 } else { 1 } => model.make(),
                _ => model.change(),
            }
            if step % 7 == 0 {
                model.check();
            }
        }
        model.check();
        model.end();
        assert_eq!(T::pool_stats().live, 0, "seed {seed}");
        assert_eq!(owners().load(Ordering::Relaxed), 0, "seed {seed}");
    }
}

/// In threads that pass on what they have, some by leaving it to those who come after.
fn together<T: RefCountedBy<C> + Value, C: Count>()
where
    Pointer<T, C>: Send,
{
    let owners = owners();
    for seed in 0..seeds() {
        let passed = Mutex::new(Vec::new());
        let work = |seed| {
            OWNERS.set(owners.clone());
            let mut random = fastrand::Rng::with_seed(seed);
            let mut own = Vec::<Pointer<T, C>>::new();
            for _ in 0..400 {
                let made = match random.u8(..6) {
                    0 => PoolBox::try_new(T::new(1)).ok().map(Pointer::Box),
                    1 => T::pool_try_vacant().ok().map(Pointer::Vacant),
                    2 => RefCounted::try_new(T::new(2)).ok().map(Strong),
                    3 => passed.lock().unwrap().pop(),
                    _ => {
                        passed.lock().unwrap().extend(own.pop());
                        None
                    }
                };
                own.extend(made);
                if own.is_empty() {
                    continue;
                }
                let index = random.usize(..own.len());
                let choice = random.u8(..6);
                let changed: Vec<_> = match own.swap_remove(index) {
                    Pointer::Vacant(vacant) if choice < 3 => {
                        vec![Pointer::Box(vacant.fill(T::new(3)))]
                    }
                    Pointer::Box(boxed) if choice < 3 => vec![Strong(RefCounted::from(boxed))],
                    Strong(strong) if choice < 2 => {
                        let weak = RefCounted::downgrade(&strong);
                        vec![Strong(strong.clone()), Strong(strong), Weak(weak)]
                    }
                    Strong(mut strong) if choice == 2 => {
                        if let Some(element) = RefCounted::get_mut(&mut strong) {
                            element.set(4);
                        }
                        assert!((1..=4).contains(&strong.number()));
                        vec![Strong(strong)]
                    }
                    Strong(strong) if choice == 3 => {
                        RefCounted::try_unwrap(strong).err().map(Strong).into_iter().collect()
                    }
                    // One of all owners takes the element.
                    Strong(strong) if choice == 5 => {
                        drop(RefCounted::into_inner(strong));
                        Vec::new()
                    }
                    Weak(weak) if choice < 3 => {
                        weak.upgrade().map(Strong).into_iter().chain([Weak(weak)]).collect()
                    }
                    pointer if choice == 4 => vec![pointer],
                    _ => Vec::new(),
                };
                own.extend(changed);
            }
            passed.lock().unwrap().extend(own);
        };
        thread::scope(|scope| {
            let work = &work;
            let threads = [0, 1, 2].map(|thread| scope.spawn(move || work(3 * seed + thread)));
            // The scope itself does not wait for thread-locals, and a magazine that is being emptied counts as live.
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
        drop(passed);
        assert_eq!((T::pool_stats().live, owners.load(Ordering::Relaxed)), (0, 0), "seed {seed}");
    }
}

/// Elements of several sizes and alignments, each in a pool with these attributes.
macro_rules! check {
    ($($name:ident: $run:ident, $C:ty, ($($attribute:tt)*);)*) => {$(
        mod $name {
            use super::*;

            macro_rules! element {
                ($test:ident, $alignment:literal) => {
                    #[test]
                    fn $test() {
                        #[derive(Pooled, Clone, Debug)]
                        #[pool($($attribute)*)]
                        #[repr(align($alignment))]
                        struct Element(Owner);

                        impl Value for Element {
                            fn new(number: u64) -> Self {
                                Self(Owner::new(number))
                            }

                            fn number(&self) -> u64 {
                                *self.0.0
                            }

                            fn set(&mut self, number: u64) {
                                *self.0.0 = number;
                            }
                        }

                        $run::<Element, $C>();
                    }
                };
            }

            element!(a_few_words, 8);
            element!(two_words_apart, 16);
            element!(a_cache_line, 64);
            element!(a_page, 4096);

            #[test]
            fn a_byte() {
                #[derive(Pooled, Clone, Debug)]
                #[pool($($attribute)*)]
                struct Byte(u8);

                impl Value for Byte {
                    const OWNS: bool = false;

                    fn new(number: u64) -> Self {
                        Self(number as u8)
                    }

                    fn number(&self) -> u64 {
                        self.0.into()
                    }

                    fn set(&mut self, number: u64) {
                        self.0 = number as u8;
                    }
                }

                $run::<Byte, $C>();
            }

            /// Its destructor uses the pool.
            #[test]
            fn one_that_uses_its_pool() {
                #[derive(Pooled, Clone, Debug)]
                #[pool($($attribute)*)]
                struct Again(u64, Option<Owner>);

                impl Drop for Again {
                    fn drop(&mut self) {
                        if self.1.is_some() {
                            let boxed = PoolBox::try_new(Self(self.0, None)).ok();
                            let shared = boxed.map(RefCounted::<Self, $C>::from);
                            let others = [shared.clone(), shared];
                            let _weak = others[0].as_ref().map(RefCounted::downgrade);
                            drop(others);
                        }
                    }
                }

                impl Value for Again {
                    fn new(number: u64) -> Self {
                        Self(number, Some(Owner::new(number)))
                    }

                    fn number(&self) -> u64 {
                        assert_eq!(self.0, *self.1.as_ref().unwrap().0);
                        self.0
                    }

                    fn set(&mut self, number: u64) {
                        self.0 = number;
                        *self.1.as_mut().unwrap().0 = number;
                    }
                }

                $run::<Again, $C>();
            }
        }
    )*};
}

check! {
    lists: alone, Plain, (rc);
    stacks: alone, Plain, (strategy = pointer_stack, rc);
    limited_lists: alone, Plain, (max = 9, chunk = 2, rc);
    limited_stacks: alone, Plain, (strategy = pointer_stack, max = 9, rc);
    full_lists: alone, Plain, (capacity = 5, rc);
    static_lists: alone, Atomic, (static, strategy = free_list, rc);
    static_stacks: alone, Plain, (static, strategy = pointer_stack, rc);
    limited_static_lists: alone, Plain, (static, strategy = free_list, max = 9, rc);
    limited_static_stacks: alone, Atomic, (static, strategy = pointer_stack, max = 9, rc);
    fixed_lists: alone, Atomic, (static, strategy = free_list, capacity = 9, rc);
    fixed_stacks: alone, Plain, (static, strategy = pointer_stack, capacity = 9, rc);
    lists_of_threads: together, Atomic, (static, strategy = free_list, rc);
    stacks_of_threads: together, Atomic, (static, strategy = pointer_stack, rc);
    limited_lists_of_threads: together, Atomic, (static, strategy = free_list, max = 20, rc);
    limited_stacks_of_threads: together, Atomic, (static, strategy = pointer_stack, max = 20, rc);
    fixed_lists_of_threads: together, Atomic, (static, strategy = free_list, capacity = 20, rc);
    fixed_stacks_of_threads: together, Atomic, (static, strategy = pointer_stack, capacity = 20, rc);
}
