//! Reads secrets with as few calls as possible.
//!
//! A process that starts opens one connection for `BatchGetSecretValue`, instead of one for each concurrent
//! `GetSecretValue`. A secret that the batch does not return, for whatever reason, is read by a call of its own: AWS
//! limits batches more strictly than single reads, and the error of a single read names the secret.

use super::SecretError;
use super::client::{SecretValue, SecretsClient};
use secrecy::ExposeSecret;
use serde::de::DeserializeOwned;

/// Reads the secrets below a prefix.
pub(super) struct Reader<'a> {
    pub(super) client: &'a SecretsClient,
    prefix: &'a str,
    /// The secrets that the batch returned.
    batch: Vec<SecretValue>,
}

impl<'a> Reader<'a> {
    /// Reads several secrets with one call.
    pub(super) async fn new(client: &'a SecretsClient, prefix: &'a str, names: &[&str]) -> Reader<'a> {
        let mut reader = Reader { client, prefix, batch: Vec::new() };
        let names: Vec<String> = names.iter().map(|name| reader.full_name(name)).collect();
        // A batch of one secret saves no call.
        if names.len() > 1 {
            match client.get_batch(&names).await {
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
        match self.batch.iter().find(|value| value.name.as_ref() == Some(&name)) {
            Some(value) => parse(&name, value),
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
    let fail = |reason| SecretError { name: name.to_owned(), reason };
    parse(name, &client.get(name).await.map_err(fail)?)
}

fn parse<T: DeserializeOwned>(name: &str, value: &SecretValue) -> Result<T, SecretError> {
    let fail = |reason: String| SecretError { name: name.to_owned(), reason };
    let text = value.secret_string.as_ref().ok_or_else(|| fail("is binary, not text".to_owned()))?;
    // Only the position: the parser's message would quote the value.
    serde_json::from_str(text.expose_secret())
        .map_err(|error| fail(format!("is invalid JSON (line {}, column {})", error.line(), error.column())))
}

#[cfg(test)]
mod tests;
