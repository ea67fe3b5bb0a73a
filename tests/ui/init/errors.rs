//! Errors of fields that are not those of the initialiser

use typed_pool::{init, try_init};

struct Failure;

struct Config {
    port: u16,
}

fn main() {
    // `init!` cannot fail.
    let _ = init!(Config { port: "80".parse()? });
    let _ = init!(Config { port <- init::try_with(|| "80".parse::<u16>()) });
    // They do not convert.
    let _ = try_init!(Config { port: "80".parse()? } ? Failure);
    let _ = try_init!(Config { port <- init::try_with(|| "80".parse::<u16>()) } ? Failure);
    // Success is no error.
    let _ = try_init!(Config { port: return Ok(()) } ? Failure);
}
