//! The bugs that models have to find: a patch each in `tests/seeds`, which `.ci/loom seeded` puts in.

use std::fs;
use std::path::Path;

/// The lines that a patch expects to find: of each hunk, with the file.
fn expected(patch: &str) -> Vec<(&str, String)> {
    let (mut file, mut hunks) = ("", Vec::new());
    for line in patch.lines().filter(|line| !line.starts_with("+++ ")) {
        if let Some(name) = line.strip_prefix("--- a/") {
            file = name;
        } else if line.starts_with("@@ ") {
            hunks.push((file, String::new()));
        } else if let (Some((_, lines)), Some(line)) =
            (hunks.last_mut(), line.strip_prefix([' ', '-']))
        {
            lines.extend([line, "\n"]);
        }
    }
    hunks
}

#[test]
fn every_seeded_bug_can_be_put_in_and_names_models_that_there_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let mut models = read(&root.join("pool-core/tests/models.rs"));
    for entry in fs::read_dir(root.join("pool-core/tests/models")).unwrap() {
        models += &read(&entry.unwrap().path());
    }
    for entry in fs::read_dir(root.join("tests/seeds")).unwrap() {
        let path = entry.unwrap().path();
        let (patch, bug) = (read(&path), path.display());
        let hunks = expected(&patch);
        assert!(!hunks.is_empty(), "{bug}");
        for (file, lines) in hunks {
            let count = read(&root.join(file)).matches(&lines).count();
            assert_eq!(
                count, 1,
                "{bug} does not fit: write it anew, so that it breaks {file} as before"
            );
        }
        let named: Vec<_> = patch.lines().filter_map(|line| line.strip_prefix("Model: ")).collect();
        assert!(!named.is_empty(), "{bug} names no model that finds it");
        for model in named {
            let name = model.rsplit("::").next().unwrap();
            assert!(models.contains(name), "{bug}: there is no model {model}");
        }
    }
}
