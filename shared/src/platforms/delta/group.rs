//! The campaign group of a new campaign: the ad account's with the configured name, else a new one.

use super::api::{self, API};
use super::translate::immediate_start;
use super::{query, wire};
use crate::platforms::prelude::*;
use bytes::Bytes;
use http::{HeaderName, StatusCode};

/// The group's URN.
pub(super) async fn group(session: &AccountSession) -> Result<String, Error> {
    let id = named(session, &session.call.config.settings.delta_ads.campaign_group_name).await?;
    Ok(format!("{}{id}", wire::GROUP_URN))
}

/// The oldest usable group with a name, one that is on before one that is off, or a new one. Two creates at the same
/// time may create two groups; both are usable.
async fn named(session: &AccountSession, name: &str) -> Result<String, Error> {
    let client = Client::of(&API, session);
    let account = session.account.id.as_str();
    let rows = api::search(query::groups_named(account, name)?).all(&client).await;
    let rows = rows.map_err(errors::referenced_error)?;
    let groups = rows.iter().map(|row| read_object(Platform::Delta, row.get().as_bytes()));
    let found = groups.collect::<Result<Vec<wire::Group>, Error>>()?;
    let now = session.call.now.as_millisecond();
    let usable = found.into_iter().filter(|group| group.name.as_deref() == Some(name) && is_usable(group, now));
    if let Some((_, id)) = usable.map(|group| (group.status.as_deref() == Some("PAUSED"), group.id)).min() {
        return Ok(id.to_string());
    }
    let run_schedule = wire::RunSchedule { start: immediate_start(session.call.now), end: None };
    let group = wire::NewGroup { account: wire::account_urn(account), name, status: "ACTIVE", run_schedule };
    let url = query::within(account, "adCampaignGroups")?;
    // Safe to repeat: the next create looks for the group by its name first.
    let response = client.change(json(Method::POST, url, &group)?).await.map_err(errors::referenced_error)?;
    api::created_id(&response)
}

/// Dry runs: a new group gets an id that no group has, so that the campaign's request can follow.
pub(super) fn assumed_response(write: &OutboundRequest) -> Option<OutboundResponse> {
    let headers = HeaderMap::from_iter([(HeaderName::from_static("x-restli-id"), HeaderValue::from_static("1"))]);
    let is_group = write.url.ends_with("/adCampaignGroups");
    is_group.then(|| OutboundResponse { status: StatusCode::CREATED, headers, body: Bytes::new() })
}

/// A group's own state and end hold for all of its campaigns. A group that its owner switched off is still used: a
/// new one would bypass the switch.
fn is_usable(group: &wire::Group, now: i64) -> bool {
    let end = group.run_schedule.and_then(|schedule| schedule.end);
    matches!(group.status.as_deref(), Some("ACTIVE" | "PAUSED")) && end.is_none_or(|end| end > now)
}
