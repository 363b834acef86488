//! What the AWS SDK is told and asked for: what carries its requests, for which request of ours, when to try again, and
//! why a call failed without what it carried.

mod shared_http_client;
mod trace_interceptor;

pub use shared_http_client::SharedHttpClient;
pub use trace_interceptor::TraceInterceptor;

use aws_sdk_dynamodb::config::interceptors::InterceptorContext;
use aws_sdk_dynamodb::config::retry::{ClassifyRetry, RetryAction};
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use std::error::Error as StdError;

/// Tries a write again that a transaction stood in the way of: the SDK itself takes that for final.
#[derive(Debug)]
pub struct RetryOnConflict;

impl ClassifyRetry for RetryOnConflict {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let body = context.response().and_then(|response| response.body().bytes()).unwrap_or_default();
        let conflict = b"#TransactionConflictException";
        match body.windows(conflict.len()).any(|part| part == conflict) {
            // Not a transient error: those cost the connection, which is as good as before.
            true => RetryAction::server_error(),
            false => RetryAction::NoActionIndicated,
        }
    }

    fn name(&self) -> &'static str {
        "transaction conflicts"
    }
}

/// Why a call failed, for the log: the service's code and words, or what became of the connection. Never the answer
/// itself, which may be a secret.
pub fn words<E, R>(error: &SdkError<E, R>) -> String
where
    E: StdError + ProvideErrorMetadata + 'static,
    R: std::fmt::Debug,
{
    if let SdkError::ServiceError(refusal) = error {
        let refusal = refusal.err();
        return format!("{}: {}", refusal.code().unwrap_or("no code"), refusal.message().unwrap_or("no message"));
    }
    let mut words = error.to_string();
    // The chain of a call that got an answer may quote it.
    let mut source = match error {
        SdkError::ResponseError(_) => None,
        other => other.source(),
    };
    while let Some(cause) = source {
        words = format!("{words}: {cause}");
        source = cause.source();
    }
    words
}
