//! A client of Secrets Manager, for `GetSecretValue` and `BatchGetSecretValue` only.
//!
//! The runtime of the SDK signs, retries and limits the time, as for DynamoDB. The SDK's own client of Secrets Manager
//! is not linked: at each start it would parse its copy of the table of all AWS regions.

use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_runtime::auth::sigv4::{SCHEME_ID, SigV4AuthScheme};
use aws_runtime::auth::{SigV4OperationSigningConfig, SigningOptions};
use aws_runtime::retries::classifiers::AwsErrorCodeClassifier;
use aws_smithy_runtime::client::orchestrator::operation::{Operation, OperationBuilder};
use aws_smithy_runtime::client::retries::classifiers::{HttpStatusCodeClassifier, TransientErrorClassifier};
use aws_smithy_runtime_api::client::auth::static_resolver::StaticAuthSchemeOptionResolver;
use aws_smithy_runtime_api::client::auth::{AuthSchemeOptionResolverParams, SharedAuthScheme};
use aws_smithy_runtime_api::client::behavior_version::BehaviorVersion;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse, OrchestratorError, SensitiveOutput};
use aws_smithy_runtime_api::client::result::SdkError;
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
use std::time::Duration;

const GET: &str = "GetSecretValue";
const BATCH_GET: &str = "BatchGetSecretValue";
/// Time limit of a batch: with the time limit of the reads that follow a failure it is below Lambda's 10 s for a start.
const BATCH_TIMEOUT: Duration = Duration::from_secs(1);

/// Why a secret was not read.
pub(super) type ReadError = SdkError<ErrorMetadata, HttpResponse>;

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

    /// Reads the current value of a secret.
    pub(super) async fn get(&self, name: &str) -> Result<SecretValue, ReadError> {
        let operation = self
            .operation(GET)
            .timeout_config(self.timeouts.clone())
            .standard_retry(&RetryConfig::standard())
            .serializer(|name: String| request(GET, &json!({ "SecretId": name })))
            .deserializer(parse);
        operation.build().invoke(name.to_owned()).await
    }

    /// Reads the current values of at most 20 secrets with one call. The response lacks those with an error.
    ///
    /// Tries only once: AWS allows 100 of these calls per second in an account, and 10,000 of [`SecretsClient::get`].
    pub(super) async fn get_batch(&self, names: &[String]) -> Result<Vec<SecretValue>, ReadError> {
        let timeouts = self.timeouts.to_builder().operation_timeout(BATCH_TIMEOUT).build();
        let operation = self
            .operation(BATCH_GET)
            .timeout_config(timeouts)
            .no_retry()
            .serializer(|names: Vec<String>| request(BATCH_GET, &json!({ "SecretIdList": names })))
            .deserializer(parse::<Batch>);
        operation.build().invoke(names.to_vec()).await.map(|batch| batch.secret_values)
    }

    fn operation(&self, name: &'static str) -> OperationBuilder {
        Operation::builder()
            .service_name("Secrets Manager")
            .operation_name(name)
            .behavior_version(BehaviorVersion::latest())
            .http_client(self.http_client.clone())
            .endpoint_url(&self.endpoint)
            .with_connection_poisoning()
            .retry_classifier(TransientErrorClassifier::<ErrorMetadata>::new())
            .retry_classifier(AwsErrorCodeClassifier::<ErrorMetadata>::new())
            .retry_classifier(HttpStatusCodeClassifier::default())
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .runtime_plugin(self.signature.clone())
    }
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

fn request(operation: &str, body: &Value) -> Result<HttpRequest, Box<dyn std::error::Error + Send + Sync>> {
    let request = http::Request::post("/")
        .header("content-type", "application/x-amz-json-1.1")
        .header("x-amz-target", format!("secretsmanager.{operation}"));
    Ok(request.body(SdkBody::from(body.to_string()))?.try_into()?)
}

fn parse<T: DeserializeOwned>(response: &HttpResponse) -> Result<T, OrchestratorError<ErrorMetadata>> {
    let body = response.body().bytes().unwrap_or_default();
    if response.status().is_success() {
        // The parser's message could quote the value.
        let invalid =
            || ErrorMetadata::builder().code("InvalidResponse").message("the response is invalid JSON").build();
        return serde_json::from_slice(body).map_err(|_| OrchestratorError::operation(invalid()));
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

#[cfg(test)]
mod tests;
