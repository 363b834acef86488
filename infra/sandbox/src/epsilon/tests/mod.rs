//! Tests of the platform through its own API, at a fixed time.

mod ads;
mod creates;
mod deliveries;
mod quirks;
mod reads;
mod reports;
mod updates;

use super::{CLIENT, Epsilon};
use crate::fields::changed;
use crate::http::{Request, Response};
use serde_json::{Value, json};

const USD: &str = "549755813001";
const JPY: &str = "549755813002";
const EUR: &str = "549755813003";
const ANALYST: &str = "549755813004";

/// Noon in Unix seconds.
const NOW: i64 = 1_772_452_800;

/// A platform on which the token `token` reaches every account but EUR.
type Session = crate::session::Session<Epsilon>;

impl Session {
    fn new() -> Self {
        Self::with_scopes(&["ads:read", "ads:write"])
    }

    fn with_scopes(scopes: &[&str]) -> Self {
        let mut session = Self::at_noon();
        session.platform.grants.open(CLIENT.id, [USD, JPY, ANALYST].map(str::to_owned).to_vec(), scopes, NOW, 3600);
        session
    }

    fn call(&mut self, request: &Request) -> (u16, Value) {
        let Response { status, body, .. } = self.send(request);
        (status, serde_json::from_str(&body).unwrap())
    }

    fn get(&mut self, path: &str) -> (u16, Value) {
        self.call(&request("GET", path, ""))
    }

    fn write(&mut self, method: &str, account: &str, body: &Value) -> (u16, Value) {
        let path = format!("/v5/ad_accounts/{account}/campaigns");
        self.call(&request(method, &path, &body.to_string()))
    }

    /// Creates a campaign that the platform accepts.
    fn create(&mut self, changes: Value) -> Value {
        let (status, body) = self.write("POST", USD, &json!([item(changes)]));
        assert_eq!(status, 200, "{body}");
        accepted(&body)
    }

    /// The message for an item that the platform rejects in a response with status 200.
    fn rejects(&mut self, method: &str, item: Value) -> String {
        let (status, body) = self.write(method, USD, &json!([item]));
        assert_eq!(status, 200, "{body}");
        assert_eq!(body["items"][0]["data"], json!({}), "{body}");
        body["items"][0]["exceptions"][0]["message"].as_str().unwrap().to_owned()
    }

    /// Updates a campaign successfully and returns it.
    fn update(&mut self, id: &Value, changes: Value) -> Value {
        let (status, body) = self.write("PATCH", USD, &json!([change(id, changes)]));
        assert_eq!(status, 200, "{body}");
        accepted(&body)
    }

    /// The ids and the bookmark of a list.
    fn ids(&mut self, query: &str) -> (Vec<String>, Value) {
        let (status, body) = self.get(&format!("/v5/ad_accounts/{USD}/campaigns?{query}"));
        assert_eq!(status, 200, "{body}");
        let ids = body["items"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned());
        (ids.collect(), body["bookmark"].clone())
    }
}

fn accepted(body: &Value) -> Value {
    assert_eq!(body["items"][0]["exceptions"], json!([]), "{body}");
    body["items"][0]["data"].clone()
}

fn request(method: &str, path: &str, body: &str) -> Request {
    let headers = [("authorization", "Bearer token"), ("content-type", "application/json")];
    crate::session::request(method, path, &headers, body)
}

/// The value in a change that removes a property. Null is a value of its own.
const REMOVED: &str = "(removed)";

fn with(base: Value, changes: Value) -> Value {
    changed(base, &changes, &json!(REMOVED))
}

/// A valid campaign: paused, 50 dollars per day.
fn item(changes: Value) -> Value {
    let item = json!({
        "ad_account_id": USD,
        "name": "Winter sale",
        "objective_type": "CONSIDERATION",
        "status": "PAUSED",
        "is_campaign_budget_optimization": true,
        "daily_spend_cap": 50_000_000,
    });
    with(item, changes)
}

fn change(id: &Value, changes: Value) -> Value {
    with(json!({ "id": id, "ad_account_id": USD }), changes)
}
