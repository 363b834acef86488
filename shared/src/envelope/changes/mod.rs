//! Changes, the record of everything that is done to a campaign (D58): the query of the history, and changes in either
//! shape.

mod review;
mod values;
mod wire;

use super::query::{QueryReader, cursor, one_of, reject_unknown_params};
use super::response::{Data, json_response};
use super::wire::pagination_since;
use super::{RenderContext, Shape};
use crate::domain::{CampaignId, Change, ChangeFilters, ChangeId, ChangeKind, ChangeStatus, Moment, PersonId};
use crate::error::Error;
use http::{Response, StatusCode};
use jiff::Timestamp;
use lambda_http::Body;
pub use review::{ApprovalRequest, ChangeReview, RejectionRequest, read_approval, read_rejection};
pub(super) use review::{at_event, response as review_response};
use serde_json::{Value, json};
pub(super) use wire::{CampaignAtEvent, WireChange};

const PARAMETERS: [&str; 13] = [
    "limit",
    "cursor",
    "from",
    "to",
    "campaign_id",
    "state",
    "kind",
    "api_key_id",
    "person_id",
    "reference",
    "idempotency_key",
    "connection_id",
    "since",
];
const TIME: &str = "must be a time with an offset, such as 2026-12-01T09:00:00Z; encode a + as %2B";
const CAMPAIGN: &str = "must be the id of a campaign";
const PERSON: &str = "must be the id of a person, as in requested_by of a change";

/// The parameters of `listChanges`. The cursor is not decoded yet.
#[derive(Debug)]
pub struct ChangesQuery {
    pub filters: ChangeFilters,
    /// Page size, 1 to 100.
    pub limit: usize,
    /// Encoded cursor.
    pub cursor: Option<String>,
}

/// A page of the history.
#[derive(Debug)]
pub struct ChangeList {
    /// Changes, newest first.
    pub changes: Vec<Change>,
    /// Opaque cursor; `None` on the last page.
    pub next_cursor: Option<String>,
    /// Where a list since a change continues; `None` for any other list.
    pub next_since: Option<ChangeId>,
}

/// Reads the query of `listChanges`. All errors are reported together.
pub fn read_changes(pairs: &[(String, String)], now: Timestamp) -> Result<ChangesQuery, Error> {
    reject_unknown_params(pairs, &PARAMETERS)?;
    let mut reader = QueryReader::new(pairs);
    let limit = reader.limit();
    let filters = ChangeFilters {
        from: reader.read("from", TIME, Moment::parse_instant),
        to: reader.read("to", TIME, Moment::parse_instant),
        campaign: reader.read("campaign_id", CAMPAIGN, CampaignId::parse),
        status: reader.read("state", &one_of(&ChangeStatus::ALL.map(ChangeStatus::as_str)), ChangeStatus::parse),
        kind: reader.read("kind", &one_of(&ChangeKind::ALL.map(ChangeKind::as_str)), ChangeKind::parse),
        api_key: reader.api_key(),
        person: reader.read("person_id", PERSON, |id| (!id.is_empty()).then(|| PersonId(id.to_owned()))),
        reference: reader.reference(),
        key_digest: reader.key_digest(),
        // The user for whom the request acts: the handler knows it.
        external_ref: None,
        connection: reader.connection(),
        since: reader.since(
            "must be the id of a change, such as next_since of an earlier page, or a time with an offset",
            ChangeId::parse,
            ChangeId::first_at,
        ),
    };
    if let Some(since) = filters.since {
        if Change::expiry_from(since.created_at()) <= now {
            reader.fail(
                "since",
                "is more than 365 days ago: older changes are gone, so read what there is, and continue from it",
            );
        }
        if filters.from.is_some() || filters.to.is_some() {
            reader.fail("since", "must not be combined with from or to");
        }
    }
    if filters.from.is_some_and(|from| filters.to.is_some_and(|to| from > to)) {
        reader.fail("from", "must not be after to");
    }
    reader.finish(ChangesQuery { filters, limit, cursor: cursor(pairs) })
}

/// A response with one change.
pub(super) fn response(status: StatusCode, change: &Change, context: &RenderContext) -> Response<Body> {
    let change = WireChange::new(change, context);
    match context.shape {
        Shape::Flat => json_response(status, &change),
        Shape::Enveloped => json_response(status, &Data { data: change }),
    }
}

/// The body of `listChanges`.
pub(super) fn list_body(list: &ChangeList, context: &RenderContext) -> Value {
    let ChangeList { changes, next_cursor, next_since } = list;
    let next_since = next_since.map(|next| next.to_string());
    json!({
        "changes": changes.iter().map(|change| WireChange::new(change, context)).collect::<Vec<_>>(),
        "pagination": pagination_since(next_cursor.as_deref(), next_since.as_deref()),
    })
}
