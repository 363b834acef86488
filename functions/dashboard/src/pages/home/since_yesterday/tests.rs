//! Tests of what changed since yesterday. The changes of the samples are of 1 December 2026, 09:00.

use super::*;
use crate::kit::changes::sample::{at, change, create, draft, now, person, update, values};
use shared::domain::{
    Action, BudgetPeriod, CampaignChanges, CampaignId, CampaignStatus, CampaignValues, ChangeError, ChangeId,
    ChangeState, Currency, KeyDisplay, KeyId, Requester,
};
use uuid::Uuid;

/// A campaign with a budget of a period, active or paused.
fn campaign(amount: u32, period: BudgetPeriod, is_active: bool) -> CampaignValues {
    let status = if is_active { CampaignStatus::Active } else { CampaignStatus::Paused };
    CampaignValues { status, budget_amount: Some(amount.into()), budget_period: Some(period), ..values("A") }
}

fn daily(amount: u32, is_active: bool) -> CampaignValues {
    campaign(amount, BudgetPeriod::Daily, is_active)
}

/// An applied change that may have changed everything.
fn moved(before: CampaignValues, after: CampaignValues) -> Change {
    let asked = CampaignChanges { budget_amount: after.budget_amount, ..CampaignChanges::of_status(after.status) };
    Change { state: ChangeState::Applied, before: Some(before), after: Some(after), ..update(asked) }
}

fn by_key(change: Change) -> Change {
    let requested_by = Requester::ApiKey { id: KeyId("key_1".to_owned()), name: "Nightly".to_owned() };
    Change { requested_by, ..change }
}

fn of(campaign: &str, change: Change) -> Change {
    Change { campaign: CampaignId::parse(campaign), ..change }
}

fn asked_at(time: &str, change: Change) -> Change {
    Change { id: ChangeId::new(at(time), Uuid::nil(), 0), settled_at: Some(at(time)), ..change }
}

/// In an account in which much runs.
fn read(changes: &[Change], has_older: bool) -> SinceYesterday {
    beside(1_000_000, changes, has_older)
}

/// In an account in which so much a day runs.
fn beside(runs: u32, changes: &[Change], has_older: bool) -> SinceYesterday {
    let (me, runs) = (PersonId("me".to_owned()), [(Currency::from_code("USD").unwrap(), Decimal::from(runs))]);
    SinceYesterday::of(changes, has_older, Reader { me: &me, keys: &[], runs_a_day: &runs, now: now() })
}

/// The sums of the only group.
fn sums(changes: &[Change]) -> Vec<String> {
    let mut groups = read(changes, false).groups;
    assert_eq!(groups.len(), 1);
    groups.remove(0).sums
}

#[test]
fn a_change_adds_what_its_campaign_may_spend_more() {
    use BudgetPeriod::{Lifetime, Monthly, Total};
    let deleted = Change { action: Action::Delete, after: None, ..moved(daily(80, true), daily(80, true)) };
    for (change, sum) in [
        (moved(daily(100, true), daily(150, true)), "+50.00 USD a day"),
        (moved(daily(150, true), daily(100, true)), "−50.00 USD a day"),
        (moved(daily(100, false), daily(100, true)), "+100.00 USD a day"),
        (moved(daily(100, false), daily(150, true)), "+150.00 USD a day"),
        (moved(daily(100, true), daily(150, false)), "−100.00 USD a day"),
        (deleted, "−80.00 USD a day"),
        (moved(campaign(100, Total, true), campaign(150, Lifetime, true)), "+50.00 USD in all"),
        (moved(campaign(900, Monthly, true), campaign(1_200, Monthly, true)), "+300.00 USD a month"),
        (moved(daily(30, true), campaign(900, Monthly, true)), "+900.00 USD a month"),
        (moved(campaign(900, Monthly, true), daily(30, true)), "−900.00 USD a month"),
    ] {
        assert_eq!(sums(&[change]), [sum]);
    }
}

#[test]
fn what_does_not_move_money_is_counted_and_not_added() {
    let renamed = CampaignChanges { name: Some("B".to_owned()), ..CampaignChanges::default() };
    let renamed = Change { action: Action::Update(renamed), ..moved(daily(10, true), daily(10, true)) };
    let created = Change { state: ChangeState::Applied, after: Some(values("B")), ..create(draft("B")) };
    assert_eq!(sums(&[renamed, created]), [""; 0]);
    let own = CampaignValues { budget_amount: None, budget_period: None, ..daily(1, true) };
    let unread = Change { before: None, ..moved(daily(1, true), daily(2, true)) };
    let resting = moved(daily(10, false), daily(5_000, false));
    let started = moved(CampaignValues { status: CampaignStatus::Paused, ..own.clone() }, own);
    let changes = [resting, of("alpha_1_3", unread), of("alpha_1_4", started)];
    let group = read(&changes, false).groups.remove(0);
    assert_eq!((group.sums.len(), group.counts.as_str()), (0, "3 changes of 3 campaigns"));
    let asides = [
        "Not in the sum: 1 budget of campaigns that do not run.",
        "Not in the sum: 2 changes whose budget is not known here.",
    ];
    assert_eq!(group.asides, asides);
}

#[test]
fn what_is_added_and_taken_again_is_nothing_and_currencies_are_apart() {
    let yen = |values: CampaignValues| CampaignValues { currency: Currency::from_code("JPY").unwrap(), ..values };
    let changes = [
        moved(daily(100, true), daily(100, false)),
        moved(daily(100, false), daily(100, true)),
        of("alpha_1_3", moved(yen(daily(100, true)), yen(daily(400, true)))),
        of("alpha_1_4", moved(campaign(10, BudgetPeriod::Lifetime, true), campaign(15, BudgetPeriod::Lifetime, true))),
    ];
    assert_eq!(sums(&changes), ["+300 JPY a day", "0.00 USD a day", "+5.00 USD in all"]);
}

#[test]
fn changes_are_grouped_by_who_made_them() {
    let step = Change { is_step: true, ..of("alpha_1_3", by_key(moved(daily(75, true), daily(281, true)))) };
    let mine = Change {
        requested_by: Requester::Person { id: PersonId("me".to_owned()), email: None },
        ..of("alpha_1_4", moved(daily(10, true), daily(10, false)))
    };
    let other = Change { requested_by: person(Some("bob@example.com")), ..of("alpha_1_5", mine.clone()) };
    let raised = |id, from| of(id, by_key(moved(daily(from, true), daily(from + 1_900, true))));
    let of_key = [raised("alpha_1_1", 100), raised("alpha_1_2", 100), raised("alpha_1_2", 2_000)];
    let changes: Vec<Change> = [mine, step, other].into_iter().chain(of_key).collect();
    let shown: Vec<(String, String, String)> = read(&changes, false)
        .groups
        .into_iter()
        .map(|group| (format!("{}{}", group.name, group.kind), group.sums.join(", "), group.counts))
        .collect();
    let row = |name: &str, sum: &str, counts: &str| (name.to_owned(), sum.to_owned(), counts.to_owned());
    assert_eq!(
        shown,
        [
            row("Nightly (API key)", "+5,700.00 USD a day", "3 changes of 2 campaigns"),
            row("Monthly budgets", "+206.00 USD a day", "1 change of 1 campaign"),
            row("You", "−10.00 USD a day", "1 change of 1 campaign"),
            row("bob@example.com", "−10.00 USD a day", "1 change of 1 campaign"),
        ],
        "who has added something comes first"
    );
}

#[test]
fn each_group_leads_to_all_that_it_did() {
    let early = asked_at("2026-11-28T10:00:00Z", by_key(moved(daily(1, true), daily(2, true))));
    let approved = Change { settled_at: Some(at("2026-12-01T08:00:00Z")), ..early };
    let late = asked_at("2026-12-01T08:30:00Z", of("alpha_1_3", by_key(moved(daily(1, true), daily(2, true)))));
    let key = read(&[late.clone(), approved], false).groups.remove(0);
    let activity = "/dashboard/activity?api_key_id=key_1&from=2026-11-28".to_owned();
    assert_eq!(key.detail, ("Activity", activity), "also what was asked for days before");
    let step = read(&[Change { is_step: true, ..late.clone() }], false).groups.remove(0);
    assert_eq!(step.detail, ("Months", "/dashboard/months".to_owned()));
    let me = Requester::Person { id: PersonId("me".to_owned()), email: None };
    let mine = read(&[Change { requested_by: me, ..late }], false).groups.remove(0);
    assert_eq!(mine.detail.1, "/dashboard/activity?person_id=me&from=2026-12-01");
}

#[test]
fn a_key_leads_to_its_activity_and_to_where_it_is_stopped() {
    let known = |is_limited, stopped_at| {
        let display = KeyDisplay { prefix: "ua".to_owned(), last_four: None };
        let key = ApiKeyInfo::unlimited(KeyId("key_1".to_owned()), "Nightly", String::new(), display, now());
        ApiKeyInfo { is_limited, stopped_at, ..key }
    };
    let group = |keys: &[ApiKeyInfo]| {
        let reader = Reader { me: &PersonId("me".to_owned()), keys, runs_a_day: &[], now: now() };
        let changes = [by_key(moved(daily(1, true), daily(2, true)))];
        SinceYesterday::of(&changes, false, reader).groups.remove(0)
    };
    let activity = "/dashboard/activity?api_key_id=key_1&from=2026-12-01".to_owned();
    assert_eq!(group(&[]).detail, ("Activity", activity));
    assert_eq!(group(&[]).stop, None, "it is deleted");
    let page = "/dashboard/keys/one?id=key_1".to_owned();
    assert_eq!(group(&[known(false, None)]).stop, Some(("Stop or revert", page.clone())));
    assert_eq!(group(&[known(true, Some(now()))]).stop, Some(("Revert what it did", page)));
}

#[test]
fn only_what_was_applied_since_yesterday_counts() {
    let raised = |id, time| of(id, asked_at(time, moved(daily(1, true), daily(2, true))));
    let (late, morning) = ("2026-11-26T08:00:00Z", "2026-12-01T08:00:00Z");
    let approved = Change { settled_at: Some(at(morning)), ..raised("alpha_1_1", late) };
    let waits = Change { state: ChangeState::Scheduled, ..raised("alpha_1_2", morning) };
    let failed = Change { state: ChangeState::Failed(ChangeError::default()), ..waits.clone() };
    let part = Change { state: ChangeState::PartlyApplied(ChangeError::default()), ..waits.clone() };
    let (first, early) = (raised("alpha_1_3", "2026-11-30T00:00:00Z"), raised("alpha_1_4", "2026-11-29T23:59:59Z"));
    let changes = [waits, failed, part, first, early, approved];
    let SinceYesterday { since, groups, is_cut, .. } = read(&changes, false);
    assert_eq!((since.as_str(), is_cut), ("30 Nov 2026, 00:00 UTC", false));
    assert_eq!(
        (groups[0].counts.as_str(), groups[0].sums[0].as_str()),
        ("3 changes of 3 campaigns", "+3.00 USD a day")
    );
    assert_eq!(read_from(now()), at("2026-11-23T00:00:00Z"));
}

#[test]
fn a_history_that_is_cut_says_from_when_it_is_whole() {
    let raised = |time| asked_at(time, moved(daily(1, true), daily(2, true)));
    let read = |oldest, has_older| {
        let SinceYesterday { since, is_cut, .. } = read(&[raised("2026-12-01T08:00:00Z"), raised(oldest)], has_older);
        (since, is_cut)
    };
    let noon = "2026-11-30T12:00:00Z";
    assert_eq!(read(noon, true), ("30 Nov 2026, 12:00 UTC".to_owned(), true));
    assert_eq!(read(noon, false), ("30 Nov 2026, 00:00 UTC".to_owned(), false));
    assert_eq!(read("2026-11-29T12:00:00Z", true), ("30 Nov 2026, 00:00 UTC".to_owned(), false));
}

#[test]
fn many_groups_are_counted() {
    let by = |number: usize| {
        let requested_by = Requester::Person { id: PersonId(number.to_string()), email: None };
        Change { requested_by, state: ChangeState::Applied, before: Some(values("A")), ..change(Action::Delete) }
    };
    let changes: Vec<Change> = (0..8).map(by).collect();
    let SinceYesterday { groups, all, .. } = read(&changes, false);
    assert_eq!((groups.len(), all), (MAX_GROUPS, Some(8)));
    assert_eq!(read(&changes[..5], false).all, None, "the page has them all");
}

/// A change of a campaign by the key, or by the person who looks.
fn step(campaign: &str, time: &str, by_me: bool, before: CampaignValues, after: CampaignValues) -> Change {
    let change = of(campaign, asked_at(time, moved(before, after)));
    let me = Requester::Person { id: PersonId("me".to_owned()), email: None };
    if by_me { Change { requested_by: me, ..change } } else { by_key(change) }
}

/// The same change as an undo.
fn undo(change: Change) -> Change {
    Change { only_if: Some(CampaignChanges::default()), ..change }
}

/// The groups of changes, as the page shows them without the day of today.
fn groups(mut changes: Vec<Change>) -> Vec<(String, String, String)> {
    changes.sort_by_key(|change| Reverse(change.id));
    let asides = |group: &Group| group.asides.join(" ").replace("\u{2063}1 Dec 2026, ", "");
    read(&changes, false)
        .groups
        .into_iter()
        .map(|group| (group.name.clone(), group.sums.join(", "), asides(&group)))
        .collect()
}

fn row(name: &str, sums: &str, asides: &str) -> (String, String, String) {
    (name.to_owned(), sums.to_owned(), asides.to_owned())
}

#[test]
fn what_was_reverted_counts_with_who_had_done_it() {
    let raised = |campaign, time| step(campaign, time, false, daily(100, true), daily(2_000, true));
    let back = |campaign, time| undo(step(campaign, time, true, daily(2_000, true), daily(100, true)));
    let mut changes = vec![
        raised("alpha_1_1", "2026-12-01T08:00:00Z"),
        raised("alpha_1_2", "2026-12-01T08:01:00Z"),
        back("alpha_1_1", "2026-12-01T08:40:00Z"),
    ];
    let in_part = groups(changes.clone());
    let one = "Reverted what “\u{2068}Nightly\u{2069}” did to 1 campaign.";
    assert_eq!(
        in_part,
        [
            row(
                "Nightly",
                "+1,900.00 USD a day",
                "1 campaign reverted by you, last at 08:40 UTC: 1,900.00 USD a day less."
            ),
            row("You", "", one)
        ]
    );
    changes.push(back("alpha_1_2", "2026-12-01T08:41:00Z"));
    let mut all = groups(changes.clone());
    all.sort();
    let two = "Reverted what “\u{2068}Nightly\u{2069}” did to 2 campaigns.";
    assert_eq!(
        all,
        [
            row("Nightly", "0.00 USD a day", "All reverted by you at 08:41 UTC: 3,800.00 USD a day less."),
            row("You", "", two)
        ]
    );
    changes.push(raised("alpha_1_1", "2026-12-01T08:50:00Z"));
    let again = groups(changes);
    assert_eq!(
        again[0],
        row(
            "Nightly",
            "+1,900.00 USD a day",
            "1 campaign reverted by you, last at 08:41 UTC: 1,900.00 USD a day less."
        )
    );
}

#[test]
fn the_pauses_of_a_stop_belong_to_the_key_that_is_stopped() {
    let raised = step("alpha_1_1", "2026-12-01T08:00:00Z", false, daily(100, true), daily(2_000, true));
    let stopped = Change {
        stops: Some(KeyId("key_1".to_owned())),
        ..step("alpha_1_1", "2026-12-01T08:10:00Z", true, daily(2_000, true), daily(2_000, false))
    };
    let back = undo(step("alpha_1_1", "2026-12-01T08:40:00Z", true, daily(2_000, false), daily(100, true)));
    let of_key = |changes| groups(changes).into_iter().find(|(name, ..)| name == "Nightly");
    let paused = row("Nightly", "−100.00 USD a day", "");
    assert_eq!(of_key(vec![raised.clone(), stopped.clone()]), Some(paused));
    let reverted = row("Nightly", "0.00 USD a day", "All reverted by you at 08:40 UTC: 1,900.00 USD a day less.");
    assert_eq!(of_key(vec![raised, stopped, back]), Some(reverted));
}

#[test]
fn an_undo_takes_back_also_after_others_and_another_budget_does_not() {
    let me = |time, before, after| step("alpha_1_1", time, true, daily(before, true), daily(after, true));
    let mut changes = vec![
        step("alpha_1_1", "2026-12-01T08:00:00Z", false, daily(100, true), daily(150, true)),
        me("2026-12-01T08:10:00Z", 150, 170),
    ];
    let raised = groups(changes.clone());
    assert_eq!(raised, [row("You", "+20.00 USD a day", ""), row("Nightly", "+50.00 USD a day", "")]);
    let back = me("2026-12-01T08:20:00Z", 170, 100);
    let by_hand = groups(changes.iter().cloned().chain([back.clone()]).collect());
    assert_eq!(by_hand, [row("Nightly", "+50.00 USD a day", ""), row("You", "−50.00 USD a day", "")]);
    changes.push(undo(back));
    let mine = row("You", "0.00 USD a day", "Reverted what “\u{2068}Nightly\u{2069}” did to 1 campaign.");
    let of_key = row("Nightly", "0.00 USD a day", "All reverted by you at 08:20 UTC: 70.00 USD a day less.");
    assert_eq!(groups(changes), [mine, of_key]);
}

#[test]
fn what_was_paused_and_has_its_old_budget_is_not_left() {
    let mut changes = vec![
        step("alpha_1_1", "2026-12-01T08:00:00Z", false, daily(51, true), daily(276, true)),
        step("alpha_1_1", "2026-12-01T08:10:00Z", true, daily(276, true), daily(276, false)),
    ];
    let paused = groups(changes.clone());
    assert_eq!(paused, [row("Nightly", "+225.00 USD a day", ""), row("You", "−276.00 USD a day", "")]);
    changes.push(undo(step("alpha_1_1", "2026-12-01T08:20:00Z", true, daily(276, false), daily(51, false))));
    let reverted = "Reverted what “\u{2068}Nightly\u{2069}” did to 1 campaign.";
    let (mine, of_key) = (
        row("You", "−51.00 USD a day", reverted),
        row("Nightly", "0.00 USD a day", "All reverted by you at 08:20 UTC."),
    );
    assert_eq!(groups(changes), [mine, of_key]);
}

#[test]
fn an_own_pause_that_is_undone_is_nothing_and_not_of_another() {
    let changes = vec![
        step("alpha_1_1", "2026-12-01T08:00:00Z", false, daily(50, false), daily(50, true)),
        step("alpha_1_1", "2026-12-01T08:10:00Z", true, daily(50, true), daily(50, false)),
        undo(step("alpha_1_1", "2026-12-01T08:20:00Z", true, daily(50, false), daily(50, true))),
    ];
    let started = row("Nightly", "+50.00 USD a day", "");
    assert_eq!(groups(changes[..2].to_vec()), [started.clone(), row("You", "−50.00 USD a day", "")]);
    assert_eq!(groups(changes), [started, row("You", "0.00 USD a day", "")]);
}

#[test]
fn pauses_of_what_a_key_has_activated_are_of_who_pauses() {
    let budgets = [("alpha_1_1", 200), ("alpha_1_2", 248), ("alpha_1_3", 250), ("alpha_1_4", 50)];
    let switched = |time, by_me, is_active: bool| {
        budgets.map(|(id, amount)| step(id, time, by_me, daily(amount, !is_active), daily(amount, is_active)))
    };
    let started = switched("2026-11-30T10:00:00Z", false, true);
    let paused = switched("2026-12-01T08:10:00Z", true, false);
    let back = undo(step("alpha_1_4", "2026-12-01T08:20:00Z", true, daily(50, false), daily(50, true)));
    let told = groups(started.into_iter().chain(paused).chain([back]).collect());
    assert_eq!(told, [row("Nightly", "+748.00 USD a day", ""), row("You", "−698.00 USD a day", "")], "in all 50.00");
}

#[test]
fn a_key_that_adds_half_of_what_else_runs_is_told_first() {
    let raised = |id, time| step(id, time, false, daily(100, true), daily(400, true));
    let mine = step("alpha_1_3", "2026-12-01T08:00:00Z", true, daily(100, true), daily(900, true));
    let lowered = step("alpha_1_1", "2026-12-01T08:30:00Z", true, daily(400, true), daily(350, true));
    let paused = |id| step(id, "2026-12-01T08:40:00Z", true, daily(400, true), daily(400, false));
    let large = |runs, changes: &[Change]| {
        let newest_first: Vec<Change> = changes.iter().rev().cloned().collect();
        let groups = beside(runs, &newest_first, false).groups;
        assert!(groups.iter().all(|group| group.large.is_none() || group.name == "Nightly"), "only keys");
        groups[0].large.clone().map(|large| large.words)
    };
    let changes =
        [raised("alpha_1_1", "2026-12-01T07:50:00Z"), raised("alpha_1_2", "2026-12-01T07:55:00Z"), mine, lowered];
    let since = "in 2 campaigns since \u{2063}1 Dec 2026, 07:50 UTC";
    assert_eq!(large(1_800, &changes[..3]), Some(format!("600.00 USD a day {since}")));
    assert_eq!(large(1_801, &changes[..3]), None);
    assert_eq!(large(1_650, &changes), Some(format!("550.00 USD a day {since}")), "less what was lowered");
    let one = [&changes[..3], &[paused("alpha_1_1")]].concat();
    let left = "300.00 USD a day in 1 campaign since \u{2063}1 Dec 2026, 07:55 UTC".to_owned();
    assert_eq!(large(900, &one), Some(left), "what is paused does not run");
    assert_eq!(large(0, &[one.as_slice(), &[paused("alpha_1_2")]].concat()), None);
}

#[test]
fn an_undo_of_what_was_done_before_yesterday_counts_with_who_undoes() {
    let raised =
        |day, from, to| step("alpha_1_1", &format!("2026-{day}T08:00:00Z"), false, daily(from, true), daily(to, true));
    let back = undo(step("alpha_1_1", "2026-12-01T08:40:00Z", true, daily(300, true), daily(100, true)));
    let mut told = groups(vec![raised("11-27", 100, 200), raised("12-01", 200, 300), back.clone()]);
    told.sort();
    let reverted = "Reverted what “\u{2068}Nightly\u{2069}” did to 1 campaign.";
    let of_key = row("Nightly", "0.00 USD a day", "All reverted by you at 08:40 UTC: 200.00 USD a day less.");
    assert_eq!(told, [of_key, row("You", "−100.00 USD a day", reverted)]);
    let alone = groups(vec![raised("11-27", 100, 300), back]);
    assert_eq!(alone, [row("You", "−200.00 USD a day", "")], "what was done before is in no sum");
}

#[test]
fn what_the_platform_has_set_is_of_nobody() {
    let raised = |time, from, to| step("alpha_1_1", time, false, daily(from, true), daily(to, true));
    let changes = vec![raised("2026-12-01T08:00:00Z", 100, 200), raised("2026-12-01T08:10:00Z", 120, 150)];
    assert_eq!(groups(changes), [row("Nightly", "+130.00 USD a day", "")]);
}

#[test]
fn a_stopped_key_of_which_nothing_is_left_has_no_link_to_revert() {
    let display = KeyDisplay { prefix: "ua".to_owned(), last_four: None };
    let key = ApiKeyInfo::unlimited(KeyId("key_1".to_owned()), "Nightly", String::new(), display, now());
    let keys = [ApiKeyInfo { stopped_at: Some(now()), ..key }];
    let link = |changes: &[Change]| {
        let reader = Reader { me: &PersonId("me".to_owned()), keys: &keys, runs_a_day: &[], now: now() };
        let groups = SinceYesterday::of(changes, false, reader).groups;
        groups.into_iter().find(|group| group.name == "Nightly").and_then(|group| group.stop)
    };
    let raised = step("alpha_1_1", "2026-12-01T08:00:00Z", false, daily(51, true), daily(276, true));
    let paused = step("alpha_1_1", "2026-12-01T08:10:00Z", true, daily(276, true), daily(276, false));
    let back = undo(step("alpha_1_1", "2026-12-01T08:20:00Z", true, daily(276, false), daily(51, false)));
    assert!(link(&[paused.clone(), raised.clone()]).is_some(), "its budget is still the raised one");
    assert_eq!(link(&[back, paused, raised]), None);
}

#[test]
fn a_step_of_a_monthly_budget_takes_nothing_of_the_month_back() {
    let monthly = |amount| campaign(amount, BudgetPeriod::Monthly, true);
    let set = step("alpha_1_1", "2026-12-01T08:00:00Z", true, daily(30, true), monthly(900));
    let same = step("alpha_1_1", "2026-12-01T08:10:00Z", false, daily(30, true), daily(35, true));
    let changes = vec![set.clone(), Change { is_step: true, ..same }];
    let told = groups(changes);
    assert_eq!(told, [row("Monthly budgets", "+5.00 USD a day", ""), row("You", "+900.00 USD a month", "")]);
    let pause = step("alpha_1_1", "2026-12-01T08:20:00Z", true, daily(30, true), daily(30, false));
    let pause = Change { action: Action::Update(CampaignChanges::of_status(CampaignStatus::Paused)), ..pause };
    assert_eq!(groups(vec![set, pause])[0].1, "0.00 USD a day, 0.00 USD a month", "it does not run");
}

#[test]
fn ten_times_the_budget_is_marked_whoever_raised_it() {
    let raise = |time, from, to| asked_at(time, moved(daily(from, true), daily(to, true)));
    let leap = |changes: &[Change]| {
        let groups = read(changes, false).groups;
        let told = groups.into_iter().filter_map(|group| group.leap);
        told.map(|leap| (leap.mark, leap.campaigns)).collect::<Vec<_>>()
    };
    let marked = |mark: &str, campaigns: &str| vec![(mark.to_owned(), campaigns.to_owned())];
    let step = || Change { is_step: true, ..raise("2026-12-01T08:00:00Z", 54, 600) };
    let once = marked("11 times the budget", "A");
    assert_eq!(leap(&[step()]), once, "by a monthly budget");
    assert_eq!(leap(&[Change { is_step: false, ..step() }]), once, "by a person");
    assert_eq!(leap(&[by_key(Change { is_step: false, ..step() })]), once, "by a key");
    assert_eq!(leap(&[raise("2026-12-01T08:00:00Z", 54, 539)]), []);
    let lowered = by_key(raise("2026-12-01T08:30:00Z", 600, 54));
    assert_eq!(leap(&[lowered, step()]), [], "somebody has set it back");
    let two_steps = [raise("2026-12-01T08:30:00Z", 200, 500), raise("2026-12-01T08:00:00Z", 50, 200)];
    assert_eq!(leap(&two_steps), marked("10 times the budget", "A"), "in two steps");
    let both = [step(), of("alpha_1_3", step())];
    assert_eq!(leap(&both), marked("10 times the budget or more", "2 campaigns"));
}
