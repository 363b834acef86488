//! A sandbox on a free port or in process, with a client that acts as browser and as API client.

use crate::alpha::{CLIENT as ALPHA, creation};
use crate::oauth_client::FORM;
use axum::body::Bytes;
use axum::http::{HeaderMap, Request};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use reqwest::redirect::Policy;
use reqwest::{Client, Method};
use sandbox::{InProcess, Options, Running};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use tokio::time::Instant;
use url::{Url, form_urlencoded};

const HOST: &str = "127.0.0.1:4567";
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

    /// The JSON body; null if there is none.
    pub(crate) fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
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

/// A sandbox with a client that acts as browser and as API client.
pub(crate) struct TestServer(Transport);

enum Transport {
    Http { running: Running, http: Client },
    InProcess(InProcess),
}

/// The time at which a sandbox in process starts: 07:00 in New York, 21:00 in Tokyo.
pub(crate) const NOON: &str = "2026-03-02T12:00:00Z";

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

/// An authorization URL of `alpha_ads` with changed parameters. An empty value removes one.
pub(crate) fn authorize(changes: &[(&str, &str)]) -> String {
    ALPHA.authorize(changes)
}

impl TestServer {
    pub(crate) async fn new() -> Self {
        Self::start(None).await
    }

    /// A sandbox on a free port, with its state in a folder.
    pub(crate) async fn start(data: Option<&Path>) -> Self {
        let options = Options { port: 0, data: data.map(Path::to_owned) };
        let running = sandbox::start(options).await.unwrap();
        Self(Transport::Http { running, http: client() })
    }

    /// A sandbox without a socket, on tokio's clock.
    pub(crate) fn in_process() -> Self {
        let start: Timestamp = NOON.parse().unwrap();
        let begun = Instant::now();
        Self(Transport::InProcess(InProcess::new(move || start + begun.elapsed())))
    }

    /// The server of a sandbox with a socket.
    pub(crate) fn running(&self) -> &Running {
        match &self.0 {
            Transport::Http { running, .. } => running,
            Transport::InProcess(_) => panic!("this sandbox has no socket"),
        }
    }

    pub(crate) async fn stop(self) {
        if let Transport::Http { running, .. } = self.0 {
            running.stop().await;
        }
    }

    /// The address in the sandbox's links.
    pub(crate) fn url(&self) -> String {
        match &self.0 {
            Transport::Http { running, .. } => running.url(),
            Transport::InProcess(_) => format!("http://{HOST}"),
        }
    }

    /// Sends a request; `None` for a connection that closes without a response.
    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Option<Response> {
        match &self.0 {
            Transport::Http { http, .. } => {
                let method: Method = method.parse().unwrap();
                let mut request = http.request(method, format!("{}{path}", self.url())).body(body.to_owned());
                for (name, value) in headers {
                    request = request.header(*name, *value);
                }
                let response = request.send().await.ok()?;
                let (status, headers) = (response.status().as_u16(), texts(response.headers()));
                Some(Response { status, headers, text: response.text().await.ok()? })
            }
            Transport::InProcess(sandbox) => {
                let mut request = Request::builder().method(method).uri(path).header("host", HOST);
                for (name, value) in headers {
                    request = request.header(*name, *value);
                }
                let response = sandbox.handle(request.body(Bytes::from(body.to_owned())).unwrap()).await?;
                let (status, headers) = (response.status().as_u16(), texts(response.headers()));
                Some(Response { status, headers, text: String::from_utf8(response.body().to_vec()).unwrap() })
            }
        }
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

    pub(crate) async fn call(&self, token: &str, path: &str, body: &Value) -> Option<Response> {
        ALPHA.call(self, "POST", token, &format!("/alpha_ads{path}"), body).await
    }

    pub(crate) async fn search(&self, token: &str, query: &str) -> Option<Response> {
        let path = format!("/v26/customers/{USD}/googleAds:search");
        self.call(token, &path, &json!({ "query": query })).await
    }

    pub(crate) async fn create(&self, token: &str, name: &str) -> Option<Response> {
        let path = format!("/v26/customers/{USD}/googleAds:mutate");
        self.call(token, &path, &creation(USD, name)).await
    }

    /// The names of a platform's campaigns at the control address.
    pub(crate) async fn names(&self, platform: &str) -> Vec<String> {
        let body = self.get(&format!("/_sandbox/campaigns?platform={platform}")).await.json();
        let campaigns = body["campaigns"].as_array().unwrap();
        campaigns.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    }
}

fn texts(headers: &HeaderMap) -> BTreeMap<String, String> {
    headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect()
}

#[expect(clippy::disallowed_methods, reason = "the sandbox shares no client with the workspace")]
fn client() -> Client {
    // reqwest needs a TLS provider even for plain HTTP.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().redirect(Policy::none()).no_proxy().build().unwrap()
}
