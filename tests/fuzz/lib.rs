//! Fuzz targets for everything that reads foreign bytes. Each target takes any bytes, panics where a property does not
//! hold, and returns whether it accepted them.
//!
//! `replay.rs` beside this file is a module of the tests: it passes on the seeds and some mutations of them. `fuzz_targets`
//! pass on the inputs of libFuzzer.

mod bodies;
mod clients;
mod cursors;
mod key;
mod payments;
mod platforms;
mod queries;
mod redirect_uris;
mod rendering;
mod responses;
mod service;

/// A target's name and function.
pub type Target = (&'static str, fn(&[u8]) -> bool);

/// All targets.
pub const TARGETS: [Target; 11] = [
    ("platform", platforms::platform),
    ("payments", payments::responses),
    ("webhook", payments::webhook),
    ("key", key::key),
    ("redirect_uri", redirect_uris::redirect_uri),
    ("client", clients::client),
    ("cursor", cursors::cursor),
    ("body", bodies::body),
    ("query", queries::query),
    ("callback", service::callback),
    ("request", service::request),
];

/// Passes an input to a target. Returns whether it was accepted.
pub fn play(target: &str, input: &[u8]) -> bool {
    let found = TARGETS.iter().find(|(name, _)| *name == target);
    let (_, play) = found.expect("a target of this name");
    play(input)
}
