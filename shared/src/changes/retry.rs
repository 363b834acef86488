//! A retry of an update or a removal under its `Idempotency-Key`: what an earlier attempt has done is the answer, and
//! is not done again, because somebody may have changed the campaign since (D93).

use super::edits::{RecordedChanges, settle_unknown};
use super::failure::{refusal, unknown_outcome};
use super::find_connection;
use super::request::ChangeRequest;
use super::request::number::{ACTIVATION, EDIT, MONTHLY_BUDGET, PAUSE, REMAINDERS, SECOND_PAUSE};
use crate::domain::maintenance_schedule::INTERVAL_TEXT;
use crate::domain::{
    Action, BudgetPeriod, CampaignChanges, CampaignRecord, CampaignStatus, Change, ChangeId, ChangeState,
    MonthlyBudget, Reason,
};
use crate::error::{Error, Kind};
use crate::tokens::PlatformContext;
use jiff::Timestamp;
use std::iter::once;
use uuid::Uuid;

/// What earlier attempts at a request leave to do.
#[derive(Debug, PartialEq)]
pub enum RemainingWork {
    /// Nothing: all of it was applied.
    Nothing,
    /// Nothing: this change waits for its time or for approval, or has waited.
    Waiting(Box<Change>),
    /// This action, as the change with this number.
    Action(usize, Box<Action>),
}

/// Returns the work that earlier attempts at a request have not done. First settles each attempt. Fails while an
/// attempt has no outcome, because the platform may still carry it out. `record` is the record of the campaign, if it
/// is known. Fails with `refused` if work is left but the request is refused now. If no work is left, adds the changes
/// that answer the request to `recorded`.
pub async fn remaining_work(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    record: Option<&CampaignRecord>,
    earlier: Vec<Change>,
    refused: Option<Error>,
    recorded: &RecordedChanges,
) -> Result<RemainingWork, Error> {
    let earlier = settled(context, earlier, recorded).await?;
    let rest = match remaining_of(&request.action, &earlier, |number| request.id(number)) {
        Ok(RemainingWork::Action(number, action)) => match refused {
            Some(refused) => return Err(refused),
            None => Ok(without_moved_dates(record, request.origin.request, request.first_at, number, *action)?),
        },
        rest => rest,
    };
    if !matches!(rest, Ok(RemainingWork::Action(..))) {
        earlier.iter().for_each(|change| recorded.add(change.id));
    }
    rest
}

/// The part of an action that earlier changes have not applied; an error if the platform has refused one of them. `id`
/// returns the id of the change with a number.
fn remaining_of(asked: &Action, earlier: &[Change], id: impl Fn(usize) -> ChangeId) -> Result<RemainingWork, Error> {
    match asked {
        Action::Update(changes) => remaining_of_update(changes, earlier, id),
        Action::Create(_) | Action::Delete => remaining_of_removal(asked, earlier),
    }
}

fn remaining_of_update(
    asked: &CampaignChanges,
    earlier: &[Change],
    id: impl Fn(usize) -> ChangeId,
) -> Result<RemainingWork, Error> {
    let waiting = |change: &Change| Ok(RemainingWork::Waiting(Box::new(change.clone())));
    let of = |number: usize| earlier.iter().find(|change| change.id == id(number));
    let activation = of(ACTIVATION);
    if asked.status == Some(CampaignStatus::Active)
        && let Some(activation) = activation
    {
        return waiting(activation);
    }
    if let Some(pause) = of(SECOND_PAUSE) {
        return waiting(pause);
    }
    let mut rest = asked.clone();
    if activation.or(of(PAUSE)).is_some() {
        (rest.start_at, rest.end_at) = (None, None);
    }
    if of(MONTHLY_BUDGET).is_some_and(sets_monthly_budget) {
        (rest.budget_amount, rest.budget_period) = (None, None);
    }
    for number in once(EDIT).chain(REMAINDERS) {
        if rest.is_empty() {
            break;
        }
        let Some(change) = of(number) else { return Ok(RemainingWork::Action(number, Box::new(Action::Update(rest)))) };
        match (&change.state, &change.after) {
            (ChangeState::Applied, _) if change.asked.is_none() => return Ok(RemainingWork::Nothing),
            (ChangeState::PartlyApplied(_), Some(after)) => rest = rest.against(after),
            (ChangeState::Failed(error), _) if error.is_refusal => return Err(refusal(change.platform, error)),
            (ChangeState::Failed(_) | ChangeState::PartlyApplied(_), _) => {
                return Ok(RemainingWork::Action(number, Box::new(Action::Update(rest))));
            }
            _ => return waiting(change),
        }
    }
    Ok(RemainingWork::Nothing)
}

/// Removes the dates that an earlier attempt has set already, by the record of the campaign. An error if somebody else
/// has set a date or begun a monthly budget since: a retry must not undo that.
fn without_moved_dates(
    record: Option<&CampaignRecord>,
    first: Uuid,
    first_at: Timestamp,
    number: usize,
    rest: Action,
) -> Result<RemainingWork, Error> {
    let Action::Update(mut changes) = rest else { return Ok(RemainingWork::Action(number, Box::new(rest))) };
    let (moved_by, monthly) = record.map_or((None, None), |record| (record.moved_by, record.monthly.as_ref()));
    let is_new = |monthly: &&MonthlyBudget| monthly.request != first && monthly.begun_at >= first_at;
    if changes.names_budget() && monthly.filter(is_new).is_some() {
        return Err(changed_since("The monthly budget of the campaign was begun"));
    }
    match moved_by {
        _ if !changes.names_date() => {}
        Some((request, _)) if request == first => (changes.start_at, changes.end_at) = (None, None),
        Some((_, at)) if at > first_at => return Err(changed_since("A date of the campaign was moved")),
        _ => {}
    }
    Ok(if changes.is_empty() {
        RemainingWork::Nothing
    } else {
        RemainingWork::Action(number, Box::new(Action::Update(changes)))
    })
}

fn changed_since(what: &str) -> Error {
    let message = format!(
        "{what} since the first request with this Idempotency-Key. Nothing was sent. Read the campaign, and send what is \
         still right with a new key."
    );
    Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile)
}

fn remaining_of_removal(asked: &Action, earlier: &[Change]) -> Result<RemainingWork, Error> {
    match earlier.first().map(|change| (change.platform, &change.state)) {
        Some((_, ChangeState::Applied)) => Ok(RemainingWork::Nothing),
        Some((platform, ChangeState::Failed(error))) if error.is_refusal => Err(refusal(platform, error)),
        _ => Ok(RemainingWork::Action(EDIT, Box::new(asked.clone()))),
    }
}

/// Whether a change has begun a monthly budget, or set its amount.
fn sets_monthly_budget(change: &Change) -> bool {
    matches!(&change.action, Action::Update(changes) if changes.budget_period == Some(BudgetPeriod::Monthly))
}

/// Settles the changes of earlier attempts, and returns them with their outcomes.
async fn settled(
    context: PlatformContext<'_>,
    earlier: Vec<Change>,
    recorded: &RecordedChanges,
) -> Result<Vec<Change>, Error> {
    let mut settled = Vec::with_capacity(earlier.len());
    for change in earlier {
        // Maintenance settles a scheduled change that is under way.
        if change.state != ChangeState::Sending || change.apply_at.is_some() {
            settled.push(change);
            continue;
        }
        let is_settled = async {
            let connection = find_connection(context.connected, &change)?;
            settle_unknown(context, connection, &change).await
        };
        let reason = match is_settled.await {
            Ok(true) => {
                settled.extend(context.app.store.change(change.customer, change.id).await?);
                continue;
            }
            Ok(false) => None,
            Err(reason) if reason.kind == Kind::Internal => return Err(reason),
            Err(reason) => Some(reason),
        };
        recorded.add(change.id);
        return Err(still_unknown(context, &change, reason));
    }
    Ok(settled)
}

/// The error while the outcome of an earlier attempt is unknown.
fn still_unknown(context: PlatformContext<'_>, change: &Change, reason: Option<Error>) -> Error {
    let (platform, id) = (change.platform, change.id);
    let message = format!(
        "It is not known yet whether {platform} has made this change, which an earlier request with this Idempotency-Key \
         has sent. This request has sent nothing. The service usually finds out within {INTERVAL_TEXT}; see GET \
         /v1/changes/{id}. Send the same request again with the same Idempotency-Key: it changes nothing twice.",
        platform = platform.display_name(),
    );
    unknown_outcome(change, message, reason, Some(context.now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        Attempt, CampaignValues, ChangeError, ChangeOrigin, ChangeTarget, ConnectionId, Currency, CustomerId,
        DateChange, KeyId, Platform, Requester,
    };
    use rust_decimal::Decimal;

    fn id(number: usize) -> ChangeId {
        ChangeId::new(Timestamp::UNIX_EPOCH, Uuid::nil(), number)
    }

    fn usd() -> Currency {
        Currency::from_code("USD").unwrap()
    }

    fn asked() -> CampaignChanges {
        CampaignChanges {
            name: Some("New".to_owned()),
            status: Some(CampaignStatus::Active),
            budget_amount: Some(Decimal::from(60)),
            ..CampaignChanges::default()
        }
    }

    fn change(number: usize, state: ChangeState, after: Option<CampaignValues>) -> Change {
        let target = ChangeTarget {
            customer: CustomerId(Uuid::nil()),
            platform: Platform::Alpha,
            account_id: "1".to_owned(),
            connection: ConnectionId(String::new()),
            currency: usd(),
            campaign: None,
            external_ref: None,
        };
        let origin =
            ChangeOrigin::new(Uuid::nil(), Requester::ApiKey { id: KeyId::default_key(), name: String::new() });
        let attempt = Attempt { number: 1, at: Timestamp::UNIX_EPOCH, until: Timestamp::UNIX_EPOCH };
        Change { state, after, ..Change::immediate(id(number), target, origin, Action::Update(asked()), attempt) }
    }

    /// The campaign after its name was changed, and nothing else.
    fn renamed() -> Option<CampaignValues> {
        Some(CampaignValues {
            name: "New".to_owned(),
            status: CampaignStatus::Paused,
            budget_amount: Some(Decimal::from(50)),
            budget_period: Some(BudgetPeriod::Daily),
            currency: usd(),
            start_at: None,
            end_at: None,
        })
    }

    fn failed(is_refusal: bool) -> ChangeState {
        ChangeState::Failed(ChangeError { is_refusal, ..ChangeError::default() })
    }

    fn partly() -> ChangeState {
        ChangeState::PartlyApplied(ChangeError::default())
    }

    fn fields(number: usize, left: CampaignChanges) -> RemainingWork {
        RemainingWork::Action(number, Box::new(Action::Update(left)))
    }

    #[test]
    fn remaining_work_follows_from_the_earlier_attempts() {
        let rest = CampaignChanges { name: None, ..asked() };
        let cases = [
            (vec![], fields(EDIT, asked())),
            (vec![change(EDIT, failed(false), None)], fields(EDIT, asked())),
            (vec![change(EDIT, ChangeState::Applied, None)], RemainingWork::Nothing),
            (vec![change(EDIT, partly(), renamed())], fields(REMAINDERS.start, rest.clone())),
            (
                vec![change(EDIT, partly(), renamed()), change(REMAINDERS.start, failed(false), None)],
                fields(REMAINDERS.start, rest),
            ),
            (
                vec![change(EDIT, partly(), renamed()), change(REMAINDERS.start, ChangeState::Applied, None)],
                RemainingWork::Nothing,
            ),
        ];
        for (earlier, left) in cases {
            assert_eq!(remaining_of_update(&asked(), &earlier, id).unwrap(), left, "{earlier:?}");
        }
        for (number, state) in [
            (EDIT, ChangeState::AwaitingApproval),
            (EDIT, ChangeState::Expired),
            (EDIT, ChangeState::Canceled(None)),
            (ACTIVATION, ChangeState::Scheduled),
        ] {
            let earlier = [change(number, state, None)];
            assert_eq!(
                remaining_of_update(&asked(), &earlier, id).unwrap(),
                RemainingWork::Waiting(Box::new(earlier[0].clone()))
            );
        }
        let refused = [change(EDIT, failed(true), None)];
        assert_eq!(remaining_of_update(&asked(), &refused, id).unwrap_err().kind, Kind::PlatformRefused);
    }

    #[test]
    fn own_dates_are_done_and_dates_of_others_stay() {
        let (first, other, at) = (Uuid::from_u128(1), Uuid::from_u128(2), Timestamp::UNIX_EPOCH);
        let later = at + jiff::SignedDuration::from_secs(1);
        let dated = CampaignChanges { end_at: Some(DateChange::Clear), ..CampaignChanges::default() };
        let moved_by = |by, at| CampaignRecord { moved_by: Some((by, at)), ..CampaignRecord::default() };
        let rest = |record: &CampaignRecord, changes: &CampaignChanges| {
            without_moved_dates(Some(record), first, at, EDIT, Action::Update(changes.clone()))
        };
        assert_eq!(rest(&moved_by(first, later), &dated).unwrap(), RemainingWork::Nothing);
        assert_eq!(rest(&moved_by(other, at), &dated).unwrap(), fields(EDIT, dated.clone()), "before");
        assert_eq!(rest(&moved_by(other, later), &dated).unwrap_err().kind, Kind::Conflict);
        assert_eq!(rest(&moved_by(other, later), &asked()).unwrap(), fields(EDIT, asked()), "no date");
        let both = CampaignChanges { end_at: dated.end_at, ..asked() };
        assert_eq!(rest(&moved_by(first, later), &both).unwrap(), fields(EDIT, asked()));
    }

    #[test]
    fn a_removal_that_is_not_applied_is_made_again_unless_it_was_refused() {
        let rest = |earlier: &[Change]| remaining_of(&Action::Delete, earlier, id).unwrap();
        assert_eq!(rest(&[]), RemainingWork::Action(EDIT, Box::new(Action::Delete)));
        assert_eq!(rest(&[change(EDIT, failed(false), None)]), RemainingWork::Action(EDIT, Box::new(Action::Delete)));
        assert_eq!(rest(&[change(EDIT, ChangeState::Applied, None)]), RemainingWork::Nothing);
        let refused = remaining_of(&Action::Delete, &[change(EDIT, failed(true), None)], id);
        assert_eq!(refused.unwrap_err().kind, Kind::PlatformRefused);
    }
}
