//! Not borrows of anything that ends: what is `'static`, and what a function is called with.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Token {
    text: &'static str,
}

#[derive(Pooled)]
#[pool(instances(
    Of<&'static str>,
    Of<fn(&u8) -> &u8>,
    Of<for<'a> fn(&'a u8)>,
    Of<Option<Box<dyn Fn(&u8)>>>,
    Of<Box<dyn for<'a> Fn(&'a u8) + 'static>>
))]
struct Of<T>(T);

fn main() {
    assert_eq!(Token::pool_alloc_with(|| Token { text: "a" }).text, "a");
    assert_eq!(Of::<&'static str>::pool_alloc_with(|| Of("b")).0, "b");
}
