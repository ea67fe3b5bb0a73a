//! Pools by hand: what could be reached without safety, checks or a way to give memory back.
//!
//! A free list by hand is a const thread-local without a destructor. It never returns its region, does not notice a foreign pointer,
//! and ends the process when the region is used up. All slots of a process have one layout, which is checked.

mod plain;
mod pointer_stack;
mod region;
mod shared_magazine;
mod swap_delete;

#[cfg(target_arch = "x86_64")]
use core::arch::asm;
#[cfg(target_arch = "x86_64")]
use core::ptr;
use core::ptr::NonNull;
use std::alloc::Layout;
use std::sync::OnceLock;

pub use plain::PlainList;
pub use pointer_stack::PointerStack;
pub use shared_magazine::SharedMagazine;
pub use swap_delete::{InOrder, SwapDelete};

use region::Region;

use crate::contestants::Source;

/// The same reference; the optimiser keeps its address in a register, as in the library's thread-local pools
/// (`docs/decisions/thread.md`).
#[inline(always)]
#[allow(clippy::pointers_in_nomem_asm_block, reason = "the memory is not touched")]
fn in_register<D>(design: &D) -> &D {
    #[cfg(target_arch = "x86_64")]
    {
        let mut address = ptr::from_ref(design);
        // SAFETY: no instruction at all.
        unsafe {
            asm!("/* {0} */", inout(reg) address, options(pure, nomem, nostack, preserves_flags));
        }
        // SAFETY: it is still the address of `design`.
        unsafe { &*address }
    }
    #[cfg(not(target_arch = "x86_64"))]
    design
}

macro_rules! sources {
    ($($Design:ident = $name:literal;)*) => {$(
        impl $Design {
            #[inline(always)]
            fn with<R>(visit: impl FnOnce(&Self) -> R) -> R {
                thread_local!(static DESIGN: $Design = const { $Design::new() });
                DESIGN.with(|design| visit(in_register(design)))
            }
        }

        impl Source for $Design {
            const NAME: &'static str = $name;

            fn enter(layout: Layout) {
                static LAYOUT: OnceLock<Layout> = OnceLock::new();
                assert_eq!(*LAYOUT.get_or_init(|| layout), layout, "slots have one layout");
                assert!(layout.size() >= 2 * size_of::<usize>() && layout.align() == align_of::<usize>());
            }

            #[inline(always)]
            fn take(layout: Layout) -> NonNull<u8> {
                Self::with(|design| design.take(layout.size()))
            }

            #[inline(always)]
            unsafe fn give(slot: NonNull<u8>, _layout: Layout) {
                // SAFETY: the slot came from an instance of this design, this thread's unless any will do, as the caller promises;
                // `enter` has seen that it has room for two words.
                Self::with(|design| unsafe { design.give(slot) });
            }
        }
    )*};
}

sources! {
    PlainList = "limit: plain list";
    PointerStack = "limit: pointer stack";
    SharedMagazine = "limit: shared magazine of 256";
}
