//! A change that a platform cannot make is refused before anything is sent, and one that failed may be sent again.

use super::sample::{NOW, Sample, with};
use super::{Set, samples};
use crate::domain::{BudgetPeriod, CampaignChanges, CampaignStatus, PlatformCampaign};
use crate::error::{Error, Kind};
use crate::platforms::fake::{Fake, ReceivedRequest};
use rust_decimal::Decimal;
use serde_json::value::to_raw_value;

fn current(sample: &Sample, change: &[Set]) -> PlatformCampaign {
    let session = sample.session(&Fake::answering(vec![]));
    let row = to_raw_value(&with(sample.made(7, 0), change)).unwrap();
    sample.adapter().read_row(&session.account, &row, NOW.parse().unwrap()).unwrap().unwrap()
}

/// The refusal of a change before anything is sent.
async fn refused(sample: &Sample, current: &PlatformCampaign, changes: &CampaignChanges) -> Error {
    let silent = Fake::answering(vec![]);
    sample.adapter().update_campaign(&sample.session(&silent), current, changes).await.unwrap_err()
}

/// The requests of a change; its answers cannot be read.
async fn sent(sample: &Sample, changes: &CampaignChanges) -> Vec<ReceivedRequest> {
    let fake = Fake::new(|_| (200, "<html>".to_owned()));
    let session = sample.session(&fake);
    let _ = sample.adapter().update_campaign(&session, &current(sample, &[]), changes).await;
    fake.requests()
}

fn status(status: CampaignStatus) -> CampaignChanges {
    CampaignChanges { status: Some(status), ..CampaignChanges::default() }
}

fn amount(amount: Decimal) -> CampaignChanges {
    CampaignChanges { budget_amount: Some(amount), ..CampaignChanges::default() }
}

#[tokio::test]
async fn only_the_states_that_callers_can_write_are_sent() {
    for sample in samples() {
        let writable = sample.adapter().facts().capabilities.writable_statuses;
        let named: Vec<CampaignStatus> = sample.words.iter().map(|(status, _)| *status).collect();
        assert_eq!(named, writable, "{}", sample.platform);
        for (target, word) in sample.words {
            let requests = sent(sample, &status(*target)).await;
            assert_eq!(requests.len(), 1, "{}: {target:?}", sample.platform);
            assert!(requests[0].text.contains(&format!("\"{word}\"")), "{}: {}", sample.platform, requests[0].text);
        }
        for target in CampaignStatus::ALL.into_iter().filter(|status| !writable.contains(status)) {
            let error = refused(sample, &current(sample, &[]), &status(target)).await;
            let meaning = (error.kind, error.details[0].field.as_str(), error.platform);
            assert_eq!(meaning, (Kind::NotSupported, "status", Some(sample.platform)), "{target:?}");
        }
    }
}

#[tokio::test]
async fn an_amount_is_checked_as_for_a_new_campaign() {
    for sample in samples() {
        let draft = (sample.draft)();
        let low = [Decimal::ZERO, Decimal::NEGATIVE_ONE, draft.budget_amount + Decimal::new(5, 3)];
        let capabilities = sample.adapter().facts().capabilities;
        let currency = current(sample, &[]).currency;
        let minimum =
            capabilities.minimum_budget(BudgetPeriod::Daily, currency).map(|least| least - Decimal::new(1, 2));
        for wrong in low.into_iter().chain(minimum) {
            let error = refused(sample, &current(sample, &[]), &amount(wrong)).await;
            let meaning = (error.kind, error.details[0].field.as_str(), error.platform);
            assert_eq!(meaning, (Kind::Validation, "budget_amount", Some(sample.platform)), "{wrong}");
        }
        let (change, kind) = &sample.without_budget;
        let error = refused(sample, &current(sample, change), &amount(draft.budget_amount)).await;
        assert_eq!(error.kind, *kind, "{}: it has no budget of its own", sample.platform);
    }
}

#[tokio::test]
async fn a_period_changes_only_where_the_platform_changes_it() {
    for sample in samples().filter(|sample| !sample.adapter().facts().capabilities.has_period_change) {
        let period = CampaignChanges { budget_period: Some(BudgetPeriod::Lifetime), ..CampaignChanges::default() };
        let error = refused(sample, &current(sample, &[]), &period).await;
        let meaning = (error.kind, error.details[0].field.as_str(), error.platform);
        assert_eq!(meaning, (Kind::NotSupported, "budget_period", Some(sample.platform)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_or_a_removal_without_an_answer_may_be_sent_again() {
    for sample in samples() {
        for (response, kind) in [
            ((503, String::new()), Kind::PlatformFailed),
            ((200, "<html>".to_owned()), Kind::PlatformFailed),
            ((0, String::new()), Kind::PlatformTimeout),
        ] {
            let fake = Fake::answering(vec![response.clone(), response]);
            let current = current(sample, &[]);
            let renamed = CampaignChanges { name: Some("Summer".into()), ..CampaignChanges::default() };
            let updated = sample.adapter().update_campaign(&sample.session(&fake), &current, &renamed).await;
            let deleted = sample.adapter().delete_campaign(&sample.session(&fake), &current).await;
            for error in [updated.unwrap_err(), deleted.unwrap_err()] {
                let meaning = (error.kind, error.retryable, error.unknown_outcome);
                assert_eq!(meaning, (kind, true, false), "{}", sample.platform);
            }
        }
    }
}

#[tokio::test]
async fn a_text_that_cannot_be_an_id_is_not_found_without_a_call() {
    for sample in samples() {
        let silent = Fake::answering(vec![]);
        for id in sample.wrong_ids.iter().copied().chain(["", "camp/5", "5/../6", "5?x=1", "..", "é"]) {
            let error = sample.adapter().get_campaign(&sample.session(&silent), id).await.unwrap_err();
            assert_eq!(error.kind, Kind::NotFound, "{}: {id}", sample.platform);
        }
    }
}
