//! Operations on a pool, and a model that keeps the same values in a `Vec`.
//!
//! For tests, and for `fuzz/`.

use std::panic::{catch_unwind, resume_unwind};

use typed_pool::init::{self, TryInitError};
use typed_pool::{PoolBoxIn, Vacant};

use super::Pool;

/// Not a power of two in size, so that a wrong stride shows.
/// Owns memory, so that what is dropped twice, or never, shows where the heap is watched.
type Element = (u64, Box<u64>, u64);

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Alloc(u64),
    AllocWithPanic,
    /// By an initialiser that fails.
    InitWithError,
    /// Takes a slot, and fills it, or gives it back.
    Vacant(u64, bool),
    /// Takes the live element at this index apart, modulo how many there are, and makes a box of it again.
    Raw(usize),
    Prefault,
    /// Frees the live element at this index, modulo how many there are.
    Free(usize),
    FreeAll,
    Reserve(usize),
    Trim,
}

fn element(seed: u64) -> Element {
    (seed, Box::new(!seed), seed.rotate_left(17))
}

/// The model: which element lies in which box.
#[derive(Default)]
struct Model<'a> {
    live: Vec<(PoolBoxIn<Element, &'a Pool<Element>>, Element)>,
    high_water: usize,
    /// The slots handed out since the pool was last empty, if it was only allocated from.
    since_empty: Option<Vec<usize>>,
    /// The most of them that there ever were, since memory was last given back: they must always come in
    /// this order.
    known: Vec<usize>,
}

impl<'a> Model<'a> {
    fn apply(&mut self, pool: &'a Pool<Element>, limit: usize, operation: &Operation) {
        match *operation {
            Operation::Alloc(seed) => match pool.try_alloc(element(seed)) {
                Ok(b) => {
                    let address = PoolBoxIn::as_ptr(&b).addr();
                    assert!(self.live.len() < limit, "more elements than the pool may have");
                    assert!(self.live.iter().all(|(other, _)| {
                        PoolBoxIn::as_ptr(other).addr().abs_diff(address) >= size_of::<Element>()
                    }));
                    self.since_empty.iter_mut().for_each(|order| order.push(address));
                    self.live.push((b, element(seed)));
                    self.high_water = self.high_water.max(self.live.len());
                }
                Err(error) => {
                    assert_eq!((self.live.len(), error.capacity()), (limit, limit));
                    assert_eq!(error.into_inner(), element(seed));
                }
            },
            Operation::AllocWithPanic => {
                let full = self.live.len() == limit;
                let unwound =
                    catch_unwind(|| pool.try_alloc_with(|| resume_unwind(Box::new("no"))).is_err());
                // An exhausted pool does not call the constructor.
                assert_eq!(matches!(unwound, Ok(true)), full);
                self.came_and_went(full);
            }
            Operation::InitWithError => {
                let full = self.live.len() == limit;
                let result = pool.try_init(init::try_with(|| Err("no")));
                assert_eq!(matches!(result, Err(TryInitError::Init("no"))), !full);
                assert_eq!(matches!(result, Err(TryInitError::Exhausted(_))), full);
                self.came_and_went(full);
            }
            Operation::Vacant(seed, is_filled) => {
                let full = self.live.len() == limit;
                let vacant = pool.try_vacant().ok();
                assert_eq!(vacant.is_none(), full);
                assert_eq!(pool.stats().live, self.live.len() + usize::from(!full));
                self.came_and_went(full);
                if let Some(vacant) = vacant.filter(|_| is_filled) {
                    self.live.push((Vacant::fill(vacant, element(seed)), element(seed)));
                }
            }
            Operation::Raw(_) if self.live.is_empty() => {}
            Operation::Raw(index) => {
                let index = index % self.live.len();
                let (b, expected) = self.live.swap_remove(index);
                let raw = PoolBoxIn::into_raw(b);
                // SAFETY: it has just come from a box of this pool.
                self.live.push((unsafe { PoolBoxIn::from_raw_in(raw, pool) }, expected));
            }
            Operation::Prefault => pool.prefault(),
            Operation::Free(_) if self.live.is_empty() => {}
            Operation::Free(index) => {
                let index = index % self.live.len();
                let (b, expected) = self.live.swap_remove(index);
                assert_eq!(PoolBoxIn::into_inner(b), expected);
                self.freed();
            }
            Operation::FreeAll => {
                self.live.clear();
                self.freed();
            }
            Operation::Reserve(additional) => {
                if additional <= limit - self.live.len() {
                    pool.reserve(additional);
                    assert!(pool.stats().capacity - self.live.len() >= additional);
                } else {
                    assert!(catch_unwind(|| pool.reserve(additional)).is_err());
                }
            }
            Operation::Trim => {
                let before = pool.stats().bytes;
                let returned = pool.trim();
                assert_eq!(pool.stats().bytes + returned, before);
                self.since_empty = None;
                self.known.clear();
                if self.live.is_empty() {
                    assert_eq!(pool.stats().bytes, 0);
                }
            }
        }
    }

    /// A slot was taken, unless all were, and given back.
    fn came_and_went(&mut self, full: bool) {
        if !full {
            self.high_water = self.high_water.max(self.live.len() + 1);
            self.since_empty = None;
        }
    }

    fn freed(&mut self) {
        self.since_empty = None;
        if self.live.is_empty() {
            self.since_empty = Some(Vec::new());
        }
    }

    fn check(&mut self, pool: &Pool<Element>) {
        let stats = pool.stats();
        assert_eq!((stats.live, stats.high_water), (self.live.len(), self.high_water));
        assert!(stats.capacity >= stats.live);
        assert!(self.live.iter().all(|(b, expected)| **b == *expected && pool.owns(&**b)));
        let map = pool.map();
        assert_eq!(map.live(), stats.live, "{map}");
        if let Some(order) = &self.since_empty {
            let both = order.len().min(self.known.len());
            assert_eq!(order[..both], self.known[..both], "an emptied pool has another order");
            self.known.extend(&order[both..]);
        }
    }
}

pub(crate) fn run(pool: &Pool<Element>, limit: usize, operations: &[Operation]) {
    let mut model = Model::default();
    for operation in operations {
        model.apply(pool, limit, operation);
        model.check(pool);
    }
}
