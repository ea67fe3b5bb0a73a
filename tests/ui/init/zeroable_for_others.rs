//! `#[derive(Zeroable)]` on what is no struct

// `#[derive(Zeroable)]` on an enum. Fix: store a number, and convert it to the enum where it is used.
mod zeroable_enum {
    use typed_pool::Zeroable;

    #[derive(Zeroable)]
    enum Direction {
        Left,
        Right,
    }

    pub fn main() {
        let _ = (Direction::Left, Direction::Right);
    }
}

// `#[derive(Zeroable)]` on a union. Fix: keep it in a `MaybeUninit`, which may be zeroed, and call `assume_init`
// where it is read.
mod zeroable_union {
    use typed_pool::Zeroable;

    #[derive(Zeroable)]
    union Either {
        number: u32,
        text: &'static str,
    }

    pub fn main() {
        let _ = (Either { number: 1 }, Either { text: "" });
    }
}

fn main() {}
