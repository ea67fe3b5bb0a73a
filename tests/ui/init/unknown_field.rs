//! A field that the struct does not have

use typed_pool::{FreeList, Init, Zeroable, init, try_init};

#[derive(Zeroable)]
struct Mixer {
    volume: f32,
    samples: [[f32; 2]; 1024],
}

fn mixer() -> impl Init<Mixer, String> {
    try_init!(Mixer { volume: 0.5, samples <- init::zeroed(), position <- init::zeroed() } ? String)
}

fn main() {
    let pool = FreeList::new();
    let Ok(mixer) = pool.init(init!(&this in Mixer { volumes: 0.5, ..init::zeroed() }));
    println!("{}", mixer.volume);
}
