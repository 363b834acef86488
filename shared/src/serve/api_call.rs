//! A request of the API that this process makes itself: for a page of the dashboard, or for a tool of an agent.

use super::incoming::FORWARDED_PROTO;
use super::unsupported_headers::IDEMPOTENCY_KEY;
use super::user::USER_HEADER;
use super::{ApiRequest, Confirmation};
use crate::auth::ToolCaller;
use crate::domain::ExternalRef;
use crate::envelope::{SHAPE_HEADER, Shape};
use crate::error::Error;
use http::HeaderValue;
use http::header::HOST;
use lambda_http::{Body, Request};

/// A request of the API that this process makes itself. It never leaves the process.
#[derive(Clone, Debug)]
pub struct ApiCall<'a> {
    pub method: &'a str,
    /// The path, and the query if there is one.
    pub target: &'a str,
    /// The JSON body.
    pub body: Option<String>,
    /// The shape of request and response, where the endpoint has two.
    pub shape: Shape,
    pub idempotency_key: Option<&'a str>,
}

impl ApiCall<'_> {
    /// The request for a caller, who may act for a user, with the host and the scheme of the request that it is a part of.
    pub(super) fn request(
        self,
        host: Option<&str>,
        forwarded_proto: Option<&str>,
        caller: impl Clone + Send + Sync + 'static,
        user: Option<&ExternalRef>,
    ) -> Result<Request, Error> {
        let ApiCall { method, target, body, shape, idempotency_key } = self;
        let mut request = http::Request::builder().method(method).uri(target).header(SHAPE_HEADER, shape.as_str());
        for (name, value) in [(HOST.as_str(), host), (FORWARDED_PROTO, forwarded_proto)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        if let Some(key) = idempotency_key {
            request = request.header(IDEMPOTENCY_KEY, key);
        }
        let body = body.map_or(Body::Empty, Body::Text);
        let mut request = request.extension(caller).body(body).map_err(Error::internal)?;
        if let Some(user) = user {
            let user = HeaderValue::from_str(user.as_str()).map_err(Error::internal)?;
            request.headers_mut().insert(USER_HEADER, user);
        }
        Ok(request)
    }
}

impl ApiRequest {
    /// A request of the API by a tool, as a part of this request and for the same user. A change may depend on the confirmation of a preview.
    pub fn tool_request(
        &self,
        caller: ToolCaller,
        confirmation: Option<Confirmation>,
        call: ApiCall<'_>,
    ) -> Result<Request, Error> {
        let mut request = call.request(self.host.as_deref(), self.forwarded_proto.as_deref(), caller, self.user())?;
        if let Some(confirmation) = confirmation {
            request.extensions_mut().insert(confirmation);
        }
        Ok(request)
    }
}
