//! What a function is made of: configuration, secrets, the store, and the way out. Built once per process.

use crate::clock::Clock;
use crate::domain::Platform;
use crate::error::Error;
use crate::metrics::Metrics;
use crate::outbound::Outbound;
use crate::payments::{BASE_URL, Provider};
use crate::platforms::config::PlatformConfig;
use crate::platforms::settings::Settings;
use crate::sdk::{RetryOnConflict, SharedHttpClient, TraceInterceptor};
use crate::secrets::{ReloadingVault, Secrets, names};
use crate::store::Store;
use aws_credential_types::Credentials;
use aws_sdk_dynamodb::config::StalledStreamProtectionConfig;
use aws_sdk_dynamodb::config::endpoint::{DefaultResolver, Params, ResolveEndpoint};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use std::collections::BTreeMap;
use std::env;
use std::sync::Arc;
use std::time::Duration;

/// Anything that keeps a function from starting.
pub type StartError = Box<dyn std::error::Error + Send + Sync>;

/// How long a request may wait for platforms: below the 30 s after which API Gateway gives up.
pub const PLATFORM_TIMEOUT: Duration = Duration::from_secs(25);

/// A function's parts.
pub struct App {
    /// The table.
    pub store: Store,
    /// Encrypts tokens.
    pub vault: ReloadingVault,
    /// The HTTP client.
    pub outbound: Outbound,
    /// What time it is.
    pub clock: Clock,
    /// How long one request may wait for platforms.
    pub platform_timeout: Duration,
    /// Where callbacks come in, without a slash at the end; `None` to take the host that the request was sent to.
    pub public_base_url: Option<String>,
    /// The platforms that there is a client for.
    pub platforms: BTreeMap<Platform, Arc<PlatformConfig>>,
    /// The payment provider, in the function that may use it.
    pub payments: Option<Provider>,
    /// Where numbers go.
    pub metrics: Metrics,
}

/// Configuration: the environment of a function.
#[derive(Clone, Debug)]
pub struct Config {
    /// `TABLE_NAME`.
    pub table: String,
    /// `SECRETS_PREFIX`: stands before the name of every secret.
    pub secrets_prefix: String,
    /// `PUBLIC_BASE_URL`.
    pub public_base_url: Option<String>,
    /// `PLATFORM_BASE_URL`: `http://host:port/{platform}`, replaces scheme and host of every platform address.
    pub platform_base_url: Option<String>,
    /// `PLATFORM_SETTINGS`.
    pub platform_settings: Settings,
    /// `PLATFORM_TIMEOUT_S`: how long one request may wait for platforms, [`PLATFORM_TIMEOUT`] unless said.
    pub platform_timeout: Duration,
    /// Whether the payment provider's secret is read: only the billing function may.
    pub with_payments: bool,
    /// `PAYMENT_BASE_URL`: where the payment provider is, [`BASE_URL`] unless said.
    pub payment_base_url: Option<String>,
    /// `METRICS_NAMESPACE`: under which name CloudWatch gets numbers; `None` for none.
    pub metrics_namespace: Option<String>,
    /// How AWS is reached.
    pub aws: Aws,
}

/// How AWS is reached. Read straight from the environment: the default chain of the SDK costs start-up time, and
/// Lambda always sets these.
#[derive(Clone, Debug)]
pub struct Aws {
    /// `AWS_REGION`.
    pub region: String,
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`.
    pub credentials: Credentials,
    /// `DYNAMODB_ENDPOINT`: an engine that is not AWS's.
    pub dynamodb_endpoint: Option<String>,
    /// `SECRETS_MANAGER_ENDPOINT`: the same for secrets.
    pub secrets_endpoint: Option<String>,
}

impl Config {
    /// Reads the environment of the process.
    pub fn from_env() -> Result<Config, StartError> {
        Ok(Config {
            table: need("TABLE_NAME")?,
            secrets_prefix: may("SECRETS_PREFIX").unwrap_or_default(),
            public_base_url: may("PUBLIC_BASE_URL"),
            platform_base_url: may("PLATFORM_BASE_URL"),
            platform_settings: may("PLATFORM_SETTINGS").map_or_else(
                || Ok(Settings::default()),
                |text| serde_json::from_str(&text).map_err(|error| format!("PLATFORM_SETTINGS: {error}")),
            )?,
            platform_timeout: may("PLATFORM_TIMEOUT_S").map_or(Ok(PLATFORM_TIMEOUT), |text| {
                text.parse().map(Duration::from_secs).map_err(|error| format!("PLATFORM_TIMEOUT_S: {error}"))
            })?,
            with_payments: false,
            payment_base_url: may("PAYMENT_BASE_URL"),
            metrics_namespace: may("METRICS_NAMESPACE"),
            aws: Aws::from_env()?,
        })
    }
}

impl App {
    /// Reads the environment and the secrets: how a function starts.
    pub async fn from_env() -> Result<App, StartError> {
        App::start(Config::from_env()?).await
    }

    /// Reads the secrets and puts the parts together.
    pub async fn start(config: Config) -> Result<App, StartError> {
        let http_client = SharedHttpClient::default();
        let secrets_client = config.aws.secrets_client_over(&http_client);
        // Side by side, and while Lambda gives the start more CPU than it will give a request.
        let (secrets, ()) = tokio::join!(
            Secrets::load(&secrets_client, &config.secrets_prefix, config.with_payments),
            config.aws.warm_store(&http_client),
        );
        let secrets = secrets?;
        let base = config.platform_base_url.as_deref();
        let settings = config.platform_settings;
        let configured =
            |(platform, client)| (platform, Arc::new(PlatformConfig::new(platform, client, settings.clone(), base)));
        let outbound = Outbound::new()?;
        let payment_base = config.payment_base_url.as_deref().unwrap_or(BASE_URL);
        let provider = |credentials| {
            let provider = Provider::new(outbound.to_payments(), credentials, payment_base);
            provider.map_err(|error| format!("secret {}: {error}", names::PAYMENT_PROVIDER))
        };
        let payments = secrets.payments.map(provider).transpose()?;
        Ok(App {
            store: Store::new(config.aws.dynamodb_client_over(&http_client), config.table),
            vault: secrets.vault,
            outbound,
            clock: Clock::system(),
            platform_timeout: config.platform_timeout,
            public_base_url: config.public_base_url.map(|url| url.trim_end_matches('/').to_owned()),
            platforms: secrets.clients.into_iter().map(configured).collect(),
            payments,
            metrics: Metrics::under(config.metrics_namespace),
        })
    }

    /// The payment provider; its absence is our own fault.
    pub fn payments(&self) -> Result<&Provider, Error> {
        self.payments.as_ref().ok_or_else(|| Error::internal("this function was started without the payment provider"))
    }

    /// A platform as configured; `None` when there is no client for it.
    pub fn platform_config(&self, platform: Platform) -> Option<&Arc<PlatformConfig>> {
        self.platforms.get(&platform)
    }

    /// The settings of a platform; the defaults of one that cannot be connected here.
    pub fn settings_of(&self, platform: Platform) -> Settings {
        self.platform_config(platform).map(|config| config.settings.clone()).unwrap_or_default()
    }
}

fn may(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn need(name: &str) -> Result<String, StartError> {
    may(name).ok_or_else(|| format!("the environment variable {name} is not set").into())
}

impl Aws {
    /// Reads the environment of the process.
    pub fn from_env() -> Result<Aws, StartError> {
        let (id, secret) = (need("AWS_ACCESS_KEY_ID")?, need("AWS_SECRET_ACCESS_KEY")?);
        Ok(Aws {
            region: need("AWS_REGION")?,
            credentials: Credentials::new(id, secret, may("AWS_SESSION_TOKEN"), None, "environment"),
            dynamodb_endpoint: may("DYNAMODB_ENDPOINT"),
            secrets_endpoint: may("SECRETS_MANAGER_ENDPOINT"),
        })
    }

    /// A DynamoDB client with connections of its own.
    pub fn dynamodb_client(&self) -> aws_sdk_dynamodb::Client {
        self.dynamodb_client_over(&SharedHttpClient::default())
    }

    /// A DynamoDB client over connections that it shares.
    pub fn dynamodb_client_over(&self, http_client: &SharedHttpClient) -> aws_sdk_dynamodb::Client {
        let mut config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::latest())
            .region(aws_sdk_dynamodb::config::Region::new(self.region.clone()))
            .credentials_provider(self.credentials.clone())
            .retry_classifier(RetryOnConflict)
            .interceptor(TraceInterceptor)
            .timeout_config(timeouts())
            // It watches bodies as they flow; ours are in memory before they are sent and when they are read.
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .http_client(http_client.clone());
        config.set_endpoint_url(self.dynamodb_endpoint.clone());
        aws_sdk_dynamodb::Client::from_conf(config.build())
    }

    /// A Secrets Manager client with connections of its own.
    pub fn secrets_client(&self) -> aws_sdk_secretsmanager::Client {
        self.secrets_client_over(&SharedHttpClient::default())
    }

    /// A Secrets Manager client over connections that it shares.
    pub fn secrets_client_over(&self, http_client: &SharedHttpClient) -> aws_sdk_secretsmanager::Client {
        let mut config = aws_sdk_secretsmanager::Config::builder()
            .behavior_version(aws_sdk_secretsmanager::config::BehaviorVersion::latest())
            .region(aws_sdk_secretsmanager::config::Region::new(self.region.clone()))
            .credentials_provider(self.credentials.clone())
            .timeout_config(timeouts())
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .http_client(http_client.clone());
        config.set_endpoint_url(self.secrets_endpoint.clone());
        aws_sdk_secretsmanager::Client::from_conf(config.build())
    }

    /// Has a connection to DynamoDB ready before the first request. Only TLS is worth it.
    async fn warm_store(&self, http_client: &SharedHttpClient) {
        let params = Params::builder().region(&self.region).set_endpoint(self.dynamodb_endpoint.clone()).build();
        let Ok(params) = params else { return };
        match DefaultResolver::new().resolve_endpoint(&params).await {
            Ok(endpoint) if endpoint.url().starts_with("https://") => http_client.warm(endpoint.url()).await,
            _ => {}
        }
    }
}

/// Who does not answer must leave time for an answer of ours, below the 30 s after which API Gateway gives up.
fn timeouts() -> TimeoutConfig {
    let seconds = Duration::from_secs;
    TimeoutConfig::builder()
        .connect_timeout(seconds(2))
        .operation_attempt_timeout(seconds(3))
        .operation_timeout(seconds(8))
        .build()
}
