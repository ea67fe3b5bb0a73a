//! The window, and the loop in it.

use macroquad::conf::Conf;
use macroquad::prelude::*;

use crate::draw::{INDICES, Painter, VERTICES, View};
use crate::film::Film;
use crate::history::History;
use crate::memory::{Heap, Pools};
use crate::options::Options;
use crate::overlay::{self, Overlay};
use crate::world::{Point, SIZE, Times, World};

/// A world in one of two kinds of memory.
enum Game {
    Pools(World<Pools>),
    Heap(World<Heap>),
}

impl Game {
    fn switched(self) -> Self {
        match self {
            Self::Pools(world) => Self::Heap(world.moved()),
            Self::Heap(world) => Self::Pools(world.moved()),
        }
    }

    fn in_pools(&self) -> bool {
        matches!(self, Self::Pools(_))
    }

    fn step(&mut self, goal: Option<Point>) -> Times {
        match self {
            Self::Pools(world) => world.step(goal),
            Self::Heap(world) => world.step(goal),
        }
    }

    fn record(&self, film: &mut Film) {
        match self {
            Self::Pools(world) => film.record(world),
            Self::Heap(world) => film.record(world),
        }
    }

    fn wind_back(&mut self, film: &mut Film) {
        match self {
            Self::Pools(world) => film.wind_back(world),
            Self::Heap(world) => film.wind_back(world),
        }
    }

    fn draw(&self, painter: &mut Painter, view: View, has_tree: bool) {
        match self {
            Self::Pools(world) => painter.draw(world, view, has_tree),
            Self::Heap(world) => painter.draw(world, view, has_tree),
        }
    }
}

/// Opens the window, and plays until it is closed.
pub fn open(options: Options) {
    let window = macroquad::miniquad::conf::Conf {
        window_title: "typed-pool".to_owned(),
        window_width: (overlay::WIDTH + SIZE[0]) as i32,
        window_height: SIZE[1] as i32,
        ..Default::default()
    };
    let conf = Conf {
        miniquad_conf: window,
        draw_call_vertex_capacity: VERTICES,
        draw_call_index_capacity: INDICES,
        ..Default::default()
    };
    macroquad::Window::from_config(conf, play(options));
}

async fn play(options: Options) {
    let mut game = Game::Pools(World::new());
    if !options.in_pools {
        game = game.switched();
    }
    let mut screen = Screen {
        history: History::default(),
        film: Film::default(),
        painter: Painter::new(),
        overlay: Overlay::new(),
        has_tree: true,
        has_panel: true,
    };
    if let Some(file) = &options.picture {
        // Unseen frames first, then some in either memory, so that the panel has the times of both.
        for _ in SEEN..options.after {
            game.step(None);
        }
        for frame in 1..=SEEN {
            screen.frame(&mut game, None);
            next_frame().await;
            if frame % (SEEN / 3) == 0 && frame < SEEN {
                game = game.switched();
            }
        }
        screen.frame(&mut game, None);
        return get_screen_data().export_png(file);
    }
    let mut mouse = mouse_position();
    let mut has_moved = false;
    loop {
        if is_key_pressed(KeyCode::Space) {
            game = game.switched();
        }
        screen.has_tree ^= is_key_pressed(KeyCode::T);
        screen.has_panel ^= is_key_pressed(KeyCode::Tab);
        has_moved |= std::mem::replace(&mut mouse, mouse_position()) != mouse;
        // Until the mouse moves, the ship flies by itself.
        screen.frame(&mut game, has_moved.then(|| mouse.into()));
        next_frame().await;
    }
}

/// Frames that are drawn before the picture.
const SEEN: u32 = 240;

struct Screen {
    history: History,
    film: Film,
    painter: Painter,
    overlay: Overlay,
    has_tree: bool,
    has_panel: bool,
}

impl Screen {
    /// A step, and its picture.
    fn frame(&mut self, game: &mut Game, mouse: Option<Vec2>) {
        let view = View::beside(if self.has_panel { overlay::WIDTH } else { 0.0 });
        let goal = mouse.map(|place| view.point(place));
        if is_key_down(KeyCode::R) {
            game.wind_back(&mut self.film);
        } else {
            self.history.record(game.in_pools(), game.step(goal));
            game.record(&mut self.film);
        }
        game.draw(&mut self.painter, view, self.has_tree);
        if self.has_panel {
            self.overlay.draw(game.in_pools(), &self.history);
        }
    }
}
