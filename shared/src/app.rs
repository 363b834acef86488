//! The parts of a function, built once per process: configuration, secrets, the store and the HTTP client.

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

/// A reason why a function cannot start.
pub type StartError = Box<dyn std::error::Error + Send + Sync>;

/// The time for platform calls of one request: below API Gateway's timeout of 30 s.
pub const PLATFORM_TIMEOUT: Duration = Duration::from_secs(25);

/// The parts of a function.
pub struct App {
    /// The DynamoDB table.
    pub store: Store,
    /// Encrypts tokens.
    pub vault: ReloadingVault,
    /// The HTTP client.
    pub outbound: Outbound,
    /// The clock.
    pub clock: Clock,
    /// The time for platform calls of one request.
    pub platform_timeout: Duration,
    /// The base URL of callbacks, without a trailing slash; `None` for the `Host` of the request.
    pub public_base_url: Option<String>,
    /// The platforms with a configured OAuth client.
    pub platforms: BTreeMap<Platform, Arc<PlatformConfig>>,
    /// The payment provider; only the billing function has it.
    pub payments: Option<Provider>,
    /// The metrics.
    pub metrics: Metrics,
}

/// Configuration: the environment of a function.
#[derive(Clone, Debug)]
pub struct Config {
    /// `TABLE_NAME`.
    pub table: String,
    /// `SECRETS_PREFIX`: prefix of every secret's name.
    pub secrets_prefix: String,
    /// `PUBLIC_BASE_URL`.
    pub public_base_url: Option<String>,
    /// `PLATFORM_BASE_URL`: replaces scheme and host of every platform URL, as in `http://host:port/{platform}`.
    pub platform_base_url: Option<String>,
    /// `PLATFORM_SETTINGS`.
    pub platform_settings: Settings,
    /// `PLATFORM_TIMEOUT_S`: the time for platform calls of one request; defaults to [`PLATFORM_TIMEOUT`].
    pub platform_timeout: Duration,
    /// Whether to load the payment provider's secret. Only the billing function has permission.
    pub with_payments: bool,
    /// `PAYMENT_BASE_URL`: the payment provider's API; defaults to [`BASE_URL`].
    pub payment_base_url: Option<String>,
    /// `METRICS_NAMESPACE`: the CloudWatch namespace; `None` writes no metrics.
    pub metrics_namespace: Option<String>,
    /// Access to AWS.
    pub aws: Aws,
}

/// Access to AWS, read from the environment. Lambda always sets these variables, and the SDK's default credential chain
/// would slow down the cold start.
#[derive(Clone, Debug)]
pub struct Aws {
    /// `AWS_REGION`.
    pub region: String,
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`.
    pub credentials: Credentials,
    /// `DYNAMODB_ENDPOINT`: a local replacement of DynamoDB.
    pub dynamodb_endpoint: Option<String>,
    /// `SECRETS_MANAGER_ENDPOINT`: a local replacement of Secrets Manager.
    pub secrets_endpoint: Option<String>,
}

impl Config {
    /// Reads the environment of the process.
    pub fn from_env() -> Result<Config, StartError> {
        Ok(Config {
            table: required_env("TABLE_NAME")?,
            secrets_prefix: optional_env("SECRETS_PREFIX").unwrap_or_default(),
            public_base_url: optional_env("PUBLIC_BASE_URL"),
            platform_base_url: optional_env("PLATFORM_BASE_URL"),
            platform_settings: optional_env("PLATFORM_SETTINGS").map_or_else(
                || Ok(Settings::default()),
                |text| serde_json::from_str(&text).map_err(|error| format!("PLATFORM_SETTINGS: {error}")),
            )?,
            platform_timeout: optional_env("PLATFORM_TIMEOUT_S").map_or(Ok(PLATFORM_TIMEOUT), |text| {
                text.parse().map(Duration::from_secs).map_err(|error| format!("PLATFORM_TIMEOUT_S: {error}"))
            })?,
            with_payments: false,
            payment_base_url: optional_env("PAYMENT_BASE_URL"),
            metrics_namespace: optional_env("METRICS_NAMESPACE"),
            aws: Aws::from_env()?,
        })
    }
}

impl App {
    /// Starts a function from its environment.
    pub async fn from_env() -> Result<App, StartError> {
        App::start(Config::from_env()?).await
    }

    /// Loads the secrets and builds the parts.
    pub async fn start(config: Config) -> Result<App, StartError> {
        let http_client = SharedHttpClient::default();
        let secrets_client = config.aws.secrets_client_over(&http_client);
        // Concurrently, because Lambda gives initialization more CPU than a request.
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

    /// The payment provider; an internal error without one.
    pub fn payments(&self) -> Result<&Provider, Error> {
        self.payments
            .as_ref()
            .ok_or_else(|| Error::internal("the payment provider is not configured for this function"))
    }

    /// A platform's configuration; `None` without an OAuth client for it.
    pub fn platform_config(&self, platform: Platform) -> Option<&Arc<PlatformConfig>> {
        self.platforms.get(&platform)
    }

    /// A platform's settings; the defaults without an OAuth client for it.
    pub fn settings_of(&self, platform: Platform) -> Settings {
        self.platform_config(platform).map(|config| config.settings.clone()).unwrap_or_default()
    }
}

fn optional_env(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn required_env(name: &str) -> Result<String, StartError> {
    optional_env(name).ok_or_else(|| format!("the environment variable {name} is not set").into())
}

impl Aws {
    /// Reads the environment of the process.
    pub fn from_env() -> Result<Aws, StartError> {
        let (id, secret) = (required_env("AWS_ACCESS_KEY_ID")?, required_env("AWS_SECRET_ACCESS_KEY")?);
        Ok(Aws {
            region: required_env("AWS_REGION")?,
            credentials: Credentials::new(id, secret, optional_env("AWS_SESSION_TOKEN"), None, "environment"),
            dynamodb_endpoint: optional_env("DYNAMODB_ENDPOINT"),
            secrets_endpoint: optional_env("SECRETS_MANAGER_ENDPOINT"),
        })
    }

    /// A DynamoDB client with its own connection pool.
    pub fn dynamodb_client(&self) -> aws_sdk_dynamodb::Client {
        self.dynamodb_client_over(&SharedHttpClient::default())
    }

    /// A DynamoDB client over a shared connection pool.
    pub fn dynamodb_client_over(&self, http_client: &SharedHttpClient) -> aws_sdk_dynamodb::Client {
        let mut config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::latest())
            .region(aws_sdk_dynamodb::config::Region::new(self.region.clone()))
            .credentials_provider(self.credentials.clone())
            .retry_classifier(RetryOnConflict)
            .interceptor(TraceInterceptor)
            .timeout_config(timeouts())
            // It guards streamed bodies; ours are in memory.
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .http_client(http_client.clone());
        config.set_endpoint_url(self.dynamodb_endpoint.clone());
        aws_sdk_dynamodb::Client::from_conf(config.build())
    }

    /// A Secrets Manager client with its own connection pool.
    pub fn secrets_client(&self) -> aws_sdk_secretsmanager::Client {
        self.secrets_client_over(&SharedHttpClient::default())
    }

    /// A Secrets Manager client over a shared connection pool.
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

    /// Opens a connection to DynamoDB before the first request. Only a TLS handshake is worth the effort.
    async fn warm_store(&self, http_client: &SharedHttpClient) {
        let params = Params::builder().region(&self.region).set_endpoint(self.dynamodb_endpoint.clone()).build();
        let Ok(params) = params else { return };
        match DefaultResolver::new().resolve_endpoint(&params).await {
            Ok(endpoint) if endpoint.url().starts_with("https://") => http_client.warm(endpoint.url()).await,
            _ => {}
        }
    }
}

/// AWS calls time out early enough to leave time for our own response within API Gateway's 30 s.
fn timeouts() -> TimeoutConfig {
    let seconds = Duration::from_secs;
    TimeoutConfig::builder()
        .connect_timeout(seconds(2))
        .operation_attempt_timeout(seconds(3))
        .operation_timeout(seconds(8))
        .build()
}
