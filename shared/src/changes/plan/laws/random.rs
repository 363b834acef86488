//! Random facts and requests.

use crate::changes::facts::{Facts, PendingChanges};
use crate::changes::plan::{are_dates_held, require_time};
use crate::changes::request::ChangeRequest;
use crate::changes::request::number::EDIT;
use crate::domain::monthly::Ledger;
use crate::domain::spending::{ApprovalRule, CurrencyLimit, Raised, Spender, SpendingLimit, Spendings};
use crate::domain::test_random::TestRandom;
use crate::domain::{
    Action, AdAccount, Attempt, BudgetPeriod, CampaignChanges, CampaignId, CampaignRecord, CampaignStatus, Change,
    ChangeId, ChangeOrigin, ChangeState, Connection, ConnectionId, ConnectionStatus, Currency, CustomerId, DateChange,
    ExternalRef, HeldDates, KeyId, MonthlyBudget, PersonId, Platform, PlatformCampaign, Requester, Signals, Spending,
};
use crate::store::{SpendingState, Turn};
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use uuid::Uuid;

pub(super) fn now() -> Timestamp {
    "2026-11-28T12:00:00Z".parse().unwrap()
}

pub(super) fn hours(hours: i64) -> Timestamp {
    now() + SignedDuration::from_hours(hours)
}

pub(super) fn usd() -> Currency {
    Currency::from_code("USD").unwrap()
}

pub(super) fn key(number: u32) -> Requester {
    Requester::ApiKey { id: KeyId(format!("key_{number}")), name: String::new() }
}

pub(super) fn amount(numbers: &mut TestRandom) -> Decimal {
    Decimal::from(numbers.one_of(&[0_u32, 1, 40, 50, 60, 100, 620, 3_100]))
}

pub(super) fn connection(platform: Platform) -> Connection {
    let account = AdAccount {
        id: "7".to_owned(),
        name: "Shop".to_owned(),
        currency: usd(),
        time_zone: "Etc/UTC".to_owned(),
        manager_id: None,
    };
    Connection {
        id: ConnectionId("conn_1".to_owned()),
        platform,
        status: ConnectionStatus::Active,
        reason: None,
        label: None,
        external_ref: ExternalRef::parse("shop42"),
        campaign_defaults: None,
        account: Some(account),
        grant_id: None,
        created_at: hours(-1_000),
        last_synced_at: None,
        paused_until: None,
    }
}

/// A campaign as its platform tells it; dates only where the platform has them.
pub(super) fn campaign(numbers: &mut TestRandom, connection: &Connection) -> PlatformCampaign {
    use CampaignStatus::{Active, Archived, Ended, Paused};
    let is_held = are_dates_held(connection.platform);
    let date = |numbers: &mut TestRandom, ahead: [i64; 2]| {
        (!is_held && numbers.once_in(3)).then(|| hours(numbers.one_of(&ahead)))
    };
    let status = numbers.one_of(&[Active, Active, Active, Paused, Paused, Paused, Ended, Archived]);
    // One that has ended has an end that lies behind, if it tells one.
    let ends = if status == Ended { [-48, -1] } else { [48, 200] };
    PlatformCampaign {
        id: CampaignId::new(connection.platform, "7", "1"),
        account_id: "7".to_owned(),
        remote_id: "1".to_owned(),
        name: "A".to_owned(),
        status,
        goal: None,
        budget_amount: (!numbers.once_in(8)).then(|| Decimal::from(numbers.one_of(&[40_u32, 50, 100]))),
        budget_period: Some(numbers.one_of(&[BudgetPeriod::Daily, BudgetPeriod::Daily, BudgetPeriod::Lifetime])),
        currency: usd(),
        total_spend_amount: None,
        start_at: date(numbers, [-72, 24]),
        end_at: date(numbers, ends),
        created_at: None,
        updated_at: None,
        raw: String::new(),
        signals: Signals::default(),
    }
}

pub(super) fn changes(numbers: &mut TestRandom) -> CampaignChanges {
    use BudgetPeriod::{Daily, Lifetime, Monthly};
    use CampaignStatus::{Active, Archived, Paused};
    let date = |numbers: &mut TestRandom| match numbers.below(12) {
        0 => Some(DateChange::Clear),
        1..=3 => Some(DateChange::Set(hours(numbers.one_of(&[-24, 2, 24, 72, 300])))),
        _ => None,
    };
    CampaignChanges {
        name: numbers.once_in(4).then(|| numbers.one_of(&["A", "B"]).to_owned()),
        status: numbers.once_in(2).then(|| numbers.one_of(&[Active, Active, Active, Paused, Paused, Archived])),
        budget_amount: numbers.once_in(2).then(|| amount(numbers)),
        budget_period: numbers.once_in(5).then(|| numbers.one_of(&[Daily, Lifetime, Monthly])),
        start_at: date(numbers),
        end_at: date(numbers),
    }
}

pub(super) fn action(numbers: &mut TestRandom) -> Action {
    if numbers.once_in(10) { Action::Delete } else { Action::Update(changes(numbers)) }
}

/// A request by a key or a person, for a time that it may name.
pub(super) fn request<'a>(numbers: &mut TestRandom, connection: &'a Connection, by: &Requester) -> ChangeRequest<'a> {
    let attempt = Attempt { number: 1, at: now(), until: hours(1) };
    let action = action(numbers);
    let apply_at = numbers.once_in(6).then(|| hours(numbers.one_of(&[1, 30, 400])));
    let may_wait = |at: &Timestamp| require_time(connection.platform, &action, *at, now()).is_ok();
    let apply_at = apply_at.filter(may_wait);
    ChangeRequest {
        customer: CustomerId(Uuid::nil()),
        connection,
        account: ChangeRequest::account_of(connection).unwrap(),
        campaign: CampaignId::new(connection.platform, "7", "1"),
        remote_id: "1".to_owned(),
        action,
        apply_at,
        pending: None,
        origin: ChangeOrigin::new(Uuid::from_u64_pair(1, numbers.below(u64::MAX)), by.clone()),
        first_at: now(),
        number: EDIT,
        attempt,
        is_flat: numbers.once_in(3),
        condition: None,
        only_if: None,
    }
}

/// A change that waits, or is under way.
pub(super) fn waiting(
    numbers: &mut TestRandom,
    connection: &Connection,
    status: CampaignStatus,
    at: Timestamp,
) -> Change {
    let by = key(u32::try_from(numbers.below(3)).unwrap());
    let budget_amount = numbers.once_in(2).then(|| amount(numbers));
    let mut changes = CampaignChanges::of_status(status);
    if status == CampaignStatus::Active {
        changes.budget_amount = budget_amount;
    }
    let request = request(numbers, connection, &by);
    let state = if numbers.once_in(8) { ChangeState::Sending } else { ChangeState::Scheduled };
    let number = usize::try_from(numbers.below(1_000)).unwrap();
    Change { state, ..request.for_held_date(Action::Update(changes), number, at) }
}

pub(super) fn facts(numbers: &mut TestRandom, connection: &Connection, by: &Requester) -> Facts {
    let current = campaign(numbers, connection);
    let mut known = PendingChanges::default();
    let mut held = HeldDates::default();
    if are_dates_held(connection.platform) {
        held.start_at = numbers.once_in(2).then(|| hours(numbers.one_of(&[-5, 24, 48])));
        if let Some(start) = held.start_at.filter(|start| *start > now() && numbers.once_in(2)) {
            known.activation = Some(waiting(numbers, connection, CampaignStatus::Active, start));
        }
        held.end_at = numbers.once_in(2).then(|| hours(numbers.one_of(&[-2, 100, 200])));
        if let Some(end) = held.end_at.filter(|end| *end > now()) {
            known.pause = Some(waiting(numbers, connection, CampaignStatus::Paused, end));
        }
        held.activation = known.activation.as_ref().map(|change| change.id);
        held.pause = known.pause.as_ref().map(|change| change.id);
    }
    let monthly = (numbers.once_in(3) && current.budget_amount.is_some()).then(|| {
        let status = numbers.one_of(&[CampaignStatus::Active, CampaignStatus::Paused]);
        known.step = numbers.once_in(3).then(|| waiting(numbers, connection, status, now()));
        known.resume = numbers.once_in(3).then(|| waiting(numbers, connection, CampaignStatus::Active, hours(60)));
        let ledger = Ledger::begin(date(2026, 11, 28), Decimal::ZERO, Decimal::from(50));
        let requested_by = key(u32::try_from(numbers.below(3)).unwrap());
        let origin = ChangeOrigin::new(Uuid::nil(), requested_by);
        MonthlyBudget {
            step: known.step.as_ref().map(|change| change.id),
            resume: known.resume.as_ref().map(|change| change.id),
            is_halted: numbers.once_in(5),
            closed_until: numbers.once_in(5).then(|| hours(60)),
            ..MonthlyBudget::new(Decimal::from(3_100), origin, ledger, now())
        }
    });
    let record = CampaignRecord { revision: i64::from(monthly.is_some()), held, monthly, ..CampaignRecord::default() };
    let spending = spending(numbers, connection, by);
    let of_key = spending.as_ref().and_then(|state| state.spendings.key());
    let others = if of_key.is_some() && numbers.once_in(3) {
        vec![waiting(numbers, connection, CampaignStatus::Active, hours(30))]
    } else {
        Vec::new()
    };
    Facts { now: now(), current, record, waiting: known, others, spending, may_observe: true }
}

/// What a change counts against: the limit of its key, that of the user of its connection, both, or neither.
pub(super) fn spending(numbers: &mut TestRandom, connection: &Connection, by: &Requester) -> Option<SpendingState> {
    let mut spendings = Vec::new();
    if let Requester::ApiKey { id, .. } = by
        && !numbers.once_in(2)
    {
        spendings.push(limited(numbers, Spender::Key(id.clone()), connection));
    }
    if let Some(user) = connection.external_ref.clone().filter(|_| numbers.once_in(3)) {
        let of_user = limited(numbers, Spender::User(user), connection);
        let stopped_at = numbers.once_in(6).then(|| hours(-1));
        let limit = of_user.limit.clone().filter(|_| stopped_at.is_none() || numbers.once_in(2));
        let left = numbers.once_in(10).then(|| (connection.id.clone(), hours(1))).into_iter().collect();
        spendings.push(Spending { limit, stopped_at, left, ..of_user });
    }
    let spendings: Spendings = spendings.into_iter().collect();
    (!spendings.is_empty()).then(|| SpendingState { spendings, turn: turn(numbers) })
}

/// A spender with a limit.
fn limited(numbers: &mut TestRandom, spender: Spender, connection: &Connection) -> Spending {
    let amounts = vec![CurrencyLimit {
        currency: usd(),
        daily: Decimal::from(numbers.one_of(&[0_u32, 90, 1_000])),
        lifetime: Decimal::from(numbers.one_of(&[0_u32, 1_000])),
        per_change: numbers.once_in(3).then(|| Decimal::from(55)),
    }];
    let approval = numbers.once_in(2).then(|| ApprovalRule {
        activation: numbers.once_in(2),
        amounts: vec![(usd(), Decimal::from(numbers.one_of(&[0_u32, 20])))],
    });
    let connections = if spender.key().is_some() { vec![connection.id.clone()] } else { Vec::new() };
    Spending::new(spender, SpendingLimit { connections, amounts, creates_per_day: 1, approval })
}

/// The turn of the campaign, which another change may have.
fn turn(numbers: &mut TestRandom) -> Turn {
    let other = Uuid::from_u64_pair(2, numbers.below(u64::MAX));
    Turn {
        count: numbers.one_of(&[0, 1, 7]),
        change: numbers.once_in(4).then(|| ChangeId::new(hours(-1), other, EDIT)),
        raised: numbers.once_in(4).then(|| Raised {
            is_lifetime: numbers.once_in(2),
            from: Decimal::from(numbers.one_of(&[0_u32, 40])),
            highest: Decimal::from(numbers.one_of(&[50_u32, 100])),
            until: hours(numbers.one_of(&[-12, 12])),
        }),
    }
}

pub(super) fn by(numbers: &mut TestRandom) -> Requester {
    match numbers.below(4) {
        0 => Requester::Person { id: PersonId("p".to_owned()), email: None },
        number => key(u32::try_from(number - 1).unwrap()),
    }
}

/// A random connection.
pub(super) fn any_connection(numbers: &mut TestRandom) -> Connection {
    connection(numbers.one_of(&Platform::ALL))
}
