//! The first stage: from an HTTP request to its route, shape and [`ApiRequest`].

use super::unsupported_headers::{IDEMPOTENCY_KEY, reject_unsupported_headers};
use super::user::{USER_HEADER, take_named_user};
use super::web::{SESSION_COOKIE, cookie};
use super::{Answer, ApiRequest, Confirmation, MAX_BODY_BYTES, ToolCall};
use crate::app::App;
use crate::auth::{
    ApiKey, Caller, CustomerToken, KEY_HEADER, PresentedKey, SessionCaller, ToolCaller, malformed_key, missing_key,
    two_keys,
};
use crate::domain::{Allowance, Reason};
use crate::envelope::{self, RenderContext, Reply, SHAPE_HEADER, Shape, query};
use crate::error::{Error, Kind};
use crate::payments::SIGNATURE_HEADER;
use crate::request_context::{self, RequestContext};
use crate::routes::{self, Authentication, Endpoint, Match, Route, Shapes};
use crate::timing::RequestTimers;
use http::header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HOST, IF_NONE_MATCH};
use http::{HeaderValue, Method};
use jiff::Timestamp;
use lambda_http::{Body, Request, RequestExt, Response};
use std::sync::Arc;
use uuid::Uuid;

/// The scheme that a proxy received.
pub(super) const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// The part of a request that cannot be part of a URI. The server that receives the request adds it as an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MalformedUri {
    /// The query string. The request's own URI is without it.
    Query,
    /// The `Host` header.
    Host,
}

impl MalformedUri {
    fn error(self) -> Error {
        match self {
            MalformedUri::Query => Error::field("query", "must be percent-encoded: a URI has no spaces, \", < or >"),
            MalformedUri::Host => Error::field("Host", "must be a host name or address, with a port up to 65535"),
        }
    }
}

/// A routed request, and the parts of it that outlive the handler.
pub struct IncomingRequest {
    pub(super) app: Arc<App>,
    pub(super) request: Request,
    pub(super) matched: Match,
    pub(super) request_id: Uuid,
    pub(super) now: Timestamp,
    pub(super) timers: RequestTimers,
    pub(super) trace: Option<HeaderValue>,
    pub(super) query: Vec<(String, String)>,
    /// The key of the assistant whose token the request has. Only the endpoint of agents opens tokens.
    pub(super) assistant: Option<PresentedKey>,
    /// The tool that the request calls.
    pub(super) tool: Option<ToolCall>,
    pub(super) shape: Result<Shape, Error>,
}

impl IncomingRequest {
    /// Routes a request and starts its timers.
    pub fn new(app: Arc<App>, request: Request) -> IncomingRequest {
        let query = query::pairs(request.uri().query());
        let matched = routes::find(request.method().as_str(), request.uri().path());
        let shape = shape_of(&request, &query, &matched);
        let RequestContext { request_id, timers, trace } = context_of(&request);
        let now = app.clock.now();
        IncomingRequest {
            app,
            request,
            matched,
            request_id,
            now,
            timers,
            trace,
            query,
            assistant: None,
            tool: None,
            shape,
        }
    }

    /// The endpoint, if the request has one.
    pub fn endpoint(&self) -> Option<Endpoint> {
        self.matched.endpoint()
    }

    /// Answers a request that has no endpoint in the function that received it without a look at its key, as in a
    /// function that must not read the table.
    pub fn reject_unlogged(self) -> Answer {
        let error = self.route_error();
        self.refuse(error)
    }

    /// The error of a request without an endpoint.
    pub(super) fn route_error(&self) -> Error {
        self.routed().err().unwrap_or_else(|| Error::not_found("path"))
    }

    /// The context of outgoing calls.
    pub(super) fn context(&self) -> RequestContext {
        RequestContext { request_id: self.request_id, timers: self.timers.clone(), trace: self.trace.clone() }
    }

    /// The caller, not yet authenticated; `None` without a well-formed key.
    pub(super) fn caller(&self) -> Option<Caller> {
        match (self.session_caller(), self.tool_caller()) {
            (Some(person), _) => Some(Caller::Session(Box::new(person.clone()))),
            (None, Some(tool)) => Some(Caller::Tool(Box::new(tool.clone()))),
            (None, None) => self.key().map(Caller::Key),
        }
    }

    /// The tool that makes the request.
    pub(super) fn tool_caller(&self) -> Option<&ToolCaller> {
        self.request.extensions().get()
    }

    /// The person for whom the dashboard makes the request.
    pub fn session_caller(&self) -> Option<&SessionCaller> {
        self.request.extensions().get()
    }

    /// The API key, if well-formed and sent once, or that of an assistant's token. API Gateway joins repeated headers with a comma, which no key has.
    pub(super) fn key(&self) -> Option<PresentedKey> {
        let sent = match self.sent_keys() {
            (None, Some(_)) if self.assistant.is_some() => return self.assistant.clone(),
            (Some(key), None) | (None, Some(key)) => key,
            (Some(key), Some(bearer)) if key == bearer => key,
            _ => return None,
        };
        ApiKey::parse(&sent).as_ref().map(PresentedKey::from)
    }

    /// The error for a request without a well-formed key.
    pub(super) fn key_error(&self) -> Error {
        let place = if self.is_of_agent() {
            "as Authorization: Bearer, or in the X-API-Key header"
        } else {
            "in the X-API-Key header, or as Authorization: Bearer"
        };
        match self.sent_keys() {
            (None, None) => missing_key(place, self.request.headers().contains_key(AUTHORIZATION)),
            (Some(key), Some(bearer)) if key != bearer => two_keys(place),
            (Some(text), _) | (None, Some(text)) => malformed_key(&text, place),
        }
    }

    /// What was sent as a key, in `X-API-Key` and as `Authorization: Bearer`. Beside the former, a bearer token that is no
    /// key is that of a proxy.
    pub(super) fn sent_keys(&self) -> (Option<String>, Option<String>) {
        let (key, bearer) = (self.single_header(KEY_HEADER), self.bearer());
        let is_of_proxy = |token: &String| key.is_some() && ApiKey::parse(token).is_none();
        let bearer = if self.is_of_agent() { bearer } else { bearer.filter(|token| !is_of_proxy(token)) };
        (key, bearer)
    }

    fn needs_key(&self) -> bool {
        matches!(&self.matched, Match::Found(route, _) if route.authentication != Authentication::Public)
    }

    fn is_of_sign_in(&self) -> bool {
        self.endpoint().is_some_and(Endpoint::is_of_sign_in)
    }

    /// Whether a browser asks what a page of another origin may send.
    pub(super) fn is_preflight(&self) -> bool {
        *self.request.method() == Method::OPTIONS && self.is_of_sign_in()
    }

    pub(super) fn is_of_agent(&self) -> bool {
        matches!(self.endpoint(), Some(Endpoint::Mcp(_)))
    }

    /// The request as handlers read it.
    pub(super) fn parse(&self) -> Result<ApiRequest, Error> {
        let (route, parameter) = self.routed()?;
        self.check_uri()?;
        reject_unsupported_headers(self.request.headers(), route)?;
        let shape = *self.shape.as_ref().map_err(|error| Error::fields(error.details.clone()))?;
        let mut query = self.query.clone();
        let user = match route.authentication {
            Authentication::ApiKey(_) => take_named_user(self.single_header(USER_HEADER).as_deref(), &mut query)?,
            Authentication::Public => None,
        };
        Ok(ApiRequest {
            app: Arc::clone(&self.app),
            route,
            parameter: parameter.to_owned(),
            query,
            shape,
            request_id: self.request_id,
            now: self.now,
            deadline: self.timers.began + self.app.platform_timeout,
            idempotency_key: self.single_header(IDEMPOTENCY_KEY),
            user,
            host: self.header(HOST.as_str()),
            forwarded_proto: self.header(FORWARDED_PROTO),
            confirmation: self.request.extensions().get::<Confirmation>().cloned(),
            content_type: self.header(CONTENT_TYPE.as_str()),
            content_encoding: self.header(CONTENT_ENCODING.as_str()),
            signature: self.single_header(SIGNATURE_HEADER),
            session: cookie(self.request.headers(), SESSION_COOKIE).and_then(CustomerToken::parse),
            body: self.request.body().to_vec(),
        })
    }

    /// Rejects a request of which a part cannot be part of a URI.
    pub(super) fn check_uri(&self) -> Result<(), Error> {
        match self.request.extensions().get::<MalformedUri>() {
            Some(malformed) => Err(malformed.error()),
            None => Ok(()),
        }
    }

    /// The response to an outcome, in the request's shape. That to HEAD has no body.
    pub(super) fn render(&self, outcome: &Result<Reply, Error>, allowance: Option<Allowance>) -> Response<Body> {
        let context = RenderContext {
            request_id: self.request_id,
            shape: *self.shape.as_ref().unwrap_or(&Shape::Flat),
            has_two_shapes: matches!(&self.matched, Match::Found(route, _) if route.shapes == Shapes::Both),
            is_of_sign_in: self.is_of_sign_in(),
            now: self.now,
            is_https: self.app.is_https(self.header(FORWARDED_PROTO).as_deref()),
            public_base: self.app.public_url(self.header(HOST.as_str()).as_deref(), "").ok(),
            allowance,
        };
        let refused = match (outcome, &self.tool) {
            // Without a valid key or the scope of its person, the client has to do something, and not its agent.
            (Err(error), Some(tool)) if error.kind != Kind::Unauthorized && !self.lacks_scope(error) => {
                Some(Ok(Reply::Rpc((tool.refused)(error))))
            }
            _ => None,
        };
        let response = envelope::render(refused.as_ref().unwrap_or(outcome), &context);
        let response = envelope::unless_known(response, self.header(IF_NONE_MATCH.as_str()).as_deref());
        let mut response = envelope::compressed(response, self.header(ACCEPT_ENCODING.as_str()).as_deref());
        if self.request.method() == Method::HEAD {
            *response.body_mut() = Body::Empty;
        }
        if self.is_of_sign_in() {
            envelope::open_to_every_origin(response, self.request.method())
        } else if self.needs_key() {
            self.with_challenge(response, outcome, context.public_base.as_deref())
        } else {
            response
        }
    }

    fn routed(&self) -> Result<(&'static Route, &str), Error> {
        match &self.matched {
            Match::Found(route, parameter) => Ok((route, parameter)),
            Match::MethodNotAllowed(allow) => {
                let message =
                    format!("This path does not support {}. It supports {}.", self.request.method(), allow.join(", "));
                Err(Error { allow: allow.clone(), ..Error::new(Kind::MethodNotAllowed, message) })
            }
            Match::NotFound => Err(no_such_path(self.request.uri().path())),
        }
    }

    pub(super) fn header(&self, name: &str) -> Option<String> {
        self.request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
    }

    /// The value of a header; empty, and so invalid, if it is repeated. API Gateway joins repeated headers with a
    /// comma.
    pub(super) fn single_header(&self, name: &str) -> Option<String> {
        let mut values = self.request.headers().get_all(name).iter();
        let first = values.next()?;
        if values.next().is_some() {
            return Some(String::new());
        }
        Some(first.to_str().unwrap_or_default().to_owned())
    }
}

/// The error for a path without an endpoint, with the nearest one that has.
fn no_such_path(path: &str) -> Error {
    let hint = routes::nearest(path).map_or_else(
        || "GET /v1/docs shows all paths.".to_owned(),
        |nearest| format!("Did you mean {nearest}? GET /v1/docs shows all paths."),
    );
    Error::new(Kind::NotFound, format!("There is no such path. {hint}")).because(Reason::PathNotFound)
}

/// The context of a request: that of the call, for a request that its tool makes.
fn context_of(request: &Request) -> RequestContext {
    let of_call = request.extensions().get::<ToolCaller>().and_then(|_| request_context::current());
    of_call.unwrap_or_else(|| {
        let trace = request.lambda_context_ref().and_then(|context| context.xray_trace_id.as_deref());
        let trace = trace.and_then(|trace| HeaderValue::from_str(trace).ok());
        RequestContext { request_id: request_id(request), timers: RequestTimers::start(), trace }
    })
}

/// Lambda's id of the invocation, because API Gateway's access log has it too. A runtime that sends no UUID gets an id
/// of ours.
fn request_id(request: &Request) -> Uuid {
    let invocation = request.lambda_context_ref().and_then(|context| Uuid::parse_str(&context.request_id).ok());
    invocation.filter(|id| !id.is_nil()).unwrap_or_else(Uuid::new_v4)
}

/// The shape of the response: by header, else by signs in the request, where the endpoint has two.
fn shape_of(request: &Request, query: &[(String, String)], matched: &Match) -> Result<Shape, Error> {
    let shapes = match matched {
        Match::Found(route, _) => route.shapes,
        Match::MethodNotAllowed(_) | Match::NotFound if routes::is_enveloped(request.uri().path()) => Shapes::Enveloped,
        Match::MethodNotAllowed(_) | Match::NotFound => Shapes::Both,
    };
    match (shapes, request.headers().get(SHAPE_HEADER)) {
        (Shapes::Enveloped, _) => Ok(Shape::Enveloped),
        (Shapes::Flat, _) => Ok(Shape::Flat),
        (Shapes::Both, Some(value)) => Shape::from_header(value.to_str().unwrap_or_default()),
        (Shapes::Both, None) if request.body().len() > MAX_BODY_BYTES => Ok(Shape::of_request(query, b"")),
        (Shapes::Both, None) => Ok(Shape::of_request(query, request.body())),
    }
}
