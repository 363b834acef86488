//! Endpoints of webhooks, simulated: each does what its test says, on the test's clock, and keeps what it receives. What
//! arrives must be as the OpenAPI document describes it.

use crate::openapi::contract::delivery_faults;
use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::Value;
use shared::outbound::public::{EndpointTransport, PublicFailure, PublicResponse};
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
}
