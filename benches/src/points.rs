//! Ten thousand real places, clustered as real data is, and their drift.

use crate::random::Random;

/// A body's place in degrees.
pub type Point = [f32; 2];

/// How many bodies a frame holds.
pub const BODIES: usize = 10_000;

/// How far a body moves in a frame, in degrees.
const STEP: f32 = 0.1;

/// GeoNames, CC BY 4.0; see the README beside the file.
const CITIES: &str = include_str!("../../examples/data/cities.csv");

/// Bodies that start as cities and drift a little each frame, the same way in each run.
#[derive(Clone)]
pub struct Bodies {
    places: Vec<Point>,
    frame: usize,
    random: Random,
}

impl Bodies {
    pub fn load() -> Self {
        let places: Vec<_> = CITIES.lines().skip(1).take(BODIES).map(parse).collect();
        assert_eq!(places.len(), BODIES, "the file is too short");
        Self { places, frame: 0, random: Random::new(1) }
    }

    pub fn advance(&mut self) {
        for [x, y] in &mut self.places {
            *x += self.random.centred() * STEP;
            *y += self.random.centred() * STEP;
        }
        self.frame += 1;
    }

    /// Lets the bodies drift up to `frame`; frames only go forward.
    pub fn advance_to(&mut self, frame: usize) {
        while self.frame < frame {
            self.advance();
        }
    }

    /// Returns the places of all bodies.
    pub fn places(&self) -> &[Point] {
        &self.places
    }
}

fn parse(line: &str) -> Point {
    let (longitude, latitude) = line.split_once(',').expect("longitude,latitude");
    [longitude, latitude].map(|degrees| degrees.trim().parse().expect("degrees"))
}
