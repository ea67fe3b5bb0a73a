//! Writes the documents from a saved run: `publish FILE`. See `benches/publish.sh`.

use std::path::Path;
use std::{env, fs};

use typed_pool_benches::publish::Run;

fn main() {
    let file = env::args().nth(1).expect("the file of a run, from `side_by_side --save`");
    let run = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let run: Run = serde_json::from_str(&run).unwrap_or_else(|error| panic!("{file}: {error}"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
    run.publish(root).expect("the documents can be written");
}
