//! The rules of the platform, asked of it in its own form at a fixed time.

mod budgets;
mod campaigns;
mod networks;
mod quirks;
mod requests;
mod searches;
mod updates;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Alpha, CLIENT, api};
use crate::fields::changed;
use crate::http::{Reply, Request};
use crate::platform::{Platform, RequestContext, Settings};

const USD: &str = "1002003001";
const JPY: &str = "1002003002";
const KWD: &str = "1002003003";
const EUR: &str = "1002003004";
const MANAGER: &str = "1002003999";

/// Monday, 2 March 2026, noon in London: 7 in New York, 21 in Tokyo.
const NOON: &str = "2026-03-02T12:00:00Z";

/// A platform whose every account is open to the token `token`.
struct Scene {
    alpha: Alpha,
    now: Timestamp,
    settings: Settings,
}

impl Scene {
    fn new() -> Self {
        let accounts = [USD, JPY, KWD, EUR, MANAGER];
        Self::open_to(&accounts, &[api::SCOPE])
    }

    fn open_to(accounts: &[&str], scopes: &[&str]) -> Self {
        let mut scene = Self { alpha: Alpha::default(), now: NOON.parse().unwrap(), settings: Settings::default() };
        let accounts = accounts.iter().map(|&account| account.to_owned()).collect();
        scene.alpha.grants.open(CLIENT.id, accounts, scopes, scene.now.as_second(), 3599);
        scene
    }

    fn quirk(&mut self, name: &'static str) {
        self.settings.quirks.insert(name);
    }

    fn send(&mut self, request: &Request) -> Reply {
        let moment = RequestContext { now: self.now, settings: &self.settings };
        self.alpha.answer(request, &moment)
    }

    fn post(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let request = request("POST", path, &body.to_string());
        let reply = self.send(&request);
        let body = serde_json::from_str(&reply.body).unwrap();
        (reply.status, body)
    }

    fn mutate(&mut self, customer: &str, operations: Value) -> (u16, Value) {
        let path = format!("/v26/customers/{customer}/googleAds:mutate");
        self.post(&path, &json!({ "mutateOperations": operations }))
    }

    /// The answer of a mutation that has to succeed.
    fn does(&mut self, customer: &str, operations: Value) -> Value {
        let (status, body) = self.mutate(customer, operations);
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Code and place of every error of a mutation that has to fail.
    fn fails(&mut self, customer: &str, operations: Value) -> Vec<(String, String)> {
        let (status, body) = self.mutate(customer, operations);
        assert_eq!(status, 400, "{body}");
        errors(&body)
    }

    fn search(&mut self, customer: &str, query: &str) -> (u16, Value) {
        let path = format!("/v26/customers/{customer}/googleAds:search");
        self.post(&path, &json!({ "query": query }))
    }

    /// Creates budget and campaign; gives the campaign's name and the budget's.
    fn campaign(&mut self, customer: &str, changes: Value) -> (String, String) {
        let created = self.does(customer, both(customer, json!({}), changes));
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
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers: [("authorization".to_owned(), "Bearer token".to_owned())].into(),
        body: body.to_owned(),
    }
}

/// `group.VALUE` and place of every error of an answer.
fn errors(body: &Value) -> Vec<(String, String)> {
    let errors = body["error"]["details"][0]["errors"].as_array().cloned().unwrap_or_default();
    let show = |error: &Value| {
        let (group, value) = error["errorCode"].as_object().unwrap().iter().next().unwrap();
        let steps = error["location"]["fieldPathElements"].as_array().cloned().unwrap_or_default();
        let place = steps.iter().map(|step| match step["index"].as_u64() {
            Some(index) => format!("{}[{index}]", step["fieldName"].as_str().unwrap()),
            None => step["fieldName"].as_str().unwrap().to_owned(),
        });
        (format!("{group}.{}", value.as_str().unwrap()), place.collect::<Vec<_>>().join("."))
    };
    errors.iter().map(show).collect()
}

/// The one error that is expected.
fn error(code: &str, place: &str) -> Vec<(String, String)> {
    vec![(code.to_owned(), place.to_owned())]
}

fn with(base: Value, changes: Value) -> Value {
    changed(base, &changes, &Value::Null)
}

/// A daily budget, its amount in the currency of the account.
fn budget(customer: &str, changes: Value) -> Value {
    let amount = if customer == JPY { "5000000000" } else { "50000000" };
    let budget = json!({
        "resourceName": format!("customers/{customer}/campaignBudgets/-1"),
        "amountMicros": amount,
        "explicitlyShared": false,
    });
    json!({ "campaignBudgetOperation": { "create": with(budget, changes) } })
}

/// A search campaign on the budget `-1`.
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

/// All four networks as clients state them: Google search for SEARCH, content for DISPLAY.
fn networks(is_search: bool) -> Value {
    json!({
        "targetGoogleSearch": is_search,
        "targetSearchNetwork": false,
        "targetContentNetwork": !is_search,
        "targetPartnerSearchNetwork": false,
    })
}

/// The changes that make this module's campaign one of DISPLAY.
fn display(changes: Value) -> Value {
    let display = json!({
        "advertisingChannelType": "DISPLAY",
        "networkSettings": networks(false),
        "targetSpend": null,
        "manualCpm": {},
    });
    // Null has a meaning here and stays.
    changed(display, &changes, &json!("left out"))
}

fn both(customer: &str, of_budget: Value, of_campaign: Value) -> Value {
    json!([budget(customer, of_budget), campaign(customer, of_campaign)])
}

fn total(micros: &str) -> Value {
    json!({ "amountMicros": null, "totalAmountMicros": micros, "period": "CUSTOM_PERIOD" })
}
