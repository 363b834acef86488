//! A webhook endpoint with scripted responses.

use crate::client::TestServer;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use ring::hmac;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// One delivery.
#[derive(Debug, Clone)]
pub(super) struct Delivery {
    pub(super) signature: String,
    pub(super) body: String,
}

impl Delivery {
    pub(super) fn event(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(super) fn kind(&self) -> String {
        self.event()["type"].as_str().unwrap().to_owned()
    }

    /// The signatures, without the timestamp.
    pub(super) fn signatures(&self) -> Vec<&str> {
        self.signature.split(',').skip(1).map(|part| part.strip_prefix("v1=").unwrap()).collect()
    }

    /// The signature that a secret gives.
    pub(super) fn signature_with(&self, secret: &str) -> String {
        let time = self.signature.split(',').next().unwrap().strip_prefix("t=").unwrap();
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        hex::encode(hmac::sign(&key, format!("{time}.{}", self.body).as_bytes()))
    }
}

#[derive(Default)]
struct Inbox {
    deliveries: Mutex<Vec<Delivery>>,
    /// Statuses of the next responses; 200 after the last one.
    statuses: Mutex<Vec<u16>>,
    arrived: Notify,
}

pub(super) struct WebhookEndpoint {
    pub(super) url: String,
    inbox: Arc<Inbox>,
}

impl WebhookEndpoint {
    /// Listens on a free port and sets itself as the webhook endpoint.
    pub(super) async fn start(server: &TestServer, secrets: &[&str]) -> Self {
        let inbox = Arc::new(Inbox::default());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let app = Router::new().fallback(receive).with_state(Arc::clone(&inbox));
        tokio::spawn(async move { axum::serve(listener, app).await });
        let endpoint = Self { url, inbox };
        let set = server.control("stripe/webhook", json!({ "url": endpoint.url, "secrets": secrets })).await;
        assert_eq!(set.status, 200, "{}", set.text);
        endpoint
    }

    /// Sets the statuses of the next responses.
    pub(super) fn respond_with(&self, statuses: &[u16]) {
        *self.inbox.statuses.lock().unwrap() = statuses.to_vec();
    }

    /// Waits for `count` deliveries in total.
    pub(super) async fn deliveries(&self, count: usize) -> Vec<Delivery> {
        loop {
            let arrived = self.inbox.arrived.notified();
            let deliveries = self.inbox.deliveries.lock().unwrap().clone();
            if deliveries.len() >= count {
                return deliveries;
            }
            arrived.await;
        }
    }
}

async fn receive(State(inbox): State<Arc<Inbox>>, headers: HeaderMap, body: String) -> StatusCode {
    let signature = headers["stripe-signature"].to_str().unwrap().to_owned();
    inbox.deliveries.lock().unwrap().push(Delivery { signature, body });
    inbox.arrived.notify_one();
    let mut statuses = inbox.statuses.lock().unwrap();
    let status = if statuses.is_empty() { 200 } else { statuses.remove(0) };
    StatusCode::from_u16(status).unwrap()
}
