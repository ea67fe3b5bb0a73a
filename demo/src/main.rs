//! A bullet hell to look at: ten thousand bullets and a quad-tree of them in each frame, and the pools that they live in.
//!
//! ```text
//! cargo run --release
//! cargo run --release -- --headless 600
//! ```
//!
//! Read `world.rs` first.

mod clock;
mod draw;
mod film;
mod game;
mod headless;
mod history;
mod memory;
mod options;
mod overlay;
mod tree;
mod world;

use options::Command;

fn main() {
    match options::parse(std::env::args().skip(1)) {
        Ok(Command::Help) => print!("{}", options::HELP),
        Ok(Command::Headless(frames)) => headless::run(frames),
        Ok(Command::Play(options)) => game::open(options),
        Err(error) => {
            eprintln!("typed-pool-demo: {error}\nTry --help.");
            std::process::exit(2);
        }
    }
}
