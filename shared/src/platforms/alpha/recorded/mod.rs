//! Replays of the bodies in `fixtures/recorded`, through the adapter's own calls and its error table.
//!
//! The README beside the bodies names the source of each. Several of them are answers of `searchStream`: an array of
//! pages, which the adapter never asks for. The array as it is must be an error, and each page of it is a response of
//! `search`.

mod errors;
mod pages;
mod tokens;
mod writes;

use crate::domain::{AdAccount, Platform};
use crate::platforms::fake::ScriptedResponse;
use crate::platforms::fixtures;
use crate::platforms::recorded;
use serde_json::Value;

/// Every body that a test of this module replays.
const REPLAYED: [&[&str]; 4] = [errors::REPLAYED, pages::REPLAYED, tokens::REPLAYED, writes::REPLAYED];

fn body(name: &str) -> String {
    recorded::body(Platform::Alpha, name)
}

/// The body as a response of success.
fn good(name: &str) -> ScriptedResponse {
    (200, body(name))
}

/// The one page of a response of `searchStream`.
fn page(name: &str) -> Value {
    let pages: Vec<Value> = serde_json::from_str(&body(name)).unwrap();
    let [page] = pages.as_slice() else { panic!("{name} has {} pages", pages.len()) };
    page.clone()
}

fn account(id: &str) -> AdAccount {
    AdAccount { id: id.into(), ..fixtures::account(Platform::Alpha, "EUR", "Europe/Berlin") }
}

#[test]
fn every_recorded_body_is_replayed_and_has_a_source() {
    recorded::assert_all_replayed(Platform::Alpha, REPLAYED.concat());
}
