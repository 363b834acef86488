//! Changes in words.

use super::super::sample::{at, change, create, draft, now, update, values};
use super::*;
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, CampaignValues, ChangeError};

fn budget(amount: Decimal, period: Option<BudgetPeriod>) -> CampaignChanges {
    CampaignChanges { budget_amount: Some(amount), budget_period: period, ..CampaignChanges::default() }
}

fn named(name: &str) -> CampaignChanges {
    CampaignChanges { name: Some(name.to_owned()), ..CampaignChanges::default() }
}

fn failed(change: Change) -> Change {
    Change { state: ChangeState::Failed(ChangeError::default()), ..change }
}

fn applied(change: Change) -> Change {
    Change { state: ChangeState::Applied, ..change }
}

#[test]
fn a_create_names_the_campaign_and_its_budget() {
    let after = CampaignValues::of_draft(&draft("Spring"), values("").currency);
    let made = applied(Change { after: Some(after), ..create(draft("Spring")) });
    assert_eq!(change_lines(&made), ["Created “Spring”", "Budget 1,500.00 USD in all"]);
    let refused = failed(Change { campaign: None, ..create(draft("Spring")) });
    assert_eq!(change_lines(&refused), ["Create “Spring”", "Budget 1,500 in all"], "the currency is not known");
}

#[test]
fn one_change_may_do_several_things() {
    let asked = CampaignChanges { status: Some(CampaignStatus::Active), ..named("B") };
    let asked = CampaignChanges { budget_amount: Some(60.into()), ..asked };
    let after = CampaignValues { status: CampaignStatus::Active, budget_amount: Some(60.into()), ..values("B") };
    let all = applied(Change { before: Some(values("A")), after: Some(after), ..update(asked) });
    assert_eq!(change_lines(&all), ["Activated", "Renamed “A” → “B”", "Budget 50.00 → 60.00 USD a day"]);
    assert_eq!(change_lines(&applied(change(Action::Delete))), ["Deleted"]);
    assert_eq!(change_lines(&applied(update(CampaignChanges::default()))), ["Changed"]);
}

#[test]
fn what_is_not_applied_is_told_as_a_request() {
    let running = CampaignValues { status: CampaignStatus::Active, ..values("A") };
    let asked = CampaignChanges { status: Some(CampaignStatus::Paused), ..named("B") };
    let parts = Change {
        state: ChangeState::PartlyApplied(ChangeError::default()),
        before: Some(running.clone()),
        after: Some(CampaignValues { name: "B".to_owned(), ..running.clone() }),
        ..update(CampaignChanges { budget_amount: Some(60.into()), ..asked })
    };
    assert_eq!(change_lines(&parts), ["Pause", "Renamed “A” → “B”", "Budget 50.00 → 60.00 USD a day"]);
    let asked = CampaignChanges { status: Some(CampaignStatus::Archived), ..named("B") };
    for state in [
        ChangeState::Failed(ChangeError::default()),
        ChangeState::Sending,
        ChangeState::Scheduled,
        ChangeState::AwaitingApproval,
        ChangeState::Canceled(None),
    ] {
        let asked = Change { state: state.clone(), before: Some(running.clone()), ..update(asked.clone()) };
        assert_eq!(change_lines(&asked), ["Delete", "Rename “A” → “B”"], "{state:?}");
        assert_eq!(change_lines(&Change { state, ..change(Action::Delete) }), ["Delete"]);
    }
}

#[test]
fn what_waits_for_a_person_is_told_with_what_they_were_shown() {
    let asked = Change { state: ChangeState::AwaitingApproval, asked: Some(values("A")), ..update(named("B")) };
    assert_eq!(change_lines(&asked), ["Rename “A” → “B”"]);
}

#[test]
fn without_a_reading_before_only_the_new_value_is_told() {
    let asked = CampaignChanges { status: Some(CampaignStatus::Draft), ..named("B") };
    let asked = update(CampaignChanges { budget_amount: Some(Decimal::new(605, 1)), ..asked });
    assert_eq!(change_lines(&asked), ["Status Draft", "Name “B”", "Budget 60.5"]);
    let same = update(CampaignChanges { budget_amount: Some(50.into()), ..named("A") });
    let same = applied(Change { before: Some(values("A")), after: Some(values("A")), ..same });
    assert_eq!(change_lines(&same), ["Name “A”", "Budget 50.00 USD a day"], "no change");
}

#[test]
fn another_period_is_told_with_both_budgets() {
    let told = |asked, before| change_lines(&failed(Change { before: Some(before), ..update(asked) }));
    let both = budget(900.into(), Some(BudgetPeriod::Total));
    assert_eq!(told(both, values("A")), ["Budget 50.00 USD a day → 900.00 USD in all"]);
    let period = CampaignChanges { budget_period: Some(BudgetPeriod::Lifetime), ..CampaignChanges::default() };
    assert_eq!(told(period, values("A")), ["Budget 50.00 USD a day → 50.00 USD in all"]);
    let without = CampaignValues { budget_amount: None, budget_period: None, ..values("A") };
    assert_eq!(told(budget(50.into(), None), without), ["Budget 50.00 USD"]);
}

#[test]
fn dates_are_told_with_the_ones_before() {
    let before = CampaignValues { end_at: Some(at("2026-12-24T00:00:00Z")), ..values("A") };
    let dates = CampaignChanges {
        start_at: Some(DateChange::Set(at("2026-12-02T00:00:00Z"))),
        end_at: Some(DateChange::Clear),
        ..CampaignChanges::default()
    };
    let lines = ["Start no start date → 2 Dec 2026, 00:00 UTC", "End 24 Dec 2026, 00:00 UTC → no end date"];
    assert_eq!(change_lines(&failed(Change { before: Some(before), ..update(dates) })), lines);
    let start_at = Moment::parse("2026-12-02");
    let end_at = Moment::parse("2026-12-24T00:00:00Z");
    let created = applied(create(CampaignDraft { start_at, end_at, ..draft("A") }));
    assert_eq!(change_lines(&created)[2..], ["Start 2026-12-02", "End 24 Dec 2026, 00:00 UTC"]);
}

#[test]
fn each_state_has_its_word() {
    assert_eq!(state_word(update(named("A")).status(now())), "On its way");
    assert_eq!(ChangeStatus::ALL.map(state_word).iter().filter(|word| word.is_empty()).count(), 0);
    assert_eq!(field_word("budget_period"), "budget period");
}

#[test]
fn a_heading_says_what_is_decided_in_the_words_of_its_state() {
    let told = |state: ChangeState, asked: CampaignChanges| headline(&Change { state, ..update(asked) }, "“Spring”");
    let waits = |asked| told(ChangeState::AwaitingApproval, asked);
    let budget = || CampaignChanges { budget_amount: Some(60.into()), ..CampaignChanges::default() };
    assert_eq!(waits(CampaignChanges::of_status(CampaignStatus::Active)), "Activate “Spring”");
    assert_eq!(waits(CampaignChanges { status: Some(CampaignStatus::Paused), ..budget() }), "Pause “Spring”");
    assert_eq!(waits(budget()), "Change the budget of “Spring”");
    assert_eq!(waits(CampaignChanges { name: Some("B".to_owned()), ..CampaignChanges::default() }), "Change “Spring”");
    assert_eq!(headline(&change(Action::Delete), "“Spring”"), "Delete “Spring”");
    assert_eq!(headline(&create(draft("Spring")), "“Spring”"), "Create “Spring”");
}
