//! The page of months: what the books say was spent, what was to be expected, whether the month ends over or behind, a month
//! that was spent and is raised, and months that are over.

use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use crate::in_process::{clock, clock_from};
use crate::world::campaign;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const MONTHS: &str = "/dashboard/months";
const CHANGE: &str = "/dashboard/campaigns/change";
/// Its reports count days in UTC.
const PLATFORM: &str = "zeta_ads";

/// Noon of the latest 17th, so that the seven days before are days of the month.
fn seventeenth() -> Timestamp {
    noon(the_17th)
}

fn the_17th(day: Date) -> Date {
    day.with().day(17).build().expect("a day")
}

/// Noon of a day of this month that is over, or of the month before.
fn noon(of: impl Fn(Date) -> Date) -> Timestamp {
    let today = TimeZone::UTC.to_datetime(clock(1).now()).date();
    let day = Some(of(today)).filter(|day| *day < today).unwrap_or_else(|| of(today.saturating_sub(1.month())));
    let noon = DateTime::from_parts(day, jiff::civil::time(12, 0, 0, 0));
    noon.to_zoned(TimeZone::UTC).expect("a time").timestamp()
}

/// An active campaign with 3,000 USD a month, and its id at the platform.
async fn monthly(ada: &mut Browser<'_>) -> (String, Value) {
    ada.connect(PLATFORM).await;
    let key = ada.key().await;
    let id = ada.site.create_as(&key, &campaign(PLATFORM, "Always")).await;
    let shown = format!("id={id}&back=one&was_budget_amount=50.00&was_budget_period=DAILY&budget_period=MONTHLY");
    ada.send_form(CHANGE, &format!("{shown}&budget_amount=3000")).await;
    ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
    let listed = ada.site.world.control("GET", &format!("campaigns?platform={PLATFORM}"), &Value::Null).await;
    let books = listed["campaigns"][0].clone();
    // Without ads it would stand still.
    let ads = json!({"platform": PLATFORM, "campaign_id": books["id"], "ads": ["approved"]});
    ada.site.world.control("POST", "ads", &ads).await;
    (id, books)
}

impl Site {
    async fn spend(&self, campaign: &Value, day: Date, spend: &str) {
        let order = json!({ "platform": PLATFORM, "campaign_id": campaign["id"], "date": day, "spend": spend,
            "impressions": 100, "clicks": 5 });
        self.world.control("POST", "delivery", &order).await;
    }
}

/// The lines of the file that begin with this kind of row, from the currency on.
fn lines(csv: &str, kind: &str) -> Vec<Vec<String>> {
    let rows = csv.lines().filter(|line| line.split(',').nth(1) == Some(kind));
    rows.map(|line| line.split(',').skip(8).map(str::to_owned).collect()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_month_has_what_was_spent_and_where_it_ends() {
    let site = Site::at(clock_from(seventeenth())).await;
    let mut ada = site.signed_in(ADA).await;
    let (id, books) = monthly(&mut ada).await;
    let today = TimeZone::UTC.to_datetime(site.app.clock.now()).date();
    let back = |days: i64| today.saturating_sub(days.days());
    for days in 1..=7 {
        site.spend(&books, back(days), "70").await;
    }
    for (days, spend) in [(0, "35"), (15, "100"), (20, "999")] {
        site.spend(&books, back(days), spend).await;
    }
    let first = today.first_of_month().to_zoned(TimeZone::UTC).expect("a time").timestamp();
    let share = |of: i64, amount: i64, all: i64| Decimal::from(amount) * Decimal::from(of) / Decimal::from(all);
    let month_s = i64::from(today.days_in_month()) * 86_400;
    let passed = || site.app.clock.now().duration_since(first).as_secs();
    let before = passed();
    // The page after the consent has read the ad account before it spent, and a person's wish serves for ten seconds.
    advance(Duration::from_secs(11)).await;
    ada.text("/dashboard/campaigns?read=now").await;
    let csv = ada.text(&format!("{MONTHS}/csv?read=all")).await;
    let after = passed();
    for (kind, budget, verdict) in [("Campaign", "3000.00", "Behind"), ("Ad account", "", "")] {
        let all = lines(&csv, kind);
        let [row] = all.as_slice() else { panic!("one row: {csv}") };
        assert_eq!(row[..3], ["USD", "625.00", budget], "7 days of 70, 35 today and 100 before: {csv}");
        let between = |shown: &str, low: Decimal, high: Decimal| {
            let (shown, cent) = (shown.parse::<Decimal>().expect("an amount"), Decimal::new(1, 2));
            assert!(low - cent <= shown && shown <= high + cent, "{kind}: {low} <= {shown} <= {high}");
        };
        if !budget.is_empty() {
            between(&row[3], share(before, 3_000, month_s), share(after, 3_000, month_s));
        }
        let forecast = |passed: i64| Decimal::from(625) + share(month_s - passed, 490, 7 * 86_400);
        between(&row[4], forecast(after), forecast(before));
        assert_eq!(row[5..], ["yes", verdict], "{csv}");
    }
    let page = ada.text(&format!("{MONTHS}?read=all")).await;
    assert!(page.contains(&format!("<a href=\"/dashboard/campaigns/one?id={id}\"><bdi>Always</bdi></a>")), "{page}");
    assert!(page.contains("<p>625.00 USD spent, ") && !page.contains("t least"), "{page}");
    assert!(
        page.contains("<span class=\"fast\">Behind: ends at about ") && page.contains(" of 3,000.00 USD</span>"),
        "{page}"
    );
    let edit = page.split("href=\"/dashboard/campaigns?edit=").nth(1).and_then(|rest| rest.split('"').next());
    let edit = edit.expect("a link").replace("&#38;", "&");
    let edit = edit.split('#').next().expect("an address without the row");
    let opened = ada.text(&format!("/dashboard/campaigns?edit={edit}")).await;
    assert!(opened.contains("name=\"was_budget_amount\" value=\"3000.00\""), "the row of the campaign: {opened}");
    assert!(page.contains("aria-label=\"21% of the budget of the month\""), "{page}");

    let last = back(20);
    let over = ada.text(&format!("{MONTHS}?month={}&read=all", last.strftime("%Y-%m"))).await;
    assert!(over.contains(&last.strftime("<h2 id=\"month\" class=\"hidden\">%B %Y</h2>").to_string()), "{over}");
    assert!(over.contains("999.00 USD spent.") && !over.contains("Forecast"), "{over}");
    let mut bob = site.signed_in("bob@example.com").await;
    assert!(bob.text(MONTHS).await.contains("No ad account is connected yet"), "of another customer");
}

#[tokio::test(start_paused = true)]
async fn a_budget_that_is_changed_from_the_months_leads_back_to_them() {
    let site = Site::at(clock_from(seventeenth())).await;
    let mut ada = site.signed_in(ADA).await;
    let (id, _) = monthly(&mut ada).await;
    let page = ada.text(&format!("{MONTHS}?read=all")).await;
    let edit = page.split("href=\"/dashboard/campaigns?edit=").nth(1).and_then(|rest| rest.split('"').next());
    let edit = edit.expect("a link").replace("&#38;", "&");
    let edit = edit.split('#').next().expect("an address without the row");
    let opened = ada.text(&format!("/dashboard/campaigns?edit={edit}")).await;
    let wrong = ada.post(CHANGE, &filled_in(&opened, CHANGE, "Save", "budget_amount=x")).await.to().to_owned();
    assert_eq!(wrong, "/dashboard/campaigns?q=Always&back=months#budget_amount", "it still leads back to the months");
    let saved = ada.post(CHANGE, &filled_in(&opened, CHANGE, "Save", "budget_amount=3100")).await.to().to_owned();
    assert_eq!(saved, format!("{MONTHS}#c-{id}"));
    let again = ada.text(&format!("{MONTHS}?read=all")).await;
    assert!(again.contains("budget 3,000.00 to 3,100.00 USD a month.") && again.contains(">Undo</button>"), "{again}");
}

#[tokio::test(start_paused = true)]
async fn a_spent_month_says_when_its_campaign_goes_on() {
    let site = Site::at(clock_from(seventeenth())).await;
    let mut ada = site.signed_in(ADA).await;
    let (id, books) = monthly(&mut ada).await;
    let mut bob = ada.with_member("bob@example.com").await;
    let today = TimeZone::UTC.to_datetime(site.app.clock.now()).date();
    site.spend(&books, today, "3100").await;
    site.minutes(4).await;
    let listed = site.world.control("GET", &format!("campaigns?platform={PLATFORM}"), &Value::Null).await;
    assert!(listed["campaigns"][0]["status"].as_str().is_some_and(|status| status.contains("PAUSED")), "{listed}");
    let page = ada.text(&format!("{MONTHS}?read=all")).await;
    let next = today.last_of_month().tomorrow().expect("a day");
    let until = next.strftime("<span class=\"fine\">Paused until %-d %b. ").to_string();
    assert!(page.contains("<span class=\"badge plain\">Month spent</span>") && page.contains(&until), "{page}");
    assert!(page.contains("aria-label=\"103% of the budget of the month\""), "{page}");
    let csv = ada.text(&format!("{MONTHS}/csv?read=all")).await;
    let forecast = &lines(&csv, "Campaign")[0];
    assert_eq!((forecast[1].as_str(), forecast[4].as_str()), ("3100.00", "3100.00"), "it spends no more: {csv}");
    assert_eq!(forecast[5..], ["yes", "Over"], "{csv}");
    assert!(page.contains("<span class=\"over\">Spent 3,100.00 of 3,000.00 USD</span>"), "{page}");
    let list = ada.text("/dashboard/campaigns").await;
    let restarts =
        next.strftime("<span class=\"badge warn\">Month spent</span><small>Restarts %-d %b</small>").to_string();
    assert!(list.contains(&restarts), "{list}");

    let shown = format!("id={id}&back=one&was_budget_amount=3000.00&was_budget_period=MONTHLY&budget_period=MONTHLY");
    // The activation of the next month is Bob's then, as the amount is.
    let raised = format!("{shown}&budget_amount=60000");
    let asked = bob.send_form(CHANGE, &raised).await;
    assert!(asked.contains("That is 20 times the current budget. Save again if you mean it."), "{asked}");
    let page = bob.send_form(CHANGE, &format!("{raised}&asked_budget_amount=60000")).await;
    assert!(page.contains("Saved: budget 3,000.00 to 60,000.00 USD a month. It restarts within minutes."), "{page}");
    assert!(page.contains("<span class=\"badge good\">Restarts within minutes</span>"), "{page}");
    assert!(!page.contains("Month spent") && !page.contains(">Scheduled</span>"), "the next month is not next: {page}");
    site.minutes(20).await;
    let listed = site.world.control("GET", &format!("campaigns?platform={PLATFORM}"), &Value::Null).await;
    assert!(listed["campaigns"][0]["status"].as_str().is_some_and(|status| status.contains("ACTIVE")), "{listed}");
}

#[tokio::test(start_paused = true)]
async fn the_amount_that_is_proposed_restarts_a_spent_month_on_the_first_the_last_and_any_day() {
    for of in [Date::first_of_month, the_17th, Date::last_of_month] {
        let site = Site::at(clock_from(noon(of))).await;
        let mut ada = site.signed_in(ADA).await;
        let (id, books) = monthly(&mut ada).await;
        let today = TimeZone::UTC.to_datetime(site.app.clock.now()).date();
        let is_first = today.day() == 1;
        site.spend(&books, today, if is_first { "3000" } else { "40" }).await;
        if !is_first {
            site.spend(&books, today.saturating_sub(12.days()), "2950").await;
        }
        site.minutes(4).await;
        assert!(!is_active(&site).await, "{today}");
        let mut was = "3000.00".to_owned();
        let form = |was: &str, amount: &str| {
            let shown = format!("id={id}&back=one&was_budget_amount={was}&was_budget_period=MONTHLY");
            format!("{shown}&budget_period=MONTHLY&budget_amount={amount}")
        };
        if !is_first {
            let page = ada.send_form(CHANGE, &form(&was, "3005")).await;
            assert!(page.contains("It stays paused until ") && page.contains(">Month spent</span>"), "{page}");
            was = "3005.00".to_owned();
        }
        let months = ada.text(&format!("{MONTHS}?read=all")).await;
        assert!(!months.contains("On track") && months.contains("<span>Month spent</span>"), "{months}");
        let advice = months.split("Raise its budget to ").nth(1).and_then(|rest| rest.split('<').next());
        let advice = format!("Raise its budget to {}", advice.expect("an advice"));
        let one = ada.text(&format!("/dashboard/campaigns/one?id={id}")).await;
        assert!(one.contains(&advice), "the same on its page, {today}: {advice} {one}");
        let proposed = months.split("\">Raise to ").nth(1).and_then(|rest| rest.split('<').next()).expect("an amount");
        let page = ada.send_form(CHANGE, &form(&was, &proposed.replace(',', ""))).await;
        assert!(page.contains("It restarts within minutes."), "{today} with {proposed}: {page}");
        site.minutes(20).await;
        assert!(is_active(&site).await, "{today} with {proposed}");
    }
}

async fn is_active(site: &Site) -> bool {
    let listed = site.world.control("GET", &format!("campaigns?platform={PLATFORM}"), &Value::Null).await;
    listed["campaigns"][0]["status"].as_str().is_some_and(|status| status.contains("ACTIVE"))
}

#[tokio::test(start_paused = true)]
async fn a_pause_until_the_month_ends_is_scheduled_to_end_then() {
    let site = Site::at(clock_from(seventeenth())).await;
    let mut ada = site.signed_in(ADA).await;
    let (id, _) = monthly(&mut ada).await;
    let today = TimeZone::UTC.to_datetime(site.app.clock.now()).date();
    let next = today.last_of_month().tomorrow().expect("a day");
    let form = format!("back=months&pause_until={id}%20{next}T00:00:00Z");
    assert_eq!(ada.post(CHANGE, &form).await.to(), format!("{MONTHS}#c-{id}"));
    let page = ada.text(&format!("{MONTHS}?read=all")).await;
    assert!(page.contains("nothing is spent until you activate it. It is activated again at "), "{page}");
    assert!(!is_active(&site).await);
    let activity = ada.text(&format!("/dashboard/activity?campaign_id={id}")).await;
    assert!(activity.contains(">Scheduled</span>"), "{activity}");
}

#[tokio::test(start_paused = true)]
async fn a_failing_platform_makes_a_lower_bound_of_a_month() {
    let site = Site::at(clock_from(seventeenth())).await;
    let mut ada = site.signed_in(ADA).await;
    let (_, books) = monthly(&mut ada).await;
    let today = TimeZone::UTC.to_datetime(site.app.clock.now()).date();
    site.spend(&books, today, "35").await;
    ada.connect("alpha_ads").await;
    let fault = json!({ "platform": "alpha_ads", "operation": "any", "fault": "error", "times": 1_000 });
    site.world.control("POST", "faults", &fault).await;
    let page = ada.text(&format!("{MONTHS}?read=all")).await;
    assert!(page.contains("At least 35.00 USD spent, ") && page.contains("</bdi></summary>"), "{page}");
}
