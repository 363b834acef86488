//! Every platform has all of its parts: adapter, sandbox, scenario, seeds and rows in the documentation.

use super::architecture::{read, root};
use shared::domain::{Goal, Platform};
use shared::platforms::adapter;
use shared::platforms::capabilities::{BudgetBound, Capabilities, DateRule, Deletion, NameUnit};
use std::fs;
use std::path::Path;

#[test]
fn an_adapter_has_the_same_modules_as_every_other() {
    let platforms = root().join("shared/src/platforms");
    for entry in fs::read_dir(&platforms).expect("the adapters") {
        let folder = entry.expect("an entry").path();
        if !folder.is_dir() || !Platform::ALL.iter().any(|platform| folder.ends_with(platform.prefix())) {
            continue;
        }
        assert!(folder.join("fixtures").exists(), "{} has no fixtures", folder.display());
        for module in ["api", "wire", "translate", "error"] {
            let has_module =
                folder.join(module).join("mod.rs").exists() || folder.join(format!("{module}.rs")).exists();
            assert!(has_module, "{} has no module {module}", folder.display());
        }
    }
}

/// Names the missing part of a platform, in the order of `docs/adding-a-platform.md`.
#[test]
fn every_platform_has_adapter_sandbox_scenario_and_row() {
    let page = read(&root().join("docs/platforms.md"));
    let scenarios = read(&root().join("tests/platforms/mod.rs"));
    for platform in Platform::ALL {
        let adapter = adapter(platform);
        let word = platform.as_str();
        let name = platform.prefix();
        assert_eq!(adapter.facts().capabilities.platform, platform, "{word}: the table is another platform's");
        for folder in ["shared/src/platforms", "infra/sandbox/src"] {
            assert!(root().join(folder).join(name).join("mod.rs").exists(), "{word} has no {folder}/{name}/mod.rs");
        }
        assert!(sandbox::client(word).is_some(), "{word} has no client at the sandbox");
        assert!(scenarios.contains(&format!("mod {name} {{")), "{word}: tests/platforms/mod.rs has no mod {name}");
        let seeds = format!("tests/fuzz/seeds/platform/{name}");
        assert!(root().join(&seeds).exists(), "{word} has no fuzz seeds in {seeds}");
        for row in [platform_row, rules_row].map(|row| row(adapter.facts().capabilities)) {
            assert!(page.contains(&row), "docs/platforms.md should have the row\n{row}");
        }
    }
}

/// A platform's row in `docs/platforms.md`, from the table that validates requests.
fn platform_row(capabilities: &Capabilities) -> String {
    let goals: Vec<&str> = capabilities.goals.iter().map(|goal| plain(*goal)).collect();
    let periods: Vec<&str> = capabilities.budget_periods.iter().map(|period| period.as_str()).collect();
    let minimums = bounds(capabilities.minimum_budgets);
    let lifetime = if capabilities.lifetime_needs_end { "needs `end_at`" } else { "with or without `end_at`" };
    let deletion = match capabilities.deletion {
        Deletion::Removes => "removes",
        Deletion::Archives => "archives",
    };
    format!(
        "| {} | {} | {} | {lifetime} | {} | {deletion} |",
        title(capabilities),
        goals.join(", "),
        periods.join(", "),
        if minimums.is_empty() { "none published" } else { &minimums },
    )
}

/// The goal in plain words.
fn plain(goal: Goal) -> &'static str {
    match goal {
        Goal::BrandAwareness => "awareness",
        Goal::Reach => "reach",
        Goal::WebsiteTraffic => "traffic",
        Goal::Leads => "leads",
        Goal::Sales => "sales",
        Goal::Conversions => "conversions",
        Goal::AppPromotion => "app promotion",
    }
}

/// Its row among the rules for names, amounts and dates.
fn rules_row(capabilities: &Capabilities) -> String {
    let names = &capabilities.names;
    let unit = match names.counted_in {
        NameUnit::Characters => "characters",
        NameUnit::Bytes => "bytes of UTF-8",
    };
    let minimum = if names.minimum > 1 { format!(", at least {}", names.minimum) } else { String::new() };
    let emoji = if names.has_emoji { "" } else { ", no emoji" };
    let decimals = capabilities.decimals.map_or_else(
        || "the currency's".to_owned(),
        |limit| format!("at most {}, none in {}", limit.maximum, limit.none_in.join(", ")),
    );
    let maximums = bounds(capabilities.maximum_budgets);
    let dates = &capabilities.dates;
    let date = |rule: &DateRule| {
        let removable = if rule.is_removable { "removable" } else { "not removable" };
        format!("{}, {}, {removable}", rule.at_create.as_str(), rule.at_update.as_str())
    };
    format!(
        "| {} | {} {unit}{minimum}{emoji} | {decimals} | {} | {} | {} |",
        title(capabilities),
        names.maximum,
        if maximums.is_empty() { "none published" } else { &maximums },
        date(&dates.start),
        date(&dates.end),
    )
}

fn title(capabilities: &Capabilities) -> String {
    format!("`{}` ({})", capabilities.platform.as_str(), capabilities.platform.display_name())
}

fn bounds(bounds: &[BudgetBound]) -> String {
    let bound = |bound: &BudgetBound| {
        let currency = bound.currency.map_or_else(String::new, |code| format!(" {code}"));
        format!("{} {}{currency}", bound.period.as_str(), bound.amount())
    };
    bounds.iter().map(bound).collect::<Vec<_>>().join(", ")
}

/// The folders that generators write from the documents of the API.
const GENERATED: [&str; 3] = [
    "clients/python/src/unified_ads/flat",
    "clients/python/src/unified_ads/enveloped",
    "clients/typescript/src/generated",
];

/// The files that name every platform, outside the platforms' own folders.
fn naming_files(folder: &Path, found: &mut Vec<String>) {
    let is_generated = |path: &Path| GENERATED.iter().any(|folder| path.ends_with(folder));
    let is_own = |name: &str| Platform::ALL.iter().any(|platform| platform.prefix() == name);
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && !is_own(&name) && !name.starts_with('.') && name != "target" && !is_generated(&path) {
            naming_files(&path, found);
        }
        if path.extension().is_none_or(|extension| extension == "lock") {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if Platform::ALL.iter().all(|platform| text.contains(platform.prefix())) {
            found.push(path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned());
        }
    }
}

/// Platforms are examples in many files; a file with all of them is one that a new platform has to enter.
#[test]
fn the_page_about_a_new_platform_lists_every_file_to_change() {
    let page = read(&root().join("docs/adding-a-platform.md"));
    let mut found = Vec::new();
    naming_files(&root(), &mut found);
    assert!(!found.is_empty());
    for file in found {
        assert!(page.contains(&format!("`{file}`")), "docs/adding-a-platform.md does not list {file}");
    }
}
