//! `updateCampaign`.

use crate::dry_run;
use crate::edit::{EditRequest, StoredRecord, answer, read_request, stored};
use crate::request::CampaignInPath;
use shared::domain::{Action, CampaignChanges, CampaignId, CampaignStatus, CustomerId};
use shared::envelope::query::{EditQuery, read_edit};
use shared::envelope::{DateRequest, Reply, read_update};
use shared::error::Error;
use shared::platforms::errors::time_zone;
use shared::serve::{ApiRequest, Call};

/// Changes name, status or budget. Fields that already have the requested value are not written.
pub(crate) async fn update(call: &Call, record: StoredRecord) -> Result<Reply, Error> {
    let EditQuery { is_dry_run, apply_at } = read_edit(&call.request.query)?;
    let requested = read_request(call, apply_at, read);
    if is_dry_run {
        let EditRequest { campaign, action, reference: _ } = requested?;
        return dry_run::update(call, &campaign, action, stored(call, &campaign, record).await?).await;
    }
    answer(call, requested, apply_at, record).await
}

/// Reads the record during authentication. The read is consistent: a date that this service holds decides whether an
/// activation waits, and a monthly budget what an amount means.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> StoredRecord {
    let Some(id) = CampaignId::parse(&request.parameter) else { return Ok(None) };
    request.app.store.latest_record(customer, &id).await
}

fn read(call: &Call) -> Result<EditRequest<'_>, Error> {
    let request = read_update(call.request.shape, call.request.json_body()?)?;
    check_target_status(&request.changes)?;
    let campaign = CampaignInPath::of(call)?;
    let connection = campaign.connection;
    if let Some(account) = &connection.account {
        request.check_currency(account)?;
    }
    if request.organization_id.as_ref().is_some_and(|account| account != connection.account_id()) {
        return Err(Error::not_found("campaign"));
    }
    let changes = match &connection.account {
        Some(account) if request.dates != DateRequest::default() => {
            request.changes_in(&time_zone(connection.platform, account)?)?
        }
        _ => request.changes,
    };
    Ok(EditRequest { campaign, action: Action::Update(changes), reference: request.reference })
}

/// Rejects statuses that no platform can set.
fn check_target_status(changes: &CampaignChanges) -> Result<(), Error> {
    match changes.status {
        Some(CampaignStatus::Ended | CampaignStatus::Draft | CampaignStatus::Unspecified) => {
            Err(Error::field("status", "cannot be set to this value; use ACTIVE or PAUSED"))
        }
        _ => Ok(()),
    }
}
