//! Open TCP ports of a gateway's store and secrets, for processes that cannot use the data folder.

use crate::engine::EngineClient;
use crate::local_aws::{Access, LocalService, PortServer};
use crate::secrets::LocalSecrets;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// The open ports. Dropping them closes them.
pub struct OpenPorts {
    services: [LocalService; 2],
    access: Arc<Access>,
    store: Vec<PortServer>,
    secrets: Vec<PortServer>,
}

impl OpenPorts {
    /// No port yet.
    pub(crate) fn new(engine: EngineClient, secrets: Arc<LocalSecrets>, access: Access) -> OpenPorts {
        let services = [LocalService::Store(engine), LocalService::Secrets(secrets)];
        OpenPorts { services, access: Arc::new(access), store: Vec::new(), secrets: Vec::new() }
    }

    /// Serves the store and the secrets at two listeners.
    pub(crate) fn add(&mut self, store: TcpListener, secrets: TcpListener) -> io::Result<()> {
        let [store_service, secrets_service] = self.services.clone();
        self.store.push(PortServer::start(store, store_service, Arc::clone(&self.access))?);
        self.secrets.push(PortServer::start(secrets, secrets_service, Arc::clone(&self.access))?);
        Ok(())
    }

    /// An endpoint of the store for the SDK. Its path is the token, without which the port answers nothing.
    pub fn store_url(&self) -> Option<String> {
        self.url(&self.store)
    }

    /// An endpoint of the secrets for the SDK, with the same token.
    pub fn secrets_url(&self) -> Option<String> {
        self.url(&self.secrets)
    }

    /// The addresses of the store.
    pub(crate) fn store_addresses(&self) -> Vec<SocketAddr> {
        self.store.iter().map(|server| server.address).collect()
    }

    /// The addresses of the secrets.
    pub(crate) fn secrets_addresses(&self) -> Vec<SocketAddr> {
        self.secrets.iter().map(|server| server.address).collect()
    }

    fn url(&self, servers: &[PortServer]) -> Option<String> {
        servers.first().map(|server| format!("http://{}/{}", server.address, self.access.token))
    }
}
