//! From a slot's index to its address.

use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::null_mut;

use super::FIRST_SLOTS;

/// Memory for slots, which never move.
pub trait Addressing<S>: 'static {
    /// The name in tables.
    fn name() -> String;

    /// No slots.
    fn new() -> Self;

    /// Grows to `slots` slots: the first number, or twice the number before.
    fn grow(&mut self, slots: usize);

    /// Where the slot lies.
    fn address(&self, index: usize) -> *mut S;
}

/// Memory that begins on a cache line, as the heap's does not.
type Lines = Vec<Line>;

/// A cache line.
#[repr(align(64))]
struct Line {
    _bytes: MaybeUninit<[u8; 64]>,
}

fn lines_for<S>(slots: usize) -> Lines {
    const { assert!(align_of::<S>() <= align_of::<Line>(), "a slot's alignment is a line's") };
    Vec::with_capacity((slots * size_of::<S>()).div_ceil(size_of::<Line>()))
}

/// More slots than any workload takes. The system maps pages on first touch, so the rest is free.
const MOST_SLOTS: usize = 1 << 20;

/// One array, which cannot grow: the least that addressing can cost.
pub struct Flat<S>(Lines, PhantomData<fn() -> S>);

impl<S> fmt::Debug for Flat<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Flat")
    }
}

impl<S: 'static> Addressing<S> for Flat<S> {
    fn name() -> String {
        "flat".into()
    }

    fn new() -> Self {
        Self(lines_for::<S>(MOST_SLOTS), PhantomData)
    }

    fn grow(&mut self, slots: usize) {
        assert!(slots <= MOST_SLOTS, "a limit's slots are used up");
    }

    #[inline(always)]
    fn address(&self, index: usize) -> *mut S {
        self.0.as_ptr().cast_mut().cast::<S>().wrapping_add(index)
    }
}

/// How a slot's chunk is found.
pub trait Class: 'static {
    /// The name in tables.
    const NAME: &'static str;

    /// The chunk's place among 33.
    fn class(index: u32) -> usize;
}

/// By the logarithm of what cannot be zero: one `bsr` instruction, which on Intel's processors waits
/// for the previous value of its destination. If that was a value read from memory, every access
/// waits for the one before.
#[derive(Debug)]
pub struct Logarithm;

impl Class for Logarithm {
    const NAME: &'static str = "ilog2";

    #[inline(always)]
    fn class(index: u32) -> usize {
        (index | (FIRST_SLOTS as u32 - 1)).ilog2() as usize
    }
}

/// By the leading zeros of what may be zero: the compiler sets the destination first, so
/// there is nothing to wait for.
#[derive(Debug)]
pub struct LeadingZeros;

impl Class for LeadingZeros {
    const NAME: &'static str = "leading zeros";

    #[inline(always)]
    fn class(index: u32) -> usize {
        (index / FIRST_SLOTS as u32).leading_zeros() as usize
    }
}

/// Chunks that double the pool. A chunk's base is moved back by its first slot's index, so that
/// one addition leads from the base to any of its slots.
pub struct Doubling<S, C = LeadingZeros> {
    bases: [*mut S; 33],
    chunks: Vec<Lines>,
    class: PhantomData<C>,
}

impl<S, C> fmt::Debug for Doubling<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Doubling({})", self.chunks.len())
    }
}

impl<S: 'static, C: Class> Addressing<S> for Doubling<S, C> {
    fn name() -> String {
        format!("chunks by {}", C::NAME)
    }

    fn new() -> Self {
        Self { bases: [null_mut(); 33], chunks: Vec::new(), class: PhantomData }
    }

    fn grow(&mut self, slots: usize) {
        let before = if self.chunks.is_empty() { 0 } else { slots / 2 };
        let mut chunk = lines_for::<S>(slots - before);
        let start = chunk.as_mut_ptr().cast::<S>();
        self.bases[C::class(slots as u32 - 1)] = start.wrapping_sub(before);
        self.chunks.push(chunk);
    }

    #[inline(always)]
    fn address(&self, index: usize) -> *mut S {
        // SAFETY: a class is below 33.
        let base = unsafe { self.bases.get_unchecked(C::class(index as u32)) };
        base.wrapping_add(index)
    }
}

/// Chunks that double the pool, and a table with a base for every `1 << SHIFT` slots, for which
/// nothing has to be computed.
pub struct Paged<S, const SHIFT: u32> {
    bases: Vec<*mut S>,
    chunks: Vec<Lines>,
}

impl<S, const SHIFT: u32> fmt::Debug for Paged<S, SHIFT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Paged({})", self.chunks.len())
    }
}

impl<S: 'static, const SHIFT: u32> Addressing<S> for Paged<S, SHIFT> {
    fn name() -> String {
        format!("chunks by table of {}", 1 << SHIFT)
    }

    fn new() -> Self {
        Self { bases: Vec::new(), chunks: Vec::new() }
    }

    fn grow(&mut self, slots: usize) {
        let page = 1 << SHIFT;
        let before = self.bases.len() * page;
        if slots <= before {
            return;
        }
        let added = (slots - before).max(page);
        let mut chunk = lines_for::<S>(added);
        let base = chunk.as_mut_ptr().cast::<S>().wrapping_sub(before);
        self.bases.extend((0..added / page).map(|_| base));
        self.chunks.push(chunk);
    }

    #[inline(always)]
    fn address(&self, index: usize) -> *mut S {
        // SAFETY: there is a base for every slot.
        let base = unsafe { self.bases.get_unchecked(index >> SHIFT) };
        base.wrapping_add(index)
    }
}
