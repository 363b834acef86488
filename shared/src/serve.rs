//! The front door of every function: request id, route, shape, authentication, the handler, the answer, the log.

mod idempotency;
mod post_response;
mod telemetry;

pub use idempotency::{ClaimOutcome, earlier_outcome_unknown};
pub use post_response::PostResponseWork;

use crate::app::App;
use crate::auth::{ApiKey, Authenticated, KEY_HEADER, authenticate, redact_keys, unauthorized};
use crate::domain::{Allowance, CampaignId, Customer, CustomerConnections, CustomerId, Platform, Usage, UsageEntry};
use crate::envelope::{self, RenderContext, Reply, SHAPE_HEADER, Shape, query};
use crate::error::{Error, Kind};
use crate::payments::signature;
use crate::request_context::RequestContext;
use crate::routes::{self, Match, Route};
use crate::store::Store;
use crate::timing::{RequestTimers, Timing};
use crate::tokens::PlatformContext;
use http::HeaderValue;
use http::header::{CONTENT_TYPE, HOST};
use idempotency::ClaimSlot;
use jiff::Timestamp;
use lambda_http::{Body, Request, RequestExt, Response};
use post_response::Owner;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};
use uuid::Uuid;

/// Largest body that is read, in bytes.
pub const MAX_BODY_BYTES: usize = 256 * 1024;
/// How long an answer may wait for a request to be given back.
const REFUND_TIMEOUT: Duration = Duration::from_secs(1);
/// What a request may take beyond the time for platforms, to keep what it has learned. Then it is answered, whatever
/// hangs, and with a second for giving back it is within the 28 s that are promised.
const GRACE: Duration = Duration::from_secs(2);

/// Longest path that a usage log keeps, in characters.
const MAX_SHOWN_PATH: usize = 1_024;
/// Longest method that it keeps: longer than any that there is.
const MAX_SHOWN_METHOD: usize = 32;

/// An authenticated request.
pub struct Call {
    /// What everybody's requests carry.
    pub request: ApiRequest,
    /// The key that was shown.
    pub key: ApiKey,
    /// Who asks.
    pub customer: Customer,
    /// What is used of the billing period, this request counted.
    pub usage: Usage,
    /// The customer's connections and grants.
    pub connected: CustomerConnections,
    claim: Arc<ClaimSlot>,
}

/// A request without a key: a callback, proved by something else.
pub struct ApiRequest {
    /// The parts of the service.
    pub app: Arc<App>,
    /// The route it matched.
    pub route: &'static Route,
    /// The value of the route's parameter; empty when it has none.
    pub parameter: String,
    /// Decoded query parameters, in order.
    pub query: Vec<(String, String)>,
    /// The shape to read and answer in.
    pub shape: Shape,
    /// The request's id.
    pub request_id: Uuid,
    /// The time of the request.
    pub now: Timestamp,
    /// When platform calls must have ended.
    pub deadline: Instant,
    /// As it was sent; of several, none is right.
    idempotency_key: Option<String>,
    host: Option<String>,
    content_type: Option<String>,
    signature: Option<String>,
    body: Vec<u8>,
}

impl ApiRequest {
    /// Method and path as the route table writes them: what a function matches on.
    pub fn operation(&self) -> (&'static str, &'static str) {
        (self.route.method, self.route.path)
    }

    /// The body of a request that must have JSON: 413 and 415 come from here.
    pub fn json_body(&self) -> Result<&[u8], Error> {
        if self.body.len() > MAX_BODY_BYTES {
            return Err(too_large());
        }
        // A body without a type is taken for what all bodies here are.
        let essence = self.content_type.as_deref().map(|value| value.split(';').next().unwrap_or_default().trim());
        if essence.is_some_and(|essence| !essence.eq_ignore_ascii_case("application/json")) {
            let message = "The body must be JSON: send it with Content-Type: application/json.";
            return Err(Error::new(Kind::UnsupportedMediaType, message));
        }
        Ok(&self.body)
    }

    /// Refuses a body where none is meant; an empty object is as good as none.
    pub fn refuse_body(&self) -> Result<(), Error> {
        match self.body.trim_ascii() {
            b"" | b"{}" => Ok(()),
            _ => Err(Error::field("body", "must be empty: this request takes none")),
        }
    }

    /// The route's parameter as a platform in lower case; anything else is not found.
    pub fn platform(&self) -> Result<Platform, Error> {
        Platform::parse(&self.parameter).ok_or_else(|| Error::not_found("platform"))
    }

    /// What the payment provider signed the body with; empty when it did not.
    pub fn signature(&self) -> &str {
        self.signature.as_deref().unwrap_or_default()
    }

    /// Where a platform sends users back to.
    pub fn callback_url(&self, platform: Platform) -> Result<String, Error> {
        self.public_url(&format!("/v1/oauth/callback/{platform}"))
    }

    /// Where a path of ours is reached from outside.
    pub fn public_url(&self, path: &str) -> Result<String, Error> {
        let base = match (&self.app.public_base_url, &self.host) {
            (Some(base), _) => base.clone(),
            (None, Some(host)) => format!("https://{host}"),
            (None, None) => return Err(Error::internal("PUBLIC_BASE_URL is not set and the request names no host")),
        };
        Ok(format!("{base}{path}"))
    }
}

impl Call {
    /// The caller in whose name platforms are called.
    pub fn platform_context(&self) -> PlatformContext<'_> {
        PlatformContext {
            app: &self.request.app,
            outbound: &self.request.app.outbound,
            customer: self.customer.id,
            connected: &self.connected,
            now: self.request.now,
            deadline: self.request.deadline,
        }
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.request.app.store
    }
}

/// Answers a request that needs an API key.
pub async fn serve<F>(app: Arc<App>, request: Request, handle: impl FnOnce(Call) -> F) -> Response<Body>
where
    F: Future<Output = Result<Reply, Error>>,
{
    serve_with_prefetch(app, request, |_, _| ready(()), |call, ()| handle(call)).await
}

/// The same where the answer is what the store has of the customer whom the key names: that is read while the key is
/// checked, and forgotten when it proves wrong. Only for what is cheap to read, as it is read for a wrong key too.
pub async fn serve_with_prefetch<T, R, F>(
    app: Arc<App>,
    request: Request,
    read: impl FnOnce(&ApiRequest, CustomerId) -> R,
    handle: impl FnOnce(Call, T) -> F,
) -> Response<Body>
where
    R: Future<Output = T>,
    F: Future<Output = Result<Reply, Error>>,
{
    let incoming = IncomingRequest::new(request);
    // In a box: all of a handler is in this future, and without optimisation each floor above would have a copy of it on
    // the stack.
    incoming.context().scope(Box::pin(answer(app, &incoming, read, handle))).await
}

async fn answer<T, R, F>(
    app: Arc<App>,
    incoming: &IncomingRequest,
    read: impl FnOnce(&ApiRequest, CustomerId) -> R,
    handle: impl FnOnce(Call, T) -> F,
) -> Response<Body>
where
    R: Future<Output = T>,
    F: Future<Output = Result<Reply, Error>>,
{
    let claim = Arc::new(ClaimSlot::new());
    let mut info = RequestInfo::default();
    let outcome = async {
        let (key, request) = incoming.open(Arc::clone(&app))?;
        let key = key.as_deref().and_then(ApiKey::parse).ok_or_else(unauthorized)?;
        // The key says whose connections to read; they are used only if it proves right, so its error goes first.
        let (store, owner) = (&app.store, key.customer());
        let (entry, connected, found) = tokio::join!(
            authenticate(store, &key, request.now),
            store.customer_connections(owner, request.now),
            read(&request, owner)
        );
        let Authenticated { account, allowance, rejection } = entry?;
        (info.customer, info.allowance) = (Some(account.customer.id), Some(allowance));
        if let Some(rejection) = rejection {
            return Err(rejection);
        }
        let connected = connected?;
        info.platform = named_platform(&request, &connected);
        let claim = Arc::clone(&claim);
        let call = Call { request, key, customer: account.customer, usage: account.usage, connected, claim };
        handle(call, found).await
    };
    let outcome = timeout_at(incoming.hard_stop(&app), outcome).await;
    let outcome = outcome.unwrap_or_else(|_| Err(incoming.no_time_left(claim.get().is_some())));
    let response = incoming.render(&outcome, info.allowance);
    let refund = async {
        if let (Some(customer), Some(allowance)) = (info.customer, info.allowance)
            && allowance.is_counted
            && !envelope::is_counted(response.status())
        {
            refund(&app.store, customer, allowance.usage).await;
        }
    };
    let keep = async {
        if let Some(claim) = claim.get() {
            claim.end(&app, &outcome, &response).await;
        }
    };
    tokio::join!(refund, keep);
    incoming.finish(app, &outcome, &info, response)
}

/// Only a matter of the count: the answer stands, whatever becomes of this.
async fn refund(store: &Store, customer: CustomerId, usage: Usage) {
    match timeout(REFUND_TIMEOUT, store.refund_request(customer, usage.period_start)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%customer, %error, source = error.source, "a request was not given back"),
        Err(_) => tracing::warn!(%customer, "a request was not given back in time"),
    }
}

/// Answers a request that carries no API key.
pub async fn serve_public<F>(app: Arc<App>, request: Request, handle: impl FnOnce(ApiRequest) -> F) -> Response<Body>
where
    F: Future<Output = Result<Reply, Error>>,
{
    let incoming = IncomingRequest::new(request);
    let work = Box::pin(async { handle(incoming.open(Arc::clone(&app))?.1).await });
    let outcome = incoming.context().scope(timeout_at(incoming.hard_stop(&app), work)).await;
    let outcome = outcome.unwrap_or_else(|_| Err(incoming.no_time_left(false)));
    let mut response = incoming.render(&outcome, None);
    incoming.record(&app, &outcome, &RequestInfo::default(), &mut response);
    response
}

/// Answers a request that never reached a function, in the shape that it asked for: the gateway's own refusals.
pub fn refuse(app: Arc<App>, request: Request, error: Error) -> Response<Body> {
    let (incoming, outcome) = (IncomingRequest::new(request), Err(error));
    let response = incoming.render(&outcome, None);
    incoming.finish(app, &outcome, &RequestInfo::default(), response)
}

/// The rejection of a body over [`MAX_BODY_BYTES`].
pub fn too_large() -> Error {
    Error::new(Kind::PayloadTooLarge, format!("The body is larger than {} KiB.", MAX_BODY_BYTES / 1024))
}

/// What is found out about a request on the way to its handler.
#[derive(Default)]
struct RequestInfo {
    customer: Option<CustomerId>,
    /// Where the customer stands with rate and quota.
    allowance: Option<Allowance>,
    platform: Option<Platform>,
}

/// The platform that a path speaks of: by its name, by a campaign of it, or by a connection to it.
fn named_platform(call: &ApiRequest, connected: &CustomerConnections) -> Option<Platform> {
    let parameter = call.parameter.as_str();
    let connection = || connected.connections.iter().find(|connection| connection.id.0 == parameter);
    Platform::parse(parameter)
        .or_else(|| CampaignId::parse(parameter).map(|id| id.platform()))
        .or_else(|| connection().map(|connection| connection.platform))
}

/// A path as a usage log shows it: no longer than needed, and without a key that somebody put there by mistake.
fn shown_path(path: &str) -> String {
    redact_keys(path).chars().take(MAX_SHOWN_PATH).collect()
}

/// A request as it came in, and what its answer will need.
struct IncomingRequest {
    request: Request,
    query: Vec<(String, String)>,
    found: Match,
    shape: Result<Shape, Error>,
    request_id: Uuid,
    now: Timestamp,
    timers: RequestTimers,
    /// What X-Ray calls it.
    trace: Option<HeaderValue>,
}

impl IncomingRequest {
    fn new(request: Request) -> IncomingRequest {
        let query = query::pairs(request.uri().query());
        let found = routes::find(request.method().as_str(), request.uri().path());
        let shape = shape_of(&request, &query, &found);
        let trace = request.lambda_context_ref().and_then(|context| context.xray_trace_id.as_deref());
        let trace = trace.and_then(|trace| HeaderValue::from_str(trace).ok());
        let (request_id, now, timers) = (Uuid::new_v4(), Timestamp::now(), RequestTimers::start());
        IncomingRequest { request, query, found, shape, request_id, now, timers, trace }
    }

    /// For whom other hosts are asked.
    fn context(&self) -> RequestContext {
        RequestContext { timers: self.timers.clone(), trace: self.trace.clone() }
    }

    /// When it is answered, whatever hangs.
    fn hard_stop(&self, app: &App) -> Instant {
        self.timers.began + app.platform_timeout + GRACE
    }

    /// The key as sent, and the call; or why there is none.
    fn open(&self, app: Arc<App>) -> Result<(Option<String>, ApiRequest), Error> {
        let (route, parameter) = match &self.found {
            Match::Found(route, parameter) => (*route, parameter.clone()),
            Match::WrongMethod(allow) => {
                let message = format!("This path does not take {}.", self.request.method());
                return Err(Error { allow: allow.clone(), ..Error::new(Kind::MethodNotAllowed, message) });
            }
            Match::Nothing => return Err(Error::not_found("path")),
        };
        let shape = match &self.shape {
            Ok(shape) => *shape,
            Err(error) => return Err(Error::fields(error.details.clone())),
        };
        let header =
            |name: &str| self.request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (now, deadline) = (app.clock.now(), self.timers.began + app.platform_timeout);
        let request = ApiRequest {
            app,
            route,
            parameter,
            query: self.query.clone(),
            shape,
            request_id: self.request_id,
            now,
            deadline,
            idempotency_key: self.idempotency_key(),
            host: header(HOST.as_str()),
            content_type: header(CONTENT_TYPE.as_str()),
            signature: header(signature::HEADER),
            body: self.request.body().to_vec(),
        };
        Ok((header(KEY_HEADER), request))
    }

    fn render(&self, outcome: &Result<Reply, Error>, allowance: Option<Allowance>) -> Response<Body> {
        let context = RenderContext {
            request_id: self.request_id,
            shape: *self.shape.as_ref().unwrap_or(&Shape::Flat),
            two_shaped: matches!(&self.found, Match::Found(route, _) if route.is_two_shaped()),
            now: self.now,
            allowance,
        };
        envelope::render(outcome, &context)
    }

    /// Tells of the answer and gives it the entry that the usage log lacks: for every request with a customer's key.
    /// Where the answer did not depend on the key, nobody has looked whether it is right; that is left for afterwards,
    /// too.
    fn finish(
        &self,
        app: Arc<App>,
        outcome: &Result<Reply, Error>,
        info: &RequestInfo,
        mut response: Response<Body>,
    ) -> Response<Body> {
        let timing = self.record(&app, outcome, info, &mut response);
        let owner = match (info.customer, outcome) {
            (Some(customer), _) => Some(Owner::Known(customer)),
            (None, Err(error)) if error.kind == Kind::Unauthorized => None,
            (None, _) => self.key().map(Owner::Bearer),
        };
        if let Some(owner) = owner {
            let entry = self.entry(response.status().as_u16(), telemetry::platform_of(outcome, info), &timing);
            response.extensions_mut().insert(PostResponseWork::new(app, owner, entry));
        }
        response
    }

    fn idempotency_key(&self) -> Option<String> {
        let mut values = self.request.headers().get_all("idempotency-key").iter();
        let (first, others) = (values.next()?, values.next());
        Some(first.to_str().ok().filter(|_| others.is_none()).unwrap_or_default().to_owned())
    }

    fn key(&self) -> Option<ApiKey> {
        ApiKey::parse(self.request.headers().get(KEY_HEADER)?.to_str().ok()?)
    }

    fn entry(&self, status: u16, platform: Option<Platform>, timing: &Timing) -> UsageEntry {
        let at = Timestamp::from_millisecond(self.now.as_millisecond()).unwrap_or(self.now);
        UsageEntry {
            request_id: self.request_id,
            at,
            method: self.request.method().as_str().chars().take(MAX_SHOWN_METHOD).collect(),
            path: shown_path(self.request.uri().path()),
            status,
            response_time_ms: whole_millis(timing.total),
            platform,
            platform_time_ms: timing.platform.map(whole_millis),
        }
    }

    /// Something hung, and not a platform: those had to end before.
    fn no_time_left(&self, is_keyed: bool) -> Error {
        let error = |message: &str| Error::new(Kind::PlatformTimeout, message);
        if self.request.method().is_safe() {
            return error("There was no answer in time; try again.").retryable();
        }
        let error = match &self.found {
            Match::Found(route, _) if (route.method, route.path) == ("POST", "/v1/campaigns") => error(&format!(
                "There was no answer in time, and it is not known yet what was created. This is being found out: see \
                 GET /v1/campaigns/intents/{}.",
                self.request_id
            )),
            _ => {
                error("There was no answer in time, and it is not known what was done. Look before you send it again.")
            }
        };
        let error = error.of_unknown_outcome();
        if is_keyed { error.retryable() } else { error }
    }
}

fn whole_millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The shape by the header, else by the signs in the request. Endpoints with one shape do not look at either.
fn shape_of(request: &Request, query: &[(String, String)], found: &Match) -> Result<Shape, Error> {
    if routes::is_enveloped(request.uri().path()) {
        return Ok(Shape::Enveloped);
    }
    let two_shaped = match found {
        Match::Found(route, _) => route.is_two_shaped(),
        Match::WrongMethod(_) | Match::Nothing => true,
    };
    if !two_shaped {
        return Ok(Shape::Flat);
    }
    match request.headers().get(SHAPE_HEADER) {
        Some(value) => Shape::from_header(value.to_str().unwrap_or_default()),
        None if request.body().len() > MAX_BODY_BYTES => Ok(Shape::of_request(query, b"")),
        None => Ok(Shape::of_request(query, request.body())),
    }
}
