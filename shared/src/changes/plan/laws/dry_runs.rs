//! A dry run, and a person who decides, are told what the platform hears. The requests of both follow from the same two
//! things, the campaign and its changes: `platforms/engine/tests/updates.rs`.

use super::*;
use crate::changes::edits::changes_for;
use crate::changes::held_dates::are_dates_held;

/// What the platform hears of an action by an edit of the campaign: nothing, if no field differs.
fn heard(action: &Action, facts: &Facts) -> Action {
    match action {
        Action::Update(requested) => {
            Action::Update(changes_for(requested, &facts.current, facts.now).expect("an update"))
        }
        other => other.clone(),
    }
}

/// Whether each field of some changes is among others, with the same value.
fn are_among(part: &CampaignChanges, all: &CampaignChanges) -> bool {
    fn is_in<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
        one.is_none() || one == other
    }
    let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = part;
    let is_budget = is_in(budget_amount, &all.budget_amount) && is_in(budget_period, &all.budget_period);
    let are_dates = is_in(start_at, &all.start_at) && is_in(end_at, &all.end_at);
    is_in(name, &all.name) && is_in(status, &all.status) && is_budget && are_dates
}

#[test]
fn dry_run_shows_what_the_commit_sends() {
    for_all(50_000, |numbers, request, facts| {
        let attempt = next_attempt(numbers, request, facts);
        let request = attempt.as_ref().unwrap_or(request);
        let Ok(told) = plan(request, facts) else { return false };
        let made = plan(request, facts).unwrap();
        assert_eq!((told.verdict, &told.send, &told.record), (made.verdict, &made.send, &made.record));
        assert_eq!((&told.change, &told.checked), (&made.change, &made.checked));
        assert_eq!((&told.store, &told.cancel), (&made.store, &made.cancel));
        let waits = |id| made.store.iter().find(|change| change.id == id);
        match (&made.change, told.verdict) {
            (Some(change), _) => {
                let nothing = Action::Update(CampaignChanges::default());
                assert_eq!(told.send.clone().unwrap_or(nothing), heard(&change.action, facts));
            }
            (None, Verdict::Waits(id)) => {
                let heard = heard(&waits(id).expect("it is stored").action, facts);
                let Action::Update(later) = heard else { panic!("{told:#?}") };
                // It takes over what waited for the start with the activation before it.
                let is_first = facts.waiting.activation.is_none();
                assert!(are_among(&told.updates(), &later) && (!is_first || told.updates() == later), "{told:#?}");
            }
            (None, _) => assert_eq!(told.send, None),
        }
        let is_told = told.verdict != Verdict::Nothing && told.changes_record(facts) || !told.updates().is_empty();
        let is_update = matches!(request.action, Action::Update(_)) && request.apply_at.is_none();
        assert!(!is_update || request.pending.is_some() || is_told == (told.verdict != Verdict::Nothing), "{told:#?}");
        true
    });
}

#[test]
fn later_changes_are_checked_by_the_platform_first() {
    for_all(5_000, |_, request, facts| {
        let Ok(planned) = plan(request, facts) else { return false };
        if !matches!(planned.verdict, Verdict::Waits(_) | Verdict::AwaitsApproval) {
            return false;
        }
        let later = if are_dates_held(request.connection.platform) {
            CampaignChanges { start_at: None, end_at: None, ..planned.updates() }
        } else {
            planned.updates()
        };
        assert!(are_among(&later, &planned.checked.clone().unwrap_or_default()), "{planned:#?}");
        !later.is_empty()
    });
}

#[test]
fn review_shows_what_is_sent() {
    for_all(200, |numbers, request, asked_of| {
        let Ok(planned) = plan(request, asked_of) else { return false };
        let (Verdict::AwaitsApproval, Some(asked)) = (planned.verdict, planned.change) else { return false };
        let found = Facts { current: campaign(numbers, request.connection), ..asked_of.clone() };
        let found = if numbers.once_in(2) { asked_of } else { &found };
        let Ok(shown) = review(&attempted(asked.clone(), request), found) else { return false };
        let seen = Some(found.values().with_held(&found.record.held));
        let approval = Some(Approval { by: Approver::in_person(key(9), Uuid::nil()), at: now(), seen });
        let pending = Change { approval, state: ChangeState::Scheduled, apply_at: Some(now()), ..asked };
        let Ok(made) = plan(&attempted(pending, request), found) else { return false };
        assert_eq!((made.verdict, made.updates()), (Verdict::Now, shown), "of {found:#?}");
        true
    });
}
