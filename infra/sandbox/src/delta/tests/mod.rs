//! Tests of the platform through its own API, at a fixed time.

mod bidding;
mod budgets;
mod campaigns;
mod creatives;
mod dates;
mod lists;
mod reports;
mod requests;
mod updates;

use super::{CLIENT, Delta};
use crate::fields::changed;
use crate::http::{Request, Response};
use crate::platform::AdPlatform;
use serde_json::{Value, json};

const USD: i64 = 512_300_001;
const JPY: i64 = 512_300_002;
const EUR: i64 = 512_300_003;
const CANCELED: i64 = 512_300_004;
/// The account without a company page.
const WITHOUT_PAGE: i64 = 512_300_005;

const DAY: i64 = 86_400_000;

/// A platform on which the token `token` reaches every account but EUR. USD and JPY have a campaign group.
type Session = crate::session::Session<Delta>;

impl Session {
    fn new() -> Self {
        let mut session = Self::with_access(&[USD, JPY, CANCELED], &["rw_ads", "r_ads_reporting"]);
        session.group(USD);
        session.group(JPY);
        session
    }

    fn with_access(accounts: &[i64], scopes: &[&str]) -> Self {
        let mut session = Self::at_noon();
        let accounts = accounts.iter().map(i64::to_string).collect();
        session.platform.grants.open(CLIENT.id, accounts, scopes, session.now.as_second(), 10_000_000);
        session
    }

    fn now_ms(&self) -> i64 {
        self.now.as_millisecond()
    }

    fn get(&mut self, path: &str) -> (u16, Value) {
        let response = self.send(&request("GET", path, ""));
        (response.status, serde_json::from_str(&response.body).unwrap())
    }

    fn group(&mut self, account: i64) -> i64 {
        let group = json!({
            "account": format!("urn:li:sponsoredAccount:{account}"),
            "name": "Spring",
            "status": "ACTIVE",
            "runSchedule": { "start": self.now_ms() },
        });
        let path = format!("/rest/adAccounts/{account}/adCampaignGroups");
        self.create(&request("POST", &path, &group.to_string()))
    }

    /// Sends a create that succeeds and returns the new id.
    fn create(&mut self, request: &Request) -> i64 {
        let response = self.send(request);
        assert_eq!((response.status, response.body.as_str()), (201, ""), "{}", response.body);
        header(&response, "x-restli-id").unwrap().parse().unwrap()
    }

    /// The fields of a campaign in the account's newest group, with changes; null removes a field.
    fn campaign_fields(&self, account: i64, changes: &Value) -> Value {
        let held = self.platform.accounts.iter().find(|held| held.id == account).unwrap();
        let group = held.groups.keys().last().copied().unwrap_or_default();
        let (amount, code) = if account == JPY { ("5000", "JPY") } else { ("50.00", "USD") };
        let fields = json!({
            "account": format!("urn:li:sponsoredAccount:{account}"),
            "campaignGroup": format!("urn:li:sponsoredCampaignGroup:{group}"),
            "name": "Winter sale",
            "type": "SPONSORED_UPDATES",
            "objectiveType": "WEBSITE_VISIT",
            "costType": "CPM",
            "status": "PAUSED",
            "dailyBudget": { "amount": amount, "currencyCode": code },
            "runSchedule": { "start": self.now_ms() + 600_000 },
            "locale": { "country": "US", "language": "en" },
            "targetingCriteria": { "include": { "and": [
                { "or": { "urn:li:adTargetingFacet:locations": ["urn:li:geo:103644278"] } },
                { "or": { "urn:li:adTargetingFacet:interfaceLocales": ["urn:li:locale:en_US"] } },
            ] } },
            "offsiteDeliveryEnabled": false,
            "politicalIntent": "NOT_POLITICAL",
            "optimizationTargetType": "MAX_CLICK",
        });
        let entity = json!({ "associatedEntity": held.json(&self.platform.ads)["reference"] });
        changed(changed(fields, &entity, &Value::Null), changes, &Value::Null)
    }

    fn campaign(&mut self, account: i64, changes: &Value) -> i64 {
        let fields = self.campaign_fields(account, changes);
        self.create(&creation(account, &fields))
    }

    /// Code and path of every error of a create.
    fn create_errors(&mut self, account: i64, changes: &Value) -> Vec<(String, String)> {
        let fields = self.campaign_fields(account, changes);
        errors(&self.send(&creation(account, &fields)))
    }

    fn patch(&mut self, id: i64, patch: &Value) -> Response {
        let path = format!("/rest/adAccounts/{USD}/adCampaigns/{id}");
        let mut request = request("POST", &path, &json!({ "patch": patch }).to_string());
        request.headers.insert("x-restli-method".to_owned(), "PARTIAL_UPDATE".to_owned());
        self.send(&request)
    }

    fn get_campaign(&mut self, id: i64) -> Value {
        let (status, body) = self.get(&format!("/rest/adAccounts/{USD}/adCampaigns/{id}"));
        assert_eq!(status, 200, "{body}");
        body
    }
}

/// The newest campaign in the form of `GET /_sandbox/campaigns`.
fn summary(session: &Session) -> Value {
    session.platform.campaigns(session.now).pop().unwrap()
}

fn header<'r>(response: &'r Response, name: &str) -> Option<&'r str> {
    response.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
}

fn request(method: &str, path: &str, body: &str) -> Request {
    let headers = [
        ("authorization", "Bearer token"),
        ("linkedin-version", "202607"),
        ("x-restli-protocol-version", "2.0.0"),
        ("content-type", "application/json"),
    ];
    crate::session::request(method, path, &headers, body)
}

fn creation(account: i64, fields: &Value) -> Request {
    request("POST", &format!("/rest/adAccounts/{account}/adCampaigns"), &fields.to_string())
}

/// Code and path of every input error of a response.
fn errors(response: &Response) -> Vec<(String, String)> {
    assert_eq!(response.status, 400, "{}", response.body);
    let body: Value = serde_json::from_str(&response.body).unwrap();
    let errors = body["errorDetails"]["inputErrors"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    errors.iter().map(|one| (text(&one["code"]), text(&one["input"]["inputPath"]["fieldPath"]))).collect()
}

/// A single expected error.
fn error(code: &str, path: &str) -> Vec<(String, String)> {
    vec![(code.to_owned(), path.to_owned())]
}

fn usd(amount: &str) -> Value {
    json!({ "amount": amount, "currencyCode": "USD" })
}
