//! The way of a request: read it, find its receiver, play the fault it meets, answer.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{Request as Incoming, State};
use axum::response::Response;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::connection::{Cut, Listener};
use crate::faults::{Fault, Kind};
use crate::http::{Reply, Request};
use crate::state::Sandbox;
use crate::{control, page, platform};

/// A request body may have so many bytes; ten thousand real operations fit.
const BODY: usize = 4 * 1024 * 1024;

/// Serves until told to stop.
pub(crate) async fn serve(listener: Listener, sandbox: Arc<Sandbox>, stopped: oneshot::Receiver<()>) {
    let service = Router::new().fallback(receive).with_state(sandbox).into_make_service_with_connect_info::<Cut>();
    let served = axum::serve(listener, service).with_graceful_shutdown(async {
        // A sender that is gone means that nobody will ever stop it: keep serving.
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
    });
    if let Err(error) = served.await {
        tracing::error!(%error, "the sandbox stopped serving");
    }
}

async fn receive(
    State(sandbox): State<Arc<Sandbox>>,
    ConnectInfo(cut): ConnectInfo<Cut>,
    incoming: Incoming,
) -> Response {
    let (parts, body) = incoming.into_parts();
    let whole = parts.uri.path().to_owned();
    let (first, rest) = split(&whole);
    let Ok(body) = to_bytes(body, BODY).await else {
        return Reply::new(413, "text/plain", "the request body is too large").into_response();
    };
    if let Some(word) = platform::receiver(first) {
        let request = Request::new(&parts, rest, &body);
        // In a task of its own: a caller that gives up does not undo what a platform does late.
        let played = tokio::spawn(play(sandbox, word, request, cut)).await;
        return played.unwrap_or_else(|_| panicked()).into_response();
    }
    let request = Request::new(&parts, &whole, &body);
    match first {
        "" => page::index(&request, &sandbox.lock()).into_response(),
        "_sandbox" => control::answer(&sandbox, &request).into_response(),
        _ => nowhere(first).into_response(),
    }
}

/// `/alpha_ads/v26/x` is `alpha_ads` and `/v26/x`.
fn split(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.find('/').map_or((path, "/"), |at| path.split_at(at))
}

async fn play(sandbox: Arc<Sandbox>, word: &'static str, request: Request, cut: Cut) -> Reply {
    let plan = sandbox.receive(word, &request);
    sleep(plan.latency).await;
    if let Some(refused) = plan.refused {
        return refused;
    }
    let reply = match plan.fault {
        None => sandbox.act(word, &request, false),
        Some(fault) => go_wrong(&sandbox, word, &request, &cut, &fault).await,
    };
    sandbox.leave(word, &request, &reply);
    reply
}

async fn go_wrong(sandbox: &Sandbox, word: &'static str, request: &Request, cut: &Cut, fault: &Fault) -> Reply {
    let later = Duration::from_millis(fault.ms);
    let act = || sandbox.act(word, request, false);
    match fault.kind {
        Kind::Error => refuse(sandbox, word, |platform| platform.broken(request)),
        Kind::Throttle => refuse(sandbox, word, |platform| platform.throttled(request)),
        // The last four are what webhooks meet: requests never do.
        Kind::Garbage | Kind::Duplicate | Kind::Reorder | Kind::Delay | Kind::Loss => garbage(),
        Kind::Revoked => sandbox.act(word, request, true),
        Kind::Drop => {
            cut.now();
            garbage()
        }
        Kind::DropAfter => {
            let reply = act();
            cut.now();
            reply
        }
        Kind::Slow => {
            let reply = act();
            sleep(later).await;
            reply
        }
        Kind::Late => {
            sleep(later).await;
            act()
        }
    }
}

fn refuse(sandbox: &Sandbox, word: &str, how: impl FnOnce(&dyn platform::Platform) -> Reply) -> Reply {
    sandbox.lock().platforms.get(word).map_or_else(|| nowhere(word), how)
}

/// What a proxy in between might say: a good status, and half a page.
fn garbage() -> Reply {
    let half = "<!DOCTYPE html>\n<html><head><title>Please wait</title></head><body><div clas";
    Reply::new(200, "text/html; charset=utf-8", half)
}

fn nowhere(first: &str) -> Reply {
    let platforms = crate::PLATFORMS.join(", /");
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
