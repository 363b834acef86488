//! A running gateway.

use crate::engine::Engine;
use crate::error::StartError;
use crate::http::HttpServer;
use crate::local_aws::{Access, EngineSocket};
use crate::options::Storage;
use crate::ports::OpenPorts;
use crate::runtime_info::RuntimeInfo;
use crate::secrets::{LocalSecrets, generate};
use crate::timers::{DeliveryTimer, MaintenanceTimer};
use shared::app::{App, Config};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;

/// A running gateway.
pub struct Running {
    pub address: SocketAddr,
    /// URL of the sandbox, without a trailing slash.
    pub sandbox_url: String,
    /// The demo customer's API key.
    pub api_key: String,
    /// The demo customer's id.
    pub customer_id: String,
    /// The secret that signs the payment provider's webhooks.
    pub webhook_secret: String,
    /// The application state that all functions share.
    pub app: Arc<App>,
    /// The configuration of `app`; a second [`App`] started from it works on the same table.
    pub config: Config,
    /// Above the engine, so that it is dropped first.
    pub(crate) socket: Option<EngineSocket>,
    pub(crate) engine: Engine,
    pub(crate) http: HttpServer,
    pub(crate) storage: Storage,
    pub(crate) sandbox: Option<sandbox::Running>,
    pub(crate) timers: Option<(MaintenanceTimer, DeliveryTimer)>,
    pub(crate) secrets: Arc<LocalSecrets>,
}

impl Running {
    /// `http://127.0.0.1:PORT`, without a trailing slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address of the dashboard.
    pub fn dashboard_url(&self) -> String {
        format!("{}{}", self.url(), shared::routes::DASHBOARD)
    }

    /// Opens a port of the store and one of the secrets on 127.0.0.1, for other processes.
    pub fn open_ports(&self) -> Result<OpenPorts, StartError> {
        let host = Ipv4Addr::LOCALHOST;
        let bind = || {
            let listener = std::net::TcpListener::bind((host, 0))?;
            listener.set_nonblocking(true)?;
            TcpListener::from_std(listener)
        };
        let mut ports = self.no_ports(Access { hosts: vec![host.to_string()], token: generate::token()? });
        let opened = bind().and_then(|store| ports.add(store, bind()?));
        opened.map_err(|source| StartError::Port { port: 0, source })?;
        Ok(ports)
    }

    pub(crate) fn no_ports(&self, access: Access) -> OpenPorts {
        OpenPorts::new(self.engine.client.clone(), Arc::clone(&self.secrets), access)
    }

    /// Address of the sandbox in this process.
    pub(crate) fn sandbox_address(&self) -> Option<SocketAddr> {
        self.sandbox.as_ref().map(|sandbox| sandbox.address)
    }

    /// The token key ring as JSON, in the form in which Secrets Manager holds it.
    pub fn token_keys(&self) -> String {
        self.secrets.token_keys()
    }

    /// Replaces the token key ring while the service runs, as an operator does in Secrets Manager. Returns an error for
    /// a ring that the vault does not accept.
    pub fn replace_token_keys(&self, ring: &str) -> Result<(), StartError> {
        self.secrets.replace_token_keys(ring)
    }

    /// Stops accepting requests, waits a few seconds at most for those in flight, and closes everything.
    pub async fn stop(self) {
        let Running { http, storage, sandbox, engine, timers, socket, .. } = self;
        drop(timers);
        http.stop().await;
        // Before the engine stops: a process that reads this file expects a running engine.
        if let Some(Err(error)) = storage.folder().map(|folder| RuntimeInfo::remove(folder)) {
            tracing::warn!(%error, "could not remove engine.json");
        }
        drop(socket);
        if let Some(sandbox) = sandbox {
            sandbox.stop().await;
        }
        engine.stop().await;
    }
}
