//! As `operator_for_a_type`: other operators.

#![forbid(unsafe_code)]

use std::ops::{Deref, Neg, Not};
use typed_pool::{init, try_init};

struct W {
    a: u8,
}

struct Built {
    a: u8,
    text: &'static str,
}

impl Not for W {
    type Output = Built;
    fn not(self) -> Built {
        Built { a: self.a, text: "" }
    }
}

impl Neg for W {
    type Output = W;
    fn neg(self) -> W {
        W { a: 1 }
    }
}

impl Deref for W {
    type Target = u8;
    fn deref(&self) -> &u8 {
        &self.a
    }
}

fn main() {
    let _ = init!(!W { a: 1 });
    let _ = init!(-W { a: 1 });
    let _ = init!(*W { a: 1 });
    let _ = init!(&W { a: 1 });
    let _ = try_init!(!W { a: 1 } ? ());
    let _ = Built { a: 1, text: "" }.text.len() + usize::from(Built { a: 1, text: "" }.a);
}
