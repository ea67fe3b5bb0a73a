//! In place of atomics where the derive refuses every pool that needs them.

use core::marker::PhantomData;

use core::sync::atomic::Ordering;

pub(crate) type AtomicU32 = Absent<u32>;
pub(crate) type AtomicUsize = Absent<usize>;

/// An atomic that nobody uses.
#[derive(Debug)]
pub(crate) struct Absent<N>(PhantomData<N>);

impl<N: Copy> Absent<N> {
    pub(crate) const fn new(_: N) -> Self {
        Self(PhantomData)
    }

    pub(crate) fn load(&self, _: Ordering) -> N {
        unreachable!()
    }

    pub(crate) fn store(&self, _: N, _: Ordering) {
        unreachable!()
    }

    pub(crate) fn fetch_add(&self, _: N, _: Ordering) -> N {
        unreachable!()
    }

    pub(crate) fn fetch_sub(&self, _: N, _: Ordering) -> N {
        unreachable!()
    }

    pub(crate) fn compare_exchange(&self, _: N, _: N, _: Ordering, _: Ordering) -> Result<N, N> {
        unreachable!()
    }

    pub(crate) fn compare_exchange_weak(
        &self,
        _: N,
        _: N,
        _: Ordering,
        _: Ordering,
    ) -> Result<N, N> {
        unreachable!()
    }
}
