//! Requests that a tool makes of the API, in this process. So a tool can do what its key can do, and each change passes the
//! checks of a request.

use crate::answer::{Answer, ToolError};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use lambda_http::http::StatusCode;
use lambda_http::http::header::HeaderName;
use lambda_http::{Body, Request, Response};
use shared::envelope::{CHANGE_ID_HEADER, REPLAYED_HEADER, Shape};
use shared::error::Error;
use shared::routes::{Function, function};
use shared::serve::{self, ApiCall, Call, Confirmation, IncomingRequest, run_to_completion};
use std::sync::Arc;

/// The API as the key of a call uses it.
pub(crate) struct Api<'a> {
    pub(crate) call: &'a Call,
}

/// A successful response of the API.
pub(crate) struct ApiResponse {
    pub(crate) status: StatusCode,
    /// The body; empty for a response without one.
    pub(crate) body: String,
    /// The change that the request has made, or the first that it has moved.
    pub(crate) change: Option<String>,
    /// Whether it is the response to an earlier request with the same key.
    pub(crate) is_replayed: bool,
}

impl Api<'_> {
    /// Sends a request that reads.
    pub(crate) async fn get(&self, target: &str) -> Result<ApiResponse, ToolError> {
        self.send("GET", target, None, None).await
    }

    /// Sends a request with a JSON body. One that a preview confirms takes effect once for its key.
    pub(crate) async fn send(
        &self,
        method: &str,
        target: &str,
        body: Option<String>,
        confirmed: Option<(&str, Confirmation)>,
    ) -> Result<ApiResponse, ToolError> {
        let (idempotency_key, confirmation) = confirmed.unzip();
        let call = ApiCall { method, target, body, shape: Shape::Flat, idempotency_key };
        let path = call.target.split('?').next().unwrap_or_default();
        let function = function(call.method, path);
        let request = self.call.request.tool_request(self.call.tool_caller()?, confirmation, call)?;
        read_response(&run_to_completion(self.answer(function, request)?).await?.response)
    }

    /// Boxed: the state of a handler is large.
    fn answer(&self, function: Function, request: Request) -> Result<BoxFuture<'static, serve::Answer>, Error> {
        let incoming = IncomingRequest::new(Arc::clone(&self.call.request.app), request);
        match function {
            Function::Campaigns => Ok(campaigns::answer(incoming).boxed()),
            Function::Connections => Ok(connections::answer(incoming).boxed()),
            _ => Err(Error::internal("a tool has made a request of another function")),
        }
    }
}

fn read_response(response: &Response<Body>) -> Result<ApiResponse, ToolError> {
    let status = response.status();
    let body = String::from_utf8_lossy(response.body()).into_owned();
    let header = |name: HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok());
    if status.is_success() {
        let change = header(CHANGE_ID_HEADER).and_then(|ids| ids.split(',').next()).map(|id| id.trim().to_owned());
        return Ok(ApiResponse { status, body, change, is_replayed: header(REPLAYED_HEADER).is_some() });
    }
    Err(ToolError::Refused(Answer::refusal(status, &body)))
}
