//! How many requests a second a server answers.

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

const CALLERS: usize = 16;

/// Has some callers ask for one path as fast as they are answered. Each is one of the customers in turn.
pub(crate) async fn throughput(
    server: SocketAddr,
    path: &'static str,
    keys: Vec<String>,
    duration: Duration,
) -> Result<f64, Failure> {
    let mut callers = JoinSet::new();
    let started = Instant::now();
    for number in 0..CALLERS {
        let keys: Vec<String> = keys.iter().skip(number).step_by(CALLERS).cloned().collect();
        callers.spawn(async move { call(server, path, &keys, started + duration).await });
    }
    let mut answered = 0.0;
    while let Some(caller) = callers.join_next().await {
        answered += caller??;
    }
    Ok(answered / started.elapsed().as_secs_f64())
}

async fn call(server: SocketAddr, path: &str, keys: &[String], until: Instant) -> Result<f64, Failure> {
    let stream = TcpStream::connect(server).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let mut answered = 0.0;
    for key in keys.iter().cycle() {
        if Instant::now() >= until {
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
