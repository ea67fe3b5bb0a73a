//! What the examples have in common: a command line, and figures in JSON.

pub(crate) mod options;
pub(crate) mod report;
