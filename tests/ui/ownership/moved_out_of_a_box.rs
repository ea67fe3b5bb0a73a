//! A value moved out of a box by `*` or `match`
//!
//! Fix: write `match PoolBox::into_inner(expression)`, because `*` moves out of `Box` alone. To read the value, borrow:
//! `match &*expression`. (The compiler's proposal, `match expression`, does not compile either.)

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
enum Expression {
    Number(i64),
    Sum(PoolBox<Expression>, PoolBox<Expression>),
}

fn value(expression: PoolBox<Expression>) -> i64 {
    match *expression {
        Expression::Number(number) => number,
        Expression::Sum(left, right) => value(left) + value(right),
    }
}

fn main() {}
