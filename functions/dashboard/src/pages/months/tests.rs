use super::*;
use crate::client::accounts::Connection;
use crate::client::accounts::tests::known;
use crate::client::readings::samples::{days, insights, row};
use crate::client::readings::tests::{SampleAccount, overview};
use crate::client::readings::{Account, Reading};
use crate::kit::campaign::CampaignSummary;
use crate::kit::campaign::tests::campaign;
use crate::kit::range::Range;
use rust_decimal::Decimal;
use shared::domain::monthly::Month;
use shared::domain::{BudgetPeriod, CampaignStatus, ConnectionId, Currency, InsightsRow, MonthSpend};

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
    };
    let insights = InsightsData { accounts: accounts.iter().map(of).collect(), ..InsightsData::default() };
    let campaigns = accounts.iter().flat_map(|(_, campaigns, _)| campaigns);
    let goes_on = campaigns.map(|campaign| campaign.id.clone()).collect();
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
    let csv = export::csv(&data.rows(&view(), now()));
    let line = |line: &str| line.splitn(8, ',').last().unwrap_or_default().to_owned();
    csv.text().lines().skip(1).map(line).collect()
}

fn html(data: MonthData) -> String {
    page(Layout::signed_out("Months"), Ok(data), &view(), now()).render().unwrap()
}

fn one(campaigns: Vec<CampaignSummary>, rows: Option<Vec<InsightsRow>>) -> MonthData {
    data(vec![(connection("7", "USD"), campaigns, rows)])
}

#[test]
fn a_campaign_and_its_account_have_what_was_expected_and_a_forecast() {
    let some = || one(vec![monthly("beta_7_1", CampaignStatus::Active)], Some(week("beta_7_1", 100)));
    let numbers = "USD,750.00,3000.00,1550.00,2200.00";
    assert_eq!(lines(&some()), [format!(",{numbers}"), format!(",{numbers}")]);
    let html = html(some());
    let cells = "<td class=\"number\" data-label=\"Budget of the month\">3,000.00</td>\
                 <td class=\"number\" data-label=\"Expected by now\">1,550.00</td>\
                 <td class=\"number\" data-label=\"At this pace\">2,200.00</td>";
    assert_eq!(html.matches(cells).count(), 2, "{html}");
    assert!(html.contains("aria-label=\"25% of the budget of the month\""), "{html}");
    let sum = "750.00 USD spent of 3,000.00 USD, 1,550.00 USD expected by now, 2,200.00 USD at this pace.";
    assert_eq!(html.matches(sum).count(), 2, "{html}");
}

#[test]
fn a_budget_holds_its_month_and_a_campaign_that_rests_spends_no_more() {
    let fast = one(vec![monthly("beta_7_1", CampaignStatus::Active)], Some(week("beta_7_1", 300)));
    assert_eq!(lines(&fast), [",USD,2250.00,3000.00,1550.00,3000.00", ",USD,2250.00,3000.00,1550.00,6600.00"]);
    assert!(html(fast).contains("held by the budget"));
    let spent = CampaignSummary { is_month_spent: true, ..monthly("beta_7_1", CampaignStatus::Paused) };
    let spent = one(vec![spent], Some(week("beta_7_1", 400)));
    assert_eq!(lines(&spent)[0], "\"Month spent, goes on 1 Dec\",USD,3000.00,3000.00,1550.00,3000.00");
    assert!(html(spent).contains("<span class=\"badge plain\">Month spent, goes on 1 Dec</span>"));
    let paused = one(vec![monthly("beta_7_1", CampaignStatus::Paused)], Some(week("beta_7_1", 100)));
    assert_eq!(lines(&paused)[0], "Paused,USD,750.00,3000.00,1550.00,750.00");
}

#[test]
fn an_account_has_no_budget_if_something_else_runs_in_it() {
    let campaigns = |status| vec![monthly("beta_7_1", CampaignStatus::Active), campaign("beta_7_2", status)];
    let rows = || Some(week("beta_7_1", 100));
    assert_eq!(lines(&one(campaigns(CampaignStatus::Active), rows()))[1], ",USD,750.00,,,2200.00");
    assert_eq!(lines(&one(campaigns(CampaignStatus::Paused), rows()))[1], ",USD,750.00,3000.00,1550.00,2200.00");
}

#[test]
fn an_account_that_has_not_answered_makes_lower_bounds() {
    let late = || one(vec![monthly("beta_7_1", CampaignStatus::Active)], None);
    let at_least = ",USD,at least 600.00,3000.00,1550.00,at least 600.00";
    assert_eq!(lines(&late()), [at_least, ",USD,,3000.00,1550.00,"]);
    let html = html(late());
    assert!(html.contains("at least 600.00 USD spent of 3,000.00 USD"), "{html}");
    let both = data(vec![
        (connection("7", "USD"), vec![], Some([week("beta_7_1", 50), week("beta_7_2", 50)].concat())),
        (connection("8", "USD"), vec![], None),
        (connection("9", "JPY"), vec![], Some(week("beta_9_1", 5_000))),
    ]);
    assert!(both.is_incomplete());
    let html = self::html(both);
    assert!(html.contains("at least 750.00 USD spent"), "{html}");
    assert!(html.contains("<summary>37,500 JPY spent by 1 ad account</summary>"), "folded, and whole: {html}");
    assert_eq!(html.matches("<details><summary>").count(), 1, "the first currency is open: {html}");
}

#[test]
fn a_month_that_is_over_has_the_spend_of_accounts_alone() {
    let over = View::read(&[("month".to_owned(), "2026-10".to_owned())], None, now());
    let data = MonthData { overview: None, ..one(vec![], Some(week("beta_7_1", 100))) };
    let html = page(Layout::signed_out("Months"), Ok(data), &over, now()).render().unwrap();
    assert!(html.contains("October 2026") && html.contains("750.00 USD spent."), "{html}");
    assert!(!html.contains("At this pace") && !html.contains("monthly budget</h3>"), "{html}");
}

#[test]
fn a_long_page_is_short_and_the_file_has_all() {
    let account = |number: usize| {
        let own = (0..3).map(|at| monthly(&format!("beta_{number}_{at}"), CampaignStatus::Active)).collect();
        (connection(&number.to_string(), "USD"), own, Some(week(&format!("beta_{number}_1"), 10)))
    };
    let many = || data((100..165).map(account).collect());
    assert_eq!(lines(&many()).len(), 65 * 4);
    let html = html(many());
    assert!(html.len() < 34_000, "{} bytes", html.len());
    assert_eq!(html.matches("<th scope=\"row\">").count(), 50);
    assert!(html.contains("170 more in the file.") && html.contains("40 more in the file."), "{html}");
}

#[test]
fn names_of_platforms_are_escaped() {
    let hostile = CampaignSummary { name: "<script>".to_owned(), ..monthly("beta_7_1", CampaignStatus::Active) };
    assert!(!html(one(vec![hostile], Some(vec![]))).contains("<script>"));
}
