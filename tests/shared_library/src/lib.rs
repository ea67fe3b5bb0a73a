//! A plug-in with pools of every kind. What it allocates, and which elements live, is counted in the program that loads it:
//! that stays when the plug-in goes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::ptr;
use std::sync::atomic::{AtomicIsize, AtomicPtr, Ordering};

use typed_pool::frame;
use typed_pool::{PoolArc, PoolBox, PoolRc, Pooled, Roster, SharedByLayout, any};

/// The same in `host.rs`.
#[repr(C)]
pub struct Counts {
    bytes: AtomicIsize,
    elements: AtomicIsize,
}

static COUNTS: AtomicPtr<Counts> = AtomicPtr::new(ptr::null_mut());

fn counts() -> Option<&'static Counts> {
    // SAFETY: null, or a static of the program's (`count_in`).
    unsafe { COUNTS.load(Ordering::Relaxed).as_ref() }
}

struct Counted;

// SAFETY: the system's heap does it all.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller asks for a layout with a size.
        let block = unsafe { System.alloc(layout) };
        if let (Some(counts), false) = (counts(), block.is_null()) {
            counts.bytes.fetch_add(layout.size().cast_signed(), Ordering::Relaxed);
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller gives up a block with this layout.
        unsafe { System.dealloc(block, layout) };
        if let Some(counts) = counts() {
            counts.bytes.fetch_sub(layout.size().cast_signed(), Ordering::Relaxed);
        }
    }
}

#[global_allocator]
static HEAP: Counted = Counted;

/// Counts the elements that live.
struct Alive;

impl Alive {
    fn new() -> Self {
        counts().into_iter().for_each(|counts| _ = counts.elements.fetch_add(1, Ordering::Relaxed));
        Self
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        counts().into_iter().for_each(|counts| _ = counts.elements.fetch_sub(1, Ordering::Relaxed));
    }
}

/// A box in each thread, and shared there.
#[derive(Pooled)]
#[pool(rc)]
struct Node(u64, Alive);

/// A box in a static pool that grows, and shared.
#[derive(Pooled)]
#[pool(static, rc)]
struct Message([u64; 6], Alive);

/// A box in a static pool with a capacity.
#[derive(Pooled)]
#[pool(static, capacity = 1000)]
struct Packet(#[allow(dead_code, reason = "it takes room")] [u8; 40], Alive);

/// In a roster of each thread.
#[derive(Pooled)]
#[pool(strategy = roster)]
struct Unit(u64, Alive);

/// In a roster for all threads.
#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Sound(u64, #[allow(dead_code, reason = "it is dropped")] Alive);

/// The objects of a thread until it ends, when its pools may have been closed.
#[derive(Default)]
struct Kept {
    nodes: Vec<PoolBox<Node>>,
    shared: Vec<PoolRc<Node>>,
    messages: Vec<PoolArc<Message>>,
    bytes: Vec<any::Box<[u8; 40]>>,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// To be called first, when the plug-in has been loaded.
///
/// # Safety
///
/// The counts are there as long as the plug-in.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn count_in(counts: *const Counts) {
    COUNTS.store(counts.cast_mut(), Ordering::Relaxed);
}

/// Makes elements in each pool, and keeps some until the thread ends.
#[unsafe(no_mangle)]
pub extern "C" fn work() -> u64 {
    let nodes: Vec<_> = (0..3000).map(|n| PoolBox::new(Node(n, Alive::new()))).collect();
    let messages: Vec<_> = (0..3000).map(|n| PoolBox::new(Message([n; 6], Alive::new()))).collect();
    let packets: Vec<_> =
        (0..100).filter_map(|_| PoolBox::try_new(Packet([1; 40], Alive::new())).ok()).collect();
    let units: Vec<_> = (0..1000).map(|n| Unit::pool_insert(Unit(n, Alive::new()))).collect();
    let sounds: Vec<_> = (0..1000).map(|n| Sound::pool_insert(Sound(n, Alive::new()))).collect();
    let words: Vec<_> = (0..1000_u64).map(any::SendBox::new).collect();
    let sum_of_frame: u64 = frame::scratch(|frame| frame.alloc_iter(0..1000_u64).iter().sum());
    let sum = nodes.iter().map(|node| node.0).sum::<u64>()
        + messages.iter().map(|message| message.0[5]).sum::<u64>()
        + words.iter().map(|word| **word).sum::<u64>()
        + Unit::pool_with(|all| all.values().map(|unit| unit.0).sum::<u64>())
        + Sound::pool_read(|all| {
            sounds.iter().filter_map(|&sound| all.get(sound)).map(|sound| sound.0).sum::<u64>()
        })
        + sum_of_frame;
    units.into_iter().skip(10).for_each(|unit| drop(Unit::pool_remove(unit)));
    sounds.into_iter().for_each(|sound| drop(Sound::pool_remove(sound)));
    drop((messages, packets, words));
    KEPT.with_borrow_mut(|kept| {
        kept.nodes.extend(nodes.into_iter().step_by(100));
        kept.shared.push(PoolRc::new(Node(0, Alive::new())));
        kept.messages.push(PoolArc::new(Message([0; 6], Alive::new())));
        kept.bytes.push(any::Box::new([0; 40]));
    });
    sum
}

/// To be called before the plug-in is unloaded: what static pools keep for later goes back. Returns how many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn shut_down() -> usize {
    let bytes = Message::pool_trim() + Sound::pool_trim() + SharedByLayout::trim();
    // A trim leaves the generations of its slots, for handles that somebody may still have.
    Sound::pool_with(|all| *all = Roster::new());
    bytes
}
