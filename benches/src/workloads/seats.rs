//! Places for objects that die in any order.

use core::hint::black_box;
use core::mem::MaybeUninit;

/// A row of objects without a word on which places are taken: the workload knows.
///
/// An `Option` would cost nothing around a box but a word around a key.
pub struct Seats<O>(Vec<MaybeUninit<O>>);

impl<O> Seats<O> {
    /// This many empty places.
    pub fn empty(count: usize) -> Self {
        Self((0..count).map(|_| MaybeUninit::uninit()).collect())
    }

    /// The places, to be held in registers while a workload runs.
    #[inline(always)]
    pub fn row(&mut self) -> Row<'_, O> {
        Row(&mut self.0)
    }
}

/// See [`Seats::row`].
pub struct Row<'s, O>(&'s mut [MaybeUninit<O>]);

impl<O> Row<'_, O> {
    /// Brings the places' own memory in, so that the first object does not pay for it. What was there is
    /// leaked.
    pub fn touch(&mut self) {
        for place in self.0.iter_mut() {
            // SAFETY: it is one place, and its bytes mean nothing while it is empty.
            unsafe { place.as_mut_ptr().write_bytes(0xFF, 1) };
        }
        black_box(self.0.as_mut_ptr());
    }

    /// Puts an object in every place, and lets all of them escape. What was there is leaked.
    #[inline(always)]
    pub fn fill(&mut self, mut birth: impl FnMut(usize) -> O) {
        for (number, place) in self.0.iter_mut().enumerate() {
            place.write(birth(number));
        }
        black_box(self.0.as_mut_ptr());
    }

    /// Takes all objects away, from the first place to the last.
    ///
    /// # Safety
    ///
    /// All places are taken. They are empty from here on.
    pub unsafe fn empty(&mut self, mut death: impl FnMut(O)) {
        for place in self.0.iter() {
            // SAFETY: taken, as promised, and not taken twice.
            death(unsafe { place.assume_init_read() });
        }
    }

    /// The object there.
    ///
    /// # Safety
    ///
    /// `place` is below the count, and taken.
    #[inline(always)]
    pub unsafe fn look(&self, place: usize) -> &O {
        // SAFETY: in bounds, as promised.
        let object = unsafe { self.0.get_unchecked(place) };
        // SAFETY: taken, as promised.
        unsafe { object.assume_init_ref() }
    }

    /// Takes the object away.
    ///
    /// # Safety
    ///
    /// `place` is below the count, and taken. It is empty from here on.
    #[inline(always)]
    pub unsafe fn leave(&mut self, place: usize) -> O {
        // SAFETY: in bounds, as promised.
        let object = unsafe { self.0.get_unchecked(place) };
        // SAFETY: taken, as promised, and not taken twice.
        unsafe { object.assume_init_read() }
    }

    /// Puts an object in an empty place.
    ///
    /// # Safety
    ///
    /// `place` is below the count.
    #[inline(always)]
    pub unsafe fn seat(&mut self, place: usize, object: O) {
        // SAFETY: in bounds, as promised.
        unsafe { self.0.get_unchecked_mut(place) }.write(object);
    }
}
