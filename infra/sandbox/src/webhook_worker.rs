//! The background task that delivers the payment provider's events.

use crate::state::{Sandbox, State};
use crate::stripe::{Next, WebhookClient};
use std::sync::Arc;
use std::time::Duration;

/// Delivers events until the sandbox stops.
pub(crate) async fn run(sandbox: Arc<Sandbox>) {
    let client = match WebhookClient::new() {
        Ok(client) => client,
        Err(error) => return tracing::error!(%error, "the sandbox cannot send webhooks"),
    };
    loop {
        match next(&sandbox) {
            Next::Idle => sandbox.webhook_signal.notified().await,
            Next::Wait(ms) => {
                let _ = tokio::time::timeout(Duration::from_millis(ms), sandbox.webhook_signal.notified()).await;
            }
            Next::Send(request) => {
                let attempts = client.send(&request, sandbox.now()).await;
                let mut state = sandbox.lock();
                state.platforms.stripe.record_delivery(request, attempts, sandbox.now().as_millisecond());
                // `save` logs its own failure, and this task has no caller to report it to.
                let _ = sandbox.save(&state);
            }
        }
    }
}

fn next(sandbox: &Sandbox) -> Next {
    let State { platforms, faults, .. } = &mut *sandbox.lock();
    platforms.stripe.next_delivery(faults, sandbox.now().as_millisecond())
}
