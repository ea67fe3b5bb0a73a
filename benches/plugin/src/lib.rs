//! Pairs of alloc and free of 64 bytes, each in a function of its own, as in a plug-in whose functions allocate at one
//! time and free at another. The pools and the heaps are loaded in builds of their own, since a library with all of them has
//! more thread-locals than can be loaded.

use core::hint::black_box;
use std::time::Instant;

/// Times `pairs` of them, in nanoseconds for one; not a number if this build has no contestant of that number.
#[unsafe(no_mangle)]
pub extern "C" fn pair(contestant: usize, pairs: u64) -> f64 {
    let Some(Some((_, run))) = CONTESTANTS.get(contestant) else { return f64::NAN };
    run(1000);
    let start = Instant::now();
    run(pairs);
    start.elapsed().as_nanos() as f64 / pairs as f64
}

/// What runs pairs, and its name.
pub type Contestant = (&'static str, fn(u64));

/// In an order that is the same in all builds; without those that are not in this one. So the program that loads them has
/// the names, from a build with all.
pub const CONTESTANTS: [Option<Contestant>; 6] = [
    #[cfg(feature = "pools")]
    Some(("typed-pool", pools::list::run)),
    #[cfg(not(feature = "pools"))]
    None,
    #[cfg(feature = "pools")]
    Some(("typed-pool, pointer_stack", pools::stack::run)),
    #[cfg(not(feature = "pools"))]
    None,
    #[cfg(feature = "pools")]
    Some(("typed-pool, static", pools::shared::run)),
    #[cfg(not(feature = "pools"))]
    None,
    #[cfg(feature = "pools")]
    Some(("typed-pool, static, free_list", pools::shared_list::run)),
    #[cfg(not(feature = "pools"))]
    None,
    #[cfg(feature = "mimalloc")]
    Some(("mimalloc", heaps::mimalloc::run)),
    #[cfg(not(feature = "mimalloc"))]
    None,
    #[cfg(feature = "system")]
    Some(("Box (system)", heaps::system::run)),
    #[cfg(not(feature = "system"))]
    None,
];

/// The functions of one contestant, which allocates and frees by these expressions.
macro_rules! pairs {
    ($name:ident: $object:ty, $boxed:ty, $alloc:expr, $free:expr) => {
        pub(crate) mod $name {
            use super::*;

            #[inline(never)]
            fn make(seed: u64) -> $boxed {
                let alloc: fn(u64) -> $boxed = $alloc;
                alloc(seed)
            }

            #[inline(never)]
            fn free(object: $boxed) {
                let free: fn($boxed) = $free;
                free(object);
            }

            pub(crate) fn run(pairs: u64) {
                for seed in 0..pairs {
                    let object = make(seed);
                    black_box::<*const $object>(&raw const *object);
                    free(object);
                }
            }
        }
    };
}

#[inline(always)]
fn words(seed: u64) -> [u64; 8] {
    core::array::from_fn(|index| seed + index as u64)
}

#[cfg(feature = "pools")]
mod pools {
    use typed_pool::{PoolBox, Pooled};

    use super::{black_box, words};

    macro_rules! pooled {
        ($($run:ident $name:ident $(($($attribute:tt)*))?;)*) => {$(
            #[derive(Pooled)]
            $(#[pool($($attribute)*)])?
            struct $name {
                _words: [u64; 8],
            }

            pairs!($run: $name, PoolBox<$name>,
                |seed| PoolBox::new_with(|| $name { _words: words(seed) }), |object| drop(object));
        )*};
    }

    pooled! {
        list List;
        stack Stack(strategy = pointer_stack);
        shared Shared(static);
        shared_list SharedList(static, strategy = free_list);
    }
}

#[cfg(any(feature = "mimalloc", feature = "system"))]
mod heaps {
    use super::{black_box, words};

    #[cfg(feature = "system")]
    pairs!(system: [u64; 8], Box<[u64; 8]>, |seed| Box::new(words(seed)), |object| drop(object));

    #[cfg(feature = "mimalloc")]
    mod blocks {
        use core::ops::Deref;
        use core::ptr::NonNull;
        use std::alloc::{GlobalAlloc, Layout, handle_alloc_error};

        use mimalloc::MiMalloc;

        /// Words in a block of mimalloc's.
        pub(super) struct Block(NonNull<[u64; 8]>);

        impl Block {
            #[inline(always)]
            pub(super) fn new(words: [u64; 8]) -> Self {
                let layout = Layout::new::<[u64; 8]>();
                // SAFETY: the layout has a size.
                let memory = unsafe { MiMalloc.alloc(layout) };
                let block =
                    NonNull::new(memory.cast()).unwrap_or_else(|| handle_alloc_error(layout));
                // SAFETY: the block is new, and large enough.
                unsafe { block.write(words) };
                Self(block)
            }
        }

        impl Deref for Block {
            type Target = [u64; 8];

            fn deref(&self) -> &[u64; 8] {
                // SAFETY: the block was written, and lives as long as this.
                unsafe { self.0.as_ref() }
            }
        }

        impl Drop for Block {
            #[inline(always)]
            fn drop(&mut self) {
                let layout = Layout::new::<[u64; 8]>();
                // SAFETY: it came from this heap, with this layout.
                unsafe { MiMalloc.dealloc(self.0.as_ptr().cast(), layout) };
            }
        }
    }
    #[cfg(feature = "mimalloc")]
    use blocks::Block;
    #[cfg(feature = "mimalloc")]
    pairs!(mimalloc: [u64; 8], Block, |seed| Block::new(words(seed)), |object| drop(object));
}
