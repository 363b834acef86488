//! Sealing all stored tokens with the active key: after it an older key has nothing left to open.

use crate::customers::explain;
use crate::secrets::{LocalSecrets, PREFIX};
use crate::secrets_server::SecretsServer;
use shared::app::{App, Aws, Config, PLATFORM_TIMEOUT};
use shared::platforms::settings::Settings;
use shared::tokens::{Reseal, reseal_grant};
use std::env;
use std::path::Path;
use std::sync::Arc;

/// How many of the grants that could not be sealed anew are named.
const SHOWN: usize = 5;

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
        with_payments: false,
        payment_base_url: None,
        metrics_namespace: None,
        aws,
    };
    App::start(config).await
}

async fn reseal(app: &App) -> Result<String, Failure> {
    let grants = app.store.all_grants().await.map_err(explain)?;
    let (mut renewed, mut left) = (0, Vec::new());
    // What has ended opens nothing, whatever it is sealed with.
    for (customer, grant) in grants.iter().filter(|(_, grant)| !grant.ended) {
        match reseal_grant(app, *customer, grant).await {
            Ok(Reseal::Current) => {}
            Ok(Reseal::Renewed) => renewed += 1,
            Ok(Reseal::Superseded) => left.push(format!("{}: changed at this moment", grant.id.0)),
            Err(error) => left.push(format!("{} of {customer}: {}", grant.id.0, explain(error))),
        }
    }
    let done = format!("{renewed} of {} grants were sealed anew", grants.len());
    if left.is_empty() {
        return Ok(format!("{done}; all are sealed with the active key now.\n"));
    }
    let (count, some) = (left.len(), left.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("; "));
    Err(format!("{done}, and {count} could not be: {some}. Keep the older keys and run this again").into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Running, SandboxChoice, Storage, start};
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use jiff::SignedDuration;
    use serde_json::{Value, json};
    use shared::clock::Clock;
    use shared::domain::{AdAccount, ConnectionId, Currency, CustomerId, Grant, GrantId, Platform};
    use shared::platforms::oauth::Tokens;
    use shared::store::{Authorization, NewConnection};
    use shared::tokens::seal_tokens;

    const HOUR: SignedDuration = SignedDuration::from_hours(1);

    /// A grant as a callback stores it, sealed by one process.
    async fn store_grant(app: &App, customer: CustomerId, id: &str, refresh: Option<&str>) {
        let (now, platform) = (Clock::system().now(), Platform::Gamma);
        let bare = Grant::without_tokens(GrantId(id.to_owned()), platform, now);
        let tokens = Tokens { access_token: "access".into(), ttl: None, refresh_token: refresh.map(Into::into) };
        let grant = seal_tokens(app, customer, &bare, &tokens, now).await.unwrap();
        let pending = Authorization {
            state_hash: id.to_owned(),
            customer,
            platform,
            connection: ConnectionId::generate(),
            verifier: String::new(),
            redirect_uri: String::new(),
            return_to: None,
            expires_at: now,
        };
        app.store.begin_authorization(&pending, now, now + HOUR).await.unwrap();
        let currency = Currency::from_code("USD").unwrap();
        let (time_zone, name) = ("UTC".to_owned(), String::new());
        let account = AdAccount { id: id.to_owned(), name, currency, time_zone, manager_id: None };
        let new = [NewConnection { id: ConnectionId::generate(), label: None, account }];
        assert!(app.store.connect(customer, platform, &grant, &new, &pending.connection, now).await.unwrap());
    }

    async fn another_app(running: &Running) -> App {
        App::start(running.config.clone()).await.unwrap()
    }

    fn ring(active: &str, keys: &[(&str, &Value)]) -> String {
        json!({ "active": active, "keys": keys.iter().copied().collect::<std::collections::BTreeMap<_, _>>() })
            .to_string()
    }

    #[tokio::test]
    async fn every_grant_that_opens_moves_to_the_active_key_and_the_others_are_named() {
        let sandbox = SandboxChoice::Start { port: 0 };
        let running = start(Options { port: 0, sandbox, storage: Storage::Memory }).await.unwrap();
        let customer = CustomerId(running.customer_id.parse().unwrap());
        let first: Value = serde_json::from_str(&running.token_keys()).unwrap();
        let [two, nine] = [2, 9].map(|byte| Value::from(STANDARD.encode([byte; 32])));
        store_grant(&running.app, customer, "grant_both", Some("refresh")).await;
        store_grant(&running.app, customer, "grant_access", None).await;
        running.replace_token_keys(&ring("k9", &[("k9", &nine)])).unwrap();
        store_grant(&another_app(&running).await, customer, "grant_lost", None).await;

        running.replace_token_keys(&ring("k2", &[("k1", &first["keys"]["k1"]), ("k2", &two)])).unwrap();
        let error = reseal(&another_app(&running).await).await.unwrap_err().to_string();
        assert!(error.starts_with("2 of 3 grants were sealed anew, and 1 could not be: grant_lost of "), "{error}");
        assert!(error.contains("not in the ring"), "{error}");
        running.replace_token_keys(&ring("k2", &[("k9", &nine), ("k2", &two)])).unwrap();
        let done = reseal(&another_app(&running).await).await.unwrap();
        assert!(done.starts_with("1 of 3 grants"), "{done}");

        running.replace_token_keys(&ring("k2", &[("k2", &two)])).unwrap();
        let last = another_app(&running).await;
        assert!(reseal(&last).await.unwrap().starts_with("0 of 3 grants"));
        let sealed = last.store.all_grants().await.unwrap();
        let seals = sealed.iter().flat_map(|(_, grant)| [Some(&grant.access_token), grant.refresh_token.as_ref()]);
        let seals: Vec<_> = seals.flatten().collect();
        assert!(seals.len() == 4 && seals.iter().all(|sealed| sealed.starts_with("v1.k2.")), "{seals:?}");
        running.stop().await;
    }
}
