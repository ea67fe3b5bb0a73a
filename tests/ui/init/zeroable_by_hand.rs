//! `Zeroable` implemented by hand

use typed_pool::Zeroable;

struct Name(Box<str>);

impl Zeroable for Name {}

fn main() {
    let _ = Name("".into());
}
