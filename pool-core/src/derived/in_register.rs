//! How the hot path reaches a thread-local: by its address in a register.

/// The same reference. The optimiser does not see that it is a thread-local's, and keeps its address in a register.
///
/// On x86 under Linux it would otherwise access each field relative to the segment register (`fs:[offset]`). A processor
/// that guesses that a load reads what was stored last at the same address (memory renaming) does so by the registers in
/// which the address is, and mostly fails to with a segment. Then each operation waits for the store of the one
/// before, 8 cycles: it takes 2 ns in place of 1 (`docs/decisions/thread-local-address.md`).
#[inline(always)]
#[allow(clippy::pointers_in_nomem_asm_block, reason = "the memory is not touched")]
pub(super) fn in_register<T>(place: &T) -> &T {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "x86"), not(miri)))]
    {
        let mut address = core::ptr::from_ref(place);
        // SAFETY: no instruction at all.
        unsafe {
            core::arch::asm!(
                "/* {0} */",
                inout(reg) address,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        // SAFETY: it is still the address of `place`.
        unsafe { &*address }
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "x86"), not(miri))))]
    place
}
