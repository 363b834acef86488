//! Tests of what is read, what is kept, and what it adds up to.

use super::days::{AccountDays, KeptDays, by_connection, range};
use super::kept::{KeptCampaigns, MAX_BYTES, to_json};
use super::plan::{Haste, tasks};
use super::state::{Known, age};
use super::*;
use crate::client::accounts::Connection;
use crate::client::accounts::tests::known;
use crate::client::campaign_json::Campaign;
use lambda_http::{Body, Response};
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, ConnectionId, Platform};
use shared::store::{KeptChange, KeptPart, OverviewPart};

fn at(text: &str) -> Timestamp {
    format!("2026-11-23T{text}Z").parse().unwrap()
}

fn connection(id: &str, account: &str, zone: &str) -> Connection {
    Connection {
        id: ConnectionId(id.to_owned()),
        account_name: Some("Harbour Coffee".to_owned()),
        time_zone: Some(zone.to_owned()),
        ..known("beta_ads", account)
    }
}

fn campaign(id: &str, status: &str, currency: &str) -> Campaign {
    let json = format!(
        r#"{{"id":"{id}","platform":"BETA","organization_id":"7","name":"Spring {id}","status":"{status}","goal":"REACH",
            "budget_amount":12345678901234567890.25,"budget_period":"DAILY","currency":"{currency}"}}"#
    );
    serde_json::from_str(&json).unwrap()
}

fn campaigns_part(tried_at: Timestamp, campaigns: &[Campaign]) -> KeptPart {
    let rows = Some((tried_at, to_json(campaigns.iter(), false)));
    KeptPart { part: OverviewPart::Campaigns, connection: "conn_1".to_owned(), tried_at, rows, problem: None }
}

fn days_part(now: Timestamp, rows: &str) -> KeptPart {
    let read: AccountDays = serde_json::from_str(&format!(r#"{{"connection_id":"conn_1","rows":[{rows}]}}"#)).unwrap();
    let today = connection("conn_1", "7", "UTC").today(now);
    // An account of the platform is west of UTC.
    let days = range([today.yesterday().unwrap(), today].into_iter()).unwrap();
    let (connection, outcome) = by_connection(vec![read], days, false).remove(0);
    KeptPart { part: OverviewPart::Days, connection, tried_at: now, rows: Some((now, outcome.unwrap())), problem: None }
}

fn day(campaign: &str, date: &str, spend: &str, clicks: &str) -> String {
    format!(r#"{{"campaign_id":"{campaign}","date":"{date}","spend":{spend},"clicks":{clicks}}}"#)
}

#[test]
fn only_what_is_old_or_changed_is_read_again() {
    let known = vec![connection("conn_1", "7", "UTC")];
    let kept = |campaigns: &str, days: &str| KeptOverview {
        parts: vec![
            campaigns_part(at(campaigns), &[]),
            KeptPart { part: OverviewPart::Days, ..campaigns_part(at(days), &[]) },
        ],
        changes: Vec::new(),
    };
    let read = |kept: &KeptOverview, haste| -> Vec<OverviewPart> {
        tasks(&known, kept, haste, at("12:00:00")).into_iter().map(|task| task.part).collect()
    };
    assert_eq!(read(&KeptOverview::default(), Haste::Usual), [OverviewPart::Campaigns, OverviewPart::Days]);
    assert_eq!(read(&kept("11:58:00", "11:56:59"), Haste::Usual), [OverviewPart::Days]);
    assert_eq!(read(&kept("11:59:49", "11:59:51"), Haste::Renewed), [OverviewPart::Campaigns], "a person asks");
    let mut failed = kept("11:58:59", "11:59:01");
    failed.parts.iter_mut().for_each(|part| part.problem = Some("No.".to_owned()));
    assert_eq!(read(&failed, Haste::Usual), [OverviewPart::Campaigns], "a failure is tried again after a minute");
    let change = |campaign: Option<&str>, time: &str| {
        let change = KeptChange { campaign: campaign.map(str::to_owned), ..KeptChange::of_any(at(time)) };
        read(&KeptOverview { changes: vec![change], ..kept("11:59:00", "11:59:00") }, Haste::Usual)
    };
    assert_eq!(change(Some("beta_7_1"), "11:59:30"), [OverviewPart::Campaigns]);
    assert_eq!(change(None, "11:59:30"), [OverviewPart::Campaigns]);
    assert_eq!(change(Some("beta_8_1"), "11:59:30"), [], "another account");
    assert_eq!(change(Some("beta_7_1"), "11:58:30"), [], "before the reading");
}

#[test]
fn a_bulk_change_is_read_after_its_start_and_after_its_end() {
    let known = vec![connection("conn_1", "7", "UTC")];
    let is_read = |tried_at: &str, changed_at: &str, open_until: Option<&str>| {
        let change = KeptChange {
            bulk: Some("bulk_1".to_owned()),
            open_until: open_until.map(at),
            ..KeptChange::of_any(at(changed_at))
        };
        let parts = vec![
            campaigns_part(at(tried_at), &[]),
            KeptPart { part: OverviewPart::Days, ..campaigns_part(at(tried_at), &[]) },
        ];
        let kept = KeptOverview { parts, changes: vec![change] };
        !tasks(&known, &kept, Haste::Usual, at("12:00:00")).is_empty()
    };
    assert!(is_read("11:59:40", "11:59:50", Some("12:00:20")), "before the start");
    assert!(!is_read("11:59:51", "11:59:50", Some("12:00:20")), "while it goes on, as usual");
    assert!(is_read("11:59:40", "11:59:20", Some("11:59:50")), "nobody has seen its end, and its time is over");
    assert!(!is_read("11:59:51", "11:59:20", Some("11:59:50")), "after its time");
    assert!(is_read("11:59:51", "11:59:52", None), "a page has seen its end");
    assert!(!is_read("11:59:53", "11:59:52", None), "after its end");
}

#[test]
fn an_account_that_fails_keeps_its_rows_and_their_time() {
    let known = vec![connection("conn_1", "7", "UTC"), connection("conn_2", "8", "UTC")];
    let mut kept = KeptOverview {
        parts: vec![campaigns_part(at("11:50:00"), &[campaign("beta_7_1", "ACTIVE", "USD")])],
        ..KeptOverview::default()
    };
    kept.parts[0].take(at("12:00:00"), &Err("Meta is throttling.".to_owned()));
    let waiting = vec![(OverviewPart::Campaigns, "conn_2".to_owned())];
    let Known { accounts, rows, .. } = Known::of(&known, &kept, &waiting, at("12:00:00"));
    assert_eq!(
        (accounts[0].read_at, accounts[0].problem.as_deref()),
        (Some(at("11:50:00")), Some("Meta is throttling."))
    );
    assert_eq!((accounts[1].read_at, accounts[1].is_waiting, accounts[0].is_waiting), (None, true, false));
    assert_eq!((rows.len(), rows[0].account.as_str()), (1, "Harbour Coffee"));
    assert_eq!(rows[0].campaign.budget(), "12,345,678,901,234,567,890.25 USD a day", "no digit is lost");
    assert_eq!(rows[0].numbers, Numbers::default(), "nothing is known of its days");
    kept.parts[0].take(at("12:02:00"), &Ok(to_json([].iter(), false)));
    assert_eq!(kept.parts[0].problem, None);
}

#[test]
fn a_change_is_shown_until_a_later_reading_tells_it() {
    let known = vec![connection("conn_1", "7", "UTC")];
    let campaigns = ["1", "2", "3"].map(|number| campaign(&format!("beta_7_{number}"), "ACTIVE", "USD"));
    let response = |status: u16, body: &str| Response::builder().status(status).body(Body::from(body)).unwrap();
    let paused = response(200, r#"{"name":"Summer","status":"PAUSED","budget_amount":7.5,"budget_period":"DAILY"}"#);
    let changes = vec![
        change("PATCH", "/v1/campaigns/beta_7_1", &paused, at("12:00:00")).unwrap(),
        change("DELETE", "/v1/campaigns/beta_7_2", &response(204, ""), at("12:00:00")).unwrap(),
    ];
    let shown = |read: &str| -> Vec<String> {
        let kept = KeptOverview { parts: vec![campaigns_part(at(read), &campaigns)], changes: changes.clone() };
        let shown = |row: Row| format!("{} {}", row.campaign.name, row.campaign.status.as_str());
        Known::of(&known, &kept, &Vec::new(), at("12:00:00")).rows.into_iter().map(shown).collect()
    };
    assert_eq!(shown("12:00:00"), ["Summer PAUSED", "Spring beta_7_3 ACTIVE"]);
    assert_eq!(shown("12:00:01").len(), 3, "the platform knows better by now");
}

#[test]
fn only_requests_that_may_have_changed_something_are_noted() {
    let of = |method, target, status: u16| {
        let response = Response::builder().status(status).body(Body::Empty).unwrap();
        change(method, target, &response, at("12:00:00")).map(|change| (change.campaign, change.at, change.values))
    };
    assert_eq!(of("GET", "/v1/campaigns", 200), None);
    assert_eq!(of("PATCH", "/v1/campaigns/beta_7_1?dry_run=true", 200), None);
    assert_eq!(of("PATCH", "/v1/campaigns/beta_7_1", 400), None);
    assert_eq!(of("POST", "/v1/api-keys", 201), None);
    let unknown = of("PATCH", "/v1/campaigns/beta_7_1", 504);
    assert_eq!(unknown, Some((Some("beta_7_1".to_owned()), at("12:00:00"), None)), "it may have taken effect");
    assert_eq!(of("POST", "/v1/campaigns", 201), Some((None, at("12:00:00"), None)));
    let bulk = |body: &str| {
        let response = Response::builder().status(202).body(Body::from(body)).unwrap();
        change("POST", "/v1/campaigns/status", &response, at("12:00:00")).unwrap()
    };
    let begun = bulk(r#"{"bulk_id":"bulk_1","changes":[]}"#);
    assert_eq!((begun.bulk.as_deref(), begun.at), (Some("bulk_1"), at("12:00:00")));
    assert_eq!(begun.open_until, Some(at("12:00:30")), "it goes on for a while");
    assert!(bulk("").bulk.is_some(), "an unknown one ends none that is known");
}

#[test]
fn days_are_those_of_the_reports_and_no_row_is_no_spend() {
    let now = at("03:00:00");
    let rows = [
        day("beta_7_1", "2026-11-23", "1.5", "1"),
        day("beta_7_1", "2026-11-22", "0.1", "2"),
        day("beta_7_1", "2026-11-15", "0.2", "3"),
        day("beta_7_1", "2026-11-14", "0.4", "5"),
        day("beta_7_2", "2026-11-20", "null", "5"),
    ];
    let part = days_part(now, &rows.join(","));
    let kept = KeptDays::parse(&part.rows.unwrap().1).unwrap();
    let utc = "2026-11-23".parse().unwrap();
    let (numbers, none) = kept.numbers(utc);
    let first = &numbers["beta_7_1"];
    let tenths = |tenths: i64| Some(Decimal::new(tenths, 1));
    assert_eq!((first.today, first.week, first.week_before, first.clicks), (tenths(15), tenths(1), tenths(6), Some(2)));
    assert_eq!((first.days.len(), first.days[13], first.days[6]), (14, tenths(1), tenths(2)));
    assert_eq!((numbers["beta_7_2"].week, numbers["beta_7_2"].clicks), (None, Some(5)), "the platform has no number");
    assert_eq!((none.today, none.week, none.clicks), (Some(Decimal::ZERO), Some(Decimal::ZERO), Some(0)));
    // In New York it is still the day before, and in Auckland the next one, which was not read.
    let (west, _) = kept.numbers("2026-11-22".parse().unwrap());
    assert_eq!((west["beta_7_1"].today, west["beta_7_1"].week_before), (tenths(1), tenths(4)));
    let (east, _) = kept.numbers("2026-11-24".parse().unwrap());
    assert_eq!((east["beta_7_1"].today, east["beta_7_1"].week), (None, tenths(16)));
}

#[test]
fn an_account_is_asked_for_its_own_today_and_a_report_in_utc_for_that_of_utc() {
    let now = at("23:30:00");
    let days_of = |platform: &str, zone: &str| -> (String, String) {
        let known =
            vec![Connection { platform: Platform::parse(platform).unwrap(), ..connection("conn_1", "7", zone) }];
        let tasks = tasks(&known, &KeptOverview::default(), Haste::Usual, now);
        let (first, last) = range(tasks[1].accounts.iter().map(|account| account.today)).unwrap();
        (first.to_string(), last.to_string())
    };
    let days = |first: &str, last: &str| (first.to_owned(), last.to_owned());
    assert_eq!(days_of("beta_ads", "Asia/Tokyo"), days("2026-11-10", "2026-11-24"), "it is the next day there");
    assert_eq!(days_of("zeta_ads", "Asia/Tokyo"), days("2026-11-09", "2026-11-23"), "Reddit counts in UTC");
    assert_eq!(days_of("beta_ads", "America/New_York"), days("2026-11-09", "2026-11-23"));
}

#[test]
fn what_is_kept_fits_into_an_item() {
    let many: Vec<Campaign> = (0..3_000).map(|number| campaign(&format!("beta_7_{number}"), "ACTIVE", "USD")).collect();
    let json = to_json(many.iter(), false);
    let kept = KeptCampaigns::parse(&json);
    assert!(json.len() < MAX_BYTES + 100 && kept.is_cut && kept.rows.len() > 1_000, "{} bytes", json.len());
    assert!(!KeptCampaigns::parse(&to_json(many[..9].iter(), false)).is_cut);
    assert!(KeptCampaigns::parse("[]").rows.is_empty(), "another release");
}

#[test]
fn currencies_are_never_added_and_an_unknown_part_is_a_lower_bound() {
    let row = |id: &str, status: &str, currency: &str, week: Option<i64>| {
        let row = Row::without_numbers(campaign(id, status, currency).summary().unwrap());
        Row { numbers: Numbers { week: week.map(Decimal::from), ..Numbers::default() }, ..row }
    };
    let rows = vec![
        row("beta_7_a", "ACTIVE", "USD", Some(3)),
        row("beta_7_b", "PAUSED", "USD", Some(4)),
        row("beta_7_c", "ACTIVE", "EUR", Some(9)),
        row("beta_7_d", "DRAFT", "USD", None),
    ];
    let overview = Overview { rows, ..Overview::default() };
    let week = |total: Total| format!("{} {}", total.currency, total.week.text(|sum| sum.to_string()));
    let weeks: Vec<String> = overview.totals().into_iter().map(week).collect();
    assert_eq!(weeks, ["USD at least 7", "EUR 9"]);
    let counts = overview.counts();
    assert_eq!((counts.active, counts.paused, counts.other), (2, 1, 1));
    let top: Vec<_> = overview.top("USD", 5).into_iter().map(|row| row.campaign.id.to_string()).collect();
    assert_eq!(top, ["beta_7_b", "beta_7_a"]);
}

#[test]
fn a_row_has_its_share_of_the_budget_and_the_cost_of_a_click() {
    let mut row = Row::without_numbers(campaign("beta_7_1", "ACTIVE", "USD").summary().unwrap());
    assert_eq!((row.today_in_percent(), row.click_cost()), (None, None));
    row.campaign.budget_amount = Some(Decimal::from(40));
    row.numbers = Numbers {
        today: Some(Decimal::from(10)),
        week: Some(Decimal::from(10)),
        clicks: Some(3),
        ..Numbers::default()
    };
    assert_eq!((row.today_in_percent(), row.click_cost()), (Some(("25%".to_owned(), 25)), Some(Decimal::new(333, 2))));
    row.numbers.clicks = Some(0);
    row.campaign.budget_period = Some(BudgetPeriod::Lifetime);
    assert_eq!((row.today_in_percent(), row.click_cost()), (None, None));
}

#[test]
fn an_age_is_in_minutes_and_later_a_time() {
    assert_eq!(age(at("11:59:30"), at("12:00:00")), "just now");
    assert_eq!(age(at("11:58:30"), at("12:00:00")), "1 minute ago");
    assert_eq!(age(at("11:01:00"), at("12:00:00")), "59 minutes ago");
    assert_eq!(age(at("10:00:00"), at("12:00:00")), "at 23 Nov 2026, 10:00 UTC");
}

#[test]
fn what_a_removed_campaign_has_spent_stays_in_the_sums() {
    let now = at("12:00:00");
    let rows_of_days = [day("beta_7_1", "2026-11-20", "5", "1"), day("beta_7_2", "2026-11-20", "2.5", "1")].join(",");
    let kept = KeptOverview {
        parts: vec![campaigns_part(now, &[campaign("beta_7_1", "ACTIVE", "USD")]), days_part(now, &rows_of_days)],
        changes: Vec::new(),
    };
    let connections = [connection("conn_1", "7", "UTC")];
    let Known { rows, gone, .. } = Known::of(&connections, &kept, &Vec::new(), now);
    assert_eq!((rows.len(), gone.len()), (1, 1));
    let overview = Overview { rows, gone, ..Overview::default() };
    let totals = overview.totals();
    assert_eq!((totals.len(), totals[0].week.whole()), (1, Some(Decimal::new(75, 1))));
}
