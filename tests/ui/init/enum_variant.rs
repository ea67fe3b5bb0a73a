use typed_pool::init;

enum Shape {
    Circle { radius: f32 },
}

fn main() {
    let _ = init!(Shape::Circle { radius: 1.0 });
}
