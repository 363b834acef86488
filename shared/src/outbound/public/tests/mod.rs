//! Calls over real sockets.

mod documents;
mod hostile_names;
mod responses;
mod tls;

use super::*;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

const BODY: &str = r#"{"type":"ping"}"#;
const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine";

/// Gives each answer once, in order, and the last one for ever. It counts the questions.
#[derive(Debug)]
struct Scripted {
    answers: Mutex<VecDeque<Vec<IpAddr>>>,
    questions: AtomicUsize,
}

#[async_trait::async_trait]
impl Resolver for Scripted {
    async fn resolve(&self, _name: &str) -> std::io::Result<Vec<IpAddr>> {
        self.questions.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        answer.ok_or_else(|| ErrorKind::NotFound.into())
    }
}

fn scripted(answers: &[&[&str]]) -> Arc<Scripted> {
    let parsed = |answer: &&[&str]| answer.iter().map(|address| address.parse().unwrap()).collect();
    Arc::new(Scripted { answers: Mutex::new(answers.iter().map(parsed).collect()), questions: AtomicUsize::new(0) })
}

fn client(reach: Reach, resolver: &Arc<Scripted>) -> PublicClient {
    let resolver = Arc::clone(resolver);
    PublicClient::build(UrlPolicy::new(reach, None), resolver, http_transport::mozilla_roots()).unwrap()
}

fn local() -> Reach {
    Reach::Local { own_ports: Vec::new() }
}

/// A client of an endpoint on this machine.
fn local_client() -> PublicClient {
    client(local(), &scripted(&[&["127.0.0.1"]]))
}

async fn post(client: &PublicClient, url: &str) -> Result<PublicResponse, PublicFailure> {
    post_within(client, url, Duration::from_secs(20)).await
}

async fn post_within(client: &PublicClient, url: &str, limit: Duration) -> Result<PublicResponse, PublicFailure> {
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, "application/json".parse().unwrap())]);
    client.post(url, headers, Bytes::from_static(BODY.as_bytes()), Instant::now() + limit).await
}

/// The port of an endpoint that reads one request (a POST of [`BODY`], or what has no body), writes `head`, then repeats `block` until the client disconnects. Its
/// thread returns the request, and the stream, which it does not close.
fn endpoint(head: &'static str, block: &'static [u8]) -> (u16, JoinHandle<(String, TcpStream)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut request, mut part) = (Vec::new(), [0; 4096]);
        let is_complete = |request: &[u8]| match request {
            [b'G', ..] => request.ends_with(b"\r\n\r\n"),
            _ => request.ends_with(BODY.as_bytes()),
        };
        while !is_complete(&request) {
            match stream.read(&mut part) {
                Ok(0) | Err(_) => break,
                Ok(count) => request.extend_from_slice(&part[..count]),
            }
        }
        let _ = stream.write_all(head.as_bytes());
        while !block.is_empty() && stream.write_all(block).is_ok() {}
        (String::from_utf8_lossy(&request).into_owned(), stream)
    });
    (port, thread)
}
