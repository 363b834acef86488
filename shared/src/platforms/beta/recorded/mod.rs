//! Replays of the bodies in `fixtures/recorded`, through the adapter's own calls and its error table.
//!
//! The README beside the bodies names the source of each. Some were recorded with older versions of the Graph API or
//! with other fields than the adapter asks for; the constant of such a body says so.

mod ads;
mod errors;
mod pages;
mod tokens;
mod writes;

use crate::domain::{AdAccount, Platform};
use crate::platforms::AccountSession;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse};
use crate::platforms::fixtures;
use crate::platforms::recorded;

/// Every body that a test of this module replays.
const REPLAYED: [&[&str]; 5] = [ads::REPLAYED, errors::REPLAYED, pages::REPLAYED, tokens::REPLAYED, writes::REPLAYED];

fn body(name: &str) -> String {
    recorded::body(Platform::Beta, name)
}

/// The body as a response of success.
fn good(name: &str) -> ScriptedResponse {
    (200, body(name))
}

/// A session in an account whose reports are `report` and whose other responses are `answer`.
fn session(id: &str, currency: &str, response: ScriptedResponse, report: ScriptedResponse) -> AccountSession {
    let account = AdAccount { id: id.into(), ..fixtures::account(Platform::Beta, currency, "UTC") };
    let response = move |request: &ReceivedRequest| {
        if request.line.contains("/insights?") { report.clone() } else { response.clone() }
    };
    Fake::new(response).session_of(Platform::Beta, account)
}

#[test]
fn every_recorded_body_is_replayed_and_has_a_source() {
    recorded::assert_all_replayed(Platform::Beta, REPLAYED.concat());
}
