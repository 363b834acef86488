//! `updateCampaign`.

use crate::dry_run;
use crate::repeat::{self, Left};
use crate::request::{Named, require_confirmed, require_seen, schedule};
use jiff::Timestamp;
use shared::changes::request::{ChangeRequest, number};
use shared::changes::{Known, NotMade, make, prepare, require_time};
use shared::domain::{
    Action, Campaign, CampaignChanges, CampaignId, CampaignRecord, CampaignStatus, ChangedFields, CustomerId,
};
use shared::envelope::query::{EditQuery, read_edit};
use shared::envelope::{DateRequest, Reply, read_update};
use shared::error::Error;
use shared::platforms::errors::time_zone;
use shared::serve::{ApiRequest, Call, ChangeClaim};

/// An update request, and the campaign that it names.
struct Requested<'a> {
    changes: CampaignChanges,
    named: Named<'a>,
}

/// Changes name, status or budget. Fields that already have the requested value are not written.
pub(crate) async fn update(call: &Call, record: StoredRecord) -> Result<Reply, Error> {
    let EditQuery { is_dry_run, apply_at } = read_edit(&call.request.query)?;
    let requested = read(call, apply_at);
    if is_dry_run {
        let Requested { changes, named } = requested?;
        return dry_run::update(call, &named, changes, known(call, record)?).await;
    }
    let requested = match requested {
        Ok(requested) => requested,
        Err(refusal) if apply_at.is_some() => return call.scheduled_or(refusal).await,
        Err(refusal) => return call.replay_or(refusal).await,
    };
    if apply_at.is_some() {
        let Requested { changes, named } = requested;
        let request = named.request(call, Action::Update(changes), number::EDIT, None)?;
        let request = ChangeRequest { apply_at, ..request };
        let planned = async { prepare(call.platform_context(), &request, known(call, record)?).await };
        return schedule(call, planned.await).await;
    }
    if let Err(refusal) = require_confirmed(call) {
        let (claim, refusal) = call.claim_change_or(number::ALL, refusal).await?;
        return continue_update(call, requested, record, (claim, Some(refusal))).await;
    }
    let claim = call.claim_change(number::ALL).await?;
    continue_update(call, requested, record, (claim, None)).await
}

/// Makes what earlier attempts under the same `Idempotency-Key` have not made, unless it is refused now.
async fn continue_update(
    call: &Call,
    requested: Requested<'_>,
    record: StoredRecord,
    (claim, refusal): (ChangeClaim, Option<Error>),
) -> Result<Reply, Error> {
    let earlier = match claim {
        ChangeClaim::Replayed(stored) => return Ok(Reply::Replayed(stored)),
        ChangeClaim::New if refusal.is_none() => {
            return apply(call, &requested, record, (requested.changes.clone(), number::EDIT)).await;
        }
        ChangeClaim::New => Vec::new(),
        ChangeClaim::Repeated(earlier) => repeat::settled(call, earlier).await?,
    };
    let left = repeat::left_of_update(&requested.changes, &earlier, |number| call.change_id(number));
    match (left, refusal) {
        (Left::Fields(..), Some(refusal)) => Err(refusal),
        (Left::Fields(number, changes), None) => {
            let changes = repeat::left_by_record(call, record.as_ref().ok().and_then(Option::as_ref), changes)?;
            match changes.is_empty() {
                true => repeat::answer(call, &earlier, Left::Nothing).await,
                false => apply(call, &requested, record, (changes, number)).await,
            }
        }
        (left, _) => repeat::answer(call, &earlier, left).await,
    }
}

/// The stored record of the campaign; `None` for one that the service has not created or changed.
pub(crate) type StoredRecord = Result<Option<CampaignRecord>, Error>;

/// Reads the record during authentication. Held dates decide on an activation, and a monthly budget on what an amount
/// means, so the read is consistent.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> StoredRecord {
    let Some(id) = CampaignId::parse(&request.parameter) else { return Ok(None) };
    request.app.store.latest_record(customer, &id).await
}

/// What was read before: the record of the campaign, and the spending of the key.
fn known(call: &Call, record: StoredRecord) -> Result<Known, Error> {
    Ok((record?.unwrap_or_default(), call.spending.clone()))
}

fn read(call: &Call, apply_at: Option<Timestamp>) -> Result<Requested<'_>, Error> {
    if apply_at.is_some() {
        require_confirmed(call)?;
    }
    let request = read_update(call.request.shape, call.request.json_body()?)?;
    check_target_status(&request.changes)?;
    let named = Named::of(call)?;
    let connection = named.connection;
    connection.account.as_ref().map_or(Ok(()), |account| request.check_currency(account))?;
    if request.organization_id.as_ref().is_some_and(|account| account != connection.account_id()) {
        return Err(Error::not_found("campaign"));
    }
    let changes = match &connection.account {
        Some(account) if request.dates != DateRequest::default() => {
            request.changes_in(&time_zone(connection.platform, account)?)?
        }
        _ => request.changes,
    };
    if let Some(at) = apply_at {
        require_time(connection.platform, &Action::Update(changes.clone()), at, call.request.now)?;
    }
    Ok(Requested { changes, named })
}

/// Makes these changes, which are all that a request asks for or what earlier attempts have left, as the change with this
/// number.
async fn apply(
    call: &Call,
    Requested { named, changes: asked }: &Requested<'_>,
    record: StoredRecord,
    (changes, number): (CampaignChanges, usize),
) -> Result<Reply, Error> {
    let asked = &Action::Update(asked.clone());
    let seen = |campaign: &Campaign| require_seen(call, asked, campaign);
    let request = named.request(call, Action::Update(changes), number, Some(&seen))?;
    let made = make(call.platform_context(), &request, known(call, record)?, &call.recorded).await;
    let made = made.map_err(|not_made| explained(not_made, asked))?;
    if let Some(waiting) = made.waiting {
        return Ok(Reply::Waiting(Box::new(waiting)));
    }
    let campaign = made.campaign.complete(&named.connection.id, made.record);
    let updated_at = made.changed_at.or(campaign.updated_at);
    Ok(Reply::Campaign(Box::new(Campaign { updated_at, ..campaign })))
}

/// The error of an update, with what is applied because the service holds it itself.
fn explained(NotMade { error, has_moved, sent, has_ended_month, .. }: NotMade, asked: &Action) -> Error {
    // An earlier attempt may have moved the amount of a month.
    let is_moved = |field: &&str| !sent.contains(field) && (has_moved || !["start_at", "end_at"].contains(field));
    let moved: Vec<&str> = match sent.is_empty() {
        true => Vec::new(),
        false => asked.field_names().into_iter().filter(is_moved).collect(),
    };
    let error = if moved.is_empty() { error } else { with_applied_before(error, moved, sent) };
    match has_ended_month {
        true => {
            let message =
                format!("{} The monthly budget has ended, and the campaign keeps its daily budget.", error.message);
            Error { message, ..error }
        }
        false => error,
    }
}

fn with_applied_before(error: Error, moved: Vec<&'static str>, sent: Vec<&'static str>) -> Error {
    let known = error.outcomes.as_deref().cloned();
    let known = known.unwrap_or_else(|| ChangedFields { not_applied: sent, ..ChangedFields::default() });
    let message = format!("{} Applied before: {}.", error.message, moved.join(", "));
    let applied = [moved, known.applied.clone()].concat();
    Error { message, ..error }.with_outcomes(ChangedFields { applied, ..known })
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
