//! The requests that change a campaign. Each may be sent again.

use super::api::{self, API};
use super::error;
use super::family::ApiFamily;
use super::wire::{self, Id};
use crate::platforms::prelude::*;
use http::StatusCode;
use serde::Serialize;

/// The code of a change that the campaign already has.
const NO_UPDATE: &str = "40012";
/// Enables, disables or deletes a campaign.
pub(super) async fn set_status(
    session: &AccountSession,
    family: ApiFamily,
    remote_id: &str,
    status: &'static str,
) -> Result<(), Error> {
    let id = Id::of_campaign(remote_id)?;
    let update =
        wire::StatusUpdate { advertiser_id: &session.account.id, campaign_ids: [remote_id], operation_status: status };
    let Some(data) = change(session, &family.path("status/update"), &update).await? else { return Ok(()) };
    let response: Option<wire::StatusUpdated> = api::parse(data.get())?;
    let checked = check_status(response.unwrap_or_default(), id, status);
    checked.map_err(|error| Client::of(&API, session).without_secrets(error))
}

/// Sends a change, and returns the data of the response. A change that the campaign already has succeeds without data.
pub(super) async fn change(
    session: &AccountSession,
    path: &str,
    content: &impl Serialize,
) -> Result<Option<Box<RawValue>>, Error> {
    match Client::of(&API, session).change(api::post(path, content)?).await {
        Ok(response) => Ok(error::envelope(&response)?.data),
        Err(error) if error.kind == Kind::PlatformRefused && error.platform_code() == Some(NO_UPDATE) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Dry runs: a change of a campaign succeeds, because one change may take several requests.
pub(super) fn assumed_response(write: &OutboundRequest) -> Option<OutboundResponse> {
    let body = br#"{"code":0,"message":"OK","data":{}}"#.as_slice().into();
    write.url.ends_with("/update/").then(|| OutboundResponse {
        status: StatusCode::OK,
        headers: HeaderMap::new(),
        body,
    })
}

/// Checks that a response reports the status of this campaign that was sent.
fn check_status(response: wire::StatusUpdated, id: Id, sent: &str) -> Result<(), Error> {
    let is_this = |result: &wire::StatusResult| result.campaign_id == id;
    if let Some(refusal) = response.error_list.into_iter().flatten().find(is_this) {
        return Err(errors::refused(Platform::Gamma, &refusal.error_message.unwrap_or_default()));
    }
    let ids = response.campaign_ids.unwrap_or_default();
    if !ids.is_empty() && !ids.contains(&id) {
        return Err(unreadable(Platform::Gamma, "the status of another campaign"));
    }
    // The lists are not always present. A status, of this campaign or else of all, must be the one that was sent.
    let own = response.campaign_list.into_iter().flatten().find(is_this).and_then(|result| result.status);
    match own.or(response.status) {
        Some(status) if status != sent => Err(unreadable(Platform::Gamma, "a status that was not set")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
