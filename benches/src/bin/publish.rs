//! Writes the documents from the runs that are saved in `docs/performance`. `publish --where` prints where the run on
//! this machine is to be saved. See `benches/publish.sh`.

use std::env;
use std::path::Path;

use typed_pool_benches::publish::{file_of_this_machine, publish};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
    if env::args().nth(1).is_some_and(|argument| argument == "--where") {
        println!("{}", file_of_this_machine(root).display());
    } else {
        publish(root).expect("the documents can be written");
    }
}
