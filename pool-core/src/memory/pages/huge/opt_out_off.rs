//! In place of `opt_out.rs` where there is no std to read the environment with.

#[inline(always)]
pub(super) fn is_opted_out() -> bool {
    false
}
