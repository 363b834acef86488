//! A bare HTTP server on 127.0.0.1.

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A running server. Dropping it stops the server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    task: JoinHandle<()>,
}

impl Server {
    /// Starts a server on a free port.
    pub(crate) async fn start<F, R>(respond: F) -> io::Result<Server>
    where
        F: Fn(Request<Incoming>) -> R + Clone + Send + Sync + 'static,
        R: Future<Output = Response<Full<Bytes>>> + Send,
    {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                let respond = respond.clone();
                let service = service_fn(move |request| {
                    let response = respond(request);
                    async move { Ok::<_, Infallible>(response.await) }
                });
                tokio::spawn(
                    async move { http1::Builder::new().serve_connection(TokioIo::new(stream), service).await },
                );
            }
        });
        Ok(Server { address, task })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}
