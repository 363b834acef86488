//! The table of `GET /v1/platforms` is what validates: at each limit a create passes, at the service and at the
//! platform; one step beyond it the dry run and the create refuse it with the same words, and nothing is sent.

mod fixture;

use crate::world::id_of;
use fixture::{Fixture, date, decimal, in_days, names, number, places, with, without};
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;

const SHAPES: [&str; 2] = ["flat", "enveloped"];

async fn each_bound_of_a_budget_is_exact(platform: Platform) {
    let mut fixture = Fixture::new(platform).await;
    for shape in SHAPES {
        for period in fixture.periods(shape) {
            let bounds = |list: &str| period[list].as_array().expect("a list").clone();
            let minimums = bounds("minimums").into_iter().map(|bound| (bound, -Decimal::ONE));
            for (bound, direction) in minimums.chain(bounds("maximums").into_iter().map(|bound| (bound, Decimal::ONE)))
            {
                // No platform has a bound of its own in euros, so that one for every currency is the only one.
                let code = bound["currency"].as_str().unwrap_or("EUR");
                let step = Decimal::new(1, places(&fixture.table, code)) * direction;
                let draft = fixture.draft(shape, code).await;
                let draft = fixture.with_period(&draft, &period);
                let amount = decimal(&bound["amount"]);
                let beyond = with(&draft, "budget_amount", number(amount + step));
                let words = fixture.refused(shape, &beyond, "budget_amount").await;
                assert!(words.contains(&format!(" {} {code} ", amount.normalize())), "{words}");
                let at_bound = with(&draft, "budget_amount", number(amount));
                if bound["set_by"] == "service" && platform == Platform::Gamma {
                    // TikTok's own minimum in euros is not published; the service cannot know it.
                    let (status, refusal) = fixture.post(shape, "/v1/campaigns", &at_bound).await;
                    assert_eq!((status, refusal.to_string().contains("no less than 50 EUR")), (422, true), "{refusal}");
                } else {
                    fixture.accepted(shape, &at_bound).await;
                }
            }
        }
    }
}

async fn each_limit_of_a_name_is_exact(platform: Platform) {
    let mut fixture = Fixture::new(platform).await;
    let rules = fixture.table["names"].clone();
    let count = |field: &str| usize::try_from(rules[field].as_u64().expect("a number")).expect("a length");
    let (minimum, maximum) = (count("minimum_characters"), count("maximum"));
    let two_bytes = if rules["maximum_counted_in"] == "bytes" { maximum / 2 } else { maximum };
    let longest = "é".repeat(two_bytes) + &"n".repeat(maximum % two_bytes);
    let forbidden = names(&rules["forbidden"]);
    let samples = [("control_characters", "Line\nbreak"), ("outer_spaces", " Spring"), ("emoji", "Winter 🎄")];
    for shape in SHAPES {
        // The lengths differ by shape, because some platforms have each name once.
        let spare = usize::from(shape == "enveloped");
        let name = |name: &str| json!(name);
        let draft = fixture.draft(shape, "USD").await;
        fixture.refused(shape, &with(&draft, "name", name(&format!("{longest}n"))), "name").await;
        fixture.refused(shape, &with(&draft, "name", name(&"n".repeat(minimum - 1))), "name").await;
        fixture.accepted(shape, &with(&draft, "name", name(&"n".repeat(minimum + spare)))).await;
        let exact = if spare == 0 { longest.clone() } else { "w".repeat(maximum) };
        let created = fixture.accepted(shape, &with(&draft, "name", name(&exact))).await;
        assert_eq!(created["name"], exact.as_str());
        for (what, sample) in samples {
            let body = with(&draft, "name", name(sample));
            if forbidden.iter().any(|one| one == what) {
                fixture.refused(shape, &body, "name").await;
            } else if spare == 0 {
                fixture.accepted(shape, &body).await;
            }
        }
    }
}

async fn each_period_has_its_needs_and_goals(platform: Platform) {
    let mut fixture = Fixture::new(platform).await;
    let all = json!({"flat": ["CONVERSIONS", "AWARENESS", "TRAFFIC", "LEADS", "SALES"],
        "enveloped": ["BRAND_AWARENESS", "REACH", "WEBSITE_TRAFFIC", "LEADS", "SALES", "APP_PROMOTION"]});
    for shape in SHAPES {
        let goals = names(&fixture.table[shape]["goals"]);
        let periods: Vec<String> = fixture.periods(shape).iter().map(|one| one["period"].to_string()).collect();
        assert_eq!(periods.contains(&"\"MONTHLY\"".to_owned()), shape == "enveloped", "{periods:?}");
        for period in fixture.periods(shape) {
            for goal in names(&all[shape]) {
                let draft = fixture.draft(shape, "USD").await;
                let draft = with(&fixture.with_period(&draft, &period), "goal", json!(goal));
                if !goals.contains(&goal) {
                    let words = fixture.refused(shape, &draft, "goal").await;
                    assert!(words.contains(&format!("use one of {}", goals.join(", "))), "{shape}: {words}");
                } else if !names(&period["goals"]).contains(&goal) {
                    let words = fixture.refused(shape, &draft, "budget_period").await;
                    let others = if shape == "flat" { "use DAILY" } else { "use one of DAILY, MONTHLY" };
                    assert!(words.ends_with(&format!("with this goal; {others}")), "{shape}: {words}");
                } else {
                    let created = fixture.accepted(shape, &draft).await;
                    assert_eq!((&created["goal"], &created["budget_period"]), (&json!(goal), &period["period"]));
                    for need in names(&period["needs"]) {
                        fixture.refused(shape, &without(&draft, &need), &need).await;
                    }
                }
            }
        }
        if shape == "flat" {
            let monthly = with(&fixture.draft(shape, "USD").await, "budget_period", json!("MONTHLY"));
            let words = fixture.refused(shape, &monthly, "budget_period").await;
            let names = periods.join(", ").replace('"', "");
            assert!(words.contains(&format!("must be one of {names}; MONTHLY is one of the enveloped")), "{words}");
        }
    }
}

async fn each_limit_of_decimals_is_exact(platform: Platform) {
    let mut fixture = Fixture::new(platform).await;
    for code in ["USD", "JPY", "COP", "HUF", "KWD", "CLP"] {
        // Not every platform has accounts in every currency.
        let open =
            fixture.world.control("POST", "accounts").json(&json!({"platform": fixture.platform, "currency": code}));
        if open.send().await.expect("a response").status != 201 {
            continue;
        }
        let finest = Decimal::new(1, places(&fixture.table, code));
        let amount = Decimal::from(500_000);
        let draft = fixture.draft("flat", code).await;
        let too_fine = with(&draft, "budget_amount", number(amount + finest / Decimal::TEN));
        fixture.refused("flat", &too_fine, "budget_amount").await;
        let created = fixture.accepted("flat", &with(&draft, "budget_amount", number(amount + finest))).await;
        assert_eq!(decimal(&created["budget_amount"]), amount + finest, "{code}");
    }
}

async fn dates_of_a_create_follow_the_table(platform: Platform) {
    let mut fixture = Fixture::new(platform).await;
    let rules = fixture.table["dates"].clone();
    let draft = fixture.draft("flat", "USD").await;
    let past = [
        ("start_at", with(&draft, "start_at", date(&fixture.table, -3))),
        ("end_at", {
            let began = with(&draft, "end_at", date(&fixture.table, -3));
            if rules["start_at"]["create"] == "any" {
                with(&began, "start_at", date(&fixture.table, -9))
            } else {
                began
            }
        }),
    ];
    for (field, body) in past {
        if rules[field]["create"] == "ahead" {
            fixture.refused("flat", &body, field).await;
        } else {
            let (status, outcome) = fixture.post("flat", "/v1/campaigns", &body).await;
            let is_of_platform = status == 201 || !outcome["platform_error"].is_null();
            assert!(is_of_platform, "{field}: only the platform may refuse it: {outcome}");
        }
    }
    let draft = with(&draft, "name", json!(fixture.name()));
    let reversed = with(&draft, "start_at", date(&fixture.table, 20));
    fixture.refused("flat", &with(&reversed, "end_at", date(&fixture.table, 10)), "end_at").await;
    if rules["precision"] == "day" {
        fixture.refused("flat", &with(&draft, "start_at", json!("2031-06-30T12:34:56Z")), "start_at").await;
    }
    if let Some(days) = rules["maximum_days_ahead"].as_i64() {
        for field in ["start_at", "end_at"] {
            fixture.refused("flat", &with(&draft, field, in_days(days + 1)), field).await;
        }
        fixture.accepted("flat", &with(&draft, "end_at", in_days(days - 1))).await;
    }
    if let Some(day) = rules["end_before"].as_str() {
        fixture.refused("flat", &with(&draft, "end_at", json!(day)), "end_at").await;
        let last = day.parse::<Date>().expect("a day").yesterday().expect("a day");
        fixture.accepted("flat", &with(&draft, "end_at", json!(last.to_string()))).await;
    }
}

async fn dates_of_an_update_follow_the_table(platform: Platform) {
    let mut fixture = Fixture::new(platform).await;
    let rules = fixture.table["dates"].clone();
    let draft = fixture.draft("flat", "USD").await;
    let dated = with(&with(&draft, "start_at", date(&fixture.table, 30)), "end_at", date(&fixture.table, 60));
    let created = fixture.accepted("flat", &dated).await;
    let path = format!("/v1/campaigns/{}", id_of(&created));
    for (field, ahead) in [("start_at", 40), ("end_at", 50)] {
        let mut had = created[field].clone();
        let mut changes = vec![(Value::Null, rules[field]["removable"] == false), (date(&fixture.table, ahead), false)];
        // Otherwise only the platform decides about the past.
        if rules[field]["update"] != "any" {
            changes.push((date(&fixture.table, -3), true));
        }
        for (value, is_refused) in changes {
            let change = json!({field: value});
            let before = fixture.world.received(fixture.platform).await.len();
            let ask = fixture.world.ask("PATCH", &path).json(&change);
            if !is_refused {
                let changed = ask.expect(200).await.json();
                assert_ne!(changed[field], had, "{change}: {changed}");
                had = changed[field].clone();
                continue;
            }
            let refusal = ask.send().await.expect("a response");
            assert!([400, 501].contains(&refusal.status.as_u16()), "{change}: {}", refusal.text);
            assert_eq!(refusal.fields(), [field], "{change}");
            let received = fixture.world.received(fixture.platform).await;
            assert!(!received[before..].iter().any(is_write), "{change} reached the platform");
        }
    }
}

/// Whether a request to a platform is a write. Google Ads searches and Reddit reports with POST.
fn is_write(request: &Value) -> bool {
    let path = request["path"].as_str().expect("a path");
    request["method"] != "GET" && !path.contains("search") && !path.contains("report")
}

async fn other_updates_follow_the_table(platform: Platform) {
    let mut fixture = Fixture::new(platform).await;
    let draft = fixture.draft("flat", "USD").await;
    let dated = with(&draft, "end_at", date(&fixture.table, 60));
    let path = format!("/v1/campaigns/{}", id_of(&fixture.accepted("flat", &dated).await));
    let status = if fixture.table["budget_period_changes"] == true { 200 } else { 501 };
    fixture.world.ask("PATCH", &path).json(&json!({"budget_period": "LIFETIME"})).expect(status).await;
    let offered = names(&fixture.table["enveloped"]["statuses"]);
    for status in ["ACTIVE", "PAUSED", "ARCHIVED", "SCHEDULED_FOR_DELETION"] {
        let is_offered = offered.iter().any(|one| one == status);
        let id = id_of(&fixture.accepted("flat", &with(&draft, "name", json!(format!("To {status}")))).await);
        let ask = fixture.world.ask("PATCH", &format!("/v1/campaigns/{id}")).header("x-api-shape", "enveloped");
        let response = ask.json(&json!({"status": status})).expect(if is_offered { 200 } else { 501 }).await;
        let list = format!("use one of {}", offered.join(", "));
        assert_eq!(response.text.contains(&list), !is_offered, "{}", response.text);
    }
}

/// One test per part, so that a failure names it.
macro_rules! parts {
    ($platform:expr) => {
        #[tokio::test]
        async fn each_bound_of_a_budget_is_exact() {
            super::each_bound_of_a_budget_is_exact($platform).await;
        }

        #[tokio::test]
        async fn each_limit_of_a_name_is_exact() {
            super::each_limit_of_a_name_is_exact($platform).await;
        }

        #[tokio::test]
        async fn each_period_has_its_needs_and_goals() {
            super::each_period_has_its_needs_and_goals($platform).await;
        }

        #[tokio::test]
        async fn each_limit_of_decimals_is_exact() {
            super::each_limit_of_decimals_is_exact($platform).await;
        }

        #[tokio::test]
        async fn dates_of_a_create_follow_the_table() {
            super::dates_of_a_create_follow_the_table($platform).await;
        }

        #[tokio::test]
        async fn dates_of_an_update_follow_the_table() {
            super::dates_of_an_update_follow_the_table($platform).await;
        }

        #[tokio::test]
        async fn other_updates_follow_the_table() {
            super::other_updates_follow_the_table($platform).await;
        }
    };
}
use parts;

super::each_platform!(parts);
