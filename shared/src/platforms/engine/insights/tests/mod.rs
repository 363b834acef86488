pub(in crate::platforms) mod slow_platform;

use self::slow_platform::slow;
use super::*;
use crate::domain::{CampaignId, Platform};
use crate::error::Kind;
use crate::platforms::engine::call::{Api, get};
use crate::platforms::engine::page::Page;
use crate::platforms::errors;
use crate::platforms::fake::{Fake, ScriptedResponse};

fn days(from: &str, to: &str) -> Days {
    Days::new(from.parse().unwrap(), to.parse().unwrap()).unwrap()
}

#[test]
fn a_position_names_a_part_of_the_requested_days() {
    let requested = days("2026-01-01", "2026-01-31");
    let position = Position { part: days("2026-01-08", "2026-01-14"), seen: 0, token: Some("a:b".to_owned()) };
    let text = position.after(12);
    assert_eq!(text, "2026-01-08..2026-01-14:12:a:b");
    assert_eq!(Position::parse(&text, requested), Some(Position { seen: 12, ..position }));
    for text in [
        "",
        "x",
        "2026-01-08..2026-01-14",
        "2026-01-08..2026-01-14:1",
        "2026-01-08..2026-01-14:-1:",
        "2026-01-14..2026-01-08:1:",
        "2025-12-31..2026-01-14:1:",
        "2026-01-08..2026-02-01:1:",
        "2026-01-08T00..2026-01-14:1:",
        "2026-01-08..2026-01-14:1:\n",
    ] {
        assert_eq!(Position::parse(text, requested), None, "{text:?}");
    }
}

#[test]
fn a_part_that_the_platform_cut_is_halved_down_to_one_day() {
    let mut at = Position::start_of(days("2026-01-01", "2026-01-07"));
    let mut counts = Vec::new();
    while let Some(half) = at.halved() {
        counts.push(half.part.count());
        at = half;
    }
    assert_eq!(counts, [3, 1]);
    assert_eq!(Position { seen: 1, ..Position::start_of(days("2026-01-01", "2026-01-07")) }.halved(), None);
}

static API: Api = Api {
    platform: Platform::Gamma,
    authenticate: |_, _| Ok(()),
    classify: |response, _| {
        if response.status.is_success() { Ok(()) } else { Err(errors::refused(Platform::Gamma, "no such page")) }
    },
};

/// Thirty days are a part.
const FACTS: InsightsFacts = InsightsFacts { max_days: 30, ..InsightsFacts::UTC };

/// A report on 90 days, in three parts.
fn request(campaign: Option<&str>) -> InsightsRequest {
    let (days, campaign) = (days("2026-01-01", "2026-03-31"), campaign.map(str::to_owned));
    InsightsRequest { days, granularity: Granularity::Day, campaign, limit: 100, after: None }
}

/// A row of the first day of a part.
fn row(part: Days) -> InsightsRow {
    InsightsRow {
        campaign: CampaignId::new(Platform::Gamma, "9", "1"),
        date: Some(part.from),
        spend: None,
        impressions: Some(1),
        clicks: None,
        conversions: None,
        conversion_value: None,
        unreadable: Vec::new(),
    }
}

/// The pages of a part. A response is a letter for each row, and after a colon the token of the next page.
fn pages(part: Days) -> Result<Pages<'static, InsightsRow>, Error> {
    let address = move |token: Option<&str>| format!("https://platform/{}/{}", part.from, token.unwrap_or("first"));
    Ok(Pages::new(
        move |token| Ok(get(address(token))),
        move |_, response| {
            let text = std::str::from_utf8(&response.body).unwrap();
            let (rows, next) = text.split_once(':').unwrap_or((text, ""));
            let next = Some(next.to_owned()).filter(|next| !next.is_empty());
            Ok(Page { rows: rows.chars().map(|_| row(part)).collect(), next })
        },
    ))
}

/// Reads a report from a platform that takes so many seconds for each page.
async fn read(
    seconds: u64,
    response: fn(&str) -> ScriptedResponse,
    request: &InsightsRequest,
) -> Result<InsightsPage, Error> {
    let session = slow(Fake::answering(vec![]).session(), seconds, response);
    by_parts(&Client::of(&API, &session), &FACTS, request, pages).await
}

fn one_row(_: &str) -> ScriptedResponse {
    (200, "r".to_owned())
}

fn no_row(_: &str) -> ScriptedResponse {
    (200, String::new())
}

fn one_row_in_march(url: &str) -> ScriptedResponse {
    if url.contains("/2026-03-02/") { one_row(url) } else { no_row(url) }
}

fn no_row_and_another_page(_: &str) -> ScriptedResponse {
    (200, ":more".to_owned())
}

fn refused_second_page(url: &str) -> ScriptedResponse {
    if url.ends_with("/first") { (200, "r:gone".to_owned()) } else { (400, String::new()) }
}

fn assert_slow(outcome: Result<InsightsPage, Error>) {
    let error = outcome.unwrap_err();
    assert_eq!((error.kind, error.retryable, error.platform), (Kind::PlatformTimeout, true, Some(Platform::Gamma)));
    assert!(error.message.contains("ask for fewer days"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_report_on_one_campaign_is_read_to_its_end() {
    let page = read(6, one_row, &request(Some("1"))).await.unwrap();
    assert_eq!((page.rows.len(), page.has_more), (3, false));
    let page = read(6, one_row, &request(None)).await.unwrap();
    assert_eq!((page.rows.len(), page.has_more), (2, true), "that of an account has a next page");
    assert_slow(read(10, one_row, &request(Some("1"))).await);
}

#[tokio::test(start_paused = true)]
async fn an_account_is_read_up_to_its_first_row() {
    let page = read(6, one_row_in_march, &request(None)).await.unwrap();
    assert_eq!((page.rows.len(), page.has_more), (1, false));
    assert_slow(read(10, no_row, &request(None)).await);
    let error = read(0, no_row_and_another_page, &request(None)).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformFailed, "a report without an end");
}

#[tokio::test(start_paused = true)]
async fn a_refused_token_of_the_caller_is_an_invalid_cursor() {
    let after = Some("2026-01-01..2026-01-30:0:gone".to_owned());
    let error = read(1, refused_second_page, &InsightsRequest { after, ..request(None) }).await.unwrap_err();
    assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::Validation, "cursor"));
    let error = read(1, refused_second_page, &request(None)).await.unwrap_err();
    assert!(error.kind == Kind::PlatformFailed && error.is_for_operator, "that of the platform is none: {error}");
}

/// The outcome of a report, and the calls that it has cost.
async fn counted(request: &InsightsRequest, body: fn(usize) -> String) -> (Result<InsightsPage, Error>, usize) {
    let mut calls = 0;
    let fake = Fake::new(move |_| {
        calls += 1;
        (200, body(calls))
    });
    let page = by_parts(&Client::of(&API, &fake.session()), &FACTS, request, pages).await;
    (page, fake.requests().len())
}

#[tokio::test]
async fn a_report_without_an_end_costs_few_calls_and_its_rest_is_said() {
    let empty = |call: usize| format!(":{call}");
    for campaign in [None, Some("1")] {
        let (page, calls) = counted(&request(campaign), empty).await;
        let error = page.unwrap_err();
        assert_eq!((error.kind, error.retryable, calls), (Kind::PlatformFailed, true, 2), "a second empty page");
        assert!(error.message.contains("is not known") && !error.message.contains("fewer days"), "{error}");
        let (page, calls) = counted(&request(campaign), |_| "r:again".to_owned()).await;
        assert_eq!((page.unwrap_err().kind, calls), (Kind::PlatformFailed, 2), "a cursor that was seen before");
    }
    let (page, calls) = counted(&request(Some("1")), |call| format!("r:{call}")).await;
    assert!(page.is_err() && calls <= 50, "always another row: {calls} calls");
}

#[tokio::test]
async fn rows_before_empty_pages_are_shown_and_their_rest_is_said() {
    let body = |call: usize| if call == 1 { "rr:1".to_owned() } else { format!(":{call}") };
    let (page, calls) = counted(&request(None), body).await;
    let page = page.unwrap();
    assert_eq!((page.rows.len(), page.has_more, calls), (2, true, 3));
    let after = page.positions.last().cloned();
    let (page, _) = counted(&InsightsRequest { after, ..request(None) }, body).await;
    assert_eq!(page.unwrap_err().kind, Kind::PlatformFailed);
    let one_empty = |call: usize| if call == 2 { ":2".to_owned() } else { "r".to_owned() };
    let (page, _) = counted(&request(None), one_empty).await;
    assert!(!page.unwrap().has_more, "one empty page is passed over");
}
