//! Extensions of the AWS SDK: the HTTP client, tracing, retries, and errors without payloads.

mod shared_http_client;
mod trace_interceptor;

pub use shared_http_client::SharedHttpClient;
pub use trace_interceptor::TraceInterceptor;

use aws_sdk_dynamodb::config::interceptors::InterceptorContext;
use aws_sdk_dynamodb::config::retry::{ClassifyRetry, RetryAction};
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use std::error::Error as StdError;

/// Retries a write that conflicted with a transaction; the SDK considers the conflict permanent.
#[derive(Debug)]
pub struct RetryOnConflict;

impl ClassifyRetry for RetryOnConflict {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let body = context.response().and_then(|response| response.body().bytes()).unwrap_or_default();
        let conflict = b"#TransactionConflictException";
        if body.windows(conflict.len()).any(|part| part == conflict) {
            // Not `transient_error`: it would discard the connection, which still works.
            RetryAction::server_error()
        } else {
            RetryAction::NoActionIndicated
        }
    }

    fn name(&self) -> &'static str {
        "transaction conflicts"
    }
}

/// Describes a failed call for the log: the service's code and message, or the error of the connection. Never the
/// response itself, which may be a secret.
pub fn describe<E, R>(error: &SdkError<E, R>) -> String
where
    E: StdError + ProvideErrorMetadata + 'static,
    R: std::fmt::Debug,
{
    if let SdkError::ServiceError(context) = error {
        let error = context.err();
        return format!("{}: {}", error.code().unwrap_or("no code"), error.message().unwrap_or("no message"));
    }
    let mut description = error.to_string();
    // After a response, the chain of sources may quote it.
    let mut source = match error {
        SdkError::ResponseError(_) => None,
        other => other.source(),
    };
    while let Some(cause) = source {
        description = format!("{description}: {cause}");
        source = cause.source();
    }
    description
}
