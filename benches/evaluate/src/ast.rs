//! Expressions of small boxed nodes, parsed, evaluated and simplified.

use std::hint::black_box;

use typed_pool::Pooled;

use super::pointers::{Box, unboxed};
use crate::clock::{Clock, Phases};
use crate::random::Random;

const TREES: usize = 1000;
const DEPTH: u32 = 7;
const ROUNDS: usize = 15;

#[derive(Pooled)]
enum Expr {
    Number(i64),
    Variable(usize),
    Add(Box<Expr>, Box<Expr>),
    Multiply(Box<Expr>, Box<Expr>),
}

use Expr::{Add, Multiply, Number, Variable};

fn parse(random: &mut Random, depth: u32) -> Box<Expr> {
    let mut child = || parse(random, depth - 1);
    let expr = if depth > 0 {
        let (left, right) = (child(), child());
        if random.below(2) == 0 { Add(left, right) } else { Multiply(left, right) }
    } else if random.below(2) == 0 {
        Number(random.below(3) as i64)
    } else {
        Variable(random.below(4))
    };
    Box::new(expr)
}

fn value(expr: &Expr, variables: &[i64; 4]) -> i64 {
    match expr {
        Number(number) => *number,
        Variable(index) => variables[*index],
        Add(left, right) => value(left, variables).wrapping_add(value(right, variables)),
        Multiply(left, right) => value(left, variables).wrapping_mul(value(right, variables)),
    }
}

/// Without additions of 0 and multiplications by 0 or 1.
fn simplified(expr: Box<Expr>) -> Box<Expr> {
    Box::new(match unboxed(expr) {
        Add(left, right) => match (simplified(left), simplified(right)) {
            (left, right) if matches!(*left, Number(0)) => return right,
            (left, right) if matches!(*right, Number(0)) => return left,
            (left, right) => Add(left, right),
        },
        Multiply(left, right) => match (simplified(left), simplified(right)) {
            (left, _) if matches!(*left, Number(0)) => return left,
            (_, right) if matches!(*right, Number(0)) => return right,
            (left, right) if matches!(*left, Number(1)) => return right,
            (left, right) => Multiply(left, right),
        },
        leaf => leaf,
    })
}

pub(crate) fn run() -> Phases {
    let mut clock = Clock::start();
    let mut random = Random::new();
    let nodes = TREES * ((2 << DEPTH) - 1);
    for _ in 0..ROUNDS {
        let exprs: Vec<_> = clock.phase("AST: parse, a node", nodes, || {
            (0..TREES).map(|_| parse(&mut random, DEPTH)).collect()
        });
        clock.phase("AST: evaluate, a node", nodes, || {
            black_box(exprs.iter().fold(0, |sum, expr| value(expr, &[3, 1, 4, sum & 1])))
        });
        let exprs: Vec<_> = clock
            .phase("AST: simplify, a node", nodes, || exprs.into_iter().map(simplified).collect());
        clock.phase("AST: drop what is left, a node", nodes, || drop(exprs));
    }
    clock.stop()
}
