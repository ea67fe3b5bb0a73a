//! The pools by layout of the whole process: a static pool for each class.

use core::mem::MaybeUninit;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::stats::PoolStats;
use crate::derived::backing::StaticPool;
use crate::derived::by_layout::classes::Class;
use crate::derived::key::InStatic;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{BoxStorage as _, Upkeep as _};
use crate::pool::typed::FreeList;

/// What a slot holds.
struct Block<const WORDS: usize>([MaybeUninit<u64>; WORDS]);

/// A pool for each class, by the words of its slots.
macro_rules! classes {
    ($($words:literal)*) => {
        $(impl Pooled for Block<$words> {
            type __Storage = InStatic<StaticPool<FreeList<Self>>>;
            const __POOL: Self::__Storage = crate::__private::__static_pool!(
                crate::__private::FreeList<Block<$words>>, Config::new()
            );
        })*

        /// Calls what stands behind the class, with the key to its pool.
        macro_rules! in_class {
            ($class:expr, |$pool:ident, $Block:ident| $call:expr) => {
                match $class.bytes() / 8 {
                    $($words => {
                        #[allow(dead_code, reason = "a call may not name it")]
                        type $Block = Block<$words>;
                        let $pool = <Block<$words> as Pooled>::__POOL;
                        $call
                    })*
                    _ => unreachable!("there is a pool for each class"),
                }
            };
        }
    };
}

classes! { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 20 24 28 32 40 48 56 64 80 96 112 128 160 192 224 256 }

/// Takes a slot.
#[inline(always)]
pub(super) fn take(class: Class) -> Option<NonNull<u8>> {
    in_class!(class, |pool, Slot| pool.acquire().map(NonNull::cast))
}

/// Panics if it is found that a slot cannot be taken back.
#[track_caller]
pub(super) fn verify(taken: NonNull<u8>, class: Class) {
    in_class!(class, |pool, Slot| pool.verify(taken.cast::<Slot>()));
}

/// Takes a slot back.
///
/// # Safety
///
/// It came from [`take`] with this class, and has not been given back since. The pointer is good for writing to all of it, and
/// nothing uses it any more.
#[inline(always)]
pub(super) unsafe fn put(freed: NonNull<u8>, class: Class) {
    in_class!(class, |pool, Slot| {
        // SAFETY: passed on from the caller.
        unsafe { pool.release(freed.cast::<Slot>()) }
    });
}

/// Ends the program, since [`take`] found no slot.
#[cold]
#[track_caller]
pub(super) fn exhausted(class: Class) -> ! {
    in_class!(class, |pool, Slot| panic!("{}", pool.exhausted()))
}

/// The figures of a class that is called `name`.
pub(super) fn stats(class: Class, name: &'static str) -> PoolStats {
    in_class!(class, |pool, Slot| PoolStats { name, ..pool.stats() })
}

/// Makes room for `additional` more slots.
#[track_caller]
pub(super) fn reserve(class: Class, additional: usize) {
    in_class!(class, |pool, Slot| pool.reserve(additional));
}

/// Gives the chunks without an occupied slot back to the heap; returns their bytes.
pub(super) fn trim(class: Class) -> usize {
    in_class!(class, |pool, Slot| pool.trim())
}
