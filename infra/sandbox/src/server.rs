//! The sandbox over HTTP: bytes in and out, connections that close. What is answered is decided inside.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{Request, State};
use axum::response::Response;
use tokio::sync::oneshot;

use crate::connection::{Cut, Listener};
use crate::inside::{BODY, Inside, too_large};

/// Serves until told to stop.
pub(crate) async fn serve(listener: Listener, inside: Inside, stopped: oneshot::Receiver<()>) {
    let service = Router::new().fallback(receive).with_state(inside).into_make_service_with_connect_info::<Cut>();
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

async fn receive(State(inside): State<Inside>, ConnectInfo(cut): ConnectInfo<Cut>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY).await else { return too_large().map(Body::from) };
    let answer = inside.answer(Request::from_parts(parts, body)).await;
    answer.map_or_else(
        || {
            cut.now();
            // Nobody sees it: the connection is gone before.
            Response::default()
        },
        |answer| answer.map(Body::from),
    )
}
