//! Other things in the place of a struct's name

#![forbid(unsafe_code)]

// An operator before the struct.
mod operator_for_a_type {
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

    pub fn main() {
        let _ = init!(Step + Start { at: 1 });
        let end = End { at: 1, text: "" };
        let _ = (end.at, end.text);
    }
}

// A block, a closure, a call, a list.
mod block_for_a_type {
    use typed_pool::init;

    struct W {
        a: u8,
    }

    fn f<T>(_: T) -> W {
        W { a: 1 }
    }

    pub fn main() {
        let _ = init!({ W { a: 1 } } {});
        let _ = init!(|| W { a: 1 });
        let _ = init!(f(W { a: 1 }) {});
        let _ = init!(W { a: 1 }; W { a: 1 });
        let _ = init!(W, W { a: 1 });
        let _ = init!(#[allow(unused)] W { a: 1 });
        let _ = init!(0 {});
    }
}

// A macro where the struct is named.
mod macro_for_a_type {
    use typed_pool::{init, try_init};

    struct Name(String);

    macro_rules! make {
        ($($tokens:tt)*) => {
            Name(String::new())
        };
    }

    pub fn main() {
        let _ = init!(make! {});
        let _ = init!(make! { 0: String::new() });
        let _ = try_init!(make! { 0: String::new() } ? ());
        let _ = make!().0;
    }
}

// The address asked for in another form.
mod address_of_another_form {
    use typed_pool::{init, try_init};

    struct Link {
        value: u32,
    }

    pub fn main() {
        let _ = init!(&mut this in Link { value: 1 });
        let _ = init!(this in Link { value: 1 });
        let _ = try_init!(&this Link { value: 1 } ? ());
        let _ = init!(&this in this);
        let _ = init!(&this.value in Link { value: 1 });
    }
}

fn main() {}
