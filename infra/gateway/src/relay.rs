//! Forwards TCP connections.

use local_http::Limits;
use std::time::Duration;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

/// Forwards the connections of a listener to a server. Dropping it closes them.
pub(crate) async fn serve(listener: TcpListener, server: String) {
    let mut connections = JoinSet::new();
    let most = Limits::default().connections;
    loop {
        tokio::select! {
            accepted = listener.accept(), if connections.len() < most => match accepted {
                Ok((client, _)) => drop(connections.spawn(forward(client, server.clone()))),
                Err(error) => {
                    tracing::warn!(%error, "a connection to forward was not accepted");
                    // Without file descriptors the next call fails at once, too.
                    sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn forward(mut client: TcpStream, server: String) {
    let Ok(mut server) = TcpStream::connect(&server).await else { return };
    // After an error both connections close, which is all that either side can learn.
    let _ = copy_bidirectional(&mut client, &mut server).await;
}
