//! How a month ends, in words: the verdict, and what a person can do.

use super::{MonthEnd, Running, Verdict};
use crate::kit::campaign::{CampaignSummary, status_word};
use crate::kit::forecast::Phase;
use crate::kit::money;
use crate::kit::month;
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::CampaignStatus;
use shared::domain::monthly::Month;

/// Why it takes more than the rest of the month needs.
pub(super) const COVERS: &str = "What is left must cover the most that today may still cost.";

/// The end of a month for people.
#[derive(Clone, Debug)]
pub(crate) struct MonthEndWords {
    /// `Over: ends at about 2,900.00 of 1,000.00 USD`
    pub(crate) verdict: String,
    /// The class of the verdict.
    pub(crate) tone: &'static str,
    /// What follows from it, and what a person can do; empty if nothing.
    pub(crate) advice: String,
    /// `Paused until 1 Dec`, of one that its monthly budget has paused.
    pub(crate) until: Option<String>,
    /// Whether its platform does not show it, so that its page says why.
    pub(crate) is_blocked: bool,
}

/// `Its December begins 1 Dec, 08:00 UTC`, where it is another month at an ad account.
pub(crate) fn phase_words(month: Month, phase: Phase) -> Option<String> {
    let (what, at) = match phase {
        Phase::Running => return None,
        Phase::NotBegun(at) => ("begins", at),
        Phase::Ended(at) => ("ended", at),
    };
    Some(format!("Its {} {what} {}", month.first().strftime("%B"), at.strftime("%-d %b, %H:%M UTC")))
}

impl MonthEnd {
    /// The verdict in a sentence. `bare` writes an amount alone, and `full` one with its currency. `why` says why it does not
    /// run.
    pub(super) fn sentence(
        &self,
        why: &str,
        bare: &dyn Fn(Decimal) -> String,
        full: &dyn Fn(Decimal) -> String,
    ) -> String {
        let MonthEnd { month, phase, amount, spent, at_pace, forecast, running, .. } = self;
        let verdict = self.verdict();
        let so_far = || match spent.known() {
            Some(known) if spent.exact().is_none() => format!("{} or more of {}", bare(known), full(*amount)),
            Some(known) => format!("{} of {}", bare(known), full(*amount)),
            None => format!("an unknown part of {}", full(*amount)),
        };
        let about = |sum: &Total| match sum.known() {
            Some(sum_known) if sum.exact().is_none() => format!("{} or more", bare(sum_known)),
            Some(sum_known) => format!("about {}", bare(sum_known)),
            None => "an unknown amount".to_owned(),
        };
        match verdict {
            Verdict::Over if !running.spends() => format!("Spent {}", so_far()),
            Verdict::NotRunning => format!("Stands still at {}: {why}", so_far()),
            Verdict::Over | Verdict::Behind => {
                format!("{}: ends at {} of {}", verdict.word(), about(forecast), full(*amount))
            }
            Verdict::Fast => format!("{}: this pace comes to {} of {}", verdict.word(), about(at_pace), full(*amount)),
            Verdict::NotBegun | Verdict::Ended => phase_words(*month, *phase).unwrap_or_default(),
            Verdict::Stands | Verdict::Unknown | Verdict::GoesOn | Verdict::OnTrack => verdict.word().to_owned(),
        }
    }

    /// The verdict and the advice, which are the same wherever a month is told. `reason` says why an active campaign does not
    /// run, where that is known.
    pub(crate) fn words(&self, campaign: &CampaignSummary, reason: Option<&str>) -> MonthEndWords {
        let full = |amount: Decimal| money::in_currency(amount, campaign.currency);
        let bare = |amount: Decimal| money::amount_text(amount, campaign.currency.code());
        // One that is called active, and neither runs nor is blocked, is past its end.
        let is_over = matches!(campaign.status, CampaignStatus::Active | CampaignStatus::Ended);
        let why = match &campaign.not_running {
            Some(not_running) if self.running == Running::Blocked => not_running.words(),
            _ if is_over => "its end date has passed".to_owned(),
            _ => status_word(campaign.status).to_lowercase(),
        };
        let advice = self.advice(campaign.id.platform().display_name(), reason, &full);
        let is_final = is_over && self.running == Running::No && self.verdict() == Verdict::NotRunning;
        MonthEndWords {
            verdict: self.sentence(&why, &bare, &full),
            tone: self.verdict().tone(),
            advice: if is_final { String::new() } else { advice },
            until: self.until(),
            is_blocked: self.running == Running::Blocked,
        }
    }

    /// What follows from it, and what a person can do; empty if nothing.
    pub(super) fn advice(&self, platform: &str, reason: Option<&str>, full: &dyn Fn(Decimal) -> String) -> String {
        let need = self.need(full);
        match (self.verdict(), self.running, need) {
            (Verdict::Over | Verdict::Stands, Running::MonthSpent | Running::Canceled, _) => self.way_on(full),
            (Verdict::Over, Running::Yes | Running::Soon, Some(need)) => {
                format!("It still runs. Pause it, or raise its budget: it {need}.")
            }
            (Verdict::Over, Running::Yes | Running::Soon, None) => {
                "It still runs. Pause it, or raise its budget.".to_owned()
            }
            (Verdict::Over, Running::No | Running::Blocked, _) => "It does not run, so it spends no more.".to_owned(),
            (Verdict::Fast, _, Some(need)) => {
                format!("It is slowed to stay within its budget. It {need} at this pace.")
            }
            (Verdict::Fast, _, None) => "It is slowed to stay within its budget.".to_owned(),
            (Verdict::NotRunning, Running::Blocked, _) => "It spends nothing until this is solved.".to_owned(),
            (Verdict::NotRunning, _, _) => "Activate it to spend the rest.".to_owned(),
            (Verdict::Behind, _, _) => match reason {
                Some(reason) => format!("{reason}."),
                None => format!("Look at its audience, bid and ads on {platform}."),
            },
            (Verdict::Unknown, _, _) => "Some of its numbers are not here yet.".to_owned(),
            (Verdict::Stands | Verdict::GoesOn | Verdict::OnTrack | Verdict::NotBegun | Verdict::Ended, _, _) => {
                String::new()
            }
        }
    }

    /// Until when its monthly budget has paused it.
    fn until(&self) -> Option<String> {
        let is_paused = self.phase == Phase::Running && self.running == Running::MonthSpent;
        is_paused.then(|| format!("Paused until {}", month::first_of_next(self.month)))
    }

    /// How a campaign that stands goes on before the next month.
    fn way_on(&self, full: &dyn Fn(Decimal) -> String) -> String {
        let (proposed, until) = (self.proposed_amount(), self.until().unwrap_or_default());
        match (self.running, proposed) {
            (Running::Canceled, Some(amount)) => {
                format!("Its restart was canceled. Raise its budget to {}, then activate it.", full(amount))
            }
            (Running::Canceled, None) => {
                let day = month::first_of_next(self.month);
                format!("Its restart was canceled. Activate it on {day} or later.")
            }
            (_, Some(amount)) if proposed == self.restart => {
                let raise = format!("Raise its budget to {} to restart it today.", full(amount));
                format!("{until}. {raise} {COVERS}")
            }
            (_, Some(amount)) => {
                let raise = format!("Raise its budget to {} to restart it today", full(amount));
                format!("{until}. {raise} and run to the end of the month.")
            }
            (_, None) => format!("{until}."),
        }
    }

    /// `needs about 4,100.00 EUR to run to the end of the month`
    fn need(&self, full: &dyn Fn(Decimal) -> String) -> Option<String> {
        let needed = self.needed_amount()?;
        let about = if self.needed.exact().is_some() { "about" } else { "at least" };
        Some(format!("needs {about} {} to run to the end of the month", full(needed)))
    }
}

impl Verdict {
    /// The verdict in a word or two.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Over => "Over",
            Verdict::Fast => "Fast",
            Verdict::NotRunning => "Not running",
            Verdict::Behind => "Behind",
            Verdict::Stands => month::SPENT,
            Verdict::Unknown => "Not known yet",
            Verdict::GoesOn => "Restarts within minutes",
            Verdict::OnTrack => "On track",
            Verdict::NotBegun => "Not begun",
            Verdict::Ended => "Ended",
        }
    }

    /// The class of its text.
    pub(crate) fn tone(self) -> &'static str {
        match self {
            Verdict::Over => "over",
            Verdict::Fast | Verdict::NotRunning | Verdict::Behind => "fast",
            _ => "",
        }
    }
}
