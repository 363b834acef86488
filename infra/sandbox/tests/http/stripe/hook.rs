//! An endpoint that takes webhooks, and answers as it was told.

use crate::client::Scene;
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

    /// The signatures after the time.
    pub(super) fn signatures(&self) -> Vec<&str> {
        self.signature.split(',').skip(1).map(|part| part.strip_prefix("v1=").unwrap()).collect()
    }

    /// What a secret makes of it.
    pub(super) fn signed_with(&self, secret: &str) -> String {
        let time = self.signature.split(',').next().unwrap().strip_prefix("t=").unwrap();
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let tag = hmac::sign(&key, format!("{time}.{}", self.body).as_bytes());
        tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[derive(Default)]
struct Inbox {
    deliveries: Mutex<Vec<Delivery>>,
    /// How the next ones are answered; 200 when there is nothing left.
    answers: Mutex<Vec<u16>>,
    arrived: Notify,
}

pub(super) struct Hook {
    pub(super) url: String,
    inbox: Arc<Inbox>,
}

impl Hook {
    /// Listens, and is where the scene's events go.
    pub(super) async fn of(scene: &Scene, secrets: &[&str]) -> Self {
        let inbox = Arc::new(Inbox::default());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let app = Router::new().fallback(receive).with_state(Arc::clone(&inbox));
        tokio::spawn(async move { axum::serve(listener, app).await });
        let hook = Self { url, inbox };
        let set = scene.control("stripe/webhook", json!({ "url": hook.url, "secrets": secrets })).await;
        assert_eq!(set.status, 200, "{}", set.text);
        hook
    }

    /// The next deliveries are answered with these.
    pub(super) fn answer(&self, statuses: &[u16]) {
        *self.inbox.answers.lock().unwrap() = statuses.to_vec();
    }

    /// Waits until so many deliveries have arrived in all.
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
    let mut answers = inbox.answers.lock().unwrap();
    let status = if answers.is_empty() { 200 } else { answers.remove(0) };
    StatusCode::from_u16(status).unwrap()
}
