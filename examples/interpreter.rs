//! An interpreter: a syntax tree of boxes, and scopes of variables that functions share.
//!
//! ```text
//! cargo run --release -p typed-pool-examples --example interpreter
//! cargo run --release -p typed-pool-examples --example interpreter "(let x 20 (+ x (+ x 2)))"
//! ```

use typed_pool::{PoolBox, PoolRc, Pooled};

/// A node owns its children.
#[derive(Pooled)]
#[pool(name = "nodes")]
enum Expr {
    Number(i64),
    Variable(String),
    /// `(+ a b)`, and the same with `-`, `*` and `<`.
    Operation(fn(i64, i64) -> i64, [PoolBox<Expr>; 2]),
    /// `(if condition a b)`: 0 is false.
    If([PoolBox<Expr>; 3]),
    /// `(let name value in)`
    Let(String, [PoolBox<Expr>; 2]),
    /// `(fn name parameter body)`
    Function(PoolRc<Function>),
    /// `(function argument)`
    Call([PoolBox<Expr>; 2]),
}

/// Belongs to the tree, and to every value that is this function: `rc` gives the type's slots a count of owners.
#[derive(Pooled)]
#[pool(rc, name = "functions")]
struct Function {
    name: String,
    parameter: String,
    body: PoolBox<Expr>,
}

/// A variable, and those that were there before it.
#[derive(Pooled)]
#[pool(rc, name = "scopes")]
struct Scope {
    name: String,
    value: Value,
    outer: Environment,
}

type Environment = Option<PoolRc<Scope>>;

#[derive(Clone)]
enum Value {
    Number(i64),
    Closure(PoolRc<Function>, Environment),
}

type Words<'a> = std::slice::Iter<'a, &'a str>;

fn parse(text: &str) -> Result<PoolBox<Expr>, String> {
    let text = text.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<_> = text.split_whitespace().collect();
    parse_expr(&mut words.iter())
}

fn parse_expr(words: &mut Words<'_>) -> Result<PoolBox<Expr>, String> {
    let first = name(words)?;
    if first != "(" {
        let number = first.parse().map(Expr::Number);
        return Ok(PoolBox::new(number.unwrap_or(Expr::Variable(first))));
    }
    let before = words.clone();
    let expr = match name(words)?.as_str() {
        "if" => Expr::If([parse_expr(words)?, parse_expr(words)?, parse_expr(words)?]),
        "let" => Expr::Let(name(words)?, [parse_expr(words)?, parse_expr(words)?]),
        "fn" => {
            let (name, parameter) = (name(words)?, name(words)?);
            Expr::Function(PoolRc::new(Function { name, parameter, body: parse_expr(words)? }))
        }
        "+" => Expr::Operation(i64::wrapping_add, [parse_expr(words)?, parse_expr(words)?]),
        "-" => Expr::Operation(i64::wrapping_sub, [parse_expr(words)?, parse_expr(words)?]),
        "*" => Expr::Operation(i64::wrapping_mul, [parse_expr(words)?, parse_expr(words)?]),
        "<" => Expr::Operation(|a, b| (a < b).into(), [parse_expr(words)?, parse_expr(words)?]),
        _ => {
            // Not a keyword, so the function to call.
            *words = before;
            Expr::Call([parse_expr(words)?, parse_expr(words)?])
        }
    };
    match words.next() {
        Some(&")") => Ok(PoolBox::new(expr)),
        other => Err(format!("`)` is missing before {other:?}")),
    }
}

fn name(words: &mut Words<'_>) -> Result<String, String> {
    words.next().map(|&word| word.to_owned()).ok_or("it ends too early".to_owned())
}

fn evaluate(expr: &Expr, scope: &Environment) -> Result<Value, String> {
    Ok(match expr {
        Expr::Number(number) => Value::Number(*number),
        Expr::Variable(name) => {
            let mut scopes = std::iter::successors(scope.as_ref(), |scope| scope.outer.as_ref());
            let found = scopes.find(|scope| scope.name == *name);
            found.ok_or_else(|| format!("there is no `{name}`"))?.value.clone()
        }
        Expr::Operation(operation, [a, b]) => {
            Value::Number(operation(number(a, scope)?, number(b, scope)?))
        }
        Expr::If([condition, yes, no]) => {
            evaluate(if number(condition, scope)? != 0 { yes } else { no }, scope)?
        }
        Expr::Let(name, [value, rest]) => {
            evaluate(rest, &with(name, evaluate(value, scope)?, scope))?
        }
        // Two more owners, and no copy: one of the function, and one of the scope that it sees.
        Expr::Function(function) => Value::Closure(function.clone(), scope.clone()),
        Expr::Call([callee, argument]) => match evaluate(callee, scope)? {
            Value::Closure(function, outer) => {
                let argument = evaluate(argument, scope)?;
                // It finds itself by its name, without a cycle of owners.
                let closure = Value::Closure(function.clone(), outer.clone());
                let inner = with(&function.name, closure, &outer);
                evaluate(&function.body, &with(&function.parameter, argument, &inner))?
            }
            Value::Number(number) => return Err(format!("{number} is not a function")),
        },
    })
}

fn with(name: &str, value: Value, outer: &Environment) -> Environment {
    Some(PoolRc::new(Scope { name: name.to_owned(), value, outer: outer.clone() }))
}

fn number(expr: &Expr, scope: &Environment) -> Result<i64, String> {
    match evaluate(expr, scope)? {
        Value::Number(number) => Ok(number),
        Value::Closure(function, _) => Err(format!("`{}` is not a number", function.name)),
    }
}

fn run(program: &str) -> Result<i64, String> {
    number(&*parse(program)?, &None)
}

const PROGRAMS: [(&str, i64); 3] = [
    ("(let x 20 (+ x (+ x 2)))", 42),
    ("(let fib (fn fib n (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 20))", 6765),
    // A function that returns a function, which keeps the scope of the first alive.
    ("(let adder (fn adder a (fn add b (+ a b))) (let more (adder 10) (more (more 1))))", 21),
];

fn main() {
    if let Some(program) = std::env::args().nth(1) {
        return println!("{:?}", run(&program));
    }
    for (program, result) in PROGRAMS {
        assert_eq!(run(program), Ok(result));
        println!("{program}\n    = {result}");
    }
    println!("\n{}", typed_pool::report());
    let live = [Expr::pool_stats().live, Function::pool_stats().live, Scope::pool_stats().live];
    assert_eq!(live, [0; 3], "trees and scopes are gone with their last owners");
}

#[test]
fn programs_have_their_results() {
    for (program, result) in PROGRAMS {
        assert_eq!(run(program), Ok(result));
    }
}

#[test]
fn mistakes_are_errors() {
    for (program, error) in [
        ("(let x 1", "it ends too early"),
        ("(+ 1 2", "`)` is missing before None"),
        ("(+ x 1)", "there is no `x`"),
        ("(1 2)", "1 is not a function"),
        ("(+ 1 (fn f x x))", "`f` is not a number"),
    ] {
        assert_eq!(run(program), Err(error.to_owned()));
    }
}
