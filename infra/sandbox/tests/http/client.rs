//! A sandbox on a free port, with a client that acts as browser and as API client.

use crate::oauth_client::{ClientAuthentication, FORM, OAuthClient};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::redirect::Policy;
use reqwest::{Client, Method};
use sandbox::{Options, Running};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use url::{Url, form_urlencoded};

pub(crate) const USD: &str = "1002003001";
pub(crate) const REDIRECT: &str = "http://127.0.0.1:9999/v1/oauth/callback/alpha_ads";
// The example of RFC 7636, appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) text: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// A text of the JSON body.
    pub(crate) fn field(&self, name: &str) -> String {
        self.json()[name].as_str().unwrap().to_owned()
    }

    /// The access and the refresh token.
    pub(crate) fn tokens(&self) -> (String, String) {
        (self.field("access_token"), self.field("refresh_token"))
    }

    /// Query parameters of the redirect.
    pub(crate) fn redirect(&self) -> BTreeMap<String, String> {
        assert_eq!(self.status, 302, "{}", self.text);
        let to = &self.headers["location"];
        assert!(to.starts_with(REDIRECT), "{to}");
        Url::parse(to).unwrap().query_pairs().into_owned().collect()
    }
}

pub(crate) struct TestServer {
    pub(crate) running: Running,
    http: Client,
}

pub(crate) fn form(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// A form of `defaults` with some changes, sorted by name. Empty values are omitted.
pub(crate) fn form_with(defaults: &[(&str, &str)], changes: &[(&str, &str)]) -> String {
    let parameters: BTreeMap<_, _> = defaults.iter().chain(changes).copied().collect();
    let kept: Vec<_> = parameters.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    form(&kept)
}

/// The Basic header of a platform's client with the given secret, right or wrong.
pub(crate) fn basic(platform: &str, secret: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{}:{secret}", sandbox::client(platform).unwrap().id)))
}

/// The client of `alpha_ads`, which most tests use.
const ALPHA: OAuthClient = OAuthClient {
    platform: "alpha_ads",
    authorize: "/alpha_ads/o/oauth2/v2/auth",
    token: "/alpha_ads/token",
    authentication: ClientAuthentication::Body,
    consent: &[
        ("scope", "https://www.googleapis.com/auth/adwords"),
        ("access_type", "offline"),
        ("prompt", "consent"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ],
    exchange: &[("code_verifier", VERIFIER)],
    headers: &[],
};

/// An authorization URL of `alpha_ads` with changed parameters. An empty value removes one.
pub(crate) fn authorize(changes: &[(&str, &str)]) -> String {
    ALPHA.authorize(changes)
}

impl TestServer {
    pub(crate) async fn new() -> Self {
        Self::start(None).await
    }

    pub(crate) async fn start(data: Option<&Path>) -> Self {
        let options = Options { port: 0, data: data.map(Path::to_owned) };
        let running = sandbox::start(options).await.unwrap();
        Self { running, http: client() }
    }

    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> reqwest::Result<Response> {
        let method: Method = method.parse().unwrap();
        let url = format!("{}{path}", self.running.url());
        let mut request = self.http.request(method, url).body(body.to_owned());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await?;
        let value = |value: &reqwest::header::HeaderValue| value.to_str().unwrap().to_owned();
        let headers = response.headers().iter();
        let headers = headers.map(|(name, text)| (name.to_string(), value(text))).collect();
        Ok(Response { status: response.status().as_u16(), headers, text: response.text().await? })
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.send("GET", path, &[], "").await.unwrap()
    }

    pub(crate) async fn submit(&self, path: &str, pairs: &[(&str, &str)]) -> Response {
        self.send("POST", path, &[FORM], &form(pairs)).await.unwrap()
    }

    pub(crate) async fn control(&self, name: &str, body: Value) -> Response {
        let json = [("content-type", "application/json")];
        self.send("POST", &format!("/_sandbox/{name}"), &json, &body.to_string()).await.unwrap()
    }

    /// Approves on a consent page and returns the parameters of the redirect.
    pub(crate) async fn approve_at(&self, address: &str, accounts: &[&str]) -> BTreeMap<String, String> {
        let mut pairs = vec![("decision", "approve")];
        pairs.extend(accounts.iter().map(|account| ("account", *account)));
        self.submit(address, &pairs).await.redirect()
    }

    /// Approves and returns the code.
    pub(crate) async fn approve(&self, changes: &[(&str, &str)], accounts: &[&str]) -> String {
        ALPHA.code(self, changes, accounts).await
    }

    pub(crate) async fn exchange(&self, code: &str, changes: &[(&str, &str)]) -> Response {
        ALPHA.exchange(self, code, changes).await
    }

    pub(crate) async fn refresh(&self, token: &str) -> Response {
        ALPHA.refresh(self, token).await
    }

    pub(crate) async fn connect(&self) -> (String, String) {
        ALPHA.connect(self).await
    }

    pub(crate) async fn call(&self, token: &str, path: &str, body: &Value) -> reqwest::Result<Response> {
        ALPHA.call(self, "POST", token, &format!("/alpha_ads{path}"), body).await
    }

    pub(crate) async fn search(&self, token: &str, query: &str) -> reqwest::Result<Response> {
        let path = format!("/v26/customers/{USD}/googleAds:search");
        self.call(token, &path, &json!({ "query": query })).await
    }

    pub(crate) async fn create(&self, token: &str, name: &str) -> reqwest::Result<Response> {
        let path = format!("/v26/customers/{USD}/googleAds:mutate");
        self.call(token, &path, &creation(name)).await
    }

    /// The names of the campaigns at the control address.
    pub(crate) async fn names(&self) -> Vec<String> {
        let body = self.get("/_sandbox/campaigns?platform=alpha_ads").await.json();
        let campaigns = body["campaigns"].as_array().unwrap();
        campaigns.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    }
}

/// A mutation that creates a campaign with its budget.
pub(crate) fn creation(name: &str) -> Value {
    let budget = format!("customers/{USD}/campaignBudgets/-1");
    json!({ "mutateOperations": [
        { "campaignBudgetOperation": { "create": {
            "resourceName": budget, "amountMicros": "50000000", "explicitlyShared": false } } },
        { "campaignOperation": { "create": {
            "name": name,
            "status": "PAUSED",
            "advertisingChannelType": "SEARCH",
            "campaignBudget": budget,
            "containsEuPoliticalAdvertising": "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING",
            "networkSettings": {
                "targetGoogleSearch": true, "targetSearchNetwork": false,
                "targetContentNetwork": false, "targetPartnerSearchNetwork": false },
            "targetSpend": {} } } },
    ] })
}

#[expect(clippy::disallowed_methods, reason = "the sandbox shares no client with the workspace")]
fn client() -> Client {
    // reqwest needs a TLS provider even for plain HTTP.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().redirect(Policy::none()).no_proxy().build().unwrap()
}
