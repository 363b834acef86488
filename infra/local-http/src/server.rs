//! The server.

use crate::timed_body;
use axum::extract::Request;
use axum::response::Response;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Limits of a server.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Longest time from a connection to its first complete header.
    pub header_timeout: Duration,
    /// Longest time from a header to the end of its body. A later body is an error to whoever reads it.
    pub body_timeout: Duration,
    /// Longest time from a response to the next complete header.
    pub idle_timeout: Duration,
    /// Most connections at a time. Further ones wait until another one ends.
    pub connections: usize,
}

impl Default for Limits {
    /// Clients are on this machine, so a header and a body arrive at once. Our HTTP client keeps idle connections for 90 seconds.
    /// If the server closed them first, a request sent at that moment would be lost, and a create have no clear
    /// outcome.
    fn default() -> Limits {
        let seconds = Duration::from_secs;
        Limits { header_timeout: seconds(10), body_timeout: seconds(10), idle_timeout: seconds(100), connections: 1024 }
    }
}

/// Ends a connection without a response.
#[derive(Debug, Clone, Copy)]
pub struct HangUp;

impl fmt::Display for HangUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server ends the connection without a response")
    }
}

impl std::error::Error for HangUp {}

/// Answers the requests of a listener until `stopped` resolves; then accepts no more, and returns when the requests in
/// progress are answered. Dropping this future closes all connections.
pub async fn serve<L, A, F>(mut listener: L, limits: Limits, response: A, stopped: impl Future<Output = ()>)
where
    L: Listener,
    A: Fn(Request) -> F + Clone + Send + 'static,
    F: Future<Output = Result<Response, HangUp>> + Send + 'static,
{
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.idle_timeout);
    let mut connections = JoinSet::new();
    let graceful = GracefulShutdown::new();
    let mut stopped = std::pin::pin!(stopped);
    loop {
        let (stream, _) = tokio::select! {
            accepted = listener.accept(), if connections.len() < limits.connections => accepted,
            Some(_) = connections.join_next() => continue,
            () = &mut stopped => break,
        };
        let response = response.clone();
        let has_request = Arc::new(AtomicBool::new(false));
        let in_use = Arc::clone(&has_request);
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            in_use.store(true, Ordering::Relaxed);
            response(request.map(|body| timed_body::of(body, limits.body_timeout)))
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        connections.spawn(run(connection, limits.header_timeout, has_request));
    }
    // Later clients are refused instead of waiting for a response.
    drop(listener);
    graceful.shutdown().await;
}

/// Runs a connection, but ends it if it has no request in time.
async fn run<E>(
    connection: impl Future<Output = Result<(), E>>,
    header_timeout: Duration,
    has_request: Arc<AtomicBool>,
) {
    let mut connection = std::pin::pin!(connection);
    let is_pending = timeout(header_timeout, &mut connection).await.is_err();
    if is_pending && has_request.load(Ordering::Relaxed) {
        // An error ends this connection only, and the client sees it.
        let _ = connection.await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body, to_bytes};
    use std::net::SocketAddr;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::oneshot;
    use tokio::task::JoinHandle;
    use tokio::time::sleep;

    const SOON: Duration = Duration::from_millis(300);
    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    /// A server that hangs up at `/drop`, takes half of [`SOON`] at `/slow` and reads the body at `/read`.
    async fn start(limits: Limits) -> (SocketAddr, oneshot::Sender<()>, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let response = |request: Request| async move {
            match request.uri().path() {
                "/drop" => return Err(HangUp),
                "/slow" => sleep(SOON / 2).await,
                "/read" => {
                    let is_whole = to_bytes(request.into_body(), 100).await.is_ok();
                    return Ok(Response::new(Body::from(if is_whole { "whole" } else { "late" })));
                }
                _ => {}
            }
            Ok(Response::new(Body::from("answered")))
        };
        let stopped = async { drop(stopped.await) };
        (address, stop, tokio::spawn(serve(listener, limits, response, stopped)))
    }

    async fn send(address: SocketAddr, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream
    }

    /// Everything until the server closes the connection; `None` while it does not.
    async fn rest(stream: &mut TcpStream) -> Option<String> {
        let mut text = String::new();
        timeout(SOON, stream.read_to_string(&mut text)).await.ok()?.unwrap();
        Some(text)
    }

    #[tokio::test]
    async fn a_connection_without_a_first_request_ends() {
        let (address, _stop, _server) = start(Limits { header_timeout: SOON / 3, ..Limits::default() }).await;
        for sent in [&b""[..], b"GET / HTT", &REQUEST[..REQUEST.len() - 2]] {
            assert_eq!(rest(&mut send(address, sent).await).await.as_deref(), Some(""));
        }
        let mut busy = send(address, b"GET /slow HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").await;
        assert!(rest(&mut busy).await.unwrap().ends_with("answered"), "a request in progress continues");
        assert_eq!(rest(&mut send(address, REQUEST).await).await, None, "the connection stays for another request");
    }

    #[tokio::test]
    async fn idle_and_half_open_connections_end_after_the_idle_timeout() {
        let (address, _stop, _server) = start(Limits { idle_timeout: SOON / 3, ..Limits::default() }).await;
        for sent in [REQUEST, &[REQUEST, b"GET / HTT"].concat()] {
            assert!(rest(&mut send(address, sent).await).await.unwrap().ends_with("answered"));
        }
    }

    #[tokio::test]
    async fn connections_over_the_bound_wait_for_another_to_end() {
        let (address, _stop, _server) = start(Limits { connections: 2, ..Limits::default() }).await;
        let idle = [send(address, b"").await, send(address, b"").await];
        sleep(SOON / 3).await;
        let mut third = send(address, b"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").await;
        assert_eq!(rest(&mut third).await, None);
        drop(idle);
        assert!(rest(&mut third).await.unwrap().ends_with("answered"));
    }

    #[tokio::test]
    async fn a_body_that_does_not_come_in_time_keeps_nobody_out() {
        let limits = Limits { body_timeout: SOON / 3, connections: 2, ..Limits::default() };
        let (address, _stop, _server) = start(limits).await;
        let head = b"POST /read HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n";
        let mut half = send(address, &[&head[..], b"ab"].concat()).await;
        let mut none = send(address, head).await;
        let mut whole = send(address, &[&head[..], b"abcd"].concat()).await;
        for (stream, told) in [(&mut half, "late"), (&mut none, "late")] {
            assert!(rest(stream).await.unwrap().ends_with(told), "and the connection ends");
        }
        let mut answered = [0; 512];
        let length = timeout(SOON, whole.read(&mut answered)).await.unwrap().unwrap();
        assert!(answered[..length].ends_with(b"whole"));
    }

    #[tokio::test]
    async fn a_hang_up_sends_no_byte() {
        let (address, _stop, _server) = start(Limits::default()).await;
        let mut stream = send(address, b"GET /drop HTTP/1.1\r\nHost: h\r\n\r\n").await;
        assert_eq!(rest(&mut stream).await.as_deref(), Some(""));
    }

    #[tokio::test]
    async fn a_stop_answers_requests_in_progress_and_closes_idle_connections() {
        let (address, stop, server) = start(Limits::default()).await;
        let mut idle = send(address, REQUEST).await;
        let mut busy = send(address, b"GET /slow HTTP/1.1\r\nHost: h\r\n\r\n").await;
        sleep(SOON / 6).await;
        stop.send(()).unwrap();
        assert!(timeout(SOON, server).await.is_ok());
        for stream in [&mut idle, &mut busy] {
            assert!(rest(stream).await.unwrap().ends_with("answered"));
        }
        assert!(TcpStream::connect(address).await.is_err());
    }
}
