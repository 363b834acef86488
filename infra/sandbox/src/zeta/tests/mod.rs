//! Tests of the platform through its own API, at a fixed time.

mod ads;
mod creates;
mod deliveries;
mod quirks;
mod reads;
mod reports;
mod updates;

use super::{CLIENT, Zeta};
use crate::fields::changed;
use crate::http::{Request, Response};
use crate::session::NOON;
use serde_json::{Value, json};

const USD: &str = "a2_h8rbr0001";
const JPY: &str = "a2_h8rbr0002";
const EUR: &str = "a2_h8rbr0003";
const WITHOUT_PIXEL: &str = "a2_h8rbr0004";
const PIXEL: &str = "a2_pxh8rbr0001";

/// Noon in Unix seconds.
const NOW: i64 = 1_772_452_800;

/// A platform on which the token `token` reaches every account but EUR.
type Session = crate::session::Session<Zeta>;

impl Session {
    fn new() -> Self {
        Self::with_scopes(&["adsread", "adsedit"])
    }

    fn with_scopes(scopes: &[&str]) -> Self {
        let mut session = Self::at_noon();
        session.platform.grants.open(
            CLIENT.id,
            [USD, JPY, WITHOUT_PIXEL].map(str::to_owned).to_vec(),
            scopes,
            NOW,
            86_400,
        );
        session
    }

    fn call(&mut self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let Response { status, body, .. } = self.send(&request(method, path, &body));
        (status, serde_json::from_str(&body).unwrap())
    }

    fn get(&mut self, path: &str) -> (u16, Value) {
        self.call("GET", path, &Value::Null)
    }

    fn post(&mut self, account: &str, changes: Value) -> (u16, Value) {
        let path = format!("/ad_accounts/{account}/campaigns");
        self.call("POST", &path, &json!({ "data": with(campaign(), changes) }))
    }

    fn patch(&mut self, id: &str, changes: &Value) -> (u16, Value) {
        self.call("PATCH", &format!("/campaigns/{id}"), &json!({ "data": changes }))
    }

    /// Creates a campaign that the platform accepts.
    fn create(&mut self, changes: Value) -> Value {
        let (status, body) = self.post(USD, changes);
        assert_eq!(status, 201, "{body}");
        body["data"].clone()
    }

    /// Creates a campaign and returns its id.
    fn create_id(&mut self, changes: Value) -> String {
        self.create(changes)["id"].as_str().unwrap().to_owned()
    }

    /// Updates a campaign successfully and returns it.
    fn update(&mut self, id: &str, changes: &Value) -> Value {
        let (status, body) = self.patch(id, changes);
        assert_eq!(status, 200, "{body}");
        body["data"].clone()
    }

    /// Field and message of a rejected create.
    fn create_error(&mut self, changes: Value) -> (String, String) {
        let response = self.post(USD, changes);
        field_error(&response)
    }

    /// Field and message of a rejected update.
    fn update_error(&mut self, id: &str, changes: &Value) -> (String, String) {
        let response = self.patch(id, changes);
        field_error(&response)
    }
}

/// Field and message of a 400.
fn field_error((status, body): &(u16, Value)) -> (String, String) {
    assert_eq!((*status, &body["error"]["code"]), (400, &json!(400)), "{body}");
    let field = &body["error"]["fields"][0];
    let text = |name: &str| field[name].as_str().unwrap().to_owned();
    (text("field"), text("message"))
}

fn request(method: &str, path: &str, body: &str) -> Request {
    let headers = [
        ("authorization", "Bearer token"),
        ("content-type", "application/json"),
        ("user-agent", "web:example.campaigns:v1 (by /u/example)"),
        ("host", "127.0.0.1:4567"),
    ];
    crate::session::request(method, &format!("/api/v3{path}"), &headers, body)
}

/// The value in a change that removes a property. Null is a value of its own.
const REMOVED: &str = "(removed)";

fn with(base: Value, changes: Value) -> Value {
    changed(base, &changes, &json!(REMOVED))
}

/// A valid campaign: paused, 50 dollars per day.
fn campaign() -> Value {
    json!({
        "name": "Winter sale",
        "objective": "CLICKS",
        "configured_status": "PAUSED",
        "is_campaign_budget_optimization": true,
        "goal_type": "DAILY_SPEND",
        "goal_value": 50_000_000,
        "start_time": "2026-03-02T12:05:00Z",
        "bid_strategy": "BIDLESS",
        "bid_type": "CPC",
        "bid_value": null,
        "conversion_pixel_id": PIXEL,
        "optimization_goal": "CLICKS",
    })
}
