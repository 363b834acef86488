//! Endpoints of webhooks, simulated: each does what its test says, on the test's clock, and keeps what it receives. What
//! arrives must be as the OpenAPI document describes it. Documents of clients are simulated beside them.

use crate::openapi::contract::delivery_faults;
use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::Value;
use shared::outbound::public::{EndpointTransport, PublicDocument, PublicFailure, PublicResponse};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::time::{Instant, sleep_until};

/// What an endpoint does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Behaviour {
    /// It answers with this status and `Retry-After`.
    Answers(u16, Option<&'static str>),
    /// It answers with this status and text.
    Says(u16, &'static str),
    /// It takes the request and says nothing.
    Hangs,
    /// It accepts no connection.
    Down,
    /// Of so many connections one breaks.
    Breaks(usize),
}

/// A request that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) url: String,
    pub(crate) headers: HeaderMap,
    pub(crate) payload: Bytes,
    pub(crate) at: Instant,
}

/// All endpoints. One that has no behaviour answers 204.
#[derive(Clone, Debug, Default)]
pub(crate) struct Receivers(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    behaviours: HashMap<String, Behaviour>,
    received: Vec<Received>,
    /// Connections, of all endpoints.
    connections: usize,
    /// What the OpenAPI document does not describe.
    faults: Vec<String>,
    /// What hosts give at an address.
    documents: HashMap<String, PublicDocument>,
    /// The addresses whose documents were read, in order.
    read: Vec<String>,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().expect("a text")
    }

    pub(crate) fn event(&self) -> Value {
        serde_json::from_slice(&self.payload).expect("a JSON payload")
    }
}

impl Receivers {
    /// Sets what the endpoint at a URL does from now on.
    pub(crate) fn set(&self, url: &str, behaviour: Behaviour) {
        self.0.lock().expect("the receivers").behaviours.insert(url.to_owned(), behaviour);
    }

    /// What the endpoint at a URL has received, in order.
    pub(crate) fn received(&self, url: &str) -> Vec<Received> {
        let state = self.0.lock().expect("the receivers");
        assert!(state.faults.is_empty(), "{:#?}", state.faults);
        state.received.iter().filter(|received| received.url == url).cloned().collect()
    }

    /// Publishes a JSON document at an address, or another in its place.
    pub(crate) fn publish(&self, url: &str, document: &Value) {
        self.answer(url, 200, "application/json", &document.to_string());
    }

    /// Sets what a host gives at an address. One that has nothing does not resolve.
    pub(crate) fn answer(&self, url: &str, status: u16, content_type: &str, body: &str) {
        let document = PublicDocument {
            status: StatusCode::from_u16(status).expect("a status"),
            content_type: Some(content_type.to_owned()),
            cache_control: None,
            body: Bytes::from(body.to_owned()),
        };
        self.0.lock().expect("the receivers").documents.insert(url.to_owned(), document);
    }

    /// The addresses whose documents were read, in order.
    pub(crate) fn read(&self) -> Vec<String> {
        self.0.lock().expect("the receivers").read.clone()
    }
}

#[async_trait]
impl EndpointTransport for Receivers {
    async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        payload: Bytes,
        deadline: Instant,
    ) -> Result<PublicResponse, PublicFailure> {
        let behaviour = {
            let mut state = self.0.lock().expect("the receivers");
            state.connections += 1;
            let behaviour = match state.behaviours.get(url).cloned() {
                Some(Behaviour::Breaks(every)) if state.connections.is_multiple_of(every) => Behaviour::Down,
                Some(Behaviour::Breaks(_)) | None => Behaviour::Answers(204, None),
                Some(behaviour) => behaviour,
            };
            if !matches!(behaviour, Behaviour::Down) {
                let event: Value = serde_json::from_slice(&payload).unwrap_or_default();
                state.faults.extend(delivery_faults(&headers, &event));
                state.received.push(Received { url: url.to_owned(), headers, payload, at: Instant::now() });
            }
            behaviour
        };
        let answer = |status, retry_after: Option<&str>, text: &'static str| {
            Ok(PublicResponse {
                status: StatusCode::from_u16(status).expect("a status"),
                retry_after: retry_after.map(str::to_owned),
                body: Bytes::from_static(text.as_bytes()),
            })
        };
        match behaviour {
            Behaviour::Answers(status, retry_after) => answer(status, retry_after, "thanks"),
            Behaviour::Says(status, text) => answer(status, None, text),
            Behaviour::Hangs => {
                sleep_until(deadline).await;
                Err(PublicFailure::TimedOut)
            }
            Behaviour::Down | Behaviour::Breaks(_) => Err(PublicFailure::NotConnected),
        }
    }
    async fn get(&self, url: &str) -> Result<PublicDocument, PublicFailure> {
        let mut state = self.0.lock().expect("the receivers");
        state.read.push(url.to_owned());
        state.documents.get(url).cloned().ok_or(PublicFailure::NotResolved)
    }
}
