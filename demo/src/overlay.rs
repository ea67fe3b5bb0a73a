//! The panel: what the pools hold, slot by slot, and how long frames take.

use macroquad::prelude::*;
use typed_pool::pools::SlotUse;
use typed_pool::{PoolStats, Pooled};

use crate::draw::colour_of;
use crate::history::{FRAMES, History, PARTS};
use crate::memory::Pools;
use crate::tree::Node;
use crate::world::{Bullet, Spark};

/// The width of the panel at the left.
pub const WIDTH: f32 = 344.0;
const LEFT: f32 = 12.0;
const INNER: f32 = 320.0;
const TEXT: Color = Color::new(0.86, 0.90, 0.98, 1.0);
const DIM: Color = Color::new(0.55, 0.61, 0.74, 1.0);
const POOLS: Color = Color::new(0.35, 0.95, 0.75, 1.0);
const HEAP: Color = Color::new(1.00, 0.62, 0.25, 1.0);

/// Slots in a row of a map, and the sides of one.
const SLOTS: usize = 160;
const SIDE: f32 = 2.0;

pub struct Overlay {
    maps: [SlotMap; 3],
}

impl Overlay {
    pub fn new() -> Self {
        Self { maps: [1, 4, 2].map(|owner| SlotMap::new(colour_of(owner))) }
    }

    pub fn draw(&mut self, in_pools: bool, history: &History) {
        let height = screen_height();
        draw_rectangle(0.0, 0.0, WIDTH, height, Color::new(0.02, 0.025, 0.07, 0.97));
        draw_line(WIDTH, 0.0, WIDTH, height, 2.0, Color::new(0.3, 0.4, 0.7, 0.5));
        let (name, colour) = if in_pools { ("pools", POOLS) } else { ("Box", HEAP) };
        let mut y = 34.0;
        text("typed-pool", LEFT, y, 28.0, TEXT);
        right(&format!("in {name}"), LEFT + INNER, y, 28.0, colour);
        y += 20.0;
        text("space: pools / Box   T: tree   tab: panel", LEFT, y, 16.0, DIM);
        y = self.times(y + 26.0, history);
        y = self.graph(y + 8.0, history);
        self.pools(y + 26.0);
    }

    fn times(&self, mut y: f32, history: &History) -> f32 {
        let columns = [LEFT + 220.0, LEFT + INNER];
        text("microseconds a frame", LEFT, y, 18.0, DIM);
        right("pools", columns[0], y, 18.0, POOLS);
        right("Box", columns[1], y, 18.0, HEAP);
        let means = history.means();
        let mut row = |name: &str, part: &dyn Fn(crate::world::Times) -> f64, colour: Color| {
            y += 20.0;
            text(name, LEFT, y, 18.0, colour);
            for (mean, x) in means.into_iter().zip(columns) {
                let time = mean.map_or("-".into(), |mean| format!("{:.0}", part(mean) * 1e6));
                right(&time, x, y, 18.0, colour);
            }
        };
        for (at, name) in PARTS.into_iter().enumerate() {
            row(name, &|times| times.parts()[at], TEXT);
        }
        row("together", &|times| times.total(), WHITE);
        y
    }

    /// A bar for each of the last frames.
    fn graph(&self, y: f32, history: &History) -> f32 {
        let height = 56.0;
        let means = history.means().into_iter().flatten().map(|mean| mean.total());
        let highest = 1.6 * means.fold(0.0001, f64::max);
        let width = INNER / FRAMES as f32;
        for (at, (in_pools, times)) in history.frames.iter().enumerate() {
            let bar = (times.total() / highest).min(1.0) as f32 * height;
            let colour = if *in_pools { POOLS } else { HEAP };
            draw_rectangle(
                LEFT + at as f32 * width,
                y + height - bar,
                width,
                bar,
                Color { a: 0.75, ..colour },
            );
        }
        y + height
    }

    fn pools(&mut self, mut y: f32) {
        text("pool", LEFT, y, 18.0, DIM);
        for (title, x) in [("live", 170.0), ("high", 245.0), ("KiB", INNER)] {
            right(title, LEFT + x, y, 18.0, DIM);
        }
        let [bullets, nodes, sparks] = &mut self.maps;
        y = pool::<Bullet>("bullets", bullets, y + 24.0);
        y = pool::<Node<Pools>>("tree nodes", nodes, y + 30.0);
        pool::<Spark>("sparks", sparks, y + 30.0);
    }
}

/// A line of figures, and the map of the slots below.
fn pool<T: Pooled>(name: &str, map: &mut SlotMap, y: f32) -> f32 {
    let PoolStats { live, high_water, bytes, .. } = T::pool_stats();
    text(name, LEFT, y, 20.0, TEXT);
    for (figure, x) in [(live, 170.0), (high_water, 245.0), (bytes / 1024, INNER)] {
        right(&figure.to_string(), LEFT + x, y, 20.0, TEXT);
    }
    map.update(slots::<T>());
    map.draw(LEFT, y + 8.0)
}

/// Whether each slot is occupied, in the order of addresses.
fn slots<T: Pooled>() -> Vec<bool> {
    let map = T::pool_map();
    let uses = map.chunks().flat_map(|chunk| chunk.slots());
    uses.map(|slot| *slot == SlotUse::Live).collect()
}

/// A pixel for each slot: bright when it has just been taken, red when it has just become vacant.
struct SlotMap {
    colour: Color,
    slots: Vec<bool>,
    /// From 1, for what has changed just now, down to 0.
    heat: Vec<f32>,
    texture: Option<Texture2D>,
}

impl SlotMap {
    fn new(colour: Color) -> Self {
        Self { colour, slots: Vec::new(), heat: Vec::new(), texture: None }
    }

    fn update(&mut self, slots: Vec<bool>) {
        self.slots.resize(slots.len(), false);
        self.heat.resize(slots.len(), 0.0);
        for (at, is_live) in slots.into_iter().enumerate() {
            if std::mem::replace(&mut self.slots[at], is_live) == is_live {
                self.heat[at] *= 0.93;
            } else {
                self.heat[at] = 1.0;
            }
        }
    }

    /// Returns where it ends.
    fn draw(&mut self, x: f32, y: f32) -> f32 {
        let rows = self.slots.len().div_ceil(SLOTS).max(1);
        let mut image =
            Image::gen_image_color(SLOTS as u16, rows as u16, Color::new(0.0, 0.0, 0.0, 0.0));
        let Color { r, g, b, .. } = self.colour;
        for (at, (&is_live, &heat)) in self.slots.iter().zip(&self.heat).enumerate() {
            let mix = |cold: f32, hot: f32| cold + (hot - cold) * heat;
            let colour = match is_live {
                true => Color::new(mix(0.75 * r, 1.0), mix(0.75 * g, 1.0), mix(0.75 * b, 1.0), 1.0),
                false => Color::new(mix(0.09, 0.6), mix(0.11, 0.08), mix(0.17, 0.15), 1.0),
            };
            image.set_pixel((at % SLOTS) as u32, (at / SLOTS) as u32, colour);
        }
        // A pool that grows has a larger map.
        let texture = match self.texture.take() {
            Some(texture) if texture.height() == rows as f32 => {
                texture.update(&image);
                texture
            }
            _ => Texture2D::from_image(&image),
        };
        texture.set_filter(FilterMode::Nearest);
        let size = vec2(SLOTS as f32, rows as f32) * SIDE;
        let params = DrawTextureParams { dest_size: Some(size), ..Default::default() };
        draw_texture_ex(&texture, x, y, WHITE, params);
        self.texture = Some(texture);
        y + size.y
    }
}

fn text(text: &str, x: f32, y: f32, size: f32, colour: Color) {
    draw_text(text, x, y, size, colour);
}

fn right(text: &str, x: f32, y: f32, size: f32, colour: Color) {
    let width = measure_text(text, None, size as u16, 1.0).width;
    draw_text(text, x - width, y, size, colour);
}
