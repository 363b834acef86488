//! A client of Secrets Manager, for `GetSecretValue` and `BatchGetSecretValue` only.
//!
//! The runtime of the SDK signs, retries and limits the time, as for DynamoDB. The SDK's own client of Secrets Manager
//! is not linked: at each start it would parse its copy of the table of all AWS regions.

use crate::sdk::describe;
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_runtime::auth::sigv4::{SCHEME_ID, SigV4AuthScheme};
use aws_runtime::auth::{SigV4OperationSigningConfig, SigningOptions};
use aws_runtime::retries::classifiers::AwsErrorCodeClassifier;
use aws_smithy_runtime::client::orchestrator::operation::Operation;
use aws_smithy_runtime::client::retries::classifiers::{HttpStatusCodeClassifier, TransientErrorClassifier};
use aws_smithy_runtime_api::client::auth::static_resolver::StaticAuthSchemeOptionResolver;
use aws_smithy_runtime_api::client::auth::{AuthSchemeOptionResolverParams, SharedAuthScheme};
use aws_smithy_runtime_api::client::behavior_version::BehaviorVersion;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse, OrchestratorError, SensitiveOutput};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponentsBuilder;
use aws_smithy_runtime_api::client::runtime_plugin::{SharedRuntimePlugin, StaticRuntimePlugin};
use aws_smithy_runtime_api::client::stalled_stream_protection::StalledStreamProtectionConfig;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::Layer;
use aws_smithy_types::error::ErrorMetadata;
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::SigningName;
use aws_types::region::{Region, SigningRegion};
use secrecy::SecretString;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

/// Time limit of a batch: with the time limit of the reads that follow a failure it is below Lambda's 10 s for a start.
const BATCH_TIMEOUT: Duration = Duration::from_secs(1);

/// The operation of every call: a body for a body, so that its code is compiled once.
type Call = Operation<String, ResponseBody, ErrorMetadata>;

/// A client of Secrets Manager.
#[derive(Clone, Debug)]
pub struct SecretsClient {
    endpoint: String,
    timeouts: TimeoutConfig,
    http_client: SharedHttpClient,
    signature: SharedRuntimePlugin,
}

/// A secret in a response.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct SecretValue {
    pub(super) name: Option<String>,
    /// `None` for a binary secret.
    pub(super) secret_string: Option<SecretString>,
}

/// The response of `BatchGetSecretValue`. Its errors and its token of a next page are not used.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Batch {
    #[serde(default)]
    secret_values: Vec<SecretValue>,
}

/// The body of a response. `Debug` does not show it.
struct ResponseBody(Vec<u8>);

impl fmt::Debug for ResponseBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResponseBody")
    }
}

/// The body of an error. Its `__type` may have a namespace before a `#`.
#[derive(Default, Deserialize)]
struct ErrorBody {
    #[serde(rename = "__type")]
    kind: Option<String>,
    #[serde(alias = "Message")]
    message: Option<String>,
}

impl SecretsClient {
    /// A client of the Secrets Manager at an endpoint.
    pub fn new(
        endpoint: &str,
        region: String,
        credentials: Credentials,
        timeouts: TimeoutConfig,
        http_client: SharedHttpClient,
    ) -> SecretsClient {
        let signature = SharedRuntimePlugin::new(signature(region, credentials));
        SecretsClient { endpoint: endpoint.to_owned(), timeouts, http_client, signature }
    }

    /// Reads the current value of a secret. The error does not contain it.
    pub(super) async fn get(&self, name: &str) -> Result<SecretValue, String> {
        let call = self.call("GetSecretValue", self.timeouts.clone(), &RetryConfig::standard());
        parse(&invoke(&call, &json!({ "SecretId": name })).await?)
    }

    /// Reads the current values of at most 20 secrets with one call. The response lacks those with an error.
    ///
    /// Tries only once: AWS allows 100 of these calls per second in an account, and 10,000 of [`SecretsClient::get`].
    pub(super) async fn get_batch(&self, names: &[String]) -> Result<Vec<SecretValue>, String> {
        let timeouts = self.timeouts.to_builder().operation_timeout(BATCH_TIMEOUT).build();
        let call = self.call("BatchGetSecretValue", timeouts, &RetryConfig::disabled());
        let batch: Batch = parse(&invoke(&call, &json!({ "SecretIdList": names })).await?)?;
        Ok(batch.secret_values)
    }

    fn call(&self, name: &'static str, timeouts: TimeoutConfig, retries: &RetryConfig) -> Call {
        let operation = Operation::builder()
            .service_name("Secrets Manager")
            .operation_name(name)
            .behavior_version(BehaviorVersion::latest())
            .http_client(self.http_client.clone())
            .endpoint_url(&self.endpoint)
            .timeout_config(timeouts)
            .standard_retry(retries)
            .with_connection_poisoning()
            .retry_classifier(TransientErrorClassifier::<ErrorMetadata>::new())
            .retry_classifier(AwsErrorCodeClassifier::<ErrorMetadata>::new())
            .retry_classifier(HttpStatusCodeClassifier::default())
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .runtime_plugin(self.signature.clone())
            .serializer(move |body| request(name, body))
            .deserializer(body_of);
        operation.build()
    }
}

async fn invoke(call: &Call, body: &Value) -> Result<ResponseBody, String> {
    call.invoke(body.to_string()).await.map_err(|error| describe(&error))
}

/// Signs requests, and keeps responses out of the log.
fn signature(region: String, credentials: Credentials) -> StaticRuntimePlugin {
    let mut config = Layer::new("signature");
    config.store_put(SensitiveOutput);
    config.store_put(AuthSchemeOptionResolverParams::new(()));
    config.store_put(SigV4OperationSigningConfig {
        region: Some(SigningRegion::from(Region::new(region))),
        name: Some(SigningName::from_static("secretsmanager")),
        signing_options: SigningOptions::default(),
        ..SigV4OperationSigningConfig::default()
    });
    let components = RuntimeComponentsBuilder::new("signature")
        .with_auth_scheme(SharedAuthScheme::new(SigV4AuthScheme::new()))
        .with_auth_scheme_option_resolver(Some(StaticAuthSchemeOptionResolver::new(vec![SCHEME_ID])))
        .with_identity_resolver(SCHEME_ID, SharedCredentialsProvider::new(credentials));
    StaticRuntimePlugin::new().with_config(config.freeze()).with_runtime_components(components)
}

fn request(operation: &str, body: String) -> Result<HttpRequest, Box<dyn std::error::Error + Send + Sync>> {
    let request = http::Request::post("/")
        .header("content-type", "application/x-amz-json-1.1")
        .header("x-amz-target", format!("secretsmanager.{operation}"));
    Ok(request.body(SdkBody::from(body))?.try_into()?)
}

fn body_of(response: &HttpResponse) -> Result<ResponseBody, OrchestratorError<ErrorMetadata>> {
    let body = response.body().bytes().unwrap_or_default();
    if response.status().is_success() {
        return Ok(ResponseBody(body.to_vec()));
    }
    let error: ErrorBody = serde_json::from_slice(body).unwrap_or_default();
    let header = response.headers().get("x-amzn-errortype").map(str::to_owned);
    let mut metadata = ErrorMetadata::builder();
    if let Some(code) = header.or(error.kind) {
        let code = code.split(':').next().unwrap_or_default();
        metadata = metadata.code(code.rsplit('#').next().unwrap_or_default());
    }
    if let Some(message) = error.message {
        metadata = metadata.message(message);
    }
    Err(OrchestratorError::operation(metadata.build()))
}

fn parse<T: DeserializeOwned>(body: &ResponseBody) -> Result<T, String> {
    // The parser's message could quote the value.
    serde_json::from_slice(&body.0).map_err(|_| "the response is invalid JSON".to_owned())
}

#[cfg(test)]
mod tests;
