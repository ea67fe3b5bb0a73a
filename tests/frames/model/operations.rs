//! Operations on a frame stack, and a model that knows every block.
//!
//! For tests, and for `fuzz/`.

use std::alloc::Layout;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;

use typed_pool::FrameBox;
use typed_pool::frame::{FrameScope, Frames, Mark, Sharing};

use super::resize::resize;
use block::Block;

mod block;

thread_local! {
    /// The largest block that the heap gives a stack now, if it looks here.
    pub(crate) static HEAP: Cell<usize> = const { Cell::new(usize::MAX) };
}

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// A block of this size, aligned to 2 to this power.
    Alloc(usize, u32),
    /// A slice of this many two-byte numbers.
    Slice(usize),
    /// A value whose constructor panics.
    AllocWithPanic,
    /// A slice of this many elements. The constructor of the one at this index panics, if there is one.
    SliceWithPanic(usize, usize),
    /// Makes the live block at this index from the newest on, modulo how many there are, that long, and aligned
    /// to 2 to this power.
    Resize(usize, usize, u32),
    /// A scope in which blocks of these sizes and alignments are made, and boxes with a destructor; and whether
    /// it ends with a panic.
    Scope(Vec<(usize, u32)>, bool),
    /// From here on the heap has no larger block.
    #[allow(dead_code, reason = "a fuzzer's heap refuses nothing")]
    Heap(usize),
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

/// A chunk's header, and what is added for the alignment of what follows.
const HEADER: usize = 256;

/// At the same time the heap may refuse what the stack asks for.
fn on<R>(heap: usize, f: impl FnOnce() -> R) -> R {
    HEAP.set(heap);
    let result = f();
    HEAP.set(usize::MAX);
    result
}

/// Blocks begin and end at multiples of so many bytes.
const GRAIN: usize = 8;

struct Model {
    /// In the order in which they were made, those without size left out.
    live: Vec<Block>,
    /// Each with the number of blocks made, of live blocks, and of bytes in use at that time.
    marks: Vec<(Mark, usize, usize, usize)>,
    /// Whether any block was freed, or could not be, out of order since the last reset: then how much comes back with a block is not
    /// known.
    is_disordered: bool,
    high_water: usize,
    made: usize,
    /// Bytes that the first chunk will have.
    first: usize,
    heap: usize,
}

impl Model {
    fn new(first: usize) -> Self {
        Self {
            live: Vec::new(),
            marks: Vec::new(),
            is_disordered: false,
            high_water: 0,
            made: 0,
            first,
            heap: usize::MAX,
        }
    }

    /// Checks that there was reason to refuse this layout. `heap` is the largest block the heap had.
    fn refused<S: Sharing>(&self, stack: &Frames<S>, layout: Layout, limit: usize, heap: usize) {
        let (needed, used) = (layout.size() + layout.align() + 2 * GRAIN, stack.used());
        // Or the first chunk was, which is made whole or not at all.
        let has_none = used == 0 && stack.capacity() == self.first;
        let least = if has_none { self.first.max(needed) } else { needed };
        assert!(needed > limit - used || least + HEADER > heap, "{layout:?}");
    }

    /// Adds a new block.
    fn push(&mut self, block: Block) {
        assert!(!self.live.iter().any(|other| other.overlaps(&block)));
        if block.layout.size() > 0 {
            self.live.push(block);
        }
    }

    fn apply<S: Sharing>(&mut self, stack: &mut Frames<S>, limit: usize, operation: &Operation) {
        let used = stack.used();
        match *operation {
            Operation::Alloc(size, align) => {
                let layout = Layout::from_size_align(size, 1 << align).unwrap();
                let capacity = stack.capacity();
                match on(self.heap, || stack.alloc_raw(layout)) {
                    Ok(block) => {
                        assert_eq!(block.len(), size);
                        self.make_known(stack, block.cast(), layout, used);
                    }
                    Err(error) => {
                        self.refused(stack, layout, limit, self.heap);
                        assert_eq!((stack.used(), error.capacity()), (used, capacity));
                        assert_eq!(stack.capacity(), capacity);
                    }
                }
                self.high_water = self.high_water.max(stack.used());
            }
            Operation::Slice(len) => {
                let number = self.made + 1;
                let values = vec![u16::from_ne_bytes([number as u8; 2]); len];
                let layout = Layout::for_value(&*values);
                match on(self.heap, || stack.try_alloc_slice(&values)) {
                    Ok(slice) => {
                        assert_eq!(*slice, *values);
                        self.made = number;
                        let block = Block {
                            at: NonNull::from(slice).cast(),
                            layout,
                            number,
                            used_before: used,
                            is_slice: true,
                        };
                        self.push(block);
                    }
                    Err(_) => {
                        self.refused(stack, layout, limit, self.heap);
                        assert_eq!(stack.used(), used);
                    }
                }
                self.high_water = self.high_water.max(stack.used());
            }
            Operation::AllocWithPanic => {
                let mut most = None;
                let make = || -> [u64; 5] {
                    most = Some(stack.used());
                    resume_unwind(Box::new("no"))
                };
                // The heap has all that it has again: the panic needs some, too.
                let tried = catch_unwind(AssertUnwindSafe(|| stack.try_alloc_with(make).is_err()));
                assert_eq!(matches!(tried, Ok(true)), most.is_none());
                match most {
                    Some(most) => {
                        self.high_water = self.high_water.max(most);
                    }
                    None => self.refused(stack, Layout::new::<[u64; 5]>(), limit, usize::MAX),
                }
                assert_eq!(stack.used(), used, "it is given back with its padding");
            }
            Operation::SliceWithPanic(len, at) => {
                let layout = Layout::array::<Box<usize>>(len).unwrap();
                if layout.size() + layout.align() > limit - used {
                    // It would panic for another reason.
                    return;
                }
                let mut most = used;
                let make = |index| {
                    most = stack.used();
                    if index == at { resume_unwind(Box::new("no")) } else { Box::new(index) }
                };
                let is_made = || drop(stack.alloc_iter((0..len).map(make)));
                let is_made = catch_unwind(AssertUnwindSafe(is_made)).is_ok();
                assert_eq!(is_made, len <= at);
                self.high_water = self.high_water.max(most);
                if is_made {
                    // Its owner is gone, and did not give it back.
                    self.is_disordered |= len > 0;
                    assert_eq!(stack.used(), most);
                } else {
                    assert_eq!(stack.used(), used);
                }
            }
            Operation::Resize(..) if self.live.is_empty() => {}
            Operation::Resize(index, size, align) => {
                let index = self.live.len() - 1 - index % self.live.len();
                let layout = Layout::from_size_align(size, 1 << align).unwrap();
                self.resize(stack, index, layout, limit);
                self.high_water = self.high_water.max(stack.used());
            }
            Operation::Heap(bytes) => self.heap = bytes,
            Operation::Scope(ref blocks, panics) => {
                let mut most = used;
                let scope = || {
                    stack.scope(|scope| {
                        most += self.in_scope(scope, blocks);
                        if panics {
                            resume_unwind(Box::new("no"));
                        }
                    });
                };
                let ended = catch_unwind(AssertUnwindSafe(scope));
                assert_eq!(ended.is_err(), panics);
                assert_eq!(stack.used(), used, "a scope leaves nothing behind");
                let seen = stack.high_water();
                assert!(seen >= self.high_water && seen <= self.high_water.max(most));
                self.high_water = seen;
            }
            Operation::FreeLast => {
                let Some(last) = self.live.pop() else { return };
                let is_freed = last.free(stack);
                if self.is_disordered {
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
                let is_freed = self.live.remove(index).free(stack);
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

    /// A new block was taken, of `used` bytes that were in use before.
    fn make_known<S: Sharing>(
        &mut self,
        stack: &Frames<S>,
        at: NonNull<u8>,
        layout: Layout,
        used: usize,
    ) {
        self.made += 1;
        assert_eq!(at.addr().get() % layout.align(), 0);
        let number = self.made;
        let block = Block { at, layout, number, used_before: used, is_slice: false };
        block.fill();
        let taken = stack.used() - used;
        assert!(taken < layout.size() + layout.align() + 2 * GRAIN);
        self.push(block);
    }

    /// A resized block counts as new, unless it only became shorter below others.
    fn resize<S: Sharing>(
        &mut self,
        stack: &Frames<S>,
        index: usize,
        layout: Layout,
        limit: usize,
    ) {
        let is_newest = index + 1 == self.live.len();
        let Block { at, layout: old, used_before, .. } = self.live[index];
        let (used, kept) = (stack.used(), old.size().min(layout.size()));
        let fits = layout.align() == old.align();
        let [whole_old, whole] = [old, layout].map(|of| of.size().next_multiple_of(GRAIN));
        // SAFETY: the block is live, and goes on as what is returned.
        let resized = on(self.heap, || unsafe { resize(stack, at, old, layout) });
        let Some(resized) = resized else {
            self.refused(stack, layout, limit, self.heap);
            assert_eq!(stack.used(), used);
            return;
        };
        assert_eq!(resized.len(), layout.size());
        let mut block = self.live.remove(index);
        block.is_slice = false;
        if layout.size() == 0 {
            let is_known = is_newest && !self.is_disordered;
            assert!(if is_known { stack.used() == used_before } else { stack.used() <= used });
            assert!(is_newest || stack.used() == used, "there is another above it");
            self.is_disordered |= stack.used() != used_before;
        } else if resized.cast() != at {
            assert!(layout.size() > old.size() || !fits, "it could have stayed");
            block.at = resized.cast();
            assert!(block.begins(kept), "it was copied");
            // What was left behind is in use until all is taken back.
            self.make_known(stack, resized.cast(), layout, used);
            self.is_disordered = true;
        } else {
            assert!(fits && block.begins(kept));
            block.layout = layout;
            if stack.used() == used && whole != whole_old {
                assert!(layout.size() < old.size() && (!is_newest || self.is_disordered));
                // Its end is not known any more.
                self.is_disordered = true;
                self.live.insert(index, block);
            } else {
                assert!(is_newest || whole == whole_old, "there is another above it");
                assert_eq!(stack.used(), used - whole_old + whole);
                if is_newest {
                    self.made += 1;
                    block.number = self.made;
                    block.fill();
                }
                self.live.insert(index, block);
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
            most += size + layout.align() + 2 * size_of::<Box<usize>>() + 2 * GRAIN;
            let number = self.made + new.len() + 1;
            let value = Box::new(number);
            let boxed = on(self.heap, || scope.try_alloc(value)).ok();
            boxes.extend(boxed.map(|boxed| (number, boxed)));
            let Ok(block) = on(self.heap, || scope.alloc_raw(layout)) else { continue };
            let at = block.cast::<u8>();
            assert_eq!((block.len(), at.addr().get() % layout.align()), (size, 0));
            let block = Block { at, layout, number, used_before: 0, is_slice: false };
            block.fill();
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
    let mut model = Model::new(stack.capacity());
    let limit = limit.checked_next_multiple_of(GRAIN).unwrap_or(limit);
    for operation in operations {
        model.apply(&mut stack, limit, operation);
        model.check(&stack);
    }
}
