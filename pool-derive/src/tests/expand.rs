//! Expansions of the main shapes: for each in `tests/expand` its expansion beside it.
//!
//! `EXPAND=overwrite cargo test -p pool-derive` writes them down. Read every one that changed: each
//! line is compiled for each pooled type of each user.

use std::fs;
use std::path::Path;

use syn::{DeriveInput, File};

use crate::derive;

#[test]
fn expansions_are_those_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let overwrite = std::env::var_os("EXPAND").is_some_and(|value| value == "overwrite");
    let (mut changed, mut seen) = (Vec::new(), 0);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".expanded.rs") {
            continue;
        }
        let input: DeriveInput = syn::parse_str(&read(&path)).unwrap();
        let code: File = syn::parse2(derive(&input)).unwrap();
        let code = prettyplease::unparse(&code);
        // The code is safe to write by hand, with any `crate` and any types: all that is unsafe is inside
        // the library's macros.
        assert!(!code.contains("unsafe"), "{name}:\n{code}");
        seen += 1;
        let golden = path.with_extension("expanded.rs");
        if overwrite {
            fs::write(golden, code).unwrap();
        } else if !golden.exists() || read(&golden) != code {
            changed.push(format!("--- {name}\n{code}"));
        }
    }
    assert!(seen > 0);
    assert!(
        changed.is_empty(),
        "other than in tests/expand (`EXPAND=overwrite cargo test -p pool-derive` accepts it):\n{}",
        changed.join("\n")
    );
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}
