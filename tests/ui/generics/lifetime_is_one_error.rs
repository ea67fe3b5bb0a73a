//! As `lifetime`: on a type that is used, and still one error.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Token<'a> {
    text: &'a str,
}

fn main() {
    let token = Token::pool_alloc_with(|| Token { text: "static" });
    println!("{}", token.text);
}
