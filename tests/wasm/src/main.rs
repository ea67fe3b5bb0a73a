//! Prints the numbers, one for each seed.

fn main() {
    for seed in 0..5 {
        println!("{}", wasm::checksum(seed));
    }
}
