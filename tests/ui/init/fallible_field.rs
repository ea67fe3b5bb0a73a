//! A field that can fail, in `init!`

use typed_pool::init;

struct Config {
    port: u16,
}

fn main() {
    let _ = init!(Config { port: "80".parse()? });
    let _ = init!(Config { port <- init::try_with(|| "80".parse::<u16>()) });
}
