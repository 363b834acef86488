//! For tests: a platform in this process with scripted responses. It records the requests.
//!
//! No response takes time. A test in which one is missing pauses the clock, so that the deadline comes at once, and the
//! load of the machine makes no difference.

use crate::domain::{AdAccount, CampaignDraft, ChangeId, Marker, Platform, PlatformCampaign};
use crate::error::Error;
use crate::outbound::{Failure, Outbound, OutboundRequest, OutboundResponse, Transport};
use crate::platforms::config::{self, PlatformConfig};
use crate::platforms::fixtures::account;
use crate::platforms::settings::Settings;
use crate::platforms::{AccountSession, AdPlatform, CallContext, CreateInput, PreparedCreate};
use async_trait::async_trait;
use http::{HeaderMap, HeaderName, StatusCode};
use serde_json::Value;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use url::Url;

/// A request that was received.
#[derive(Clone, Debug)]
pub(in crate::platforms) struct ReceivedRequest {
    /// Method, path with query, and version.
    pub(in crate::platforms) line: String,
    /// In lower case.
    pub(in crate::platforms) headers: String,
    /// JSON, or null.
    pub(in crate::platforms) body: Value,
    /// The body as received.
    pub(in crate::platforms) text: String,
}

/// Status and body; with status 0 no response ever comes, and with status 1 nothing is sent.
pub(in crate::platforms) type ScriptedResponse = (u16, String);

/// How long a session may call: no test comes near it, but for a response that is missing.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The connection of a call without a response breaks after this time, so that a call without a deadline fails its test.
const SILENCE: Duration = Duration::from_secs(3_600);

/// Status, headers as lines that each end in CR LF, and body.
type FullResponse = (u16, String, String);

/// Computes the response of each request.
type Script = dyn FnMut(&ReceivedRequest) -> FullResponse + Send;

/// The platform.
#[derive(Clone)]
pub(in crate::platforms) struct Fake {
    /// `None` for a platform that accepts no connection.
    script: Option<Arc<Mutex<Script>>>,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
}

/// The marker of some intent.
pub(in crate::platforms) fn marker() -> Marker {
    marker_since(jiff::Timestamp::UNIX_EPOCH)
}

/// The same for an intent of a certain time.
pub(in crate::platforms) fn marker_since(since: jiff::Timestamp) -> Marker {
    ChangeId::new(since, uuid::Uuid::from_u128(1), 0).marker()
}

/// A response of success.
pub(in crate::platforms) fn ok(body: Value) -> ScriptedResponse {
    (200, body.to_string())
}

/// Checks and translates a draft.
pub(in crate::platforms) fn prepare(
    platform: &dyn AdPlatform,
    account: &AdAccount,
    draft: &CampaignDraft,
) -> Result<PreparedCreate, Error> {
    let now = "2026-11-20T00:00:00Z".parse().unwrap();
    let marker = &marker();
    platform.prepare_create(&CreateInput { account, draft, marker, now })
}

impl PreparedCreate {
    /// The body, for assertions.
    pub(in crate::platforms) fn json(&self) -> Value {
        serde_json::from_str(self.body.get()).unwrap()
    }
}

/// Prepares a create and sends it.
pub(in crate::platforms) async fn create(
    platform: &dyn AdPlatform,
    session: &AccountSession,
    draft: &CampaignDraft,
    marker: &Marker,
) -> Result<PlatformCampaign, Error> {
    let now = session.call.now;
    let prepared = platform.prepare_create(&CreateInput { account: &session.account, draft, marker, now })?;
    platform.create_campaign(session, &prepared).await
}

impl Fake {
    /// Computes the response of each request.
    pub(in crate::platforms) fn new(
        mut response: impl FnMut(&ReceivedRequest) -> ScriptedResponse + Send + 'static,
    ) -> Fake {
        Fake::with_headers(move |request| {
            let (status, body) = response(request);
            (status, String::new(), body)
        })
    }

    /// Computes the response of each request, with headers: lines that each end in CR LF.
    pub(in crate::platforms) fn with_headers(
        response: impl FnMut(&ReceivedRequest) -> FullResponse + Send + 'static,
    ) -> Fake {
        Fake { script: Some(Arc::new(Mutex::new(response))), requests: Arc::default() }
    }

    /// Sends these answers in order, and panics after the last.
    pub(in crate::platforms) fn answering(responses: Vec<ScriptedResponse>) -> Fake {
        let mut responses = responses.into_iter();
        Fake::new(move |request| responses.next().unwrap_or_else(|| panic!("no response for {request:?}")))
    }

    /// Accepts no connection.
    pub(in crate::platforms) fn unreachable() -> Fake {
        Fake { script: None, requests: Arc::default() }
    }

    /// The requests so far.
    pub(in crate::platforms) fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().unwrap().clone()
    }

    /// A session with it as Google Ads, in a euro account in Berlin, reached through a manager.
    pub(in crate::platforms) fn session(&self) -> AccountSession {
        let berlin = account(Platform::Alpha, "EUR", "Europe/Berlin");
        self.session_of(Platform::Alpha, AdAccount { manager_id: Some("5556667777".into()), ..berlin })
    }

    /// A session with it as a platform, in an account.
    pub(in crate::platforms) fn session_of(&self, platform: Platform, account: AdAccount) -> AccountSession {
        let developer_token = Some("developer-secret".into());
        let client = config::Client { client_id: "id".into(), client_secret: "secret".into(), developer_token };
        let base = Some("http://platform");
        let call = CallContext {
            outbound: Outbound::with_transport(Arc::new(self.clone())),
            config: Arc::new(PlatformConfig::new(platform, client, Settings::default(), base)),
            deadline: Instant::now() + TIMEOUT,
            now: "2026-11-20T00:00:00Z".parse().unwrap(),
        };
        AccountSession { call, account, token: "access-secret".into() }
    }
}

impl std::fmt::Debug for Fake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Fake")
    }
}

#[async_trait]
impl Transport for Fake {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let Some(script) = &self.script else { return Err(Failure::NotSent) };
        let received = ReceivedRequest::of(&request);
        self.requests.lock().unwrap().push(received.clone());
        let (status, headers, body) = (*script.lock().unwrap())(&received);
        if status == 0 {
            sleep(SILENCE).await;
            return Err(Failure::Broken);
        }
        if status == 1 {
            return Err(Failure::NotSent);
        }
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.parse::<HeaderName>().unwrap(), value.parse().unwrap())
        };
        let status = StatusCode::from_u16(status).unwrap();
        Ok(OutboundResponse { status, headers: headers.lines().map(header).collect::<HeaderMap>(), body: body.into() })
    }
}

impl ReceivedRequest {
    fn of(request: &OutboundRequest) -> ReceivedRequest {
        let url = Url::parse(&request.url).unwrap();
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let header = |(name, value): (&HeaderName, &http::HeaderValue)| {
            format!("{name}: {}\r\n", String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase())
        };
        ReceivedRequest {
            line: format!("{} {}{query} HTTP/1.1", request.method, url.path()),
            headers: request.headers.iter().map(header).collect(),
            body: serde_json::from_slice(&request.body).unwrap_or(Value::Null),
            text: String::from_utf8_lossy(&request.body).into_owned(),
        }
    }
}
