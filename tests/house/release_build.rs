//! Settings of the release build that `sam build` relies on.

use super::architecture::{functions, read, root};

#[test]
fn a_panic_fails_its_request_and_not_the_process() {
    // Without this line `cargo lambda build` sets "abort".
    let manifest = read(&root().join("Cargo.toml"));
    let profile = manifest.split("\n[profile.release]\n").nth(1).and_then(|rest| rest.split("\n[").next());
    assert!(profile.is_some_and(|profile| profile.lines().any(|line| line == "panic = \"unwind\"")));
}

#[test]
fn every_function_and_its_baseline_are_linked_at_a_fixed_address() {
    let folders = functions().into_iter().map(|name| format!("functions/{name}"));
    for folder in folders.chain(["infra/bench".to_owned()]) {
        let manifest = read(&root().join(&folder).join("Cargo.toml"));
        let script = manifest.lines().find_map(|line| line.strip_prefix("build = ")).unwrap_or_default();
        assert!(script.ends_with("link.rs\""), "{folder}/Cargo.toml: {script}");
    }
}
