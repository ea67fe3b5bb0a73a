//! `Zeroable` implemented by hand
//!
//! Fix: derive it; by hand it is `unsafe`, and zeros have to be a value of every field.

use typed_pool::Zeroable;

struct Name(Box<str>);

impl Zeroable for Name {}

fn main() {
    let _ = Name("".into());
}
