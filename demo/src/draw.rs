//! The picture of the world: light that adds up.

use macroquad::miniquad::{BlendFactor, BlendState, BlendValue, Equation, PipelineParams};
use macroquad::models::{Mesh, Vertex, draw_mesh};
use macroquad::prelude::*;

use crate::memory::Memory;
use crate::world::{Point, SHIELD, SIZE, World};

/// By owner: five flowers, and the ship.
const COLOURS: [Color; 6] = [
    Color::new(1.00, 0.25, 0.55, 1.0),
    Color::new(1.00, 0.55, 0.15, 1.0),
    Color::new(0.60, 0.40, 1.00, 1.0),
    Color::new(0.25, 0.85, 0.55, 1.0),
    Color::new(0.20, 0.65, 1.00, 1.0),
    Color::new(0.75, 0.95, 1.00, 1.0),
];

/// Four corners each; as many as fit a draw call.
const QUADS: usize = 2_500;
/// The largest draw call.
pub const VERTICES: usize = 4 * QUADS + 1;
pub const INDICES: usize = 6 * QUADS + 1;

const VERTEX: &str = "#version 100
attribute vec3 position;
attribute vec2 texcoord;
attribute vec4 color0;
varying lowp vec2 uv;
varying lowp vec4 color;
uniform mat4 Model;
uniform mat4 Projection;
void main() {
    gl_Position = Projection * Model * vec4(position, 1);
    color = color0 / 255.0;
    uv = texcoord;
}";

/// White where it is hottest.
const FRAGMENT: &str = "#version 100
varying lowp vec2 uv;
varying lowp vec4 color;
uniform sampler2D Texture;
void main() {
    lowp float light = texture2D(Texture, uv).r;
    lowp float core = light * light * light * light;
    gl_FragColor = vec4((color.rgb * light + vec3(core * 0.35)) * color.a, 1.0);
}";

pub struct Painter {
    light: Material,
    /// A head with a tail to the left of it.
    comet: Texture2D,
    disc: Texture2D,
    quads: Vec<Vertex>,
    view: View,
}

impl Painter {
    pub fn new() -> Self {
        let adds = BlendState::new(
            Equation::Add,
            BlendFactor::Value(BlendValue::SourceAlpha),
            BlendFactor::One,
        );
        let pipeline_params = PipelineParams { color_blend: Some(adds), ..Default::default() };
        let shader = ShaderSource::Glsl { vertex: VERTEX, fragment: FRAGMENT };
        let params = MaterialParams { pipeline_params, ..Default::default() };
        let comet = texture(64, 16, |x, y| {
            let away = if x > 0.55 { (x - 0.55) / 0.45 } else { (0.55 - x) / 1.55 };
            (1.0 - away).powi(2) * (-4.5 * y * y).exp()
        });
        let disc = texture(64, 64, |x, y| (1.0 - x.hypot(y)).max(0.0).powi(2));
        let light = load_material(shader, params).expect("the shader compiles");
        Self { light, comet, disc, quads: Vec::new(), view: View::beside(0.0) }
    }

    pub fn draw<M: Memory>(&mut self, world: &World<M>, view: View, has_tree: bool) {
        self.view = view;
        clear_background(Color::new(0.012, 0.014, 0.045, 1.0));
        if has_tree {
            draw_tree(world, view);
        }
        gl_use_material(&self.light);
        for (flower, colour) in world.flowers.iter().zip(COLOURS) {
            self.disc(flower.at, 240.0, faint(colour, 0.22));
            self.disc(flower.at, 40.0, colour);
        }
        self.disc(world.ship, 150.0, faint(COLOURS[5], 0.25 + 0.4 * world.shield));
        self.disc(world.ship, 22.0, COLOURS[5]);
        self.flush(&self.disc.clone());
        for bullet in world.bullets.iter().chain(&world.shots) {
            let colour = COLOURS[bullet.owner as usize];
            let [x, y] = bullet.speed;
            let pace = x.hypot(y);
            self.quad(bullet.at, [x / pace, y / pace], [7.0 + 3.5 * pace.min(3.0), 4.5], colour);
        }
        for spark in &world.sparks {
            let [x, y] = spark.speed;
            let pace = x.hypot(y).max(0.01);
            let colour = faint(COLOURS[spark.owner as usize], spark.heat);
            self.quad(spark.at, [x / pace, y / pace], [5.0 + 2.0 * pace, 2.5], colour);
        }
        self.flush(&self.comet.clone());
        gl_use_default_material();
        draw_ship(world, view);
    }

    fn disc(&mut self, at: Point, radius: f32, colour: Color) {
        self.quad(at, [1.0, 0.0], [radius, radius], colour);
    }

    /// With half of its length along the direction, and half of its width across.
    fn quad(&mut self, at: Point, direction: Point, half: Point, colour: Color) {
        let along = Vec2::from(direction) * half[0];
        let across = vec2(-direction[1], direction[0]) * half[1];
        for [u, v] in [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] {
            let corner = Vec2::from(at) + along * (2.0 * u - 1.0) + across * (2.0 * v - 1.0);
            let Vec2 { x, y } = self.view.place(corner.into());
            self.quads.push(Vertex::new(x, y, 0.0, u, v, colour));
        }
    }

    fn flush(&mut self, texture: &Texture2D) {
        for vertices in self.quads.chunks(4 * QUADS) {
            let quads = 0..(vertices.len() / 4) as u16;
            let indices = quads.flat_map(|quad| [0, 1, 2, 0, 2, 3].map(|corner| 4 * quad + corner));
            draw_mesh(&Mesh {
                vertices: vertices.to_vec(),
                indices: indices.collect(),
                texture: Some(texture.clone()),
            });
        }
        self.quads.clear();
    }
}

pub fn colour_of(owner: usize) -> Color {
    COLOURS[owner]
}

/// The world's place in the window.
#[derive(Clone, Copy)]
pub struct View {
    origin: Vec2,
    scale: f32,
}

impl View {
    /// As large as fits, to the right of the panel.
    pub fn beside(panel: f32) -> Self {
        let (width, height) = (screen_width() - panel, screen_height());
        let scale = (width / SIZE[0]).min(height / SIZE[1]);
        let rest = vec2(width, height) - Vec2::from(SIZE) * scale;
        Self { origin: vec2(panel, 0.0) + rest / 2.0, scale }
    }

    /// In the window.
    fn place(self, at: Point) -> Vec2 {
        self.origin + Vec2::from(at) * self.scale
    }

    /// In the world.
    pub fn point(self, place: Vec2) -> Point {
        ((place - self.origin) / self.scale).into()
    }
}

fn faint(colour: Color, alpha: f32) -> Color {
    Color { a: alpha.clamp(0.0, 1.0), ..colour }
}

fn draw_tree<M: Memory>(world: &World<M>, view: View) {
    let Some(tree) = &world.tree else { return };
    tree.leaves(|area| {
        let [low, high] = [area.low, area.high].map(|at| view.place(at));
        // Two sides of each are enough.
        let colour = Color::new(0.18, 0.29, 0.58, 0.75);
        draw_line(low.x, low.y, high.x, low.y, 1.0, colour);
        draw_line(low.x, low.y, low.x, high.y, 1.0, colour);
    });
}

fn draw_ship<M: Memory>(world: &World<M>, view: View) {
    let [x, y] = world.ship;
    let corner = |dx: f32, dy: f32| view.place([x + dx, y + dy]);
    let hull = Color::new(0.9, 0.97, 1.0, 1.0);
    draw_triangle(corner(0.0, -13.0), corner(-9.0, 9.0), corner(9.0, 9.0), hull);
    let ring = Color::new(0.6, 0.9, 1.0, 0.15 + 0.6 * world.shield);
    let middle = corner(0.0, 0.0);
    draw_circle_lines(middle.x, middle.y, SHIELD * view.scale, 1.5, ring);
}

/// A texture of light; x and y go from -1 to 1.
fn texture(width: u16, height: u16, light: impl Fn(f32, f32) -> f32) -> Texture2D {
    let mut image = Image::gen_image_color(width, height, BLACK);
    for y in 0..height {
        for x in 0..width {
            let place = |at: u16, size: u16| 2.0 * (f32::from(at) + 0.5) / f32::from(size) - 1.0;
            let light = light(place(x, width), place(y, height)).clamp(0.0, 1.0);
            image.set_pixel(u32::from(x), u32::from(y), Color::new(light, light, light, 1.0));
        }
    }
    Texture2D::from_image(&image)
}
