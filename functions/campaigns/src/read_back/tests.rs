use super::*;
use shared::domain::{BudgetPeriod, CampaignId, Currency};
use shared::platforms::answers;
use std::time::Duration;

fn campaign(name: &str, status: CampaignStatus) -> Campaign {
    Campaign {
        id: CampaignId::new(Platform::Gamma, "7", "1"),
        account_id: "7".into(),
        remote_id: "1".into(),
        name: name.into(),
        status,
        goal: None,
        budget_amount: Some(50.into()),
        budget_period: Some(BudgetPeriod::Lifetime),
        currency: Currency::from_code("USD").unwrap(),
        total_spend_amount: None,
        start_at: None,
        end_at: None,
        created_at: None,
        updated_at: None,
        raw: "{}".into(),
    }
}

fn everything() -> CampaignChanges {
    CampaignChanges {
        name: Some("New".into()),
        status: Some(CampaignStatus::Active),
        budget_amount: Some(60.into()),
        budget_period: Some(BudgetPeriod::Total),
    }
}

fn of_status(asked: CampaignStatus, read: CampaignStatus) -> Tally {
    let changes = CampaignChanges { status: Some(asked), ..CampaignChanges::default() };
    Tally::of(&changes, &campaign("Old", read))
}

#[test]
fn only_what_was_asked_for_is_told_and_by_the_names_of_our_fields() {
    let old = campaign("Old", CampaignStatus::Paused);
    let tally = Tally::of(&everything(), &old);
    assert_eq!(tally.missing, ["name", "status", "budget_amount"]);
    assert_eq!(tally.applied, ["budget_period"], "TOTAL and LIFETIME are the same");
    let half = Campaign { name: "New".into(), budget_amount: Some("60.00".parse().unwrap()), ..old.clone() };
    let tally = Tally::of(&everything(), &half);
    assert_eq!((tally.applied, tally.missing), (vec!["name", "budget_amount", "budget_period"], vec!["status"]));
    assert_eq!(Tally::of(&CampaignChanges::default(), &old), Tally::default());
}

#[test]
fn a_status_is_there_when_it_reads_as_what_it_comes_to() {
    use CampaignStatus::{Active, Archived, Ended, Paused, ScheduledForDeletion};
    for (asked, read) in [(Active, Active), (Active, Ended), (Archived, ScheduledForDeletion), (Paused, Paused)] {
        assert!(of_status(asked, read).is_complete(), "{asked:?} {read:?}");
    }
    for (asked, read) in [(Active, Paused), (Paused, Ended), (Paused, Archived), (Archived, Active)] {
        assert!(!of_status(asked, read).is_complete(), "{asked:?} {read:?}");
    }
}

#[test]
fn the_error_says_what_is_there_what_is_not_and_what_to_do() {
    let half = Tally { applied: vec!["name"], missing: vec!["status", "budget_amount"] };
    let none = Tally { applied: vec![], missing: vec!["name"] };
    let told = |tally: &Tally, reason| tally.told(Platform::Gamma, reason).message;
    let refused = || answers::refused(Platform::Gamma, "budget: too low");
    for (tally, reason, message) in [
        (
            &half,
            answers::failed(Platform::Gamma).retryable(),
            "TikTok gave no clear answer. Applied: name. Not applied: status, budget_amount. Send the same again: \
             what is applied already is not written twice.",
        ),
        (
            &half,
            refused(),
            "TikTok refused the request: budget: too low. Applied: name. Not applied: status, budget_amount. What \
             is applied stays: correct the rest, and send it again.",
        ),
        (
            &none,
            answers::no_answer(Platform::Gamma, Failure::TimedOut),
            "TikTok did not answer in time. Not applied so far: name. Send the same again.",
        ),
    ] {
        assert_eq!(told(tally, reason), message);
    }
    let wait = Duration::from_secs(3);
    let error = half.told(Platform::Gamma, answers::throttled(Platform::Gamma, wait));
    assert_eq!((error.kind, error.retryable, error.retry_after), (Kind::RateLimited, true, Some(wait)));
    assert!(!half.told(Platform::Gamma, refused()).retryable);
}

#[test]
fn what_nobody_knows_is_called_so_and_safe_to_repeat() {
    let name = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    let lost = || answers::no_answer(Platform::Beta, Failure::Broken);
    let one = not_known(&name, Platform::Beta, lost());
    assert!(one.message.contains("not known whether this was applied: name."), "{}", one.message);
    let all = not_known(&everything(), Platform::Beta, lost()).message;
    assert!(all.contains("which of these were applied: name, status, budget_amount, budget_period. To"), "{all}");
    let removal = not_removed(false, Platform::Beta, lost()).message;
    assert!(removal.contains("not known whether the campaign was removed"), "{removal}");
    assert!(one.retryable && all.contains("safe") && removal.contains("safe"));
}

#[test]
fn only_what_was_sent_and_not_clearly_answered_is_read_back() {
    let platform = Platform::Zeta;
    let begun = |error: Error| Error { unknown_outcome: true, ..error };
    for lost in [
        answers::no_answer(platform, Failure::TimedOut),
        answers::no_answer(platform, Failure::Broken),
        answers::unreadable(platform, "half a page"),
        answers::failed(platform),
        begun(answers::refused(platform, "no")),
        begun(answers::throttled(platform, Duration::from_secs(1))),
        begun(answers::no_answer(platform, Failure::NotSent)),
    ] {
        assert!(may_have_happened(&lost), "{lost}");
    }
    for clear in [
        answers::no_answer(platform, Failure::NotSent),
        answers::refused(platform, "no"),
        answers::throttled(platform, Duration::from_secs(1)),
        Error::not_found("campaign"),
        begun(answers::token_expired(platform)),
    ] {
        assert!(!may_have_happened(&clear), "{clear}");
    }
}
