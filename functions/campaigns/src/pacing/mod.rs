//! Updates of a monthly budget, which this service holds (D81 in docs/decisions.md): they move its record, and maintenance
//! moves the daily budget at the platform within a minute or two.

mod carry_out;

use crate::confirmation::require_seen;
use crate::schedule::{Named, check};
use carry_out::{carry_out, keep_paused};
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use shared::changes::{
    Overruled, daily_budget, limited_values, overruled_by_pause, pacing_zone, require_amount, require_open,
};
use shared::domain::pacing::day_in;
use shared::domain::{
    Action, AdAccount, BudgetPeriod, CampaignChanges, CampaignRecord, CampaignStatus, CampaignValues, Change, ChangeId,
    ChangeState, Currency, LimitRefusal, Pacing, PlatformCampaign, Reason, Requester,
};
use shared::envelope::Shape;
use shared::error::{Error, Kind};
use shared::platforms::adapter;
use shared::platforms::errors::token_expired;
use shared::serve::Call;
use std::time::Duration;

/// What an update does to the monthly budget of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// Nothing.
    None,
    /// It begins, or has another amount from now on.
    Amount(Decimal),
    /// The campaign has this other period from now on.
    End(BudgetPeriod),
    /// Nobody is to activate the campaign when the month ends.
    StaysPaused,
    /// It stood still, and goes on in the name of whoever activates the campaign.
    TakenOver,
}

/// A move, with the changes that it overrules.
#[derive(Clone, Copy)]
struct Moved<'a> {
    what: Move,
    overruled: &'a Overruled,
    /// Whether the same update pauses the campaign.
    is_paused: bool,
}

/// What is left of an update after its monthly budget.
pub(crate) struct AfterBudget<R> {
    /// The changes for the platform.
    pub(crate) changes: CampaignChanges,
    /// The record with the new monthly budget.
    pub(crate) record: R,
    /// Whether the monthly budget was moved, or would be.
    pub(crate) is_moved: bool,
    /// The campaign as its platform tells it, if it was read.
    pub(crate) campaign: Option<PlatformCampaign>,
}

/// Refuses a monthly budget to a key with a spending limit, which knows daily budgets and whole runs only.
pub(crate) fn require_unlimited(call: &Call, currency: Currency) -> Result<(), Error> {
    match &call.spending {
        Some(state) => Err(Error::refused(&state.spending, LimitRefusal::monthly(currency))),
        None => Ok(()),
    }
}

/// Refuses a change by a key with a spending limit that wakes a campaign with a monthly budget, such as a later end.
pub(crate) fn require_no_month(
    call: &Call,
    record: Option<&CampaignRecord>,
    current: &PlatformCampaign,
    action: &Action,
) -> Result<(), Error> {
    let (Action::Update(changes), true) = (action, record.is_some_and(|record| record.pacing.is_some())) else {
        return Ok(());
    };
    let values = CampaignValues::of(current);
    match values.is_woken_by(&changes.clone().against(&values), call.request.now) {
        true => require_unlimited(call, current.currency),
        false => Ok(()),
    }
}

/// Refuses an update for a later time that a monthly budget would not admit then, as far as that is known now.
pub(crate) fn check_later(
    call: &Call,
    named: &Named<'_>,
    record: Result<Option<CampaignRecord>, Error>,
    changes: &CampaignChanges,
    apply_at: Timestamp,
) -> Result<(), Error> {
    let is_activation = changes.status == Some(CampaignStatus::Active);
    // A date may make the campaign run, which a key with a limit must not do.
    let may_wake = is_activation || changes.names_date() && call.spending.is_some();
    if !may_wake && !changes.names_budget() {
        return Ok(());
    }
    // Without the record, an amount of a month could become one of a day.
    let record = record?;
    if changes.names_budget() && concerns_month(record.as_ref(), changes) {
        return Err(monthly_is_at_once());
    }
    let pacing = record.as_ref().and_then(|record| record.pacing.as_ref()).filter(|_| may_wake);
    if pacing.is_some() {
        require_unlimited(call, account_of(named)?.currency)?;
    }
    require_open(pacing.filter(|_| is_activation), &named.id, apply_at)
}

fn monthly_is_at_once() -> Error {
    let message = "must not be sent with a MONTHLY budget, or with the budget of a campaign that has one, which changes at \
                   once: send the request at that time";
    Error::field("apply_at", message)
}

/// Whether an update is about the monthly budget of its campaign, or asks for one.
fn concerns_month(record: Option<&CampaignRecord>, changes: &CampaignChanges) -> bool {
    let is_paced = record.is_some_and(|record| record.pacing.is_some());
    let is_about = changes.names_budget() || changes.status.is_some();
    changes.budget_period == Some(BudgetPeriod::Monthly) || is_paced && is_about
}

/// Moves the monthly budget that an update names. `is_dry` only checks it.
pub(crate) async fn move_month(
    call: &Call,
    named: &Named<'_>,
    changes: CampaignChanges,
    record: Option<CampaignRecord>,
    is_dry: bool,
) -> Result<AfterBudget<Option<CampaignRecord>>, Error> {
    if !concerns_month(record.as_ref(), &changes) {
        return Ok(AfterBudget { changes, record, is_moved: false, campaign: None });
    }
    let record = record.unwrap_or_default();
    let pacing = record.pacing.as_ref();
    if call.request.shape == Shape::Flat && changes.budget_amount.is_some() && changes.budget_period.is_none() {
        return Err(daily_of_the_moment());
    }
    let what = move_of(pacing, &changes, &call.requester()?)?;
    let overruled = &overruled_by(call, what, &changes, pacing).await?;
    if changes.status == Some(CampaignStatus::Active) && (pacing.is_some() || what != Move::None) {
        require_unlimited(call, account_of(named)?.currency)?;
        require_open(pacing, &named.id, call.request.now)?;
    }
    let rest = match what {
        Move::End(_) => changes.clone(),
        _ => CampaignChanges { budget_amount: None, budget_period: None, ..changes.clone() },
    };
    if what == Move::None || what == Move::StaysPaused && overruled.waiting.is_empty() {
        let is_paused = what == Move::StaysPaused && !is_dry;
        let record = if is_paused { keep_paused(call, named, record, overruled).await? } else { record };
        return Ok(AfterBudget { changes: rest, record: Some(record), is_moved: false, campaign: None });
    }
    let current = check_month(call, named, what, &rest).await?;
    require_seen(call, named.connection, &current, Some(&record), &changes)?;
    let moved = Moved { what, overruled, is_paused: changes.status == Some(CampaignStatus::Paused) };
    let record = if is_dry { record } else { carry_out(call, named, moved, record, &current).await? };
    Ok(AfterBudget { changes: rest, record: Some(record), is_moved: true, campaign: Some(current) })
}

fn move_of(pacing: Option<&Pacing>, changes: &CampaignChanges, by: &Requester) -> Result<Move, Error> {
    // The amount that it has already is no move, unless somebody takes it over: a key may be stopped.
    let is_had = |pacing: &Pacing, amount| pacing.amount == amount && pacing.requested_by == *by && !pacing.is_halted;
    let is_new = |amount: &Decimal| pacing.is_none_or(|pacing| !is_had(pacing, *amount));
    match (pacing, changes.budget_period, changes.budget_amount.filter(is_new)) {
        (None, _, None) => Err(Error::field("budget_amount", "is required with a MONTHLY budget_period")),
        (_, Some(period), _) if period != BudgetPeriod::Monthly => Ok(Move::End(period)),
        (_, _, Some(amount)) => Ok(Move::Amount(amount)),
        (Some(_), _, None) if changes.status == Some(CampaignStatus::Paused) => Ok(Move::StaysPaused),
        (Some(pacing), _, None) if pacing.is_halted && changes.status == Some(CampaignStatus::Active) => {
            Ok(Move::TakenOver)
        }
        (Some(_), _, None) => Ok(Move::None),
    }
}

/// Refuses what would be refused now, and returns the campaign as it is.
async fn check_month(
    call: &Call,
    named: &Named<'_>,
    what: Move,
    rest: &CampaignChanges,
) -> Result<PlatformCampaign, Error> {
    let currency = account_of(named)?.currency;
    match what {
        Move::Amount(amount) => return check_amount(call, named, (amount, currency), rest).await,
        // Whoever set the amount relies on it, also where the key's own limit has room.
        Move::End(_) => require_unlimited(call, currency)?,
        Move::None | Move::StaysPaused | Move::TakenOver => {}
    }
    check(call, named, &Action::Update(rest.clone())).await
}

async fn check_amount(
    call: &Call,
    named: &Named<'_>,
    (amount, currency): (Decimal, Currency),
    rest: &CampaignChanges,
) -> Result<PlatformCampaign, Error> {
    require_unlimited(call, currency)?;
    let adapter = adapter(named.connection.platform);
    let rule = adapter.pacing_rule(currency);
    require_amount(adapter, &rule, amount, currency)?;
    let daily = daily_budget(&rule, amount, today_of(named, call.request.now)?);
    let with_daily = CampaignChanges { budget_amount: daily, ..rest.clone() };
    let current = check(call, named, &Action::Update(with_daily)).await?;
    let name = current.platform().display_name();
    if limited_values(&current).budget_amount.is_none() {
        let message = format!(
            "This campaign has no budget of its own on {name}, so it cannot have a MONTHLY one. Give it a daily budget on \
             {name} first."
        );
        return Err(Error::new(Kind::Conflict, message).because(Reason::BudgetNotOwn).on(current.platform()));
    }
    if current.budget_period == Some(BudgetPeriod::Daily) {
        return Ok(current);
    }
    let instead = match adapter.facts().capabilities.has_period_change {
        true => "Send budget_period DAILY with its amount first.",
        false => "Create another campaign for a MONTHLY budget.",
    };
    let message = format!(
        "A MONTHLY budget takes the place of a DAILY one, and this campaign has a budget for its whole run. {instead}"
    );
    Err(Error::new(Kind::NotSupported, message).on(current.platform()))
}

/// The changes that a move overrules. After a move of the amount alone the activation at the month's end stays, in the name
/// of whoever moves it; a pause leaves what activates nothing, and does not wait for an activation under way.
async fn overruled_by(
    call: &Call,
    what: Move,
    changes: &CampaignChanges,
    pacing: Option<&Pacing>,
) -> Result<Overruled, Error> {
    let (store, customer) = (call.store(), call.customer.id);
    let pacing = match pacing {
        Some(pacing) if what == Move::StaysPaused => return overruled_by_pause(store, customer, pacing).await,
        Some(pacing) if what != Move::None => pacing,
        _ => return Ok(Overruled::default()),
    };
    let is_paused = changes.status == Some(CampaignStatus::Paused);
    let is_taken_over = pacing.requested_by != call.requester()?;
    let resume = pacing.resume.filter(|_| is_paused || is_taken_over || !matches!(what, Move::Amount(_)));
    let ids: Vec<ChangeId> = pacing.step.into_iter().chain(resume).collect();
    if ids.is_empty() {
        return Ok(Overruled::default());
    }
    let changes = store.changes_by_id(customer, &ids, Timestamp::MIN).await?;
    let (under_way, others): (Vec<_>, Vec<_>) =
        changes.into_iter().partition(|change| change.state == ChangeState::Sending);
    if under_way.iter().any(|change: &Change| !is_paused || !change.activates()) {
        return Err(in_progress());
    }
    Ok(Overruled { waiting: others.into_iter().filter(Change::is_open).collect(), under_way })
}

fn account_of<'a>(named: &'a Named<'_>) -> Result<&'a AdAccount, Error> {
    named.connection.account.as_ref().ok_or_else(|| token_expired(named.connection.platform))
}

/// The day that it is in the reports of the ad account.
fn today_of(named: &Named<'_>, now: Timestamp) -> Result<Date, Error> {
    Ok(day_in(&pacing_zone(adapter(named.connection.platform), account_of(named)?)?, now))
}

/// In the flat shape a campaign with a monthly budget shows its daily one, which a caller cannot set. Tools of agents are
/// told the same, so the words name no header.
fn daily_of_the_moment() -> Error {
    let message = "is the daily budget of the moment, which follows from a monthly one. The amount of a month is set on the \
                   dashboard, or with budget_period MONTHLY in the enveloped shape; budget_period DAILY ends it";
    Error::field("budget_amount", message)
}

fn in_progress() -> Error {
    let message = "The monthly budget of the campaign is being moved. Read the campaign, and send this request again in a \
                   moment if it is still right.";
    Error::new(Kind::Conflict, message)
        .because(Reason::ChangedMeanwhile)
        .retryable()
        .retry_after(Duration::from_secs(2))
}
