//! Compares the pages with the code and the template: configuration, decisions, table records, modules, log messages,
//! links and paths.

use shared::secrets::names;
use shared::store::table_keys;
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

/// A section of `docs/configuration.md`, up to the next heading.
fn section(heading: &str) -> String {
    let text = read("docs/configuration.md");
    let after = text.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no section {heading}")).1;
    after.split("\n## ").next().unwrap_or_default().to_owned()
}

/// The names in one column of a section's table.
fn cells(heading: &str, column: usize) -> BTreeSet<String> {
    let text = section(heading);
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| code(row.split('|').nth(column + 1).unwrap_or_default())).map(str::to_owned).collect()
}

/// The code spans of a line.
fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The environment variables that a source reads: the upper-case arguments of these functions.
fn variables_in(source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for reader in ["may", "need", "var", "var_os", "number", "said"] {
        for rest in source.split(&format!("{reader}(\"")).skip(1) {
            let name = rest.split('"').next().unwrap_or_default();
            let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            // The gateway's tests pass `PATH` on; it is no setting.
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

/// The variables that the service reads, or those that the tests read.
fn variables(of_tests: bool) -> BTreeSet<String> {
    let is_test = |path: &PathBuf| {
        let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
        parts.any(|part| ["tests", "tests.rs", "benches", "bench"].contains(&part.as_str()))
    };
    let sources = ["shared", "functions", "infra", "tests"].into_iter().flat_map(|folder| files(folder, "rs"));
    sources.filter(|path| is_test(path) == of_tests).flat_map(|path| variables_in(&read(path))).collect()
}

/// Compares the rows of a table with the names that exist.
fn compare(heading: &str, described: &BTreeSet<String>, existing: &BTreeSet<String>) {
    let [missing, stale]: [Vec<_>; 2] =
        [existing.difference(described).collect(), described.difference(existing).collect()];
    let is_same = missing.is_empty() && stale.is_empty();
    assert!(is_same, "docs/configuration.md, \"{heading}\": missing rows {missing:?}, stale rows {stale:?}");
}

#[test]
fn configuration_lists_exactly_the_variables_of_the_service() {
    let heading = "Variables of the service";
    compare(heading, &cells(heading, 0), &variables(false));
}

#[test]
fn configuration_lists_exactly_the_variables_of_the_tests() {
    let heading = "Variables of the tests";
    let mut described = cells(heading, 0);
    let mut read = variables(true);
    // The service's own variables have a section of their own.
    let shared = variables(false);
    described.retain(|name| !shared.contains(name));
    read.retain(|name| !shared.contains(name));
    compare(heading, &described, &read);
}

#[test]
fn configuration_lists_exactly_the_parameters_of_the_template() {
    let template = read("template.yaml");
    let parameters = template.split("\nParameters:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let names = parameters.expect("parameters").lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'));
    let names: BTreeSet<String> = names.filter(|name| !name.starts_with(' ')).map(str::to_owned).collect();
    let heading = "Parameters of the template";
    compare(heading, &cells(heading, 0), &names);
}

#[test]
fn the_template_sets_only_variables_that_the_service_reads() {
    let template = read("template.yaml");
    let set = template.split("\n      Variables:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let names = set.expect("variables").lines().filter_map(|line| line.strip_prefix("        ")?.split_once(':'));
    let names: Vec<&str> = names.map(|(name, _)| name).filter(|name| !name.starts_with([' ', '#'])).collect();
    assert!(names.contains(&"TABLE_NAME"), "{names:?}");
    let known = variables(false);
    for name in names {
        assert!(known.contains(name), "template.yaml sets {name}, which no code reads");
    }
}

#[test]
fn configuration_lists_exactly_the_secrets() {
    let secrets = [names::TOKEN_KEYS, names::PLATFORM_CLIENTS, names::PAYMENT_PROVIDER];
    compare("Secrets", &cells("Secrets", 0), &secrets.map(str::to_owned).into());
}

#[test]
fn configuration_lists_exactly_the_settings_of_platforms() {
    let settings = read("shared/src/platforms/settings.rs");
    let members = settings.lines().filter_map(|line| line.strip_prefix("    pub ")?.split_once(':'));
    let members = members.map(|(name, _)| name).filter(|name| !name.contains(' ')).map(str::to_owned).collect();
    let heading = "`PLATFORM_SETTINGS`";
    compare(heading, &[0, 1].into_iter().flat_map(|column| cells(heading, column)).collect(), &members);
}

#[test]
fn the_costs_use_the_memory_of_the_template() {
    let template = read("template.yaml");
    let memory: Vec<&str> = template.lines().filter_map(|line| line.trim().strip_prefix("MemorySize: ")).collect();
    let [memory] = memory[..] else { panic!("docs/costs.md assumes one memory size; the template has {memory:?}") };
    let expected = format!("Lambda has {memory} MB (`MemorySize`");
    assert!(read("docs/costs.md").contains(&expected), "docs/costs.md does not assume {memory} MB");
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
        let named = prose(&text).flat_map(code).filter_map(|text| text.split(' ').next()).filter(|text| is_path(text));
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

/// The numbers of decisions in a text, such as `D16`.
fn decisions_in(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| is_decision(word)).collect()
}

fn is_decision(word: &str) -> bool {
    let digits = word.strip_prefix('D').unwrap_or_default();
    (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[test]
fn every_decision_that_the_code_names_is_in_decisions() {
    let decisions = read("docs/decisions.md");
    let mut named = 0;
    for (path, text) in sources(false) {
        for comment in text.lines().filter(|line| line.trim_start().starts_with("//")) {
            for number in decisions_in(comment) {
                let row = format!("| {number} |");
                assert!(decisions.contains(&row), "{}: docs/decisions.md has no {number}", path.display());
                named += 1;
            }
        }
    }
    assert!(named > 0, "no source names a decision");
}

/// The constant parts of the keys in `table_keys.rs`: `LINK#`, `ACCOUNT` and the others.
fn parts_of_keys() -> BTreeSet<String> {
    let text = read("shared/src/store/table_keys.rs");
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let strings: Vec<&str> = code.flat_map(|line| line.split('"').skip(1).step_by(2)).collect();
    let upper = |c: char| c.is_ascii_uppercase() || c == '_' || c == '#';
    let parts = strings.iter().flat_map(|string| string.split(['{', '}'])).filter(|part| part.len() > 2);
    parts.filter(|part| part.chars().all(upper)).map(str::to_owned).collect()
}

#[test]
fn architecture_lists_every_record_of_the_table() {
    let page = read("docs/architecture.md");
    let parts = parts_of_keys();
    assert!(parts.contains("INTENT#"), "{parts:?}");
    // The values of `due_kind` are in the index only.
    let of_index = [table_keys::DUE_GRANT, table_keys::DUE_PENDING, table_keys::DUE_INTENT];
    for part in parts.iter().filter(|part| !of_index.contains(&part.as_str())) {
        assert!(page.contains(part.as_str()), "docs/architecture.md, \"Table records\", lacks {part}");
    }
}

#[test]
fn architecture_lists_every_module_of_the_library() {
    let page = read("docs/architecture.md");
    let library = read("shared/src/lib.rs");
    let modules = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    for module in modules {
        let row = page.lines().filter(|line| line.starts_with("| `")).any(|line| {
            let first = line.split('|').nth(1).unwrap_or_default();
            code(first).contains(&module)
        });
        assert!(row, "docs/architecture.md, \"Modules\", lacks {module}");
    }
}

/// Whether a code span quotes a log message: at least three words of letters only.
fn is_log_message(text: &str) -> bool {
    let starts_small = text.starts_with(|c: char| c.is_ascii_lowercase());
    starts_small
        && text.split(' ').count() >= 3
        && text.chars().all(|c| c.is_ascii_alphabetic() || c == ' ' || c == '\'')
}

#[test]
fn every_quoted_log_message_is_in_the_code() {
    let code_text: Vec<String> = sources(false).map(|(_, text)| text).collect();
    for page in ["docs/operating.md", "docs/incidents.md"] {
        let text = read(page);
        for message in prose(&text).flat_map(code).filter(|span| is_log_message(span)) {
            let is_logged = code_text.iter().any(|text| text.contains(message));
            assert!(is_logged, "{page}: no code logs `{message}`");
        }
    }
}

/// Whether a code span is the name of a test: a sentence of at least six words.
fn is_test_name(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    text.chars().all(is_word) && text.matches('_').count() >= 5
}

#[test]
fn every_test_that_a_page_names_exists() {
    let code_text: Vec<String> = sources(true).map(|(_, text)| text).collect();
    for page in pages() {
        let text = read(&page);
        for name in prose(&text).flat_map(code).filter(|span| is_test_name(span)) {
            let declaration = format!("fn {name}(");
            let exists = code_text.iter().any(|text| text.contains(&declaration));
            assert!(exists, "{}: there is no test {name}", page.display());
        }
    }
}
