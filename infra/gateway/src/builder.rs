//! Starts the parts of a gateway in the order in which they depend on each other.

use crate::config::{self, service_config};
use crate::engine::{self, Backend, Engine};
use crate::error::StartError;
use crate::http::HttpServer;
use crate::local_aws::{self, EngineSocket};
use crate::options::{Options, SandboxChoice, Storage};
use crate::running::Running;
use crate::runtime_info::RuntimeInfo;
use crate::secrets::LocalSecrets;
use crate::timers::{DeliveryTimer, MaintenanceTimer};
use crate::{data_folder, demo, quickstart, webhooks};
use sandbox::LastWrite;
use shared::app::App;
use shared::auth::ApiKey;
use shared::store::Store;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;

/// Starts a gateway. It answers requests by the time that this returns.
pub async fn start(options: Options) -> Result<Running, StartError> {
    let Options { port, sandbox, storage } = options;
    let (backend, sandbox, joined) = open_storage(&storage, sandbox).await?;
    let secrets = Arc::new(load_secrets(&storage)?);
    // Before the sandbox starts: a taken port is the most likely failure, and nothing needs cleanup yet.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.map_err(|source| StartError::Port { port, source })?;
    let (sandbox_url, sandbox) = start_sandbox(sandbox, storage.folder().cloned()).await?;
    let sandbox_write = sandbox.as_ref().map(|sandbox| sandbox.last_write.clone());
    let builder = Builder { listener, backend, storage, secrets, sandbox_url, sandbox_write, joined };
    match builder.build().await {
        Ok(running) => Ok(Running { sandbox, ..running }),
        Err(error) => {
            if let Some(sandbox) = sandbox {
                sandbox.stop().await;
            }
            Err(error)
        }
    }
}

/// Returns the storage, the sandbox, and the URL of the gateway that this one joins, if any.
async fn open_storage(
    storage: &Storage,
    sandbox: SandboxChoice,
) -> Result<(Backend, SandboxChoice, Option<String>), StartError> {
    match storage {
        Storage::Memory => Ok((Backend::Memory, sandbox, None)),
        Storage::Folder(folder) => {
            let lock = data_folder::lock(folder).await?;
            // A killed gateway leaves this file behind.
            RuntimeInfo::remove(folder)?;
            engine::check(folder)?;
            if matches!(sandbox, SandboxChoice::Start { .. }) {
                check_sandbox_file(folder)?;
            }
            Ok((Backend::Folder(folder.clone(), lock), sandbox, None))
        }
        Storage::Shared(folder) => {
            let RuntimeInfo { gateway, sandbox } = RuntimeInfo::find(folder).await?;
            Ok((Backend::Remote(folder.clone()), SandboxChoice::Use(sandbox), Some(gateway)))
        }
    }
}

/// Refuses a folder on which a gateway has run, and whose database is without the file of the sandbox: the connections
/// would lead nowhere. `gateway admin` makes a database, too, but no key of a demo customer.
fn check_sandbox_file(folder: &Path) -> Result<(), StartError> {
    let path = folder.join(sandbox::STATE_FILE);
    let is_used = engine::file(folder).exists() && demo::key_file(folder).exists();
    if path.exists() || !is_used {
        return Ok(());
    }
    let reason = "is missing. Without it the ad accounts of all connections are lost: restore it from a backup, or move \
                  the whole folder away to start anew";
    Err(StartError::Content { path, reason: reason.to_owned() })
}

async fn start_sandbox(
    sandbox: SandboxChoice,
    data: Option<PathBuf>,
) -> Result<(String, Option<sandbox::Running>), StartError> {
    match sandbox {
        SandboxChoice::Use(url) => Ok((url.trim_end_matches('/').to_owned(), None)),
        SandboxChoice::Start { port } => {
            let running = sandbox::start(sandbox::Options { port, data }).await.map_err(StartError::Sandbox)?;
            Ok((running.url(), Some(running)))
        }
    }
}

struct Builder {
    listener: TcpListener,
    backend: Backend,
    storage: Storage,
    secrets: Arc<LocalSecrets>,
    sandbox_url: String,
    sandbox_write: Option<LastWrite>,
    /// The URL of the gateway that this one joins.
    joined: Option<String>,
}

impl Builder {
    async fn build(self) -> Result<Running, StartError> {
        let Builder { listener, backend, storage, secrets, sandbox_url, sandbox_write, joined } = self;
        let address = listener.local_addr().map_err(|source| StartError::Port { port: 0, source })?;
        let webhook_secret = secrets.webhook_secret();
        let engine = Engine::start(backend)?;
        let aws = local_aws::aws(engine.client.clone(), Some(Arc::clone(&secrets)));
        let config = service_config(address, &sandbox_url, joined.as_deref(), aws);
        let app = Arc::new(App::start(config.clone()).await.map_err(StartError::Service)?);
        let demo_key = load_demo_key(&storage, &app.store).await?;
        demo::link_person(&app.store, &config::issuer(&sandbox_url), demo_key.customer()).await?;
        let page = quickstart::page(&format!("http://{address}"), &sandbox_url, &storage)?;
        let writes = sandbox_write.into_iter().chain([engine.last_write.clone()]).collect();
        let signal = engine.events.clone();
        let http = HttpServer::start(listener, Arc::clone(&app), page, writes, signal.clone());
        let mut timers = None;
        // A gateway that joins another leaves webhooks, maintenance and deliveries to it: a deployment has one schedule as well.
        if !storage.is_shared() {
            webhooks::register(&app, &sandbox_url, address, &webhook_secret).await;
            let deliveries = DeliveryTimer::start(Arc::clone(&app), signal);
            timers = Some((MaintenanceTimer::start(Arc::clone(&app)), deliveries));
        }
        let mut socket = None;
        if let Some(folder) = storage.folder() {
            socket = Some(EngineSocket::serve(folder, engine.client.clone())?);
            RuntimeInfo { gateway: format!("http://{address}"), sandbox: sandbox_url.clone() }.write(folder)?;
        }
        Ok(Running {
            address,
            sandbox_url,
            api_key: demo_key.reveal().to_owned(),
            customer_id: demo_key.customer().to_string(),
            webhook_secret,
            app,
            config,
            engine,
            http,
            storage,
            sandbox: None,
            timers,
            secrets,
            socket,
        })
    }
}

fn load_secrets(storage: &Storage) -> Result<LocalSecrets, StartError> {
    match storage {
        Storage::Memory => LocalSecrets::load(None),
        Storage::Folder(folder) => LocalSecrets::load(Some(folder)),
        Storage::Shared(folder) => LocalSecrets::shared(folder),
    }
}

async fn load_demo_key(storage: &Storage, store: &Store) -> Result<ApiKey, StartError> {
    match storage {
        Storage::Memory => demo::load_or_create_key(store, None).await,
        Storage::Folder(folder) => demo::load_or_create_key(store, Some(folder)).await,
        Storage::Shared(folder) => demo::shared_key(store, folder).await,
    }
}
