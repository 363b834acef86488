//! Throughput of a server.

use crate::Failure;
use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const CLIENTS: usize = 16;

/// Requests per second of concurrent clients, each of which sends its next request after the response. The clients
/// divide the API keys among them.
pub(crate) async fn throughput(
    server: SocketAddr,
    path: &'static str,
    keys: Vec<String>,
    duration: Duration,
) -> Result<f64, Failure> {
    let mut clients = JoinSet::new();
    let started = Instant::now();
    for number in 0..CLIENTS {
        let keys: Vec<String> = keys.iter().skip(number).step_by(CLIENTS).cloned().collect();
        clients.spawn(async move { run_client(server, path, &keys, started + duration).await });
    }
    let mut answered = 0.0;
    while let Some(client) = clients.join_next().await {
        answered += client??;
    }
    Ok(answered / started.elapsed().as_secs_f64())
}

async fn run_client(server: SocketAddr, path: &str, keys: &[String], deadline: Instant) -> Result<f64, Failure> {
    let stream = TcpStream::connect(server).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let mut answered = 0.0;
    for key in keys.iter().cycle() {
        if Instant::now() >= deadline {
            break;
        }
        let request = Request::get(path).header("host", "localhost").header("x-api-key", key);
        let response = sender.send_request(request.body(Empty::<Bytes>::new())?).await?;
        let status = response.status();
        response.into_body().collect().await?;
        if status != StatusCode::OK {
            return Err(format!("{path} was answered with {status}").into());
        }
        answered += 1.0;
        sender.ready().await?;
    }
    drop(sender);
    connection.abort();
    Ok(answered)
}
