//! Replays the responses in `fixtures/recorded`, each through the part of the adapter that reads it.

use super::Gamma;
use super::error::classify;
use crate::domain::{AdAccount, Platform};
use crate::platforms::AccountSession;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse};
use crate::platforms::fixtures;
use crate::platforms::recorded::{self, replays};

mod accounts;
mod ads;
mod campaigns;
mod errors;

replays! {
    "campaigns-page.json" => campaigns::a_page_shows_both_of_its_campaigns;
    "campaigns-legacy-objective.json" => campaigns::a_page_with_an_old_objective_is_sorted_by_its_times;
    // The connector removed the envelope and turned the ids into numbers: the replay restores the envelope.
    "campaign-rows-2023.json" => campaigns::rows_with_ids_as_numbers_are_read;
    "created.json" => campaigns::a_new_campaign_that_is_on_is_told_as_active;
    "updated.json" => campaigns::an_update_answers_the_whole_campaign;
    "status-deleted.json" => campaigns::a_deletion_is_read_beside_an_empty_list;
    // Also without its envelope, and with metrics that the adapter does not request: it reads only the spend.
    "report-rows-lifetime.json" => campaigns::the_spend_of_a_report_is_exact;
    // Also without its envelope.
    "ad-rows-2023.json" => ads::ad_rows_with_ids_as_numbers_are_read;
    "smart-plus-ads.json" => ads::smart_plus_ads_have_an_id_of_their_own;
    "smart-plus-reviews.json" => ads::a_review_without_a_rejection_has_no_text;
    "reject-info.json" => ads::a_rejection_has_its_reason_and_the_advice;
    "advertiser-info.json" => accounts::an_account_that_is_not_confirmed_stays;
    // Also without its envelope.
    "advertiser-rows-2023.json" => accounts::a_suspended_account_stays_beside_a_good_one;
    "reached-advertiser-rows.json" => accounts::every_account_that_a_token_reaches_is_described;
    // From an earlier version, with numbers as ids, which the adapter does not read.
    "token-reply.json" => accounts::a_token_without_an_end_is_read;
    "revoked.json" => accounts::a_revocation_has_nothing_to_read;
    "scope-missing.json" => errors::a_missing_scope_asks_for_a_new_authorization;
    "token-incorrect.json" => errors::a_dead_token_ends_the_grant;
    "app-reaches-limit.json" => errors::a_limit_of_a_second_is_over_in_a_second;
    "advertiser-deleted.json" => errors::a_deleted_advertiser_asks_for_no_new_authorization;
}

/// The recorded rows in the envelope that TikTok sends them in.
fn enveloped(rows: &str) -> String {
    format!(r#"{{"code":0,"message":"OK","data":{{"list":{rows},"page_info":{{"page":1,"total_page":1}}}}}}"#)
}

/// Answers each request by the first path that it contains.
fn by_path<const N: usize>(responses: [(&'static str, String); N]) -> Fake {
    Fake::new(move |request: &ReceivedRequest| -> ScriptedResponse {
        let response = responses.iter().find(|(path, _)| request.line.contains(path));
        (200, response.unwrap_or_else(|| panic!("no response for {}", request.line)).1.clone())
    })
}

fn session(fake: &Fake, account: &str) -> AccountSession {
    let account = AdAccount { id: account.to_owned(), ..fixtures::account(Platform::Gamma, "USD", "UTC") };
    fake.session_of(Platform::Gamma, account)
}

#[test]
fn every_recorded_body_is_replayed_and_has_a_source() {
    recorded::assert_all_replayed(Platform::Gamma, REPLAYED.iter().copied());
}
