//! A program under development, which receives events.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// A request that the program has received.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    /// By their names in lowercase.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// A server that answers 204. Dropping it closes its port.
pub(crate) struct Receiver {
    pub(crate) port: u16,
    requests: mpsc::Receiver<Request>,
    is_closed: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Receiver {
    /// Starts at a port; 0 takes any free one.
    pub(crate) fn at(port: u16) -> Receiver {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let is_closed = Arc::new(AtomicBool::new(false));
        let (sender, requests) = mpsc::channel();
        let closed = Arc::clone(&is_closed);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if closed.load(Ordering::SeqCst) {
                    return;
                }
                answer(stream.unwrap(), &sender);
            }
        });
        Receiver { port, requests, is_closed, thread: Some(thread) }
    }

    /// An address of this server.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    /// The next request.
    pub(crate) fn next(&self) -> Request {
        self.requests.recv_timeout(PATIENCE).expect("no request arrived")
    }

    /// Asserts that no request arrives for a while.
    pub(crate) fn assert_silent(&self, time: Duration) {
        let request = self.requests.recv_timeout(time);
        assert!(matches!(request, Err(RecvTimeoutError::Timeout)), "{request:?}");
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn answer(mut stream: TcpStream, sender: &Sender<Request>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    };
    let path = line().split(' ').nth(1).unwrap().to_owned();
    let headers = std::iter::from_fn(|| Some(line()).filter(|line| !line.is_empty()));
    let pair = |line: String| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    let headers: BTreeMap<String, String> = headers.filter_map(pair).collect();
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").unwrap();
    let _ = sender.send(Request { path, headers, body });
}
