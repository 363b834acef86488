//! Clients of DynamoDB and Secrets Manager.

use super::StartError;
use super::config::{optional_env, required_env};
use crate::sdk::{RetryOnConflict, SharedHttpClient, TraceInterceptor};
use aws_credential_types::Credentials;
use aws_sdk_dynamodb::config::endpoint::{DefaultResolver, Params, ResolveEndpoint};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region, StalledStreamProtectionConfig};
use aws_smithy_runtime_api::client::http::{SharedHttpClient as SdkHttpClient, SharedHttpConnector, http_client_fn};
use aws_smithy_runtime_api::shared::IntoShared;
use futures_util::FutureExt;
use std::time::Duration;

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
    /// Carries all requests in place of the HTTP client: the local gateway's store and secrets need no network.
    pub connector: Option<SharedHttpConnector>,
    /// The time that a call may take.
    pub timeouts: CallTimeouts,
}

/// The time that a call may take, and each attempt of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTimeouts {
    attempt: Duration,
    operation: Duration,
}

impl CallTimeouts {
    /// Early enough to leave time for our own response within API Gateway's 30 s.
    pub const AWS: CallTimeouts = CallTimeouts { attempt: Duration::from_secs(3), operation: Duration::from_secs(8) };
    /// The store of a laptop takes one call after another, and shares its processors with all who ask it: a call that
    /// waits is better than one that fails.
    pub const LOCAL: CallTimeouts =
        CallTimeouts { attempt: Duration::from_secs(12), operation: Duration::from_secs(20) };

    fn config(self) -> TimeoutConfig {
        TimeoutConfig::builder()
            .connect_timeout(Duration::from_secs(2))
            .operation_attempt_timeout(self.attempt)
            .operation_timeout(self.operation)
            .build()
    }
}

impl Aws {
    /// Reads the environment of the process.
    pub fn from_env() -> Result<Aws, StartError> {
        let (id, secret) = (required_env("AWS_ACCESS_KEY_ID")?, required_env("AWS_SECRET_ACCESS_KEY")?);
        let credentials = Credentials::new(id, secret, optional_env("AWS_SESSION_TOKEN"), None, "environment");
        Ok(Aws::with(required_env("AWS_REGION")?, credentials))
    }

    /// A region with credentials, and the endpoints of the environment.
    pub fn with(region: String, credentials: Credentials) -> Aws {
        Aws {
            region,
            credentials,
            dynamodb_endpoint: optional_env("DYNAMODB_ENDPOINT"),
            secrets_endpoint: optional_env("SECRETS_MANAGER_ENDPOINT"),
            connector: None,
            timeouts: CallTimeouts::AWS,
        }
    }

    /// A DynamoDB client with its own connection pool.
    pub fn dynamodb_client(&self) -> aws_sdk_dynamodb::Client {
        self.dynamodb_client_over(&SharedHttpClient::default())
    }

    /// A DynamoDB client over a shared connection pool.
    pub fn dynamodb_client_over(&self, http_client: &SharedHttpClient) -> aws_sdk_dynamodb::Client {
        let mut config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(self.region.clone()))
            .credentials_provider(self.credentials.clone())
            .retry_classifier(RetryOnConflict)
            .interceptor(TraceInterceptor)
            .timeout_config(self.timeouts.config())
            // It guards streamed bodies; ours are in memory.
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .http_client(self.http_client(http_client));
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
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(self.region.clone()))
            .credentials_provider(self.credentials.clone())
            .timeout_config(self.timeouts.config())
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .http_client(self.http_client(http_client));
        config.set_endpoint_url(self.secrets_endpoint.clone());
        aws_sdk_secretsmanager::Client::from_conf(config.build())
    }

    fn http_client(&self, network: &SharedHttpClient) -> SdkHttpClient {
        match self.connector.clone() {
            Some(connector) => http_client_fn(move |_, _| connector.clone()),
            None => network.clone().into_shared(),
        }
    }

    /// Opens a connection to DynamoDB before the first request. Only a TLS handshake is worth the effort.
    pub(super) async fn warm_store(&self, http_client: &SharedHttpClient) {
        let url = self.dynamodb_endpoint.clone().or_else(|| dynamodb_url(&self.region));
        if let Some(url) = url.filter(|url| url.starts_with("https://")) {
            http_client.warm(&url).await;
        }
    }
}

/// The URL of DynamoDB in a region, from the SDK's table of all regions; `None` for an invalid name of a region.
fn dynamodb_url(region: &str) -> Option<String> {
    let params = Params::builder().region(region).build().ok()?;
    let endpoint = DefaultResolver::new().resolve_endpoint(&params).now_or_never()?.ok()?;
    Some(endpoint.url().to_owned())
}
