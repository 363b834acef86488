//! Tests the platform through its HTTP API, at a fixed time.

mod ads;
mod budgets;
mod campaigns;
mod dates;
mod networks;
mod quirks;
mod reports;
mod requests;
mod searches;
mod updates;

use super::{Alpha, CLIENT, auth};
use crate::fields::changed;
use crate::http::Request;
use crate::platform::AdPlatform;
use serde_json::{Value, json};

const USD: &str = "1002003001";
const JPY: &str = "1002003002";
const KWD: &str = "1002003003";
const EUR: &str = "1002003004";
const MANAGER: &str = "1002003999";

/// A platform with a clock and settings. The token `token` grants access to its accounts.
type Session = crate::session::Session<Alpha>;

impl Session {
    fn new() -> Self {
        let accounts = [USD, JPY, KWD, EUR, MANAGER];
        Self::with_access(&accounts, &[auth::SCOPE])
    }

    fn with_access(accounts: &[&str], scopes: &[&str]) -> Self {
        let mut session = Self::at_noon();
        let accounts = accounts.iter().map(|&account| account.to_owned()).collect();
        session.platform.grants.open(CLIENT.id, accounts, scopes, session.now.as_second(), 3599);
        session
    }

    fn post(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let request = request("POST", path, &body.to_string());
        let response = self.send(&request);
        let body = serde_json::from_str(&response.body).unwrap();
        (response.status, body)
    }

    fn mutate(&mut self, customer: &str, operations: Value) -> (u16, Value) {
        let path = format!("/v26/customers/{customer}/googleAds:mutate");
        self.post(&path, &json!({ "mutateOperations": operations }))
    }

    /// The body of a mutate that succeeds.
    fn mutate_ok(&mut self, customer: &str, operations: Value) -> Value {
        let (status, body) = self.mutate(customer, operations);
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Code and path of every error of a mutate that fails.
    fn mutate_errors(&mut self, customer: &str, operations: Value) -> Vec<(String, String)> {
        let (status, body) = self.mutate(customer, operations);
        assert_eq!(status, 400, "{body}");
        errors(&body)
    }

    fn search(&mut self, customer: &str, query: &str) -> (u16, Value) {
        let path = format!("/v26/customers/{customer}/googleAds:search");
        self.post(&path, &json!({ "query": query }))
    }

    /// Creates a budget and a campaign, and returns the resource names of campaign and budget.
    fn campaign(&mut self, customer: &str, changes: Value) -> (String, String) {
        let created = self.mutate_ok(customer, both(customer, json!({}), changes));
        let name = |at: usize, key: &str| {
            let result = &created["mutateOperationResponses"][at][key];
            result["resourceName"].as_str().unwrap().to_owned()
        };
        (name(1, "campaignResult"), name(0, "campaignBudgetResult"))
    }

    /// One field of one campaign.
    fn field(&mut self, campaign: &str, field: &str) -> Value {
        let customer = campaign.split('/').nth(1).unwrap().to_owned();
        let query = format!("SELECT {field} FROM campaign WHERE campaign.resource_name = '{campaign}'");
        let (status, body) = self.search(&customer, &query);
        assert_eq!(status, 200, "{body}");
        let pointer = super::proto::camel_path(field).replace('.', "/");
        body["results"][0].pointer(&format!("/{pointer}")).cloned().unwrap_or_default()
    }
}

fn request(method: &str, path: &str, body: &str) -> Request {
    crate::session::request(method, path, &[("authorization", "Bearer token")], body)
}

/// `group.VALUE` and path of every error in a response.
fn errors(body: &Value) -> Vec<(String, String)> {
    let errors = body["error"]["details"][0]["errors"].as_array().cloned().unwrap_or_default();
    let code_and_path = |error: &Value| {
        let (group, value) = error["errorCode"].as_object().unwrap().iter().next().unwrap();
        let steps = error["location"]["fieldPathElements"].as_array().cloned().unwrap_or_default();
        let path = steps.iter().map(|step| match step["index"].as_u64() {
            Some(index) => format!("{}[{index}]", step["fieldName"].as_str().unwrap()),
            None => step["fieldName"].as_str().unwrap().to_owned(),
        });
        (format!("{group}.{}", value.as_str().unwrap()), path.collect::<Vec<_>>().join("."))
    };
    errors.iter().map(code_and_path).collect()
}

/// A list with one error.
fn error(code: &str, path: &str) -> Vec<(String, String)> {
    vec![(code.to_owned(), path.to_owned())]
}

/// The object with changed fields. A null in `changes` omits the field.
fn with(base: Value, changes: Value) -> Value {
    changed(base, &changes, &Value::Null)
}

/// The create of a daily budget.
fn budget(customer: &str, changes: Value) -> Value {
    let amount = if customer == JPY { "5000000000" } else { "50000000" };
    let budget = json!({
        "resourceName": format!("customers/{customer}/campaignBudgets/-1"),
        "amountMicros": amount,
        "explicitlyShared": false,
    });
    json!({ "campaignBudgetOperation": { "create": with(budget, changes) } })
}

/// The create of a search campaign with the budget `-1`.
fn campaign(customer: &str, changes: Value) -> Value {
    let campaign = json!({
        "name": "Winter sale",
        "status": "PAUSED",
        "advertisingChannelType": "SEARCH",
        "campaignBudget": format!("customers/{customer}/campaignBudgets/-1"),
        "containsEuPoliticalAdvertising": "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING",
        "networkSettings": networks(true),
        "targetSpend": {},
    });
    json!({ "campaignOperation": { "create": with(campaign, changes) } })
}

/// Explicit values of four networks: Google search for SEARCH, content for DISPLAY.
fn networks(is_search: bool) -> Value {
    json!({
        "targetGoogleSearch": is_search,
        "targetSearchNetwork": false,
        "targetContentNetwork": !is_search,
        "targetPartnerSearchNetwork": false,
    })
}

/// Changes that turn [`campaign`] into a DISPLAY campaign.
fn display(changes: Value) -> Value {
    let display = json!({
        "advertisingChannelType": "DISPLAY",
        "networkSettings": networks(false),
        "targetSpend": null,
        "manualCpm": {},
    });
    // A null stays, because the caller applies the changes to another object.
    changed(display, &changes, &json!("left out"))
}

/// The creates of a budget and a campaign.
fn both(customer: &str, of_budget: Value, of_campaign: Value) -> Value {
    json!([budget(customer, of_budget), campaign(customer, of_campaign)])
}

/// Changes that turn [`budget`] into a total budget.
fn total(micros: &str) -> Value {
    json!({ "amountMicros": null, "totalAmountMicros": micros, "period": "CUSTOM_PERIOD" })
}
