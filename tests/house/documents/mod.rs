//! Compares the pages with the code and the template: configuration, decisions, table records, modules, log messages,
//! links and paths.

mod code;
mod configuration;
mod functions;
mod links;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files with an extension below a folder, as paths from the root. Skips build output.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}")) {
        let path = entry.expect("an entry").path();
        let relative = path.strip_prefix(root()).expect("below the root").to_owned();
        if path.ends_with("target") {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&relative.to_string_lossy(), extension));
        } else if path.extension().is_some_and(|of| of == extension) {
            found.push(relative);
        }
    }
    found
}

/// The code spans of a line.
fn code_spans(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// All pages, as paths from the root.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(PathBuf::from).into();
    pages.extend(["docs", "infra", "tests"].into_iter().flat_map(|folder| files(folder, "md")));
    pages
}

/// The lines of a page outside code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// All sources, without those of the tests where `with_tests` is false.
fn sources(with_tests: bool) -> impl Iterator<Item = (PathBuf, String)> {
    let folders: &[&str] =
        if with_tests { &["shared", "functions", "infra", "tests"] } else { &["shared", "functions"] };
    let paths = folders.iter().flat_map(|folder| files(folder, "rs"));
    paths.map(|path| {
        let text = read(&path);
        (path, text)
    })
}
