//! Whatever begins with `try_` returns an error when the heap refuses, whichever of its requests, and loses nothing.

#![allow(clippy::result_large_err, reason = "the elements are large")]

use std::cell::Cell;
use std::convert::Infallible;
use std::rc::Rc;

use typed_pool::init::TryInitError;
use typed_pool::{
    ByLayout, Exhausted, FreeList, Init, LocalFrameStack, PointerStack, PoolArc, PoolBox,
    PoolBoxIn, PoolRc, Pooled, Reason, Rewind, Roster, SecondaryMap, SharedByLayout,
    SparseSecondaryMap, Vacant, any, init,
};

use crate::{IS_LASTING, LEFT};

type Tried = Result<(), Reason>;

thread_local! {
    /// How many blocks the heap hands out before it refuses one, and whether it then refuses all.
    static PLAN: Cell<(usize, bool)> = const { Cell::new((0, false)) };
    /// Whether it has refused one.
    static HAS_REFUSED: Cell<bool> = const { Cell::new(false) };
    /// How many `Value`s are alive.
    static ALIVE: Cell<usize> = const { Cell::new(0) };
}

/// Runs `act` while the heap refuses as planned.
fn poor<R>(act: impl FnOnce() -> R) -> R {
    let (blocks, is_lasting) = PLAN.get();
    IS_LASTING.set(is_lasting);
    LEFT.set(blocks);
    let done = act();
    let left = LEFT.replace(usize::MAX);
    HAS_REFUSED.set(if is_lasting { left == 0 } else { left > blocks });
    done
}

/// Counts that no operation may lose.
#[derive(Debug)]
struct Counts;

impl Counts {
    fn new() -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self
    }
}

impl Drop for Counts {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// The reason; the value comes back with the error.
fn with_value<R, T>(result: Result<R, Exhausted<T>>) -> Tried {
    let Err(error) = result else { return Ok(()) };
    let reason = error.reason();
    assert_eq!(ALIVE.get(), 1, "the value is there");
    drop(error.into_inner());
    Err(reason)
}

fn plain<R>(result: Result<R, Exhausted>) -> Tried {
    result.map(drop).map_err(|error| error.reason())
}

fn of_init<R>(result: Result<R, TryInitError<Infallible>>) -> Tried {
    match result {
        Ok(_) => Ok(()),
        Err(TryInitError::Exhausted(error)) => Err(error.reason()),
        Err(TryInitError::Init(never)) => match never {},
    }
}

/// An initialiser.
fn in_place<T>(make: impl FnOnce() -> T) -> impl Init<T, Infallible> {
    init::try_with(|| Ok(make()))
}

/// The only reason there is.
fn of_heap<R, E>(result: Result<R, E>) -> Tried {
    result.map(drop).map_err(|_| Reason::Heap)
}

/// Tries each with every refusal that it can meet: of one block, and of all from one on.
fn all(ways: &[(&str, &dyn Fn() -> Tried)]) {
    for (name, attempt) in ways {
        for is_lasting in [true, false] {
            for blocks in 0.. {
                PLAN.set((blocks, is_lasting));
                let result = attempt();
                assert_eq!(ALIVE.get(), 0, "{name}, block {blocks}");
                match result {
                    Err(reason) => assert_eq!(reason, Reason::Heap, "{name}, block {blocks}"),
                    // With less, or with the next attempt of its own, or because it needs no more.
                    Ok(()) if HAS_REFUSED.get() => {
                        assert!(!is_lasting || blocks > 0, "{name} needs nothing");
                    }
                    Ok(()) => {
                        assert!(blocks > 0, "{name} asks for nothing");
                        break;
                    }
                }
            }
        }
    }
}

macro_rules! all {
    ($($way:expr;)*) => {
        all(&[$((stringify!($way), &|| $way)),*])
    };
}

/// The `try_*` of a pool that is a value.
macro_rules! owned {
    ($($name:ident: $Pool:ident;)*) => {$(
        #[test]
        fn $name() {
            let named = || $Pool::<Wide>::new().with_name("tries");
            all! {
                { let pool = $Pool::new(); with_value(poor(|| pool.try_alloc(wide()))) };
                { let pool = $Pool::new(); plain(poor(|| pool.try_alloc_with(wide))) };
                { let pool = $Pool::new(); of_init(poor(|| pool.try_init(in_place(wide)))) };
                { let pool = $Pool::<Wide>::new(); plain(poor(|| pool.try_vacant())) };
                { let pool = $Pool::<Wide>::new(); of_heap(poor(|| pool.try_reserve(10))) };
                { let pool = named(); with_value(poor(|| pool.try_alloc(wide()))) };
                { let pool = Rc::new($Pool::new()); with_value(poor(|| PoolBoxIn::try_new_in(wide(), pool))) };
                { let pool = Rc::new($Pool::<Wide>::new()); plain(poor(|| Vacant::try_new_in(pool))) };
            }
        }
    )*};
}

type Wide = ([u64; 40], Counts);

fn wide() -> Wide {
    ([7; 40], Counts::new())
}

owned! { free_lists: FreeList; pointer_stacks: PointerStack; }

/// The `try_*` of types with boxes.
macro_rules! derived {
    ($($name:ident: $Element:ident, $Counted:ident, $Pointer:ident $(, $attribute:meta)*;)*) => {$(
        #[derive(Debug, Pooled)]
        $(#[$attribute])*
        struct $Element(#[allow(dead_code, reason = "for its size")] [u64; 40], Counts);

        #[derive(Debug, Pooled)]
        #[pool(rc)]
        $(#[$attribute])*
        struct $Counted(#[allow(dead_code, reason = "for its size")] [u64; 40], Counts);

        #[test]
        fn $name() {
            let made = || $Element([7; 40], Counts::new());
            let counted = || $Counted([7; 40], Counts::new());
            // What this thread needs once is not the pool's.
            drop((PoolBox::new(made()), $Pointer::new(counted())));
            let ready = || _ = $Element::pool_trim() + $Counted::pool_trim();
            all! {
                { ready(); with_value(poor(|| PoolBox::try_new(made()))) };
                { ready(); of_init(poor(|| PoolBox::try_init(in_place(made)))) };
                { ready(); plain(poor(|| $Element::pool_try_alloc_with(made))) };
                { ready(); of_init(poor(|| $Element::pool_try_init(in_place(made)))) };
                { ready(); plain(poor(|| $Element::pool_try_vacant())) };
                { ready(); with_value(poor(|| $Pointer::try_new(counted()))) };
                { ready(); of_init(poor(|| $Pointer::try_init(in_place(counted)))) };
            }
            all! {
                { ready(); of_heap(poor(|| $Element::pool_try_reserve(10))) };
            }
        }
    )*};
}

derived! {
    thread_local: Local, LocalCounted, PoolRc;
    thread_local_stack: LocalStack, LocalStackCounted, PoolRc, pool(strategy = pointer_stack);
    thread_local_with_a_limit: LocalMax, LocalMaxCounted, PoolRc, pool(max = 100);
    growing_static: Shared, SharedCounted, PoolArc, pool(static);
    growing_static_list: SharedList, SharedListCounted, PoolArc, pool(static, strategy = free_list);
    static_with_a_limit: SharedMax, SharedMaxCounted, PoolArc, pool(static, max = 100);
}

/// The `try_*` of boxes of any type: in a slot, and on the heap.
macro_rules! by_layout {
    ($($name:ident: $bytes:literal;)*) => {$(
        #[test]
        fn $name() {
            let made = || ([7_u8; $bytes], Counts::new());
            drop((any::Box::new(made()), any::SendBox::new(made())));
            drop((any::Rc::new(made()), any::Arc::new(made())));
            let ready = || _ = ByLayout::trim() + SharedByLayout::trim();
            all! {
                { ready(); with_value(poor(|| any::Box::try_new(made()))) };
                { ready(); of_init(poor(|| any::Box::try_init(in_place(made)))) };
                { ready(); with_value(poor(|| any::SendBox::try_new(made()))) };
                { ready(); of_init(poor(|| any::SendBox::try_init(in_place(made)))) };
                { ready(); with_value(poor(|| any::Rc::try_new(made()))) };
                { ready(); of_init(poor(|| any::Rc::try_init(in_place(made)))) };
                { ready(); with_value(poor(|| any::Arc::try_new(made()))) };
                { ready(); of_init(poor(|| any::Arc::try_init(in_place(made)))) };
                { ready(); plain(poor(|| Vacant::<[u8; $bytes], _>::try_new_in(ByLayout))) };
            }
        }
    )*};
}

by_layout! { any_in_a_slot: 300; any_on_the_heap: 5000; }

#[test]
fn frames() {
    let new = LocalFrameStack::new;
    let filtered = || (0..5000_u32).filter(|_| true);
    all! {
        { let stack = new(); with_value(poor(|| stack.try_alloc(wide()))) };
        { let stack = new(); plain(poor(|| stack.try_alloc_with(wide))) };
        { let stack = new(); of_init(poor(|| stack.try_init(in_place(wide)))) };
        { let stack = new(); plain(poor(|| stack.try_alloc_slice(&[7; 5000]))) };
        { let stack = new(); plain(poor(|| stack.try_alloc_iter((0..100).map(|_| wide())))) };
        { let stack = new(); plain(poor(|| stack.try_alloc_iter(filtered()))) };
        { let stack = new(); plain(poor(|| stack.try_alloc_str("seven"))) };
        { let stack = new(); plain(poor(|| stack.try_alloc_fmt(format_args!("{:>5000}", 7)))) };
    }
}

#[derive(Debug, Pooled)]
#[pool(strategy = roster)]
struct Monster(#[allow(dead_code, reason = "for its size")] [u64; 40], Counts);

#[derive(Debug, Pooled)]
#[pool(static, strategy = roster)]
struct SharedMonster(#[allow(dead_code, reason = "for its size")] [u64; 40], Counts);

#[test]
fn rosters() {
    let monster = || Monster([7; 40], Counts::new());
    let shared = || SharedMonster([7; 40], Counts::new());
    Monster::pool_remove(Monster::pool_insert(monster()));
    SharedMonster::pool_remove(SharedMonster::pool_insert(shared()));
    let ready = || _ = Monster::pool_trim() + SharedMonster::pool_trim();
    let emptied = |tried: Tried| {
        Monster::pool_clear();
        SharedMonster::pool_clear();
        tried
    };
    all! {
        { let mut roster = Roster::new(); with_value(poor(|| roster.try_insert(wide()))) };
        { let mut roster = Roster::new(); plain(poor(|| roster.try_insert_with(|_| wide()))) };
        { let mut roster = Roster::<Wide>::new(); plain(poor(|| roster.try_vacant_entry().map(drop))) };
        { let mut roster = Roster::<Wide>::new(); of_heap(poor(|| roster.try_reserve(10))) };
        { let mut rewind = Rewind::<u64>::new(); of_heap(poor(|| rewind.try_reserve(10))) };
        { ready(); emptied(with_value(poor(|| Monster::pool_try_insert(monster())))) };
        { ready(); emptied(plain(poor(|| Monster::pool_try_insert_with(|_| monster())))) };
        { ready(); of_heap(poor(|| Monster::pool_try_reserve(10))) };
        { ready(); emptied(with_value(poor(|| SharedMonster::pool_try_insert(shared())))) };
        { ready(); of_heap(poor(|| SharedMonster::pool_try_reserve(10))) };
    }
    let marked = || {
        let mut rewind = Rewind::new();
        let handle = rewind.insert([7_u64; 40]);
        let _ = rewind.detach(handle);
        let _ = rewind.mark();
        (rewind, handle)
    };
    all! {
        {
            let mut rewind = marked().0;
            plain(poor(|| rewind.try_insert([7; 40])).map_err(|exhausted| exhausted.into_parts().0))
        };
        { let mut rewind = marked().0; plain(poor(|| rewind.try_insert_with(|_| [7; 40]))) };
        { let (mut rewind, handle) = marked(); of_heap(poor(|| rewind.try_reattach(handle, [7; 40]))) };
    }
    let handle = Roster::<u8>::new().insert(7);
    all! {
        { let mut map = SecondaryMap::new(); of_heap(poor(|| map.try_insert(handle, wide()))) };
        { let mut map = SparseSecondaryMap::new(); of_heap(poor(|| map.try_insert(handle, wide()))) };
    }
}
