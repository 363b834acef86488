//! Replays of the responses in `fixtures/recorded`, each through the part of the adapter that reads it.

use super::Delta;
use super::error::error_of;
use crate::domain::{AdAccount, Platform};
use crate::platforms::engine::call::AccountSession;
use crate::platforms::fake::{Fake, ReceivedRequest};
use crate::platforms::recorded::{self, replays};

mod accounts;
mod campaigns;
mod errors;

replays! {
    // The connector dropped the envelope and the audit stamps: the replay puts the envelope back.
    "campaign-rows-2023.json" => campaigns::rows_without_audit_stamps_are_read;
    "campaign-far-end.json" => campaigns::a_campaign_without_an_objective_has_no_goal;
    // Also without its envelope.
    "creative-rows-2023.json" => campaigns::creatives_repeat_the_holds_of_their_campaigns;
    "created.txt" => campaigns::a_new_campaign_is_known_by_a_header;
    // Rows by day, which the adapter does not ask for: it adds them up.
    "report-rows-float-noise.json" => campaigns::the_noise_of_a_cost_is_rounded_away;
    "report-row-below-zero.json" => campaigns::a_cost_below_zero_is_nothing;
    // A response to a request for other fields. Without a cost in the account's currency the spend is unknown.
    "report-with-paging.json" => campaigns::a_report_in_dollars_alone_says_nothing;
    "ad-accounts-page.json" => accounts::a_test_account_stays_and_its_page_is_not_the_last;
    "ad-account-rows-2023.json" => accounts::accounts_on_hold_stay;
    "token-reply.json" => accounts::a_token_without_a_type_is_read;
    "code-expired-redirect.json" => accounts::an_expired_code_asks_for_a_new_authorization;
    "code-expired-request.json" => accounts::an_expired_code_is_one_under_its_other_name;
    "refresh-token-missing.json" => accounts::a_refresh_without_its_token_does_not_end_the_grant;
    "token-revoked-too-early.json" => accounts::a_token_that_is_refused_too_early_is_tried_again;
    // Of API v1, whose errors have no `code`; newer versions send such bodies too.
    "token-invalid-without-code.json" => errors::a_dead_token_is_known_by_its_number;
    "access-denied.json" => errors::a_missing_permission_is_forbidden;
    // Of API v1, as above.
    "access-denied-without-code.json" => errors::a_missing_permission_is_known_by_its_status;
    "not-found.json" => errors::a_missing_ad_account_is_no_missing_campaign;
    "param-invalid.json" => errors::an_invalid_search_is_no_fault_of_the_caller;
    "several-prose-codes.json" => errors::a_sentence_is_no_code;
    "parameter-required.json" => errors::a_forgotten_parameter_is_no_fault_of_the_caller;
    "too-many-entities.json" => errors::a_page_that_is_too_large_is_no_fault_of_the_caller;
    "version-gone.json" => errors::a_retired_version_is_for_the_operator;
    "throttled.json" => errors::a_throttled_call_may_be_sent_again;
}

/// The recorded rows in the envelope that LinkedIn sends them in.
fn enveloped(rows: &str) -> String {
    format!(r#"{{"elements":{rows},"metadata":{{}}}}"#)
}

/// Answers each request by the first part of an address that it contains; status, part, body.
fn by_path<const N: usize>(responses: [(u16, &'static str, String); N]) -> Fake {
    Fake::new(move |request: &ReceivedRequest| {
        let response = responses.iter().find(|(_, path, _)| request.line.contains(path));
        let (status, _, body) = response.unwrap_or_else(|| panic!("no response for {}", request.line));
        (*status, body.clone())
    })
}

fn session(fake: &Fake, account: &str) -> AccountSession {
    let account = AdAccount { id: account.to_owned(), ..super::translate::tests::account() };
    fake.session_of(Platform::Delta, account)
}

#[test]
fn every_recorded_body_is_replayed_and_has_a_source() {
    recorded::assert_all_replayed(Platform::Delta, REPLAYED.iter().copied());
}
