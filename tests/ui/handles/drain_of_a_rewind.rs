//! Elements taken out of a rewind

use typed_pool::Rewind;

fn main() {
    let mut scores = Rewind::from_iter([1, 20, 300]);
    let low: Vec<u32> = scores.extract_if(|_, score| *score < 10).map(|(_, score)| score).collect();
    for (_, score) in scores.drain() {
        println!("{score} {low:?}");
    }
}
