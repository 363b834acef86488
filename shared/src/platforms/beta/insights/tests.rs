use super::*;
use crate::platforms::AdPlatform;
use crate::platforms::beta::Beta;
use crate::platforms::beta::tests::{account, parameter};
use crate::platforms::engine::insights::InsightsPage;
use crate::platforms::fake::{Fake, ok};
use serde_json::{Value, json};

const ID: &str = "120330000000012345";

fn days(from: &str, to: &str) -> Days {
    Days::new(from.parse().unwrap(), to.parse().unwrap()).unwrap()
}

fn request(granularity: Granularity, campaign: Option<&str>) -> InsightsRequest {
    let campaign = campaign.map(str::to_owned);
    InsightsRequest { days: days("2026-11-01", "2026-11-07"), granularity, campaign, limit: 100, after: None }
}

async fn read_in(account: AdAccount, fake: &Fake, request: &InsightsRequest) -> Result<InsightsPage, Error> {
    Beta.insights(&fake.session_of(Platform::Beta, account), request).await
}

async fn read(fake: &Fake, request: &InsightsRequest) -> Result<InsightsPage, Error> {
    read_in(account(), fake, request).await
}

/// A row as the platform writes it: every number as text.
fn row(first: &str, last: &str, numbers: &Value) -> Value {
    let mut row = json!({"account_id": "111222333", "campaign_id": ID, "date_start": first, "date_stop": last});
    let numbers = numbers.as_object().unwrap().clone();
    row.as_object_mut().unwrap().extend(numbers);
    row
}

fn by_day(day: &str, numbers: &Value) -> Value {
    row(day, day, numbers)
}

fn page(rows: &[Value]) -> Fake {
    Fake::answering(vec![ok(json!({"data": rows, "paging": {"cursors": {"before": "MAZDZD", "after": "MAZDZD"}}}))])
}

fn decimal(text: &str) -> Option<Decimal> {
    Some(Decimal::from_str_exact(text).unwrap())
}

#[tokio::test]
async fn a_report_by_day_counts_each_conversion_once() {
    let numbers = json!({"spend": "361.79", "impressions": "9007199254740993", "clicks": "204",
        "actions": [
            {"action_type": "link_click", "value": "190"},
            {"action_type": "purchase", "value": "3"},
            {"action_type": "omni_purchase", "value": "4", "7d_click": "3", "1d_view": "1"},
            {"action_type": "offsite_conversion.fb_pixel_purchase", "value": "3"},
            {"action_type": "lead", "value": "2"},
        ],
        "action_values": [{"action_type": "omni_purchase", "value": "3272.50"}]});
    let fake = page(&[by_day("2026-11-01", &numbers), by_day("2026-11-02", &json!({"spend": "5339.5"}))]);
    let found = read(&fake, &request(Granularity::Day, Some(ID))).await.unwrap();
    let first = &found.rows[0];
    assert_eq!((first.campaign.to_string(), first.date), (format!("beta_111222333_{ID}"), "2026-11-01".parse().ok()));
    assert_eq!(
        (first.spend, first.impressions, first.clicks),
        (decimal("361.79"), Some(9_007_199_254_740_993), Some(204))
    );
    assert_eq!((first.conversions, first.conversion_value), (decimal("6"), decimal("3272.5")));
    let second = &found.rows[1];
    assert_eq!((second.spend, second.impressions, second.clicks), (decimal("5339.5"), None, None));
    assert_eq!((second.conversions, second.conversion_value), (None, None), "not known, and not 0");
    let requests = fake.requests();
    assert!(requests[0].line.starts_with(&format!("GET /v26.0/{ID}/insights?")), "{}", requests[0].line);
    for (name, value) in [
        ("fields", Some("account_id,campaign_id,spend,impressions,clicks,actions,action_values")),
        ("time_range", Some(r#"{"since":"2026-11-01","until":"2026-11-07"}"#)),
        ("time_increment", Some("1")),
        ("limit", Some("100")),
        ("after", None),
        ("level", None),
    ] {
        assert_eq!(parameter(&requests[0], name).as_deref(), value, "{name}");
    }
}

#[tokio::test]
async fn an_accounts_total_is_of_campaigns_in_every_state() {
    let fake = page(&[row("2026-11-01", "2026-11-07", &json!({"spend": "1"}))]);
    let found = read(&fake, &request(Granularity::Total, None)).await.unwrap();
    assert_eq!((found.rows.len(), found.rows[0].date, found.has_more), (1, None, false));
    let requests = fake.requests();
    assert!(requests[0].line.starts_with("GET /v26.0/act_111222333/insights?level=campaign&"), "{}", requests[0].line);
    let filter = r#"[{"field":"campaign.effective_status","operator":"IN","value":["ACTIVE","PAUSED","IN_PROCESS","WITH_ISSUES","ARCHIVED","DELETED"]}]"#;
    assert_eq!(parameter(&requests[0], "filtering").as_deref(), Some(filter));
    assert_eq!(parameter(&requests[0], "time_increment"), None);
}

#[tokio::test]
async fn cursors_and_parts_continue_after_any_row() {
    let fake = Fake::new(|request| {
        let day = |day: &str| by_day(day, &json!({"clicks": "1"}));
        let range = parameter(request, "time_range").unwrap();
        match parameter(request, "after").as_deref() {
            _ if range.contains("2026-10-01") => ok(json!({"data": [day("2026-10-01")]})),
            Some("c") => ok(json!({"data": [day("2026-09-03")]})),
            _ => {
                let paging = json!({"cursors": {"after": "c"}, "next": "http://127.0.0.1:1/elsewhere"});
                ok(json!({"data": [day("2026-09-01"), day("2026-09-02")], "paging": paging}))
            }
        }
    });
    let whole = InsightsRequest { days: days("2026-09-01", "2026-10-10"), ..request(Granularity::Day, None) };
    let all = read(&fake, &whole).await.unwrap();
    let dates: Vec<String> = all.rows.iter().map(|row| row.date.unwrap().to_string()).collect();
    assert_eq!(dates, ["2026-09-01", "2026-09-02", "2026-09-03", "2026-10-01"], "30 days of an account are one part");
    for (index, position) in all.positions.iter().enumerate() {
        let next = InsightsRequest { after: Some(position.clone()), ..whole.clone() };
        assert_eq!(read(&fake, &next).await.unwrap().rows, all.rows[index + 1..], "{position}");
    }
}

#[tokio::test]
async fn the_rows_of_a_page_are_in_the_order_of_days_and_campaigns() {
    let of = |campaign: &str, day: &str| {
        let mut row = by_day(day, &json!({"clicks": "1"}));
        row["campaign_id"] = json!(campaign);
        row
    };
    let fake = page(&[of("8", "2026-11-01"), of("8", "2026-11-02"), of("7", "2026-11-01"), of("7", "2026-11-02")]);
    let rows = read(&fake, &request(Granularity::Day, None)).await.unwrap().rows;
    let found: Vec<_> = rows.iter().map(|row| (row.date.unwrap().day(), row.campaign.to_string())).collect();
    let [seven, eight] = ["7", "8"].map(|id| format!("beta_111222333_{id}"));
    assert_eq!(found, [(1, seven.clone()), (1, eight.clone()), (2, seven), (2, eight)]);
}

#[tokio::test]
async fn a_cursor_that_meta_refuses_is_invalid() {
    let refusal = json!({"error": {"code": 100, "message": "Invalid cursors values"}}).to_string();
    let after = Some("2026-11-01..2026-11-07:0:gone".to_owned());
    let request = InsightsRequest { after, ..request(Granularity::Day, None) };
    let error = read(&Fake::answering(vec![(400, refusal)]), &request).await.unwrap_err();
    assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::Validation, "cursor"));
}

#[tokio::test]
async fn a_correction_is_read_and_an_unreadable_number_is_null_in_its_row() {
    let corrected = json!({"spend": "-1.50", "clicks": "-1",
        "actions": [{"action_type": "lead", "value": "-2"}]});
    let rows = [by_day("2026-11-02", &corrected), by_day("2026-11-03", &json!({"clicks": "2"}))];
    let found = read(&page(&rows), &request(Granularity::Day, Some(ID))).await.unwrap().rows;
    assert_eq!((found[0].spend, found[0].clicks, found[0].conversions), (decimal("-1.5"), Some(-1), decimal("-2")));
    assert!(found.iter().all(|row| row.unreadable.is_empty()), "{found:?}");
    for (malformed, name) in [
        (json!({"spend": "1,5"}), "spend"),
        (json!({"impressions": "1.5"}), "impressions"),
        (json!({"actions": [{"action_type": "lead", "value": "x"}]}), "conversions"),
        (json!({"actions": [{"action_type": "lead"}]}), "conversions"),
        (json!({"actions": [{"value": "1"}]}), "conversions"),
        (json!({"actions": "3"}), "conversions"),
        (json!({"action_values": [3]}), "conversion_value"),
    ] {
        let mut row = malformed.clone();
        row["clicks"] = json!("4");
        let rows = [by_day("2026-11-02", &row), by_day("2026-11-03", &json!({"clicks": "2"}))];
        let found = read(&page(&rows), &request(Granularity::Day, Some(ID))).await.unwrap().rows;
        assert_eq!((found[0].clicks, found[0].unreadable.as_slice()), (Some(4), [name].as_slice()), "{malformed}");
        assert_eq!((found[0].spend, found[0].conversions, found[0].conversion_value), (None, None, None));
        assert_eq!((found[1].clicks, found[1].unreadable.is_empty()), (Some(2), true), "{malformed}");
    }
}

#[tokio::test]
async fn a_row_that_is_foreign_or_cannot_be_read_is_an_error() {
    let good = by_day("2026-11-02", &json!({"clicks": "1"}));
    let with = |changes: Value| {
        let mut row = good.clone();
        row.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        row
    };
    let bad = [
        with(json!({"account_id": "9"})),
        with(json!({"account_id": null})),
        with(json!({"campaign_id": "7"})),
        with(json!({"campaign_id": null})),
        with(json!({"date_start": "2026-10-31", "date_stop": "2026-10-31"})),
        with(json!({"date_stop": "2026-11-03"})),
        with(json!({"date_stop": "soon"})),
        json!([]),
        good.clone(),
    ];
    for row in bad {
        let error = read(&page(&[good.clone(), row.clone()]), &request(Granularity::Day, Some(ID))).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{row}");
    }
    let over = row("2026-10-31", "2026-11-07", &json!({}));
    assert!(read(&page(&[over]), &request(Granularity::Total, None)).await.is_err());
}

#[tokio::test]
async fn days_add_up_to_the_total() {
    // Meta counts dinars in hundredths, although they have three decimals.
    for (code, places) in [("USD", 2), ("JPY", 0), ("BHD", 2)] {
        let numbers = |spend: i64, clicks: i64| {
            let spend = Decimal::new(spend, places).to_string();
            let purchases = |value: &str| json!([{"action_type": "omni_purchase", "value": value}]);
            json!({"spend": spend, "impressions": (clicks * 9).to_string(), "clicks": clicks.to_string(),
                "actions": purchases(&clicks.to_string()), "action_values": purchases(&spend)})
        };
        let spend = |day: i64| day * 7_919 % 100_003;
        let rows: Vec<Value> =
            (1..=7).map(|day| by_day(&format!("2026-11-{day:02}"), &numbers(spend(day), day * day))).collect();
        let total = (1..=7).fold((0, 0), |sum, day| (sum.0 + spend(day), sum.1 + day * day));
        let total = row("2026-11-01", "2026-11-07", &numbers(total.0, total.1));
        let account = || AdAccount { currency: Currency::from_code(code).unwrap(), ..account() };
        let days = read_in(account(), &page(&rows), &request(Granularity::Day, None)).await.unwrap().rows;
        let totals = read_in(account(), &page(&[total]), &request(Granularity::Total, None)).await.unwrap();
        let sum = |number: fn(&InsightsRow) -> Option<Decimal>| days.iter().filter_map(number).sum::<Decimal>();
        let total = &totals.rows[0];
        assert_eq!(Some(sum(|row| row.spend)), total.spend, "{code}");
        assert_eq!(Some(sum(|row| row.conversions)), total.conversions, "{code}");
        assert_eq!(Some(sum(|row| row.conversion_value)), total.conversion_value, "{code}");
        assert_eq!(days.iter().filter_map(|row| row.clicks).sum::<i64>(), total.clicks.unwrap(), "{code}");
    }
}
