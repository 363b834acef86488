//! The wire format of the API: reads requests and renders responses in either shape. No other module makes a response.

mod ad_delivery;
mod api_keys;
mod asset;
mod billing;
mod body;
mod bulk;
mod callback_redirect;
mod campaign_defaults;
mod campaigns;
mod canonical_json;
mod change_ids;
mod changes;
mod compression;
mod connection_queries;
mod connections;
mod deliveries;
mod dry_run;
mod entity_tag;
mod enveloped;
mod error_response;
mod event_queries;
mod events;
mod fields;
mod flat;
mod insights;
mod intents;
mod log_cursor;
mod names;
mod oauth;
pub mod openapi;
mod page;
mod platform_names;
mod platforms;
mod public_text;
pub mod query;
mod rate_limit_headers;
mod redirect_uris;
mod render;
mod reply;
pub mod request;
mod response;
mod rpc;
mod seen;
mod server_timing;
mod shape;
mod shape_hint;
mod spending_limits;
mod stops;
mod stored_response;
mod targets;
mod usage_logs;
mod user_export;
mod users;
mod web;
mod webhook_endpoints;
mod wire;

pub use api_keys::{KeyRequest, KeyUpdate, read_key_request, read_key_update};
pub use asset::Asset;
pub use billing::read_plan;
pub use bulk::{
    BudgetChanges, BudgetsRequest, BulkReport, BulkRequest, BulkStatus, BulkTargets, UndoRequest, read_budgets,
    read_bulk, read_undo,
};
pub use callback_redirect::{AuthorizationOutcome, CallbackRedirect};
pub use canonical_json::canonical_json;
pub use change_ids::{CHANGE_ID_HEADER, with_change_ids};
pub use changes::{
    ApprovalRequest, ChangeList, ChangeReview, ChangesQuery, RejectionRequest, read_approval, read_changes,
    read_rejection,
};
pub use compression::{compressed, gzip};
pub use connection_queries::{
    AuthorizeQuery, ConnectionsQuery, read_authorize, read_confirmation, read_connection_update, read_connections,
};
pub use deliveries::DeliveryList;
pub use entity_tag::unless_known;
pub use error_response::{error_text, status_of};
pub use event_queries::{DeliveriesQuery, EventsQuery, ReplayRequest, read_deliveries, read_events, read_replay};
pub use events::{EventList, event_payload, ping_payload};
pub use fields::{Members, read_members};
pub use insights::{InsightsQuery, read_campaign_insights, read_insights};
pub use log_cursor::{decode_log_cursor, encode_log_cursor};
pub use oauth::{OAuthReply, open_to_every_origin};
pub use openapi::DocsPage;
pub use page::{Page, PageOutcome};
pub use platforms::{Bound, DateTable, Dates, DecimalTable, NameTable, PeriodTable, PlatformTable, PlatformVersion};
pub use rate_limit_headers::is_counted;
pub use redirect_uris::read_redirect_uri;
pub use render::{REQUEST_ID_HEADER, RenderContext, render};
pub use reply::{
    AccountInsights, CampaignDelivery, CampaignInsights, CampaignList, ConnectionPage, DryRunReport, DryRunResult,
    DryRunVerdict, InsightsPage, RemovalPreview, Reply,
};
pub use request::{AccountChoice, CreateRequest, DateRequest, Target, Targets, UpdateRequest};
pub use rpc::{BEARER, RpcReply, answered};
pub use seen::SeenCampaign;
pub use server_timing::add_timing;
pub use shape::{SHAPE_HEADER, Shape};
pub use spending_limits::Limits;
pub use stored_response::{REPLAYED_HEADER, to_stored};
pub use targets::TargetResult;
pub use usage_logs::{UsageLogs, UsageQuery, read_usage_logs};
pub use user_export::{ExportedRecords, UserExport};
pub use users::{UserDetails, UserList, UsersQuery, UsersReply, read_erasure, read_user_update, read_users};
pub use web::{Cookie, Unsealed, WebReply};
pub use webhook_endpoints::{EndpointRequest, read_endpoint_changes, read_endpoint_request};

use crate::error::Error;
use shape_hint::with_shape_hint;

/// Reads the body of `createCampaign`.
pub fn read_create(shape: Shape, body: &[u8]) -> Result<CreateRequest, Error> {
    let read = match shape {
        Shape::Flat => flat::read_create(body),
        Shape::Enveloped => enveloped::read_create(body),
    };
    read.map_err(|error| with_shape_hint(error, shape, body))
}

/// Reads the body of `updateCampaign`.
pub fn read_update(shape: Shape, body: &[u8]) -> Result<UpdateRequest, Error> {
    let read = match shape {
        Shape::Flat => flat::read_update(body),
        Shape::Enveloped => enveloped::read_update(body),
    };
    read.map_err(|error| with_shape_hint(error, shape, body))
}
