//! For which request work is being done: its clocks and its trace, known to whoever calls another host.
//!
//! Not an argument, because everybody between the front door and such a call would have to hand it on, and none looks
//! at it.

use crate::timing::{Clocks, Wait, Waiting};
use http::HeaderValue;

/// A request that work is done for.
#[derive(Clone, Debug)]
pub struct Asking {
    /// Its clocks.
    pub clocks: Clocks,
    /// What X-Ray calls it: handed on to AWS, and to nobody else.
    pub trace: Option<HeaderValue>,
}

tokio::task_local! {
    static ASKING: Asking;
}

impl Asking {
    /// Does work for this request.
    pub async fn doing<F: Future>(self, work: F) -> F::Output {
        ASKING.scope(self, work).await
    }
}

/// Has work that goes on in a task of its own be done for the same request.
pub fn likewise<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let asking = ASKING.try_with(Asking::clone).ok();
    async move {
        match asking {
            Some(asking) => asking.doing(work).await,
            None => work.await,
        }
    }
}

/// Begins to wait by one of the clocks of the request; `None` when work is done for nobody.
pub fn begin(clock: fn(&Clocks) -> &Waiting) -> Option<Wait> {
    ASKING.try_with(|asking| clock(&asking.clocks).begin()).ok()
}

/// The trace of the request.
pub fn trace() -> Option<HeaderValue> {
    ASKING.try_with(|asking| asking.trace.clone()).ok().flatten()
}
