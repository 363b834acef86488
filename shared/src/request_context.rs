//! For which request work is being done: its clocks and its trace, known to whoever calls another host.
//!
//! Not an argument, because everybody between the front door and such a call would have to hand it on, and none looks
//! at it.

use crate::timing::{Clocks, Wait, Waiting};
use http::HeaderValue;

/// A request that work is done for.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// Its clocks.
    pub clocks: Clocks,
    /// What X-Ray calls it: handed on to AWS, and to nobody else.
    pub trace: Option<HeaderValue>,
}

tokio::task_local! {
    static REQUEST_CONTEXT: RequestContext;
}

impl RequestContext {
    /// Does work for this request.
    pub async fn scope<F: Future>(self, work: F) -> F::Output {
        REQUEST_CONTEXT.scope(self, work).await
    }
}

/// Has work that goes on in a task of its own be done for the same request.
pub fn inherit<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let context = REQUEST_CONTEXT.try_with(RequestContext::clone).ok();
    async move {
        match context {
            Some(context) => context.scope(work).await,
            None => work.await,
        }
    }
}

/// Begins to wait by one of the clocks of the request; `None` when work is done for nobody.
pub fn begin(clock: fn(&Clocks) -> &Waiting) -> Option<Wait> {
    REQUEST_CONTEXT.try_with(|context| clock(&context.clocks).begin()).ok()
}

/// The trace of the request.
pub fn trace() -> Option<HeaderValue> {
    REQUEST_CONTEXT.try_with(|context| context.trace.clone()).ok().flatten()
}
