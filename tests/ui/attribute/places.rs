//! The attribute in another place, or in another form

use typed_pool::Pooled;

// A string for the whole attribute.
#[derive(Pooled)]
#[pool = "capacity"]
struct NameValue([f32; 4]);

// An attribute without keys.
#[derive(Pooled)]
#[pool]
struct NoList([f32; 4]);

// The attribute on a field.
#[derive(Pooled)]
struct OnField {
    #[pool(pad)]
    position: [f32; 4],
}

// On a variant, and on a field of one.
#[derive(Pooled)]
enum OnVariant {
    #[pool(pad)]
    Circle([f32; 3]),
    Square(#[pool(pad)] [f32; 4]),
}

// Above the derive.
#[pool(pad)]
#[derive(Pooled)]
struct AboveTheDerive([f32; 4]);

fn main() {}
