//! Containers without keys: a `Vec` of boxes, and the `Vec` that moves its values.

use core::ops::DerefMut;

use crate::contestant::Contestant;
use crate::store::Store;

/// Boxes of a contestant in a `Vec`: what a game does that has no keys.
pub struct Boxes<T, C: Contestant<T>> {
    contestant: C,
    boxes: Vec<C::Object>,
}

impl<T, C> Store<T> for Boxes<T, C>
where
    T: 'static,
    C: Contestant<T, Object: DerefMut<Target = T>>,
{
    fn name() -> &'static str {
        format!("Vec of {}", C::NAME).leak()
    }

    fn new() -> Self {
        Self { contestant: C::enter(), boxes: Vec::new() }
    }

    #[inline(always)]
    fn add(&mut self, value: T) {
        self.boxes.push(self.contestant.alloc(|| value));
    }

    #[inline(always)]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        retain(&mut self.boxes, |value| keep(value));
    }

    #[inline(always)]
    fn visit(&self, mut see: impl FnMut(&T)) {
        self.boxes.iter().for_each(|value| see(value));
    }
}

/// Not the same job: values move, so nothing can refer to them. A yardstick.
impl<T: 'static> Store<T> for Vec<T> {
    fn name() -> &'static str {
        "(moves) Vec"
    }

    fn new() -> Self {
        Self::new()
    }

    #[inline(always)]
    fn add(&mut self, value: T) {
        self.push(value);
    }

    #[inline(always)]
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool) {
        retain(self, keep);
    }

    #[inline(always)]
    fn visit(&self, see: impl FnMut(&T)) {
        self.iter().for_each(see);
    }
}

/// `swap_remove`s what is not to be kept: no order to preserve, so nothing is moved up.
#[inline(always)]
fn retain<V>(values: &mut Vec<V>, mut keep: impl FnMut(&mut V) -> bool) {
    let mut index = 0;
    while let Some(value) = values.get_mut(index) {
        if keep(value) {
            index += 1;
        } else {
            drop(values.swap_remove(index));
        }
    }
}
