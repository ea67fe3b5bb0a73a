//! Operations of pools, each in a function of its own.

use typed_pool::rewind::{Mark, Rewind};
use typed_pool::{FreeList, Handle, PoolBox, PoolBoxIn, Pooled, Roster};

#[derive(Pooled, Default)]
pub struct Local(pub [u64; 4]);

#[derive(Pooled)]
#[pool(strategy = pointer_stack)]
pub struct LocalStack(pub [u64; 4]);

#[derive(Pooled)]
#[pool(static)]
pub struct Shared(pub [u64; 4]);

#[derive(Pooled)]
#[pool(static, capacity = 64)]
pub struct Fixed(pub [u64; 4]);

#[derive(Pooled)]
#[pool(strategy = roster)]
pub struct Listed(pub [u64; 4]);

#[derive(Pooled)]
#[pool(static, strategy = roster)]
pub struct Session(pub [u64; 4]);

macro_rules! functions {
    ($($alloc:ident, $free:ident: $ty:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub fn $alloc(word: u64) -> PoolBox<$ty> {
            PoolBox::new($ty([word; 4]))
        }

        #[unsafe(no_mangle)]
        pub fn $free(element: PoolBox<$ty>) {
            drop(element);
        }
    )*};
}

functions! {
    alloc_local, free_local: Local;
    alloc_local_stack, free_local_stack: LocalStack;
    alloc_shared, free_shared: Shared;
    alloc_fixed, free_fixed: Fixed;
}

/// The call that the README shows.
#[unsafe(no_mangle)]
pub fn alloc_default() -> PoolBox<Local> {
    Local::pool_alloc()
}

type OwnedBox<'p> = PoolBoxIn<[u64; 4], &'p FreeList<[u64; 4]>>;

#[unsafe(no_mangle)]
pub fn alloc_owned(pool: &FreeList<[u64; 4]>, word: u64) -> OwnedBox<'_> {
    pool.alloc([word; 4])
}

#[unsafe(no_mangle)]
pub fn free_owned(element: OwnedBox<'_>) {
    drop(element);
}

#[unsafe(no_mangle)]
pub fn insert_listed(word: u64) -> Handle<Listed> {
    Listed::pool_insert(Listed([word; 4]))
}

#[unsafe(no_mangle)]
pub fn remove_listed(handle: Handle<Listed>) -> Option<Listed> {
    Listed::pool_remove(handle)
}

#[unsafe(no_mangle)]
pub fn get_in_roster(roster: &Roster<[u64; 4]>, handle: Handle<[u64; 4]>) -> Option<&[u64; 4]> {
    roster.get(handle)
}

#[unsafe(no_mangle)]
pub fn get_session(handle: Handle<Session>) -> Option<u64> {
    Session::pool_get(handle, |session| session.0[0])
}

#[unsafe(no_mangle)]
pub fn go_back(world: &mut Rewind<u64>, mark: Mark) -> bool {
    world.rewind(mark).is_ok()
}
