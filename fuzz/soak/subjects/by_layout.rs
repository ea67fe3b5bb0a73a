//! Boxes of any type.

use typed_pool::any::{Box as AnyBox, SendBox};
use typed_pool::{ByLayout, SharedByLayout};

use super::{Canary, LATE, Subject, perhaps_poor};

/// Elements of several sizes in pools by layout.
#[derive(Default)]
pub(crate) struct AnySizes {
    small: Vec<(AnyBox<Canary>, u64)>,
    large: Vec<(AnyBox<(Canary, [u64; 90])>, u64)>,
    sent: Vec<(SendBox<(Canary, [u64; 9])>, u64)>,
}

impl Subject for AnySizes {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let seed = random.u64(..);
        match random.u8(..32) {
            0 => self.small.clear(),
            1 => self.large.clear(),
            2 => self.sent.clear(),
            3 => _ = ByLayout::trim(),
            4 => _ = SharedByLayout::trim(),
            5..9 if !self.small.is_empty() => {
                drop(self.small.swap_remove(random.usize(..self.small.len())))
            }
            9..12 if !self.large.is_empty() => {
                drop(self.large.swap_remove(random.usize(..self.large.len())))
            }
            12..15 if !self.sent.is_empty() => {
                drop(self.sent.swap_remove(random.usize(..self.sent.len())))
            }
            15..20 => {
                self.large.reserve(1);
                let value = (Canary::new(seed), [seed; 90]);
                let made = perhaps_poor(random, || AnyBox::try_new(value));
                self.large.extend(made.ok().map(|b| (b, seed)));
            }
            20..25 => {
                self.sent.reserve(1);
                let value = (Canary::new(seed), [seed; 9]);
                let made = perhaps_poor(random, || SendBox::try_new(value));
                self.sent.extend(made.ok().map(|b| (b, seed)));
            }
            _ => {
                self.small.reserve(1);
                let value = Canary::new(seed);
                let made = perhaps_poor(random, || AnyBox::try_new(value));
                self.small.extend(made.ok().map(|b| (b, seed)));
            }
        }
    }

    fn check(&self) {
        self.small.iter().for_each(|(b, seed)| b.check(*seed));
        self.large.iter().for_each(|(b, seed)| b.0.check(*seed));
        self.sent.iter().for_each(|(b, seed)| b.0.check(*seed));
    }

    fn leave(self: Box<Self>) {
        LATE.with_borrow_mut(|late| late.push(self));
    }
}
