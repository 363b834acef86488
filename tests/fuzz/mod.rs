//! Fuzz targets for everything that reads foreign bytes. Each target takes any bytes, panics where a property does not
//! hold, and returns whether it accepted them.
//!
//! This folder is two things: a module of the tests, which replay the seeds and some mutations of them, and the crate
//! whose `fuzz_targets` pass on the inputs of libFuzzer.

mod bodies;
mod cursors;
mod key;
mod payments;
mod platforms;
mod queries;
mod redirect_uris;
mod rendered;
mod responses;
mod service;

#[cfg(test)]
mod replay;

/// A target's name and function.
type Target = (&'static str, fn(&[u8]) -> bool);

/// All targets.
const TARGETS: [Target; 10] = [
    ("platform", platforms::platform),
    ("payments", payments::responses),
    ("webhook", payments::webhook),
    ("key", key::key),
    ("redirect_uri", redirect_uris::redirect_uri),
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
