//! Links between documents lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::files;

/// Folders without documents or sources of ours. What lies in `ui` becomes a page of the guide.
const WITHOUT: [&str; 5] = ["target", ".git", "corpus", "artifacts", "ui"];

/// Returns the anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The anchors of a document. A heading that stands there again has a number behind it.
fn anchors(document: &str) -> BTreeSet<String> {
    let (mut anchors, mut is_code) = (BTreeSet::new(), false);
    for line in document.lines() {
        is_code ^= line.trim_start().starts_with("```");
        if let Some(heading) = line.strip_prefix('#').filter(|_| !is_code) {
            let first = anchor(heading.trim_start_matches('#'));
            let number = (1..).map(|number| format!("{first}-{number}"));
            let mut names = std::iter::once(first.clone()).chain(number);
            anchors.insert(names.find(|name| !anchors.contains(name)).unwrap());
        }
    }
    anchors
}

#[test]
fn links_between_documents_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = Vec::new();
    files(root, &WITHOUT, &[".md"], &mut documents);
    assert!(documents.len() > 30, "looked in the wrong place: {documents:?}");
    let mut lost = Vec::new();
    for path in &documents {
        let text = fs::read_to_string(path).unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let to = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            // What is no path names an item, which rustdoc looks for.
            let is_path = file.is_empty() || file.contains('.') || to.exists();
            let finds_heading = || {
                let is_document = to.extension().is_some_and(|end| end == "md");
                !is_document || anchors(&fs::read_to_string(&to).unwrap()).contains(heading)
            };
            if is_path && (!to.exists() || (!heading.is_empty() && !finds_heading())) {
                lost.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

/// Comments, scripts and manifests name records by their path.
#[test]
fn records_that_sources_name_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for folder in ["pool-core", "pool-derive", "src", "tests", "benches", "examples", "fuzz", ".ci"]
    {
        let folder = root.join(folder);
        // Not all of them are in a package.
        if folder.exists() {
            files(
                &folder,
                &WITHOUT,
                &[".rs", ".toml", ".sh", "deep", "run", "common"],
                &mut sources,
            );
        }
    }
    let begin = concat!("docs/", "decisions/");
    let (mut count, mut lost) = (0, Vec::new());
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        for rest in text.split(begin).skip(1) {
            let is_name = |letter: char| letter.is_alphanumeric() || "-.".contains(letter);
            let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
            let name = rest[..end].trim_end_matches('.');
            count += 1;
            if !root.join(begin).join(name).exists() {
                lost.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(count > 3, "looked in the wrong place");
    assert!(lost.is_empty(), "{lost:#?}");
}

/// Modules that documents and comments name, as `room/module`.
#[test]
fn modules_that_are_named_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let core = root.join("pool-core/src");
    let mut sources =
        ["ARCHITECTURE.md", "SECURITY.md", "CONTRIBUTING.md", "docs/unsafe.md", "docs/walks.md"]
            .map(|name| root.join(name))
            .to_vec();
    files(&core, &WITHOUT, &[".rs"], &mut sources);
    let is_letter = |letter: char| letter.is_ascii_lowercase() || "_/".contains(letter);
    let (mut count, mut lost) = (0, Vec::new());
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        for span in text.split('`').skip(1).step_by(2) {
            let module = span.strip_suffix(".rs").unwrap_or(span);
            let Some((room, _)) = module.split_once('/') else { continue };
            if !module.chars().all(is_letter) || !core.join(room).is_dir() {
                continue;
            }
            count += 1;
            if !core.join(module).is_dir() && !core.join(format!("{module}.rs")).exists() {
                lost.push(format!("{}: {span}", path.display()));
            }
        }
    }
    assert!(count > 30, "looked in the wrong place: {count}");
    assert!(lost.is_empty(), "{lost:#?}");
}
