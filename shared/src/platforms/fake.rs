//! For tests: a platform on 127.0.0.1 with scripted responses. It records the requests.

use crate::domain::{AdAccount, CampaignDraft, ChangeId, Marker, Platform, PlatformCampaign};
use crate::error::Error;
use crate::outbound::Outbound;
use crate::platforms::config::{self, PlatformConfig};
use crate::platforms::fixtures::account;
use crate::platforms::settings::Settings;
use crate::platforms::{AccountSession, AdPlatform, CallContext, CreateInput, PreparedCreate};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

/// A request that was received.
#[derive(Clone, Debug)]
pub(in crate::platforms) struct ReceivedRequest {
    /// Method, path and version.
    pub(in crate::platforms) line: String,
    /// In lower case.
    pub(in crate::platforms) headers: String,
    /// JSON, or null.
    pub(in crate::platforms) body: Value,
    /// The body as received.
    pub(in crate::platforms) text: String,
}

/// Status and body; status 0 sends no response.
pub(in crate::platforms) type ScriptedResponse = (u16, String);

/// Ends a call that waits for a response that never comes.
const SILENCE: Duration = Duration::from_secs(3);
/// Longer than any call takes on a slow machine, when each request has a response.
const ANSWERED: Duration = Duration::from_secs(60);

/// The platform.
pub(in crate::platforms) struct Fake {
    base: String,
    /// How long a session with it may call.
    timeout: Duration,
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
    let settings = &Settings::default();
    platform.prepare_create(&CreateInput { account, draft, marker, settings, now })
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
    let settings = &session.call.config.settings;
    let now = session.call.now;
    let prepared = platform.prepare_create(&CreateInput { account: &session.account, draft, marker, settings, now })?;
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
        mut response: impl FnMut(&ReceivedRequest) -> (u16, String, String) + Send + 'static,
    ) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let recorded = requests.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read_request(&stream);
                recorded.lock().unwrap().push(request.clone());
                let (status, headers, body) = response(&request);
                if status == 0 {
                    std::thread::sleep(SILENCE * 2);
                    continue;
                }
                let length = body.len();
                let head =
                    format!("HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n");
                stream.write_all((head + &body).as_bytes()).unwrap();
            }
        });
        Fake { base, timeout: ANSWERED, requests }
    }

    /// It, when a call is to wait in vain.
    pub(in crate::platforms) fn falling_silent(self) -> Fake {
        Fake { timeout: SILENCE, ..self }
    }

    /// Sends these answers in order, and panics after the last.
    pub(in crate::platforms) fn answering(responses: Vec<ScriptedResponse>) -> Fake {
        let is_silent = responses.iter().any(|(status, _)| *status == 0);
        let mut responses = responses.into_iter();
        let fake = Fake::new(move |request| responses.next().unwrap_or_else(|| panic!("no response for {request:?}")));
        if is_silent { fake.falling_silent() } else { fake }
    }

    /// The requests so far.
    pub(in crate::platforms) fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().unwrap().clone()
    }

    /// A session with it.
    pub(in crate::platforms) fn session(&self) -> AccountSession {
        self.session_of(Platform::Alpha, berlin())
    }

    /// A session with it as a platform, in an account.
    pub(in crate::platforms) fn session_of(&self, platform: Platform, account: AdAccount) -> AccountSession {
        session_of(&self.base, platform, account, self.timeout)
    }
}

fn read_request(stream: &TcpStream) -> ReceivedRequest {
    let mut reader = BufReader::new(stream);
    let (mut line, mut headers) = (String::new(), String::new());
    reader.read_line(&mut line).unwrap();
    while reader.read_line(&mut headers).unwrap() > 2 {}
    let headers = headers.to_ascii_lowercase();
    let length = headers.lines().find_map(|header| header.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    ReceivedRequest {
        line: line.trim().to_owned(),
        headers,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
        text: String::from_utf8_lossy(&body).into_owned(),
    }
}

/// A session with Google Ads in a euro account in Berlin, reached through a manager.
pub(in crate::platforms) fn session(base: &str) -> AccountSession {
    session_of(base, Platform::Alpha, berlin(), ANSWERED)
}

fn berlin() -> AdAccount {
    AdAccount { manager_id: Some("5556667777".into()), ..account(Platform::Alpha, "EUR", "Europe/Berlin") }
}

fn session_of(base: &str, platform: Platform, account: AdAccount, timeout: Duration) -> AccountSession {
    let developer_token = Some("developer-secret".into());
    let client = config::Client { client_id: "id".into(), client_secret: "secret".into(), developer_token };
    let call = CallContext {
        outbound: Outbound::new().unwrap(),
        config: Arc::new(PlatformConfig::new(platform, client, Settings::default(), Some(base))),
        deadline: Instant::now() + timeout,
        now: "2026-11-20T00:00:00Z".parse().unwrap(),
    };
    AccountSession { call, account, token: "access-secret".into() }
}
