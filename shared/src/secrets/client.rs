//! A client of Secrets Manager, for `GetSecretValue` only.
//!
//! The runtime of the SDK signs, retries and limits the time, as for DynamoDB. The SDK's own client of Secrets Manager
//! is not linked: at each start it would parse its copy of the table of all AWS regions.

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
use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponentsBuilder;
use aws_smithy_runtime_api::client::runtime_plugin::StaticRuntimePlugin;
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
use serde_json::json;

/// Why a secret was not read.
pub(super) type ReadError = SdkError<ErrorMetadata, HttpResponse>;

/// A client of Secrets Manager.
#[derive(Clone, Debug)]
pub struct SecretsClient {
    get_secret_value: Operation<String, SecretValue, ErrorMetadata>,
}

/// The response of `GetSecretValue`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct SecretValue {
    /// `None` for a binary secret.
    pub(super) secret_string: Option<SecretString>,
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
        let operation = Operation::builder()
            .service_name("Secrets Manager")
            .operation_name("GetSecretValue")
            .behavior_version(BehaviorVersion::latest())
            .http_client(http_client)
            .endpoint_url(endpoint)
            .timeout_config(timeouts)
            .standard_retry(&RetryConfig::standard())
            .with_connection_poisoning()
            .retry_classifier(TransientErrorClassifier::<ErrorMetadata>::new())
            .retry_classifier(AwsErrorCodeClassifier::<ErrorMetadata>::new())
            .retry_classifier(HttpStatusCodeClassifier::default())
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .runtime_plugin(signature(region, credentials))
            .serializer(|name: String| request(&name))
            .deserializer(parse);
        SecretsClient { get_secret_value: operation.build() }
    }

    /// Reads the current value of a secret.
    pub(super) async fn get(&self, name: &str) -> Result<SecretValue, ReadError> {
        self.get_secret_value.invoke(name.to_owned()).await
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

fn request(name: &str) -> Result<HttpRequest, Box<dyn std::error::Error + Send + Sync>> {
    let body = json!({ "SecretId": name }).to_string();
    let request = http::Request::post("/")
        .header("content-type", "application/x-amz-json-1.1")
        .header("x-amz-target", "secretsmanager.GetSecretValue");
    Ok(request.body(SdkBody::from(body))?.try_into()?)
}

fn parse(response: &HttpResponse) -> Result<SecretValue, OrchestratorError<ErrorMetadata>> {
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
