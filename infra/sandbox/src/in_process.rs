//! The way of a request: find its receiver, play the fault it meets, answer. The server comes this way, and so does a
//! test that wants no sockets.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Request as Incoming, Response};
use jiff::Timestamp;
use tokio::time::sleep;

use crate::faults::{Fault, Kind};
use crate::http::{Reply, Request};
use crate::platform::Platform;
use crate::registry::{self, PLATFORMS};
use crate::state::Sandbox;
use crate::{control, index};

/// A request body may have so many bytes; ten thousand real operations fit.
pub(crate) const BODY: usize = 4 * 1024 * 1024;

/// The whole sandbox in this process: no socket, nothing on disk, and the clock that it is given.
///
/// What asks for the time asks that clock: the life of codes and tokens, created times, start times in the past, and
/// the day that money is spent on. What waits (latency, the faults `slow` and `late`) waits by tokio's timer, so that a
/// paused clock of tokio passes it at once. Give both the same time when a test needs them to agree.
///
/// A handle: clones are the same sandbox, and making one takes far less than a millisecond. The payment provider's
/// webhooks stay in its outbox, as nothing is sent from here.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use axum::{body::Bytes, http::Request};
///
/// let sandbox = sandbox::InProcess::new(jiff::Timestamp::now);
/// let request = Request::post("/_sandbox/accounts").body(Bytes::from(r#"{"platform":"zeta_ads","currency":"USD"}"#))?;
/// let answer = sandbox.answer(request).await.ok_or("the connection closed")?;
/// assert_eq!(answer.status(), 201);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct InProcess(pub(crate) Arc<Sandbox>);

impl InProcess {
    /// A sandbox on its first day, which takes the time from `clock`.
    pub fn new(clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(Sandbox::new(clock)))
    }

    /// Answers a request by the path of its address, as the server does: `/{platform}/...` with consent pages and token
    /// addresses, `/stripe/...`, `/_sandbox/...`. `None` is a connection that closes without an answer.
    ///
    /// Addresses of further pages and of checkouts are on the host of the request: its `host` header, or else the
    /// authority of a whole address.
    ///
    /// What a platform has begun goes on in a task of its own, also when the caller drops this future; the task ends
    /// with the runtime.
    pub async fn answer(&self, request: Incoming<Bytes>) -> Option<Response<Bytes>> {
        let (parts, body) = request.into_parts();
        if body.len() > BODY {
            return Some(too_large());
        }
        let whole = parts.uri.path();
        let (first, rest) = split(whole);
        if let Some(word) = registry::receiver(first) {
            let request = Request::new(&parts, rest, &body);
            // In a task of its own: a caller that gives up does not undo what a platform does late.
            let played = tokio::spawn(play(Arc::clone(&self.0), word, request)).await;
            return played.unwrap_or_else(|_| Some(panicked())).map(Reply::into_response);
        }
        let request = Request::new(&parts, whole, &body);
        let reply = match first {
            "" => index::page(&request, &self.0.lock()),
            "_sandbox" => control::answer(&self.0, &request),
            _ => nowhere(first),
        };
        Some(reply.into_response())
    }
}

/// The answer to a body that is longer than [`BODY`].
pub(crate) fn too_large() -> Response<Bytes> {
    Reply::new(413, "text/plain", "the request body is too large").into_response()
}

/// `/alpha_ads/v26/x` is `alpha_ads` and `/v26/x`.
fn split(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.find('/').map_or((path, "/"), |at| path.split_at(at))
}

/// The platform's answer; none when a fault closes the connection.
async fn play(sandbox: Arc<Sandbox>, word: &'static str, request: Request) -> Option<Reply> {
    let plan = sandbox.receive(word, &request);
    sleep(plan.latency).await;
    if plan.refused.is_some() {
        return plan.refused;
    }
    let (reply, is_heard) = match plan.fault {
        None => (sandbox.act(word, &request, false), true),
        Some(fault) => go_wrong(&sandbox, word, &request, &fault).await,
    };
    sandbox.leave(word, &request, &reply);
    is_heard.then_some(reply)
}

/// What the platform answers, and whether the caller hears it.
async fn go_wrong(sandbox: &Sandbox, word: &'static str, request: &Request, fault: &Fault) -> (Reply, bool) {
    let later = Duration::from_millis(fault.ms);
    let act = || sandbox.act(word, request, false);
    let reply = match fault.kind {
        Kind::Error => refuse(sandbox, word, |platform| platform.broken(request)),
        Kind::Throttle => refuse(sandbox, word, |platform| platform.throttled(request)),
        // The last four are what webhooks meet: requests never do.
        Kind::Garbage | Kind::Drop | Kind::Duplicate | Kind::Reorder | Kind::Delay | Kind::Loss => garbage(),
        Kind::Revoked => sandbox.act(word, request, true),
        Kind::DropAfter => act(),
        Kind::Slow => {
            let reply = act();
            sleep(later).await;
            reply
        }
        Kind::Late => {
            sleep(later).await;
            act()
        }
    };
    (reply, !matches!(fault.kind, Kind::Drop | Kind::DropAfter))
}

fn refuse(sandbox: &Sandbox, word: &str, how: impl FnOnce(&dyn Platform) -> Reply) -> Reply {
    sandbox.lock().platforms.get(word).map_or_else(|| nowhere(word), how)
}

/// What a proxy in between might say: a good status, and half a page.
fn garbage() -> Reply {
    let half = "<!DOCTYPE html>\n<html><head><title>Please wait</title></head><body><div clas";
    Reply::new(200, "text/html; charset=utf-8", half)
}

fn nowhere(first: &str) -> Reply {
    let platforms = PLATFORMS.join(", /");
    let text =
        format!("nothing is at /{first}; platforms are at /{platforms}, payments at /stripe, control at /_sandbox\n");
    Reply::new(404, "text/plain; charset=utf-8", text)
}

/// A defect of the sandbox itself, not of a platform: say so.
fn panicked() -> Reply {
    Reply::new(500, "text/plain", "the sandbox itself failed; its log says why")
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_path_is_its_receiver_and_what_the_receiver_sees() {
        assert_eq!(split("/alpha_ads/v26/customers:x"), ("alpha_ads", "/v26/customers:x"));
        assert_eq!(split("/alpha_ads"), ("alpha_ads", "/"));
        assert_eq!(split("/"), ("", "/"));
    }
}
