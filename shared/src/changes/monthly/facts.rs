//! What the service reads before it adjusts a daily budget: the campaign, what it spent this month, and what became of the earlier steps.

use super::month_zone;
use crate::domain::monthly::{DailyBudgetRule, Ledger, Month, MonthReport, ReportState, RunState, Situation, day_in};
use crate::domain::{
    Action, BudgetPeriod, CampaignStatus, Change, ChangeState, Connection, Days, Granularity, InsightsRow,
    MonthlyBudget, PlatformCampaign, Reason,
};
use crate::error::{Error, Kind};
use crate::platforms::{InsightsRequest, adapter};
use crate::tokens::PlatformContext;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;

/// More rows than a month has.
const ALL_ROWS: usize = 100;
/// After this time without a report, a budget is lowered to the amount that certainly remains.
const MISSING_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// The latest step, the activation that ends a pause, and those that a pause has overtaken, as they are now.
#[derive(Debug, Default)]
pub(super) struct PendingSteps {
    pub(super) step: Option<Change>,
    pub(super) resume: Option<Change>,
    pub(super) overtaken: Vec<Change>,
}

impl PendingSteps {
    fn all(&self) -> impl Iterator<Item = &Change> {
        self.step.iter().chain(&self.resume).chain(&self.overtaken)
    }

    /// Whether an attempt at one of them is under way, or has an unknown outcome.
    pub(super) fn is_under_way(&self) -> bool {
        self.all().any(|change| change.state == ChangeState::Sending)
    }

    /// Whether a due change should run before the next decision: a step that has been due for less than `patience`, or
    /// the activation at the month's end, which no other change replaces.
    pub(super) fn is_imminent(&self, now: Timestamp, patience: SignedDuration) -> bool {
        let is_due = |change: &&Change| change.apply_at.is_some_and(|at| at <= now);
        let step = self.waiting_step().filter(is_due);
        step.is_some_and(|step| step.lateness(now) < patience) || self.waiting_resume().filter(is_due).is_some()
    }

    /// The step, if it waits.
    pub(super) fn waiting_step(&self) -> Option<&Change> {
        self.step.as_ref().filter(|step| step.state == ChangeState::Scheduled)
    }

    /// The activation that ends the pause, if it waits.
    pub(super) fn waiting_resume(&self) -> Option<&Change> {
        self.resume.as_ref().filter(|resume| resume.state == ChangeState::Scheduled)
    }

    /// Whether the activation that waits has another daily budget.
    pub(super) fn resume_has_other_budget(&self, daily: Decimal) -> bool {
        let resume = self.waiting_resume().map(|resume| &resume.action);
        matches!(resume, Some(Action::Update(changes)) if changes.budget_amount != Some(daily))
    }

    /// Whether somebody else had paused the campaign before the pause of this service. A pause that was sent keeps the
    /// status that it found, because it may take effect late.
    pub(super) fn was_paused_by_others_before(&self, is_running: bool) -> bool {
        let Some(pause) = self.step.as_ref().filter(|step| step.pauses()) else { return false };
        match (&pause.before, &pause.state) {
            (Some(before), _) => before.status != CampaignStatus::Active,
            (None, ChangeState::Scheduled | ChangeState::Canceled(_)) => !is_running,
            (None, _) => false,
        }
    }

    /// Whether the latest step has activated the campaign.
    fn has_activated(&self) -> bool {
        self.step.as_ref().is_some_and(|step| step.activates() && step.state == ChangeState::Applied)
    }

    /// Whether a pause waits for its next attempt.
    pub(super) fn still_pauses(&self) -> bool {
        self.waiting_step().is_some_and(Change::pauses)
    }

    /// Whether a step may have set this daily budget.
    fn has_set(&self, daily: Decimal) -> bool {
        self.all()
            .any(|change| matches!(&change.action, Action::Update(changes) if changes.budget_amount == Some(daily)))
    }
}

/// The rows of the month up to today.
pub(super) async fn read_spend(
    context: PlatformContext<'_>,
    connection: &Connection,
    remote_id: &str,
    today: Date,
) -> Result<Vec<(Date, Decimal)>, Error> {
    let days = Days { from: Month::of(today).first(), to: today };
    let (granularity, campaign) = (Granularity::Day, Some(remote_id.to_owned()));
    let request = &InsightsRequest { days, granularity, campaign, limit: ALL_ROWS, after: None };
    let read =
        context.read_report(connection, |adapter, session| async move { adapter.insights(&session, request).await });
    let page = read.await?;
    let unreadable =
        || Error::new(Kind::PlatformFailed, "The report on the campaign's spend has a day without a number.");
    // A day without a number may have spent anything. One below 0 corrects the report, and frees nothing.
    let spent = |row: InsightsRow| row.date.zip(row.spend.map(|spend| spend.max(Decimal::ZERO)));
    page.rows.into_iter().map(|row| spent(row).ok_or_else(unreadable)).collect()
}

/// Everything that a decision depends on.
pub(super) struct Observation<'a> {
    pub(super) monthly: &'a MonthlyBudget,
    pub(super) waiting: &'a PendingSteps,
    pub(super) status: CampaignStatus,
    /// The daily budget at the platform.
    pub(super) daily: Decimal,
    pub(super) rule: DailyBudgetRule,
    /// The time zone of the report's days.
    pub(super) zone: &'a TimeZone,
    pub(super) today: Date,
    pub(super) now: Timestamp,
    /// The spend of the month; `None` if the report could not be read.
    pub(super) spend: Option<&'a [(Date, Decimal)]>,
}

impl Observation<'_> {
    pub(super) fn ledger(&self) -> Ledger {
        let (ledger, factor) = (&self.monthly.ledger, self.rule.factor);
        // While the month is closed nobody activates the campaign through this service.
        let in_force = if self.run_state() == RunState::PausedByService { Decimal::ZERO } else { self.daily };
        match self.spend {
            Some(rows) => {
                ledger.with_report(&MonthReport { rows, read_at: self.now, zone: self.zone }, in_force, factor)
            }
            None => ledger.without_report(self.today, in_force, factor),
        }
    }

    /// Whether the amount of this month is spent, by an earlier decision.
    pub(super) fn is_closed(&self) -> bool {
        self.monthly.is_closed(self.now)
    }

    pub(super) fn situation<'a>(&self, ledger: &'a Ledger) -> Situation<'a> {
        Situation {
            amount: self.monthly.amount,
            ledger,
            today: self.today,
            daily: self.daily,
            run_state: self.run_state(),
            report: self.report(),
            keeps_budget: self.monthly.is_halted || self.is_refused(),
        }
    }

    /// Whether somebody else has paused the campaign: before this service could, or since it has activated it.
    pub(super) fn is_paused_by_others(&self) -> bool {
        let is_running = self.is_running();
        self.waiting.was_paused_by_others_before(is_running) || self.waiting.has_activated() && !is_running
    }

    /// Whether the campaign may spend.
    pub(super) fn is_running(&self) -> bool {
        matches!(self.status, CampaignStatus::Active | CampaignStatus::Unspecified)
    }

    fn run_state(&self) -> RunState {
        let is_resumable = self.waiting.waiting_resume().is_some() && !self.is_paused_by_others();
        if self.is_running() {
            RunState::Running
        } else if self.is_closed() && is_resumable {
            RunState::PausedByService
        } else {
            RunState::Paused
        }
    }

    fn report(&self) -> ReportState {
        let last = self.monthly.ledger.read_at;
        let is_missing = match last {
            Some(at) => self.now.duration_since(at) >= MISSING_AFTER,
            None => self.monthly.ledger.day < self.today,
        };
        match (self.spend, is_missing) {
            (Some(_), _) => ReportState::Read,
            (None, false) => ReportState::Unread,
            (None, true) => ReportState::Missing,
        }
    }

    /// Whether the platform has refused a budget of this day, or somebody has canceled it. The service tries again on
    /// the next day.
    fn is_refused(&self) -> bool {
        let refused = self.waiting.step.as_ref().filter(|step| match &step.state {
            ChangeState::Failed(_) => true,
            // A step that came too late is decided again.
            ChangeState::Canceled(why) => why.as_ref().and_then(|why| why.reason) != Some(Reason::Superseded),
            _ => false,
        });
        refused.is_some_and(|step| !step.pauses()) && self.monthly.ledger.day == self.today
    }
}

/// The daily budget of the campaign, if this service has set it or knows it. `None` if somebody else has changed it.
pub(super) fn own_budget(
    campaign: &PlatformCampaign,
    monthly: &MonthlyBudget,
    waiting: &PendingSteps,
) -> Option<Decimal> {
    if campaign.budget_period != Some(BudgetPeriod::Daily) {
        return None;
    }
    let daily = campaign.budget_amount?;
    (daily == monthly.daily || waiting.has_set(daily)).then_some(daily)
}

/// The time zone of a connection's days, the rule of its daily budgets, and today.
pub(super) fn account_days(
    connection: &Connection,
    now: Timestamp,
) -> Result<(TimeZone, DailyBudgetRule, Date), Error> {
    let adapter = adapter(connection.platform);
    let account = connection.account.as_ref().ok_or_else(|| Error::internal("a campaign of a PENDING connection"))?;
    let zone = month_zone(adapter, account)?;
    let today = day_in(&zone, now);
    Ok((zone, adapter.daily_budget_rule(account.currency), today))
}
