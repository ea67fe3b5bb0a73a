//! In place of `once.rs` in a program that is built for neither tool.

/// Nothing is ever done.
#[derive(Debug)]
pub(crate) struct Once;

impl Once {
    pub(crate) const fn new() -> Self {
        Self
    }

    #[inline(always)]
    pub(crate) fn call(&self, _: impl FnOnce()) {}
}
