//! Witnesses, which look at the objects: nothing while the clock runs, a checksum in another pass.

use core::hint::black_box;
use core::ptr;

use crate::objects::Payload;

/// Sees each object of a workload at birth and at death.
pub trait Witness<T> {
    /// The value was just built.
    #[inline(always)]
    fn birth(&mut self, value: &T) {
        black_box(ptr::from_ref(value));
    }

    /// The value will be dropped now.
    #[inline(always)]
    fn death(&mut self, _value: &T) {}
}

/// Looks at nothing, but lets every address escape, so that the writes must happen.
#[derive(Clone, Copy, Default)]
pub struct Blind;

impl<T> Witness<T> for Blind {}

/// Adds up what the objects hold when they die. Two objects in one slot would change it.
#[derive(Clone, Copy, Default)]
pub struct Sum(pub u64);

impl<T: Payload> Witness<T> for Sum {
    fn death(&mut self, value: &T) {
        self.0 = self.0.rotate_left(1).wrapping_add(value.sum());
    }
}
