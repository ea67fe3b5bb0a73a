//! As `lifetime`: on a type that holds boxes of itself, and still one error.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
enum Expression<'a> {
    Name(&'a str),
    Sum(PoolBox<Expression<'a>>, PoolBox<Self>),
}

fn main() {
    let name = String::from("x");
    let [left, right] = [(); 2].map(|()| PoolBox::new(Expression::Name(&name)));
    drop(Expression::Sum(left, right));
}
