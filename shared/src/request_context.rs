//! The request that the current task works for: its id, its timers and its trace.
//!
//! Task-local instead of an argument: every function between `serve` and an outgoing call would pass it on unread.

use crate::timing::{RequestTimers, WaitGuard, WaitTimer};
use http::HeaderValue;
use uuid::Uuid;

/// The parts of a request that outgoing calls and the records of its effects need.
#[derive(Clone, Debug)]
pub struct RequestContext {
    pub request_id: Uuid,
    pub timers: RequestTimers,
    /// The X-Ray trace header. Only calls to AWS carry it.
    pub trace: Option<HeaderValue>,
}

tokio::task_local! {
    static REQUEST_CONTEXT: RequestContext;
}

impl RequestContext {
    /// Runs a future in this context.
    pub async fn scope<F: Future>(self, work: F) -> F::Output {
        REQUEST_CONTEXT.scope(self, work).await
    }
}

/// The current context; `None` outside of a request.
pub fn current() -> Option<RequestContext> {
    REQUEST_CONTEXT.try_with(RequestContext::clone).ok()
}

/// Binds a future to the current context, for a task of its own.
pub fn inherit<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let context = current();
    async move {
        match context {
            Some(context) => context.scope(work).await,
            None => work.await,
        }
    }
}

/// Starts a wait on one of the request's timers; `None` outside of a request.
pub fn begin(timer: fn(&RequestTimers) -> &WaitTimer) -> Option<WaitGuard> {
    REQUEST_CONTEXT.try_with(|context| timer(&context.timers).begin()).ok()
}

/// The X-Ray trace header of the current request.
pub fn trace() -> Option<HeaderValue> {
    REQUEST_CONTEXT.try_with(|context| context.trace.clone()).ok().flatten()
}

/// The id of the current request; `None` outside of one, as in maintenance.
pub fn request_id() -> Option<Uuid> {
    REQUEST_CONTEXT.try_with(|context| context.request_id).ok()
}
