//! The bodies, how they move, and the points where they start.

use std::fs;
use std::path::Path;

/// A point of the input, in the file's unit.
pub(crate) type Point = [f64; 2];

/// A circle of the [`World`]'s radius, and its velocity per frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    pub(crate) position: [f32; 2],
    pub(crate) velocity: [f32; 2],
}

/// Bodies in a box that has one corner at the origin.
pub(crate) struct World {
    pub(crate) size: [f32; 2],
    pub(crate) radius: f32,
    pub(crate) bodies: Vec<Body>,
}

/// The longer side of the points' bounding box. The input is scaled to it, so that speed and margin suit
/// degrees and pixels alike, and `f32` has enough digits for every coordinate.
const SIDE: f64 = 1000.0;
/// The box is wider than the points by this much on each side.
const MARGIN: f64 = 10.0;
/// Slow enough that clusters last: a frame is a small step from the one before.
const MAX_SPEED: f32 = 0.02;
/// A body's radius. The unit is the side of the square that would be its share of the box.
const RADIUS: f32 = 0.05;

impl World {
    /// A world of `count` bodies that start from the `points`: the first ones if there are more points than
    /// bodies; all of them, over and over, if there are fewer.
    ///
    /// # Panics
    ///
    /// If there are no points to start from.
    pub(crate) fn new(points: &[Point], count: u32, seed: u64) -> Self {
        assert!(!points.is_empty(), "a world needs at least one point");
        let [(left, width), (lower, height)] = [0, 1].map(|axis| extent(points, axis));
        let longer = width.max(height);
        let scale = |half: f64| if longer > 0.0 { half / longer * SIDE } else { 0.0 };

        let size = [width, height].map(|half| (scale(half) + 2.0 * MARGIN) as f32);
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut speed = || (rng.f32() * 2.0 - 1.0) * MAX_SPEED;
        let body = |&[x, y]: &Point| Body {
            position: [x / 2.0 - left, y / 2.0 - lower].map(|half| (scale(half) + MARGIN) as f32),
            velocity: [speed(), speed()],
        };
        Self {
            size,
            radius: RADIUS * (size[0] * size[1] / count as f32).sqrt(),
            bodies: points.iter().cycle().take(count as usize).map(body).collect(),
        }
    }

    /// Moves every body by one frame. A body's center bounces off the border of the box.
    pub(crate) fn step(&mut self) {
        for Body { position, velocity } in &mut self.bodies {
            for axis in [0, 1] {
                position[axis] += velocity[axis];
                if !(0.0..=self.size[axis]).contains(&position[axis]) {
                    position[axis] = position[axis].clamp(0.0, self.size[axis]);
                    velocity[axis] = -velocity[axis];
                }
            }
        }
    }
}

/// Half of the least coordinate, and half of the distance to the greatest one. Halves, because
/// the whole distance between two finite numbers may be infinite.
fn extent(points: &[Point], axis: usize) -> (f64, f64) {
    let halves = || points.iter().map(|point| point[axis] / 2.0);
    let least = halves().fold(f64::INFINITY, f64::min);
    (least, halves().fold(f64::NEG_INFINITY, f64::max) - least)
}

/// The points that come with the example.
pub(crate) fn cities() -> Vec<Point> {
    parse_points("cities-20k.csv", include_str!("../../data/cities-20k.csv"))
        .expect("the tests parse this text")
}

/// Reads a file of points.
pub(crate) fn read_points(file: &Path) -> Result<Vec<Point>, String> {
    let text =
        fs::read_to_string(file).map_err(|error| format!("cannot read {file:?}: {error}"))?;
    parse_points(&file.display().to_string(), &text)
}

/// Parses lines of `x,y`. Blank lines are skipped, and so is a first line in which neither field
/// is a number: a header. `name` is for the messages.
pub(crate) fn parse_points(name: &str, text: &str) -> Result<Vec<Point>, String> {
    // Spreadsheets put a byte order mark there, which is not part of the first number.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut points = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if line.trim().is_empty() || (number == 1 && is_header(line)) {
            continue;
        }
        let point = parse_point(line).map_err(|problem| format!("{name}:{number}: {problem}"))?;
        points.push(point);
    }
    if points.is_empty() {
        return Err(format!("{name}: there are no points in it"));
    }
    Ok(points)
}

fn fields(line: &str) -> Vec<&str> {
    line.split(',').map(str::trim).collect()
}

fn is_header(line: &str) -> bool {
    let fields = fields(line);
    fields.len() == 2 && fields.iter().all(|field| field.parse::<f64>().is_err())
}

fn parse_point(line: &str) -> Result<Point, String> {
    match fields(line)[..] {
        [x, y] => Ok([parse_coordinate(x)?, parse_coordinate(y)?]),
        ref fields => {
            Err(format!("expected two fields, `x,y`, but found {}: {line:?}", fields.len()))
        }
    }
}

fn parse_coordinate(field: &str) -> Result<f64, String> {
    match field.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(format!("{field:?} is not a finite number")),
        Err(_) => Err(format!("{field:?} is not a number")),
    }
}
