//! The cursor of the history.

use serde::Serialize;
use shared::domain::{CampaignId, ChangeFilters, ChangeId, ChangeKind, ChangeStatus};
use shared::envelope::{decode_log_cursor, encode_log_cursor};
use shared::error::Error;

/// Encodes a cursor.
pub(super) fn encode(after: ChangeId, filters: &ChangeFilters) -> Result<String, Error> {
    encode_log_cursor(&after, &distinct(filters))
}

/// Decodes a cursor. DynamoDB rejects a start key outside of the queried range.
pub(super) fn decode(text: &str, filters: &ChangeFilters) -> Result<ChangeId, Error> {
    let parse = |text: &str| ChangeId::parse(text).filter(|id| filters.time_range_contains(*id));
    decode_log_cursor(text, &distinct(filters), parse)
}

/// What differs for other filters.
fn distinct(filters: &ChangeFilters) -> impl Serialize {
    let ChangeFilters { from, to, campaign, status, kind, api_key, person } = filters;
    (
        from.map(|at| at.to_string()),
        to.map(|at| at.to_string()),
        campaign.as_ref().map(CampaignId::to_string),
        status.map(ChangeStatus::as_str),
        kind.map(ChangeKind::as_str),
        api_key.as_ref().map(|key| key.0.clone()),
        person.as_ref().map(|person| person.0.clone()),
    )
}
