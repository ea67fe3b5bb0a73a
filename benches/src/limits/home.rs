//! A type's own thread-local, with its instance of a design.

#[cfg(target_arch = "x86_64")]
use core::arch::asm;
#[cfg(target_arch = "x86_64")]
use core::ptr;

use super::{PlainList, PointerStack, SharedMagazine};
use crate::contestants::Slots;
use crate::objects::{Obj16, Obj64, Obj256, Obj1024};
use crate::workloads::binary_trees::Twig;
use crate::workloads::frame::Bullet;
use crate::workloads::quadtree::{Node, Switch};

/// A type with a thread-local instance of a design.
pub trait Home<D>: Sized + 'static {
    /// Calls `visit` with it.
    fn with<R>(visit: impl FnOnce(&D) -> R) -> R;
}

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
            asm!(
                "/* {0} */",
                inout(reg) address,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        // SAFETY: it is still the address of `design`.
        unsafe { &*address }
    }
    #[cfg(not(target_arch = "x86_64"))]
    design
}

/// Generic types cannot hold statics, so each pair of type and design is written out.
macro_rules! home {
    ($design:ident: $($object:ty),*) => {$(
        impl Home<$design> for $object {
            #[inline(always)]
            fn with<R>(visit: impl FnOnce(&$design) -> R) -> R {
                const { assert!(size_of::<$object>() >= 2 * size_of::<usize>(), "two words") };
                thread_local!(static DESIGN: $design = const { $design::new() });
                DESIGN.with(|design| visit(in_register(design)))
            }
        }
    )*};
}

home!(PlainList: Obj16, Obj64, Obj256, Obj1024, Bullet, Node<Switch>, Node<Slots<PlainList>>, Twig<Slots<PlainList>>);
home!(PointerStack: Obj16, Obj64, Obj256, Obj1024, Bullet, Node<Switch>, Node<Slots<PointerStack>>, Twig<Slots<PointerStack>>);
home!(SharedMagazine: Obj16, Obj64, Obj256, Obj1024);
