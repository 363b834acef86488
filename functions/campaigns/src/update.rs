//! `updateCampaign`.

use crate::approval::ask;
use crate::confirmation::{require_confirmed, require_seen};
use crate::dry_run;
use crate::edit::{edit_of, number};
use crate::held::{DatePlan, check_dates, plan_dates};
use crate::pacing::{AfterBudget, check_later, move_month, require_no_month};
use crate::repeat::{self, Left};
use crate::schedule::{Named, check_held, check_time, schedule};
use crate::{complete, named_campaign};
use jiff::Timestamp;
use shared::changes::{Edit, Edited, are_dates_held, changes_for};
use shared::domain::{
    Action, Campaign, CampaignChanges, CampaignId, CampaignRecord, CampaignStatus, Change, ChangedFields, Connection,
    CustomerId, HeldDates, PlatformCampaign, Reason,
};
use shared::envelope::query::{EditQuery, read_edit};
use shared::envelope::{DateRequest, Reply, read_update};
use shared::error::{Error, Kind};
use shared::platforms::errors::time_zone;
use shared::serve::{ApiRequest, Call, ChangeClaim};

/// An update request, and the campaign that it names.
struct Requested<'a> {
    changes: CampaignChanges,
    id: CampaignId,
    connection: &'a Connection,
    remote_id: String,
}

/// Changes name, status or budget. Fields that already have the requested value are not written.
pub(crate) async fn update(call: &Call, record: StoredRecord) -> Result<Reply, Error> {
    let EditQuery { is_dry_run, apply_at } = read_edit(&call.request.query)?;
    let requested = read(call, apply_at);
    if is_dry_run {
        return dry_run_change(call, requested?, record).await;
    }
    let requested = match requested {
        Ok(requested) => requested,
        Err(refusal) if apply_at.is_some() => return call.scheduled_or(refusal).await,
        Err(refusal) => return call.replay_or(refusal).await,
    };
    if let Some(apply_at) = apply_at {
        let Requested { changes, id, connection, remote_id } = requested;
        if are_dates_held(connection.platform) && changes.names_date() {
            let message = "must not be sent with start_at or end_at, which this service holds on this platform";
            return call.replay_or(Error::field("apply_at", message)).await;
        }
        let named = Named { id, connection, remote_id };
        if let Err(refusal) = check_later(call, &named, record, &changes, apply_at) {
            return call.scheduled_or(refusal).await;
        }
        return schedule(call, &named, Action::Update(changes), apply_at).await;
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
            let changes = requested.changes.clone();
            return apply(call, requested, record, (changes, number::EDIT)).await;
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
                false => apply(call, requested, record, (changes, number)).await,
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

fn read(call: &Call, apply_at: Option<Timestamp>) -> Result<Requested<'_>, Error> {
    if let Some(apply_at) = apply_at {
        check_time(call, apply_at)?;
        require_confirmed(call)?;
    }
    let request = read_update(call.request.shape, call.request.json_body()?)?;
    check_target_status(&request.changes)?;
    let (id, connection, remote_id) = named_campaign(call)?;
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
    Ok(Requested { changes, id, connection, remote_id })
}

/// Makes these changes, which are all that a request asks for or what earlier attempts have left, as the change with this
/// number.
async fn apply(
    call: &Call,
    requested: Requested<'_>,
    record: StoredRecord,
    (changes, number): (CampaignChanges, usize),
) -> Result<Reply, Error> {
    let Requested { changes: asked, id, connection, remote_id } = requested;
    let before = record_of(&record);
    let named = Named { id, connection, remote_id };
    let AfterBudget { changes, record, is_moved, campaign } =
        after_budget(call, &named, changes, record, false).await?;
    if let Some(campaign) = campaign.filter(|_| is_moved && changes.is_empty()) {
        return Ok(Reply::Campaign(Box::new(complete(campaign, named.connection, record))));
    }
    let has_ended = is_moved && changes.names_budget();
    let applied = apply_rest(call, &named, (changes, &asked, number), record, before.as_ref()).await;
    applied.map_err(|error| if has_ended { with_ended_month(error) } else { error })
}

/// What is left of an update after its monthly budget: the dates that the service holds, and the edit at the platform.
async fn apply_rest(
    call: &Call,
    named: &Named<'_>,
    (changes, asked, number): (CampaignChanges, &CampaignChanges, usize),
    record: StoredRecord,
    before: Option<&CampaignRecord>,
) -> Result<Reply, Error> {
    let is_held = are_dates_held(named.connection.platform);
    let known = match record {
        Ok(record) if is_held => record.unwrap_or_default(),
        Err(error) if is_held && (changes.names_date() || changes.status.is_some()) => return Err(error),
        record => return edit(call, named, (changes, asked), (record, before), (None, number)).await,
    };
    let plan = plan_dates(call, named, (&changes, known), before, false).await?;
    if plan.waits {
        plan.carry_out(call, &named.id).await?;
        let activation =
            plan.into_activation().ok_or_else(|| Error::internal("an activation that waits is missing"))?;
        return Ok(Reply::Waiting(Box::new(activation)));
    }
    if let Some(campaign) = plan.campaign.clone().filter(|_| plan.changes.is_empty()) {
        let record = plan.carry_out(call, &named.id).await?;
        return Ok(Reply::Campaign(Box::new(campaign.complete(&named.connection.id, Some(record)))));
    }
    let record = Ok(Some(plan.record_after(call)));
    edit(call, named, (plan.changes.clone(), asked), (record, before), (Some(&plan), number)).await
}

/// What is left of an update after its monthly budget. Without the record it is not known whether there is one.
async fn after_budget(
    call: &Call,
    named: &Named<'_>,
    changes: CampaignChanges,
    record: StoredRecord,
    is_dry: bool,
) -> Result<AfterBudget<StoredRecord>, Error> {
    if let (Ok(record), true) = (&record, are_dates_held(named.connection.platform) && changes.names_date()) {
        // Before the monthly budget is moved.
        let held = record.as_ref().map_or_else(HeldDates::default, |record| record.held);
        check_dates(held, &changes, &named.id, call.request.now)?;
    }
    let record = match record {
        Ok(record) => record,
        // A pause must take the activation of the next month back.
        Err(error) if changes.names_budget() || changes.status.is_some() => return Err(error),
        unread => return Ok(AfterBudget { changes, record: unread, is_moved: false, campaign: None }),
    };
    let AfterBudget { changes, record, is_moved, campaign } =
        Box::pin(move_month(call, named, changes, record, is_dry)).await?;
    Ok(AfterBudget { changes, record: Ok(record), is_moved, campaign })
}

/// The record as a preview has it: one that could not be read shows nothing.
fn record_of(record: &StoredRecord) -> Option<CampaignRecord> {
    record.as_ref().ok().cloned().flatten()
}

/// Makes the changes at the platform, as the change with this number, together with the move of dates that the request
/// has planned. `asked` are the changes of the request with its dates, `before` is the record of before the request.
async fn edit(
    call: &Call,
    named: &Named<'_>,
    (changes, asked): (CampaignChanges, &CampaignChanges),
    (record, before): (StoredRecord, Option<&CampaignRecord>),
    (plan, number): (Option<&DatePlan>, usize),
) -> Result<Reply, Error> {
    let change = edit_of(call, named, Action::Update(changes), number)?;
    let (context, spending) = (call.platform_context(), call.spending.clone());
    let date_move = plan.and_then(|plan| plan.date_move(call, &named.id));
    let edit = Edit::new(context, named.connection, &change, &named.remote_id, &call.recorded, spending);
    let edit = match plan {
        Some(plan) => edit.with_record(plan.record_after(call), date_move.as_ref()),
        None => edit,
    };
    let condition = |current: &PlatformCampaign| {
        require_seen(call, named.connection, current, before, asked)?;
        require_no_month(call, before, current, &change.action)
    };
    let edit = edit.only_if(&condition);
    let Edited { campaign, changed_at } = match edit.run().await {
        Err(_) if edit.needs_approval() && plan.is_some_and(DatePlan::moves) => return Err(dates_first()),
        Err(_) if edit.needs_approval() => return ask(call, named, change.action.clone(), number).await,
        edited => edited.map_err(|error| with_applied_before(error, &change, asked, edit.has_moved_dates()))?,
    };
    let campaign = complete(campaign, named.connection, record);
    let updated_at = changed_at.or(campaign.updated_at);
    Ok(Reply::Campaign(Box::new(Campaign { updated_at, ..campaign })))
}

/// The refusal of an update that a person has to approve, with dates that this service holds.
fn dates_first() -> Error {
    let message = "A person has to approve this change with this API key, and it moves dates that this service holds, or \
                   takes back what waits for them. Send start_at, end_at or the pause in a request of their own first, \
                   then the rest. Nothing was changed.";
    Error::new(Kind::Forbidden, message).because(Reason::ApprovalRequired)
}

/// The error of an update that has ended a monthly budget before.
fn with_ended_month(error: Error) -> Error {
    let message = format!("{} The monthly budget has ended, and the campaign keeps its daily budget.", error.message);
    Error { message, ..error }
}

/// The error of an update whose dates or amount of a month were moved before: they are applied.
fn with_applied_before(error: Error, change: &Change, asked: &CampaignChanges, has_moved_dates: bool) -> Error {
    let Action::Update(rest) = &change.action else { return error };
    let rest = rest.field_names();
    let is_moved = |field: &&str| !rest.contains(field) && (has_moved_dates || !["start_at", "end_at"].contains(field));
    let moved: Vec<&str> = asked.field_names().into_iter().filter(is_moved).collect();
    if moved.is_empty() {
        return error;
    }
    let known = error.outcomes.as_deref().cloned();
    let known = known.unwrap_or_else(|| ChangedFields { not_applied: rest, ..ChangedFields::default() });
    let message = format!("{} Applied before: {}.", error.message, moved.join(", "));
    let applied = [moved, known.applied.clone()].concat();
    Error { message, ..error }.with_outcomes(ChangedFields { applied, ..known })
}

/// The dry run of an update.
async fn dry_run_change(call: &Call, requested: Requested<'_>, record: StoredRecord) -> Result<Reply, Error> {
    dry_run::reject_key(call)?;
    let Requested { changes, id, connection, remote_id } = requested;
    let named = &Named { id, connection, remote_id };
    let before = record_of(&record);
    let AfterBudget { changes, record, is_moved, .. } = after_budget(call, named, changes, record, true).await?;
    if !are_dates_held(connection.platform) {
        let current = check_held(call, named, (&HeldDates::default(), &changes), true).await?;
        let changes = changes_for(&changes, &current, call.request.now)?;
        require_no_month(call, before.as_ref(), &current, &Action::Update(changes.clone()))?;
        return dry_run::update(call, connection, &current, (&changes, is_moved, false)).await;
    }
    let record = record?.unwrap_or_default();
    let held = record.held;
    let plan = plan_dates(call, named, (&changes, record), before.as_ref(), true).await?;
    let current = match &plan.campaign {
        Some(current) => current.clone(),
        None => check_held(call, named, (&held, &changes), true).await?,
    };
    // The platform hears nothing of the dates.
    let changes = changes_for(&plan.changes, &current, call.request.now)?;
    dry_run::update(call, connection, &current, (&changes, is_moved || plan.moves(), plan.wakes)).await
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
