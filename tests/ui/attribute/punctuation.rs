//! Commas and equals signs, too many or too few

// A comma left out.
mod missing_comma {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(chunk = 64 max = 128)]
    struct Bullet([f32; 4]);
}

// After a key without a value.
mod missing_comma_after_flag {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(pad capacity = 64)]
    struct Bullet([f32; 4]);
}

// A semicolon for a comma.
mod semicolon {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(chunk = 64; max = 128)]
    struct Bullet([f32; 4]);
}

// One comma too many.
mod two_commas {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(chunk = 64,, max = 128)]
    struct Bullet([f32; 4]);
}

// An equals sign left out.
mod no_equals {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity 64)]
    struct Bullet([f32; 4]);
}

// A colon in place of the equals sign.
mod colon_for_equals {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity: 64)]
    struct Bullet([f32; 4]);
}

// A value without its key.
mod key_not_a_word {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(64)]
    struct Bullet([f32; 4]);
}

// A key without its value.
mod key_without_value {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity)]
    struct Bullet([f32; 4]);
}

// A value for a key that takes none.
mod flag_with_value {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(pad = true)]
    struct Bullet([f32; 4]);
}

// With parentheses.
mod flag_with_list {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(thread_local(64))]
    struct Bullet([f32; 4]);
}

// Nothing in the parentheses.
mod nothing {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool()]
    struct Bullet([f32; 4]);
}

// Values that are no expressions.
mod two_equals {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(max == 3)]
    struct Bullet([f32; 4]);
}

mod half_a_sum {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(max = 3 +)]
    struct Bullet([f32; 4]);
}

mod two_numbers {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(max = 3 3)]
    struct Bullet([f32; 4]);
}

mod statement {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(max = let x = 3)]
    struct Bullet([f32; 4]);
}

mod of_a_macro {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, capacity = $x)]
    struct Bullet([f32; 4]);
}

mod half_a_tag {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = roster, tag = 3 +)]
    struct Bullet([f32; 4]);
}

fn main() {}
