//! How a month ends, in words: the verdict, and what a person can do.

use super::{MonthEnd, Running, Verdict};
use crate::kit::campaign::CampaignSummary;
use crate::kit::money;
use crate::kit::month;
use crate::kit::total::Total;
use rust_decimal::Decimal;

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
}

impl MonthEnd {
    /// The verdict in a sentence. `bare` writes an amount alone, and `full` one with its currency.
    pub(super) fn sentence(&self, bare: &dyn Fn(Decimal) -> String, full: &dyn Fn(Decimal) -> String) -> String {
        let MonthEnd { amount, at_pace, forecast, .. } = self;
        let verdict = self.verdict();
        let about = |sum: &Total| match sum.known() {
            Some(sum_known) if sum.exact().is_none() => format!("{} or more", bare(sum_known)),
            Some(sum_known) => format!("about {}", bare(sum_known)),
            None => "an unknown amount".to_owned(),
        };
        match verdict {
            Verdict::Over | Verdict::Behind => {
                format!("{}: ends at {} of {}", verdict.word(), about(forecast), full(*amount))
            }
            Verdict::Fast => format!("{}: this pace comes to {} of {}", verdict.word(), about(at_pace), full(*amount)),
            Verdict::Stands => month::spent_badge(self.month, self.running == Running::MonthSpent),
            Verdict::Unknown | Verdict::GoesOn | Verdict::OnTrack => verdict.word().to_owned(),
        }
    }

    /// The verdict and the advice, which are the same wherever a month is told. `reason` says why an active campaign does not
    /// run, where that is known.
    pub(crate) fn words(&self, campaign: &CampaignSummary, reason: Option<&str>) -> MonthEndWords {
        let full = |amount: Decimal| money::in_currency(amount, campaign.currency);
        MonthEndWords {
            verdict: self.sentence(&|amount| money::amount_text(amount, campaign.currency.code()), &full),
            tone: self.verdict().tone(),
            advice: self.advice(campaign.id.platform().display_name(), reason, &full),
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
            (Verdict::Over, Running::No, _) => "It does not run, so it spends no more.".to_owned(),
            (Verdict::Fast, _, Some(need)) => {
                format!("It is slowed to stay within its budget. It {need} at this pace.")
            }
            (Verdict::Fast, _, None) => "It is slowed to stay within its budget.".to_owned(),
            (Verdict::Behind, Running::No, _) => "It does not run. Activate it to spend the rest.".to_owned(),
            (Verdict::Behind, _, _) => match reason {
                Some(reason) => format!("{reason}."),
                None => format!("Look at its audience, bid and ads on {platform}."),
            },
            (Verdict::Unknown, _, _) => "Some of its numbers are not here yet.".to_owned(),
            (Verdict::Stands | Verdict::GoesOn | Verdict::OnTrack, _, _) => String::new(),
        }
    }

    /// How a campaign that stands goes on before the next month.
    fn way_on(&self, full: &dyn Fn(Decimal) -> String) -> String {
        let proposed = self.proposed_amount();
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
                format!("{raise} {COVERS}")
            }
            (_, Some(amount)) => {
                format!("Raise its budget to {} to restart it today and run to the end of the month.", full(amount))
            }
            (_, None) => "It is paused for the rest of the month.".to_owned(),
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
            Verdict::Behind => "Behind",
            Verdict::Stands => "Month spent",
            Verdict::Unknown => "Not known yet",
            Verdict::GoesOn => "Restarts within minutes",
            Verdict::OnTrack => "On track",
        }
    }

    /// The class of its text.
    pub(crate) fn tone(self) -> &'static str {
        match self {
            Verdict::Over => "over",
            Verdict::Fast | Verdict::Behind => "fast",
            Verdict::Stands | Verdict::Unknown | Verdict::GoesOn | Verdict::OnTrack => "",
        }
    }
}
