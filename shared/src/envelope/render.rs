//! Renders replies and errors as responses.

use super::connections::{authorize_body, sync_body};
use super::error_response::error_response;
use super::oauth::metadata_response;
use super::response::{created, empty, json_response, ok};
use super::rpc::answered;
use super::webhook_endpoints::body_with_secret;
use super::{
    Reply, SHAPE_HEADER, Shape, ad_delivery, api_keys, billing, bulk, campaigns, changes, connections, deliveries,
    dry_run, events, insights, intents, openapi, platforms, rate_limit_headers, redirect_uris, spending_limits, stops,
    stored_response, targets, usage_logs, users, webhook_endpoints,
};
use crate::domain::Allowance;
use crate::error::Error;
use http::header::{self, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use jiff::Timestamp;
use lambda_http::Body;
use serde_json::json;
use uuid::Uuid;

/// The properties of a request that its response depends on.
#[derive(Clone, Debug)]
pub struct RenderContext {
    pub request_id: Uuid,
    pub shape: Shape,
    /// Whether the endpoint supports both shapes. If so, the response names its own.
    pub has_two_shapes: bool,
    /// Whether the endpoint belongs to the sign-in of assistants, so that its errors have the form of OAuth.
    pub is_of_sign_in: bool,
    /// Time of the request.
    pub now: Timestamp,
    /// Whether the caller used HTTPS.
    pub is_https: bool,
    /// Public address of the service, without a path; `None` if it is not known.
    pub public_base: Option<String>,
    /// Remaining rate and quota; `None` without a valid key.
    pub allowance: Option<Allowance>,
}

impl RenderContext {
    /// The public address of a path, if it is known.
    pub fn public_url(&self, path: &str) -> Option<String> {
        self.public_base.as_ref().map(|base| format!("{base}{path}"))
    }
}

/// The header with the request id.
pub const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// A year of HTTPS only. It excludes subdomains, because the domain may be the operator's main one.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Renders the result of a handler. No other code makes responses.
pub fn render(outcome: &Result<Reply, Error>, context: &RenderContext) -> Response<Body> {
    let mut response = match outcome {
        Ok(reply) => render_reply(reply, context),
        Err(error) => error_response(error, context),
    };
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&context.request_id.to_string()) {
        headers.insert(REQUEST_ID_HEADER, id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Browsers ignore the header in a response over HTTP, so a server on a laptop does not send it.
    if context.is_https {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    }
    // Only responses that are equal for all callers set their own Cache-Control.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if context.has_two_shapes {
        // A replayed response keeps its original shape.
        headers.entry(SHAPE_HEADER).or_insert(HeaderValue::from_static(context.shape.as_str()));
        headers.insert(header::VARY, HeaderValue::from_static("X-API-Shape"));
    }
    if let Some(allowance) = context.allowance {
        let answered = answered(outcome, &response);
        rate_limit_headers::add(&mut response, allowance, answered);
    }
    response
}

fn render_reply(reply: &Reply, context: &RenderContext) -> Response<Body> {
    match reply {
        Reply::Targets(results) => targets::response(results, context.request_id),
        Reply::Platforms(tables) => ok(&platforms::body(tables)),
        Reply::Health => ok(&json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })),
        Reply::Description(shape) => openapi::response(*shape),
        Reply::Docs(page) => page.response(),
        Reply::Metadata(document) => metadata_response(document),
        Reply::OAuth(reply) => reply.response(),
        Reply::Created(campaign) => campaigns::response(StatusCode::CREATED, campaign, context.shape),
        Reply::Campaign(campaign) => campaigns::response(StatusCode::OK, campaign, context.shape),
        Reply::Replayed(stored) => stored_response::response(stored),
        Reply::Intents { request_id, creates } => intents::response(*request_id, creates, context.shape),
        Reply::Change(change) => changes::response(StatusCode::OK, change, context),
        Reply::Waiting(change) => changes::response(StatusCode::ACCEPTED, change, context),
        Reply::Review(review) => changes::review_response(review, context),
        Reply::Bulk(report) => bulk::response(report, context.shape),
        Reply::BulkStatus(status) => bulk::status_response(status, context.shape, context.now),
        Reply::Changes(list) => ok(&changes::list_body(list, context)),
        Reply::Campaigns(list) => ok(&campaigns::list_body(list, context.shape)),
        Reply::CampaignDelivery(read) => ad_delivery::response(read, context.shape),
        Reply::CampaignInsights(insights) => insights::campaign_response(insights, context.shape),
        Reply::Insights(page) => insights::list_response(page, context.shape),
        Reply::DryRun(report) => dry_run::response(report, context.shape, context),
        Reply::Done => empty(StatusCode::NO_CONTENT),
        Reply::Authorize { platform, connection: id, authorize_url: url } => ok(&authorize_body(*platform, id, url)),
        Reply::Connections(page) => ok(&connections::body(page)),
        Reply::Connection(connection) => ok(&connections::WireConnection::from(connection.as_ref())),
        Reply::RemovalPreview(preview) => ok(&connections::removal_body(preview)),
        Reply::Confirmed { connections, skipped } => ok(&connections::confirmed_body(connections, skipped)),
        Reply::Synced { synced, connections, remaining } => ok(&sync_body(*synced, connections, *remaining)),
        Reply::RedirectUriRegistered(registered) => created(&redirect_uris::body(registered)),
        Reply::RedirectUris(registered) => ok(&redirect_uris::list_body(registered)),
        Reply::KeyCreated { key, secret, limit } => created(&api_keys::created_body(key, secret, limit.as_ref())),
        Reply::Keys { keys, current, limits } => ok(&api_keys::list_body(keys, current.as_ref(), limits)),
        Reply::Key { key, current, limit } => ok(&api_keys::key_body(key, current.as_ref(), limit.as_ref())),
        Reply::Limits(limits) => ok(&spending_limits::limits_body(limits, context.now)),
        Reply::Users(reply) => users::response(reply, context),
        Reply::KeyRotated { secret, display, created_at } => ok(&api_keys::rotated_body(secret, display, *created_at)),
        Reply::KeyStopped { stopped_at, progress } => ok(&stops::stop_body(*stopped_at, progress)),
        Reply::WebhookEndpointCreated { endpoint, secret } => created(&body_with_secret(endpoint, secret)),
        Reply::WebhookEndpoints(endpoints) => ok(&webhook_endpoints::list_body(endpoints, context.now)),
        Reply::WebhookEndpoint { endpoint, paused_until } => ok(&webhook_endpoints::body(endpoint, *paused_until)),
        Reply::WebhookSecretRotated { endpoint, secret } => ok(&body_with_secret(endpoint, secret)),
        Reply::Events(list) => ok(&events::list_body(list)),
        Reply::Deliveries(list) => ok(&deliveries::list_body(list)),
        Reply::Delivery(delivery) => ok(&deliveries::WireDelivery::from(delivery.as_ref())),
        Reply::EventsReplayed(count) => json_response(StatusCode::ACCEPTED, &json!({ "replayed": count })),
        Reply::UsageLogs(logs) => ok(&usage_logs::body(logs)),
        Reply::Checkout { checkout_url, session_id } => ok(&billing::checkout_body(checkout_url, session_id)),
        Reply::Portal { portal_url } => ok(&json!({ "portal_url": portal_url })),
        Reply::BillingStatus(status) => ok(&billing::status_body(status)),
        Reply::Customer { customer, connections_count, payment_customer_id } => {
            ok(&billing::customer_body(customer, *connections_count, payment_customer_id.as_deref()))
        }
        Reply::Received => ok(&json!({ "received": true })),
        Reply::Page(page) => page.response(),
        Reply::Redirect(redirect) => redirect.response(),
        Reply::Web(reply) => reply.response(),
        Reply::Rpc(reply) => reply.response(),
    }
}
