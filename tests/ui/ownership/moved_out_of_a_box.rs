//! A value moved out of a box by `*` or `match`
//!
//! Fix: write `match PoolBox::into_inner(expression)`: only of `Box` itself does the compiler let `*` move. To look at it,
//! borrow: `match &*expression`. (What the compiler proposes, `match expression`, does not compile either.)

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
