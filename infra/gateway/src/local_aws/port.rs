//! A TCP port of the store or of the secrets, for functions in containers.
//!
//! A web page may send requests to this port, and so may every user of this machine and every container. A request
//! therefore names the token of the data folder in its path, which comes from the endpoint of the function.

use super::service::{LocalService, error};
use axum::extract::Request;
use axum::response::Response;
use axum::serve::ListenerExt;
use http::StatusCode;
use local_http::{Limits, reject_web_page, serve};
use ring::digest::{SHA256, digest};
use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The condition for a response.
pub(crate) struct Access {
    /// The names of this machine in `Host`.
    pub(crate) hosts: Vec<String>,
    /// The first segment of the path.
    pub(crate) token: String,
}

/// An open port. Dropping it closes the port.
pub(crate) struct PortServer {
    pub(crate) address: SocketAddr,
    server: JoinHandle<()>,
}

impl PortServer {
    /// Serves a service to clients with access.
    pub(crate) fn start(listener: TcpListener, service: LocalService, access: Arc<Access>) -> io::Result<PortServer> {
        let address = listener.local_addr()?;
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let response = move |request| {
            let service = service.clone();
            let access = Arc::clone(&access);
            async move { Ok(respond(&service, &access, request).await) }
        };
        let server = tokio::spawn(serve(listener, Limits::default(), response, pending()));
        Ok(PortServer { address, server })
    }
}

impl Drop for PortServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn respond(service: &LocalService, access: &Access, request: Request) -> Response {
    match access.check(&request) {
        Ok(()) => service.respond(request).await,
        Err(reason) => error(StatusCode::FORBIDDEN, "AccessDeniedException", &reason),
    }
}

impl Access {
    fn check(&self, request: &Request) -> Result<(), String> {
        reject_web_page(request.headers(), &self.hosts)?;
        let token = request.uri().path().trim_start_matches('/').trim_end_matches('/');
        // Digests are compared, so that the time of the comparison says nothing about the token.
        if digest(&SHA256, token.as_bytes()).as_ref() == digest(&SHA256, self.token.as_bytes()).as_ref() {
            return Ok(());
        }
        Err("The path of the endpoint must be the token of the data folder: pass its env.json to sam local with \
             --env-vars, and start sam local again."
            .to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    #[test]
    fn a_request_needs_a_known_host_and_the_token() {
        let access = Access { hosts: vec!["127.0.0.1".to_owned()], token: "secret".to_owned() };
        let check = |path: &str, host: &str| {
            let request = Request::post(path).header("host", host).body(Body::empty()).unwrap();
            access.check(&request)
        };
        for path in ["/secret", "/secret/"] {
            assert!(check(path, "127.0.0.1:4566").is_ok(), "{path}");
        }
        for path in ["/", "/Secret", "/secret/x", "/x/secret", "/secre", "/secrets"] {
            assert!(check(path, "127.0.0.1:4566").unwrap_err().contains("--env-vars"), "{path}");
        }
        assert!(check("/secret", "evil.example:4566").unwrap_err().contains("Host"));
    }
}
