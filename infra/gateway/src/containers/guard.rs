//! Forwards the HTTP requests of functions to a local server, and refuses those of web pages.
//!
//! A page in a browser may send requests to any port of this machine, and these ports are well known. It fails two
//! checks: its browser adds `Origin` to a POST, and after DNS rebinding `Host` still names the page's site.

use super::{ServerAddress, host_names};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use http::header::{CONTENT_TYPE, HOST, ORIGIN};
use http::{HeaderMap, HeaderValue, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::json;
use std::error::Error;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};

struct Guard {
    server: ServerAddress,
    hosts: Vec<String>,
}

/// Forwards the requests that a listener receives to a server.
pub(super) async fn serve(listener: TcpListener, server: ServerAddress, addresses: Vec<IpAddr>) {
    let guard = Guard { server, hosts: host_names(&addresses) };
    let service = Router::new().fallback(answer).with_state(Arc::new(guard));
    if let Err(error) = axum::serve(listener, service).await {
        tracing::error!(%error, "a port for containers closed");
    }
}

async fn answer(State(guard): State<Arc<Guard>>, request: Request) -> Response {
    if let Err(reason) = check(request.headers(), &guard.hosts) {
        return refusal(StatusCode::FORBIDDEN, "AccessDeniedException", &reason);
    }
    forward(&guard.server, request).await.unwrap_or_else(|error| {
        tracing::warn!(%error, server = guard.server, "a request from a container was not forwarded");
        refusal(StatusCode::BAD_GATEWAY, "InternalFailure", "The local service does not answer.")
    })
}

/// Refuses the request of a web page.
fn check(headers: &HeaderMap, hosts: &[String]) -> Result<(), String> {
    if headers.contains_key(ORIGIN) {
        return Err("This port does not serve web pages: the request has an Origin header.".to_owned());
    }
    let mut sent = headers.get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
    let is_known = |host: &str| {
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        hosts.iter().any(|known| known == name)
    };
    if headers.contains_key(HOST) && sent.all(is_known) {
        return Ok(());
    }
    Err(format!("The Host header must name one of {}.", hosts.join(", ")))
}

async fn forward(server: &str, request: Request) -> Result<Response, Box<dyn Error + Send + Sync>> {
    let stream = TokioIo::new(TcpStream::connect(server).await?);
    let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await?;
    tokio::spawn(connection);
    Ok(sender.send_request(request).await?.map(Body::new))
}

/// An error in the form of the AWS APIs, so that the SDK shows its message.
fn refusal(status: StatusCode, kind: &str, message: &str) -> Response {
    let mut response = Response::new(Body::from(json!({ "__type": kind, "message": message }).to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-amz-json-1.0"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn requests_of_functions_pass_and_those_of_web_pages_do_not() {
        let hosts = host_names(&[Ipv4Addr::LOCALHOST.into(), Ipv4Addr::new(172, 17, 0, 1).into()]);
        let passes = |name: http::HeaderName, value: &'static str| {
            let headers = [(HOST, "127.0.0.1:4566"), (name, value)].map(|(name, value)| (name, value.parse().unwrap()));
            check(&headers.into_iter().collect::<HeaderMap>(), &hosts).is_ok()
        };
        for host in ["host.localhost:4566", "localhost:4566", "127.0.0.1:4566", "172.17.0.1:4566", "localhost"] {
            assert!(passes(HOST, host), "{host}");
        }
        for host in ["evil.example:4566", "172.17.0.2:4566", "127.0.0.1.evil.example", "", "[::1]:4566"] {
            assert!(!passes(HOST, host), "{host}");
        }
        for origin in ["https://evil.example", "null", "http://127.0.0.1:4566", ""] {
            assert!(!passes(ORIGIN, origin), "{origin}");
        }
        assert!(check(&HeaderMap::new(), &hosts).is_err());
    }
}
