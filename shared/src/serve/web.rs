//! Requests of browsers to the dashboard. They carry a cookie and never an API key, so a request that changes something
//! must come from a page of ours.

use super::incoming::FORWARDED_PROTO;
use super::timeout::{timed_out, until_hard_deadline};
use super::{ApiCall, IncomingRequest, MAX_BODY_BYTES, payload_too_large};
use crate::app::App;
use crate::auth::SessionCaller;
use crate::domain::ExternalRef;
use crate::envelope::{Reply, WebReply, query};
use crate::error::{Error, Kind};
use http::header::{CONTENT_TYPE, COOKIE, HOST, ORIGIN, USER_AGENT};
use http::{HeaderMap, Method};
use jiff::Timestamp;
use lambda_http::{Body, Context, Request, RequestExt, Response};
use std::net::IpAddr;
use std::sync::Arc;
use uuid::Uuid;

/// How a browser says where a request comes from (<https://www.w3.org/TR/fetch-metadata/>).
const FETCH_SITE: &str = "sec-fetch-site";
/// The cookie with the session of a person at the dashboard.
pub const SESSION_COOKIE: &str = "__Host-session";

/// The address that a request comes from, as API Gateway has seen it: an extension of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceAddress(pub IpAddr);

/// A request of a browser. A copy serves work that outlives the response.
#[derive(Clone)]
pub struct WebRequest {
    /// The parts of the service.
    pub app: Arc<App>,
    pub method: Method,
    /// The path as sent.
    pub path: String,
    /// Decoded query parameters, in order.
    pub query: Vec<(String, String)>,
    pub request_id: Uuid,
    /// The time of arrival.
    pub now: Timestamp,
    /// The address that it comes from; `None` on this machine.
    pub source: Option<IpAddr>,
    headers: HeaderMap,
    body: Vec<u8>,
    lambda: Option<Context>,
}

/// Answers a request of a browser. An error becomes the page that `error_page` makes of it.
pub async fn serve_web(
    incoming: IncomingRequest,
    handler: impl AsyncFnOnce(&WebRequest) -> Result<WebReply, Error>,
    error_page: impl FnOnce(&Error, Uuid) -> WebReply,
) -> Response<Body> {
    let context = incoming.context();
    context.scope(Box::pin(respond(incoming, handler, error_page))).await
}

async fn respond(
    incoming: IncomingRequest,
    handler: impl AsyncFnOnce(&WebRequest) -> Result<WebReply, Error>,
    error_page: impl FnOnce(&Error, Uuid) -> WebReply,
) -> Response<Body> {
    let work = async {
        let request = WebRequest::read(&incoming)?;
        request.check_origin()?;
        handler(&request).await
    };
    let outcome = until_hard_deadline(&incoming, work).await;
    let outcome = outcome.unwrap_or_else(|| Err(timed_out(&incoming, false))).map(Reply::Web);
    let page = outcome.as_ref().err().map(|error| Ok(Reply::Web(error_page(error, incoming.request_id))));
    let response = incoming.render(page.as_ref().unwrap_or(&outcome), None);
    incoming.finish_unlogged(outcome, response).into()
}

impl WebRequest {
    fn read(incoming: &IncomingRequest) -> Result<WebRequest, Error> {
        incoming.check_uri()?;
        let request = &incoming.request;
        Ok(WebRequest {
            app: Arc::clone(&incoming.app),
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
            query: query::pairs(request.uri().query()),
            request_id: incoming.request_id,
            now: incoming.now,
            source: request.extensions().get::<SourceAddress>().map(|SourceAddress(address)| *address),
            headers: request.headers().clone(),
            body: request.body().to_vec(),
            lambda: request.lambda_context_ref().cloned(),
        })
    }

    /// The value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        cookie(&self.headers, name)
    }

    /// The fields of a form, in order.
    pub fn form(&self) -> Result<Vec<(String, String)>, Error> {
        if self.body.len() > MAX_BODY_BYTES {
            return Err(payload_too_large());
        }
        let essence = self.header(CONTENT_TYPE.as_str()).unwrap_or_default().split(';').next().unwrap_or_default();
        if !self.body.is_empty() && !essence.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Error::new(Kind::UnsupportedMediaType, "Send the form with the button on the page."));
        }
        Ok(url::form_urlencoded::parse(&self.body).into_owned().collect())
    }

    /// The browser's description of itself.
    pub fn browser(&self) -> &str {
        self.header(USER_AGENT.as_str()).unwrap_or_default()
    }

    /// Whether the browser used HTTPS.
    pub fn is_https(&self) -> bool {
        self.app.is_https(self.header(FORWARDED_PROTO))
    }

    /// A request of the API for a person, who may act for a user. It has the id of this request.
    pub fn api_request(
        &self,
        caller: SessionCaller,
        user: Option<&ExternalRef>,
        call: ApiCall<'_>,
    ) -> Result<Request, Error> {
        let request = call.request(self.header(HOST.as_str()), self.header(FORWARDED_PROTO), caller, user)?;
        Ok(match &self.lambda {
            Some(context) => request.with_lambda_context(context.clone()),
            None => request,
        })
    }

    /// The public URL of a path of this service.
    pub fn public_url(&self, path: &str) -> Result<String, Error> {
        self.app.public_url(self.header(HOST.as_str()), path)
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Rejects a request that changes something and that a page of another site may have sent. Browsers that send no
    /// `Sec-Fetch-Site` send `Origin` with every form.
    fn check_origin(&self) -> Result<(), Error> {
        if matches!(self.method, Method::GET | Method::HEAD) {
            return Ok(());
        }
        let is_own = match self.header(FETCH_SITE) {
            Some(site) => site == "same-origin",
            None => self.header(ORIGIN.as_str()) == Some(self.public_url("")?.as_str()),
        };
        let message = "This form came from another site, so nothing was done. Open the page here and use its button.";
        if is_own { Ok(()) } else { Err(Error::new(Kind::Forbidden, message)) }
    }
}

/// The value of a cookie.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let headers = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = headers.flat_map(|header| header.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}
