//! Tests of the error messages after a read-back.

use super::*;
use crate::domain::{BudgetPeriod, CampaignStatus};
use crate::outbound::{Failure, OpenBreaker, Protected};
use crate::platforms::errors;
use std::time::Duration;

fn all_fields() -> CampaignChanges {
    CampaignChanges {
        name: Some("New".into()),
        status: Some(CampaignStatus::Active),
        budget_amount: Some(60.into()),
        budget_period: Some(BudgetPeriod::Total),
        ..CampaignChanges::default()
    }
}

#[test]
fn the_error_names_applied_and_missing_fields_and_the_next_step() {
    let half = EditedFields { applied: vec!["name"], missing: vec!["status", "budget_amount"] };
    let none = EditedFields { applied: vec![], missing: vec!["name"] };
    let message_of = |fields: &EditedFields, reason| edit_error(fields, Platform::Gamma, reason).message.to_string();
    let refused = || errors::refused(Platform::Gamma, "budget: too low");
    for (fields, reason, message) in [
        (
            &half,
            errors::failed(Platform::Gamma).retryable(),
            "TikTok gave no clear answer. Applied: name. Not applied so far: status, budget_amount. Repeat the \
             request: fields already applied are skipped.",
        ),
        (
            &half,
            refused(),
            "TikTok refused the request: budget: too low. Applied: name. Not applied: status, budget_amount. Applied \
             fields keep their new value: correct the others, and send them again.",
        ),
        (
            &none,
            errors::no_response(Platform::Gamma, Failure::TimedOut),
            "TikTok did not answer in time. Not applied so far: name. Repeat the request.",
        ),
    ] {
        assert_eq!(message_of(fields, reason), message);
    }
    let outcomes_of = |fields: &EditedFields, reason| {
        let error = edit_error(fields, Platform::Gamma, reason);
        let ChangedFields { applied, not_applied, unknown } = *error.outcomes.clone().unwrap_or_default();
        (applied, not_applied, unknown, error.reason())
    };
    let rest = vec!["status", "budget_amount"];
    assert_eq!(outcomes_of(&half, refused()), (vec!["name"], rest.clone(), vec![], Reason::PartlyApplied));
    assert_eq!(outcomes_of(&none, refused()), (vec![], vec!["name"], vec![], Reason::PlatformRefused));
    let failed = || errors::failed(Platform::Gamma).retryable();
    assert_eq!(outcomes_of(&half, failed()), (vec!["name"], vec![], rest, Reason::OutcomeUnknown));
    let wait = Duration::from_secs(3);
    let error = edit_error(&half, Platform::Gamma, errors::throttled(Platform::Gamma, wait));
    assert_eq!((error.kind, error.retryable, error.retry_after), (Kind::RateLimited, true, Some(wait)));
    assert!(!edit_error(&half, Platform::Gamma, refused()).retryable);
}

#[test]
fn an_unknown_outcome_is_called_so_and_is_safe_to_repeat() {
    let name = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    let lost = || errors::no_response(Platform::Beta, Failure::Broken);
    let one = unknown_outcome_error(&name, Platform::Beta, lost());
    assert!(one.message.contains("not known whether this was applied: name."), "{}", one.message);
    let outcomes = one.outcomes.as_deref().cloned().unwrap_or_default();
    assert_eq!((outcomes.unknown.as_slice(), one.reason()), (["name"].as_slice(), Reason::OutcomeUnknown));
    let all = unknown_outcome_error(&all_fields(), Platform::Beta, lost()).message;
    assert!(
        all.contains("which of these were applied: name, status, budget_amount, budget_period. It is safe"),
        "{all}"
    );
    let removal = removal_error(false, Platform::Beta, lost()).message;
    assert!(removal.contains("not known whether the campaign was removed"), "{removal}");
    assert!(one.retryable && all.contains("safe") && removal.contains("safe"));
}

#[test]
fn only_a_sent_change_without_a_clear_response_is_read_back() {
    let platform = Platform::Zeta;
    let begun = |error: Error| Error { unknown_outcome: true, ..error };
    for lost in [
        errors::no_response(platform, Failure::TimedOut),
        errors::no_response(platform, Failure::Broken),
        errors::unreadable(platform, "half a page"),
        errors::failed(platform),
        begun(errors::refused(platform, "no")),
        begun(errors::throttled(platform, Duration::from_secs(1))),
        begun(errors::no_response(platform, Failure::NotSent)),
    ] {
        assert!(may_have_taken_effect(&lost), "{lost}");
    }
    for clear in [
        errors::no_response(platform, Failure::NotSent),
        errors::no_response(
            platform,
            Failure::BreakerOpen(OpenBreaker { protected: Protected::Account, wait: Duration::ZERO }),
        ),
        errors::refused(platform, "no"),
        errors::throttled(platform, Duration::from_secs(1)),
        Error::not_found("campaign"),
        Error::new(Kind::PlatformFailed, "refuses this service").for_operator(),
        begun(errors::token_expired(platform)),
    ] {
        assert!(!may_have_taken_effect(&clear), "{clear}");
    }
}
