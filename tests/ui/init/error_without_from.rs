//! An error that the field's error does not convert into

use typed_pool::{init, try_init};

struct Failure;

struct Config {
    port: u16,
}

fn main() {
    let _ = try_init!(Config { port: "80".parse()? } ? Failure);
    let _ = try_init!(Config { port <- init::try_with(|| "80".parse::<u16>()) } ? Failure);
}
