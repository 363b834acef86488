use super::*;
use crate::client::accounts::Connection;
use crate::client::accounts::tests::known;
use crate::client::readings::samples::{days, insights, row};
use crate::client::readings::tests::{SampleAccount, overview};
use crate::client::readings::{Account, Reading};
use crate::kit::assets;
use crate::kit::campaign::CampaignSummary;
use crate::kit::campaign::tests::campaign;
use crate::kit::delivery::NotRunning;
use crate::kit::month::Resumption;
use crate::kit::month::tests::ledger;
use crate::kit::range::Range;
use crate::kit::together::tests::euros;
use rust_decimal::Decimal;
use shared::domain::monthly::Month;
use shared::domain::{BudgetPeriod, CampaignStatus, ConnectionId, Currency, DeliveryReason, InsightsRow, MonthSpend};

/// An ad account, its campaigns, and their rows.
type Told = (Connection, Vec<CampaignSummary>, Option<Vec<InsightsRow>>);

fn now() -> Timestamp {
    "2026-11-16T12:00:00Z".parse().unwrap()
}

/// A campaign with a budget of 3,000 a month, of which this service has counted 600.
fn monthly(id: &str, status: CampaignStatus) -> CampaignSummary {
    let month = MonthSpend {
        amount: Decimal::from(3_000),
        spent: Decimal::from(600),
        remaining: Decimal::from(2_400),
        daily_now: Decimal::from(160),
        month: Month::parse("2026-11").unwrap(),
        is_halted: false,
        ledger: ledger(16, "600"),
        due_at: Timestamp::MAX,
    };
    let period = Some(BudgetPeriod::Monthly);
    CampaignSummary { monthly: Some(month), budget_period: period, ..campaign(id, status) }
}

/// Rows of this much a day from the 9th to the 15th, and half of it today.
fn week(campaign: &str, spend: i64) -> Vec<InsightsRow> {
    let day = |day: i64| row(campaign, &format!("2026-11-{day:02}"), Some(spend * 100));
    (9..=15).map(day).chain([row(campaign, "2026-11-16", Some(spend * 50))]).collect()
}

fn connection(number: &str, currency: &str) -> Connection {
    let id = ConnectionId(format!("conn_{number}"));
    Connection { id, currency: Currency::from_code(currency), ..known("beta_ads", number) }
}

/// What is read of ad accounts, each with its campaigns and their rows; without rows it has not answered.
fn data(accounts: Vec<Told>) -> MonthData {
    let month = days("2026-11-01", "2026-11-16");
    let of = |(connection, _, rows): &Told| Account {
        connection: connection.clone(),
        range: Range::month_so_far(now()),
        now: rows.clone().map(|rows| Reading::of(insights(&connection.remote_account_id, rows), month).sums(month)),
        before: None,
        is_missing: rows.is_none(),
        read_at: None,
        is_kept: false,
    };
    let insights = InsightsData { accounts: accounts.iter().map(of).collect(), ..InsightsData::default() };
    let campaigns = accounts.iter().flat_map(|(_, campaigns, _)| campaigns);
    let at = "2026-12-01T00:00:00Z".parse().unwrap();
    let resumption = Resumption { at };
    let goes_on = campaigns.map(|campaign| (campaign.id.clone(), resumption)).collect();
    let samples = accounts.into_iter().map(|(connection, campaigns, rows)| SampleAccount {
        campaigns: campaigns
            .into_iter()
            .map(|campaign| CampaignSummary { currency: connection.currency.unwrap(), ..campaign })
            .collect(),
        connection,
        rows,
        is_cut: false,
    });
    MonthData { insights, overview: Some(overview(&samples.collect::<Vec<_>>(), now())), goes_on }
}

fn view() -> View {
    View::read(&[], None, now())
}

/// The lines of the file, from the state on.
fn lines(data: &MonthData) -> Vec<String> {
    let csv = export::csv(&data.rows(&view(), now()), view().month());
    let line = |line: &str| line.splitn(8, ',').last().unwrap_or_default().to_owned();
    csv.text().lines().skip(1).map(line).collect()
}

fn html(data: MonthData) -> String {
    let reporting = Some(euros(&[("USD", "0.5"), ("JPY", "0.01")]));
    page(Layout { reporting, ..Layout::signed_out("Months") }, Ok(data), &view(), now()).render().unwrap()
}

fn one(campaigns: Vec<CampaignSummary>, rows: Option<Vec<InsightsRow>>) -> MonthData {
    data(vec![(connection("7", "USD"), campaigns, rows)])
}

#[test]
fn a_campaign_has_what_was_expected_a_forecast_and_a_verdict() {
    let some = || one(vec![monthly("beta_7_1", CampaignStatus::Active)], Some(week("beta_7_1", 100)));
    assert_eq!(lines(&some()), [",USD,750.00,3000.00,1550.00,2200.00,yes,Behind", ",USD,750.00,,,2200.00,yes,"]);
    let html = html(some());
    let cells = "<span class=\"fine\">1,550.00 USD expected by now</span></td>\
                 <td class=\"number\" data-label=\"Forecast\">2,200.00 USD</td>";
    assert_eq!(html.matches(cells).count(), 1, "the account has no budget: {html}");
    for text in [
        "<p>1 campaign: 1 behind. Spent of its budget: 750.00 of 3,000.00 USD.</p>",
        "data-label=\"Spent of budget\">750.00 of 3,000.00 USD <span",
        "<span class=\"fast\">Behind: ends at about 2,200.00 of 3,000.00 USD</span>",
        "<span class=\"fine\">Look at its audience, bid and ads on Meta.</span>",
        "<tr id=\"c-beta_7_1\">",
        "aria-label=\"25% of the budget of the month\" class=\"fast\"",
        "href=\"/dashboard/campaigns?edit=beta_7_1&#38;q=Spring&#38;back=months#budget_amount\">Change budget",
        "750.00 USD spent, 2,200.00 USD at the month’s end.",
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
}

#[test]
fn a_budget_holds_its_month_and_a_campaign_that_rests_spends_no_more() {
    let fast = one(vec![monthly("beta_7_1", CampaignStatus::Active)], Some(week("beta_7_1", 300)));
    assert_eq!(lines(&fast), [",USD,2250.00,3000.00,1550.00,3000.00,yes,Fast", ",USD,2250.00,,,6600.00,yes,"]);
    assert!(html(fast).contains("Fast: this pace comes to about 6,600.00 of 3,000.00 USD"));
    let spent = |a_day| {
        let spent = CampaignSummary { is_month_spent: true, ..monthly("beta_7_1", CampaignStatus::Paused) };
        one(vec![spent], Some(week("beta_7_1", a_day)))
    };
    let line = "Month spent,USD,3000.00,3000.00,1550.00,3000.00,yes,Month spent";
    assert_eq!(lines(&spent(400))[0], line);
    let stands = html(spent(400));
    assert!(
        stands.contains("data-label=\"Verdict\"><span>Month spent</span><br><span class=\"fine\">Paused until 1 Dec."),
        "{stands}"
    );
    assert!(!stands.contains("On track") && stands.matches(">Month spent<").count() == 1, "{stands}");
    let paused = one(vec![monthly("beta_7_1", CampaignStatus::Paused)], Some(week("beta_7_1", 100)));
    assert_eq!(lines(&paused)[0], "Paused,USD,750.00,3000.00,1550.00,750.00,yes,Not running");
    assert!(!html(paused).contains("fill=yes"), "it needs no other budget");
    let over = html(spent(1_200));
    for text in [
        "<span class=\"over\">Spent 9,000.00 of 3,000.00 USD</span><br><span class=\"fine\">Paused until 1 Dec. ",
        "<span class=\"over\">300%</span><progress max=\"100\" value=\"100\"",
        "aria-label=\"300% of the budget of the month\" class=\"over\"",
        "<span class=\"badge plain\">Month spent</span>",
        "Raise its budget to 26,400.00 USD to restart it today and run to the end of the month.",
        "&#38;back=months&#38;need=26400&#38;fill=yes#budget_amount\">Raise to 26,400.00<span class=\"hidden\">, the budget of",
    ] {
        assert!(over.contains(text), "{text}: {over}");
    }
}

#[test]
fn what_is_over_and_runs_can_be_paused_until_the_month_ends_or_slowed() {
    let over = |status| html(one(vec![monthly("beta_7_1", status)], Some(week("beta_7_1", 1_200))));
    let runs = over(CampaignStatus::Active);
    for text in [
        "name=\"pause_until\" value=\"beta_7_1 2026-12-01T00:00:00Z\">Pause until 1 Dec<span",
        "name=\"pause\" value=\"beta_7_1\">Pause<span",
        "href=\"/dashboard/campaigns/one?id=beta_7_1&#38;daily=160#budget_amount\">Lower the daily budget<span",
        "#budget_amount\">Raise to 26,400.00<span",
        "<form id=\"month-rows\" method=\"post\" action=\"/dashboard/campaigns/change\"><input type=\"hidden\" name=\"back\" value=\"months\"></form>",
    ] {
        assert!(runs.contains(text), "{text}: {runs}");
    }
    assert!(!over(CampaignStatus::Paused).contains("name=\"pause"), "it rests already");
    let seen = crate::kit::viewer::without_forms(&format!("<main>{runs}</main>"));
    assert!(!seen.contains("Pause until") && !seen.contains("Lower the daily"), "{seen}");
}

#[test]
fn the_numbers_of_a_reading_stay_until_the_next_one() {
    let read = |minutes: i64| {
        let mut data = one(vec![monthly("beta_7_1", CampaignStatus::Active)], Some(week("beta_7_1", 100)));
        data.insights.accounts[0].read_at = Some(now());
        let later = now() + jiff::SignedDuration::from_mins(minutes);
        page(Layout::signed_out("Months"), Ok(data), &view(), later).render().unwrap()
    };
    let (first, later) = (read(0), read(90));
    assert!(first.contains("Numbers as of ") && later.contains("Numbers as of "), "{first}");
    for number in ["1,550.00 USD expected by now", "2,200.00 of 3,000.00 USD", "2,200.00 USD at the month’s end."] {
        assert!(first.contains(number) && later.contains(number), "{number}: {later}");
    }
}

#[test]
fn a_raised_month_is_judged_as_one_that_goes_on() {
    let month = MonthSpend {
        amount: Decimal::from(30_000),
        spent: Decimal::from(3_000),
        remaining: Decimal::from(27_000),
        ledger: ledger(16, "3000"),
        due_at: Timestamp::MIN,
        ..monthly("beta_7_1", CampaignStatus::Paused).monthly.unwrap()
    };
    let raised =
        CampaignSummary { is_month_spent: true, monthly: Some(month), ..monthly("beta_7_1", CampaignStatus::Paused) };
    let raised_by_little = raised.clone();
    let line = "Restarts within minutes,USD,3000.00,30000.00,15500.00,8800.00,yes,Restarts within minutes";
    let raised = || one(vec![raised.clone()], Some(week("beta_7_1", 400)));
    assert_eq!(lines(&raised())[0], line);
    let html = html(raised());
    assert!(html.contains("data-label=\"Verdict\"><span>Restarts within minutes</span></td>"), "{html}");
    assert_eq!(html.matches("Restarts within minutes").count(), 1, "it says that alone: {html}");
    let near = MonthSpend { amount: Decimal::from(3_100), remaining: Decimal::from(100), ..month };
    let near = CampaignSummary { monthly: Some(near), ..raised_by_little };
    let html = self::html(one(vec![near], Some(week("beta_7_1", 400))));
    let stands = "data-label=\"Verdict\"><span>Month spent</span><br>\
                  <span class=\"fine\">Paused until 1 Dec. Raise its budget to 8,800.00 USD to restart it today and run to";
    assert!(html.contains(stands) && !html.contains("Restarts within"), "{html}");
}

#[test]
fn on_the_last_day_a_raise_is_proposed_that_restarts_the_campaign_and_in_the_last_hour_none() {
    let spent = MonthSpend {
        spent: Decimal::from(2_990),
        remaining: Decimal::TEN,
        ledger: ledger(30, "2990"),
        ..monthly("beta_7_1", CampaignStatus::Paused).monthly.unwrap()
    };
    let stands = || CampaignSummary {
        is_month_spent: true,
        monthly: Some(spent),
        ..monthly("beta_7_1", CampaignStatus::Paused)
    };
    let at = |now: &str| {
        let now = now.parse().unwrap();
        let data = one(vec![stands()], Some(vec![row("beta_7_1", "2026-11-02", Some(299_000))]));
        page(Layout::signed_out("Months"), Ok(data), &View::read(&[], None, now), now).render().unwrap()
    };
    let noon = at("2026-11-30T12:00:00Z");
    // 2,970 before the day, of which the platform may spend 1.75 times 97.04.
    let advice = "Raise its budget to 3,139.82 USD to restart it today. What is left must cover the most that today may still \
                  cost.";
    assert!(noon.contains(advice) && noon.contains("#budget_amount\">Raise to 3,139.82<span"), "{noon}");
    let late = at("2026-11-30T23:30:00Z");
    assert!(late.contains("<span>Month spent</span><br>"), "{late}");
    assert!(late.contains("Paused until 1 Dec.") && !late.contains("Raise "), "{late}");
}

#[test]
fn campaigns_of_all_currencies_are_in_one_table_the_worst_first() {
    let of = |number: &str, currency: &str, spend: i64| {
        let id = format!("beta_{number}_1");
        let own = CampaignSummary { name: currency.to_owned(), ..monthly(&id, CampaignStatus::Active) };
        (connection(number, currency), vec![own], Some(week(&id, spend)))
    };
    let all = data(vec![of("7", "USD", 130), of("8", "EUR", 100), of("9", "CHF", 20), of("6", "CAD", 1_000)]);
    let verdicts: Vec<String> = lines(&all)[..4]
        .iter()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{} {}", cells[1], cells[7])
        })
        .collect();
    assert_eq!(verdicts, ["CAD Over", "CHF Behind", "EUR Behind", "USD On track"]);
    assert!(html(all).contains("<p>4 campaigns: 1 over, 2 behind, 1 on track. Spent of their budgets: "));
    assert!(html(one(vec![], None)).contains("No campaign has a monthly budget."));
}

#[test]
fn an_account_that_has_not_answered_makes_lower_bounds() {
    let late = || one(vec![monthly("beta_7_1", CampaignStatus::Active)], None);
    assert_eq!(lines(&late()), [",USD,600.00,3000.00,1550.00,600.00,no,Not known yet", ",USD,,,,,no,"]);
    let html = html(late());
    assert!(
        html.contains("at least 600.00 of 3,000.00 USD") && html.contains("<p>Not known yet: 1 ad account.</p>"),
        "{html}"
    );
    let both = data(vec![
        (connection("7", "USD"), vec![], Some([week("beta_7_1", 50), week("beta_7_2", 50)].concat())),
        (connection("8", "USD"), vec![], None),
        (connection("9", "JPY"), vec![], Some(week("beta_9_1", 5_000))),
        (connection("6", "SEK"), vec![], None),
    ]);
    assert!(both.is_incomplete());
    let html = self::html(both);
    assert!(html.contains("<p>At least 750.00 USD spent, at least 2,200.00 USD at the month’s end.</p>"), "{html}");
    let together = "<p class=\"together\">at least 750.00 EUR spent together, by your rates of 30 Nov</p>";
    assert!(html.contains(together), "{html}");
    assert!(html.contains("<summary>37,500 JPY spent by 1 ad account</summary>"), "folded, and whole: {html}");
    assert!(html.contains("<summary>Not known yet: 1 ad account</summary>"), "{html}");
    assert_eq!(html.matches("<details><summary>").count(), 2, "the first currency is open: {html}");
}

#[test]
fn what_is_still_read_is_told_once() {
    let late: Vec<String> = (1..=25).map(|number| format!("Reddit: {number}")).collect();
    let mut data = one(vec![monthly("beta_7_1", CampaignStatus::Active)], None);
    data.insights = InsightsData { late, is_reading: true, ..data.insights };
    let overview = data.overview.as_mut().unwrap();
    overview.complete_path = Some("/dashboard/months?read=all".to_owned());
    overview.accounts[0].is_waiting = true;
    let html = html(data);
    assert!(html.contains("<p>The month is loading. This page updates itself.</p>"), "{html}");
    assert!(html.contains("<details><summary>26 ad accounts</summary>"), "with that of the campaigns: {html}");
    assert!(!html.contains("Still waiting"), "{html}");
}

/// A row of this day alone.
fn one_day(id: &str, day: &str, spend: i64) -> Vec<InsightsRow> {
    vec![row(id, day, Some(spend * 100))]
}

#[test]
fn no_sum_has_two_months_where_an_ad_account_is_still_in_the_one_before() {
    let first: Timestamp = "2026-12-01T01:00:00Z".parse().unwrap();
    let both = || {
        let west = Connection { time_zone: Some("America/Los_Angeles".to_owned()), ..connection("8", "USD") };
        let here = (connection("7", "USD"), vec![monthly("beta_7_1", CampaignStatus::Active)]);
        let there = (west, vec![monthly("beta_8_1", CampaignStatus::Active)]);
        let mut data = data(vec![
            (here.0, here.1, Some(one_day("beta_7_1", "2026-11-16", 5))),
            (there.0, there.1, Some(one_day("beta_8_1", "2026-11-16", 4_000))),
        ]);
        data.insights.accounts.iter_mut().for_each(|account| account.read_at = Some(first));
        data
    };
    let shown = |data, query: &[(String, String)]| {
        let view = View::read(query, None, first);
        page(Layout::signed_out("Months"), Ok(data), &view, first).render().unwrap()
    };
    let december = shown(both(), &[]);
    for text in [
        "2 campaigns: 1 behind, 1 not begun. Spent of their budgets: 5.00 of 6,000.00 USD.",
        "data-label=\"Verdict\"><span>Its December begins 1 Dec, 08:00 UTC</span></td>",
        "0.00 of 3,000.00 USD",
        "<br><span class=\"fine\">Its December begins 1 Dec, 08:00 UTC.</span></th><td class=\"number\" data-label=\"Spent so far\">0.00",
        "<p>5.00 USD spent, ",
    ] {
        assert!(december.contains(text), "{text}: {december}");
    }
    assert!(!december.contains("4,00") && !december.contains("November 2026</span>"), "{december}");
    let view = View::read(&[], None, first);
    let file = export::csv(&both().rows(&view, first), view.month());
    assert_eq!(file.text().matches("\n2026-12,").count(), 4, "{}", file.text());
    assert!(!file.text().contains("4000") && !file.text().contains("2026-11"), "{}", file.text());
    let november = MonthData { overview: None, ..both() };
    let november = shown(november, &[("month".to_owned(), "2026-11".to_owned())]);
    assert!(november.contains("<p>4,005.00 USD spent.</p>"), "{november}");
    assert_eq!(november.matches("Its November ends 1 Dec, 08:00 UTC.").count(), 1, "{november}");
}

#[test]
fn a_month_that_is_over_at_an_ad_account_is_not_the_next_one() {
    let last: Timestamp = "2026-11-30T16:00:00Z".parse().unwrap();
    let east = Connection { time_zone: Some("Asia/Tokyo".to_owned()), ..connection("8", "USD") };
    let data = data(vec![(
        east,
        vec![monthly("beta_8_1", CampaignStatus::Active)],
        Some(one_day("beta_8_1", "2026-11-16", 700)),
    )]);
    let html = page(Layout::signed_out("Months"), Ok(data), &View::read(&[], None, last), last).render().unwrap();
    for text in [
        "1 campaign: 1 ended. Spent of its budget: 700.00 of 3,000.00 USD.",
        "data-label=\"Verdict\"><span>Its November ended 30 Nov, 15:00 UTC</span></td>",
        "data-label=\"Forecast\">700.00 USD</td>",
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
}

#[test]
fn a_campaign_that_its_platform_does_not_show_stands_still() {
    let rejected = NotRunning { passes: false, reasons: vec![(DeliveryReason::AdsRejected, Some(2))] };
    let blocked =
        |not_running| CampaignSummary { not_running: Some(not_running), ..monthly("beta_7_1", CampaignStatus::Active) };
    let stands = || one(vec![blocked(rejected.clone())], Some(week("beta_7_1", 100)));
    assert_eq!(lines(&stands())[0], ",USD,750.00,3000.00,1550.00,750.00,yes,Not running");
    let html = html(stands());
    for text in [
        "<p>1 campaign: 1 not running. ",
        "<span class=\"fast\">Stands still at 750.00 of 3,000.00 USD: 2 ads rejected</span>",
        "<span class=\"fine\">It spends nothing until this is solved.</span>",
        "<a class=\"button quiet\" href=\"/dashboard/campaigns/one?id=beta_7_1#delivery\">See why<span",
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert!(!html.contains("Change budget"), "{html}");
    let passes = NotRunning { passes: true, ..rejected };
    let waits = one(vec![blocked(passes)], Some(week("beta_7_1", 100)));
    assert_eq!(lines(&waits)[0], ",USD,750.00,3000.00,1550.00,2200.00,yes,Behind");
}

#[test]
fn a_month_that_is_over_has_the_spend_of_accounts_alone() {
    let over = View::read(&[("month".to_owned(), "2026-10".to_owned())], None, now());
    let data = MonthData { overview: None, ..one(vec![], Some(week("beta_7_1", 100))) };
    let html = page(Layout::signed_out("Months"), Ok(data), &over, now()).render().unwrap();
    assert!(html.contains("October 2026") && html.contains("750.00 USD spent."), "{html}");
    assert!(!html.contains("Forecast") && !html.contains("onthly budgets: over"), "{html}");
}

#[test]
fn a_long_page_is_short_and_the_file_has_all() {
    let account = |number: usize| {
        let own = (0..3).map(|at| monthly(&format!("beta_{number}_{at}"), CampaignStatus::Active)).collect();
        (connection(&number.to_string(), "USD"), own, Some(week(&format!("beta_{number}_1"), 10)))
    };
    let many = || data((100..165).map(account).collect());
    assert_eq!(lines(&many()).len(), 65 * 4);
    let first = html(many());
    let all = first.len() + assets::sent_bytes();
    assert!(all < 60_000, "{all} bytes");
    assert_eq!(first.matches("<th scope=\"row\">").count(), 50);
    let next = "<a href=\"/dashboard/months?page=2#budgets\">The next 25 of 170 more</a>";
    assert!(first.contains(next) && first.contains("40 more in the file."), "{first}");
    let last = View::read(&[("page".to_owned(), "99".to_owned())], None, now());
    let last = page(Layout::signed_out("Months"), Ok(many()), &last, now()).render().unwrap();
    assert_eq!(last.matches("<th scope=\"row\">").count(), 20 + 25);
    assert!(last.contains("page=7#budgets\">The 25 before, which are worse</a>"), "{last}");
}

#[test]
fn names_of_platforms_are_escaped() {
    let hostile = CampaignSummary { name: "<script>".to_owned(), ..monthly("beta_7_1", CampaignStatus::Active) };
    assert!(!html(one(vec![hostile], Some(vec![]))).contains("<script>"));
}
