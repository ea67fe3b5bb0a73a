//! Random layouts in pools by layout, against a model. The fuzz target runs the same.

#![allow(unreachable_pub, reason = "the fuzz target has this file, too")]

use std::alloc::Layout;
use std::ptr::NonNull;

use allocator_api2::alloc::Allocator;

/// An operation on one of the blocks, or on all of them.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    Allocate { size: u16, align: u8, zeroed: bool },
    Free { which: u8 },
    Resize { which: u8, size: u16, align: u8, zeroed: bool },
    Trim,
}

/// A block, and what every byte of it says.
struct Block {
    at: NonNull<u8>,
    layout: Layout,
    mark: u8,
}

fn layout(size: u16, align: u8) -> Layout {
    Layout::from_size_align(size.into(), 1 << (align % 9)).expect("a small layout")
}

/// A byte of a block, which was written to.
fn byte(at: NonNull<u8>, index: usize) -> u8 {
    let at = at.as_ptr().wrapping_add(index);
    // SAFETY: the caller asks for bytes of its own blocks alone.
    unsafe { at.read() }
}

/// Blocks of one allocator.
struct Blocks<A> {
    pools: A,
    blocks: Vec<Block>,
    mark: u8,
}

impl<A: Allocator> Blocks<A> {
    /// Notes a block, whose first `kept` bytes say `mark` and, if it was zeroed, the others nothing.
    fn note(
        &mut self,
        block: NonNull<[u8]>,
        layout: Layout,
        old: Option<(u8, usize)>,
        zeroed: bool,
    ) {
        let (at, len) = (block.cast::<u8>(), block.len());
        assert!(len >= layout.size() && at.addr().get() % layout.align() == 0);
        let (begin, end) = (at.addr().get(), at.addr().get() + len);
        for other in &self.blocks {
            let start = other.at.addr().get();
            assert!(
                len == 0 || end <= start || begin >= start + other.layout.size(),
                "it is another's"
            );
        }
        let (mark, kept) = old.unwrap_or((0, 0));
        for index in 0..len {
            // What is not zeroed and not kept is not read.
            let is_right = || byte(at, index) == if index < kept { mark } else { 0 };
            assert!(!(index < kept || zeroed) || is_right(), "byte {index} of {len}");
        }
        self.mark = self.mark.wrapping_add(1);
        // SAFETY: the block has that many bytes.
        unsafe { at.write_bytes(self.mark, len) };
        self.blocks.push(Block { at, layout, mark: self.mark });
    }

    fn take(&mut self, which: u8) -> Option<Block> {
        let count = self.blocks.len();
        (count > 0).then(|| self.blocks.swap_remove(usize::from(which) % count))
    }

    fn free(&self, Block { at, layout, mark }: Block) {
        assert!((0..layout.size()).all(|index| byte(at, index) == mark));
        // SAFETY: it came from there with this layout, and is used no more.
        unsafe { self.pools.deallocate(at, layout) };
    }

    fn apply(&mut self, operation: Operation, trim: impl Fn()) {
        match operation {
            Operation::Allocate { size, align, zeroed } => {
                let layout = layout(size, align);
                let block = if zeroed {
                    self.pools.allocate_zeroed(layout)
                } else {
                    self.pools.allocate(layout)
                };
                self.note(block.expect("memory"), layout, None, zeroed);
            }
            Operation::Free { which } => {
                if let Some(block) = self.take(which) {
                    self.free(block);
                }
            }
            Operation::Resize { which, size, align, zeroed } => {
                let Some(Block { at, layout: old, mark }) = self.take(which) else { return };
                let new = layout(size, align);
                let kept = old.size().min(new.size());
                let grows = new.size() >= old.size();
                let block = match (grows, zeroed) {
                    // SAFETY: it came from there with this layout, and is used no more; it grows.
                    (true, true) => unsafe { self.pools.grow_zeroed(at, old, new) },
                    // SAFETY: the same.
                    (true, false) => unsafe { self.pools.grow(at, old, new) },
                    // SAFETY: the same, but it does not grow.
                    (false, _) => unsafe { self.pools.shrink(at, old, new) },
                };
                self.note(block.expect("memory"), new, Some((mark, kept)), grows && zeroed);
            }
            Operation::Trim => trim(),
        }
    }
}

/// Applies the operations, frees what is left, and asks that nothing is live then, if no other code uses the pools.
pub fn run<A: Allocator>(
    operations: impl IntoIterator<Item = Operation>,
    pools: A,
    trim: impl Fn(),
) {
    let mut blocks = Blocks { pools, blocks: Vec::new(), mark: 0 };
    for operation in operations {
        blocks.apply(operation, &trim);
    }
    while let Some(block) = blocks.take(0) {
        blocks.free(block);
    }
}
