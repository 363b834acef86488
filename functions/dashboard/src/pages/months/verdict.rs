//! Whether the month of a campaign ends over its budget, or behind it.

use crate::kit::total::Total;
use rust_decimal::Decimal;

/// What a month may differ from its budget without a word, in percent of the budget: a monthly budget leaves some room for
/// what its platform may overspend.
const TOLERANCE: i64 = 10;

/// How a month ends, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// More than the budget is spent.
    Over,
    /// The pace is that of a larger budget, so this service slows the campaign.
    Fast,
    /// It spends less than its budget.
    Behind,
    /// Too little is known.
    Unknown,
    OnTrack,
}

/// Whether a campaign spends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Running {
    Yes,
    /// Its monthly budget has paused it.
    MonthSpent,
    /// Somebody has paused it, or it is over.
    No,
}

/// What a month comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct MonthEnd {
    pub(super) amount: Decimal,
    pub(super) spent: Total,
    /// The spend of the whole month at the pace of the last days.
    pub(super) at_pace: Total,
    /// The same, as far as the budget lets it come.
    pub(super) forecast: Total,
    pub(super) running: Running,
}

impl MonthEnd {
    pub(super) fn verdict(&self) -> Verdict {
        let MonthEnd { amount, spent, at_pace, forecast, running } = *self;
        let (Some(low), Some(high)) = (percent(amount, 100 - TOLERANCE), percent(amount, 100 + TOLERANCE)) else {
            return Verdict::Unknown;
        };
        if spent.known() > Some(amount) {
            return Verdict::Over;
        }
        if running == Running::Yes && at_pace.known() > Some(high) {
            return Verdict::Fast;
        }
        if running == Running::MonthSpent || forecast.known() >= Some(low) {
            return Verdict::OnTrack;
        }
        if forecast.exact().is_some() { Verdict::Behind } else { Verdict::Unknown }
    }

    /// The larger, the worse, among months of one verdict: what runs comes first, then what is farthest from its budget.
    pub(super) fn gravity(&self) -> (bool, Decimal) {
        let share = |sum: Total| sum.known().and_then(|sum| sum.checked_div(self.amount)).unwrap_or_default();
        let distance = match self.verdict() {
            Verdict::Over => share(self.spent),
            Verdict::Fast => share(self.at_pace),
            Verdict::Behind => -share(self.forecast),
            Verdict::Unknown | Verdict::OnTrack => Decimal::ZERO,
        };
        (self.running == Running::Yes, distance)
    }

    /// The verdict in a sentence: `Over: ends at about 2,900.00 of 1,000.00 USD`. `bare` writes an amount alone, and `full`
    /// one with its currency.
    pub(super) fn sentence(&self, bare: &dyn Fn(Decimal) -> String, full: &dyn Fn(Decimal) -> String) -> String {
        let MonthEnd { amount, at_pace, forecast, .. } = self;
        let verdict = self.verdict();
        let about = |sum: &Total| match sum.known() {
            Some(sum_known) if sum.exact().is_none() => format!("{} or more", bare(sum_known)),
            Some(sum_known) => format!("about {}", bare(sum_known)),
            None => "an unknown amount".to_owned(),
        };
        let rest = match verdict {
            Verdict::Over | Verdict::Behind => format!(": ends at {} of {}", about(forecast), full(*amount)),
            Verdict::Fast => format!(": this pace comes to {} of {}", about(at_pace), full(*amount)),
            Verdict::Unknown | Verdict::OnTrack => String::new(),
        };
        format!("{}{rest}", verdict.word())
    }

    /// What follows from it, and what a person can do; empty if nothing.
    pub(super) fn advice(&self) -> &'static str {
        match (self.verdict(), self.running) {
            (Verdict::Over, Running::Yes) => "It still runs. Pause it, or raise its budget.",
            (Verdict::Over, Running::MonthSpent) => "It is paused for this month. A higher budget lets it go on.",
            (Verdict::Over, Running::No) => "It does not run, so it spends no more.",
            (Verdict::Fast, _) => "It is slowed to stay within its budget. A higher budget keeps the pace.",
            (Verdict::Behind, Running::No) => "It does not run. Activate it to spend the rest.",
            (Verdict::Behind, Running::Yes | Running::MonthSpent) => "It spends too little. See why on its page.",
            (Verdict::Unknown, _) => "Some of its numbers are not here yet.",
            (Verdict::OnTrack, _) => "",
        }
    }
}

impl Verdict {
    pub(super) const ALL: [Verdict; 5] =
        [Verdict::Over, Verdict::Fast, Verdict::Behind, Verdict::Unknown, Verdict::OnTrack];

    /// The verdict in a word or two.
    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Over => "Over",
            Verdict::Fast => "Fast",
            Verdict::Behind => "Behind",
            Verdict::Unknown => "Not known yet",
            Verdict::OnTrack => "On track",
        }
    }

    /// The class of its text.
    pub(super) fn tone(self) -> &'static str {
        match self {
            Verdict::Over => "over",
            Verdict::Fast | Verdict::Behind => "fast",
            Verdict::Unknown | Verdict::OnTrack => "",
        }
    }
}

fn percent(amount: Decimal, percent: i64) -> Option<Decimal> {
    amount.checked_mul(Decimal::from(percent))?.checked_div(Decimal::ONE_HUNDRED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(amount: i64) -> Total {
        Total::of(Some(Decimal::from(amount)))
    }

    /// A month with a budget of 1,000, in which a forecast is held at the budget, or at what is spent.
    fn month(spent: i64, at_pace: i64, running: Running) -> MonthEnd {
        let forecast = whole(at_pace.min(spent.max(1_000)));
        MonthEnd { amount: 1_000.into(), spent: whole(spent), at_pace: whole(at_pace), forecast, running }
    }

    fn told(month: MonthEnd) -> String {
        month.sentence(&|amount| amount.to_string(), &|amount| format!("{amount} USD"))
    }

    #[test]
    fn a_verdict_says_over_fast_behind_or_on_track() {
        for (spent, at_pace, running, verdict, sentence) in [
            (2_910, 2_910, Running::MonthSpent, Verdict::Over, "Over: ends at about 2910 of 1000 USD"),
            (1_001, 1_500, Running::Yes, Verdict::Over, "Over: ends at about 1001 of 1000 USD"),
            (1_000, 1_000, Running::MonthSpent, Verdict::OnTrack, "On track"),
            (500, 1_101, Running::Yes, Verdict::Fast, "Fast: this pace comes to about 1101 of 1000 USD"),
            (500, 1_100, Running::Yes, Verdict::OnTrack, "On track"),
            (500, 900, Running::Yes, Verdict::OnTrack, "On track"),
            (500, 899, Running::Yes, Verdict::Behind, "Behind: ends at about 899 of 1000 USD"),
            (500, 500, Running::No, Verdict::Behind, "Behind: ends at about 500 of 1000 USD"),
            (850, 850, Running::MonthSpent, Verdict::OnTrack, "On track"),
        ] {
            let month = month(spent, at_pace, running);
            assert_eq!((month.verdict(), told(month).as_str()), (verdict, sentence), "{spent}");
            assert_eq!(month.advice().is_empty(), verdict == Verdict::OnTrack, "{spent}");
        }
    }

    #[test]
    fn a_part_that_is_not_known_is_no_verdict_but_over() {
        let at_least = |spent: i64| {
            let sum = whole(spent).lower_bound();
            MonthEnd { spent: sum, at_pace: sum, forecast: sum, ..month(0, 0, Running::Yes) }
        };
        assert_eq!(told(at_least(1_200)), "Over: ends at 1200 or more of 1000 USD");
        assert_eq!((told(at_least(600)), at_least(950).verdict()), ("Not known yet".to_owned(), Verdict::OnTrack));
        let unknown = MonthEnd { spent: Total::UNKNOWN, ..at_least(0) };
        assert_eq!(MonthEnd { forecast: Total::UNKNOWN, ..unknown }.verdict(), Verdict::Unknown);
    }

    #[test]
    fn what_runs_and_is_far_from_its_budget_is_worse() {
        let gravity = |spent, at_pace, running| month(spent, at_pace, running).gravity();
        assert!(gravity(3_000, 3_000, Running::No) > gravity(2_000, 2_000, Running::No));
        assert!(gravity(2_000, 2_000, Running::Yes) > gravity(3_000, 3_000, Running::MonthSpent), "it still spends");
        assert!(gravity(10, 100, Running::Yes) > gravity(10, 800, Running::Yes), "farther behind");
    }
}
