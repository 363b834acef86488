//! Calls of the engine of another process, through the Unix socket `engine.sock` of its data folder.

use super::operations::EngineResponse;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::UnixStream;
use tokio::time::{sleep, timeout};

/// The header that names the operation, as in the AWS API.
pub(crate) const TARGET_HEADER: &str = "x-amz-target";

/// Time for a place among the connections that wait to be accepted. Without a gateway a connection fails at once.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause before another attempt to connect while too many connections wait to be accepted.
const FULL_PAUSE: Duration = Duration::from_millis(5);

/// The socket of a folder.
pub(crate) fn socket_path(folder: &Path) -> PathBuf {
    folder.join("engine.sock")
}

/// Whether a gateway that runs on a folder accepts connections. A killed one leaves its socket behind.
pub(crate) async fn is_reachable(folder: &Path) -> bool {
    connect(&socket_path(folder)).await.is_ok()
}

/// Runs an operation of the engine behind a socket.
pub(super) async fn call(socket: &Path, operation: &str, request: Bytes) -> io::Result<EngineResponse> {
    let stream = TokioIo::new(connect(socket).await?);
    let (mut sender, connection) = http1::handshake(stream).await.map_err(io::Error::other)?;
    tokio::spawn(connection);
    let request = http::Request::post("/")
        .header(http::header::HOST, "localhost")
        .header(TARGET_HEADER, operation)
        .body(Full::new(request))
        .map_err(io::Error::other)?;
    let response = sender.send_request(request).await.map_err(io::Error::other)?;
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
    Ok((status, String::from_utf8(body.into()).map_err(io::Error::other)?))
}

async fn connect(socket: &Path) -> io::Result<UnixStream> {
    let connect = async {
        loop {
            match UnixStream::connect(socket).await {
                // Unlike TCP, a Unix socket does not queue a client when its backlog is full.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => sleep(FULL_PAUSE).await,
                outcome => return outcome,
            }
        }
    };
    timeout(CONNECT_TIMEOUT, connect).await.map_err(io::Error::from)?
}
