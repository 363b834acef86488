//! The laws of plans of new campaigns.

use super::CASES;
use super::random::{amount, any_connection, by, hours, key, now, spending};
use crate::changes::plan::{
    CampaignRequest, CreatePlan, Verdict, all_or_none, count_creates, plan_approved, plan_create, preview_creates,
};
use crate::domain::spending::{SpendingLimit, Spendings};
use crate::domain::test_random::TestRandom;
use crate::domain::{
    Approval, Approver, Attempt, BudgetPeriod, CampaignDefaults, CampaignDraft, CampaignStatus, ChangeOrigin,
    ChangeState, Connection, ConnectionId, Currency, CustomerId, DefaultsSource, Goal, Moment, Reason, Requester,
    Spending,
};
use crate::error::{Error, Kind};
use jiff::civil::date;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use uuid::Uuid;

/// What each target of a request comes to.
type Targets<'a> = Vec<Result<CreatePlan<'a>, Error>>;

/// Runs a law over requests with one to three targets and what they count against; a failure names its seed. The law says
/// whether a case was one for it: at least so many must be.
fn for_all(least: u64, law: impl Fn(&mut TestRandom, &Targets<'_>, &Spendings) -> bool) {
    let mut checked = 0;
    for seed in 0..CASES {
        let numbers = &mut TestRandom(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let several = numbers.one_of(&[1, 1, 1, 1, 2, 3]);
        let connections: Vec<Connection> = (0..several).map(|number| account(numbers, number)).collect();
        let (by, draft) = (by(numbers), draft(numbers));
        let spendings = limit(numbers, &connections, &by);
        let request = Uuid::from_u64_pair(2, seed);
        let origin = ChangeOrigin::new(request, by);
        let targets: Targets<'_> = connections
            .iter()
            .enumerate()
            .map(|(number, connection)| plan_create(asked(numbers, connection, &draft, number, &origin), &spendings))
            .collect();
        let held = catch_unwind(AssertUnwindSafe(|| law(numbers, &targets, &spendings)));
        checked += u64::from(matches!(held, Ok(true)));
        assert!(held.is_ok(), "seed {seed}: {draft:?} by {origin:?} of {spendings:?}: {targets:#?}");
    }
    assert!(checked >= least, "{checked} cases of {CASES}");
}

/// A connection of its own, seldom with another currency or in an unknown time zone.
fn account(numbers: &mut TestRandom, number: u64) -> Connection {
    let mut connection = any_connection(numbers);
    connection.id = ConnectionId(format!("conn_{number}"));
    if number > 0 && numbers.once_in(3) {
        connection.external_ref = None;
    }
    if let Some(account) = &mut connection.account {
        let currencies = ["USD", "USD", "USD", "EUR", "JPY"];
        account.currency = Currency::from_code(numbers.one_of(&currencies)).unwrap();
        account.time_zone =
            numbers.one_of(&["Etc/UTC", "Etc/UTC", "America/Los_Angeles", "Asia/Tokyo", "Mars/Olympus"]).to_owned();
    }
    connection
}

fn draft(numbers: &mut TestRandom) -> CampaignDraft {
    use BudgetPeriod::{Daily, Lifetime, Monthly, Total};
    let moment = |numbers: &mut TestRandom, ahead: [i64; 4]| {
        let day = TimeZone::UTC.to_datetime(hours(numbers.one_of(&ahead))).date();
        let instant = Moment::Instant(hours(numbers.one_of(&ahead)));
        numbers.one_of(&[None, None, None, Some(instant), Some(Moment::Day(day))])
    };
    let goal = numbers.one_of(&[Goal::WebsiteTraffic, Goal::WebsiteTraffic, Goal::BrandAwareness, Goal::Leads]);
    let name = numbers.one_of(&["Spring", "Spring", "A", ""]).to_owned();
    let period = numbers.one_of(&[Daily, Daily, Daily, Lifetime, Total, Monthly]);
    let start_at = moment(numbers, [-24, 2, 72, 200_000]);
    let end_at = moment(numbers, [-2, 48, 400, 200_000]);
    CampaignDraft { start_at, end_at, ..CampaignDraft::new(name, goal, amount(numbers), period) }
}

fn asked<'a>(
    numbers: &mut TestRandom,
    connection: &'a Connection,
    draft: &CampaignDraft,
    number: usize,
    origin: &ChangeOrigin,
) -> CampaignRequest<'a> {
    let categories = numbers.one_of(&[None, Some(CampaignDefaults::POLITICS)]);
    let categories = numbers.once_in(2).then(|| categories.map(str::to_owned).into_iter().collect());
    let (country, language) = (Some("US".to_owned()), Some("en".to_owned()));
    let values = CampaignDefaults { country, language, special_ad_categories: categories };
    CampaignRequest {
        customer: CustomerId(Uuid::nil()),
        connection,
        account: connection.account.as_ref().unwrap(),
        draft: draft.clone(),
        defaults: (!numbers.once_in(4)).then_some((values, DefaultsSource::Connection)),
        origin: origin.clone(),
        number,
        attempt: attempt(1),
    }
}

/// Values that no draft has.
fn other_values() -> CampaignDefaults {
    let special_ad_categories = Some(vec![CampaignDefaults::POLITICS.to_owned(), "HOUSING".to_owned()]);
    CampaignDefaults { country: Some("DE".to_owned()), language: Some("de".to_owned()), special_ad_categories }
}

fn attempt(number: i64) -> Attempt {
    Attempt { number, at: now(), until: hours(1) }
}

/// What the creates count against: the limits may be stopped, and may have seen creates today.
fn limit(numbers: &mut TestRandom, connections: &[Connection], by: &Requester) -> Spendings {
    let Some(state) = connections.first().and_then(|first| spending(numbers, first, by)) else {
        return Spendings::default();
    };
    let mut varied = Vec::new();
    for mut spending in state.spendings.iter().cloned() {
        let is_key = spending.spender.key().is_some();
        if let Some(limit) = &mut spending.limit {
            if is_key {
                limit.connections = connections.iter().map(|one| one.id.clone()).collect();
                limit.connections.retain(|_| !numbers.once_in(8));
            }
            limit.creates_per_day = numbers.one_of(&[0, 1, 2, 5]);
        }
        let day = numbers.one_of(&[date(2026, 11, 27), date(2026, 11, 28)]);
        spending.creates = numbers.once_in(2).then(|| (day, numbers.one_of(&[1, 3])));
        spending.stopped_at = numbers.once_in(10).then(|| hours(-1));
        if spending.limit.is_some() && numbers.once_in(10) {
            spending.limit = None;
        }
        varied.push(spending);
    }
    varied.into_iter().collect()
}

/// The same once more: an error cannot be cloned.
fn again<'a>(targets: &Targets<'a>) -> Targets<'a> {
    let error =
        |error: &Error| Error { details: error.details.clone(), ..Error::new(error.kind, error.message.clone()) };
    targets.iter().map(|target| target.as_ref().cloned().map_err(error)).collect()
}

#[test]
fn create_dry_run_has_the_result_of_the_request() {
    for_all(20_000, |_, targets, spendings| {
        let told = preview_creates(again(targets), spendings, now());
        let all = match targets.as_slice() {
            [_] => again(targets).into_iter().collect(),
            _ => all_or_none(again(targets)),
        };
        let made = all.and_then(|plans| count_creates(&plans, spendings, now()).map(|_| plans));
        let refusals: Vec<&Error> = told.iter().filter_map(|one| one.as_ref().err()).collect();
        let Ok(plans) = made else {
            let error = made.err().unwrap();
            // What is refused of one target alone comes before what is refused of all together.
            let of_all = error.reason() == Reason::ApprovalRequired && !refusals.is_empty();
            assert!(
                of_all || refusals.iter().any(|refusal| refusal.kind == error.kind),
                "{error:?} is told as {refusals:?}"
            );
            assert!(told.len() > 1 || refusals[0].message == error.message, "{error:?} is told as {refusals:?}");
            return true;
        };
        assert!(refusals.is_empty(), "{refusals:?}");
        for (told, made) in told.iter().flatten().zip(&plans) {
            assert_eq!((told.verdict, &told.create), (made.verdict, &made.create));
            assert!(made.verdict == Verdict::Now || plans.len() == 1, "each waits by itself");
        }
        true
    });
}

#[test]
fn creates_are_counted_within_the_limit() {
    for_all(200, |_, targets, spendings| {
        let plans: Vec<CreatePlan<'_>> = again(targets).into_iter().flatten().collect();
        if plans.is_empty() {
            return false;
        }
        let Ok(counted) = count_creates(&plans, spendings, now()) else { return false };
        let of_each = spendings.iter().filter_map(|before| Some((before, before.limit.as_ref()?)));
        let mut has_limit = false;
        for (before, limit) in of_each {
            has_limit = true;
            counts_within(&plans, before, counted.of(&before.spender).expect("each is counted"), limit);
        }
        has_limit
    });
}

fn counts_within(plans: &[CreatePlan<'_>], before: &Spending, counted: &Spending, limit: &SpendingLimit) {
    let is_key = before.spender.key().is_some();
    assert!(!is_key || before.stopped_at.is_none(), "a stopped key creates nothing");
    let plans: Vec<_> = plans.iter().filter(|plan| before.spender.spends_in(plan.connection)).collect();
    let added = counted.creates_today(now()) - before.creates_today(now());
    assert_eq!(usize::try_from(added).unwrap(), plans.len());
    assert!(counted.creates_today(now()) <= limit.creates_per_day, "{counted:?}");
    assert_eq!((&counted.contributions, counted.version), (&before.contributions, before.version));
    for CreatePlan { connection, create, prepared, .. } in plans {
        assert_eq!(prepared.campaign.status, CampaignStatus::Paused, "it runs nothing");
        assert_eq!(prepared.campaign.budget_amount, Some(create.draft().budget_amount), "what counts is sent");
        assert!(
            create.new_campaign().monthly.is_none() && (!is_key || limit.connections.contains(&connection.id)),
            "{create:?}"
        );
        let of_currency = limit.amounts.iter().find(|amount| amount.currency == create.currency);
        let most = of_currency.expect("its currency has a limit").per_change.unwrap_or(Decimal::MAX);
        assert!(create.draft().budget_amount <= most, "{create:?} of {most}");
    }
}

#[test]
fn create_refusals_are_caller_errors_with_a_message() {
    for_all(20_000, |_, targets, spendings| {
        let told = preview_creates(again(targets), spendings, now());
        let made = all_or_none(again(targets)).and_then(|plans| count_creates(&plans, spendings, now()));
        let refusals: Vec<Error> = told.into_iter().filter_map(Result::err).chain(made.err()).collect();
        for error in &refusals {
            assert!(error.kind != Kind::Internal, "{error:?}");
            assert!(!error.message.to_string().is_empty() || !error.details.is_empty(), "{error:?}");
        }
        !refusals.is_empty()
    });
}

#[test]
fn create_review_shows_what_its_execution_would_refuse() {
    for_all(50, |numbers, targets, spendings| {
        let [Ok(plan)] = targets.as_slice() else { return false };
        if plan.verdict != Verdict::AwaitsApproval
            || count_creates(std::slice::from_ref(plan), spendings, now()).is_err()
        {
            return false;
        }
        let (waiting, connection) = (&plan.create, plan.connection);
        assert_eq!((&waiting.state, waiting.attempt), (&ChangeState::AwaitingApproval, 0));
        // Somebody may have moved the limit since, and the end of the campaign may have passed.
        let moved = if numbers.once_in(2) {
            spendings.clone()
        } else {
            limit(numbers, std::slice::from_ref(connection), &waiting.requested_by)
        };
        let at = hours(numbers.one_of(&[0, 24, 100]));
        let attempt = Attempt { at, ..attempt(waiting.attempt + 1) };
        // The connection may have other values since, which count where the draft has none.
        let defaults = numbers.once_in(2).then(|| (other_values(), DefaultsSource::Connection));
        let shown = plan_approved(waiting, connection, defaults.clone(), attempt, &moved);
        let approved = waiting.approved_by(Approval { by: Approver::in_person(key(9), Uuid::nil()), at, seen: None });
        let made = plan_approved(&approved, connection, defaults, attempt, &moved);
        let made = made.and_then(|plan| count_creates(std::slice::from_ref(&plan), &moved, at).map(|_| plan));
        assert_eq!(shown.is_err(), made.is_err(), "shown {shown:?}, made {made:?}");
        let has_ended = waiting.new_campaign().held_end_at.is_some_and(|end| end <= at);
        assert!(!has_ended || shown.is_err(), "it would run past its end: {shown:?}");
        if let (Ok(shown), Ok(made)) = (&shown, &made) {
            assert_eq!(shown.create.draft(), plan.create.draft(), "as it was asked for");
            assert_eq!(made.create, approved.sending(attempt));
            let heard = [shown, made].map(|one| (one.prepared.body.get(), one.prepared.campaign.budget_amount));
            assert_eq!(heard[0], heard[1]);
            assert_eq!(heard[0].1, plan.prepared.campaign.budget_amount);
            // Later, the platform may hear another start.
            let is_as_asked = at == now() && plan.create.draft().defaults.is_some();
            assert!(!is_as_asked || heard[0].0 == plan.prepared.body.get(), "{heard:?} of {plan:?}");
        }
        true
    });
}
