//! Pointers that count references.

use typed_pool::any::{Arc, ArcWeak};
use typed_pool::{PoolArc, PoolArcWeak, PoolRc, PoolRcWeak, Pooled};

use super::{Canary, LATE, Subject};

/// Owners of shared elements, and weak pointers, some to elements that are gone.
macro_rules! shared {
    ($($subject:ident: $Strong:ty, $Weak:ty, $new:expr, $look:expr;)*) => {$(
        #[derive(Default)]
        pub(crate) struct $subject {
            strong: Vec<($Strong, u64)>,
            weak: Vec<($Weak, u64)>,
        }

        impl Subject for $subject {
            fn step(&mut self, random: &mut fastrand::Rng) {
                let seed = random.u64(..);
                match random.u8(..32) {
                    0 => self.strong.clear(),
                    1 => self.weak.clear(),
                    2..10 if !self.strong.is_empty() => {
                        self.strong.swap_remove(random.usize(..self.strong.len()));
                    }
                    10..16 if !self.strong.is_empty() => {
                        let (owner, seed) = &self.strong[random.usize(..self.strong.len())];
                        let again = (owner.clone(), *seed);
                        self.strong.push(again);
                    }
                    16..20 if !self.strong.is_empty() => {
                        let (owner, seed) = &self.strong[random.usize(..self.strong.len())];
                        self.weak.push((<$Strong>::downgrade(owner), *seed));
                    }
                    20..24 if !self.weak.is_empty() => {
                        let (weak, seed) = self.weak.swap_remove(random.usize(..self.weak.len()));
                        if let Some(owner) = weak.upgrade() {
                            self.strong.push((owner, seed));
                        }
                    }
                    _ => self.strong.push(($new(Canary::new(seed)), seed)),
                }
            }

            fn check(&self) {
                let look: fn(&$Strong) -> &Canary = $look;
                self.strong.iter().for_each(|(owner, seed)| look(owner).check(*seed));
                for (weak, seed) in &self.weak {
                    let owners = self.strong.iter().filter(|(_, other)| other == seed).count();
                    assert_eq!(weak.strong_count(), owners);
                }
            }

            fn leave(self: Box<Self>) {
                LATE.with_borrow_mut(|late| late.push(self));
            }
        }
    )*};
}

#[derive(Pooled)]
#[pool(rc)]
pub(crate) struct Counted(Canary);

#[derive(Pooled)]
#[pool(static, rc)]
pub(crate) struct SharedCounted(Canary);

shared! {
    OfThread: PoolRc<Counted>, PoolRcWeak<Counted>, |canary| PoolRc::new(Counted(canary)), |owner| &owner.0;
    OfProcess: PoolArc<SharedCounted>, PoolArcWeak<SharedCounted>, |canary| PoolArc::new(SharedCounted(canary)), |owner| &owner.0;
    OfAnyType: Arc<Canary>, ArcWeak<Canary>, Arc::new, |owner| owner;
}
