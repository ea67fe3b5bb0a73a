//! A stopwatch that also runs in browsers, where `Instant` does not.

pub struct Clock {
    last: f64,
}

impl Clock {
    pub fn start() -> Self {
        Self { last: macroquad::miniquad::date::now() }
    }

    /// Seconds since the start, or the last lap.
    pub fn lap(&mut self) -> f64 {
        let now = macroquad::miniquad::date::now();
        now - std::mem::replace(&mut self.last, now)
    }
}
