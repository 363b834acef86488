//! The table that `gateway admin` works on.

use super::{Failure, aws};
use crate::data_folder::{self, RETRY_INTERVAL};
use crate::engine::{self, Backend, Engine, EngineClient};
use crate::local_aws;
use crate::options::DEFAULT_FOLDER;
use crate::secrets::{LocalSecrets, PREFIX};
use shared::app::Aws;
use shared::auth::Mode;
use shared::store::Store;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Longest wait for the engine of a gateway that has just locked the folder.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(5);

/// A table, deployed or of a data folder.
pub(super) struct Target {
    aws: Aws,
    pub(super) table: String,
    pub(super) store: Store,
    /// Mode of new API keys.
    pub(super) mode: Mode,
    local: Option<Local>,
}

struct Local {
    folder: PathBuf,
    client: EngineClient,
    /// Started by this process when no gateway runs on the folder.
    engine: Option<Engine>,
}

impl Target {
    /// A deployed table, with the region and the credentials of the AWS CLI.
    pub(super) async fn deployed(table: String, profile: Option<&str>) -> Result<Target, Failure> {
        Ok(Target::new(aws::of_cli(profile).await?, table, Mode::Live, None))
    }

    /// The table of a data folder. Returns an error for an absent folder unless `may_create`.
    pub(super) async fn local(folder: Option<PathBuf>, may_create: bool) -> Result<Target, Failure> {
        let folder = folder.unwrap_or_else(|| PathBuf::from(DEFAULT_FOLDER));
        if !may_create && !folder.is_dir() {
            let folder = folder.display();
            return Err(format!("the folder {folder} does not exist: pass the gateway's folder with --data").into());
        }
        let (client, engine) = connect(&folder).await?;
        let aws = local_aws::aws(client.clone(), None);
        let local = Local { folder, client, engine };
        Ok(Target::new(aws, engine::TABLE.to_owned(), Mode::Test, Some(local)))
    }

    fn new(aws: Aws, table: String, mode: Mode, local: Option<Local>) -> Target {
        Target { store: Store::new(aws.dynamodb_client(), &table), aws, table, mode, local }
    }

    /// Access to the table and to its secrets, and their prefix. The deployed functions read theirs below
    /// `SECRETS_PREFIX`.
    pub(super) fn with_secrets(&self) -> Result<(Aws, String), Failure> {
        let Some(Local { folder, client, .. }) = &self.local else {
            return Ok((self.aws.clone(), env::var("SECRETS_PREFIX").unwrap_or_default()));
        };
        let secrets = Arc::new(LocalSecrets::load(Some(folder))?);
        Ok((local_aws::aws(client.clone(), Some(secrets)), PREFIX.to_owned()))
    }

    /// The data folder; `None` for a deployed table.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.local.as_ref().map(|local| local.folder.as_path())
    }

    /// Stops the engine that this process started, if any.
    pub(super) async fn close(self) {
        if let Some(Local { engine: Some(engine), .. }) = self.local {
            engine.stop().await;
        }
    }
}

/// The engine of the gateway that runs on a folder, or one that this process starts.
async fn connect(folder: &Path) -> Result<(EngineClient, Option<Engine>), Failure> {
    let deadline = Instant::now() + ENGINE_TIMEOUT;
    loop {
        if let Some(lock) = data_folder::try_lock(folder)? {
            engine::check(folder)?;
            // A folder with a database has its secrets as well.
            LocalSecrets::load(Some(folder))?;
            let engine = Engine::start(Backend::Folder(folder.to_owned(), lock))?;
            return Ok((engine.client.clone(), Some(engine)));
        }
        // A gateway that is starting or stopping holds the lock, but has no reachable engine.
        if engine::is_reachable(folder).await {
            return Ok((EngineClient::of_folder(folder), None));
        }
        if Instant::now() >= deadline {
            let folder = folder.display();
            return Err(format!("the folder {folder} is in use, but no gateway answers: try again").into());
        }
        sleep(RETRY_INTERVAL).await;
    }
}
