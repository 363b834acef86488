//! Whether the month of a campaign ends over its budget, or behind it.

mod words;

pub(crate) use words::{MonthEndWords, phase_words};

use crate::kit::campaign::CampaignSummary;
use crate::kit::forecast::{MonthClock, Phase, held};
use crate::kit::month::{self, Resumption};
use crate::kit::total::Total;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::MonthSpend;
use shared::domain::monthly::Month;

/// What a month may differ from its budget without a word, in percent of the budget: a monthly budget leaves some room for
/// what its platform may overspend.
const TOLERANCE: i64 = 10;
/// How a month ends, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// More than the budget is spent.
    Over,
    /// The pace is that of a larger budget, so this service slows the campaign.
    Fast,
    /// It does not spend, although its budget is not spent.
    NotRunning,
    /// It spends less than its budget.
    Behind,
    /// The month is spent, and the campaign stands until the next one.
    Stands,
    /// Too little is known.
    Unknown,
    /// The month was spent, and its budget is raised so that it goes on.
    GoesOn,
    OnTrack,
    /// The month has not begun at its ad account.
    NotBegun,
    /// The month is over at its ad account.
    Ended,
}

/// Whether a campaign spends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Running {
    Yes,
    /// Its monthly budget has paused it, and this service activates it within minutes.
    Soon,
    /// Its monthly budget has paused it until the next month.
    MonthSpent,
    /// Its monthly budget has paused it, and a person has canceled its restart.
    Canceled,
    /// It is active, and its platform does not show it.
    Blocked,
    /// Somebody has paused it, or it is over.
    No,
}

/// What a month comes to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MonthEnd {
    pub(crate) month: Month,
    pub(crate) phase: Phase,
    pub(crate) amount: Decimal,
    pub(crate) spent: Total,
    /// The spend of the whole month, if the campaign spends on at the pace of the last days.
    pub(crate) needed: Total,
    /// The same for one that runs, and what is spent for one that does not.
    pub(crate) at_pace: Total,
    /// As much of that as the budget lets come.
    pub(crate) forecast: Total,
    pub(crate) running: Running,
    /// The smallest amount that restarts a campaign which stands; `None` for another one, and where the month is as good as
    /// over.
    pub(crate) restart: Option<Decimal>,
}

impl Running {
    /// That of a campaign, which goes on with its resumption if its monthly budget has paused it. Whether its platform shows
    /// it is known to its row alone.
    pub(crate) fn of(campaign: &CampaignSummary, resumption: Option<Resumption>, now: Timestamp) -> Running {
        if campaign.is_active(now) {
            Running::Yes
        } else if campaign.goes_on_soon(resumption, now) {
            Running::Soon
        } else if !campaign.is_month_spent {
            Running::No
        } else if resumption.is_some() {
            Running::MonthSpent
        } else {
            Running::Canceled
        }
    }

    /// Whether it spends in the rest of the month.
    fn spends(self) -> bool {
        matches!(self, Running::Yes | Running::Soon)
    }

    /// Whether its monthly budget has paused it for the rest of the month.
    fn stands(self) -> bool {
        matches!(self, Running::MonthSpent | Running::Canceled)
    }
}

/// What a campaign has spent in a month: as its platform reports it, or else at least what maintenance has counted of it.
pub(crate) fn spent(reported: Total, month: MonthSpend, clock: MonthClock) -> Total {
    let counted = (month.month == clock.month).then_some(month.spent);
    if reported.known().is_some() { reported } else { Total::of(counted).lower_bound() }
}

impl MonthEnd {
    /// The end of the month of a campaign; `None` without a monthly budget. `week` is the spend of the last seven full days.
    pub(crate) fn of(
        campaign: &CampaignSummary,
        [spent, week]: [Total; 2],
        running: Running,
        clock: MonthClock,
    ) -> Option<MonthEnd> {
        let month = campaign.monthly?;
        let amount = month.amount;
        let needed = clock.forecast(spent, week, campaign.currency);
        // What the month before has paused goes on when this one begins.
        let begins = running == Running::MonthSpent && matches!(clock.phase, Phase::NotBegun(_));
        let at_pace = if running.spends() || begins { needed } else { spent };
        let is_asked = running.stands() && !clock.is_ending();
        let restart = || month::restart_amount(month, campaign.place(), clock.today(), spent.known());
        Some(MonthEnd {
            month: clock.month,
            phase: clock.phase,
            amount,
            spent,
            needed,
            at_pace,
            forecast: held(at_pace, spent, amount),
            running,
            restart: is_asked.then(restart).flatten(),
        })
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let MonthEnd { amount, phase, spent, at_pace, forecast, running, .. } = *self;
        match phase {
            Phase::NotBegun(_) => return Verdict::NotBegun,
            Phase::Ended(_) => return Verdict::Ended,
            Phase::Running => {}
        }
        let (Some(low), Some(high)) = (percent(amount, 100 - TOLERANCE), percent(amount, 100 + TOLERANCE)) else {
            return Verdict::Unknown;
        };
        if spent.known() > Some(amount) {
            return Verdict::Over;
        }
        match running {
            Running::Soon => return Verdict::GoesOn,
            Running::MonthSpent | Running::Canceled => return Verdict::Stands,
            Running::Blocked => return Verdict::NotRunning,
            Running::Yes if at_pace.known() > Some(high) => return Verdict::Fast,
            Running::Yes | Running::No => {}
        }
        if forecast.known() >= Some(low) {
            return Verdict::OnTrack;
        }
        match forecast.exact() {
            None => Verdict::Unknown,
            Some(_) if running == Running::No => Verdict::NotRunning,
            Some(_) => Verdict::Behind,
        }
    }

    /// The larger, the worse, among months of one verdict: what is active comes first, then what is farthest from its budget.
    pub(crate) fn gravity(&self) -> (bool, Decimal) {
        let share = |sum: Total| sum.known().and_then(|sum| sum.checked_div(self.amount)).unwrap_or_default();
        let distance = match self.verdict() {
            Verdict::Over => share(self.spent),
            Verdict::Fast => share(self.at_pace),
            Verdict::NotRunning | Verdict::Behind => -share(self.forecast),
            Verdict::Stands
            | Verdict::Unknown
            | Verdict::GoesOn
            | Verdict::OnTrack
            | Verdict::NotBegun
            | Verdict::Ended => Decimal::ZERO,
        };
        (matches!(self.running, Running::Yes | Running::Blocked), distance)
    }

    /// What it needs to run to the end of the month; `None` if its budget is enough, or nothing more is known than what is
    /// spent.
    fn needed_amount(&self) -> Option<Decimal> {
        self.needed.known().filter(|needed| *needed > self.amount && Some(*needed) > self.spent.known())
    }

    /// A budget with which the campaign runs to the end of the month. One that stands also restarts with it.
    pub(crate) fn proposed_amount(&self) -> Option<Decimal> {
        if self.phase != Phase::Running {
            return None;
        }
        if !self.running.stands() {
            return self.needed_amount();
        }
        let restart = self.restart?;
        let proposed = self.needed.known().map_or(restart, |needed| needed.max(restart));
        Some(proposed).filter(|proposed| *proposed > self.amount)
    }

    /// The amount that the advice names as a budget to choose; `None` where it names none.
    pub(crate) fn advised_amount(&self) -> Option<Decimal> {
        let is_advised = match self.verdict() {
            Verdict::Over => !matches!(self.running, Running::No | Running::Blocked),
            Verdict::Fast | Verdict::Stands => true,
            _ => false,
        };
        self.proposed_amount().filter(|_| is_advised)
    }
}

impl Verdict {
    pub(crate) const ALL: [Verdict; 10] = [
        Verdict::Over,
        Verdict::Fast,
        Verdict::NotRunning,
        Verdict::Behind,
        Verdict::Stands,
        Verdict::Unknown,
        Verdict::GoesOn,
        Verdict::OnTrack,
        Verdict::NotBegun,
        Verdict::Ended,
    ];
}

fn percent(amount: Decimal, percent: i64) -> Option<Decimal> {
    amount.checked_mul(Decimal::from(percent))?.checked_div(Decimal::ONE_HUNDRED)
}

#[cfg(test)]
mod tests;
