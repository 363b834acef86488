//! Sealing all stored tokens with the active key: after it an older key has nothing left to open.

use crate::customers::explain;
use crate::secrets::{LocalSecrets, PREFIX};
use crate::secrets_server::SecretsServer;
use shared::app::{App, Aws, Config, PLATFORM_TIMEOUT};
use shared::platforms::settings::Settings;
use shared::tokens::{Seals, renew_seals};
use std::env;
use std::path::Path;
use std::sync::Arc;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Goes over all grants of a table with the keys of a data folder, or with those that a function would read, and says
/// what came of it. Safe while the service runs: whoever stores new tokens in between is not overwritten.
pub(crate) async fn run(aws: Aws, table: String, folder: Option<&Path>) -> Result<String, Failure> {
    let Some(folder) = folder else {
        return reseal(&app(aws, table, env::var("SECRETS_PREFIX").unwrap_or_default()).await?).await;
    };
    let server = SecretsServer::start(Arc::new(LocalSecrets::load(Some(folder))?)).await?;
    let aws = Aws { secrets_endpoint: Some(server.endpoint.clone()), ..aws };
    reseal(&app(aws, table, PREFIX.to_owned()).await?).await
}

async fn app(aws: Aws, table: String, secrets_prefix: String) -> Result<App, Failure> {
    let config = Config {
        table,
        secrets_prefix,
        public_base_url: None,
        platform_base_url: None,
        platform_settings: Settings::default(),
        platform_timeout: PLATFORM_TIMEOUT,
        aws,
    };
    App::start(config).await
}

async fn reseal(app: &App) -> Result<String, Failure> {
    let grants = app.store.all_grants().await.map_err(explain)?;
    let (mut renewed, mut left) = (0, Vec::new());
    for (customer, grant) in &grants {
        match renew_seals(app, *customer, grant).await {
            Ok(Seals::Current) => {}
            Ok(Seals::Renewed) => renewed += 1,
            Ok(Seals::Overtaken) => left.push(format!("{}: changed at this moment", grant.id.0)),
            Err(error) => left.push(format!("{} of {customer}: {}", grant.id.0, explain(error))),
        }
    }
    let done = format!("{renewed} of {} grants were sealed anew", grants.len());
    if left.is_empty() {
        return Ok(format!("{done}; all are sealed with the active key now.\n"));
    }
    let (count, left) = (left.len(), left.join("; "));
    Err(format!("{done}; {count} are not: {left}. Keep the older keys, and run this again").into())
}
