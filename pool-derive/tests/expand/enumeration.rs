#[derive(Pooled)]
enum Shape {
    Circle { radius: f64 },
    Polygon(Vec<[f32; 2]>),
    Nothing,
}
