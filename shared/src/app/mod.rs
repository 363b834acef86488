//! The parts of a function, built once per process: configuration, secrets, the store and the HTTP client.

mod aws;
mod config;

pub use aws::{Aws, CallTimeouts};
pub use config::{Config, optional_env};

use crate::clock::Clock;
use crate::domain::Platform;
use crate::error::Error;
use crate::identity::Issuer;
use crate::metrics::Metrics;
use crate::outbound::public::{EndpointClient, EndpointTransport, KeptDocuments, UrlPolicy};
use crate::outbound::{self, Outbound};
use crate::payments::{BASE_URL, Provider};
use crate::platforms::config::PlatformConfig;
use crate::platforms::settings::Settings;
use crate::sdk::SharedHttpClient;
use crate::secrets::{ReloadingVault, SecretAccess, SecretError, Secrets, names};
use crate::store::Store;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A reason why a function cannot start.
pub type StartError = Box<dyn std::error::Error + Send + Sync>;

/// The time for platform calls of one request: below API Gateway's timeout of 30 s.
pub const PLATFORM_TIMEOUT: Duration = Duration::from_secs(25);

/// The parts of a function.
pub struct App {
    pub store: Store,
    /// Encrypts tokens; `None` in a function that may not read the key ring.
    pub vault: Option<ReloadingVault>,
    pub outbound: Outbound,
    pub clock: Clock,
    /// The time for platform calls of one request.
    pub platform_timeout: Duration,
    /// The base URL of callbacks, without a trailing slash; `None` for the `Host` of the request.
    pub public_base_url: Option<String>,
    pub platform_settings: Settings,
    /// The platforms with a configured OAuth client.
    pub platforms: BTreeMap<Platform, Arc<PlatformConfig>>,
    /// The payment provider; `None` in a function that may not read its secret.
    pub payments: Option<Provider>,
    /// The issuer that authenticates people; `None` without one, and in a function that may not read its secret.
    pub issuer: Option<Issuer>,
    /// Which addresses endpoints of webhooks, and documents of clients, may have.
    pub webhook_urls: UrlPolicy,
    /// Posts to endpoints of webhooks, and reads documents of clients.
    pub webhooks: Arc<dyn EndpointTransport>,
    pub client_documents: KeptDocuments,
    pub metrics: Metrics,
}

impl App {
    /// Loads the secrets and builds the parts.
    pub async fn start(config: Config) -> Result<App, StartError> {
        let client = outbound::client()?;
        let http_client = SharedHttpClient::over(client.clone());
        // Concurrently, because Lambda gives initialization more CPU than a request.
        let warm_store = async {
            if config.uses_table {
                config.aws.warm_store(&http_client).await;
            }
        };
        let (secrets, ()) = tokio::join!(load_secrets(&config, &http_client), warm_store);
        let secrets = secrets?;
        let base = config.platform_base_url.as_deref();
        let settings = config.platform_settings;
        let configured =
            |(platform, client)| (platform, Arc::new(PlatformConfig::new(platform, client, settings.clone(), base)));
        let outbound = Outbound::over(client);
        let payment_base = config.payment_base_url.as_deref().unwrap_or(BASE_URL);
        let provider = |credentials| {
            let provider = Provider::new(outbound.to_payments(), credentials, payment_base);
            provider.map_err(|error| format!("secret {}: {error}", names::PAYMENT_PROVIDER))
        };
        let payments = secrets.payments.map(provider).transpose()?;
        let issuer = config.issuer.zip(secrets.identity);
        let webhook_urls = UrlPolicy::new(config.webhook_reach, config.public_base_url.as_deref());
        Ok(App {
            store: Store::new(config.aws.dynamodb_client_over(&http_client), config.table),
            vault: secrets.vault,
            issuer: issuer.map(|(issuer, secret)| Issuer::new(outbound.clone(), issuer, secret)),
            outbound,
            clock: Clock::system(),
            platform_timeout: config.platform_timeout,
            public_base_url: config.public_base_url.map(|url| url.trim_end_matches('/').to_owned()),
            platforms: secrets.clients.into_iter().map(configured).collect(),
            platform_settings: settings,
            payments,
            webhooks: Arc::new(EndpointClient::new(webhook_urls.clone())),
            webhook_urls,
            client_documents: KeptDocuments::default(),
            metrics: Metrics::under(config.metrics_namespace),
        })
    }

    /// The vault; an internal error without one.
    pub fn vault(&self) -> Result<&ReloadingVault, Error> {
        self.vault.as_ref().ok_or_else(|| Error::internal("the token keys are not configured for this function"))
    }

    /// The payment provider; an internal error without one.
    pub fn payments(&self) -> Result<&Provider, Error> {
        self.payments
            .as_ref()
            .ok_or_else(|| Error::internal("the payment provider is not configured for this function"))
    }

    /// The public URL of a path. Without a configured base it begins with the request's `Host`.
    pub fn public_url(&self, host: Option<&str>, path: &str) -> Result<String, Error> {
        let base = match (&self.public_base_url, host) {
            (Some(base), _) => base.clone(),
            (None, Some(host)) => format!("https://{host}"),
            (None, None) => return Err(Error::internal("PUBLIC_BASE_URL is not set and the request has no Host")),
        };
        Ok(format!("{base}{path}"))
    }

    /// Whether the caller used HTTPS: by the public address, or else by the `X-Forwarded-Proto` that API Gateway sets.
    pub fn is_https(&self, forwarded_proto: Option<&str>) -> bool {
        match &self.public_base_url {
            Some(base) => base.starts_with("https://"),
            None => forwarded_proto == Some("https"),
        }
    }

    /// The issuer that authenticates people; an internal error without one.
    pub fn issuer(&self) -> Result<&Issuer, Error> {
        self.issuer.as_ref().ok_or_else(|| Error::internal("no issuer is configured for this function"))
    }

    /// A platform's configuration; `None` without an OAuth client for it.
    pub fn platform_config(&self, platform: Platform) -> Option<&Arc<PlatformConfig>> {
        self.platforms.get(&platform)
    }
}

/// Reads the secrets of a function.
async fn load_secrets(config: &Config, http_client: &SharedHttpClient) -> Result<Secrets, SecretError> {
    let access = SecretAccess { identity: config.secrets.identity && config.issuer.is_some(), ..config.secrets };
    match access {
        // A client parses a table of all AWS regions, which would be a fifth of such a function's start.
        SecretAccess::NONE => Ok(Secrets::default()),
        _ => Secrets::load(&config.aws.secrets_client_over(http_client), &config.secrets_prefix, access).await,
    }
}
