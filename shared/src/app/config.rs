//! The configuration of a function, from its environment.

use super::{Aws, PLATFORM_TIMEOUT, StartError};
use crate::identity::IssuerConfig;
use crate::outbound::public::Reach;
use crate::platforms::settings::Settings;
use crate::secrets::SecretAccess;
use std::env;
use std::time::Duration;

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
    /// The secrets to load.
    pub secrets: SecretAccess,
    /// Whether the function reads or writes the table. If so, it connects before the first request.
    pub uses_table: bool,
    /// `PAYMENT_BASE_URL`: the payment provider's API; defaults to [`crate::payments::BASE_URL`].
    pub payment_base_url: Option<String>,
    /// `OIDC_ISSUER` and `OIDC_CLIENT_ID`: the issuer that authenticates people; `None` without a dashboard.
    pub issuer: Option<IssuerConfig>,
    /// Where the endpoints of webhooks may be.
    pub webhook_reach: Reach,
    /// `METRICS_NAMESPACE`: the CloudWatch namespace; `None` writes no metrics.
    pub metrics_namespace: Option<String>,
    /// Access to AWS.
    pub aws: Aws,
}

impl Config {
    /// Reads the environment of the process.
    pub fn from_env(secrets: SecretAccess) -> Result<Config, StartError> {
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
            secrets,
            uses_table: true,
            payment_base_url: optional_env("PAYMENT_BASE_URL"),
            issuer: optional_env("OIDC_ISSUER").map(|issuer| issuer_config(&issuer)).transpose()?,
            webhook_reach: Reach::Public,
            metrics_namespace: optional_env("METRICS_NAMESPACE"),
            aws: Aws::from_env()?,
        })
    }
}

fn issuer_config(issuer: &str) -> Result<IssuerConfig, StartError> {
    let client_id = required_env("OIDC_CLIENT_ID")?;
    IssuerConfig::new(issuer, &client_id).map_err(|error| format!("OIDC_ISSUER: {error}").into())
}

/// A variable of the environment. An empty one counts as unset.
pub fn optional_env(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

pub(super) fn required_env(name: &str) -> Result<String, StartError> {
    optional_env(name).ok_or_else(|| format!("the environment variable {name} is not set").into())
}
