//! As `rc_written_to`: by a method that takes `&mut self`.

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Squad {
    members: Vec<u32>,
}

fn main() {
    let squad = PoolRc::new(Squad { members: Vec::new() });
    squad.members.push(7);
}
