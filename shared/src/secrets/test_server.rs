//! A Secrets Manager for tests: it answers as a test says, and hands over the requests.

use crate::sdk::SharedHttpClient;
use aws_sdk_secretsmanager::Client;
use aws_sdk_secretsmanager::config::{BehaviorVersion, Config, Credentials, Region};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// A request as received.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: String,
}

/// The status and the body of a response; `None` closes the connection.
pub(super) type Response = Option<(u16, String)>;

/// A server that answers with these responses in turn, and the requests that it received.
pub(super) fn server(responses: Vec<(u16, &'static str)>) -> (String, Receiver<Received>) {
    let responses = Mutex::new(responses.into_iter());
    answering(move |_| responses.lock().unwrap().next().map(|(status, body)| (status, body.to_owned())))
}

/// A server that answers each request, and the requests that it received.
pub(super) fn answering(
    response: impl Fn(&Received) -> Response + Send + Sync + 'static,
) -> (String, Receiver<Received>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let (sender, received) = channel();
    let response = Arc::new(response);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let sender = sender.clone();
            let response = Arc::clone(&response);
            std::thread::spawn(move || serve(stream.unwrap(), &sender, &*response));
        }
    });
    (endpoint, received)
}

fn serve(stream: TcpStream, sender: &Sender<Received>, respond: &dyn Fn(&Received) -> Response) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    while let Some(request) = receive(&mut reader) {
        let response = respond(&request);
        // The test may be over.
        let _ = sender.send(request);
        let Some((status, body)) = response else { return };
        write!(writer, "HTTP/1.1 {status} -\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    }
}

fn receive(reader: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let headers: BTreeMap<String, String> = lines[1..]
        .iter()
        .map(|line| line.split_once(": ").unwrap())
        .map(|(n, v)| (n.to_lowercase(), v.into()))
        .collect();
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    Some(Received { headers, body: String::from_utf8(body).unwrap() })
}

/// A client of such a server.
pub(super) fn client(endpoint: &str) -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-central-1"))
        .credentials_provider(Credentials::new("id", "key", Some("token".to_owned()), None, "test"))
        .http_client(SharedHttpClient::default())
        .endpoint_url(endpoint);
    Client::from_conf(config.build())
}
