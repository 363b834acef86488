use super::words::COVERS;
use super::*;

fn whole(amount: i64) -> Total {
    Total::of(Some(Decimal::from(amount)))
}

/// A month with a budget of 1,000, in which a forecast is held at the budget, or at what is spent.
fn month(spent: i64, at_pace: i64, running: Running) -> MonthEnd {
    let forecast = whole(at_pace.min(spent.max(1_000)));
    let (spent, at_pace) = (whole(spent), whole(at_pace));
    let (month, amount, needed) = (Month::parse("2026-11").unwrap(), 1_000.into(), at_pace);
    let phase = Phase::Running;
    MonthEnd { month, phase, amount, spent, needed, at_pace, forecast, running, restart: None }
}

fn advised(month: MonthEnd) -> String {
    month.advice("Meta", None, &|amount| format!("{amount} USD"))
}

fn told(month: MonthEnd) -> String {
    month.sentence("2 ads rejected", &|amount| amount.to_string(), &|amount| format!("{amount} USD"))
}

#[test]
fn a_verdict_says_over_fast_behind_or_on_track() {
    for (spent, at_pace, running, verdict, sentence) in [
        (2_910, 2_910, Running::MonthSpent, Verdict::Over, "Spent 2910 of 1000 USD"),
        (2_910, 2_910, Running::No, Verdict::Over, "Spent 2910 of 1000 USD"),
        (1_001, 1_500, Running::Yes, Verdict::Over, "Over: ends at about 1001 of 1000 USD"),
        (1_000, 1_000, Running::MonthSpent, Verdict::Stands, "Month spent"),
        (1_000, 1_000, Running::Canceled, Verdict::Stands, "Month spent"),
        (500, 1_101, Running::Yes, Verdict::Fast, "Fast: this pace comes to about 1101 of 1000 USD"),
        (500, 1_100, Running::Yes, Verdict::OnTrack, "On track"),
        (500, 900, Running::Yes, Verdict::OnTrack, "On track"),
        (500, 899, Running::Yes, Verdict::Behind, "Behind: ends at about 899 of 1000 USD"),
        (500, 500, Running::No, Verdict::NotRunning, "Stands still at 500 of 1000 USD: 2 ads rejected"),
        (500, 500, Running::Blocked, Verdict::NotRunning, "Stands still at 500 of 1000 USD: 2 ads rejected"),
        (0, 0, Running::Blocked, Verdict::NotRunning, "Stands still at 0 of 1000 USD: 2 ads rejected"),
        (850, 850, Running::MonthSpent, Verdict::Stands, "Month spent"),
    ] {
        let month = month(spent, at_pace, running);
        assert_eq!((month.verdict(), told(month).as_str()), (verdict, sentence), "{spent}");
        assert_eq!(advised(month).is_empty(), verdict == Verdict::OnTrack, "{spent}");
    }
}

#[test]
fn the_advice_says_what_the_rest_of_the_month_needs() {
    let paused = MonthEnd { needed: whole(4_100), ..month(1_200, 1_200, Running::Yes) };
    let part = MonthEnd { needed: whole(4_100).lower_bound(), running: Running::Yes, ..paused };
    assert!(advised(part).ends_with("raise its budget: it needs at least 4100 USD to run to the end of the month."));
    let fast = advised(month(500, 1_500, Running::Yes));
    assert!(fast.ends_with("It needs about 1500 USD to run to the end of the month at this pace."), "{fast}");
}

#[test]
fn what_stands_is_told_the_amount_that_restarts_it() {
    let stands = MonthEnd { restart: Some(1_400.into()), ..month(1_000, 1_000, Running::MonthSpent) };
    let raise = "Paused until 1 Dec. Raise its budget to 1400 USD to restart it today.";
    assert_eq!((advised(stands), stands.advised_amount()), (format!("{raise} {COVERS}"), Some(1_400.into())));
    let over = MonthEnd { spent: whole(1_200), ..stands };
    assert_eq!((over.verdict(), advised(over)), (Verdict::Over, advised(stands)));
    let early = MonthEnd { needed: whole(4_100), ..stands };
    let raise = "Raise its budget to 4100 USD to restart it today and run to the end of the month.";
    assert_eq!(advised(early), format!("Paused until 1 Dec. {raise}"));
    let late = MonthEnd { restart: None, ..stands };
    assert_eq!((advised(late).as_str(), late.advised_amount()), ("Paused until 1 Dec.", None));
    let canceled = |restart| MonthEnd { running: Running::Canceled, restart, ..stands };
    let raise = "Its restart was canceled. Raise its budget to 1400 USD, then activate it.";
    assert_eq!(advised(canceled(stands.restart)), raise);
    assert_eq!(advised(canceled(None)), "Its restart was canceled. Activate it on 1 Dec or later.");
    let stopped = MonthEnd { running: Running::No, ..over };
    assert_eq!(stopped.advised_amount(), None);
}

#[test]
fn a_month_behind_has_a_reason_only_where_one_is_known() {
    let behind = month(100, 355, Running::Yes);
    assert_eq!(advised(behind), "Look at its audience, bid and ads on Meta.");
    let advice = behind.advice("Meta", Some("Not running: 2 ads rejected"), &|amount| amount.to_string());
    assert_eq!(advice, "Not running: 2 ads rejected.");
}

#[test]
fn a_month_that_is_another_one_at_the_ad_account_has_no_verdict_and_no_advice() {
    let at = "2026-12-01T08:00:00Z".parse().unwrap();
    let apart = |phase| MonthEnd { phase, ..month(2_910, 9_000, Running::MonthSpent) };
    let (before, after) = (apart(Phase::NotBegun(at)), apart(Phase::Ended(at)));
    assert_eq!((before.verdict(), told(before).as_str()), (Verdict::NotBegun, "Its November begins 1 Dec, 08:00 UTC"));
    assert_eq!((after.verdict(), told(after).as_str()), (Verdict::Ended, "Its November ended 1 Dec, 08:00 UTC"));
    for end in [before, after] {
        assert_eq!((advised(end), end.proposed_amount()), (String::new(), None));
    }
}

#[test]
fn a_raised_month_says_alone_that_it_goes_on() {
    let raised = month(500, 700, Running::Soon);
    assert_eq!((told(raised), advised(raised)), ("Restarts within minutes".to_owned(), String::new()));
    assert_eq!(month(1_001, 1_500, Running::Soon).verdict(), Verdict::Over);
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
