//! The rooms of `pool-core` and the arrows between its modules, as their `use` lines draw them, tests aside.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The rooms, from the top down, each with those that it may use.
const ROOMS: [(&str, &[&str]); 13] = [
    ("pools", &["thread", "base"]),
    ("derived", &["pool", "strategy", "pointer", "roster", "memory", "thread", "init", "base"]),
    ("pool", &["strategy", "pointer", "memory", "init", "base"]),
    ("strategy", &["memory", "base"]),
    ("frame", &["pointer", "memory", "init", "base"]),
    ("pointer", &["init", "base"]),
    ("rewind", &["roster", "base"]),
    ("roster", &["memory", "base"]),
    ("tracked", &["thread", "base"]),
    ("memory", &["thread", "base"]),
    ("thread", &["base"]),
    ("init", &["base"]),
    ("base", &[]),
];

/// From the crate's root: `["pool", "raw"]`. The root itself, which only re-exports, is empty.
type Module = Vec<String>;

/// A name that a module brings in.
struct Import {
    path: Vec<String>,
    /// The name here: the path's last, or a new one.
    name: String,
    /// `pub`, or `pub(crate)`: others find the name here.
    is_public: bool,
}

#[derive(Default)]
struct Source {
    imports: Vec<Import>,
    macros: Vec<String>,
    /// Modules that lie in another file in some builds, and the file's name.
    paths: Vec<(String, String)>,
    /// All lines but comments, imports and modules, without strings.
    code: String,
}

struct Crate {
    sources: BTreeMap<Module, Source>,
}

impl Crate {
    fn read(root: &Path) -> Self {
        let mut sources = BTreeMap::new();
        read_folder(root, &mut Vec::new(), &mut sources);
        // What uses a module uses all the files that it may lie in.
        let paths =
            sources.iter().flat_map(|(of, source)| source.paths.iter().map(move |path| (of, path)));
        let paths: Vec<(Module, Module)> = paths
            .map(|(of, (name, file))| {
                let (_, file) = file.trim_end_matches(".rs").rsplit_once('/').unwrap();
                [name.as_str(), file]
                    .map(|name| [of.as_slice(), &[name.to_owned()]].concat())
                    .into()
            })
            .collect();
        for (module, file) in paths {
            if let Some(other) = sources.remove(&file) {
                let source: &mut Source = sources.entry(module).or_default();
                source.imports.extend(other.imports);
                source.macros.extend(other.macros);
                source.code.push_str(&other.code);
            }
        }
        Self { sources }
    }

    /// The module that defines what `path` names in `from`, unless that is another crate's.
    fn definition(&self, from: &Module, path: &[String]) -> Option<Module> {
        let (mut module, mut rest) = match path[0].as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            child => {
                let child = [from.as_slice(), &[child.to_owned()]].concat();
                (self.sources.contains_key(&child).then_some(child)?, &path[1..])
            }
        };
        while let Some((name, behind)) = rest.split_first() {
            let child = [module.as_slice(), std::slice::from_ref(name)].concat();
            if !self.sources.contains_key(&child) {
                return Some(self.through_doors(module, name));
            }
            (module, rest) = (child, behind);
        }
        Some(module)
    }

    /// Returns the module that defines the `name` found in `module`: a macro's, or behind a re-export.
    fn through_doors(&self, module: Module, name: &String) -> Module {
        if module.is_empty() {
            let has_macro = |source: &Source| source.macros.contains(name);
            if let Some((home, _)) = self.sources.iter().find(|(_, source)| has_macro(source)) {
                return home.clone();
            }
        }
        let doors = self.sources[&module].imports.iter().filter(|import| import.is_public);
        let door = doors.into_iter().find(|import| import.name == *name);
        door.and_then(|door| self.definition(&module, &door.path)).unwrap_or(module)
    }

    /// From each module to those whose names it uses. A re-export of what lies below it is a door, and no use, unless the
    /// module uses the name, too.
    fn arrows(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let arrows =
            self.sources.iter().filter(|(from, _)| !from.is_empty()).map(|(from, source)| {
                let used = source.imports.iter().filter_map(|import| {
                    let to = self.definition(from, &import.path)?;
                    assert!(
                        !to.is_empty(),
                        "{}: where is {}?",
                        from.join("::"),
                        import.path.join("::")
                    );
                    let is_used = || words(&source.code).any(|word| word == import.name);
                    let is_door = import.is_public && to.starts_with(from) && !is_used();
                    (to != *from && !is_door).then_some(to)
                });
                (from, used.collect())
            });
        arrows.collect()
    }
}

fn read_folder(folder: &Path, module: &mut Module, sources: &mut BTreeMap<Module, Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if ["tests", "model"].contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            module.push(name);
            read_folder(&path, module, sources);
            module.pop();
        } else if name == "lib" {
            sources.insert(Vec::new(), parse(&fs::read_to_string(&path).unwrap()));
        } else {
            let of_file = [module.as_slice(), &[name]].concat();
            sources.insert(of_file, parse(&fs::read_to_string(&path).unwrap()));
        }
    }
}

fn parse(text: &str) -> Source {
    let mut source = Source::default();
    let before_tests = text.split("\nmod tests {").next().unwrap();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let mut lines = before_tests.lines().filter(is_code).peekable();
    let mut attribute = "";
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if let Some((_, file)) = attribute.split_once("path = \"") {
            let name = code.trim_end_matches(';').rsplit(' ').next().unwrap();
            source.paths.push((name.to_owned(), file.split('"').next().unwrap().to_owned()));
        }
        attribute = if code.starts_with("#[") { code } else { "" };
        if code == "#[macro_export]" {
            let is_macro = |line: &&str| line.starts_with("macro_rules! ");
            let name = lines.by_ref().map(str::trim_start).find(is_macro).unwrap();
            let name = name.trim_start_matches("macro_rules! ");
            source.macros.push(name.trim_end_matches(" {").to_owned());
            continue;
        }
        let (is_public, code) = match code.split_once("use ") {
            Some(("", path)) => (false, path),
            Some(("pub " | "pub(crate) " | "pub(super) ", path)) => (true, path),
            // A path in the midst of code is as good as a `use`.
            _ => {
                source.imports.extend(paths_within(code).map(|path| import(path, false)));
                // The name of a module is not a use of what is called like it.
                if !words(code).any(|word| word == "mod") {
                    source.code.extend(code.split('"').step_by(2));
                    source.code.push('\n');
                }
                continue;
            }
        };
        let mut tree = code.to_owned();
        while !tree.ends_with(';') {
            tree.push_str(lines.next().unwrap().trim());
        }
        let paths = paths_of(tree.trim_end_matches(';')).into_iter();
        source.imports.extend(paths.map(|path| import(path, is_public)));
    }
    source
}

fn import((path, name): (Vec<String>, String), is_public: bool) -> Import {
    Import { path, name, is_public }
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

/// The paths of a `use` tree, without `self`, each with its new name or its last.
fn paths_of(tree: &str) -> Vec<(Vec<String>, String)> {
    let Some((before, group)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let names = path.split("::").map(str::trim).filter(|name| !name.is_empty());
        let mut names: Vec<_> = names.map(str::to_owned).collect();
        if names.len() > 1 && names.last().is_some_and(|name| name == "self") {
            names.pop();
        }
        let Some(last) = names.last() else { return Vec::new() };
        let name = if name.is_empty() { last.clone() } else { name.to_owned() };
        return vec![(names, name)];
    };
    let group = group.trim_end().strip_suffix('}').unwrap();
    let mut branches = vec![String::new()];
    let mut depth = 0;
    for letter in group.chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        match letter {
            ',' if depth == 0 => branches.push(String::new()),
            _ => branches.last_mut().unwrap().push(letter),
        }
    }
    branches.iter().flat_map(|branch| paths_of(&format!("{before}{}", branch.trim()))).collect()
}

/// The paths in a line of code. `$crate::__private` is what macros have for those who call them.
fn paths_within(code: &str) -> impl Iterator<Item = (Vec<String>, String)> {
    let paths = code.split(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter));
    let paths = paths.filter(|path| path.contains("::") && !path.starts_with("crate::__private"));
    paths.filter(|path| !path.starts_with("::")).flat_map(paths_of)
}

/// Whatever can be reached from `module` by arrows.
fn reached<'a>(
    module: &'a Module,
    arrows: &'a BTreeMap<&Module, BTreeSet<Module>>,
) -> BTreeSet<&'a Module> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![module]);
    while let Some(module) = next.pop() {
        next.extend(arrows[module].iter().filter(|&used| reached.insert(used)));
    }
    reached
}

fn core() -> Crate {
    Crate::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("pool-core/src"))
}

/// `ARCHITECTURE.md` draws the rooms. What comes to a room from above, it does not know.
#[test]
fn arrows_between_rooms_go_down() {
    let (core, rooms) = (core(), BTreeMap::from(ROOMS));
    let arrows = core.arrows();
    let pairs = arrows.iter().flat_map(|(from, used)| used.iter().map(move |to| (*from, to)));
    let between = pairs.filter(|(from, to)| from[0] != to[0]);
    let (mut seen, mut upward) = (BTreeSet::new(), Vec::new());
    for (from, to) in between {
        let below = rooms.get(from[0].as_str()).unwrap_or_else(|| panic!("no room: {from:?}"));
        if below.contains(&to[0].as_str()) {
            seen.insert((from[0].clone(), to[0].clone()));
        } else {
            upward.push(format!("{} uses {}", from.join("::"), to.join("::")));
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
    for (room, below) in ROOMS {
        for below in below {
            let arrow = (room.to_owned(), (*below).to_owned());
            assert!(seen.contains(&arrow), "no module of `{room}` uses `{below}`: strike it");
        }
    }
    for (room, below) in ROOMS {
        let floor = |name: &str| ROOMS.iter().position(|&(room, _)| room == name).unwrap();
        assert!(
            below.iter().all(|below| floor(below) > floor(room)),
            "{room} is below what it uses"
        );
    }
}

#[test]
fn modules_use_each_other_in_no_circle() {
    let core = core();
    let arrows = core.arrows();
    let count: usize = arrows.values().map(BTreeSet::len).sum();
    assert!(count > 100, "{count} arrows: looked in the wrong place");
    println!("{} modules, {count} arrows", arrows.len());
    let below: BTreeMap<_, _> =
        arrows.keys().map(|&module| (module, reached(module, &arrows))).collect();
    let pairs = arrows.iter().flat_map(|(from, used)| used.iter().map(move |to| (*from, to)));
    let round = pairs.filter(|(from, to)| below[to].contains(from));
    let round: Vec<_> =
        round.map(|(from, to)| format!("{} uses {}", from.join("::"), to.join("::"))).collect();
    assert!(round.is_empty(), "arrows that lie on a circle: {round:#?}");
}

/// Refuses paths that only a compiler could follow.
#[test]
fn paths_begin_at_the_root_and_end_in_a_name() {
    let core = core();
    let of_modules = core.sources.iter().filter(|(module, _)| !module.is_empty());
    for (module, source) in of_modules {
        for Import { path, name, .. } in &source.imports {
            let path = path.join("::");
            assert!(!path.contains("super"), "{}: write `crate::` in {path}", module.join("::"));
            assert!(name != "*", "{}: write the names in {path}", module.join("::"));
        }
    }
}

#[test]
fn use_lines_are_read() {
    let source = parse(
        "use core::fmt;\npub(crate) use crate::a::{B, c::{self, D as E}};\n    use super::F;\nlet g = <crate::h::G>::g(i::j());\n\
         #[cfg_attr(k, path = \"l/m.rs\")]\npub mod n;",
    );
    let paths: Vec<_> = source.imports.iter().map(|import| import.path.join("::")).collect();
    let expected = [
        "core::fmt",
        "crate::a::B",
        "crate::a::c",
        "crate::a::c::D",
        "super::F",
        "crate::h::G",
        "i::j",
    ];
    assert_eq!(paths, expected);
    assert_eq!(source.imports[3].name, "E");
    assert!(source.imports[1].is_public && !source.imports[0].is_public);
    assert_eq!(source.paths, [("n".to_owned(), "l/m.rs".to_owned())]);
}
