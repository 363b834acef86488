//! The answer to a request: its outcome for a caller in this process, its response for one outside.

use super::PostResponseWork;
use crate::domain::ChangeId;
use crate::envelope::Reply;
use crate::error::Error;
use crate::request_context::inherit;
use lambda_http::{Body, Response};

/// The answer to a request. The outcome is what the response says.
#[derive(Debug)]
pub struct Answer {
    /// The reply of the handler, or the error.
    pub outcome: Result<Reply, Error>,
    /// The changes that the request has recorded, also if it has failed.
    pub changes: Vec<ChangeId>,
    /// The outcome as an HTTP response. It carries the work that follows it.
    pub response: Response<Body>,
}

impl From<Answer> for Response<Body> {
    fn from(answer: Answer) -> Response<Body> {
        answer.response
    }
}

/// Runs a request of this process in a task of its own, and waits for its answer. The task completes even if the caller
/// gives up, so that its slot is freed and connection states are stored.
pub async fn run_to_completion(answered: impl Future<Output = Answer> + Send + 'static) -> Result<Answer, Error> {
    let task = tokio::spawn(inherit(async move {
        let mut answer = answered.await;
        if let Some(work) = PostResponseWork::take_from(&mut answer.response) {
            work.run().await;
        }
        answer
    }));
    task.await.map_err(Error::internal)
}
