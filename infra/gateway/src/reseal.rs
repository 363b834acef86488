//! Re-encrypts all stored tokens and webhook secrets with the active token key. Afterwards none needs an older key.

use crate::customers::into_cause;
use shared::app::{App, Aws, Config, PLATFORM_TIMEOUT};
use shared::error::Error;
use shared::outbound::public::Reach;
use shared::platforms::settings::Settings;
use shared::secrets::SecretAccess;
use shared::tokens::reseal_grant;
use shared::vault::Reseal;
use shared::webhook_secrets::reseal_endpoint;

/// Number of failed records that the error names.
const MAX_NAMED: usize = 5;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Re-encrypts the grants and the webhook secrets of a table with the keys below a prefix. Returns a summary. The service may run meanwhile:
/// its newer ones are not overwritten.
pub(crate) async fn run(aws: Aws, table: String, secrets_prefix: String) -> Result<String, Failure> {
    reseal(&app(aws, table, secrets_prefix).await?).await
}

async fn app(aws: Aws, table: String, secrets_prefix: String) -> Result<App, Failure> {
    let config = Config {
        table,
        secrets_prefix,
        public_base_url: None,
        platform_base_url: None,
        platform_settings: Settings::default(),
        platform_timeout: PLATFORM_TIMEOUT,
        secrets: SecretAccess::TOKEN_KEYS,
        uses_table: true,
        payment_base_url: None,
        issuer: None,
        webhook_reach: Reach::Public,
        metrics_namespace: None,
        aws,
    };
    App::start(config).await
}

/// How many records of a kind were re-encrypted.
#[derive(Default)]
struct Count {
    renewed: usize,
    total: usize,
}

async fn reseal(app: &App) -> Result<String, Failure> {
    let mut failed = Vec::new();
    let mut grants = Count::default();
    for (customer, grant) in app.store.all_grants().await.map_err(into_cause)? {
        grants.total += 1;
        // The tokens of an ended grant are useless, so their key does not matter.
        if !grant.ended {
            let outcome = reseal_grant(app, customer, &grant).await;
            grants.add(outcome, &mut failed, || format!("{} of {customer}", grant.id.0));
        }
    }
    let mut endpoints = Count::default();
    for (customer, endpoint) in app.store.all_webhook_endpoints().await.map_err(into_cause)? {
        endpoints.total += 1;
        let outcome = reseal_endpoint(app, customer, &endpoint).await;
        endpoints.add(outcome, &mut failed, || format!("{} of {customer}", endpoint.id));
    }
    let done = format!(
        "encrypted {} of {} grants and {} of {} webhook endpoints",
        grants.renewed, grants.total, endpoints.renewed, endpoints.total
    );
    if failed.is_empty() {
        return Ok(format!("Re-{done}; the active key now encrypts all of them.\n"));
    }
    let named = failed.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
    Err(format!("re-{done}; {} failed: {named}. Keep the older keys and retry", failed.len()).into())
}

impl Count {
    fn add(&mut self, outcome: Result<Reseal, Error>, failed: &mut Vec<String>, name: impl Fn() -> String) {
        match outcome {
            Ok(Reseal::Current) => {}
            Ok(Reseal::Renewed) => self.renewed += 1,
            Ok(Reseal::Superseded) => failed.push(format!("{}: changed concurrently", name())),
            Err(error) => failed.push(format!("{}: {}", name(), into_cause(error))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Running, SandboxChoice, Storage, start};
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use jiff::SignedDuration;
    use serde_json::{Value, json};
    use shared::auth::KeySeed;
    use shared::clock::Clock;
    use shared::domain::{
        AdAccount, ConnectionId, Currency, CustomerId, EndpointId, EndpointSecrets, EndpointStatus, EndpointUrl,
        EventTypes, Grant, GrantId, PayloadShape, Platform, WebhookEndpoint, WebhookSecret,
    };
    use shared::platforms::oauth::Tokens;
    use shared::store::{Authorization, Consent, NewConnection, Stored};
    use shared::tokens::seal_tokens;
    use shared::webhook_secrets::{seal_secret, signing_secrets};

    const HOUR: SignedDuration = SignedDuration::from_hours(1);

    /// Stores a grant as the OAuth callback does.
    async fn store_grant(app: &App, customer: CustomerId, id: &str, refresh: Option<&str>) {
        let now = Clock::system().now();
        let platform = Platform::Gamma;
        let bare = Grant::without_tokens(GrantId(id.to_owned()), platform, now);
        let refresh_token = refresh.map(Into::into);
        let tokens = Tokens { access_token: "access".into(), ttl: None, refresh_token, granted: None };
        let grant = seal_tokens(app, customer, &bare, &tokens, now).await.unwrap();
        let pending = Authorization {
            state_hash: id.to_owned(),
            customer,
            platform,
            connection: ConnectionId::generate(),
            verifier: String::new(),
            redirect_uri: String::new(),
            return_to: None,
            external_ref: None,
            expires_at: now,
        };
        let seen = app.store.authorizations_in_progress(customer, now).await.unwrap();
        assert!(app.store.begin_authorization(&pending, &seen, now, now + HOUR).await.unwrap());
        let currency = Currency::from_code("USD").unwrap();
        let time_zone = "UTC".to_owned();
        let name = String::new();
        let account = AdAccount { id: id.to_owned(), name, currency, time_zone, manager_id: None };
        let new =
            [NewConnection { id: ConnectionId::generate(), label: None, external_ref: None, account, known: None }];
        let grant = &grant;
        let pending = &pending.connection;
        let consent = Consent { customer, platform, grant, old_grants: &[], pending, limit: None, now };
        assert_eq!(app.store.connect(&consent, &new, false).await.unwrap(), Stored::All);
    }

    /// Stores an endpoint as its creation and a rotation do. Returns its secrets, newest first.
    async fn store_endpoint(app: &App, customer: CustomerId) -> (EndpointId, [WebhookSecret; 2]) {
        let now = Clock::system().now();
        let seed = KeySeed::random().unwrap();
        let (id, first, second) = (seed.endpoint_id(), seed.webhook_secret(Some(now)), seed.webhook_secret(None));
        let current = seal_secret(app, customer, &id, &first).await.unwrap();
        let endpoint = WebhookEndpoint {
            id: id.clone(),
            url: EndpointUrl::of_checked("https://example.com".to_owned()),
            types: EventTypes::All,
            shape: PayloadShape::Flat,
            description: None,
            status: EndpointStatus::Enabled,
            disabled_reason: None,
            missed_since: None,
            created_at: now,
            secrets: EndpointSecrets { current, previous: None },
        };
        assert!(app.store.create_webhook_endpoint(customer, &endpoint).await.unwrap());
        let sealed = seal_secret(app, customer, &id, &second).await.unwrap();
        app.store.rotate_webhook_secret(customer, &id, &sealed, None, now).await.unwrap().unwrap();
        (id, [second, first])
    }

    async fn another_app(running: &Running) -> App {
        App::start(running.config.clone()).await.unwrap()
    }

    fn ring(active: &str, keys: &[(&str, &Value)]) -> String {
        json!({ "active": active, "keys": keys.iter().copied().collect::<std::collections::BTreeMap<_, _>>() })
            .to_string()
    }

    #[tokio::test]
    async fn readable_grants_move_to_the_active_key_and_others_are_named() {
        let sandbox = SandboxChoice::Start { port: 0 };
        let running = start(Options { port: 0, sandbox, storage: Storage::Memory }).await.unwrap();
        let customer = CustomerId(running.customer_id.parse().unwrap());
        let first: Value = serde_json::from_str(&running.token_keys()).unwrap();
        let [two, nine] = [2, 9].map(|byte| Value::from(STANDARD.encode([byte; 32])));
        store_grant(&running.app, customer, "grant_both", Some("refresh")).await;
        store_grant(&running.app, customer, "grant_access", None).await;
        let (endpoint, secrets) = store_endpoint(&running.app, customer).await;
        running.replace_token_keys(&ring("k9", &[("k9", &nine)])).unwrap();
        store_grant(&another_app(&running).await, customer, "grant_lost", None).await;

        running.replace_token_keys(&ring("k2", &[("k1", &first["keys"]["k1"]), ("k2", &two)])).unwrap();
        let error = reseal(&another_app(&running).await).await.unwrap_err().to_string();
        assert!(
            error.starts_with("re-encrypted 2 of 3 grants and 1 of 1 webhook endpoints; 1 failed: grant_lost of "),
            "{error}"
        );
        assert!(error.contains("not in the key ring"), "{error}");
        running.replace_token_keys(&ring("k2", &[("k9", &nine), ("k2", &two)])).unwrap();
        let done = reseal(&another_app(&running).await).await.unwrap();
        assert!(done.starts_with("Re-encrypted 1 of 3 grants and 0 of 1 webhook endpoints;"), "{done}");

        running.replace_token_keys(&ring("k2", &[("k2", &two)])).unwrap();
        let last = another_app(&running).await;
        assert!(reseal(&last).await.unwrap().starts_with("Re-encrypted 0 of 3 grants and 0 of 1 webhook endpoints;"));
        let sealed = last.store.all_grants().await.unwrap();
        let seals = sealed.iter().flat_map(|(_, grant)| [Some(&grant.access_token), grant.refresh_token.as_ref()]);
        let seals: Vec<_> = seals.flatten().collect();
        assert!(seals.len() == 4 && seals.iter().all(|sealed| sealed.starts_with("v1.k2.")), "{seals:?}");
        let now = Clock::system().now();
        let endpoint = last.store.webhook_endpoint(customer, &endpoint).await.unwrap().unwrap();
        let opened = signing_secrets(&last, customer, &endpoint, now).await.unwrap();
        let keys = |secrets: &[WebhookSecret]| secrets.iter().map(|secret| secret.key().unwrap()).collect::<Vec<_>>();
        assert_eq!(keys(&opened), keys(&secrets), "the older key is gone");
        running.stop().await;
    }
}
