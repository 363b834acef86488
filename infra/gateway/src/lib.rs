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
mod presence;
mod reseal;
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
use presence::Presence;
use secrets::LocalSecrets;
use secrets_server::SecretsServer;
use shared::app::{App, Aws, Config, PLATFORM_TIMEOUT};
use shared::auth::ApiKey;
use shared::platforms::settings::Settings;
use shared::store::Store;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use timer::Timer;
use tokio::net::TcpListener;

/// What to run and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// Port of the gateway on 127.0.0.1; 0 takes any free one.
    pub port: u16,
    /// Who plays the ad platforms; with [`Storage::Shared`] it is who plays them there, whatever this says.
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
    /// In the store of the gateway that runs on this folder, with its secrets and its sandbox: as one more instance of
    /// the deployed functions would work. The folder is only read.
    Shared(PathBuf),
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
    storage: Storage,
    sandbox: Option<sandbox::Running>,
    timer: Option<Timer>,
    secrets: Arc<LocalSecrets>,
    _secrets_server: SecretsServer,
}

/// Starts everything; when this returns, the gateway answers.
pub async fn start(options: Options) -> Result<Running, StartError> {
    let Options { port, sandbox, storage } = options;
    let (place, sandbox) = match &storage {
        Storage::Memory => (Place::Memory, sandbox),
        Storage::Folder(folder) => {
            let lock = data::lock(folder).await?;
            // What a gateway that was killed left behind names no engine of ours.
            Presence::withdraw(folder)?;
            (Place::Folder(folder.clone(), lock), sandbox)
        }
        Storage::Shared(folder) => {
            let Presence { endpoint, sandbox } = Presence::find(folder).await?;
            (Place::Elsewhere(endpoint), SandboxChoice::Use(sandbox))
        }
    };
    // Early: a taken port is the likeliest thing to go wrong, and nothing has to be undone yet.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.map_err(|source| StartError::Port { port, source })?;
    let (sandbox_url, sandbox) = match sandbox {
        SandboxChoice::Use(url) => (url.trim_end_matches('/').to_owned(), None),
        SandboxChoice::Start { port } => {
            let options = sandbox::Options { port, data: storage.folder().cloned() };
            let running = sandbox::start(options).await.map_err(StartError::Sandbox)?;
            (running.url(), Some(running))
        }
    };
    let ground = Ground { listener, place, storage, sandbox_url };
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
    storage: Storage,
    sandbox_url: String,
}

impl Ground {
    async fn build(self) -> Result<Running, StartError> {
        let Ground { listener, place, storage, sandbox_url } = self;
        let address = listener.local_addr().map_err(|source| StartError::Port { port: 0, source })?;
        let secrets = Arc::new(storage.secrets()?);
        let server = SecretsServer::start(Arc::clone(&secrets)).await?;
        let engine = Engine::start(place)?;
        let config = config(address, &sandbox_url, aws(&engine.endpoint, Some(&server.endpoint)));
        let app = Arc::new(App::start(config.clone()).await.map_err(StartError::Service)?);
        let demo = storage.demo_key(&app.store).await?;
        let front = Front::start(listener, Arc::clone(&app), welcome::page(&format!("http://{address}"), &sandbox_url));
        if !matches!(storage, Storage::Shared(_)) {
            webhooks::ask_for_them(&app, &sandbox_url, address, &secrets.webhook_secret()).await;
        }
        // One schedule is enough, as in a deployment, however many answer requests.
        let timer = (!matches!(storage, Storage::Shared(_))).then(|| Timer::start(Arc::clone(&app)));
        if let Some(folder) = storage.folder() {
            Presence { endpoint: engine.endpoint.clone(), sandbox: sandbox_url.clone() }.announce(folder)?;
        }
        let (api_key, customer_id) = (demo.reveal().to_owned(), demo.customer().to_string());
        Ok(Running {
            address,
            sandbox_url,
            api_key,
            customer_id,
            webhook_secret: secrets.webhook_secret(),
            app,
            config,
            engine,
            front,
            storage,
            sandbox: None,
            timer,
            secrets,
            _secrets_server: server,
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

    /// The token key ring as an operator finds it in Secrets Manager, as JSON.
    pub fn token_keys(&self) -> String {
        self.secrets.token_keys()
    }

    /// Replaces the token key ring while the service runs, as an operator does in Secrets Manager. A ring that the
    /// vault would not take is refused.
    pub fn replace_token_keys(&self, ring: &str) -> Result<(), StartError> {
        self.secrets.replace_token_keys(ring)
    }

    /// Takes no more requests, lets those under way end (a few seconds at most), and closes everything.
    pub async fn stop(self) {
        let Running { front, storage, sandbox, engine, timer, .. } = self;
        drop(timer);
        front.stop().await;
        // Before the engine goes: who finds this file expects an engine.
        if let Some(Err(error)) = storage.folder().map(|folder| Presence::withdraw(folder)) {
            tracing::warn!(%error, "the engine's address could not be taken back");
        }
        if let Some(sandbox) = sandbox {
            sandbox.stop().await;
        }
        engine.stop().await;
    }
}

impl Storage {
    /// The folder that is ours to write.
    fn folder(&self) -> Option<&PathBuf> {
        match self {
            Storage::Folder(folder) => Some(folder),
            Storage::Memory | Storage::Shared(_) => None,
        }
    }

    fn secrets(&self) -> Result<LocalSecrets, StartError> {
        match self {
            Storage::Shared(folder) => LocalSecrets::shared(folder),
            own => LocalSecrets::load(own.folder().map(PathBuf::as_path)),
        }
    }

    async fn demo_key(&self, store: &Store) -> Result<ApiKey, StartError> {
        match self {
            Storage::Shared(folder) => demo::shared_key(store, folder).await,
            own => demo::key(store, own.folder().map(PathBuf::as_path)).await,
        }
    }
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
        metrics_namespace: None,
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
