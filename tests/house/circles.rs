//! Circles of imports: a file that is in one cannot be read, tested or moved alone.
//!
//! An arrow leads from a file to each file that its `use` lines name. A module and its own folder count as one place:
//! a child may read the facts of the `mod.rs` above it.

use super::architecture::{read, root, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Most files of a circle inside the folder of one sandbox platform.
const MAX_IN_A_PLATFORM: usize = 8;

/// The source folders of the workspace's crates.
const SOURCES: [&str; 14] = [
    "shared/src",
    "functions/api-keys/src",
    "functions/billing/src",
    "functions/campaigns/src",
    "functions/connections/src",
    "functions/dashboard/src",
    "functions/docs/src",
    "functions/maintenance/src",
    "functions/redirect-uris/src",
    "functions/usage-logs/src",
    "functions/webhooks/src",
    "infra/gateway/src",
    "infra/local-http/src",
    "infra/bench/src",
];

/// A module path inside its crate: `["store", "leases"]`; empty for the crate's root.
type Module = Vec<String>;

#[test]
fn no_file_imports_itself_by_a_detour() {
    for source in SOURCES {
        let circles = circles(&Graph::read(source));
        assert!(circles.is_empty(), "{source} has circles of imports: {circles:?}");
    }
}

#[test]
fn a_circle_of_the_sandbox_stays_small_and_in_one_platform() {
    for circle in circles(&Graph::read("infra/sandbox/src")) {
        let folders: BTreeSet<&str> = circle.iter().map(|module| module[0].as_str()).collect();
        assert!(folders.len() == 1, "a circle crosses the folder of a platform: {circle:?}");
        assert!(circle.len() <= MAX_IN_A_PLATFORM, "a circle of {} files: {circle:?}", circle.len());
    }
}

#[test]
fn a_circle_is_found() {
    let arrow = |from: &str, to: &str| (vec![from.to_owned()], BTreeSet::from([vec![to.to_owned()]]));
    let graph = Graph { arrows: [arrow("a", "b"), arrow("b", "c"), arrow("c", "a"), arrow("d", "a")].into() };
    let expected: Vec<Module> = ["a", "b", "c"].map(|name| vec![name.to_owned()]).into();
    assert_eq!(circles(&graph), [expected]);
}

#[test]
fn the_paths_of_a_use_tree_are_read() {
    let text =
        "use crate::store::{Store, table_keys::{Key, PARTITION}};\npub(crate) use super::wire as w;\nlet used = 1;";
    assert_eq!(
        paths(text),
        ["crate::store::Store", "crate::store::table_keys::Key", "crate::store::table_keys::PARTITION", "super::wire"]
    );
}

/// The files of a crate without its tests, and the files of the same crate that each of them uses.
struct Graph {
    arrows: BTreeMap<Module, BTreeSet<Module>>,
}

impl Graph {
    fn read(source: &str) -> Graph {
        let folder = root().join(source);
        let files = rust_files(&folder);
        let files: BTreeMap<Module, String> = files
            .iter()
            .filter(|file| !is_test(&folder, file))
            .map(|file| (module_of(file.strip_prefix(&folder).expect("below the source")), production(&read(file))))
            .collect();
        let known: BTreeSet<&Module> = files.keys().collect();
        let arrows = files.iter().map(|(module, text)| (module.clone(), used(module, text, &known))).collect();
        Graph { arrows }
    }

    /// The modules that a module reaches, in any number of steps.
    fn reachable(&self, from: &Module) -> BTreeSet<Module> {
        let mut found = BTreeSet::new();
        let mut left = vec![from];
        while let Some(module) = left.pop() {
            for next in self.arrows.get(module).into_iter().flatten() {
                if found.insert(next.clone()) {
                    left.push(next);
                }
            }
        }
        found
    }
}

/// The groups of two or more modules that reach each other.
fn circles(graph: &Graph) -> Vec<Vec<Module>> {
    let reachable: BTreeMap<&Module, BTreeSet<Module>> =
        graph.arrows.keys().map(|module| (module, graph.reachable(module))).collect();
    let mut circles = BTreeSet::new();
    for (module, others) in &reachable {
        let circle: Vec<Module> = others
            .iter()
            .filter(|other| reachable.get(other).is_some_and(|back| back.contains(*module)))
            .cloned()
            .collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

/// The module of a file, by its path below the source.
fn module_of(path: &Path) -> Module {
    let mut names: Module = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if names.last().is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str())) {
        names.pop();
    }
    names
}

/// Whether a file or one of its folders is compiled for tests only, by the declaration in its parent.
fn is_test(source: &Path, file: &Path) -> bool {
    let module = module_of(file.strip_prefix(source).expect("below the source"));
    (0..module.len()).any(|depth| {
        let parent = source.join(module[..depth].iter().collect::<std::path::PathBuf>());
        let files = match depth {
            0 => vec![source.join("lib.rs"), source.join("main.rs")],
            _ => vec![parent.join("mod.rs"), parent.with_extension("rs")],
        };
        let name = &module[depth];
        files.iter().filter(|file| file.exists()).any(|file| declares_for_tests(&read(file), name))
    })
}

fn declares_for_tests(text: &str, name: &str) -> bool {
    let declares = |line: &str| line.ends_with(&format!("mod {name};"));
    text.lines().zip(text.lines().skip(1)).any(|(above, line)| above == "#[cfg(test)]" && declares(line))
}

/// The text of a file above its unit tests.
fn production(text: &str) -> String {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned()
}

/// The files that a module's `use` lines lead to, itself and the modules around and below it left out.
fn used(module: &Module, text: &str, known: &BTreeSet<&Module>) -> BTreeSet<Module> {
    let files = paths(text).into_iter().filter_map(|path| resolved(module, &path, known));
    files.filter(|other| !other.starts_with(module) && !module.starts_with(other)).collect()
}

/// The file that a path leads to: the longest part of it that is one.
fn resolved(module: &Module, path: &str, known: &BTreeSet<&Module>) -> Option<Module> {
    let mut parts = path.split("::").peekable();
    let mut absolute = match parts.peek().copied() {
        Some("crate") => Module::new(),
        Some("super" | "self") => module.clone(),
        // A path through a child, as a parent writes it, or through another crate.
        Some(name) if known.contains(&[module.as_slice(), &[name.to_owned()]].concat()) => module.clone(),
        _ => return None,
    };
    for part in parts {
        match part {
            "crate" | "self" => {}
            "super" => drop(absolute.pop()),
            name => absolute.push(name.to_owned()),
        }
    }
    while !absolute.is_empty() && !known.contains(&absolute) {
        absolute.pop();
    }
    (!absolute.is_empty()).then_some(absolute)
}

/// The paths of all `use` statements, one for each leaf of a tree.
fn paths(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut statement = String::new();
    for line in text.lines() {
        let line = line.trim();
        let begins = line.starts_with("use ") || line.starts_with("pub") && line.contains(" use ");
        if !begins && statement.is_empty() {
            continue;
        }
        statement.push_str(line);
        if line.ends_with(';') {
            let tree = statement.split_once("use ").map_or("", |(_, tree)| tree).trim_end_matches(';');
            leaves("", tree, &mut found);
            statement.clear();
        }
    }
    found
}

fn leaves(prefix: &str, tree: &str, found: &mut Vec<String>) {
    match tree.split_once('{') {
        Some((path, rest)) => {
            let prefix = format!("{prefix}{}", path.trim());
            for part in parts(rest.trim_end().trim_end_matches('}')) {
                leaves(&prefix, part.trim(), found);
            }
        }
        None if tree.is_empty() => {}
        None => found.push(format!("{prefix}{}", tree.split(" as ").next().unwrap_or_default())),
    }
}

/// The parts of a list that commas outside of braces separate.
fn parts(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&list[start..]);
    found
}
