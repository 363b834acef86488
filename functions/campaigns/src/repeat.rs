//! A retry of an update or a removal under its `Idempotency-Key`: what an earlier attempt has done is the answer, and is
//! not done again (D93 in docs/decisions.md). Somebody may have changed the campaign since.

use crate::complete;
use shared::changes::request::number::{ACTIVATION, EDIT, MONTH, PAUSE, RESTS, SECOND_PAUSE};
use shared::changes::{find_connection, refusal, settle_unknown, unknown_outcome};
use shared::domain::maintenance_schedule::INTERVAL_TEXT;
use shared::domain::{
    Action, BudgetPeriod, CampaignChanges, CampaignRecord, CampaignStatus, Change, ChangeError, ChangeId, ChangeState,
    Pacing, Platform, Reason,
};
use shared::envelope::Reply;
use shared::error::{Error, Kind};
use shared::serve::{Call, earlier_outcome_unknown};
use std::iter::once;

/// What earlier attempts at a change leave to do.
#[derive(Debug, PartialEq)]
pub(crate) enum Left<'a> {
    /// Nothing: all of it was applied.
    Nothing,
    /// Nothing: this change waits, or has waited, for its time or for a person.
    Waiting(&'a Change),
    /// Nothing: the platform has refused a change with this error.
    Refused(Platform, &'a ChangeError),
    /// These fields, by the change with this number.
    Fields(usize, CampaignChanges),
}

/// What earlier attempts at an update leave to do. `id` tells the id of a number.
pub(crate) fn left_of_update<'a>(
    asked: &CampaignChanges,
    earlier: &'a [Change],
    id: impl Fn(usize) -> ChangeId,
) -> Left<'a> {
    let of = |number: usize| earlier.iter().find(|change| change.id == id(number));
    let activation = of(ACTIVATION);
    if let Some(activation) = activation.filter(|_| asked.status == Some(CampaignStatus::Active)) {
        return Left::Waiting(activation);
    }
    if let Some(pause) = of(SECOND_PAUSE) {
        return Left::Waiting(pause);
    }
    let mut rest = asked.clone();
    if activation.or(of(PAUSE)).is_some() {
        (rest.start_at, rest.end_at) = (None, None);
    }
    if of(MONTH).is_some_and(sets_month) {
        (rest.budget_amount, rest.budget_period) = (None, None);
    }
    for number in once(EDIT).chain(RESTS) {
        if rest.is_empty() {
            break;
        }
        let Some(change) = of(number) else { return Left::Fields(number, rest) };
        match (&change.state, &change.after) {
            (ChangeState::Applied, _) if change.asked.is_none() => return Left::Nothing,
            (ChangeState::PartlyApplied(_), Some(after)) => rest = rest.against(after),
            (ChangeState::Failed(error), _) if error.is_refusal => return Left::Refused(change.platform, error),
            (ChangeState::Failed(_) | ChangeState::PartlyApplied(_), _) => return Left::Fields(number, rest),
            _ => return Left::Waiting(change),
        }
    }
    Left::Nothing
}

/// What is left of a retry's changes by the record of the campaign: dates that an earlier attempt has moved are done. What
/// somebody else has moved or begun since the first request is not undone.
pub(crate) fn left_by_record(
    call: &Call,
    record: Option<&CampaignRecord>,
    changes: CampaignChanges,
) -> Result<CampaignChanges, Error> {
    let (first, first_at) = call.first_request();
    let (moved_by, pacing) = record.map_or((None, None), |record| (record.moved_by, record.pacing.as_ref()));
    let is_new = |pacing: &&Pacing| pacing.request != first && pacing.begun_at >= first_at;
    if changes.names_budget() && pacing.filter(is_new).is_some() {
        return Err(changed_since("The monthly budget of the campaign was begun"));
    }
    match moved_by.filter(|_| changes.names_date()) {
        Some((request, _)) if request == first => Ok(CampaignChanges { start_at: None, end_at: None, ..changes }),
        Some((_, at)) if at > first_at => Err(changed_since("A date of the campaign was moved")),
        _ => Ok(changes),
    }
}

fn changed_since(what: &str) -> Error {
    let message = format!(
        "{what} since the first request with this Idempotency-Key. Nothing was sent. Read the campaign, and send what is \
         still right with a new key."
    );
    Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile)
}

/// What an earlier attempt at a removal leaves to do.
fn left_of_removal(earlier: &[Change]) -> Left<'_> {
    match earlier.first() {
        None => Left::Fields(EDIT, CampaignChanges::default()),
        Some(change) => match &change.state {
            ChangeState::Applied => Left::Nothing,
            ChangeState::Failed(error) if error.is_refusal => Left::Refused(change.platform, error),
            _ => Left::Fields(EDIT, CampaignChanges::default()),
        },
    }
}

/// Whether a change has begun a monthly budget, or set its amount.
fn sets_month(change: &Change) -> bool {
    matches!(&change.action, Action::Update(changes) if changes.budget_period == Some(BudgetPeriod::Monthly))
}

/// The answer of a retry of which nothing is left to do: the campaign as it is now, or what became of the change.
pub(crate) async fn answer(call: &Call, earlier: &[Change], left: Left<'_>) -> Result<Reply, Error> {
    earlier.iter().for_each(|change| call.recorded.add(change.id));
    match left {
        Left::Waiting(change) => Ok(Reply::Waiting(Box::new(change.clone()))),
        Left::Refused(platform, error) => Err(refusal(platform, error)),
        Left::Nothing | Left::Fields(..) => {
            let (id, connection, remote_id) = crate::named_campaign(call)?;
            let context = call.platform_context();
            let record = call.store().record(call.customer.id, &id);
            let (campaign, record) = tokio::join!(context.get_campaign(connection, &remote_id), record);
            Ok(Reply::Campaign(Box::new(complete(call, campaign?, connection, record)?)))
        }
    }
}

/// Continues a removal.
pub(crate) async fn removal(call: &Call, earlier: Vec<Change>) -> Result<Option<Reply>, Error> {
    let earlier = settled(call, earlier).await?;
    match left_of_removal(&earlier) {
        Left::Nothing => {
            earlier.iter().for_each(|change| call.recorded.add(change.id));
            Ok(Some(Reply::Done))
        }
        Left::Fields(..) => Ok(None),
        left => answer(call, &earlier, left).await.map(Some),
    }
}

/// The changes of earlier attempts, each with its outcome. An error while one of them has none: the platform may still
/// carry it out.
pub(crate) async fn settled(call: &Call, earlier: Vec<Change>) -> Result<Vec<Change>, Error> {
    let mut settled = Vec::with_capacity(earlier.len());
    for change in earlier {
        // What was scheduled is under way, and this request has nothing to do with that.
        if change.state != ChangeState::Sending || change.apply_at.is_some() {
            settled.push(change);
            continue;
        }
        let is_settled = async {
            let connection = find_connection(&call.connected, &change)?;
            settle_unknown(call.platform_context(), connection, &change).await
        };
        match is_settled.await {
            Ok(true) => settled.extend(call.store().change(call.customer.id, change.id).await?),
            Ok(false) => return Err(still_unknown(call, &change, None)),
            Err(reason) if reason.kind == Kind::Internal => return Err(earlier_outcome_unknown(reason)),
            Err(reason) => return Err(still_unknown(call, &change, Some(reason))),
        }
    }
    Ok(settled)
}

/// The error while the outcome of an earlier attempt is unknown.
fn still_unknown(call: &Call, change: &Change, reason: Option<Error>) -> Error {
    call.recorded.add(change.id);
    let (platform, id) = (change.platform, change.id);
    let message = format!(
        "It is not known yet whether {platform} has made this change, which an earlier request with this Idempotency-Key \
         has sent. This request has sent nothing. The service usually finds out within {INTERVAL_TEXT}; see GET \
         /v1/changes/{id}. Send the same request again with the same Idempotency-Key: it changes nothing twice.",
        platform = platform.display_name(),
    );
    unknown_outcome(change, message, reason, Some(call.request.now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use rust_decimal::Decimal;
    use shared::domain::{
        Attempt, CampaignValues, ChangeOrigin, ChangeTarget, ConnectionId, Currency, CustomerId, Requester,
    };
    use uuid::Uuid;

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
        };
        let origin = ChangeOrigin {
            request: Uuid::nil(),
            requested_by: Requester::ApiKey { id: shared::domain::KeyId::default_key(), name: String::new() },
        };
        let attempt = Attempt { number: 1, at: Timestamp::UNIX_EPOCH, until: Timestamp::UNIX_EPOCH };
        Change { state, after, ..Change::sent(id(number), target, origin, Action::Update(asked()), attempt) }
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

    #[test]
    fn what_is_left_follows_from_what_the_first_attempt_left() {
        let rest = CampaignChanges { name: None, ..asked() };
        let cases = [
            (vec![], Left::Fields(EDIT, asked())),
            (vec![change(EDIT, failed(false), None)], Left::Fields(EDIT, asked())),
            (vec![change(EDIT, ChangeState::Applied, None)], Left::Nothing),
            (vec![change(EDIT, partly(), renamed())], Left::Fields(RESTS.start, rest.clone())),
            (
                vec![change(EDIT, partly(), renamed()), change(RESTS.start, failed(false), None)],
                Left::Fields(RESTS.start, rest),
            ),
            (vec![change(EDIT, partly(), renamed()), change(RESTS.start, ChangeState::Applied, None)], Left::Nothing),
        ];
        for (earlier, left) in cases {
            assert_eq!(left_of_update(&asked(), &earlier, id), left, "{earlier:?}");
        }
        for (number, state) in [
            (EDIT, ChangeState::AwaitingApproval),
            (EDIT, ChangeState::Expired),
            (EDIT, ChangeState::Canceled(None)),
            (ACTIVATION, ChangeState::Scheduled),
        ] {
            let earlier = [change(number, state, None)];
            assert_eq!(left_of_update(&asked(), &earlier, id), Left::Waiting(&earlier[0]));
        }
        let refused = [change(EDIT, failed(true), None)];
        let error = ChangeError { is_refusal: true, ..ChangeError::default() };
        assert_eq!(left_of_update(&asked(), &refused, id), Left::Refused(Platform::Alpha, &error));
    }
}
