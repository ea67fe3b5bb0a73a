//! The feature `passthrough`: derived pools of boxes without a pool. Each element is a block of its own from
//! the program's allocator, so that whatever watches the heap sees each.
//!
//! What stands here takes the place of `local.rs`, `magazines.rs` and `fixed.rs` under the names that the derive
//! knows; those are still compiled, but not used. A block has an element's own layout (with room for counts
//! before it, if it has any): nothing is added that a tool would not see in a `Box`.
//!
//! What a pool promises remains: limits, `live`, `high_water`, and which threads may free. There are no chunks,
//! no slots at hand, and nothing to trim. A limit is kept by counting what is live.
//!
//! All rosters have blocks by way of `roster/blocks.rs`, because a roster knows which elements it has.
//!
//! Left as they are: pools of boxes that are values, which say which slots are theirs (`owns`), take all back at once
//! (`reset`) and free their memory when they are dropped (blocks could do none of that); and frame stacks, whose
//! objects have no block by design.

use core::alloc::Layout;
use core::any::type_name;
use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::base::config::{Bound, Config};
use crate::base::exhausted::Exhausted;
use crate::base::guard::hardened::Fault;
use crate::base::ledger::{self, Facts, Record};
use crate::base::map::{Canvas, PoolMap, Room};
use crate::base::stats::PoolStats;
use crate::base::word::{AtomicWord, Ordering, WordBits};
use crate::derived::fixed;
#[cfg(feature = "std")]
use crate::derived::in_thread::InThread;
use crate::derived::key::{InStatic, Keyed};
use crate::derived::pooled::Pooled;
use crate::derived::storage::{
    BoxStorage, CountedStorage, Never, SharedStorage, SlotsOf, Storage, Upkeep, gone,
};
#[cfg(feature = "std")]
use crate::derived::thread_local::Resident;
use crate::derived::with_counts::{Holds, WithCounts};
use crate::pointer::pool::sealed::Sealed;
use crate::pool::reserve::NoRoom;
use crate::pool::typed::TypedPool;
use crate::strategy::{InFreeList, Remember as _, Strategy};

pub use crate::__static_blocks as __static_pool;

/// The figures of blocks that have one limit.
///
/// Relaxed throughout: they are figures, and an element that goes to another thread is synchronised by the code that
/// sends it.
#[derive(Debug)]
pub struct Blocks {
    live: AtomicWord,
    /// The most that were ever live at a time.
    peak: AtomicWord,
    bytes: AtomicWord,
}

/// The layout of a block for a `B`: its own. A `B` without a size, which `pad` allows, gets as many bytes as its
/// alignment, since the heap is never asked for 0 bytes.
fn block_of<B>() -> Layout {
    #[repr(C)]
    struct Byte<B>(B, u8);

    if size_of::<B>() == 0 { Layout::new::<Byte<B>>() } else { Layout::new::<B>() }
}

/// Changes a figure, unless `change` refuses; returns what it has become.
fn update(figure: &AtomicWord, change: impl Fn(usize) -> Option<usize>) -> Option<usize> {
    let mut seen = figure.load(Ordering::Relaxed);
    loop {
        let new = change(seen as usize)?;
        match figure.replace(seen, new as WordBits, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return Some(new),
            Err(found) => seen = found,
        }
    }
}

impl Blocks {
    /// Of no block.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NONE: Self =
        Self { live: AtomicWord::new(), peak: AtomicWord::new(), bytes: AtomicWord::new() };

    fn live(&self) -> usize {
        self.live.load(Ordering::Relaxed) as usize
    }

    /// A block for a `B`; `None` at the limit. If the heap has no room, that is handled as `Box` handles it.
    fn take<B>(&self, config: &Config) -> Option<NonNull<B>> {
        self.take_of(block_of::<B>(), config.max).map(NonNull::cast)
    }

    /// A block of a layout, which has a size; `None` if `max` are live. If the heap has no room, that is handled as `Box` handles it.
    pub(crate) fn take_of(&self, layout: Layout, max: usize) -> Option<NonNull<u8>> {
        // First, as the allocator may be a user of this very pool.
        let live = update(&self.live, |live| (live < max).then_some(live + 1))?;
        // SAFETY: the layout has a size.
        let block = unsafe { alloc::alloc::alloc(layout) };
        let Some(block) = NonNull::new(block) else {
            update(&self.live, |live| Some(live - 1));
            alloc::alloc::handle_alloc_error(layout)
        };
        update(&self.peak, |peak| Some(peak.max(live)));
        update(&self.bytes, |bytes| Some(bytes + layout.size()));
        Some(block)
    }

    /// Forgets a block for a `B`, which has been given back.
    fn forget<B>(&self) {
        self.forget_of(block_of::<B>());
    }

    /// Forgets a block of a layout, which has been given back.
    pub(crate) fn forget_of(&self, layout: Layout) {
        update(&self.bytes, |bytes| Some(bytes.saturating_sub(layout.size())));
        update(&self.live, |live| Some(live.saturating_sub(1)));
    }

    /// The figures of a pool of `T`s, in blocks for `B`s.
    fn stats<T, B>(&self, config: &Config) -> PoolStats {
        self.stats_of(config.name_of::<T>(), block_of::<B>().size(), config)
    }

    /// The figures of a pool of this name, in blocks of at most this many bytes.
    pub(crate) fn stats_of(&self, name: &'static str, bytes: usize, config: &Config) -> PoolStats {
        // Both are of their moment, and of one that is being taken `live` may know first.
        let (live, peak) = (self.live(), self.peak.load(Ordering::Relaxed) as usize);
        PoolStats {
            name,
            live,
            detached: 0,
            high_water: peak.max(live),
            capacity: if config.is_fixed() { config.max } else { live },
            limit: (config.bound != Bound::None).then_some(config.max),
            chunks: 0,
            slot_bytes: bytes,
            bytes: self.bytes.load(Ordering::Relaxed) as usize,
            log_bytes: 0,
        }
    }
}

/// The figures of a `P`'s elements, in a thread or in the process.
#[derive(Debug)]
pub struct LocalPool<P> {
    config: Config,
    blocks: Blocks,
    /// Of a static pool. The pools of threads have one for their type, in its `Companion`.
    record: Record,
    marker: PhantomData<fn() -> P>,
}

/// The figures of a pool for all threads.
pub type StaticPool<P> = LocalPool<P>;

impl<P> LocalPool<P> {
    /// The figures of a pool that grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self::new(Config::new());

    /// The figures of a pool with the limits of `config`.
    pub const fn new(config: Config) -> Self {
        Self { config, blocks: Blocks::NONE, record: Record::new(), marker: PhantomData }
    }
}

/// The figures of a pool of a fixed capacity.
#[derive(Debug)]
pub struct Fixed<T, const N: usize> {
    blocks: Blocks,
    record: Record,
    marker: PhantomData<fn() -> T>,
}

/// A pool with the strategy `pointer_stack`.
pub type FixedStack<T, const N: usize> = Fixed<T, N>;

/// A pool with the strategy `free_list`.
pub type FixedList<T, const N: usize> = Fixed<T, N>;

impl<T, const N: usize> Fixed<T, N> {
    /// Nothing is live.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self =
        Self { blocks: Blocks::NONE, record: Record::new(), marker: PhantomData };
}

/// The key of a pool, with the static that is declared for it.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_blocks {
    ($pool:ty, $config:expr) => {{
        static __TYPED_POOL: $crate::__private::StaticPool<$pool> =
            $crate::__private::StaticPool::<$pool>::new($config);
        // SAFETY: the static was declared above, and only this refers to it.
        unsafe { $crate::__private::InStatic::new(&raw const __TYPED_POOL) }
    }};
}

impl<P: 'static> Keyed for LocalPool<P> {}

impl<T: 'static, const N: usize> Keyed for Fixed<T, N> {}

#[cfg(feature = "std")]
impl Resident for Blocks {
    fn is_spent(&self) -> bool {
        self.live() == 0
    }
}

#[cfg(feature = "std")]
impl<P> Resident for LocalPool<P> {
    fn is_spent(&self) -> bool {
        self.blocks.is_spent()
    }
}

/// Where the figures of a type's blocks are.
trait Books: Copy + Sealed + 'static {
    /// What a block holds.
    type Block;

    /// How many slots a static of a fixed capacity is to have; elsewhere the configuration has the limit.
    const SLOTS: usize = 0;

    const STRATEGY: ledger::Strategy;

    const STORAGE: ledger::Storage;

    /// What the process keeps of the type's pools.
    fn record(self) -> &'static Record;

    /// Shows them, and the configuration, where that is kept with them.
    ///
    /// `None` if the thread, whose they are, is ending, on some platforms.
    fn show<R>(self, f: impl FnOnce(&Blocks, Option<&Config>) -> R) -> Option<R>;
}

impl<E: 'static, S: Strategy> Books for InStatic<StaticPool<TypedPool<E, S>>> {
    type Block = E;

    const STRATEGY: ledger::Strategy = S::KIND;

    const STORAGE: ledger::Storage = ledger::Storage::Static;

    fn record(self) -> &'static Record {
        &self.get().record
    }

    fn show<R>(self, f: impl FnOnce(&Blocks, Option<&Config>) -> R) -> Option<R> {
        let LocalPool { blocks, config, .. } = self.get();
        Some(f(blocks, Some(config)))
    }
}

#[cfg(feature = "std")]
impl<E: 'static, S: Strategy> Books for InThread<LocalPool<TypedPool<E, S>>> {
    type Block = E;

    const STRATEGY: ledger::Strategy = S::KIND;

    const STORAGE: ledger::Storage = ledger::Storage::ThreadLocal;

    fn record(self) -> &'static Record {
        InThread::record(self)
    }

    fn show<R>(self, f: impl FnOnce(&Blocks, Option<&Config>) -> R) -> Option<R> {
        self.get().with(|local| f(&local.blocks, Some(&local.config))).ok()
    }
}

impl<B: 'static, const N: usize> Books for InStatic<Fixed<B, N>> {
    type Block = B;

    const SLOTS: usize = N;

    /// What a static pool with a capacity has where no strategy is named.
    const STRATEGY: ledger::Strategy = ledger::Strategy::POINTER_STACK;

    const STORAGE: ledger::Storage = ledger::Storage::Static;

    fn record(self) -> &'static Record {
        &self.get().record
    }

    fn show<R>(self, f: impl FnOnce(&Blocks, Option<&Config>) -> R) -> Option<R> {
        Some(f(&self.get().blocks, None))
    }
}

/// What does not change about the pools of `T`s.
fn facts<T, S>() -> &'static Facts
where
    T: Pooled<__Storage = S>,
    S: Books<Block: Holds<T>>,
{
    const {
        &Facts {
            type_name: type_name::<T>,
            name: T::__CONFIG.name,
            strategy: S::STRATEGY,
            storage: S::STORAGE,
            look: || {
                let stats = |blocks: &Blocks, config: Option<&Config>| {
                    blocks.stats::<T, S::Block>(config.unwrap_or(&T::__CONFIG))
                };
                T::__POOL.show(stats)
            },
            #[cfg(feature = "sites")]
            show_lines: |_| {},
            record: || Some(T::__POOL.record()),
            has_accounts: false,
        }
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<T, S> Storage<T> for S
where
    T: Pooled<__Storage = S>,
    S: Books<Block: Holds<T>>,
{
    type Slots = SlotsOf<T>;
    type Boxes = Self;
    type Roster = Never;
}

// SAFETY: every slot is a block of its own, with room for an element, and for its counts if it has any. No link is
// written into it.
#[allow(private_bounds, reason = "for this crate")]
unsafe impl<T, S> BoxStorage<T> for S
where
    T: Pooled<__Storage = S>,
    S: Books<Block: Holds<T>>,
{
    fn acquire(self) -> Option<NonNull<T>> {
        self.record().join(facts::<T, S>());
        let block =
            self.show(|blocks, config| blocks.take::<S::Block>(config.unwrap_or(&T::__CONFIG)));
        // SAFETY: a new block, whose pointer is good for all of it.
        block.flatten().map(|block| unsafe { Holds::element(block) })
    }

    /// Nothing: whatever watches the heap finds such mistakes.
    #[allow(private_interfaces, reason = "for this crate alone")]
    fn check(self, _: NonNull<T>) -> Result<(), Fault> {
        Ok(())
    }

    unsafe fn release(self, element: NonNull<T>) {
        // SAFETY: it came from `acquire` (caller).
        let block: NonNull<S::Block> = unsafe { Holds::slot(element) };
        // SAFETY: passed on from the caller; `Blocks::take` had it from there, with this layout.
        unsafe { alloc::alloc::dealloc(block.as_ptr().cast(), block_of::<S::Block>()) };
        self.show(|blocks, _| blocks.forget::<S::Block>());
    }

    #[track_caller]
    fn exhausted(self) -> Exhausted {
        self.record().refused();
        let exhausted = self.show(|_, config| Exhausted::new::<T>(config.unwrap_or(&T::__CONFIG)));
        exhausted.unwrap_or_else(|| gone::<T>())
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<T, S> Upkeep<T> for S
where
    T: Pooled<__Storage = S>,
    S: Books<Block: Holds<T>>,
{
    #[track_caller]
    fn stats(self) -> PoolStats {
        let stats =
            self.show(|blocks, config| blocks.stats::<T, S::Block>(config.unwrap_or(&T::__CONFIG)));
        stats.unwrap_or_else(|| gone::<T>())
    }

    /// Without a chunk.
    fn map(self) -> PoolMap {
        let (name, slot_bytes) = (T::__CONFIG.name_of::<T>(), block_of::<S::Block>().size());
        Canvas::draw(|canvas| canvas.begin(name, slot_bytes, Room { chunks: 0, slots: 0 }))
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        match self.show(|blocks, config| (blocks.live(), config.copied())) {
            Some((live, Some(config))) => {
                if additional > config.max - live {
                    self.record().join(facts::<T, S>());
                    self.record().refused();
                    let (error, block) = (NoRoom::Limit { live, config }, block_of::<S::Block>());
                    error.panic::<T, InFreeList>(additional, block);
                }
            }
            Some(_) => fixed::refuse_over::<T>(additional, S::SLOTS, facts::<T, S>()),
            None => gone::<T>(),
        }
    }

    fn prefault(self) {}

    fn trim(self) -> usize {
        0
    }

    /// None: there is nothing beside a block.
    #[cfg(feature = "sites")]
    fn show_lines(self, _: &mut dyn FnMut(core::num::NonZeroU32)) {}
}

// SAFETY: any thread may give a block back, and the figures are atomic.
unsafe impl<T, E: Holds<T>, S> SharedStorage<T> for InStatic<StaticPool<TypedPool<E, S>>> {}

// SAFETY: the same.
unsafe impl<T, B: Holds<T>, const N: usize> SharedStorage<T> for InStatic<Fixed<B, N>> {}

// SAFETY: each block is a `WithCounts<T>`.
#[diagnostic::do_not_recommend]
unsafe impl<T, S> CountedStorage<T> for InStatic<StaticPool<TypedPool<WithCounts<T>, S>>> {}

// SAFETY: each block is a `WithCounts<T>`.
#[cfg(feature = "std")]
#[diagnostic::do_not_recommend]
unsafe impl<T, S> CountedStorage<T> for InThread<LocalPool<TypedPool<WithCounts<T>, S>>> {}

// SAFETY: each block is a `WithCounts<T>`.
#[diagnostic::do_not_recommend]
unsafe impl<T, const N: usize> CountedStorage<T> for InStatic<Fixed<WithCounts<T>, N>> {}
