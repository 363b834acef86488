//! What the README and `docs/` say, against the code and the template: every variable, parameter, secret and setting
//! stands in the configuration's tables and nothing else does, and whatever they lead to is there.

use shared::secrets::names;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files with an extension below a folder, by their paths from the root; what was built is none of ours.
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

/// A section of the configuration, up to the next heading.
fn section(heading: &str) -> String {
    let text = read("docs/configuration.md");
    let after = text.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no section {heading}")).1;
    after.split("\n## ").next().unwrap_or_default().to_owned()
}

/// The names in one cell of each row of a section's table.
fn cells(heading: &str, column: usize) -> BTreeSet<String> {
    let text = section(heading);
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| code(row.split('|').nth(column + 1).unwrap_or_default())).map(str::to_owned).collect()
}

/// What stands between backticks in one line.
fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The environment variables that a source reads: an upper-case name in the hand of one of these.
fn variables_in(source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for reader in ["may", "need", "var", "var_os", "number", "said"] {
        for rest in source.split(&format!("{reader}(\"")).skip(1) {
            let name = rest.split('"').next().unwrap_or_default();
            let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            // Everybody's, and nothing that is set for us.
            if is_name && name != "PATH" {
                found.insert(name.to_owned());
            }
        }
    }
    if source.contains("EnvFilter::try_from_default_env()") {
        found.insert("RUST_LOG".to_owned());
    }
    found
}

/// The variables that the service reads, or those that its tests do.
fn variables(of_tests: bool) -> BTreeSet<String> {
    let is_test = |path: &PathBuf| {
        let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
        parts.any(|part| ["tests", "tests.rs", "benches", "bench"].contains(&part.as_str()))
    };
    let sources = ["shared", "functions", "infra", "tests"].into_iter().flat_map(|folder| files(folder, "rs"));
    sources.filter(|path| is_test(path) == of_tests).flat_map(|path| variables_in(&read(path))).collect()
}

/// Holds what a table describes against what there is.
fn compare(heading: &str, described: &BTreeSet<String>, there_is: &BTreeSet<String>) {
    let [missing, stale]: [Vec<_>; 2] =
        [there_is.difference(described).collect(), described.difference(there_is).collect()];
    let is_same = missing.is_empty() && stale.is_empty();
    assert!(is_same, "docs/configuration.md, \"{heading}\": lacks {missing:?}, and has in vain {stale:?}");
}

#[test]
fn every_variable_that_the_service_reads_is_described_and_no_other() {
    let heading = "Variables of the service";
    compare(heading, &cells(heading, 0), &variables(false));
}

#[test]
fn every_variable_that_the_tests_read_is_described_and_no_other() {
    let heading = "Variables of the tests";
    let mut described = cells(heading, 0);
    let mut read = variables(true);
    // They are the service's own, and described there.
    let shared = variables(false);
    described.retain(|name| !shared.contains(name));
    read.retain(|name| !shared.contains(name));
    compare(heading, &described, &read);
}

#[test]
fn every_parameter_of_the_template_is_described_and_no_other() {
    let template = read("template.yaml");
    let parameters = template.split("\nParameters:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let names = parameters.expect("parameters").lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'));
    let names: BTreeSet<String> = names.filter(|name| !name.starts_with(' ')).map(str::to_owned).collect();
    let heading = "Parameters of the template";
    compare(heading, &cells(heading, 0), &names);
}

#[test]
fn every_variable_that_the_template_sets_is_one_that_is_read() {
    let template = read("template.yaml");
    let set = template.split("\n      Variables:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let names = set.expect("variables").lines().filter_map(|line| line.strip_prefix("        ")?.split_once(':'));
    let names: Vec<&str> = names.map(|(name, _)| name).filter(|name| !name.starts_with([' ', '#'])).collect();
    assert!(names.contains(&"TABLE_NAME"), "{names:?}");
    let known = variables(false);
    for name in names {
        assert!(known.contains(name), "template.yaml sets {name}, which nobody reads");
    }
}

#[test]
fn every_secret_is_described_and_no_other() {
    let secrets = [names::TOKEN_KEYS, names::PLATFORM_CLIENTS, names::PAYMENT_PROVIDER];
    compare("Secrets", &cells("Secrets", 0), &secrets.map(str::to_owned).into());
}

#[test]
fn every_setting_of_platforms_is_described_and_no_other() {
    let settings = read("shared/src/platforms/settings.rs");
    let members = settings.lines().filter_map(|line| line.strip_prefix("    pub ")?.split_once(':'));
    let members = members.map(|(name, _)| name).filter(|name| !name.contains(' ')).map(str::to_owned).collect();
    let heading = "`PLATFORM_SETTINGS`";
    compare(heading, &[0, 1].into_iter().flat_map(|column| cells(heading, column)).collect(), &members);
}

#[test]
fn the_costs_are_those_of_the_memory_that_the_template_gives() {
    let template = read("template.yaml");
    let memory: Vec<&str> = template.lines().filter_map(|line| line.trim().strip_prefix("MemorySize: ")).collect();
    let [memory] = memory[..] else { panic!("functions of several sizes, {memory:?}: docs/costs.md knows one") };
    let said = format!("Lambda has {memory} MB (`MemorySize`");
    assert!(read("docs/costs.md").contains(&said), "docs/costs.md is not worked out for {memory} MB");
}

/// The pages for people: each by its path from the root.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(PathBuf::from).into();
    pages.extend(["docs", "infra", "tests"].into_iter().flat_map(|folder| files(folder, "md")));
    pages
}

/// The lines of a page that are not code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The anchor that a heading gets: lower case, hyphens for spaces, and nothing else but letters, digits and `_`.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || ['-', '_'].contains(c)).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        let text = read(&page);
        for link in prose(&text).flat_map(|line| line.split("](").skip(1)) {
            let link = link.split(')').next().unwrap_or_default();
            if link.contains("://") {
                continue;
            }
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().expect("a folder").join(file) };
            assert!(root().join(&target).exists(), "{}: {link} leads nowhere", page.display());
            if !place.is_empty() {
                let target = read(&target);
                let mut headings = prose(&target).filter(|line| line.starts_with('#'));
                let found = headings.any(|line| anchor(line.trim_start_matches('#').trim()) == place);
                assert!(found, "{}: there is no heading for {link}", page.display());
            }
        }
    }
}

/// `functions/campaigns/src/create.rs` and its like; what has a placeholder in it is none.
fn is_path(text: &str) -> bool {
    let starts = ["docs/", "functions/", "infra/", "shared/", "tests/", ".ci/", ".cargo/"];
    starts.iter().any(|start| text.starts_with(start)) && !text.contains(['{', '<', '*', '…'])
}

#[test]
fn every_path_that_is_named_exists() {
    for page in pages() {
        let text = read(&page);
        let named = prose(&text).flat_map(code).filter_map(|text| text.split(' ').next()).filter(|text| is_path(text));
        for path in named {
            assert!(root().join(path).exists(), "{}: there is no {path}", page.display());
        }
    }
}

#[test]
fn the_readme_leads_to_every_page_of_the_docs() {
    let readme = read("README.md");
    for page in files("docs", "md") {
        assert!(readme.contains(&format!("]({})", page.display())), "{} is in no table", page.display());
    }
}
