//! `docs/configuration.md`, `docs/costs.md` and the alarms of `docs/operating.md` against the code and the template.

use super::{code_spans, files, read};
use crate::house::template::resources;
use shared::secrets::names;
use std::collections::BTreeSet;
use std::path::PathBuf;

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
    rows.flat_map(|row| code_spans(row.split('|').nth(column + 1).unwrap_or_default())).map(str::to_owned).collect()
}

/// The environment variables that a source reads: the upper-case arguments of these functions.
fn variables_in(source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for reader in ["required_env", "optional_env", "var", "var_os", "number", "variable"] {
        for rest in source.split(&format!("{reader}(\"")).skip(1) {
            let name = rest.split('"').next().unwrap_or_default();
            let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            // No settings: the gateway's tests pass `PATH` on, and cargo tells a build script of the target.
            if is_name && !["PATH", "CARGO_CFG_TARGET_OS"].contains(&name) {
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
    let secrets = [names::TOKEN_KEYS, names::PLATFORM_CLIENTS, names::PAYMENT_PROVIDER, names::IDENTITY_PROVIDER];
    compare("Secrets", &cells("Secrets", 0), &secrets.map(str::to_owned).into());
}

/// The functions whose policy names the resource of a secret, as words: `webhook endpoints`.
fn readers_of(secret: &str) -> BTreeSet<String> {
    let upper = |part: &str| part[..1].to_uppercase() + &part[1..];
    let resource = format!("!GetAtt {}.Id", secret.split('-').map(upper).collect::<String>());
    let reads = |(_, lines): &(&str, Vec<&str>)| lines.iter().any(|line| line.contains(&resource));
    let names = resources().into_iter().filter(reads).filter_map(|(name, _)| name.strip_suffix("Policy"));
    let words = |name: &str| {
        let spaced: String = name.chars().flat_map(|c| [c.is_uppercase().then_some(' '), Some(c)]).flatten().collect();
        spaced.trim().to_lowercase()
    };
    names.map(words).collect()
}

#[test]
fn configuration_says_which_functions_read_each_secret() {
    let text = section("Secrets");
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let secret = cells[0].trim_matches(['|', ' ', '`']);
        let told = cells[cells.len() - 2]
            .split(", ")
            .filter(|reader| !reader.starts_with(['`']) && !reader.starts_with("if "));
        let readers = readers_of(secret);
        assert!(!readers.is_empty(), "{secret}");
        assert_eq!(told.map(str::to_owned).collect::<BTreeSet<_>>(), readers, "the readers of {secret}");
    }
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

#[test]
fn operating_lists_exactly_the_alarms_of_the_template() {
    let (page, template) = (read("docs/operating.md"), read("template.yaml"));
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let listed: BTreeSet<&str> = rows.filter(|name| name.ends_with("Alarm")).collect();
    let resources = template.lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix("Alarm:"));
    let existing: BTreeSet<String> = resources.map(|name| format!("{name}Alarm")).collect();
    assert_eq!(listed, existing.iter().map(String::as_str).collect(), "docs/operating.md, \"Alarms\"");
}
