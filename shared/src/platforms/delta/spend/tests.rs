use super::*;
use crate::domain::{AdAccount, Currency, StatusSet};
use crate::platforms::delta;
use crate::platforms::engine::AdPlatform;
use crate::platforms::engine::list::ListRequest;
use crate::platforms::fake::{Fake, ok};
use serde_json::{Value, json};

/// The spend of campaigns 9 and 8 when the report has these rows.
async fn spent(currency: &str, rows: Value) -> [Option<String>; 2] {
    spent_by(&reporting(json!([campaign(9, "ACTIVE"), campaign(8, "PAUSED")]), rows), currency).await
}

/// The creation of the campaigns of these tests, in milliseconds since the epoch.
const CREATED: i64 = 1_764_633_600_000;

fn campaign(id: u32, status: &str) -> Value {
    json!({"id": id, "status": status, "changeAuditStamps": {"created": {"time": CREATED}}})
}

fn reporting(campaigns: Value, rows: Value) -> Fake {
    Fake::new(move |request| match request.line.contains("/adAnalytics?") {
        true => ok(json!({"elements": rows})),
        false => ok(json!({"elements": campaigns, "metadata": {}})),
    })
}

async fn spent_by(fake: &Fake, currency: &str) -> [Option<String>; 2] {
    let currency = Currency::from_code(currency).unwrap();
    let account = AdAccount { currency, ..delta::translate::tests::account() };
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 5, after: None };
    let page = delta::Delta.list_campaigns(&fake.session_of(Platform::Delta, account), &request).await.unwrap();
    let mut spent = page.rows.into_iter().map(|campaign| campaign.total_spend_amount.map(|sum| sum.to_string()));
    [spent.next().unwrap(), spent.next().unwrap()]
}

fn row(cost: &Value) -> Value {
    json!({"costInLocalCurrency": cost, "pivotValues": ["urn:li:sponsoredCampaign:9"]})
}

#[tokio::test]
async fn a_cost_is_rounded_to_its_currency_and_never_below_zero() {
    let number = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for (currency, cost, expected) in [
        ("USD", json!("-2E-18"), "0"),
        ("USD", json!("-5"), "0"),
        ("USD", json!("0E-18"), "0"),
        ("USD", json!("1e-400"), "0"),
        ("USD", json!("1e-99999999999"), "0"),
        ("USD", json!("99.99999999999996"), "100"),
        ("USD", json!("107.5300000000000335346"), "107.53"),
        ("USD", json!("1234.567890123456789"), "1234.57"),
        ("USD", json!("0.12499999999999999999999999999999999999999"), "0.12"),
        ("USD", json!("0.12500000000000000000000000000000000000001"), "0.13"),
        ("USD", json!("12.345"), "12.35"),
        ("USD", json!("0.005"), "0.01"),
        ("USD", json!("0.0049999"), "0"),
        ("USD", json!("00012.50"), "12.5"),
        ("USD", json!("1E+2"), "100"),
        ("USD", json!("12345E-3"), "12.35"),
        ("USD", number("1.5"), "1.5"),
        ("USD", number("1.5e2"), "150"),
        ("USD", number("7"), "7"),
        ("JPY", json!("99.5"), "100"),
        ("JPY", json!("99.49999999999999"), "99"),
        ("KWD", json!("1.23449999"), "1.234"),
    ] {
        let expected = [Some(expected.to_owned()), Some("0".to_owned())];
        assert_eq!(spent(currency, json!([row(&cost)])).await, expected, "{cost} {currency}");
    }
}

#[tokio::test]
async fn a_cost_that_cannot_be_read_hides_only_its_campaigns_spend() {
    let costs = [
        "",
        "-",
        "ten",
        "1.2.3",
        "1e",
        "e5",
        "1_000",
        "NaN",
        ".",
        "1e400",
        "1e99999999999",
        "--1",
        "1e+-2",
        "\u{0661}",
    ];
    let other = || json!({"costInLocalCurrency": "3", "pivotValues": ["urn:li:sponsoredCampaign:8"]});
    let mut rows: Vec<Value> = costs.iter().map(|cost| row(&json!(cost))).collect();
    rows.extend(
        [json!("9".repeat(40)), Value::Null, json!(true), json!([1]), json!({"amount": "1"})].map(|cost| row(&cost)),
    );
    rows.push(json!({"pivotValues": ["urn:li:sponsoredCampaign:9"]}));
    for malformed in rows {
        let expected = [None, Some("3".to_owned())];
        assert_eq!(spent("USD", json!([malformed, other()])).await, expected, "{malformed}");
        assert_eq!(
            spent("USD", json!([other(), row(&json!("1")), malformed])).await,
            expected,
            "beside one that can: {malformed}"
        );
    }
}

#[tokio::test]
async fn the_spend_of_a_campaign_without_its_time_is_not_known() {
    let rows =
        || json!([row(&json!("7")), {"costInLocalCurrency": "3", "pivotValues": ["urn:li:sponsoredCampaign:8"]}]);
    let second = CREATED + 86_400_000;
    for stamps in [json!(null), json!({}), json!({"created": {"time": null}}), json!({"created": {"time": "soon"}})] {
        let mut undated = campaign(8, "PAUSED");
        undated["changeAuditStamps"] = stamps.clone();
        undated["runSchedule"] = json!({"start": second});
        let fake = reporting(json!([campaign(9, "ACTIVE"), undated]), rows());
        assert_eq!(spent_by(&fake, "USD").await, [Some("7".to_owned()), None], "{stamps}");
        let line = &fake.requests()[1].line;
        assert!(line.contains("(start:(year:2025,month:12,day:2))"), "{line}");
        assert!(line.contains("campaigns=List(urn%3Ali%3AsponsoredCampaign%3A9)"), "{line}");
        let fake = reporting(json!([undated, undated]), rows());
        assert_eq!(spent_by(&fake, "USD").await, [None, None], "{stamps}");
        assert_eq!(fake.requests().len(), 1, "a report for no campaign is not asked for");
    }
}
