//! Functions whose hot path reaches a thread-local.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
pub struct Local(pub [u64; 4]);

#[derive(Pooled)]
#[pool(strategy = pointer_stack)]
pub struct LocalStack(pub [u64; 4]);

#[derive(Pooled)]
#[pool(static)]
pub struct Shared(pub [u64; 4]);

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
}
