//! As `trait_without_supertrait`: a function of such objects, and a `vec!` of them.

use typed_pool::{PoolBox, Pooled, unsize};

trait Shape {
    fn area(&self) -> f64;
}

#[derive(Pooled)]
struct Square(f64);

impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}

#[derive(Pooled)]
struct Circle(f64);

impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.0 * self.0
    }
}

fn total(shapes: &[PoolBox<dyn Shape>]) -> f64 {
    shapes.iter().map(|shape| shape.area()).sum()
}

fn main() {
    let shapes = vec![
        unsize!(PoolBox::new(Square(2.0)) => dyn Shape),
        unsize!(PoolBox::new(Circle(1.0)) => dyn Shape),
    ];
    println!("{}", total(&shapes));
}
