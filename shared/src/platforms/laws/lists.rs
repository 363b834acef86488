//! A list shows all that it can read, and says what it cannot.

use super::sample::{Sample, set, with};
use super::samples;
use crate::domain::{CampaignStatus, Platform, StatusSet};
use crate::error::{Error, Kind};
use crate::platforms::fake::{Fake, ScriptedResponse};
use crate::platforms::{CampaignPage, ListRequest};
use serde_json::{Value, json};

async fn list(sample: &Sample, fake: &Fake, statuses: StatusSet, after: Option<&str>) -> Result<CampaignPage, Error> {
    let request = ListRequest { statuses, limit: 10, after: after.map(str::to_owned) };
    sample.adapter().list_campaigns(&sample.session(fake), &request).await
}

/// A list of one page, and its report.
async fn listed(
    sample: &'static Sample,
    page: ScriptedResponse,
    report: ScriptedResponse,
) -> Result<CampaignPage, Error> {
    let fake = Fake::new(move |request| match sample.report {
        Some([path, _]) if request.line.contains(path) => report.clone(),
        _ => page.clone(),
    });
    list(sample, &fake, StatusSet::not_final(), None).await
}

async fn page(sample: &'static Sample, rows: Vec<Value>) -> Result<CampaignPage, Error> {
    let empty = sample.report.map(|[_, body]| body).unwrap_or_default();
    listed(sample, sample.page(rows, None), (200, empty.to_owned())).await
}

fn ids(page: &CampaignPage) -> Vec<&str> {
    page.rows.iter().map(|campaign| campaign.remote_id.as_str()).collect()
}

#[tokio::test]
async fn a_row_that_cannot_be_read_or_is_of_another_account_is_left_out() {
    for sample in samples() {
        let malformed = sample.malformed.iter().chain(sample.elsewhere.as_ref().map(|(change, _)| change));
        let malformed = malformed.map(|change| with(sample.made(2, 0), change));
        for row in malformed.chain([json!(null), json!(7), json!({}), json!({"name": "no id"})]) {
            let shown = format!("{}: {row}", sample.platform);
            let page = page(sample, vec![sample.made(3, 0), row, sample.made(1, 0)]).await.unwrap();
            assert_eq!((ids(&page), page.has_more), (vec!["3", "1"], false), "{shown}");
            assert_eq!(page.positions.len(), 2, "{shown}");
        }
    }
}

#[tokio::test]
async fn a_page_without_a_readable_row_is_a_failure_and_an_empty_one_is_not() {
    for sample in samples() {
        assert_eq!(ids(&page(sample, vec![]).await.unwrap()), [""; 0], "{}", sample.platform);
        let error = page(sample, vec![json!(null), json!({})]).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{}", sample.platform);
    }
}

#[tokio::test]
async fn a_malformed_optional_field_costs_neither_the_page_nor_the_row() {
    for sample in samples() {
        let draft = (sample.draft)();
        for pointer in sample.optional {
            for value in [json!(null), json!(7), json!(true), json!("SOMETHING_NEW"), json!({"a": 1}), json!([1])] {
                let shown = format!("{}: {pointer} {value}", sample.platform);
                let mut row = sample.made(2, 0);
                set(&mut row, pointer, value);
                let page = page(sample, vec![sample.made(3, 0), row, sample.made(1, 0)]).await.unwrap();
                assert_eq!(ids(&page), ["3", "2", "1"], "{shown}");
                assert_eq!(page.rows[1].budget_amount, Some(draft.budget_amount), "{shown}");
                assert_eq!((page.rows[1].start_at, page.rows[1].end_at), (page.rows[0].start_at, None), "{shown}");
            }
        }
    }
}

#[tokio::test]
async fn a_wrong_amount_is_no_budget_and_never_another_amount() {
    for sample in samples() {
        let read = async |json: &str| {
            let mut row = sample.made(2, 0);
            set(&mut row, sample.amount, serde_json::from_str(json).unwrap());
            page(sample, vec![row]).await.unwrap().rows[0].budget_amount
        };
        for wrong in sample.wrong_amounts {
            assert_eq!(read(wrong).await, None, "{}: {wrong}", sample.platform);
        }
        for form in sample.amounts {
            assert_eq!(read(form).await, Some((sample.draft)().budget_amount), "{}: {form}", sample.platform);
        }
    }
}

#[tokio::test]
async fn a_row_is_handed_on_as_received_with_the_statuses_of_its_platform() {
    for sample in samples() {
        let row = sample.made(2, 0);
        let page = page(sample, vec![row.clone()]).await.unwrap();
        assert_eq!(page.rows[0].raw, row.to_string(), "{}", sample.platform);
        assert_eq!(page.rows[0].status, CampaignStatus::Paused, "{}", sample.platform);
    }
}

#[tokio::test]
async fn a_position_that_no_list_returned_is_refused_without_a_call() {
    for sample in samples() {
        let whole = page(sample, vec![sample.made(3, 0)]).await.unwrap();
        let long = format!("{}{}", whole.positions[0], "x".repeat(3_000));
        for after in sample.wrong_positions.iter().copied().chain(["", "x", long.as_str()]) {
            let silent = Fake::answering(vec![]);
            let error = list(sample, &silent, StatusSet::not_final(), Some(after)).await.unwrap_err();
            assert_eq!(error.kind, Kind::Validation, "{}: {after}", sample.platform);
            assert_eq!(error.details[0].field, "cursor", "{}: {after}", sample.platform);
            assert!(error.details[0].rule.to_string().contains("start again without it"), "{error:?}");
        }
    }
}

#[tokio::test]
async fn a_state_that_no_campaign_has_is_not_asked_for() {
    for sample in samples() {
        let silent = Fake::answering(vec![]);
        let page = list(sample, &silent, StatusSet::of(sample.never), None).await.unwrap();
        assert!(page.rows.is_empty() && !page.has_more && silent.requests().is_empty(), "{}", sample.platform);
    }
}

#[tokio::test]
async fn a_failure_of_a_list_is_never_an_empty_list() {
    for sample in samples() {
        let usual = [
            ((500, String::new()), Kind::PlatformFailed),
            ((200, "<html>".to_owned()), Kind::PlatformFailed),
            (sample.scripted(&sample.expired), Kind::TokenExpired),
            (sample.scripted(&sample.missing), Kind::Forbidden),
        ];
        let no_pages = sample.no_pages.iter().map(|body| ((200, (*body).to_owned()), Kind::PlatformFailed));
        // Google Ads leaves out of a response what is empty; only its search asks for more.
        let no_pages = no_pages.filter(|_| sample.platform != Platform::Alpha);
        for (response, kind) in usual.into_iter().chain(no_pages) {
            let shown = format!("{}: {response:?}", sample.platform);
            let fake = Fake::new(move |_| response.clone());
            let error = list(sample, &fake, StatusSet::not_final(), None).await.unwrap_err();
            assert_eq!((error.kind, error.retryable), (kind, kind == Kind::PlatformFailed), "{shown}");
        }
        let endless = Fake::new(|_| sample.page(vec![sample.made(5, 0)], Some(sample.token)));
        let active = StatusSet::of(&[CampaignStatus::Active]);
        let error = list(sample, &endless, active, None).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{}", sample.platform);
    }
}

#[tokio::test]
async fn a_failed_report_hides_the_spend_alone_and_a_refused_token_fails() {
    for sample in samples().filter(|sample| sample.report.is_some()) {
        let reported = |report| listed(sample, sample.page(vec![sample.made(2, 0)], None), report);
        for report in [(500, String::new()), (200, "<html>".to_owned()), (sample.saying)("no")] {
            let shown = format!("{}: {report:?}", sample.platform);
            assert_eq!(reported(report).await.unwrap().rows[0].total_spend_amount, None, "{shown}");
        }
        let expired = reported(sample.scripted(&sample.expired)).await.unwrap_err();
        assert_eq!(expired.kind, Kind::TokenExpired, "{}", sample.platform);
    }
}
