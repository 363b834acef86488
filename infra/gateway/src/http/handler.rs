//! Calls the function of a request, as API Gateway and Lambda do.

use super::body::{Incoming, read};
use axum::extract::Request as ServerRequest;
use http::{HeaderValue, Method, Response, Uri, header};
use lambda_http::{Body, Request};
use shared::app::App;
use shared::error::{Error, Kind};
use shared::routes::{self, Function};
use shared::serve::{PostResponseWork, payload_too_large, reject};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Answers a request. Post-response work runs in tasks that hold a clone of `post_response`.
pub(super) async fn handle(app: Arc<App>, post_response: mpsc::Sender<()>, request: ServerRequest) -> Response<Body> {
    let (mut parts, body) = request.into_parts();
    parts.uri = with_version(parts.uri);
    let response = match read(body).await {
        Incoming::Complete(body) => return call(app, post_response, Request::from_parts(parts, body)).await,
        Incoming::TooLong => {
            let mut response = reject(app, Request::from_parts(parts, Body::Empty), payload_too_large());
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            response
        }
        Incoming::Interrupted => {
            let error = Error::field("body", "could not be read completely: send the request again");
            reject(app, Request::from_parts(parts, Body::Empty), error)
        }
    };
    spawn_post_response(post_response, response)
}

async fn call(app: Arc<App>, post_response: mpsc::Sender<()>, request: Request) -> Response<Body> {
    let copy = request.clone();
    let routed_app = Arc::clone(&app);
    // Post-response work starts inside the task, so that it also runs when the caller disconnects.
    let work = async move { spawn_post_response(post_response, route(routed_app, request).await) };
    run_detached(app, copy, work).await
}

/// Runs a function in its own task. As on Lambda, the work goes on when the caller disconnects, and a panic becomes an
/// error response.
async fn run_detached(
    app: Arc<App>,
    request: Request,
    work: impl Future<Output = Response<Body>> + Send + 'static,
) -> Response<Body> {
    tokio::spawn(work).await.unwrap_or_else(|panic| {
        let message = "An internal error interrupted this request, and its outcome is unknown. Check the state of the \
                       resource before you retry.";
        reject(app, request, Error::new(Kind::Internal, message).caused_by(panic))
    })
}

/// Starts the work that a response leaves for later.
fn spawn_post_response(post_response: mpsc::Sender<()>, mut response: Response<Body>) -> Response<Body> {
    if let Some(work) = PostResponseWork::take_from(&mut response) {
        tokio::spawn(async move {
            work.run().await;
            drop(post_response);
        });
    }
    response
}

async fn route(app: Arc<App>, request: Request) -> Response<Body> {
    match function(request.method(), request.uri()) {
        Function::Campaigns => campaigns::handle(app, request).await,
        Function::Connections => connections::handle(app, request).await,
        Function::RedirectUris => redirect_uris::handle(app, request).await,
        Function::ApiKeys => api_keys::handle(app, request).await,
        Function::Assistants => assistants::handle(app, request).await,
        Function::WebhookEndpoints => webhook_endpoints::handle(app, request).await,
        Function::UsageLogs => usage_logs::handle(app, request).await,
        Function::Billing => billing::handle(app, request).await,
        Function::Webhooks => webhooks::handle(app, request).await,
        Function::Mcp => mcp::handle(app, request).await,
        Function::Docs => docs::handle(app, request).await,
        Function::Dashboard => dashboard::handle(app, request).await,
    }
}

fn function(method: &Method, uri: &Uri) -> Function {
    routes::function(method.as_str(), uri.path())
}

/// Adds the `/v1` prefix if it is missing: the local server accepts paths with and without it (D39). The dashboard and
/// well-known addresses have no version.
fn with_version(uri: Uri) -> Uri {
    let path = uri.path();
    let is_page = routes::is_dashboard(path) || routes::is_dashboard_with_slash(path);
    let has_version = path == "/v1" || path.starts_with("/v1/");
    if has_version || !path.starts_with('/') || is_page || routes::is_well_known(path) {
        return uri;
    }
    let path_and_query = uri.path_and_query().map_or("/", |path_and_query| path_and_query.as_str());
    // Only a URI near the length limit fails to parse. Without the prefix it matches no route and is answered 404.
    format!("/v1{path_and_query}").parse().unwrap_or(uri)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, SandboxChoice, Storage};

    #[test]
    fn a_path_is_the_same_with_and_without_its_version() {
        for (sent, routed) in [
            ("/campaigns?limit=2&x=%2F", "/v1/campaigns?limit=2&x=%2F"),
            ("/v1/campaigns?limit=2", "/v1/campaigns?limit=2"),
            ("/v1", "/v1"),
            ("/dashboard/", "/dashboard/"),
            ("/docs/campaigns", "/v1/docs/campaigns"),
            ("/v10/campaigns", "/v1/v10/campaigns"),
            ("http://127.0.0.1:8080/connections", "/v1/connections"),
            ("/dashboard/sign-in?return_to=%2Fdashboard", "/dashboard/sign-in?return_to=%2Fdashboard"),
            ("/.well-known/oauth-protected-resource/v1/mcp", "/.well-known/oauth-protected-resource/v1/mcp"),
            ("/.well-known", "/v1/.well-known"),
            ("*", "*"),
        ] {
            assert_eq!(with_version(sent.parse().unwrap()).to_string(), routed, "{sent}");
        }
    }

    #[test]
    fn every_route_has_its_function_and_other_paths_go_to_usage_logs() {
        for route in routes::ROUTES {
            let path = route.path.replace("{platform}", "alpha_ads").replace("{id}", "alpha_1_2");
            let method = route.method.parse().unwrap();
            assert_eq!(function(&method, &path.parse().unwrap()), route.endpoint.function(), "{} {path}", route.method);
        }
        let query = Method::from_bytes(b"QUERY").unwrap();
        assert_eq!(function(&query, &"/v1/connections".parse().unwrap()), Function::UsageLogs);
    }

    #[tokio::test]
    async fn a_panic_becomes_an_error_response() {
        let sandbox = SandboxChoice::Start { port: 0 };
        let gateway = crate::start(Options { port: 0, sandbox, storage: Storage::Memory }).await.unwrap();
        let app = Arc::clone(&gateway.app);
        let response = run_detached(app, Request::default(), async { panic!("for the test") }).await;
        assert_eq!(response.status(), 500);
        let body: serde_json::Value = serde_json::from_slice(response.body()).unwrap();
        assert_eq!((&body["code"], &body["retryable"]), (&"INTERNAL_ERROR".into(), &false.into()), "{body}");
    }
}
