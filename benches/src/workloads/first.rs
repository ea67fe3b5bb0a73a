//! W9: the first objects of a thread, of one type and of ten. The process has used the types before, in other threads.

use core::hint::black_box;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::thread;
use std::time::Instant;

use typed_pool::Pooled;

use crate::contestant::Contestant;
use crate::objects::Payload;

/// Memory that keeps the process busy: more than a core's own caches hold.
static CLUTTER: [AtomicU64; 1 << 18] = [const { AtomicU64::new(0) }; 1 << 18];

/// A thread's first allocations; returns their time, and a sum over the objects.
pub type First = fn() -> (Duration, u64);

/// Runs it in a thread of its own, with cold caches: a thread begins where another one worked.
///
/// # Panics
///
/// If the thread does.
#[must_use]
pub fn in_a_thread(first: First) -> (Duration, u64) {
    let run = move || {
        for line in CLUTTER.iter().step_by(8) {
            line.store(1, Ordering::Relaxed);
        }
        // The clock's first reading in a thread costs more.
        black_box(Instant::now());
        first()
    };
    thread::spawn(run).join().expect("no panic")
}

#[inline(always)]
fn born<T: Payload, C: Contestant<T>>() -> C::Object {
    // Seen, since the compiler leaves out a `Box` that is never seen.
    black_box(C::enter().alloc(|| T::written(1)))
}

fn dead<T: Payload, C: Contestant<T>>(object: C::Object) -> u64 {
    // SAFETY: the object lives, and nothing is allocated while we look.
    let sum = unsafe { &*C::enter().address(&object) }.sum();
    C::enter().free(object);
    sum
}

macro_rules! types {
    ($(
        $(#[$attribute:meta])*
        $module:ident #[$pool:meta]: $one:ident = $words:literal $(, $other:ident = $others:literal)*;
    )*) => {$(
        $(#[$attribute])*
        pub mod $module {
            use super::*;
            use core::array;

            types!(@objects #[$pool] $one = $words $(, $other = $others)*);

            /// An object of the first type.
            #[must_use]
            pub fn one<C: Contestant<$one>>() -> (Duration, u64) {
                let start = Instant::now();
                let object = born::<$one, C>();
                (start.elapsed(), dead::<$one, C>(object))
            }

            /// An object of each type.
            #[must_use]
            #[expect(non_snake_case, reason = "a variable for each type")]
            pub fn ten<C: Contestant<$one> $(+ Contestant<$other>)*>() -> (Duration, u64) {
                let start = Instant::now();
                let $one = born::<$one, C>();
                $(let $other = born::<$other, C>();)*
                (start.elapsed(), dead::<$one, C>($one) $(+ dead::<$other, C>($other))*)
            }
        }
    )*};
    (@objects #[$pool:meta] $($object:ident = $words:literal),*) => {$(
        /// As many words as its name says.
        #[derive(Pooled)]
        #[$pool]
        pub struct $object {
            words: [u64; $words],
        }

        impl Payload for $object {
            #[inline(always)]
            fn written(seed: u64) -> Self {
                Self { words: array::from_fn(|index| seed + index as u64) }
            }

            fn first(&self) -> u64 {
                self.words[0]
            }

            fn sum(&self) -> u64 {
                self.words.iter().sum()
            }
        }
    )*};
}

types! {
    /// Pools of a thread's own, and the heaps.
    local #[pool(strategy = free_list)]:
        Own8 = 8, Own4 = 4, Own6 = 6, Own10 = 10, Own12 = 12, Own14 = 14, Own16 = 16, Own20 = 20, Own24 = 24, Own32 = 32;
    /// The same with a pointer stack.
    stack #[pool(strategy = pointer_stack)]:
        Stack8 = 8, Stack4 = 4, Stack6 = 6, Stack10 = 10, Stack12 = 12, Stack14 = 14, Stack16 = 16, Stack20 = 20, Stack24 = 24, Stack32 = 32;
    /// Pools for all threads.
    shared #[pool(static)]:
        Shared8 = 8, Shared4 = 4, Shared6 = 6, Shared10 = 10, Shared12 = 12, Shared14 = 14, Shared16 = 16, Shared20 = 20, Shared24 = 24, Shared32 = 32;
    /// The same with a free list.
    shared_list #[pool(static, strategy = free_list)]:
        List8 = 8, List4 = 4, List6 = 6, List10 = 10, List12 = 12, List14 = 14, List16 = 16, List20 = 20, List24 = 24, List32 = 32;
}
