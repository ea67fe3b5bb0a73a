//! Boxes of derived types.

use std::panic::{catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

use typed_pool::{PoolBox, Pooled};

use super::{Canary, LATE, Subject, perhaps_poor};

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
        }
    )*

        /// Drops what lies on the shelves, and gives back the memory of static pools.
        pub(crate) fn clear() {
            $(
                $($shelf.lock().unwrap_or_else(PoisonError::into_inner).clear();)?
                _ = $name::pool_trim();
            )*
        }

        pub(crate) fn some(random: &mut fastrand::Rng) -> Box<dyn Subject> {
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
