//! The local gateway: every function in one process on one port, with all that they stand on.
//!
//! It holds an embedded DynamoDB engine, a small Secrets Manager, the sandbox and the HTTP front, each at an address
//! of its own on 127.0.0.1, so that the service itself starts here exactly as it does on Lambda: from a
//! [`shared::app::Config`]. Nothing is global: any number of gateways may run in one process.

mod admin;
pub mod cli;
mod customers;
mod data;
mod demo;
mod engine;
mod error;
mod front;
mod secrets;
mod secrets_server;
mod timer;
mod webhooks;
mod welcome;

pub use customers::create_customer;
pub use error::StartError;

use aws_credential_types::Credentials;
use engine::{Engine, Place};
use front::Front;
use secrets::LocalSecrets;
use secrets_server::SecretsServer;
use serde_json::json;
use shared::app::{App, Aws, Config, PLATFORM_TIMEOUT};
use shared::platforms::settings::Settings;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use timer::Timer;
use tokio::net::TcpListener;

/// What to run and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// Port of the gateway on 127.0.0.1; 0 takes any free one.
    pub port: u16,
    /// Who plays the ad platforms.
    pub sandbox: SandboxChoice,
    /// Where customers, connections and campaigns are kept.
    pub storage: Storage,
}

/// Who plays the ad platforms.
#[derive(Clone, Debug)]
pub enum SandboxChoice {
    /// A sandbox in this process.
    Start {
        /// Its port on 127.0.0.1; 0 takes any free one.
        port: u16,
    },
    /// A sandbox that runs already, by its address.
    Use(String),
}

/// Where everything is kept.
#[derive(Clone, Debug)]
pub enum Storage {
    /// Nowhere: gone when the gateway stops.
    Memory,
    /// In a folder, made if absent.
    Folder(PathBuf),
}

/// A gateway at work.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where the sandbox listens, without a slash at the end.
    pub sandbox_url: String,
    /// The demo customer's key.
    pub api_key: String,
    /// The demo customer.
    pub customer_id: String,
    /// The secret that signs the payment provider's webhooks.
    pub webhook_secret: String,
    /// The service's parts.
    pub app: Arc<App>,
    /// What they were made from; another [`App`] made from it works on the same table.
    pub config: Config,
    engine: Engine,
    front: Front,
    folder: Option<PathBuf>,
    sandbox: Option<sandbox::Running>,
    timer: Timer,
    _secrets: SecretsServer,
}

/// Starts everything; when this returns, the gateway answers.
pub async fn start(options: Options) -> Result<Running, StartError> {
    let Options { port, sandbox, storage } = options;
    let (folder, place) = match storage {
        Storage::Memory => (None, Place::Memory),
        Storage::Folder(folder) => {
            let lock = data::lock(&folder).await?;
            // What a gateway that was killed left behind names no engine of ours.
            data::remove(&engine_file(&folder))?;
            (Some(folder.clone()), Place::Folder(folder, lock))
        }
    };
    // Early: a taken port is the likeliest thing to go wrong, and nothing has to be undone yet.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.map_err(|source| StartError::Port { port, source })?;
    let (sandbox_url, sandbox) = match sandbox {
        SandboxChoice::Use(url) => (url.trim_end_matches('/').to_owned(), None),
        SandboxChoice::Start { port } => {
            let options = sandbox::Options { port, data: folder.clone() };
            let running = sandbox::start(options).await.map_err(StartError::Sandbox)?;
            (running.url(), Some(running))
        }
    };
    let ground = Ground { listener, place, folder, sandbox_url };
    match ground.build().await {
        Ok(running) => Ok(Running { sandbox, ..running }),
        Err(error) => {
            if let Some(sandbox) = sandbox {
                sandbox.stop().await;
            }
            Err(error)
        }
    }
}

/// What the service is built on.
struct Ground {
    listener: TcpListener,
    place: Place,
    folder: Option<PathBuf>,
    sandbox_url: String,
}

impl Ground {
    async fn build(self) -> Result<Running, StartError> {
        let Ground { listener, place, folder, sandbox_url } = self;
        let address = listener.local_addr().map_err(|source| StartError::Port { port: 0, source })?;
        let secrets = Arc::new(LocalSecrets::load(folder.as_deref())?);
        let webhook_secret = secrets.webhook_secret().to_owned();
        let secrets = SecretsServer::start(secrets).await?;
        let engine = Engine::start(place)?;
        let config = config(address, &sandbox_url, aws(&engine.endpoint, Some(&secrets.endpoint)));
        let app = Arc::new(App::start(config.clone()).await.map_err(StartError::Service)?);
        let demo = demo::key(&app.store, folder.as_deref()).await?;
        let page = welcome::page(&format!("http://{address}"), &sandbox_url);
        let front = Front::start(listener, Arc::clone(&app), page);
        webhooks::ask_for_them(&app, &sandbox_url, address, &webhook_secret).await;
        let timer = Timer::start(Arc::clone(&app));
        if let Some(folder) = &folder {
            data::write(&engine_file(folder), &format!("{}\n", json!({ "endpoint": engine.endpoint })))?;
        }
        let (api_key, customer_id) = (demo.reveal().to_owned(), demo.customer().to_string());
        Ok(Running {
            address,
            sandbox_url,
            api_key,
            customer_id,
            webhook_secret,
            app,
            config,
            engine,
            front,
            folder,
            sandbox: None,
            timer,
            _secrets: secrets,
        })
    }
}

impl Running {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where the DynamoDB engine listens: `http://127.0.0.1:PORT`.
    pub fn engine_endpoint(&self) -> &str {
        &self.engine.endpoint
    }

    /// Takes no more requests, lets those under way end (a few seconds at most), and closes everything.
    pub async fn stop(self) {
        let Running { front, folder, sandbox, engine, timer, .. } = self;
        drop(timer);
        front.stop().await;
        // Before the engine goes: who finds this file expects an engine.
        if let Some(Err(error)) = folder.map(|folder| data::remove(&engine_file(&folder))) {
            tracing::warn!(%error, "the engine's address could not be taken back");
        }
        if let Some(sandbox) = sandbox {
            sandbox.stop().await;
        }
        engine.stop().await;
    }
}

/// Where a running gateway says how its engine is reached, for `gateway admin`.
fn engine_file(folder: &Path) -> PathBuf {
    folder.join("engine.json")
}

/// The configuration of every function at once.
fn config(address: SocketAddr, sandbox_url: &str, aws: Aws) -> Config {
    Config {
        table: engine::TABLE.to_owned(),
        secrets_prefix: secrets::PREFIX.to_owned(),
        public_base_url: Some(format!("http://{address}")),
        platform_base_url: Some(format!("{sandbox_url}/{{platform}}")),
        platform_settings: Settings::default(),
        platform_timeout: PLATFORM_TIMEOUT,
        with_payments: true,
        payment_base_url: Some(format!("{sandbox_url}/stripe")),
        aws,
    }
}

/// How the local stand-ins for AWS are reached. They check no signature.
fn aws(dynamodb: &str, secrets: Option<&str>) -> Aws {
    Aws {
        region: "us-east-1".to_owned(),
        credentials: Credentials::new("local", "local", None, None, "gateway"),
        dynamodb_endpoint: Some(dynamodb.to_owned()),
        secrets_endpoint: secrets.map(str::to_owned),
    }
}
