//! The Unix socket in the data folder, through which `gateway admin` and joining gateways reach the store.
//!
//! A web page cannot open a Unix socket, and other users of this machine cannot enter the folder.

use super::service::LocalService;
use crate::data_folder;
use crate::engine::{EngineClient, socket_path};
use crate::error::StartError;
use local_http::{Limits, serve};
use std::future::pending;
use std::io;
use std::path::{Path, PathBuf};
use tokio::net::UnixListener;
use tokio::task::JoinHandle;

/// The socket of a running gateway. Dropping it closes the socket.
pub(crate) struct EngineSocket {
    path: PathBuf,
    server: JoinHandle<()>,
}

impl EngineSocket {
    /// Serves the store at the socket of a folder, whose lock this process holds.
    pub(crate) fn serve(folder: &Path, engine: EngineClient) -> Result<EngineSocket, StartError> {
        let path = socket_path(folder);
        // A killed gateway leaves its socket behind.
        data_folder::remove(&path)?;
        let listener = UnixListener::bind(&path).map_err(|source| unusable(&path, source))?;
        data_folder::make_private(&path)?;
        let service = LocalService::Store(engine);
        let response = move |request| {
            let service = service.clone();
            async move { Ok(service.respond(request).await) }
        };
        let server = tokio::spawn(serve(listener, Limits::default(), response, pending()));
        Ok(EngineSocket { path, server })
    }
}

impl Drop for EngineSocket {
    fn drop(&mut self) {
        self.server.abort();
        if let Err(error) = data_folder::remove(&self.path) {
            tracing::warn!(%error, "could not remove the engine's socket");
        }
    }
}

fn unusable(path: &Path, source: io::Error) -> StartError {
    match source.kind() {
        io::ErrorKind::InvalidInput => StartError::Content {
            path: path.to_owned(),
            reason: "is too long a path for a Unix socket: pass --data with a shorter one, such as a relative path"
                .to_owned(),
        },
        _ => StartError::File { path: path.to_owned(), source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_error_for_a_path_that_is_too_long_names_the_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let long = folder.path().join("x".repeat(120));
        std::fs::create_dir(&long).unwrap();
        let error = EngineSocket::serve(&long, EngineClient::of_folder(&long)).err().unwrap().to_string();
        assert!(error.contains("engine.sock") && error.contains("--data with a shorter one"), "{error}");
    }
}
