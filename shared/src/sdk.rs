//! What the AWS SDK is told and asked for: when to try again, for which request it works, and why a call failed without
//! what it carried.

use crate::timing::{Wait, Waiting};
use aws_sdk_dynamodb::config::interceptors::{
    BeforeSerializationInterceptorContextRef, BeforeTransmitInterceptorContextMut, InterceptorContext,
};
use aws_sdk_dynamodb::config::retry::{ClassifyRetry, RetryAction};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::{BoxError, ProvideErrorMetadata, SdkError};
use aws_smithy_types::config_bag::{Storable, StoreReplace};
use http::HeaderValue;
use std::error::Error as StdError;

/// The header by which X-Ray, and a request's log lines, follow a request through AWS.
pub const TRACE_HEADER: &str = "x-amzn-trace-id";

/// The request that calls are made for.
#[derive(Clone, Debug)]
pub struct Asking {
    /// Its clock for the store.
    pub store: Waiting,
    /// What [`TRACE_HEADER`] said of it, handed on to AWS and to nobody else.
    pub trace: Option<HeaderValue>,
}

tokio::task_local! {
    /// Not an argument, because every call to the store would have to hand it on, and none looks at it.
    static ASKING: Asking;
}

impl Asking {
    /// Does work whose calls are made for this request.
    pub async fn doing<F: Future>(self, work: F) -> F::Output {
        ASKING.scope(self, work).await
    }
}

/// Has every call count as waiting of the request that it is made for, and carry its trace.
#[derive(Debug)]
pub struct Traced;

impl Intercept for Traced {
    fn name(&self) -> &'static str {
        "for whom"
    }

    fn read_before_execution(
        &self,
        _context: &BeforeSerializationInterceptorContextRef<'_>,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Ok(wait) = ASKING.try_with(|asking| asking.store.begin()) {
            // It ends with the call, also with one that is given up.
            config.interceptor_state().store_put(UnderWay { _wait: wait });
        }
        Ok(())
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Ok(Some(trace)) = ASKING.try_with(|asking| asking.trace.clone()) {
            context.request_mut().headers_mut().insert(TRACE_HEADER, trace);
        }
        Ok(())
    }
}

#[derive(Debug)]
struct UnderWay {
    _wait: Wait,
}

impl Storable for UnderWay {
    type Storer = StoreReplace<Self>;
}

/// Tries a write again that a transaction stood in the way of: the SDK itself takes that for final.
#[derive(Debug)]
pub struct ConflictsPass;

impl ClassifyRetry for ConflictsPass {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let body = context.response().and_then(|response| response.body().bytes()).unwrap_or_default();
        let conflict = b"#TransactionConflictException";
        match body.windows(conflict.len()).any(|part| part == conflict) {
            true => RetryAction::transient_error(),
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
