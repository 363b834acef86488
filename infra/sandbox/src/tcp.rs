//! TCP connections that a request handler can abort.
//!
//! A network failure closes a connection without an HTTP response. An axum handler cannot do that, so the connection
//! carries a switch. After the switch is set every write fails, and the server drops the connection before it sends a
//! byte of the response.

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// The abort switch of a connection.
#[derive(Clone, Default)]
pub(crate) struct AbortSwitch(Arc<AtomicBool>);

impl AbortSwitch {
    /// Makes every further write fail.
    pub(crate) fn abort(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn check(&self) -> io::Result<()> {
        if self.0.load(Ordering::Acquire) {
            return Err(io::Error::from(io::ErrorKind::ConnectionAborted));
        }
        Ok(())
    }
}

impl Connected<IncomingStream<'_, Listener>> for AbortSwitch {
    fn connect_info(stream: IncomingStream<'_, Listener>) -> Self {
        stream.io().switch.clone()
    }
}

/// A listener with abortable connections.
pub(crate) struct Listener {
    inner: TcpListener,
    address: SocketAddr,
}

impl Listener {
    pub(crate) async fn bind(address: SocketAddr) -> io::Result<Self> {
        let inner = TcpListener::bind(address).await?;
        let address = inner.local_addr()?;
        Ok(Self { inner, address })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl axum::serve::Listener for Listener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            match self.inner.accept().await {
                Ok((inner, peer)) => {
                    let _ = inner.set_nodelay(true);
                    return (Connection { inner, switch: AbortSwitch::default() }, peer);
                }
                Err(error) => {
                    // Usually the process is out of file descriptors; the pause lets other connections close theirs.
                    tracing::warn!(%error, "the sandbox could not accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

/// A TCP stream with an abort switch.
pub(crate) struct Connection {
    inner: TcpStream,
    switch: AbortSwitch,
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.switch.check()?;
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.switch.check()?;
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
