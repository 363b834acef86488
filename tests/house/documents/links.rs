//! Links, anchors and paths in the pages, and the README as their index.

use super::{code_spans, files, pages, prose, read, root};
use std::path::{Path, PathBuf};

/// The anchor of a heading: lower case, hyphens for spaces, and otherwise only letters, digits and `_`.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || ['-', '_'].contains(c)).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    for page in pages() {
        let text = read(&page);
        for link in prose(&text).flat_map(|line| line.split("](").skip(1)) {
            let link = link.split(')').next().unwrap_or_default();
            if link.contains("://") {
                continue;
            }
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().expect("a folder").join(file) };
            assert!(root().join(&target).exists(), "{}: {link} has no target", page.display());
            if !place.is_empty() {
                let target = read(&target);
                let mut headings = prose(&target).filter(|line| line.starts_with('#'));
                let found = headings.any(|line| anchor(line.trim_start_matches('#').trim()) == place);
                assert!(found, "{}: {link} has no heading", page.display());
            }
        }
    }
}

/// The file that a code span names: from the root, or below `shared/src/` in the pages of the library.
fn file_of(page: &Path, text: &str) -> Option<PathBuf> {
    let is_file = [".rs", ".json"].iter().any(|ending| text.ends_with(ending)) && !text.contains(['{', '<', '*', ' ']);
    if is_path(text) {
        return is_file.then(|| text.into());
    }
    let is_of_library = page == Path::new("docs/architecture.md") && text.contains('/');
    (is_file && is_of_library).then(|| Path::new("shared/src").join(text))
}

#[test]
fn every_file_of_the_library_that_architecture_names_exists() {
    let page = Path::new("docs/architecture.md");
    let text = read(page);
    let files: Vec<PathBuf> = prose(&text).flat_map(code_spans).filter_map(|span| file_of(page, span)).collect();
    assert!(files.len() > 40, "{files:?}");
    for file in files {
        assert!(root().join(&file).exists(), "{}: {} does not exist", page.display(), file.display());
    }
}

/// The symbols that a line places in a file: `` `first` and `second` in `file` ``.
fn symbols_in_files<'a>(page: &Path, line: &'a str) -> Vec<(&'a str, PathBuf)> {
    let parts: Vec<&str> = line.split('`').collect();
    let (mut symbols, mut found) = (Vec::new(), Vec::new());
    for pair in parts.chunks_exact(2) {
        let (before, span) = (pair[0], pair[1]);
        match file_of(page, span) {
            Some(file) if before == " in " => found.extend(symbols.drain(..).map(|symbol| (symbol, file.clone()))),
            _ if [", ", " and "].contains(&before) => symbols.push(span),
            _ => symbols = vec![span],
        }
    }
    found
}

#[test]
fn every_symbol_that_a_page_places_in_a_file_is_there() {
    let mut checked = 0;
    for page in pages() {
        let text = read(&page);
        for (symbol, file) in prose(&text).flat_map(|line| symbols_in_files(&page, line)) {
            let name = symbol.rsplit("::").next().unwrap_or(symbol).trim_end_matches("()");
            let code = read(&file);
            let is_there = code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
            assert!(is_there, "{}: {} has no `{symbol}`", page.display(), file.display());
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked}");
}

/// Whether a code span is a path, such as `functions/campaigns/src/create.rs`. One with a placeholder is not.
fn is_path(text: &str) -> bool {
    let starts = ["docs/", "functions/", "infra/", "shared/", "tests/", ".ci/", ".cargo/"];
    starts.iter().any(|start| text.starts_with(start)) && !text.contains(['{', '<', '*', '…'])
}

#[test]
fn every_named_path_exists() {
    for page in pages() {
        let text = read(&page);
        let named =
            prose(&text).flat_map(code_spans).filter_map(|text| text.split(' ').next()).filter(|text| is_path(text));
        for path in named {
            assert!(root().join(path).exists(), "{}: {path} does not exist", page.display());
        }
    }
}

#[test]
fn the_readme_links_every_page_of_the_docs() {
    let readme = read("README.md");
    for page in files("docs", "md") {
        assert!(readme.contains(&format!("]({})", page.display())), "README.md does not link {}", page.display());
    }
}

#[test]
fn the_readme_has_at_most_10_kb() {
    let size = read("README.md").len();
    assert!(size <= 10_000, "README.md has {size} bytes: move details to docs/");
}
