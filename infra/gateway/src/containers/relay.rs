//! Forwards TCP connections.

use super::ServerAddress;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// Forwards the connections of a listener to a server. Dropping it closes them.
pub(super) async fn serve(listener: TcpListener, server: ServerAddress) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                // A connection can end before it is accepted; the next one works.
                if let Ok((client, _)) = accepted {
                    connections.spawn(forward(client, server.clone()));
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn forward(mut client: TcpStream, server: ServerAddress) {
    let Ok(mut server) = TcpStream::connect(&server).await else { return };
    // After an error both connections close, which is all that either side can learn.
    let _ = copy_bidirectional(&mut client, &mut server).await;
}
