//! Reads secrets with as few calls as possible.
//!
//! A process that starts opens one connection for `BatchGetSecretValue`, instead of one for each concurrent
//! `GetSecretValue`. A secret that the batch does not return, for whatever reason, is read by a call of its own: AWS
//! limits batches more strictly than single reads, and the error of a single read names the secret.

use super::SecretError;
use crate::sdk::describe;
use aws_sdk_secretsmanager::Client as SecretsClient;
use aws_sdk_secretsmanager::config::Config;
use aws_sdk_secretsmanager::config::retry::RetryConfig;
use aws_sdk_secretsmanager::config::timeout::TimeoutConfig;
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::time::Duration;

/// Time limit of a batch: with the time limit of the reads that follow a failure it is below Lambda's 10 s for a start.
const BATCH_TIMEOUT: Duration = Duration::from_secs(1);

/// The text of a secret; `None` for a binary one.
type SecretText = Option<SecretString>;

/// Reads the secrets below a prefix.
pub(super) struct Reader<'a> {
    pub(super) client: &'a SecretsClient,
    prefix: &'a str,
    /// The secrets that the batch returned, by full name.
    batch: BTreeMap<String, SecretText>,
}

impl<'a> Reader<'a> {
    /// Reads several secrets with one call.
    pub(super) async fn new(client: &'a SecretsClient, prefix: &'a str, names: &[&str]) -> Reader<'a> {
        let mut reader = Reader { client, prefix, batch: BTreeMap::new() };
        let names: Vec<String> = names.iter().map(|name| reader.full_name(name)).collect();
        // A batch of one secret saves no call.
        if names.len() > 1 {
            match read_batch(client, names).await {
                Ok(batch) => reader.batch = batch,
                Err(error) => {
                    tracing::warn!(error, "BatchGetSecretValue failed; each secret is read by a call of its own");
                }
            }
        }
        reader
    }

    /// The name of a secret with the prefix.
    pub(super) fn full_name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Reads a secret.
    pub(super) async fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T, SecretError> {
        let name = self.full_name(name);
        match self.batch.get(&name) {
            Some(text) => parse(&name, text.as_ref()),
            None => read(self.client, &name).await,
        }
    }

    /// Reads a secret in a function that may.
    pub(super) async fn read_if<T: DeserializeOwned>(
        &self,
        is_allowed: bool,
        name: &str,
    ) -> Result<Option<T>, SecretError> {
        if is_allowed { self.read(name).await.map(Some) } else { Ok(None) }
    }
}

/// Reads one secret by its full name.
pub(super) async fn read<T: DeserializeOwned>(client: &SecretsClient, name: &str) -> Result<T, SecretError> {
    let secret = client.get_secret_value().secret_id(name).send().await;
    let secret = secret.map_err(|error| SecretError { name: name.to_owned(), reason: describe(&error) })?;
    parse(name, secret.secret_string.map(SecretString::from).as_ref())
}

/// Reads at most 20 secrets with one call. The result lacks those with an error.
///
/// Tries only once: AWS allows 100 of these calls per second in an account, and 10,000 single reads.
async fn read_batch(client: &SecretsClient, names: Vec<String>) -> Result<BTreeMap<String, SecretText>, String> {
    let once = Config::builder()
        .retry_config(RetryConfig::disabled())
        .timeout_config(TimeoutConfig::builder().operation_timeout(BATCH_TIMEOUT).build());
    let batch = client.batch_get_secret_value().set_secret_id_list(Some(names)).customize().config_override(once);
    let batch = batch.send().await.map_err(|error| describe(&error))?;
    let secrets = batch.secret_values.unwrap_or_default().into_iter();
    Ok(secrets.filter_map(|secret| Some((secret.name?, secret.secret_string.map(SecretString::from)))).collect())
}

fn parse<T: DeserializeOwned>(name: &str, text: Option<&SecretString>) -> Result<T, SecretError> {
    let fail = |reason: String| SecretError { name: name.to_owned(), reason };
    let text = text.ok_or_else(|| fail("is binary, not text".to_owned()))?;
    // Only the position: the parser's message would quote the value.
    serde_json::from_str(text.expose_secret())
        .map_err(|error| fail(format!("is invalid JSON (line {}, column {})", error.line(), error.column())))
}

#[cfg(test)]
mod tests;
