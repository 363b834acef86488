//! Rules that the compiler does not check: the direction of module dependencies, and names that several files repeat.

use shared::routes::{DASHBOARD, ROUTES, function};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules that each module of `shared` may use beside itself. They form no circle.
const ARROWS: &[(&str, &[&str])] = &[
    ("clock", &[]),
    ("domain", &[]),
    ("log", &[]),
    ("recent_map", &[]),
    ("routes", &["domain"]),
    ("timing", &[]),
    ("vault", &[]),
    ("request_context", &["timing"]),
    ("outbound", &["recent_map", "request_context", "timing"]),
    ("sdk", &["request_context", "outbound", "timing"]),
    ("metrics", &["domain", "routes", "timing"]),
    ("error", &["domain"]),
    ("concurrent", &["error"]),
    ("envelope", &["domain", "error", "routes", "timing"]),
    ("store", &["concurrent", "domain", "error", "recent_map", "request_context", "sdk"]),
    ("platforms", &["domain", "error", "outbound"]),
    ("payments", &["domain", "error", "outbound"]),
    ("identity", &["domain", "error", "outbound", "vault"]),
    ("secrets", &["domain", "identity", "payments", "platforms", "sdk", "vault"]),
    (
        "app",
        &[
            "clock",
            "domain",
            "error",
            "identity",
            "metrics",
            "outbound",
            "payments",
            "platforms",
            "sdk",
            "secrets",
            "store",
        ],
    ),
    ("auth", &["domain", "error", "secrets", "store", "vault"]),
    ("assistants", &["app", "auth", "domain", "error", "outbound", "store"]),
    ("skipped_names", &["domain", "secrets", "vault"]),
    ("subscriptions", &["app", "domain", "error", "payments", "store"]),
    ("tokens", &["app", "request_context", "domain", "error", "outbound", "platforms", "store", "vault"]),
    ("webhook_secrets", &["app", "domain", "error", "vault"]),
    ("deliveries", &["app", "domain", "envelope", "error", "outbound", "store", "webhook_secrets"]),
    ("changes", &["app", "concurrent", "domain", "error", "outbound", "platforms", "store", "tokens"]),
    (
        "serve",
        &[
            "app",
            "request_context",
            "auth",
            "changes",
            "domain",
            "envelope",
            "error",
            "metrics",
            "payments",
            "routes",
            "store",
            "timing",
            "tokens",
        ],
    ),
    ("lambda", &["app", "log", "secrets", "serve"]),
];

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All Rust files below a folder.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    files(folder, "rs")
}

/// All files below a folder with an extension. Links are not followed.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|of_file| of_file == extension) {
            found.push(path);
        }
    }
    found
}

/// The names that follow a prefix in a text: `crate::` finds `domain` in `use crate::domain::Platform`.
fn names_after<'a>(text: &'a str, prefix: &str) -> BTreeSet<&'a str> {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.split(prefix)
        .skip(1)
        .map(|rest| rest.split(ends).next().unwrap_or_default())
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn modules_of_the_library_depend_one_way() {
    let source = root().join("shared/src");
    let mut seen = BTreeSet::new();
    for file in rust_files(&source) {
        let relative = file.strip_prefix(&source).expect("below the source").to_string_lossy().into_owned();
        let module = relative.split(['/', '.']).next().expect("a name").to_owned();
        if module == "lib" {
            continue;
        }
        let (_, allowed) = ARROWS
            .iter()
            .find(|(name, _)| *name == module)
            .unwrap_or_else(|| panic!("{relative}: say in ARROWS what the module {module} may use"));
        let text = read(&file);
        assert!(
            !text.contains("use crate::{"),
            "{relative}: one `use crate::` line per module, so that this test can read it"
        );
        for used in names_after(&text, "crate::") {
            assert!(used == module || allowed.contains(&used), "{relative} uses {used}, which {module} must not");
        }
        seen.insert(module);
    }
    assert_eq!(seen.len(), ARROWS.len(), "ARROWS names a module that is not there");
}

/// The folder of the dashboard.
const DASHBOARD_SOURCE: &str = "functions/dashboard/src";

/// The modules of the layer `pages` that all pages use.
const FOR_ALL_PAGES: &[&str] = &["kept_form", "layout"];

/// Known violations: a file and the module that it uses.
const LAYER_EXCEPTIONS: &[(&str, &str)] = &[];

/// The modules of a layer that a file of the dashboard uses, in its code or in its template.
fn modules<'a>(text: &'a str, layer: &str) -> BTreeSet<&'a str> {
    let code = format!("crate::{layer}::");
    let group = format!("{code}{{");
    let groups = text.split(&group).skip(1).filter_map(|rest| rest.split('}').next());
    let in_groups = groups.flat_map(|group| group.split(',').filter_map(|part| part.trim().split(':').next()));
    let mut modules: BTreeSet<&str> = in_groups.filter(|name| !name.is_empty()).collect();
    modules.extend(names_after(text, &code));
    modules.extend(names_after(text, &format!("\"{layer}/")));
    modules
}

/// Whether a file of the dashboard may use a module of a layer.
fn is_below(file: &str, layer: &str, module: &str) -> bool {
    let place: Vec<&str> = file.split('/').collect();
    match (place.as_slice(), layer) {
        (["kit", ..], "client" | "pages") | (["client", ..], "pages") => false,
        (["pages", page, _, ..], "pages") => *page == module || FOR_ALL_PAGES.contains(&module),
        _ => true,
    }
}

#[test]
fn modules_of_the_dashboard_depend_one_way() {
    let source = root().join(DASHBOARD_SOURCE);
    let mut against = BTreeSet::new();
    for file in ["rs", "html"].iter().flat_map(|extension| files(&source, extension)) {
        let relative = file.strip_prefix(&source).expect("below the source").to_string_lossy().into_owned();
        let text = read(&file);
        let is_of_kit = relative.starts_with("kit/");
        assert!(!is_of_kit || !text.contains("WebRequest"), "{relative}: kit/ must not use the request");
        for layer in ["client", "pages"] {
            for module in modules(&text, layer).into_iter().filter(|module| !is_below(&relative, layer, module)) {
                against.insert(format!("{relative}: {layer}/{module}"));
            }
        }
    }
    let known: BTreeSet<String> = LAYER_EXCEPTIONS.iter().map(|(file, module)| format!("{file}: {module}")).collect();
    let (new, gone): (Vec<_>, Vec<_>) = (against.difference(&known).collect(), known.difference(&against).collect());
    assert!(new.is_empty(), "uses of a layer above, or of another page: {new:#?}");
    assert!(gone.is_empty(), "take these out of LAYER_EXCEPTIONS: {gone:#?}");
}

#[test]
fn allowed_dependencies_form_no_cycle() {
    let place = |name: &str| ARROWS.iter().position(|(module, _)| *module == name).expect("a module");
    for (module, uses) in ARROWS {
        for used in *uses {
            assert!(place(used) < place(module), "{module} uses {used}, which stands after it");
        }
    }
}

#[test]
fn the_module_diagram_shows_only_allowed_dependencies() {
    let page = read(&root().join("docs/architecture.md"));
    let diagram = page.split("```mermaid\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a diagram");
    let mut drawn = 0;
    for (user, used) in diagram.lines().flat_map(arrows_of) {
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == user) else { continue };
        assert!(allowed.contains(&used), "docs/architecture.md draws {user} --> {used}, which is not allowed");
        drawn += 1;
    }
    assert!(drawn > 10, "the diagram has only {drawn} arrows between modules");
}

/// The arrows of a line `a & b --> c & d` of a diagram: each user with each module that it uses.
fn arrows_of(line: &str) -> Vec<(&str, &str)> {
    let Some((from, to)) = line.split_once(" --> ") else { return Vec::new() };
    from.split(" & ").flat_map(|user| to.split(" & ").map(move |used| (user.trim(), used.trim()))).collect()
}

/// The dependencies of a crate, by its manifest.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let manifest = read(&root().join(folder).join("Cargo.toml"));
    let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    section.lines().filter_map(|line| line.split(['.', ' ', '=']).next().map(str::to_owned)).collect()
}

/// The functions, by their folders.
pub(super) fn functions() -> Vec<String> {
    let folders = fs::read_dir(root().join("functions")).expect("the functions");
    folders.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn the_log_filter_names_every_function() {
    for function in functions() {
        let name = function.replace('-', "_");
        assert!(shared::log::OWN_CRATES.contains(&name.as_str()), "nothing below a warning of {function} is logged");
    }
}

#[test]
fn crates_depend_one_way() {
    let functions = functions();
    let mut ours: Vec<&str> = functions.iter().map(String::as_str).collect();
    ours.extend(["bench", "fuzz", "gateway", "local-http", "sandbox", "shared", "tests"]);
    let check = |folder: &str, allowed: &[&str]| {
        for used in dependencies(folder) {
            let is_foreign = !ours.contains(&used.as_str());
            assert!(is_foreign || allowed.contains(&used.as_str()), "{folder} depends on {used}");
        }
    };
    check("shared", &[]);
    check("infra/local-http", &[]);
    check("infra/sandbox", &["local-http"]);
    // The dashboard makes requests of the API in its own process.
    let of_the_api = [
        "api-keys",
        "billing",
        "campaigns",
        "connections",
        "redirect-uris",
        "shared",
        "usage-logs",
        "webhook-endpoints",
    ];
    for function in &functions {
        let used: &[&str] = match function.as_str() {
            "dashboard" => &of_the_api,
            // So do the tools of agents.
            "mcp" => &["campaigns", "connections", "shared"],
            _ => &["shared"],
        };
        check(&format!("functions/{function}"), used);
    }
    let below: Vec<&str> =
        ours.iter().copied().filter(|name| !["bench", "fuzz", "gateway", "tests"].contains(name)).collect();
    check("infra/gateway", &below);
    check("infra/bench", &["gateway", "shared"]);
}

pub(super) fn value_after<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.split_once(name)?.1;
    Some(rest.split([',', ' ']).next().unwrap_or_default().trim_matches('"'))
}

#[test]
fn the_table_of_the_template_has_the_keys_of_the_store() {
    use shared::store::table_keys;
    let template = read(&root().join("template.yaml"));
    assert!(template.contains(&format!("AttributeName: {}, KeyType: HASH", table_keys::PARTITION)));
    assert!(template.contains(&format!("AttributeName: {}, KeyType: RANGE", table_keys::SORT)));
    assert!(template.contains(&format!("AttributeName: {}, Enabled: true", table_keys::EXPIRES_AT)));
    assert!(template.contains(&format!("- IndexName: {}\n", table_keys::DUE_INDEX)));
    assert!(template.contains(&format!("AttributeName: {}, KeyType: HASH", table_keys::DUE_KIND)));
    assert!(template.contains(&format!("AttributeName: {}, KeyType: RANGE", table_keys::DUE_AT)));
    for (index, key) in [
        (table_keys::CAMPAIGN_INDEX, table_keys::CAMPAIGN_KEY),
        (table_keys::REFERENCE_INDEX, table_keys::REFERENCE_KEY),
        (table_keys::IDEMPOTENCY_INDEX, table_keys::IDEMPOTENCY_KEY),
        (table_keys::USER_INDEX, table_keys::USER_KEY),
    ] {
        assert!(template.contains(&format!("- IndexName: {index}\n")));
        assert!(template.contains(&format!("AttributeName: {key}, KeyType: HASH")));
    }
}

/// An alarm on a metric that no code writes never rings.
#[test]
fn every_metric_in_the_template_is_written_by_the_code() {
    let code: Vec<String> = ["functions/maintenance/src", "functions/deliveries/src", "shared/src/serve"]
        .iter()
        .flat_map(|folder| rust_files(&root().join(folder)))
        .map(|file| read(&file))
        .collect();
    let template = read(&root().join("template.yaml"));
    assert!(template.contains("METRICS_NAMESPACE: !Sub \"UnifiedAds/${Stage}\""));
    let mut names = Vec::new();
    for part in template.split("Namespace: !Sub \"UnifiedAds/${Stage}\"").skip(1) {
        names.extend(part.lines().filter_map(|line| value_after(line, "MetricName: ")).take(1));
    }
    let alarms = [
        "InternalErrors",
        "ChangesUnsettled",
        "OldestUnsettledChange",
        "OldestUndelivered",
        "Delivered",
        "DeliveriesRefused",
        "ScheduleLateness",
        "RefreshFailures",
        "PlatformVersionsEnding",
    ];
    assert_eq!(names, alarms, "the alarms");
    names.extend(template.lines().filter_map(|line| value_after(line, "[\"UnifiedAds/${Stage}\", \"")));
    // A search shows the metric of each value of its dimension.
    let search = "SEARCH('{\\\"UnifiedAds/${Stage}\\\",Platform} MetricName=\\\"";
    let searched: Vec<&str> = template.split(search).skip(1).filter_map(|rest| rest.split('\\').next()).collect();
    assert_eq!(searched, ["PlatformTime", "PlatformFailures", "PlatformThrottles", "GrantsEnded"]);
    assert!(read(&root().join("shared/src/metrics.rs")).contains("(\"Platform\", "), "the dimension has this name");
    names.extend(searched);
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(code.iter().any(|text| text.contains(&format!("\"{name}\""))), "nobody writes {name}");
    }
    let mut functions: BTreeSet<String> =
        ROUTES.iter().map(|route| format!("{:?}", route.endpoint.function())).collect();
    functions.insert(format!("{:?}", function("GET", DASHBOARD)));
    let shown = template.lines().filter_map(|line| value_after(line, "\"Function\", \""));
    let shown: BTreeSet<String> = shown.map(|word| word.trim_end_matches(['"', ']', '}', ' ']).to_owned()).collect();
    assert_eq!(shown, functions, "each function has its lines in the graphs, by its own name");
}

/// `select!` drops the futures that lose, and they may have something to store. Clippy bans others like it for all crates,
/// but servers of this machine and tests need this one, and clippy exempts no function from the ban of a macro.
#[test]
fn no_function_drops_a_future_that_loses_a_race() {
    for folder in ["shared/src", "functions"] {
        for file in rust_files(&root().join(folder)).iter().filter(|file| !file.ends_with("tests.rs")) {
            assert!(!read(file).contains("select!"), "{}: use join!, or a task of its own", file.display());
        }
    }
}
