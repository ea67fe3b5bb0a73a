//! Where the compiler is to have an address.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use core::ptr;

/// The same reference; on x86-64 its address is in a register from here on.
///
/// For thread-locals: an executable would reach them relative to the segment register `fs` in each instruction, and a load
/// like that waits for the store before it, which others do not: processors rename memory that is relative to another
/// register (`docs/decisions/thread-local-address.md`).
#[inline(always)]
#[allow(clippy::pointers_in_nomem_asm_block, reason = "what it points to is not looked at")]
pub(crate) fn in_register<T>(place: &T) -> &T {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let mut address = ptr::from_ref(place);
        // SAFETY: no instruction is in it, and the register stays as it is.
        unsafe {
            core::arch::asm!("/* {} */", inout(reg) address, options(pure, nomem, nostack, preserves_flags));
        }
        // SAFETY: it is the address that came in.
        unsafe { &*address }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    place
}
