//! Links, anchors and paths in the pages, and the README as their index.

use super::{code_spans, files, pages, prose, read, root};

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
