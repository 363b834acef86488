//! A fake store with scripted responses, which reports the operations that it receives.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

/// Status code with its reason, and a body.
pub(crate) type StoreResponse = (&'static str, &'static str);

/// Starts a fake store; returns its URL and the operations it receives. It stops when `answer` returns `None`.
pub(crate) fn start(
    mut response: impl FnMut(&str) -> Option<StoreResponse> + Send + 'static,
) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    let (send, received) = channel();
    std::thread::spawn(move || {
        loop {
            let mut stream = BufReader::new(listener.accept().expect("a request").0);
            let mut line = String::new();
            let mut length = 0;
            let mut operation = String::new();
            while stream.read_line(&mut line).expect("a line") > 2 {
                let header = line.to_lowercase();
                if let Some(value) = header.strip_prefix("content-length:") {
                    length = value.trim().parse().expect("a length");
                }
                if header.starts_with("x-amz-target:") {
                    operation = line.trim().rsplit('.').next().unwrap_or_default().to_owned();
                }
                line.clear();
            }
            stream.read_exact(&mut vec![0; length]).expect("a body");
            let Some((status, body)) = response(&operation) else { return };
            // The receiver is gone when the test has ended.
            let _ = send.send(operation);
            let head = format!("content-type: application/x-amz-json-1.0\r\ncontent-length: {}", body.len());
            let response = format!("HTTP/1.1 {status}\r\n{head}\r\nconnection: close\r\n\r\n{body}");
            let _ = stream.get_mut().write_all(response.as_bytes());
        }
    });
    (endpoint, received)
}
