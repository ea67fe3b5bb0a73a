//! Operations on a frame stack, and a model that knows every block.
//!
//! For tests, and for `fuzz/`.

use std::alloc::Layout;
use std::ptr::NonNull;

use typed_pool::FrameBox;
use typed_pool::frame::{FrameScope, Frames, Mark, Sharing};

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// A block of this size, aligned to 2 to this power.
    Alloc(usize, u32),
    /// A slice of so many numbers of two bytes.
    Slice(usize),
    /// A scope in which blocks of these sizes and alignments are made, and boxes with a destructor.
    Scope(Vec<(usize, u32)>),
    /// Frees the newest block.
    FreeLast,
    /// Tries to free the live block at this index, modulo how many there are.
    FreeAny(usize),
    Mark,
    /// Rewinds to the mark at this index, modulo how many there are.
    Rewind(usize),
    Reset,
    Trim,
}

/// As many blocks are counted before one with padding of less than eight bytes.
const COUNTED: usize = 31;

/// A block that was not freed.
struct Block {
    at: NonNull<u8>,
    layout: Layout,
    number: usize,
    /// The bytes that were in use before it, if everything above it was freed since.
    used_before: usize,
}

impl Block {
    fn is_whole(&self) -> bool {
        // SAFETY: the block is live, and all its bytes are written.
        let bytes = unsafe { NonNull::slice_from_raw_parts(self.at, self.layout.size()).as_ref() };
        bytes.iter().all(|&byte| byte == self.number as u8)
    }

    fn overlaps(&self, other: &Self) -> bool {
        let range = |b: &Self| (b.at.addr().get(), b.at.addr().get() + b.layout.size());
        let ((start, end), (other_start, other_end)) = (range(self), range(other));
        start < other_end && other_start < end
    }
}

#[derive(Default)]
struct Model {
    /// In the order in which they were made, those without size left out.
    live: Vec<Block>,
    /// With how many blocks had been made, how many were live, and how many bytes were in use.
    marks: Vec<(Mark, usize, usize, usize)>,
    /// Whether any block was freed, or could not be, out of order since the last reset, or lay with a
    /// little padding above more blocks than are counted: then how much comes back with a block is not
    /// known.
    is_disordered: bool,
    high_water: usize,
    made: usize,
}

impl Model {
    /// A block is new, with so much padding before it.
    fn push(&mut self, block: Block, padding: usize) {
        assert!(!self.live.iter().any(|other| other.overlaps(&block)));
        self.is_disordered |= (1..8).contains(&padding) && self.live.len() >= COUNTED;
        if block.layout.size() > 0 {
            self.live.push(block);
        }
    }

    fn apply<S: Sharing>(&mut self, stack: &mut Frames<S>, limit: usize, operation: &Operation) {
        let used = stack.used();
        match *operation {
            Operation::Alloc(size, align) => {
                let layout = Layout::from_size_align(size, 1 << align).unwrap();
                match stack.alloc_raw(layout) {
                    Ok(block) => {
                        self.made += 1;
                        let at = block.cast::<u8>();
                        assert_eq!((block.len(), at.addr().get() % layout.align()), (size, 0));
                        // SAFETY: the block is new.
                        unsafe { at.write_bytes(self.made as u8, size) };
                        let block = Block { at, layout, number: self.made, used_before: used };
                        let taken = stack.used() - used;
                        assert!(taken < size + layout.align());
                        self.push(block, taken - size);
                    }
                    Err(error) => {
                        assert!(size + layout.align() > limit - used, "{error}");
                        assert_eq!((stack.used(), error.capacity()), (used, limit));
                    }
                }
                self.high_water = self.high_water.max(stack.used());
            }
            Operation::Slice(len) => {
                let number = self.made + 1;
                let values = vec![u16::from_ne_bytes([number as u8; 2]); len];
                let layout = Layout::for_value(&*values);
                match stack.try_alloc_slice(&values) {
                    Ok(slice) => {
                        assert_eq!(*slice, *values);
                        self.made = number;
                        let block = Block {
                            at: NonNull::from(slice).cast(),
                            layout,
                            number,
                            used_before: used,
                        };
                        self.push(block, stack.used() - used - layout.size());
                    }
                    Err(error) => {
                        assert!(layout.size() + layout.align() > limit - used, "{error}");
                        assert_eq!(stack.used(), used);
                    }
                }
                self.high_water = self.high_water.max(stack.used());
            }
            Operation::Scope(ref blocks) => {
                let most = used + stack.scope(|scope| self.in_scope(scope, blocks));
                assert_eq!(stack.used(), used, "a scope leaves nothing behind");
                let seen = stack.high_water();
                assert!(seen >= self.high_water && seen <= self.high_water.max(most));
                self.high_water = seen;
            }
            Operation::FreeLast => {
                let Some(last) = self.live.pop() else { return };
                assert!(last.is_whole());
                // SAFETY: the block is live, and used no more.
                let is_freed = unsafe { stack.free_last(last.at, last.layout) };
                // With 32-bit words what is known of padding reaches back seven blocks only.
                if self.is_disordered || usize::BITS < 64 {
                    assert!(stack.used() <= used);
                    self.is_disordered |= stack.used() != last.used_before;
                } else {
                    assert!(is_freed);
                    assert_eq!(stack.used(), last.used_before);
                }
                self.is_disordered |= !is_freed;
            }
            Operation::FreeAny(_) if self.live.is_empty() => {}
            Operation::FreeAny(index) => {
                let index = index % self.live.len();
                let block = self.live.remove(index);
                assert!(block.is_whole());
                // SAFETY: the block is live, and used no more.
                let is_freed = unsafe { stack.free_last(block.at, block.layout) };
                assert!(is_freed || stack.used() == used);
                assert!(!is_freed || index == self.live.len(), "freed below a live block");
                self.is_disordered |= !is_freed;
            }
            Operation::Mark => self.marks.push((stack.mark(), self.made, self.live.len(), used)),
            Operation::Rewind(_) if self.marks.is_empty() => {}
            Operation::Rewind(index) => {
                let index = index % self.marks.len();
                let (mark, made, live, then) = self.marks[index];
                let older = self.live.iter().filter(|block| block.number <= made).count();
                // SAFETY: if it is taken back, what is newer than the mark is not used any more.
                if unsafe { stack.rewind(mark) } {
                    self.live.truncate(older);
                    self.marks.truncate(index + 1);
                } else {
                    assert_eq!(stack.used(), used);
                }
                if older == live {
                    assert_eq!((stack.used(), self.live.len()), (then, live));
                }
                // If something older was freed in between, bytes may be left over.
                self.is_disordered |= older != live;
            }
            Operation::Reset | Operation::Trim => {
                let old = self.marks.pop();
                self.live.clear();
                self.marks.clear();
                self.is_disordered = false;
                let capacity = stack.capacity();
                if matches!(operation, Operation::Trim) {
                    assert!(stack.trim() == 0 || stack.used() == 0);
                } else {
                    stack.reset();
                    assert_eq!(stack.capacity(), capacity);
                }
                assert_eq!(stack.used(), 0);
                // SAFETY: nothing is used any more.
                assert!(!old.is_some_and(|(mark, ..)| unsafe { stack.rewind(mark) }));
            }
        }
    }

    /// Makes half of the blocks in the scope, and the others in one within it, which frees a box of this
    /// one; then the others again. Returns the most bytes that they can have needed.
    fn in_scope<S: Sharing>(
        &self,
        scope: &mut FrameScope<'_, S>,
        blocks: &[(usize, u32)],
    ) -> usize {
        let (here, within) = blocks.split_at(blocks.len() / 2);
        let (mut new, mut boxes) = (Vec::new(), Vec::new());
        let mut most = self.make(scope, here, &mut new, &mut boxes);
        let count = new.len();
        most += scope.scope(|scope| {
            if let Some((_, last)) = boxes.pop() {
                scope.free(last);
            }
            self.make(scope, within, &mut new, &mut Vec::new())
        });
        new.truncate(count);
        most += self.make(scope, within, &mut new, &mut boxes);
        assert!(new.iter().all(Block::is_whole));
        assert!(boxes.iter().all(|(number, boxed)| ***boxed == *number));
        most
    }

    /// Makes blocks, and a box before each.
    fn make<'s, S: Sharing>(
        &self,
        scope: &FrameScope<'s, S>,
        blocks: &[(usize, u32)],
        new: &mut Vec<Block>,
        boxes: &mut Vec<(usize, FrameBox<'s, Box<usize>>)>,
    ) -> usize {
        let mut most = 0;
        for &(size, align) in blocks {
            let layout = Layout::from_size_align(size, 1 << align).unwrap();
            most += size + layout.align() + 2 * size_of::<Box<usize>>();
            let number = self.made + new.len() + 1;
            boxes.extend(scope.try_alloc(Box::new(number)).ok().map(|boxed| (number, boxed)));
            let Ok(block) = scope.alloc_raw(layout) else { continue };
            let at = block.cast::<u8>();
            assert_eq!((block.len(), at.addr().get() % layout.align()), (size, 0));
            // SAFETY: the block is new.
            unsafe { at.write_bytes(number as u8, size) };
            let block = Block { at, layout, number, used_before: 0 };
            assert!(!self.live.iter().chain(&*new).any(|other| other.overlaps(&block)));
            if size > 0 {
                new.push(block);
            }
        }
        most
    }

    fn check<S: Sharing>(&self, stack: &Frames<S>) {
        assert!(self.live.iter().all(Block::is_whole));
        let held: usize = self.live.iter().map(|block| block.layout.size()).sum();
        assert!(held <= stack.used() && stack.used() <= stack.capacity());
        assert_eq!(stack.high_water(), self.high_water);
    }
}

pub(crate) fn run<S: Sharing>(mut stack: Frames<S>, limit: usize, operations: &[Operation]) {
    let mut model = Model::default();
    for operation in operations {
        model.apply(&mut stack, limit, operation);
        model.check(&stack);
    }
}
