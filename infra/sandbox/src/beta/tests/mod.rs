//! Tests the platform through its HTTP API, at a fixed time.

mod ads;
mod budgets;
mod campaigns;
mod insights;
mod lists;
mod quirks;
mod reports;
mod requests;
mod tokens;

use super::{Beta, CLIENT};
use crate::fields::changed;
use crate::http::Request;
use serde_json::{Value, json};

const USD: &str = "act_1203004005006001";
const JPY: &str = "act_1203004005006002";
const BHD: &str = "act_1203004005006003";
const COP: &str = "act_1203004005006004";
const EUR: &str = "act_1203004005006005";

/// A platform with a clock and settings. The token `token` grants access to its accounts.
type Session = crate::session::Session<Beta>;

impl Session {
    fn new() -> Self {
        Self::with_access(&[USD, JPY, BHD, COP, EUR], &["ads_management", "ads_read"])
    }

    fn with_access(accounts: &[&str], scopes: &[&str]) -> Self {
        let mut session = Self::at_noon();
        let accounts = accounts.iter().map(|&account| account.to_owned()).collect();
        session.platform.grants.open(CLIENT.id, accounts, scopes, session.now.as_second(), 3600);
        session
    }

    fn call(&mut self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let response = self.send(&request(method, path, body));
        (response.status, serde_json::from_str(&response.body).unwrap())
    }

    /// The body of a GET that succeeds.
    fn get(&mut self, path: &str) -> Value {
        let (status, body) = self.call("GET", path, &Value::Null);
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Code, subcode and blamed parameter of a call that fails.
    fn call_error(&mut self, method: &str, path: &str, body: &Value) -> (u64, u64, String) {
        let (status, body) = self.call(method, path, body);
        assert!(status >= 400, "{body}");
        error(&body)
    }

    /// Creates a campaign with changed parameters and returns its id.
    fn campaign(&mut self, account: &str, changes: Value) -> String {
        let (status, body) = self.call("POST", &format!("/v26.0/{account}/campaigns"), &campaign_params(changes));
        assert_eq!((status, body.as_object().unwrap().len()), (200, 1), "{body}");
        body["id"].as_str().unwrap().to_owned()
    }

    /// The error of a create with changed parameters.
    fn create_error(&mut self, changes: Value) -> (u64, u64, String) {
        self.call_error("POST", &format!("/v26.0/{USD}/campaigns"), &campaign_params(changes))
    }

    /// One field of one campaign.
    fn field(&mut self, id: &str, field: &str) -> Value {
        self.get(&format!("/v26.0/{id}?fields={field}"))[field].clone()
    }

    /// The ids on the first page of a list.
    fn ids(&mut self, path: &str) -> Vec<String> {
        let rows = self.get(path)["data"].as_array().unwrap().clone();
        rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    }
}

/// A request with a JSON body. Null omits the body.
fn request(method: &str, path: &str, body: &Value) -> Request {
    let headers = [("authorization", "Bearer token"), ("content-type", "application/json"), ("host", "127.0.0.1:1")];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    crate::session::request(method, path, &headers, &body)
}

/// Code, subcode (0 for none) and blamed parameter of an error.
fn error(body: &Value) -> (u64, u64, String) {
    let error = &body["error"];
    let data: Value = serde_json::from_str(error["error_data"].as_str().unwrap_or("{}")).unwrap();
    let blame = data["blame_field_specs"][0][0].as_str().unwrap_or_default();
    (error["code"].as_u64().unwrap(), error["error_subcode"].as_u64().unwrap_or(0), blame.to_owned())
}

/// Error 100 with a subcode and the blamed parameter.
fn parameter_error(subcode: u64, blame: &str) -> (u64, u64, String) {
    (100, subcode, blame.to_owned())
}

/// Parameters of a valid create with changes. A null in `changes` omits the parameter.
fn campaign_params(changes: Value) -> Value {
    let params = json!({
        "name": "Winter sale",
        "objective": "OUTCOME_TRAFFIC",
        "status": "PAUSED",
        "special_ad_categories": [],
        "daily_budget": 5000,
    });
    changed(params, &changes, &Value::Null)
}
