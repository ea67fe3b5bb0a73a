//! Handles of derived types.

use typed_pool::{Handle, Pooled};

use super::{Canary, Subject, perhaps_poor};

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

        pub(crate) fn clear() {
            $(_ = $name::pool_trim();)*
        }

        pub(crate) fn some(random: &mut fastrand::Rng) -> Box<dyn Subject> {
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
