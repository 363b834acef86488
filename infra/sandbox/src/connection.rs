//! TCP connections that can be cut from inside a request.
//!
//! A faulty network closes a connection without an HTTP answer. A handler cannot say that
//! to a web framework, so the connection itself carries a switch: once it is thrown, every write
//! fails, and the server gives the connection up before a byte of the answer has left.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// The switch of one connection.
#[derive(Clone, Default)]
pub(crate) struct Cut(Arc<AtomicBool>);

impl Cut {
    /// Lets nothing more out of this connection.
    pub(crate) fn now(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn check(&self) -> io::Result<()> {
        if self.0.load(Ordering::Acquire) {
            return Err(io::Error::from(io::ErrorKind::ConnectionAborted));
        }
        Ok(())
    }
}

impl Connected<IncomingStream<'_, Listener>> for Cut {
    fn connect_info(stream: IncomingStream<'_, Listener>) -> Self {
        stream.io().cut.clone()
    }
}

/// A listener whose connections can be cut.
pub(crate) struct Listener {
    inner: TcpListener,
    address: SocketAddr,
}

impl Listener {
    pub(crate) async fn bind(wanted: SocketAddr) -> io::Result<Self> {
        let inner = TcpListener::bind(wanted).await?;
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
                    return (Connection { inner, cut: Cut::default() }, peer);
                }
                Err(error) => {
                    // Out of file handles, mostly: a pause lets others close theirs.
                    tracing::warn!(%error, "the sandbox could not take a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

/// A TCP stream that fails to write once its switch is thrown.
pub(crate) struct Connection {
    inner: TcpStream,
    cut: Cut,
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.cut.check()?;
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.cut.check()?;
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
