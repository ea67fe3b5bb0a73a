//! `#[derive(Zeroable)]` on what is no struct

// `#[derive(Zeroable)]` on an enum.
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

// `#[derive(Zeroable)]` on a union.
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
