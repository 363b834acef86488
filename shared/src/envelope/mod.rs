//! What the interface looks like: reads requests and renders replies in either shape. The only maker of responses.

mod api_keys;
mod billing;
mod body;
mod connections;
mod enveloped;
mod fields;
mod flat;
mod intents;
mod kept;
mod limits;
pub mod openapi;
mod page;
mod platforms;
pub mod query;
mod redirect_uris;
pub mod request;
mod send_back;
mod shape;
mod targets;
mod timing;
mod usage_logs;
mod wire;

pub use kept::kept;
pub use limits::is_counted;
pub use page::{Page, PageOutcome};
pub use platforms::{PlatformTable, PlatformVersion, SmallestBudget};
pub use request::{AccountChoice, CreateRequest, Target, Targets, UpdateRequest};
pub use send_back::{Ending, SendBack};
pub use shape::{SHAPE_HEADER, Shape};
pub use targets::TargetResult;
pub use timing::add_timing;
pub use usage_logs::{UsageLogs, UsageQuery};

use crate::domain::{
    Allowance, BillingStatus, Campaign, Connection, ConnectionId, Customer, Intent, Plan, Platform, RedirectUri,
    RegisteredUri, StatusSet, StoredResponse,
};
use crate::error::{Error, Kind};
use enveloped::{EnvelopedCampaign, EnvelopedError};
use flat::{FlatCampaign, FlatError};
use http::header::{self, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use jiff::Timestamp;
use lambda_http::Body;
use redirect_uris::WireUri;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

/// The header that carries the request's id.
pub const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// What a handler answers; it knows neither status numbers nor shapes.
#[derive(Debug)]
pub enum Reply {
    /// A campaign was made.
    Created(Box<Campaign>),
    /// Campaigns were to be made in several accounts, in the enveloped shape.
    Targets(Vec<TargetResult>),
    /// The answer that the same request got before.
    Replayed(StoredResponse),
    /// What became of the creates of a request.
    Intents {
        /// The request that was asked about.
        request_id: Uuid,
        /// What it wants in each ad account.
        intents: Vec<Intent>,
    },
    /// A campaign, read or changed.
    Campaign(Box<Campaign>),
    /// A page of campaigns.
    Campaigns(CampaignList),
    /// Done, and there is nothing to say.
    Done,
    /// Where to send the user for consent.
    Authorize {
        /// Which platform.
        platform: Platform,
        /// The consent page there. It holds the state, so it does not print.
        authorize_url: SecretString,
    },
    /// The customer's connections.
    Connections(Vec<Connection>),
    /// One connection.
    Connection(Box<Connection>),
    /// Connections after a check.
    Synced {
        /// How many the platform said work.
        synced: usize,
        /// All that are not PENDING.
        connections: Vec<Connection>,
    },
    /// What the platforms can express.
    Platforms(Vec<PlatformTable>),
    /// What the interface is, for machines.
    Description,
    /// The same for people.
    Docs,
    /// A redirect URI was registered.
    RedirectUriRegistered(RegisteredUri),
    /// The customer's redirect URIs.
    RedirectUris(Vec<RegisteredUri>),
    /// The account has a new key, shown this once.
    KeyRotated {
        /// The key.
        key: SecretString,
        /// The part of it that may be shown again.
        prefix: String,
        /// When it was made.
        created_at: Timestamp,
    },
    /// A page of the customer's usage log.
    UsageLogs(UsageLogs),
    /// Where a plan is bought.
    Checkout {
        /// The payment provider's page.
        checkout_url: String,
        /// The purchase.
        session_id: String,
    },
    /// Where a subscription is managed.
    Portal {
        /// The payment provider's page.
        portal_url: String,
    },
    /// How the customer is billed.
    BillingStatus(BillingStatus),
    /// The customer.
    Customer {
        /// Who.
        customer: Customer,
        /// How many ad accounts are connected.
        connections_count: usize,
        /// Who that is at the payment provider.
        payment_customer_id: Option<String>,
    },
    /// A webhook was taken.
    Received,
    /// A page for a person.
    Page(Page),
    /// The caller's own page for a person.
    SendBack(SendBack),
}

impl Reply {
    /// The one platform that the answer is about, where it says so itself.
    pub fn platform(&self) -> Option<Platform> {
        match self {
            Reply::Created(campaign) | Reply::Campaign(campaign) => Some(campaign.id.platform()),
            Reply::Targets(results) => {
                let first = results.first()?.platform;
                results.iter().all(|result| result.platform == first).then_some(first)
            }
            _ => None,
        }
    }
}

/// A page of the merged list (D9 in the README).
#[derive(Debug)]
pub struct CampaignList {
    /// The campaigns.
    pub campaigns: Vec<Campaign>,
    /// Opaque; `None` on the last page.
    pub next_cursor: Option<String>,
    /// Connections that could not be read.
    pub failures: Vec<(Platform, ConnectionId, Error)>,
}

/// Under which context an answer is rendered.
#[derive(Clone, Copy, Debug)]
pub struct RenderContext {
    /// The request's id.
    pub request_id: Uuid,
    /// The shape to answer in.
    pub shape: Shape,
    /// Whether the endpoint has two shapes, so that the answer says which one it is.
    pub two_shaped: bool,
    /// The time of the request.
    pub now: Timestamp,
    /// Where the customer stands within the plan's limits; `None` before a key has proved right.
    pub allowance: Option<Allowance>,
}

/// Reads the body of `POST /v1/campaigns`.
pub fn read_create(shape: Shape, body: &[u8]) -> Result<CreateRequest, Error> {
    match shape {
        Shape::Flat => flat::read_create(body),
        Shape::Enveloped => enveloped::read_create(body),
    }
}

/// Reads the body of `PATCH /v1/campaigns/{id}`.
pub fn read_update(shape: Shape, body: &[u8]) -> Result<UpdateRequest, Error> {
    match shape {
        Shape::Flat => flat::read_update(body),
        Shape::Enveloped => enveloped::read_update(body),
    }
}

/// Reads the body of `PATCH /v1/connections/{id}`: `None` for a label that is taken away.
pub fn read_label(body: &[u8]) -> Result<Option<String>, Error> {
    connections::read_label(body)
}

/// Reads the body of `POST /v1/billing/create-checkout-session`.
pub fn read_plan(body: &[u8]) -> Result<Plan, Error> {
    billing::read_plan(body)
}

/// Reads the body of `POST /v1/redirect-uris`.
pub fn read_redirect_uri(body: &[u8]) -> Result<RedirectUri, Error> {
    redirect_uris::read(body)
}

/// Reads the query of `GET /v1/usage-logs`.
pub fn read_usage_logs(pairs: &[(String, String)]) -> Result<UsageQuery, Error> {
    usage_logs::read(pairs)
}

fn status_filter(shape: Shape, word: &str) -> Result<StatusSet, Error> {
    match shape {
        Shape::Flat => flat::status_filter(word),
        Shape::Enveloped => enveloped::status_filter(word),
    }
}

/// Makes the response. The only place that does.
pub fn render(outcome: &Result<Reply, Error>, context: &RenderContext) -> Response<Body> {
    let mut response = match outcome {
        Ok(reply) => render_reply(reply, context),
        Err(error) => render_error(error, context),
    };
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&context.request_id.to_string()) {
        headers.insert(REQUEST_ID_HEADER, id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Only what is the same for everybody says otherwise.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if context.two_shaped {
        // An answer that was given before has the shape that it had.
        headers.entry(SHAPE_HEADER).or_insert(HeaderValue::from_static(context.shape.as_str()));
        headers.insert(header::VARY, HeaderValue::from_static("X-API-Shape"));
    }
    if let Some(allowance) = context.allowance {
        limits::add(&mut response, allowance);
    }
    response
}

fn render_reply(reply: &Reply, context: &RenderContext) -> Response<Body> {
    let shape = context.shape;
    match reply {
        Reply::Targets(results) => targets::response(results, context),
        Reply::Platforms(tables) => ok(&platforms::body(tables)),
        Reply::Description => openapi::response(),
        Reply::Docs => openapi::docs_response(),
        Reply::Created(campaign) => one_campaign(StatusCode::CREATED, campaign, shape),
        Reply::Campaign(campaign) => one_campaign(StatusCode::OK, campaign, shape),
        Reply::Replayed(answer) => kept::response(answer),
        Reply::Intents { request_id, intents } => intents::response(*request_id, intents, shape),
        Reply::Campaigns(list) => ok(&campaign_list(list, shape)),
        Reply::Done => empty(StatusCode::NO_CONTENT),
        Reply::Authorize { platform, authorize_url } => {
            let authorize_url = authorize_url.expose_secret();
            ok(&json!({ "authorize_url": authorize_url, "platform": platform.as_str() }))
        }
        Reply::Connections(connections) => ok(&connections::body(connections)),
        Reply::Connection(connection) => ok(&connections::WireConnection::from(connection.as_ref())),
        Reply::Synced { synced, connections } => ok(&connections::sync_body(*synced, connections)),
        Reply::RedirectUriRegistered(registered) => {
            json_response(StatusCode::CREATED, &Data { data: WireUri::from(registered) })
        }
        Reply::RedirectUris(registered) => ok(&Data { data: registered.iter().map(WireUri::from).collect::<Vec<_>>() }),
        Reply::KeyRotated { key, prefix, created_at } => ok(&api_keys::WireKey::new(key, prefix, *created_at)),
        Reply::UsageLogs(logs) => ok(&usage_logs::body(logs)),
        Reply::Checkout { checkout_url, session_id } => {
            ok(&json!({ "checkout_url": checkout_url, "session_id": session_id }))
        }
        Reply::Portal { portal_url } => ok(&json!({ "portal_url": portal_url })),
        Reply::BillingStatus(status) => ok(&billing::status_body(status)),
        Reply::Customer { customer, connections_count, payment_customer_id } => {
            let body = billing::customer_body(customer, *connections_count, payment_customer_id.as_deref());
            ok(&body)
        }
        Reply::Received => ok(&json!({ "received": true })),
        Reply::Page(page) => page.response(),
        Reply::SendBack(way) => way.response(),
    }
}

/// The envelope.
#[derive(Serialize)]
struct Data<T> {
    data: T,
}

fn one_campaign(status: StatusCode, campaign: &Campaign, shape: Shape) -> Response<Body> {
    match shape {
        Shape::Flat => json_response(status, &FlatCampaign::from(campaign)),
        Shape::Enveloped => json_response(status, &Data { data: EnvelopedCampaign::from(campaign) }),
    }
}

#[derive(Serialize)]
struct ListBody<'a> {
    unified: Vec<AnyCampaign<'a>>,
    pagination: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum AnyCampaign<'a> {
    Flat(FlatCampaign<'a>),
    Enveloped(EnvelopedCampaign<'a>),
}

fn campaign_list(list: &CampaignList, shape: Shape) -> ListBody<'_> {
    let in_shape = |campaign| match shape {
        Shape::Flat => AnyCampaign::Flat(FlatCampaign::from(campaign)),
        Shape::Enveloped => AnyCampaign::Enveloped(EnvelopedCampaign::from(campaign)),
    };
    let failure = |(platform, connection_id, error): &(Platform, ConnectionId, Error)| {
        let (platform, code) = match shape {
            Shape::Flat => (platform.as_str(), flat::code(error.kind)),
            Shape::Enveloped => (platform.as_upper(), enveloped::code(error.kind)),
        };
        json!({
            "platform": platform,
            "connection_id": connection_id.to_string(),
            "code": code,
            "message": error.message,
            "retryable": error.retryable,
        })
    };
    ListBody {
        unified: list.campaigns.iter().map(in_shape).collect(),
        pagination: json!({ "next_cursor": list.next_cursor, "has_more": list.next_cursor.is_some() }),
        errors: list.failures.iter().map(failure).collect(),
    }
}

fn render_error(error: &Error, context: &RenderContext) -> Response<Body> {
    let status = status_of(error.kind);
    let request_id = context.request_id.to_string();
    let response = match context.shape {
        Shape::Flat => json_response(status, &FlatError::new(error, &request_id, context.now)),
        Shape::Enveloped => json_response(status, &EnvelopedError::new(error, &request_id)),
    };
    with_error_headers(response, error)
}

/// What an error says in headers: when to try again, what is allowed, where to authorize.
fn with_error_headers(mut response: Response<Body>, error: &Error) -> Response<Body> {
    add_wait(&mut response, error.retry_after);
    let headers = response.headers_mut();
    if let Ok(allow) = HeaderValue::from_str(&error.allow.join(", "))
        && !error.allow.is_empty()
    {
        headers.insert(header::ALLOW, allow);
    }
    if let (Kind::TokenExpired, Some(platform)) = (error.kind, error.platform)
        && let Ok(link) = HeaderValue::from_str(&format!("</v1/connections/{platform}/authorize>; rel=\"reauthorize\""))
    {
        headers.insert(header::LINK, link);
    }
    response
}

/// Says when to try again: in whole seconds, rounded up, never too early, and at least 1 (RFC 9110 10.2.3).
fn add_wait(response: &mut Response<Body>, wait: Option<Duration>) {
    if let Some(wait) = wait {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(limits::whole_seconds(wait).max(1)));
    }
}

/// The one table from what happened to a status.
fn status_of(kind: Kind) -> StatusCode {
    match kind {
        Kind::Validation => StatusCode::BAD_REQUEST,
        Kind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Kind::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Kind::Unauthorized => StatusCode::UNAUTHORIZED,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::RateLimited | Kind::QuotaExceeded => StatusCode::TOO_MANY_REQUESTS,
        Kind::PlatformRefused | Kind::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::PlatformFailed => StatusCode::BAD_GATEWAY,
        Kind::PlatformTimeout => StatusCode::GATEWAY_TIMEOUT,
        Kind::NotSupported => StatusCode::NOT_IMPLEMENTED,
        Kind::TokenExpired => StatusCode::FAILED_DEPENDENCY,
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::Empty);
    *response.status_mut() = status;
    response
}

fn ok(body: &impl Serialize) -> Response<Body> {
    json_response(StatusCode::OK, body)
}

fn json_response(status: StatusCode, body: &impl Serialize) -> Response<Body> {
    let Ok(text) = serde_json::to_string(body) else {
        return empty(StatusCode::INTERNAL_SERVER_ERROR);
    };
    let mut response = Response::new(Body::Text(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
