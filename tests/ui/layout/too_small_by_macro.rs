//! As `too_small`: declared by a macro.

use typed_pool::Pooled;

macro_rules! pooled {
    ($name:ident($ty:ty)) => {
        #[derive(Pooled)]
        struct $name($ty);
    };
}

pooled!(Spark(u16));

fn main() {}
