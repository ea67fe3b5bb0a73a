//! Tests of the sources themselves.

use std::fs;
use std::path::{Path, PathBuf};

mod graph;
mod links;
mod listed;
mod seeds;

/// Every file below the folder whose name ends so, but not in folders of these names.
fn files(folder: &Path, without: &[&str], ends: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !without.contains(&name) {
                files(&path, without, ends, found);
            }
        } else if ends.iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
}
