//! What holds on every platform. Each law runs on all six samples.

mod campaigns;
mod consents;
mod controls;
mod deliveries;
mod faults;
mod tokens;

use crate::client::{Response, TestServer};
use crate::oauth_client::Call;
use crate::sample::{Change, SAMPLES, Sample, text};
use serde_json::{Value, json};

/// A platform of a sandbox, with a client that has access to the accounts of the sample.
struct Session {
    sample: &'static Sample,
    server: TestServer,
    access: String,
    renewal: String,
}

/// Runs a law on each platform, in a sandbox of its own on tokio's clock, and names the platforms that break it.
async fn on_each_platform<Law>(law: impl Fn(Session) -> Law)
where
    Law: Future<Output = ()> + Send + 'static,
{
    let mut broken = Vec::new();
    for sample in &SAMPLES {
        let session = tokio::spawn(Session::new(sample, TestServer::in_process())).await;
        let is_kept = match session {
            Ok(session) => tokio::spawn(law(session)).await.is_ok(),
            Err(_) => false,
        };
        if !is_kept {
            broken.push(sample.platform());
        }
    }
    assert!(broken.is_empty(), "broken by {broken:?}");
}

impl Session {
    /// Consents to the accounts and prepares them.
    async fn new(sample: &'static Sample, server: TestServer) -> Self {
        let (access, renewal) = sample.oauth.connect_to(&server, sample.accounts).await;
        let session = Self { sample, server, access, renewal };
        if let Some(prepare) = sample.prepare {
            for account in sample.accounts {
                session.accept(&prepare(account)).await;
            }
        }
        session
    }

    fn account(&self) -> &'static str {
        self.sample.accounts[0]
    }

    /// Sends a call; `None` for a connection that closes without a response.
    async fn send(&self, call: &Call) -> Option<Response> {
        self.sample.oauth.ask(&self.server, &self.access, call).await
    }

    /// The response to a call that succeeds.
    async fn accept(&self, call: &Call) -> Response {
        let response = self.send(call).await.unwrap();
        assert_eq!((self.sample.refusal)(&response), None, "{} {}", call.path, response.text);
        response
    }

    /// What the platform says to a call that it refuses.
    async fn refusal(&self, call: &Call) -> String {
        self.words(&self.send(call).await.unwrap())
    }

    /// The platform's words in a response; empty for a success.
    fn words(&self, response: &Response) -> String {
        (self.sample.refusal)(response).unwrap_or_default()
    }

    fn list(&self) -> Call {
        (self.sample.list)(self.account())
    }

    /// Creates a campaign in an account and returns its id.
    async fn create(&self, account: &str, name: &str) -> String {
        (self.sample.created)(&self.accept(&(self.sample.create)(account, name)).await)
    }

    fn update(&self, id: &str, change: Change) -> Call {
        (self.sample.update)(self.account(), id, change)
    }

    /// The names on a page of campaigns.
    fn names_on(&self, page: &Value) -> Vec<String> {
        let places = &self.sample.places;
        Sample::rows(page, places.rows).iter().map(|row| text(row, places.name)).collect()
    }

    /// The names on the first page of the list.
    async fn names(&self) -> Vec<String> {
        self.names_on(&self.accept(&self.list()).await.json())
    }

    /// The campaigns that the sandbox holds, as control shows them.
    async fn books(&self) -> Vec<Value> {
        let body = self.server.get(&format!("/_sandbox/campaigns?platform={}", self.sample.platform())).await.json();
        body["campaigns"].as_array().unwrap().clone()
    }

    /// Sends a control request about the platform, and returns status and body.
    async fn control(&self, name: &str, mut body: Value) -> (u16, Value) {
        body["platform"] = json!(self.sample.platform());
        let response = self.server.control(name, body).await;
        (response.status, response.json())
    }

    async fn set(&self, name: &str, body: Value) {
        let (status, body) = self.control(name, body).await;
        assert!(status < 300, "{body}");
    }

    /// Sets a fault for the next request of an operation.
    async fn fault(&self, operation: &str, fault: &str) {
        self.sample.oauth.set_fault(&self.server, operation, fault).await;
    }
}
