//! As `unsized`: a slice.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Packet(u64, [u8]);

fn main() {}
