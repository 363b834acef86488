//! A bulk change as one entry.

use super::super::row::rows;
use super::super::sample::{now, update, values};
use super::*;
use shared::domain::{CampaignChanges, CampaignId, CampaignStatus, CampaignValues, ChangeError, ChangeId, Executor};
use uuid::Uuid;

/// An applied change of the budget of a campaign that runs, in the bulk change of this number; 0 is none.
fn lowered(bulk: u128, campaign: u128) -> Change {
    let has = |amount: u32| CampaignValues {
        budget_amount: Some(amount.into()),
        status: CampaignStatus::Active,
        ..values("Spring")
    };
    let asked = CampaignChanges { budget_amount: Some(20.into()), ..CampaignChanges::default() };
    Change {
        id: ChangeId::new(now(), Uuid::from_u128(campaign), 0),
        request: Uuid::from_u128(bulk),
        executed_by: if bulk == 0 { Executor::Request } else { Executor::Bulk },
        campaign: CampaignId::parse(&format!("alpha_1_{campaign}")),
        state: ChangeState::Applied,
        before: Some(has(50)),
        after: Some(has(20)),
        ..update(asked)
    }
}

fn entries_of(changes: &[Change], part: Part) -> Vec<Entry> {
    entries(changes, rows(changes, now()), part)
}

fn many(entry: &Entry) -> &Many {
    let Entry::Many(many) = entry else { panic!("{entry:?}") };
    many
}

#[test]
fn the_changes_of_one_bulk_change_are_one_entry() {
    let changes = [lowered(0, 1), lowered(7, 2), lowered(7, 3), lowered(0, 4), lowered(0, 5), lowered(7, 6)];
    let entries = entries_of(&changes, Part::default());
    assert_eq!(entries.len(), 4, "many changes without a bulk change are rows: {entries:?}");
    let many = many(&entries[1]);
    assert_eq!((many.what.as_str(), many.campaigns.as_str(), many.rows.len()), ("Lowered 3 budgets", "3 campaigns", 3));
    assert_eq!(many.sum.as_deref(), Some("−90.00 USD a day together"));
    assert_eq!((many.outcomes.as_slice(), many.has_undo), (&[("good", "Applied".to_owned())][..], true));
    assert_eq!(many.path, bulk_status(&BulkId(Uuid::from_u128(7)).to_string()));
    assert!(many.asides.is_empty() && many.rows.iter().all(|row| row.bulk.is_none()), "{many:?}");
    let Entry::One(row) = &entries[0] else { panic!("{entries:?}") };
    assert_eq!(row.bulk, None);
}

#[test]
fn a_bulk_change_at_the_edge_of_a_page_says_so() {
    let changes = [lowered(7, 1), lowered(7, 2), lowered(0, 3), lowered(8, 4), lowered(8, 5)];
    let both = Part { has_newer: true, has_older: true, is_filtered: false };
    let entries = entries_of(&changes, both);
    let (first, last) = (many(&entries[0]), many(&entries[2]));
    assert_eq!(
        (first.what.as_str(), &first.asides[..]),
        ("Lowered 2 budgets on this page", &["More of it may be on the page before.".to_owned()][..])
    );
    assert_eq!(last.asides, ["More of it may be on the next page."]);
    let whole = many(&entries_of(&changes[..2], both)[0]).asides.clone();
    assert_eq!(whole, ["More of it may be on the pages before and after this."]);
    let filtered = Part { is_filtered: true, ..Part::default() };
    assert_eq!(many(&entries_of(&changes, filtered)[0]).asides, ["Only what matches the filter."]);
    let Entry::One(alone) = entries_of(&changes[4..], both).remove(0) else { panic!("one row") };
    assert_eq!(alone.bulk, Some(last.path.clone()), "it leads to the rest");
}

#[test]
fn a_page_reads_on_to_the_end_of_its_last_entry() {
    let next = [lowered(7, 2), lowered(7, 3), lowered(8, 4), lowered(7, 5)];
    assert_eq!(going_on_with(&lowered(7, 1), &next), 2);
    assert_eq!((going_on_with(&lowered(9, 1), &next), going_on_with(&lowered(0, 1), &[lowered(0, 2)])), (0, 0));
    let part = Part { has_newer: true, ..Part::default() };
    let entries = entries_of(&[lowered(0, 1), lowered(7, 2), lowered(7, 3)], part);
    assert!(many(&entries[1]).asides.is_empty(), "it ends on the page");
}

#[test]
fn an_entry_says_what_was_not_done_and_what_is_undone() {
    let failed = Change { state: ChangeState::Failed(ChangeError::default()), ..lowered(7, 2) };
    let entries = entries_of(&[lowered(7, 1), failed.clone()], Part::default());
    let part = many(&entries[0]);
    assert_eq!(part.what, "Lowered 1 of 2 budgets");
    assert_eq!(part.outcomes, [("good", "1 Applied".to_owned()), ("bad", "1 Not applied".to_owned())]);
    let none = entries_of(&[failed.clone(), failed], Part::default());
    assert_eq!((many(&none[0]).what.as_str(), &many(&none[0]).sum), ("Lower 2 budgets", &None));

    let back = |campaign| {
        let of = lowered(9, campaign);
        let inverse = of.inverse().unwrap();
        let (before, after) = (of.after.clone(), of.before.clone());
        Change { only_if: Some(inverse.only_if), before, after, ..update(inverse.changes) }
    };
    let undo = |campaign| Change {
        id: ChangeId::new(now(), Uuid::from_u128(100 + campaign), 0),
        request: Uuid::from_u128(9),
        executed_by: Executor::Bulk,
        campaign: CampaignId::parse(&format!("alpha_1_{campaign}")),
        state: ChangeState::Applied,
        ..back(campaign)
    };
    let all = entries_of(&[undo(1), undo(2), lowered(7, 1), lowered(7, 2)], Part::default());
    assert_eq!(many(&all[0]).what, "Raised 2 budgets");
    let undone = many(&all[1]).undone.as_ref().unwrap();
    assert_eq!((&undone.path, many(&all[1]).has_undo), (&many(&all[0]).path, false));
    let some = entries_of(&[undo(1), lowered(7, 1), lowered(7, 2)], Part::default());
    assert_eq!((&many(&some[1]).undone, &many(&some[1]).asides[..]), (&None, &["1 of 2 is undone.".to_owned()][..]));
}

#[test]
fn an_entry_names_what_its_changes_have_in_common() {
    let asks = |changes: CampaignChanges| Change { action: update(changes).action, ..lowered(7, 1) };
    let budget = |amount: u32| CampaignChanges { budget_amount: Some(amount.into()), ..CampaignChanges::default() };
    let [active, paused] = [CampaignStatus::Active, CampaignStatus::Paused].map(CampaignChanges::of_status);
    let both = CampaignChanges { budget_amount: Some(60.into()), ..active.clone() };
    for (first, second, words) in [
        (active.clone(), active.clone(), "Activated 2 campaigns"),
        (paused.clone(), paused.clone(), "Paused 2 campaigns"),
        (budget(60), budget(70), "Raised 2 budgets"),
        (budget(60), budget(40), "Changed 2 budgets"),
        (active, paused, "Changed 2 campaigns"),
        (both, budget(60), "Changed 2 campaigns"),
    ] {
        assert_eq!(words::what(&[&asks(first), &asks(second)], false), words);
    }
}

#[test]
fn the_pauses_of_a_stop_are_one_entry_with_those_that_were_canceled() {
    let pause = |campaign: u128, state| Change {
        request: Uuid::from_u128(5),
        executed_by: Executor::Stop,
        stops: Some(KeyId("key_1".to_owned())),
        state,
        before: None,
        after: None,
        action: update(CampaignChanges::of_status(CampaignStatus::Paused)).action,
        ..lowered(0, campaign)
    };
    let canceled = || ChangeState::Canceled(None);
    let changes = [pause(1, ChangeState::Applied), lowered(0, 4), pause(2, canceled()), pause(3, canceled())];
    let mut entries = entries_of(&changes, Part::default());
    assert_eq!(entries.len(), 2, "{entries:?}");
    let stop = many(&entries[0]);
    assert_eq!((stop.what.as_str(), stop.rows.len()), ("Paused 1 campaign, 2 go on", 3));
    assert_eq!(stop.path, "/dashboard/keys/one?id=key_1");
    assert_eq!(stop.outcomes, [("good", "1 Applied".to_owned()), ("plain", "2 Goes on".to_owned())]);
    assert_eq!(stop.rows[1].details, ["A pause of the stop that was not needed, as after a revert."]);
    assert_eq!(stop.stop.as_ref().unwrap().1, "Stop of an API key");
    entries[0].name_stop(&[]);
    assert_eq!(many(&entries[0]).stop.as_ref().unwrap().1, "Stop of an API key", "the key is deleted");
    let all = entries_of(&[pause(1, canceled()), pause(2, canceled())], Part::default());
    assert_eq!(many(&all[0]).what, "All 2 campaigns go on");
    let other = Change { request: Uuid::from_u128(6), ..pause(2, canceled()) };
    assert_eq!(entries_of(&[pause(1, canceled()), other], Part::default()).len(), 2, "two stops");
}
