//! Other things in the place of a struct's name

#![forbid(unsafe_code)]

use std::ops::Add;

use typed_pool::{init, try_init};

struct Step;

struct Start {
    at: u8,
}

struct W {
    a: u8,
}

impl Add<Start> for Step {
    type Output = W;
    fn add(self, start: Start) -> W {
        W { a: start.at }
    }
}

fn f<T>(_: T) -> W {
    W { a: 1 }
}

// An operator before the struct.
fn operator_for_a_type() {
    let _ = init!(Step + Start { at: 1 });
}

// A block, a closure, a call, a list.
fn block_for_a_type() {
    let _ = init!({ W { a: 1 } } {});
    let _ = init!(|| W { a: 1 });
    let _ = init!(f(W { a: 1 }) {});
    let _ = init!(W { a: 1 }; W { a: 1 });
    let _ = init!(W, W { a: 1 });
    let _ = init!(#[allow(unused)] W { a: 1 });
    let _ = init!(0 {});
}

macro_rules! make {
    ($($tokens:tt)*) => {
        W { a: 1 }
    };
}

// A macro where the struct is named.
fn macro_for_a_type() {
    let _ = init!(make! {});
    let _ = init!(make! { a: 1 });
    let _ = try_init!(make! { a: 1 } ? ());
    let _ = make!();
}

// The address asked for in another form.
fn address_of_another_form() {
    let _ = init!(&mut this in W { a: 1 });
    let _ = init!(this in W { a: 1 });
    let _ = try_init!(&this W { a: 1 } ? ());
    let _ = init!(&this in this);
    let _ = init!(&this.a in W { a: 1 });
}

fn main() {}
