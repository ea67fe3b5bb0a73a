//! What Tracy is told: every element once when it is allocated and once when it is freed, in the pool of one name.
//!
//! The two functions of its client are defined here, so the linker does not take the client's. `tracy_client` has the client.

#![cfg(feature = "tracy")]

use std::collections::{BTreeSet, HashMap};
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;

use typed_pool::{
    ByLayout, FreeList, PointerStack, PoolArc, PoolBox, PoolObject, PoolRc, Pooled, RawFreeList,
    RawPointerStack, Roster, SharedByLayout, any, unsize,
};

/// What a viewer would show.
#[derive(Default)]
struct Viewer {
    /// The bytes of what is live, by its pool's name and its address.
    live: HashMap<(String, usize), usize>,
    /// The address of each name.
    names: HashMap<String, BTreeSet<usize>>,
    /// What would end a recording, or what only a recording on demand ignores.
    faults: Vec<String>,
    events: usize,
}

fn viewer() -> MutexGuard<'static, Viewer> {
    static VIEWER: LazyLock<Mutex<Viewer>> = LazyLock::new(Mutex::default);
    VIEWER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Viewer {
    fn name(&mut self, name: *const c_char) -> String {
        // SAFETY: what the library passes is a C string that lives for ever.
        let text = unsafe { CStr::from_ptr(name) }.to_str().unwrap().to_owned();
        self.names.entry(text.clone()).or_default().insert(name.addr());
        self.events += 1;
        text
    }
}

#[unsafe(no_mangle)]
extern "C" fn ___tracy_emit_memory_alloc_named(
    element: *const c_void,
    bytes: usize,
    name: *const c_char,
) {
    let mut viewer = viewer();
    let name = viewer.name(name);
    let before = viewer.live.insert((name.clone(), element.addr()), bytes);
    if before.is_some() {
        viewer.faults.push(format!("{name}: allocated twice"));
    }
}

#[unsafe(no_mangle)]
extern "C" fn ___tracy_emit_memory_free_named(element: *const c_void, name: *const c_char) {
    let mut viewer = viewer();
    let name = viewer.name(name);
    let freed = viewer.live.remove(&(name.clone(), element.addr()));
    if freed.is_none() {
        viewer.faults.push(format!("{name}: freed, but not allocated"));
    }
}

/// How many elements are live, and their bytes, in the pools whose name ends like this.
fn shown(name: &str) -> (usize, usize) {
    let viewer = viewer();
    let found = viewer.live.iter().filter(|((pool, _), _)| pool.ends_with(name));
    found.fold((0, 0), |(count, sum), (_, bytes)| (count + 1, sum + bytes))
}

/// Nothing was told twice, or of another pool.
#[track_caller]
fn assert_no_fault_in(name: &str) {
    let viewer = viewer();
    let faults: Vec<_> = viewer.faults.iter().filter(|fault| fault.contains(name)).collect();
    assert!(faults.is_empty(), "{faults:?}");
    for (text, addresses) in viewer.names.iter().filter(|(text, _)| text.ends_with(name)) {
        assert_eq!(addresses.len(), 1, "{text} has one address");
    }
}

macro_rules! pooled {
    ($($name:ident $([$($key:tt)*])?)*) => {$(
        #[derive(Pooled)]
        $(#[pool($($key)*)])?
        #[allow(dead_code, reason = "it takes room")]
        struct $name([u64; 3]);
    )*};
}

pooled! {
    OnList
    OnStack [strategy = pointer_stack]
    Named [name = "bullets in flight"]
    Shared [static]
    SharedStack [static, strategy = pointer_stack, max = 5000]
    Fixed [static, capacity = 1000]
    FixedStack [static, capacity = 1000, strategy = pointer_stack]
    Counted [rc]
    SharedCounted [static, rc]
}

/// Allocates and frees in an order that mixes both, and checks after each step.
macro_rules! check_boxes {
    ($($test:ident: $type:ident $name:literal)*) => {$(
        #[test]
        fn $test() {
            let mut kept = Vec::new();
            let mut random = fastrand::Rng::with_seed(7);
            for n in 0..2000 {
                if random.u8(..) < 150 && kept.len() < 900 {
                    kept.push(PoolBox::new($type([n; 3])));
                } else if !kept.is_empty() {
                    drop(kept.swap_remove(random.usize(..kept.len())));
                }
                if n % 100 == 0 {
                    assert_eq!(shown($name), (kept.len(), 24 * kept.len()));
                    assert_eq!($type::pool_stats().live, kept.len());
                }
            }
            kept.clear();
            $type::pool_trim();
            assert_eq!(shown($name), (0, 0));
            assert_no_fault_in($name);
        }
    )*};
}

check_boxes! {
    a_thread_local_pool: OnList "::OnList"
    a_pointer_stack: OnStack "::OnStack"
    a_pool_with_a_name: Named "bullets in flight"
    a_static_pool: Shared "::Shared"
    a_static_stack: SharedStack "::SharedStack"
    a_fixed_pool: Fixed "::Fixed"
    a_fixed_stack: FixedStack "::FixedStack"
}

#[test]
fn elements_that_leave_their_thread() {
    #[derive(Pooled)]
    #[pool(static)]
    #[allow(dead_code, reason = "it takes room")]
    struct Job([u64; 3]);

    // Each thread frees what the one before has allocated, at addresses that both use.
    let mut jobs: Vec<PoolBox<Job>> = Vec::new();
    for _ in 0..8 {
        let older = jobs;
        jobs = thread::scope(|scope| {
            scope.spawn(move || older.clear_and_count());
            scope
                .spawn(|| (0..500).map(|n| PoolBox::new(Job([n; 3]))).collect::<Vec<_>>())
                .join()
                .unwrap()
        });
        assert_eq!(shown("::Job").0, 500);
    }
    drop(jobs);
    assert_eq!(shown("::Job").0, 0);
    assert_no_fault_in("::Job");
}

trait ClearAndCount {
    fn clear_and_count(self) -> usize;
}

impl<T> ClearAndCount for Vec<T> {
    fn clear_and_count(self) -> usize {
        self.into_iter().map(drop).count()
    }
}

#[test]
fn shared_elements_and_objects() {
    trait Shape: PoolObject {}

    #[derive(Pooled)]
    #[allow(dead_code, reason = "it takes room")]
    struct Circle([u64; 3]);
    impl Shape for Circle {}

    let counted = PoolRc::new(Counted([1; 3]));
    let weak = PoolRc::downgrade(&counted);
    let other = PoolRc::clone(&counted);
    assert_eq!(shown("::Counted"), (1, 24));
    drop((counted, other));
    assert_eq!(shown("::Counted").0, 1, "the slot is kept for the weak pointer");
    drop(weak);
    assert_eq!(shown("::Counted").0, 0);

    let shared = PoolArc::new(SharedCounted([1; 3]));
    thread::scope(|scope| scope.spawn(move || drop(shared)).join().unwrap());
    assert_eq!(shown("::SharedCounted").0, 0);

    let shape: PoolBox<dyn Shape> = unsize!(PoolBox::new(Circle([0; 3])) => dyn Shape);
    assert_eq!(shown("::Circle"), (1, 24));
    drop(shape);
    assert_eq!(shown("::Circle").0, 0);
    for name in ["::Counted", "::SharedCounted", "::Circle"] {
        assert_no_fault_in(name);
    }
}

#[test]
fn pools_by_layout() {
    // 56 bytes: no other test has such.
    let boxed: any::Box<[u64; 7]> = any::Box::new([0; 7]);
    let object: any::Box<dyn Send> = unsize!(any::Box::new([0_u64; 7]) => dyn Send);
    let shared = PoolBox::new_in([0_u64; 7], SharedByLayout);
    assert_eq!(shown("ByLayout, 56 bytes"), (3, 168));
    assert_eq!(shown("SharedByLayout, 56 bytes"), (1, 56));
    drop((boxed, object));
    thread::spawn(|| drop(shared)).join().unwrap();
    assert_eq!(shown("ByLayout, 56 bytes").0, 0);

    // These have no slot.
    let nothing: Vec<_> = (0..3).map(|_| PoolBox::new_in((), ByLayout)).collect();
    let large = PoolBox::new_in([0_u64; 10_000], ByLayout);
    drop((nothing, large));
    assert_no_fault_in("ByLayout");
}

#[test]
fn pools_that_are_values() {
    struct Spark(#[allow(dead_code, reason = "it takes room")] [u64; 3]);

    let list = FreeList::new();
    let stack = PointerStack::named("sparks");
    let kept: Vec<_> = (0..100).map(|n| list.alloc(Spark([n; 3]))).collect();
    let other: Vec<_> = (0..50).map(|n| stack.alloc(Spark([n; 3]))).collect();
    assert_eq!((shown("::Spark"), shown("sparks")), ((100, 2400), (50, 1200)));
    drop((kept, other));
    assert_eq!((shown("::Spark").0, shown("sparks").0), (0, 0));
    assert_no_fault_in("::Spark");
    assert_no_fault_in("sparks");
}

#[test]
fn what_a_pool_takes_back_at_once() {
    struct Leaked(#[allow(dead_code, reason = "it takes room")] [u64; 3]);

    // A viewer ignores the free of a vacant slot; a second allocation at an address would end the recording.
    let list = FreeList::new();
    (0..1000).for_each(|n| std::mem::forget(list.alloc(Leaked([n; 3]))));
    drop(list.alloc(Leaked([0; 3])));
    assert_eq!(shown("::Leaked").0, 1000);
    drop(list);
    assert_eq!(shown("::Leaked").0, 0);

    let layout = std::alloc::Layout::new::<[u64; 9]>();
    let mut list = RawFreeList::new(layout, 100).unwrap();
    let stack = RawPointerStack::new(layout, 100).unwrap();
    let blocks: Vec<_> = (0..60).map(|_| list.alloc().unwrap()).collect();
    assert_eq!(shown("RawFreeList"), (60, 60 * 72));
    // SAFETY: each came from the pool, and nothing uses it.
    blocks.into_iter().take(20).for_each(|block| unsafe { list.free(block) });
    assert_eq!(shown("RawFreeList").0, 40);
    list.reset();
    assert_eq!(shown("RawFreeList").0, 0);
    assert!(list.alloc().is_some() && stack.alloc().is_some());
    assert_eq!((shown("RawFreeList").0, shown("RawPointerStack").0), (1, 1));
    drop((list, stack));
    assert_eq!((shown("RawFreeList").0, shown("RawPointerStack").0), (0, 0));
    let twice = |fault: &&String| fault.contains("twice");
    assert_eq!(viewer().faults.iter().find(twice), None);
}

#[test]
fn rosters() {
    #[derive(Clone)]
    struct Orc(#[allow(dead_code, reason = "it takes room")] [u64; 3]);

    let mut orcs: Roster<Orc> = Roster::new();
    let handles: Vec<_> = (0..500).map(|n| orcs.insert(Orc([n; 3]))).collect();
    assert_eq!(shown("::Orc"), (500, 12_000));
    handles[..100].iter().for_each(|&handle| assert!(orcs.remove(handle).is_some()));
    let (slot, orc) = (handles[200], orcs.detach(handles[200]).unwrap());
    assert_eq!(shown("::Orc").0, 399);
    orcs.reattach(slot, orc);
    let mut clone = orcs.clone();
    assert_eq!(shown("::Orc").0, 800);
    clone.retain(|_, orc| orc.0[0] % 2 == 0);
    clone.drain().take(10).for_each(drop);
    assert_eq!(shown("::Orc").0, 400, "the drain has taken out the rest");
    drop(clone);
    assert!(orcs.into_iter().next().is_some());
    assert_eq!(shown("::Orc").0, 0, "without destructors, too");
    assert_no_fault_in("::Orc");
}

#[test]
fn a_roster_whose_clone_fails() {
    struct Fragile(u32);

    impl Clone for Fragile {
        fn clone(&self) -> Self {
            assert_ne!(self.0, 70, "as planned");
            Self(self.0)
        }
    }

    let roster: Roster<Fragile> = (0..100).map(Fragile).collect();
    assert!(catch_unwind(AssertUnwindSafe(|| roster.clone())).is_err());
    assert_eq!(shown("::Fragile").0, 100);
    drop(roster);
    assert_eq!(shown("::Fragile").0, 0);
    assert_no_fault_in("::Fragile");
}

#[test]
fn a_type_s_roster() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    #[allow(dead_code, reason = "it takes room")]
    struct Monster([u64; 3]);

    thread::spawn(|| {
        let insert = |n| _ = Monster::pool_insert(Monster([n; 3]));
        let first = Monster::pool_insert(Monster([0; 3]));
        (0..9).for_each(insert);
        Monster::pool_remove(first);
        assert_eq!(shown("::Monster").0, 9);
        // One that is cut short moves its elements when it has to grow.
        let mut short = Roster::bounded(3);
        short.extend((0..3).map(|n| Monster([n; 3])));
        Monster::pool_with(|monsters| *monsters = short);
        (0..9).for_each(insert);
        assert_eq!(shown("::Monster").0, 12);
    })
    .join()
    .unwrap();
    assert_eq!(shown("::Monster").0, 0, "the thread has ended");
    assert_no_fault_in("::Monster");
}

#[test]
fn the_end_of_a_thread() {
    #[derive(Pooled)]
    #[allow(dead_code, reason = "it takes room")]
    struct Late([u64; 3]);

    thread_local! {
        static KEPT: std::cell::RefCell<Vec<PoolBox<Late>>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    thread::spawn(|| {
        KEPT.with_borrow_mut(|kept| kept.extend((0..10).map(|n| PoolBox::new(Late([n; 3])))));
        PoolBox::leak(PoolBox::new(Late([0; 3])));
        assert_eq!(shown("::Late").0, 11);
    })
    .join()
    .unwrap();
    assert_eq!(shown("::Late").0, 1, "what has leaked is there for ever");
    assert_no_fault_in("::Late");
}

#[test]
fn a_constructor_that_panics() {
    #[derive(Pooled)]
    #[allow(dead_code, reason = "it takes room")]
    struct Hasty([u64; 3]);

    let failed = catch_unwind(|| Hasty::pool_alloc_with(|| panic!("as planned")));
    assert!(failed.is_err());
    assert_eq!(shown("::Hasty").0, 0);
    assert_no_fault_in("::Hasty");
}
