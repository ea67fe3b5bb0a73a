//! Proof that `typed-pool` needs no `std`: it links into a program that has its own panic handler
//! and its own heap, and works there. Any path to `std` would bring a second panic handler and fail
//! the link.

#![no_std]
#![no_main]

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ffi::c_int;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};

use typed_pool::{FreeList, PoolArc, PoolBoxIn, PoolRc, Pooled};

// What the platform starts a program with, and `memcpy`.
#[link(name = "c")]
unsafe extern "C" {}

/// The precompiled `alloc` refers to it from its unwinding tables. Nothing unwinds here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// A heap that hands out a static block once, and takes nothing back.
struct StaticHeap {
    block: UnsafeCell<Block>,
    used: AtomicUsize,
}

#[repr(align(4096))]
struct Block {
    _bytes: [u8; 64 * 1024],
}

// SAFETY: `used` is advanced atomically, so no byte of the block is handed out twice.
unsafe impl Sync for StaticHeap {}

// SAFETY: every allocation is a part of the block of its own, in bounds and aligned.
unsafe impl GlobalAlloc for StaticHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let bytes = layout.size().next_multiple_of(4096);
        let offset = self.used.fetch_add(bytes, Ordering::Relaxed);
        if layout.align() > 4096 || offset + bytes > size_of::<Block>() {
            return ptr::null_mut();
        }
        self.block.get().cast::<u8>().wrapping_add(offset)
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static HEAP: StaticHeap = StaticHeap {
    block: UnsafeCell::new(Block { _bytes: [0; 64 * 1024] }),
    used: AtomicUsize::new(0),
};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

struct Particle {
    position: [f32; 3],
    next: Option<u32>,
}

#[derive(Pooled)]
#[pool(static, capacity = 4, rc)]
struct Settings {
    rate: u32,
}

/// Whether elements of a static pool can be shared.
fn can_share() -> bool {
    let settings = PoolArc::new(Settings { rate: 100 });
    let (clone, weak) = (PoolArc::clone(&settings), PoolArc::downgrade(&settings));
    let local = PoolRc::new(Settings { rate: 200 });
    let is_whole = clone.rate == 100 && local.rate == 200 && Settings::pool_stats().live == 2;
    drop((settings, local));
    let is_there = weak.upgrade().is_some_and(|settings| PoolArc::strong_count(&settings) == 2);
    let is_last = PoolArc::try_unwrap(clone).is_ok_and(|settings| settings.rate == 100);
    let is_gone = weak.upgrade().is_none();
    drop(weak);
    is_whole && is_there && is_last && is_gone && Settings::pool_stats().live == 0
}

/// Returns 0 if the pool works.
#[unsafe(no_mangle)]
pub extern "C" fn main() -> c_int {
    let pool = FreeList::bounded(100);
    let kept = pool.alloc(Particle { position: [1.0; 3], next: Some(7) });
    for _ in 0..1000 {
        let particle = pool.alloc_with(|| Particle { position: [2.0; 3], next: None });
        if PoolBoxIn::into_inner(particle).position[0] != 2.0 {
            return 1;
        }
    }
    let full: [_; 99] =
        core::array::from_fn(|_| pool.try_alloc(Particle { position: [0.0; 3], next: None }));
    let is_exhausted = pool.try_alloc(Particle { position: [0.0; 3], next: None }).is_err();
    if full.iter().any(Result::is_err) || !is_exhausted {
        return 2;
    }
    drop(full);
    if pool.stats().live != 1 || kept.next != Some(7) || kept.position[2] != 1.0 {
        return 3;
    }
    if !can_share() {
        return 4;
    }
    0
}
