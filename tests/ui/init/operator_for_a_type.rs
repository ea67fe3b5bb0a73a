//! An operator before the struct
//!
//! Fix: apply it to the value: `init::with(|| Step + Start { at: 1 })`.

#![forbid(unsafe_code)]

use std::ops::Add;
use typed_pool::init;

struct Step;

struct Start {
    at: u8,
}

struct End {
    at: u8,
    text: &'static str,
}

impl Add<Start> for Step {
    type Output = End;
    fn add(self, start: Start) -> End {
        End { at: start.at, text: "" }
    }
}

fn main() {
    let _ = init!(Step + Start { at: 1 });
    let end = End { at: 1, text: "" };
    let _ = (end.at, end.text);
}
