//! The path of a request: find its service, apply the fault that matches it, execute it. The server uses it, and so
//! do tests without sockets.

use crate::control;
use crate::faults::{Fault, Kind};
use crate::http::{Request, Response};
use crate::index;
use crate::registry::{PLATFORMS, find_service};
use crate::service::Service;
use crate::state::Sandbox;
use axum::body::Bytes;
use axum::http::{Request as HttpRequest, Response as HttpResponse};
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Maximum size of a request body in bytes: ten thousand real operations fit.
pub(crate) const MAX_BODY: usize = 4 * 1024 * 1024;

/// The sandbox in this process: no socket, no file, and the caller's clock.
///
/// The clock drives everything that depends on the time: lifetimes of codes and tokens, creation times, start times in
/// the past, and the day of spend. Delays (latency, the faults `slow` and `late`) use tokio's timer, so a paused tokio
/// clock skips them. A test that needs both to agree sets both.
///
/// This is a handle: clones share one sandbox. A new one takes far less than a millisecond. Events of the payment
/// provider stay in the outbox, because nothing delivers them.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use axum::{body::Bytes, http::Request};
///
/// let sandbox = sandbox::InProcess::new(jiff::Timestamp::now);
/// let request = Request::post("/_sandbox/accounts").body(Bytes::from(r#"{"platform":"zeta_ads","currency":"USD"}"#))?;
/// let response = sandbox.handle(request).await.ok_or("the connection closed")?;
/// assert_eq!(response.status(), 201);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct InProcess(pub(crate) Arc<Sandbox>);

impl InProcess {
    /// A sandbox with its initial state and the time of `clock`.
    pub fn new(clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(Sandbox::new(clock)))
    }

    /// A sandbox of its own with the same state and the time of `clock`. Neither sees what the other does afterwards.
    #[must_use]
    pub fn fork(&self, clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(self.0.fork(clock)))
    }

    /// Handles a request by its path: `/{platform}/...` with consent pages and token endpoints, `/stripe/...`,
    /// `/oidc/...`, `/_sandbox/...`. `None` stands for a connection that closes without a response.
    ///
    /// Links in responses use the request's host: the header `host`, or the authority of an absolute URL.
    ///
    /// The request runs in a task of its own, so it completes even when the caller drops this future. The task ends
    /// with the runtime.
    pub async fn handle(&self, request: HttpRequest<Bytes>) -> Option<HttpResponse<Bytes>> {
        let (parts, body) = request.into_parts();
        if body.len() > MAX_BODY {
            return Some(too_large());
        }
        let path = parts.uri.path();
        let (first, rest) = split(path);
        if let Some(service) = find_service(first) {
            let request = Request::new(&parts, rest, &body);
            let handled = tokio::spawn(call_service(Arc::clone(&self.0), service, request)).await;
            return handled.unwrap_or_else(|_| Some(panicked())).map(Response::into_http);
        }
        let request = Request::new(&parts, path, &body);
        let response = match first {
            "" => index::handle(&self.0, &request),
            "_sandbox" => control::handle(&self.0, &request),
            _ => not_found(first),
        };
        Some(response.into_http())
    }
}

/// The response to a body that is longer than [`MAX_BODY`].
pub(crate) fn too_large() -> HttpResponse<Bytes> {
    Response::new(413, "text/plain", "the request body is too large").into_http()
}

/// Splits `/alpha_ads/v26/x` into `alpha_ads` and `/v26/x`.
pub(crate) fn split(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.find('/').map_or((path, "/"), |at| path.split_at(at))
}

/// The service's response; `None` when a fault closes the connection.
async fn call_service(sandbox: Arc<Sandbox>, service: &'static str, request: Request) -> Option<Response> {
    let treatment = sandbox.receive(service, &request);
    sleep(treatment.latency).await;
    if treatment.rejection.is_some() {
        return treatment.rejection;
    }
    let (response, is_sent) = match treatment.fault {
        None => (sandbox.execute(service, &request, None), true),
        Some(fault) => apply_fault(&sandbox, service, &request, &fault).await,
    };
    sandbox.leave(service, &request, &response);
    is_sent.then_some(response)
}

/// The response under a fault, and whether it is sent.
async fn apply_fault(sandbox: &Sandbox, service: &'static str, request: &Request, fault: &Fault) -> (Response, bool) {
    let delay = Duration::from_millis(fault.ms);
    let execute = || sandbox.execute(service, request, None);
    let response = match fault.kind {
        Kind::Error => fail(sandbox, service, |failing| failing.internal_error(request)),
        Kind::Throttle => fail(sandbox, service, |failing| failing.rate_limited(request)),
        // The last four apply to webhooks only, never to requests.
        Kind::Garbage | Kind::Drop | Kind::Duplicate | Kind::Reorder | Kind::Delay | Kind::Loss => garbage(),
        Kind::Front => front_page(fault.status),
        Kind::Answer => Response::new(fault.status, "application/json", fault.body.clone()),
        Kind::Revoked | Kind::Ignored => sandbox.execute(service, request, Some(fault.kind)),
        Kind::DropAfter => execute(),
        Kind::Slow => {
            let response = execute();
            sleep(delay).await;
            response
        }
        Kind::Late => {
            sleep(delay).await;
            execute()
        }
    };
    (response, !matches!(fault.kind, Kind::Drop | Kind::DropAfter))
}

fn fail(sandbox: &Sandbox, service: &str, response: impl FnOnce(&dyn Service) -> Response) -> Response {
    sandbox.lock().platforms.service(service).map_or_else(|| not_found(service), response)
}

/// Status 200 with half an HTML page, as a broken proxy sends it.
fn garbage() -> Response {
    let half = "<!DOCTYPE html>\n<html><head><title>Please wait</title></head><body><div clas";
    Response::new(200, "text/html; charset=utf-8", half)
}

/// The page of a gateway in front of the platform: a status, and nothing in the platform's own form.
fn front_page(status: u16) -> Response {
    let text =
        format!("<html>\n<head><title>{status}</title></head>\n<body><h1>{status}</h1><hr>gateway</body>\n</html>\n");
    Response::new(status, "text/html; charset=utf-8", text)
}

fn not_found(first: &str) -> Response {
    let platforms = PLATFORMS.join(", /");
    let text = format!(
        "there is nothing at /{first}; platforms are at /{platforms}, payments at /stripe, sign-in at /oidc, control at /_sandbox\n"
    );
    Response::new(404, "text/plain; charset=utf-8", text)
}

/// A panic is a defect of the sandbox, not a platform's error.
fn panicked() -> Response {
    Response::new(500, "text/plain", "the sandbox panicked; see its log")
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_path_splits_into_its_service_and_the_rest() {
        assert_eq!(split("/alpha_ads/v26/customers:x"), ("alpha_ads", "/v26/customers:x"));
        assert_eq!(split("/alpha_ads"), ("alpha_ads", "/"));
        assert_eq!(split("/"), ("", "/"));
    }
}
