//! The cost of compilation, by crates that are written for it: one turn is a run of cargo.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::rc::Rc;
use std::time::Instant;

use crate::race::{Lane, Turn};

/// Types in a crate.
const TYPES: u32 = 500;

/// A derive, and what its crate needs.
struct Derive {
    name: &'static str,
    dependency: &'static str,
    attributes: &'static str,
}

const OURS: &str = "typed-pool = { path = \"FOLDER\" }";
const SERDE: &str = "serde = { version = \"1.0.200\", features = [\"derive\"] }";

const DERIVES: [Derive; 5] = [
    Derive {
        name: crate::race::OURS,
        dependency: OURS,
        attributes: "#[derive(typed_pool::Pooled)]",
    },
    Derive {
        name: "typed-pool, static",
        dependency: OURS,
        attributes: "#[derive(typed_pool::Pooled)] #[pool(static)]",
    },
    Derive {
        name: "typed-pool, roster",
        dependency: OURS,
        attributes: "#[derive(typed_pool::Pooled)] #[pool(strategy = roster)]",
    },
    Derive {
        name: "serde (Serialize, Deserialize)",
        dependency: SERDE,
        attributes: "#[derive(serde::Serialize, serde::Deserialize)]",
    },
    Derive { name: "Clone, Debug", dependency: "", attributes: "#[derive(Clone, Debug)]" },
];

/// How much longer `cargo check` takes for each type with a derive than for the type alone. Incremental
/// compilation is on, as it is in a user's debug build, and a comment has changed.
pub(in crate::race) fn of_types() -> Vec<Lane> {
    let plain = Rc::new(Project::new("plain", "", ""));
    let lane = |derive: &Derive| {
        let project = Project::new("types", derive.dependency, derive.attributes);
        let plain = Rc::clone(&plain);
        // Dependencies, and the first fill of the incremental cache.
        project.touch(0);
        project.cargo("check");
        plain.cargo("check");
        Lane::new(derive.name, move |round| {
            plain.touch(round);
            project.touch(round);
            let without = plain.cargo("check");
            let with = project.cargo("check");
            Turn { cost: (with - without) / f64::from(TYPES), checksum: 0 }
        })
    };
    DERIVES.iter().map(lane).collect()
}

/// How long a first build takes, of a crate that only depends.
pub(in crate::race) fn cold() -> Vec<Lane> {
    let lane = |name, dependency| {
        let project = Project::new("cold", dependency, "");
        project.cargo("fetch");
        Lane::new(name, move |_| {
            let _ = fs::remove_dir_all(project.folder.join("target"));
            Turn { cost: project.cargo("build"), checksum: 0 }
        })
    };
    vec![
        lane(crate::race::OURS, OURS),
        lane("serde, with its derive", SERDE),
        lane("mimalloc", "mimalloc = { version = \"0.1.43\", default-features = false }"),
        lane("slotmap", "slotmap = \"1.0.7\""),
    ]
}

/// A crate in a folder of its own, which goes when it is dropped.
struct Project {
    folder: PathBuf,
    types: String,
}

impl Project {
    fn new(purpose: &str, dependency: &str, attributes: &str) -> Self {
        let name: String = format!("{purpose}{dependency}{attributes}")
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect();
        let folder =
            env::temp_dir().join(format!("typed-pool-builds-{}", process::id())).join(name);
        fs::create_dir_all(folder.join("src")).expect("a folder for temporary files");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
        let dependency = dependency.replace("FOLDER", &root.display().to_string());
        let manifest = format!(
            "[package]\nname = \"project\"\nedition = \"2024\"\n[dependencies]\n{dependency}\n[workspace]\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
        let mut types = String::new();
        for number in 0..TYPES {
            let _ = writeln!(
                types,
                "{attributes}\npub struct Object{number} {{ pub id: u64, pub name: String, pub place: (f32, f32) }}"
            );
        }
        let project = Self { folder, types };
        project.touch(0);
        project
    }

    /// Changes the source, but nothing in it.
    fn touch(&self, round: usize) {
        let source = format!("// {round}\n{}", self.types);
        fs::write(self.folder.join("src/lib.rs"), source).expect("a file");
    }

    /// Runs cargo, and says how long it took.
    fn cargo(&self, command: &str) -> f64 {
        let start = Instant::now();
        let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args([command, "--quiet"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env("CARGO_INCREMENTAL", "1")
            .env_remove("RUSTFLAGS")
            .output()
            .expect("cargo");
        let nanos = start.elapsed().as_nanos() as f64;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        nanos
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
