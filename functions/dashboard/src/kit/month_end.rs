//! Whether the month of a campaign ends over its budget, or behind it.

use crate::kit::forecast::{MonthClock, held};
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::Currency;

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
    /// It spends less than its budget.
    Behind,
    /// Too little is known.
    Unknown,
    /// The month was spent, its budget is raised, and whether it goes on is not decided yet.
    Raised,
    /// The month was spent, and its budget is raised so that it goes on.
    GoesOn,
    OnTrack,
}

/// Whether a campaign spends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Running {
    Yes,
    /// Its monthly budget has paused it, and this service activates it within minutes.
    Soon,
    /// Its monthly budget has paused it and was raised, and this service decides within minutes whether it goes on.
    Raised,
    /// Its monthly budget has paused it.
    MonthSpent,
    /// Somebody has paused it, or it is over.
    No,
}

/// What a month comes to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MonthEnd {
    pub(crate) amount: Decimal,
    pub(crate) spent: Total,
    /// The spend of the whole month, if the campaign spends on at the pace of the last days.
    pub(crate) needed: Total,
    /// The same for one that runs, and what is spent for one that does not.
    pub(crate) at_pace: Total,
    /// As much of that as the budget lets come.
    pub(crate) forecast: Total,
    pub(crate) running: Running,
}

impl MonthEnd {
    /// The end of a month with this amount. `week` is the spend of the last seven full days.
    pub(crate) fn of(
        amount: Decimal,
        [spent, week]: [Total; 2],
        running: Running,
        (clock, currency): (MonthClock, Currency),
    ) -> MonthEnd {
        let needed = clock.forecast(spent, week, currency);
        let at_pace = if matches!(running, Running::Yes | Running::Soon) { needed } else { spent };
        MonthEnd { amount, spent, needed, at_pace, forecast: held(at_pace, spent, amount), running }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let MonthEnd { amount, spent, needed: _, at_pace, forecast, running } = *self;
        let (Some(low), Some(high)) = (percent(amount, 100 - TOLERANCE), percent(amount, 100 + TOLERANCE)) else {
            return Verdict::Unknown;
        };
        if spent.known() > Some(amount) {
            return Verdict::Over;
        }
        match running {
            Running::Soon => return Verdict::GoesOn,
            Running::Raised => return Verdict::Raised,
            Running::Yes | Running::MonthSpent | Running::No => {}
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
    pub(crate) fn gravity(&self) -> (bool, Decimal) {
        let share = |sum: Total| sum.known().and_then(|sum| sum.checked_div(self.amount)).unwrap_or_default();
        let distance = match self.verdict() {
            Verdict::Over => share(self.spent),
            Verdict::Fast => share(self.at_pace),
            Verdict::Behind => -share(self.forecast),
            Verdict::Unknown | Verdict::Raised | Verdict::GoesOn | Verdict::OnTrack => Decimal::ZERO,
        };
        (self.running == Running::Yes, distance)
    }

    /// The verdict in a sentence: `Over: ends at about 2,900.00 of 1,000.00 USD`. `bare` writes an amount alone, and `full`
    /// one with its currency.
    pub(crate) fn sentence(&self, bare: &dyn Fn(Decimal) -> String, full: &dyn Fn(Decimal) -> String) -> String {
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
            Verdict::Unknown | Verdict::Raised | Verdict::GoesOn | Verdict::OnTrack => String::new(),
        };
        format!("{}{rest}", verdict.word())
    }

    /// What follows from it, and what a person can do; empty if nothing. `reason` says why an active campaign does not run,
    /// where that is known.
    pub(crate) fn advice(&self, platform: &str, reason: Option<&str>, full: &dyn Fn(Decimal) -> String) -> String {
        let need = self.need(full);
        match (self.verdict(), self.running, need) {
            (Verdict::Over, Running::Yes | Running::Soon, Some(need)) => {
                format!("It still runs. Pause it, or raise its budget: it {need}.")
            }
            (Verdict::Over, Running::Yes | Running::Soon, None) => {
                "It still runs. Pause it, or raise its budget.".to_owned()
            }
            (Verdict::Over, Running::MonthSpent | Running::Raised, Some(need)) => {
                format!("It is paused for this month. It {need}.")
            }
            (Verdict::Over, Running::MonthSpent | Running::Raised, None) => {
                "It is paused for this month. A higher budget restarts it.".to_owned()
            }
            (Verdict::Over, Running::No, _) => "It does not run, so it spends no more.".to_owned(),
            (Verdict::Fast, _, Some(need)) => {
                format!("It is slowed to stay within its budget. It {need} at this pace.")
            }
            (Verdict::Fast, _, None) => "It is slowed to stay within its budget.".to_owned(),
            (Verdict::Behind, Running::No, _) => "It does not run. Activate it to spend the rest.".to_owned(),
            (Verdict::Behind, Running::Yes | Running::Soon | Running::Raised | Running::MonthSpent, _) => {
                match reason {
                    Some(reason) => format!("{reason}. See its page."),
                    None => format!("Look at its audience, bid and ads on {platform}."),
                }
            }
            (Verdict::Unknown, _, _) => "Some of its numbers are not here yet.".to_owned(),
            (Verdict::Raised, _, _) => {
                "It restarts within minutes, if what is left covers the most that today may still cost.".to_owned()
            }
            (Verdict::GoesOn | Verdict::OnTrack, _, _) => String::new(),
        }
    }

    /// What it needs to run to the end of the month; `None` if its budget is enough, or nothing more is known than what is
    /// spent.
    pub(crate) fn needed_amount(&self) -> Option<Decimal> {
        self.needed.known().filter(|needed| *needed > self.amount && Some(*needed) > self.spent.known())
    }

    /// The amount that the advice names as a budget to choose; `None` where it names none.
    pub(crate) fn advised_amount(&self) -> Option<Decimal> {
        let is_advised = match self.verdict() {
            Verdict::Over => self.running != Running::No,
            Verdict::Fast => true,
            Verdict::Behind | Verdict::Unknown | Verdict::Raised | Verdict::GoesOn | Verdict::OnTrack => false,
        };
        self.needed_amount().filter(|_| is_advised)
    }

    /// `needs about 4,100.00 EUR to run to the end of the month`
    fn need(&self, full: &dyn Fn(Decimal) -> String) -> Option<String> {
        let needed = self.needed_amount()?;
        let about = if self.needed.exact().is_some() { "about" } else { "at least" };
        Some(format!("needs {about} {} to run to the end of the month", full(needed)))
    }
}

impl Verdict {
    pub(crate) const ALL: [Verdict; 7] = [
        Verdict::Over,
        Verdict::Fast,
        Verdict::Behind,
        Verdict::Unknown,
        Verdict::Raised,
        Verdict::GoesOn,
        Verdict::OnTrack,
    ];

    /// The verdict in a word or two.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Over => "Over",
            Verdict::Fast => "Fast",
            Verdict::Behind => "Behind",
            Verdict::Unknown => "Not known yet",
            Verdict::Raised => "Checking the new budget",
            Verdict::GoesOn => "Restarts within minutes",
            Verdict::OnTrack => "On track",
        }
    }

    /// The class of its text.
    pub(crate) fn tone(self) -> &'static str {
        match self {
            Verdict::Over => "over",
            Verdict::Fast | Verdict::Behind => "fast",
            Verdict::Unknown | Verdict::Raised | Verdict::GoesOn | Verdict::OnTrack => "",
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
        let (spent, at_pace) = (whole(spent), whole(at_pace));
        MonthEnd { amount: 1_000.into(), spent, needed: at_pace, at_pace, forecast, running }
    }

    fn advised(month: MonthEnd) -> String {
        month.advice("Meta", None, &|amount| format!("{amount} USD"))
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
            assert_eq!(advised(month).is_empty(), verdict == Verdict::OnTrack, "{spent}");
        }
    }

    #[test]
    fn the_advice_says_what_the_rest_of_the_month_needs() {
        let paused = MonthEnd { needed: whole(4_100), ..month(1_200, 1_200, Running::MonthSpent) };
        let need = "It needs about 4100 USD to run to the end of the month.";
        assert_eq!(advised(paused), format!("It is paused for this month. {need}"));
        let stopped = MonthEnd { running: Running::No, ..paused };
        assert_eq!((paused.advised_amount(), stopped.advised_amount()), (Some(4_100.into()), None));
        let rests = MonthEnd { needed: whole(1_200), ..paused };
        assert_eq!(advised(rests), "It is paused for this month. A higher budget restarts it.");
        let part = MonthEnd { needed: whole(4_100).lower_bound(), running: Running::Yes, ..paused };
        assert!(
            advised(part).ends_with("raise its budget: it needs at least 4100 USD to run to the end of the month.")
        );
        let fast = advised(month(500, 1_500, Running::Yes));
        assert!(fast.ends_with("It needs about 1500 USD to run to the end of the month at this pace."), "{fast}");
    }

    #[test]
    fn a_month_behind_has_a_reason_only_where_one_is_known() {
        let behind = month(100, 355, Running::Yes);
        assert_eq!(advised(behind), "Look at its audience, bid and ads on Meta.");
        let advice = behind.advice("Meta", Some("Not running: 2 ads rejected"), &|amount| amount.to_string());
        assert_eq!(advice, "Not running: 2 ads rejected. See its page.");
    }

    #[test]
    fn a_raised_month_says_alone_that_it_goes_on() {
        let raised = month(500, 700, Running::Soon);
        assert_eq!((told(raised), advised(raised)), ("Restarts within minutes".to_owned(), String::new()));
        assert_eq!(month(1_001, 1_500, Running::Soon).verdict(), Verdict::Over);
        let raised = month(990, 990, Running::Raised);
        assert_eq!((raised.verdict(), told(raised)), (Verdict::Raised, "Checking the new budget".to_owned()));
        assert!(advised(raised).starts_with("It restarts within minutes, if what is left covers"));
    }

    #[test]
    fn a_part_that_is_not_known_is_no_verdict_but_over() {
        let at_least = |spent: i64| {
            let sum = whole(spent).lower_bound();
            MonthEnd { spent: sum, needed: sum, at_pace: sum, forecast: sum, ..month(0, 0, Running::Yes) }
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
