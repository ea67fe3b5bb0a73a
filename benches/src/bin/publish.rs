//! Writes the documents from a saved run: `publish FILE`. See `benches/publish.sh`.

use std::env;
use std::path::Path;

use typed_pool_benches::publish::Run;

fn main() {
    let file = env::args_os().nth(1).expect("the file of a run, from `side_by_side --save`");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
    Run::load(Path::new(&file)).publish(root).expect("the documents can be written");
}
