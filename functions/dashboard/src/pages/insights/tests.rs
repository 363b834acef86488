use super::lines::lines;
use super::order::Order;
use super::totals::Figure;
use super::view::TableKind;
use super::*;
use crate::client::accounts::tests::known;
use crate::client::accounts::{Connection, ConnectionError, Failure};
use crate::client::readings::samples::{self, days, insights};
use crate::client::readings::{
    Account, GroupAnswers, LastRead, ListEnd, PlatformAnswer, ReadFailure, Reading, Sums, by_range, listed,
};
use crate::kit::text::{TODAY, clock};
use crate::kit::together::tests::euros;
use crate::kit::total::Total;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{CampaignId, ConnectionId, Currency, Days, InsightsRow, Platform};
use shared::envelope::query::pairs;
use shared::error::Kind;

/// What the page and its file show of ad accounts.
pub(crate) struct Shown {
    /// The spend in each currency, with a row at least, and its difference: `1,234.50 USD`, `+12.5%`.
    pub(crate) totals: Vec<(String, String)>,
    /// The rows of each tab.
    pub(crate) tabs: [Vec<ShownLine>; 3],
}

/// A row of a tab.
pub(crate) struct ShownLine {
    /// The id of a campaign.
    pub(crate) campaign: Option<String>,
    pub(crate) currency: Currency,
    pub(crate) spend: Total,
    /// The spend for people, and in the file.
    pub(crate) cell: String,
    pub(crate) in_file: String,
}

/// What the page shows of the last 7 days. `answer` is what connections report of some days.
pub(crate) fn shown(
    connections: &[Connection],
    now: Timestamp,
    answer: impl Fn(&[&Connection], Days) -> PlatformAnswer,
) -> Shown {
    let view = View::read(&[], now);
    let mut gathered = InsightsData::default();
    for platform in Platform::ALL {
        let own: Vec<&Connection> = listed(connections, platform).collect();
        for (range, own) in by_range(&own, view.range, now) {
            let (days, before) = (answer(&own, range.period()), answer(&own, range.period_before()));
            let (days, before) = ([Some((now, &days)), None], [Some((now, &before)), None]);
            gathered.take_group(&GroupAnswers { connections: &own, range, days, before });
        }
    }
    let totals = totals(&gathered, &view, now).into_iter().map(|mut total| {
        let Figure { value, change, .. } = total.figures.remove(0);
        (format!("{} {}", value.text, total.currency), change)
    });
    let tabs = [TableKind::Platform, TableKind::Account, TableKind::Campaign]
        .map(|by| shown_tab(&lines(&gathered, by, Order::default()), by));
    Shown { totals: totals.collect(), tabs }
}

fn shown_tab(lines: &[lines::Line], by: TableKind) -> Vec<ShownLine> {
    let file = export::csv(lines, by);
    let at = file.text().lines().next().unwrap().split(',').position(|title| title == "Spend").unwrap();
    let in_file: Vec<&str> = file.text().lines().skip(1).map(|line| line.split(',').nth(at).unwrap()).collect();
    assert_eq!(in_file.len(), lines.len());
    let shown = |(line, in_file): (&lines::Line, &str)| ShownLine {
        campaign: line.campaign.as_ref().map(|(_, id)| id.clone()),
        currency: line.currency,
        spend: line.now.spend,
        cell: table(std::slice::from_ref(line), &view(""), at_nine()).rows.remove(0).spend,
        in_file: in_file.to_owned(),
    };
    lines.iter().zip(in_file).map(shown).collect()
}

const HOSTILE: &str = "<script>alert('\"')</script>";

fn at_nine() -> Timestamp {
    "2026-11-23T09:00:00Z".parse().unwrap()
}

fn view(query: &str) -> View {
    View::read(&pairs(Some(query)), at_nine())
}

/// Two weeks, which have the days of all rows.
fn fortnight() -> Days {
    days("2026-11-09", "2026-11-22")
}

fn id(campaign: &str) -> CampaignId {
    CampaignId::parse(&format!("alpha_1_{campaign}")).unwrap()
}

/// A row of a campaign. Its spend may be unknown.
fn row(campaign: &str, day: &str, spend: &str) -> InsightsRow {
    InsightsRow {
        spend: Decimal::from_str_exact(spend).ok(),
        impressions: Some(1_000),
        clicks: Some(10),
        ..samples::row(&id(campaign).to_string(), day, None)
    }
}

fn connection(platform: &str, account: &str, name: Option<&str>, currency: Option<&str>) -> Connection {
    let platform = Platform::from_upper(platform).unwrap();
    Connection {
        id: ConnectionId(format!("conn_{account}")),
        account_name: name.map(str::to_owned),
        currency: currency.and_then(Currency::from_code),
        ..known(platform.as_str(), account)
    }
}

/// An account that has reported its rows.
fn account(platform: &str, number: &str, currency: &str, rows: &[InsightsRow]) -> Account {
    let sums = Reading::of(insights(number, rows.to_vec()), fortnight()).sums(fortnight());
    let connection = connection(platform, number, None, Some(currency));
    Account {
        connection,
        range: view("").range,
        now: Some(sums),
        before: None,
        is_missing: false,
        read_at: Some(at_nine()),
        is_kept: false,
    }
}

/// An account that has reported nothing.
fn missing(platform: &str, number: &str, currency: Option<&str>) -> Account {
    let connection = connection(platform, number, None, currency);
    Account {
        connection,
        range: view("").range,
        now: None,
        before: None,
        is_missing: true,
        read_at: None,
        is_kept: false,
    }
}

/// Accounts now, and in the period before. The name of a campaign is the end of its id.
fn gathered(now: &[Account], before: &[Account]) -> InsightsData {
    let account = |account: &Account| {
        let is_same = |earlier: &&Account| earlier.connection.id == account.connection.id;
        Account { before: before.iter().find(is_same).and_then(|earlier| earlier.now.clone()), ..account.clone() }
    };
    let campaigns = now.iter().flat_map(|account| &account.now).flat_map(|now| now.campaigns.keys());
    let name = |campaign: &CampaignId| {
        let text = campaign.to_string();
        (campaign.clone(), text.rsplit('_').next().unwrap_or_default().to_owned())
    };
    let names = campaigns.map(name).collect();
    InsightsData { accounts: now.iter().map(account).collect(), names, ..InsightsData::default() }
}

fn html(gathered: InsightsData, query: &str) -> String {
    page(Layout::signed_out("Insights"), Ok(gathered), &view(query), at_nine()).render().unwrap()
}

fn named(gathered: &InsightsData, by: TableKind) -> Vec<(String, String)> {
    let lines = lines(gathered, by, Order::default());
    lines.iter().map(|line| (line.currency.code().to_owned(), line.name().to_owned())).collect()
}

fn pair(currency: &str, name: &str) -> (String, String) {
    (currency.to_owned(), name.to_owned())
}

#[test]
fn currencies_are_never_added_and_the_largest_spend_is_first() {
    let day = "2026-11-22";
    let mut gathered = gathered(
        &[
            account("ALPHA", "1", "USD", &[row("a", day, "0.1"), row("b", day, "0.2")]),
            account("ALPHA", "2", "USD", &[row("c", day, "7")]),
            account("BETA", "3", "USD", &[row("d", day, "1")]),
            account("BETA", "4", "JPY", &[row("e", day, "5000")]),
        ],
        &[],
    );
    gathered.accounts[0].connection.account_name = Some("Harbour".to_owned());
    gathered.accounts[1].connection.account_name = Some("Bakery".to_owned());
    gathered.names.insert(id("c"), "Spring".to_owned());
    let platforms = [pair("USD", "Google Ads"), pair("USD", "Meta"), pair("JPY", "Meta")];
    assert_eq!(named(&gathered, TableKind::Platform), platforms);
    let accounts = [pair("USD", "Bakery"), pair("USD", "3"), pair("USD", "Harbour"), pair("JPY", "4")];
    assert_eq!(named(&gathered, TableKind::Account), accounts);
    let campaigns = [pair("USD", "Spring"), pair("USD", "d"), pair("USD", "b"), pair("USD", "a"), pair("JPY", "e")];
    assert_eq!(named(&gathered, TableKind::Campaign), campaigns);
    let totals = totals(&gathered, &view(""), at_nine());
    let spends: Vec<&str> = totals.iter().map(|total| total.figures[0].value.text.as_str()).collect();
    assert_eq!(spends, ["8.30", "5,000"]);
}

#[test]
fn the_difference_needs_the_same_accounts_before() {
    let now = [account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "15")]), account("ALPHA", "2", "USD", &[])];
    let change = |before: &[Account]| {
        let gathered = gathered(&now, before);
        let total = totals(&gathered, &view(""), at_nine()).remove(0);
        let [line] = &lines(&gathered, TableKind::Platform, Order::default())[..] else { panic!("one platform") };
        let row = table(std::slice::from_ref(line), &view(""), at_nine()).rows.remove(0);
        assert_eq!(row.change, total.figures[0].change);
        row.change
    };
    let one = account("ALPHA", "1", "USD", &[row("a", "2026-11-15", "10")]);
    let other = account("ALPHA", "2", "USD", &[row("b", "2026-11-15", "2")]);
    assert_eq!(change(&[one.clone(), other]), "+25.0%");
    assert_eq!(change(&[one]), "–", "the other account has not told its numbers");
    assert_eq!(change(&[]), "–");
}

#[test]
fn sums_without_a_missing_account_are_lower_bounds_and_have_no_difference() {
    let now = [
        account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "15")]),
        account("BETA", "2", "USD", &[row("b", "2026-11-22", "20")]),
        account("BETA", "4", "JPY", &[row("d", "2026-11-22", "900")]),
    ];
    let before = [
        account("ALPHA", "1", "USD", &[row("a", "2026-11-15", "10")]),
        account("BETA", "2", "USD", &[row("b", "2026-11-15", "10")]),
        account("BETA", "4", "JPY", &[row("d", "2026-11-15", "450")]),
    ];
    let without = |account: Account| {
        let mut gathered = gathered(&now, &before);
        gathered.accounts.push(account);
        gathered
    };
    let shown = |gathered: &InsightsData| -> Vec<String> {
        let figures = totals(gathered, &view(""), at_nine()).into_iter().map(|mut total| total.figures.remove(0));
        let totals = figures.map(|figure| format!("{} {}", figure.value.text, figure.change));
        let rows = table(&lines(gathered, TableKind::Platform, Order::default()), &view(""), at_nine()).rows;
        let rows = rows.into_iter().map(|row| format!("{} {} {}", row.name, row.spend, row.change));
        totals.chain(rows).collect()
    };
    let all = ["35.00 +75.0%", "900 +100.0%", "Meta 20.00 +100.0%", "Google Ads 15.00 +50.0%", "Meta 900 +100.0%"];
    assert_eq!(shown(&gathered(&now, &before)), all);
    let reporting = Some(euros(&[("USD", "0.5"), ("JPY", "0.01")]));
    let layout = Layout { reporting, ..Layout::signed_out("Insights") };
    let together = page(layout, Ok(gathered(&now, &before)), &view(""), at_nine()).together.unwrap();
    assert_eq!(together.text, "≈ 26.50 EUR spent together, by your rates of 30 Nov");
    let bounded = ["at least 35.00 –", all[1], "Meta at least 20.00 –", all[3], all[4]];
    assert_eq!(shown(&without(missing("BETA", "3", Some("USD")))), bounded, "the other currency is whole");
    let unknown = without(missing("BETA", "3", None));
    assert_eq!(shown(&unknown)[1], "at least 900 –", "its currency is not known");
    let mut cut = gathered(&now, &before);
    cut.accounts[1].now = cut.accounts[1].now.take().map(Sums::lower_bound);
    assert_eq!(shown(&cut), bounded, "rows of an account are missing");
    let campaigns = lines(&cut, TableKind::Campaign, Order::default());
    let is_partial = |name: &str| campaigns.iter().any(|line| line.name() == name && line.now.spend.exact().is_none());
    assert!(is_partial("b") && !is_partial("a") && !is_partial("d"), "the campaigns of a cut account");
}

/// An answer in which two accounts have a row each.
fn answer(end: ListEnd) -> PlatformAnswer {
    let part = |(number, campaign): (&str, &str)| {
        Reading::of(insights(number, vec![row(campaign, "2026-11-15", "10")]), fortnight())
    };
    PlatformAnswer::of([("1", "a"), ("2", "b")].map(part).to_vec(), end)
}

fn failed(number: &str) -> ListEnd {
    let connection = ConnectionId(format!("conn_{number}"));
    let error = Error::new(Kind::PlatformRefused, "It does not answer.");
    ListEnd { errors: vec![ConnectionError::new(Platform::Alpha, connection, &error)], ..ListEnd::default() }
}

#[test]
fn a_part_of_the_period_before_is_compared_with_nothing() {
    let connections = [connection("ALPHA", "1", None, Some("USD")), connection("ALPHA", "2", None, Some("USD"))];
    let connections: Vec<&Connection> = connections.iter().collect();
    let (at, range) = ("2026-11-23T09:00:00Z".parse().unwrap(), view("").range);
    let known = |end: ListEnd| {
        let (days, before) = (answer(ListEnd::default()), answer(end));
        let (days, before) = ([Some((at, &days)), None], [Some((at, &before)), None]);
        let mut gathered = InsightsData::default();
        gathered.take_group(&GroupAnswers { connections: &connections, range, days, before });
        gathered.accounts.iter().filter(|account| account.before.is_some()).count()
    };
    assert_eq!(known(ListEnd::default()), 2);
    assert_eq!(known(ListEnd { is_cut: true, ..ListEnd::default() }), 0);
    assert_eq!(known(failed("1")), 1, "one has failed on a later page");
}

#[test]
fn what_the_last_answer_lacks_an_older_one_may_have() {
    let all = ["1", "2", "3"].map(|number| connection("ALPHA", number, None, Some("USD")));
    let connections: Vec<&Connection> = all.iter().collect();
    let at = |minute: i64| Timestamp::from_second(minute * 60).unwrap();
    let (last, older) = (answer(failed("3")), answer(ListEnd::default()));
    let gathered = |days| {
        let mut gathered = InsightsData::default();
        let answers = GroupAnswers { connections: &connections, range: view("").range, days, before: [None, None] };
        gathered.take_group(&answers);
        gathered
    };
    let missing = |gathered: &InsightsData| gathered.accounts.iter().filter(|account| account.is_missing).count();
    let both = gathered([Some((at(9), &last)), Some((at(2), &older))]);
    assert_eq!(
        (both.accounts_with_numbers().count(), missing(&both), both.failures.len(), both.as_of),
        (2, 1, 1, Some(at(9)))
    );
    assert_eq!(both.age(at(9)).as_deref(), Some("Updated just now, without 1 of 3 accounts of Google Ads"));
    let none = PlatformAnswer::of(Vec::new(), failed("1"));
    let kept = gathered([Some((at(9), &none)), Some((at(2), &older))]);
    let since = clock(at(2), at(9));
    assert_eq!(kept.age(at(9)), Some(format!("Not up to date, without Google Ads since {since}")));
    let late = gathered([None, Some((at(2), &older))]);
    assert_eq!(
        (late.accounts_with_numbers().count(), missing(&late), late.late.len(), late.as_of),
        (2, 1, 0, Some(at(2)))
    );
    let none = gathered([None, None]);
    assert_eq!(
        (none.accounts_with_numbers().count(), missing(&none), none.late.len(), none.is_reading),
        (0, 3, 3, true)
    );
    let whole = gathered([Some((at(9), &older)), None]);
    assert_eq!(
        (whole.accounts_with_numbers().count(), missing(&whole)),
        (2, 0),
        "an account that its platform does not name is empty"
    );
}

#[test]
fn numbers_from_before_a_silence_have_their_time_in_row_and_file() {
    let all = ["1", "2"].map(|number| connection("ALPHA", number, None, Some("USD")));
    let connections: Vec<&Connection> = all.iter().collect();
    let read: Timestamp = "2026-11-23T08:40:00Z".parse().unwrap();
    let silent = PlatformAnswer { end: failed("1"), ..PlatformAnswer::default() };
    let (older, days_of) = (answer(ListEnd::default()), view("").range);
    let told = |days| {
        let mut gathered = InsightsData::default();
        gathered.take_group(&GroupAnswers { connections: &connections, range: days_of, days, before: [None, None] });
        let lines = lines(&gathered, TableKind::Account, Order::default());
        let file = export::csv(&lines, TableKind::Account).text().to_owned();
        (html(gathered, "by=account"), file)
    };
    let (page, file) = told([Some((at_nine(), &silent)), Some((read, &older))]);
    let as_of = format!("as of {TODAY}23 Nov 2026, 08:40 UTC");
    assert_eq!(page.matches(&format!(" · {as_of}</span>")).count(), 2, "{page}");
    assert!(page.contains(&format!("Its numbers are {as_of}.")), "{page}");
    assert_eq!(file.matches(",2026-11-23T08:40:00Z,incomplete,").count(), 2, "{file}");
    let (page, file) = told([Some((at_nine(), &older)), None]);
    assert!(!page.contains("as of ") && file.contains(",2026-11-23T09:00:00Z,complete,"), "{page}{file}");
    let (page, _) = told([Some((at_nine(), &silent)), None]);
    assert!(page.contains("Its numbers are missing or incomplete."), "{page}");
}

#[test]
fn seven_days_are_seven_in_the_words_the_chart_and_the_file() {
    let range = view("").range;
    let mut some = gathered(&[account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "3")])], &[]);
    let alone = html(InsightsData { accounts: some.accounts.clone(), ..InsightsData::default() }, "");
    assert!(alone.contains("Last 7 days: 16 Nov to 22 Nov 2026") && alone.contains("Compared with 9 Nov to 15 Nov"));
    assert!(alone.contains("<strong>16–22 November 2026, without today</strong>. Compared with"));
    let names = ["Yesterday", "Last 7 days", "Last week (Mon–Sun)", "This month", "Last month"];
    let links: Vec<String> = view("").periods().into_iter().map(|link| link.text).collect();
    assert_eq!(links[..5], names);
    assert_eq!(view("days=last-week").csv_path(), "/dashboard/insights/csv?days=last-week&by=platform");
    let own = range.for_today("2026-11-24".parse().unwrap());
    let spent = account("ALPHA", "2", "USD", &[row("b", "2026-11-17", "5"), row("b", "2026-11-23", "7")]);
    let sums = Reading::of(insights("2", vec![row("b", "2026-11-17", "5"), row("b", "2026-11-23", "7")]), own.period());
    some.accounts.push(Account { range: own, now: Some(sums.sums(own.period())), ..spent });
    let days = totals(&some, &view(""), at_nine()).remove(0).days.unwrap().texts;
    assert_eq!((days.len(), days[0].as_str(), days[6].as_str()), (7, "16 Nov: 5.00", "22 Nov: 10.00"));
    let platforms = lines(&some, TableKind::Platform, Order::default());
    let file = export::csv(&platforms, TableKind::Platform);
    assert!(file.text().contains("2026-11-16,2026-11-22,Google Ads,USD,15.00,"), "{}", file.text());
    let both = html(some, "");
    assert!(both.contains("Last 7 days: 16 Nov to 22 Nov 2026"), "{both}");
    assert!(both.contains("<summary>1 ad account has other days</summary>"), "{both}");
    assert!(both.contains("In 1 ad account, where it is another day, they are 17 Nov to 23 Nov 2026."), "{both}");
}

#[test]
fn a_sum_says_which_platform_it_is_without_and_since_when() {
    let accounts = [
        account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "3")]),
        account("ALPHA", "2", "JPY", &[row("b", "2026-11-22", "900")]),
        missing("GAMMA", "3", Some("USD")),
        missing("GAMMA", "4", Some("JPY")),
    ];
    let failure = ReadFailure {
        is_of_numbers: false,
        since: Some("2026-11-23T02:58:00Z".parse().unwrap()),
        tried_at: at_nine(),
        message: "TikTok did not answer.".to_owned(),
    };
    let read = LastRead { failure: Some(failure), answered_at: None, active: None };
    let reads = ["3", "4"].map(|number| (format!("conn_{number}"), read.clone())).into();
    let html = html(gathered(&accounts, &[]).with_last_reads(&reads), "");
    let without = format!("without TikTok since {TODAY}23 Nov 2026, 02:58 UTC");
    assert!(html.contains(&format!("At least, {without}.")), "{html}");
    assert!(html.contains(&format!("<summary>at least 3.00 USD spent, {without}<span")), "folded: {html}");
}

#[test]
fn a_file_has_numbers_alone_and_says_what_they_are() {
    let part = |spend| row("a", "2026-11-22", spend);
    let accounts = [
        account("ALPHA", "1", "USD", &[part("3")]),
        account("BETA", "2", "USD", &[part("4"), part("null")]),
        account("GAMMA", "3", "USD", &[part("5")]),
        missing("GAMMA", "4", Some("USD")),
    ];
    let file =
        export::csv(&lines(&gathered(&accounts, &[]), TableKind::Platform, Order::default()), TableKind::Platform);
    let text = file.text();
    assert!(!text.contains("at least") && !text.contains("at most"), "{text}");
    let row = |name: &str| text.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(row("Google Ads").contains(",USD,3.00,") && row("Google Ads").ends_with(",complete,"), "{text}");
    assert!(row("Meta").contains(",USD,4.00,") && row("Meta").ends_with(",lower bound,Spend"), "{text}");
    let tiktok = row("TikTok");
    assert!(tiktok.contains(",USD,5.00,") && tiktok.contains(",incomplete,\"Spend; Impressions; Clicks"), "{text}");
}

#[test]
fn a_click_on_a_heading_sorts_and_currencies_stay_apart_for_amounts() {
    let more = |campaign: &str, spend: &str, clicks: i64| InsightsRow {
        clicks: Some(clicks),
        ..row(campaign, "2026-11-22", spend)
    };
    let gathered = || {
        gathered(
            &[
                account("ALPHA", "1", "USD", &[more("b", "3", 5), more("a", "4", 7), more("c", "null", 9)]),
                account("ALPHA", "3", "USD", &[]),
                account("BETA", "2", "JPY", &[more("d", "900", 6)]),
            ],
            &[],
        )
    };
    let sorted = |order: &str| -> String {
        let lines = lines(&gathered(), TableKind::Campaign, Order::parse(order).unwrap());
        lines.iter().map(lines::Line::name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((sorted("-spend"), sorted("spend")), ("a b c d".to_owned(), "b a c d".to_owned()), "unknown comes last");
    assert_eq!((sorted("-clicks"), sorted("name")), ("c a d b".to_owned(), "a b c d".to_owned()));
    assert_eq!((sorted("-cpc"), sorted("currency")), ("b a c d".to_owned(), "d a b c".to_owned()));
    let html = html(gathered(), "by=campaign&sort=-clicks");
    let clicks = "<th scope=\"col\" aria-sort=\"descending\"><a href=\"/dashboard/insights?days=7&#38;by=campaign&#38;sort=clicks\">Clicks <small>highest first</small></a>";
    assert!(html.contains(clicks) && html.matches("aria-sort").count() == 1, "{html}");
    let (_, choices) = html.split_once("<summary>Sort: Clicks</summary>").unwrap();
    assert!(choices.contains("aria-current=\"true\">Clicks, highest first</a>"), "a phone has no headings: {html}");
    assert!(html.contains("sort=name\">Campaign</a>") && html.contains("name=\"sort\" value=\"-clicks\""), "{html}");
    assert!(
        html.contains("<a href=\"/dashboard/insights?days=7&#38;by=campaign\">Spend</a>"),
        "the usual order: {html}"
    );
}

#[test]
fn a_currency_narrows_the_table_and_the_totals() {
    let accounts = [
        account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "3")]),
        account("BETA", "2", "JPY", &[row("b", "2026-11-22", "900")]),
    ];
    let all = html(gathered(&accounts, &[]), "");
    assert!(
        all.contains("Total in USD") && all.contains("Total in JPY") && all.contains(">All currencies</a>"),
        "{all}"
    );
    let one = html(gathered(&accounts, &[]), "currency=JPY");
    assert!(!one.contains("Total in USD") && one.contains("Total in JPY"), "{one}");
    assert_eq!(one.matches("<th scope=\"row\">").count(), 1);
    assert!(one.contains("currency=JPY\" aria-current=\"true\">JPY</a>") && one.contains(">USD</a>"), "{one}");
}

/// Google Ads in two currencies, and Meta in three.
fn of_currencies() -> InsightsData {
    let day = "2026-11-22";
    let sold = |campaign: &str, spend: &str, value: i64| InsightsRow {
        conversion_value: Some(Decimal::from(value)),
        ..row(campaign, day, spend)
    };
    gathered(
        &[
            account("ALPHA", "1", "EUR", &[sold("a", "30", 90)]),
            account("ALPHA", "2", "USD", &[sold("b", "100", 50)]),
            account("BETA", "3", "USD", &[sold("c", "200", 400)]),
            account("BETA", "4", "JPY", &[sold("d", "9000", 0)]),
            account("BETA", "5", "EUR", &[sold("e", "1", 0)]),
        ],
        &[],
    )
}

#[test]
fn a_platform_is_one_row_in_the_reporting_currency() {
    let layout =
        Layout { reporting: Some(euros(&[("USD", "0.5"), ("JPY", "0.01")])), ..Layout::signed_out("Insights") };
    let page = page(layout, Ok(of_currencies()), &view(""), at_nine());
    let shown = |row: &table::TableRow| {
        let [.., roas] = &row.conversions;
        [&row.name, &row.detail, row.currency, &row.spend, &row.cells[1].text, &roas.text].map(str::to_owned)
    };
    let rows: Vec<[String; 6]> = page.table.rows.iter().map(shown).collect();
    assert_eq!(
        rows,
        [
            ["Meta", "3 ad accounts", "EUR", "191.00", "30", "1.05"].map(str::to_owned),
            ["Google Ads", "2 ad accounts", "EUR", "80.00", "20", "1.44"].map(str::to_owned),
        ],
        "rates are of sums"
    );
    let folded: Vec<(Option<&str>, usize)> =
        page.table.rows.iter().map(|row| (row.fold.as_deref(), row.parts.len())).collect();
    assert_eq!(folded, [(Some("In 3 currencies"), 3), (Some("In 2 currencies"), 2)]);
    let html = page.render().unwrap();
    assert!(html.contains("<td>≈ EUR</td>") && !html.contains("Choose a <a href"), "{html}");
    assert_eq!((html.matches("<tr class=\"part\">").count(), html.matches("<tbody>").count()), (5, 2), "{html}");
}

#[test]
fn a_platform_without_a_reporting_currency_has_its_first_currency_and_folds_the_others() {
    let html = |may_change| {
        let layout = Layout { may_change, ..Layout::signed_out("Insights") };
        page(layout, Ok(of_currencies()), &view("sort=-clicks"), at_nine()).render().unwrap()
    };
    let (own, looks) = (html(true), html(false));
    let hint = "Choose a <a href=\"/dashboard/settings#rates\">reporting currency</a> under Settings";
    assert!(own.contains(hint) && !looks.contains(hint), "{own}");
    assert!(own.contains("<summary>1 other currency</summary>") && own.contains("2 other currencies"), "{own}");
    assert_eq!((own.matches("<tr class=\"part\">").count(), own.matches("≈").count()), (3, 0), "{own}");
    let layout =
        Layout { reporting: Some(euros(&[("USD", "0.5")])), may_change: true, ..Layout::signed_out("Insights") };
    let half = page(layout, Ok(of_currencies()), &view(""), at_nine());
    assert!(half.lacks_reporting && half.table.rows.iter().all(|row| !row.is_together), "a rate is missing");
    let alone = page(Layout::signed_out("Insights"), Ok(of_currencies()), &view("currency=EUR"), at_nine());
    assert!(!alone.table.has_groups() && !alone.lacks_reporting, "one currency has nothing to fold");
}

#[test]
fn a_sum_of_currencies_without_an_ad_account_is_a_lower_bound() {
    let reporting = euros(&[("USD", "0.5"), ("JPY", "0.01")]);
    let mut some = of_currencies();
    some.accounts.push(missing("ALPHA", "6", None));
    let rows = lines(&some, TableKind::Platform, Order::default());
    let groups = by_platform::groups(&some, rows, Order::default(), Some(&reporting));
    let table = table::table_of(&groups, &view(""), at_nine());
    let shown: Vec<(&str, &str)> = table.rows.iter().map(|row| (row.spend.as_str(), row.detail.as_str())).collect();
    assert_eq!(shown, [("191.00", "3 ad accounts"), ("at least 80.00", "2 of 3 ad accounts")]);
}

#[test]
fn a_table_has_fifty_rows_a_page() {
    let accounts: Vec<Account> = (1..=120)
        .map(|id| account("ALPHA", &id.to_string(), "USD", &[row("a", "2026-11-22", &(1000 - id).to_string())]))
        .collect();
    let gathered = gathered(&accounts, &[]);
    let lines = lines(&gathered, TableKind::Account, Order::default());
    let page = |query: &str| {
        let table = table(&lines, &view(query), at_nine());
        (
            table.rows[0].name.clone(),
            table.rows.len(),
            table.place.unwrap(),
            table.previous.is_some(),
            table.next.is_some(),
        )
    };
    assert_eq!(page("by=account"), ("1".to_owned(), 50, "1 to 50 of 120".to_owned(), false, true));
    assert_eq!(page("by=account&page=3"), ("101".to_owned(), 20, "101 to 120 of 120".to_owned(), true, false));
    assert_eq!(page("by=account&page=9").1, 20, "a page after the last one is the last");
}

#[test]
fn a_page_of_forty_six_accounts_is_short() {
    let days: Vec<InsightsRow> = (16..=22).map(|day| row("a", &format!("2026-11-{day}"), "1234.25")).collect();
    let accounts: Vec<Account> = (0..46)
        .map(|at| account(Platform::ALL[at % 6].as_upper(), &(120_300_400_500_600 + at).to_string(), "USD", &days))
        .collect();
    let html = html(gathered(&accounts, &accounts), "by=account");
    assert!(html.len() < 40_000, "{} bytes", html.len());
    assert_eq!((html.matches("<svg").count(), html.matches("<table").count()), (1, 1));
    assert_eq!(html.matches("<th scope=\"row\">").count(), 46);
    let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "unique ids");
}

#[test]
fn texts_of_platforms_are_escaped() {
    let mut gathered = gathered(&[account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "1")])], &[]);
    gathered.accounts[0].connection.account_name = Some(HOSTILE.to_owned());
    gathered.names.insert(id("a"), HOSTILE.to_owned());
    gathered.late = vec![HOSTILE.to_owned()];
    assert!(!html(gathered, "by=campaign").contains("<script>alert"));
}

#[test]
fn nothing_at_all_has_a_sentence() {
    let none = html(gathered(&[account("BETA", "2", "USD", &[])], &[]), "");
    assert!(none.contains("No spend or clicks in this period.") && !none.contains("<svg"), "{none}");
    let layout = Layout::signed_out("Insights");
    let nothing =
        InsightsPage { is_connected: false, ..page(layout, Ok(InsightsData::default()), &view(""), at_nine()) };
    let nothing = nothing.render().unwrap();
    assert!(nothing.contains("Connect an ad account") && !nothing.contains("<form"), "{nothing}");
}

#[test]
fn what_is_late_is_named_and_comes_by_itself_once() {
    let partial = || {
        let late = vec!["Meta: Harbour (7)".to_owned()];
        let some = gathered(&[account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "1")])], &[]);
        InsightsData { late, is_reading: true, ..some }
    };
    let first = html(partial(), "days=30");
    assert!(first.contains(r#"content="1; url=/dashboard/insights?days=30&#38;by=platform&#38;wait=all""#), "{first}");
    assert!(first.contains("Meta: Harbour (7)") && first.contains("Still waiting for these ad accounts"), "{first}");
    assert!(first.contains("Total in USD"), "{first}");
    let second = html(partial(), "days=30&wait=all");
    assert!(!second.contains("goes-on") && second.contains("Try again"), "{second}");
}

#[test]
fn all_choices_stand_in_one_line_above_the_numbers() {
    let accounts = [
        account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "3")]),
        account("BETA", "2", "JPY", &[row("b", "2026-11-22", "900")]),
    ];
    let shown = || page(Layout::signed_out("Insights"), Ok(gathered(&accounts, &[])), &view(""), at_nine());
    let html = shown().render().unwrap();
    let (before, after) = html.split_once("<div class=\"picks\">").unwrap();
    let choices = after.split("Compared with").next().unwrap();
    for choice in ["Last 7 days: ", "name=\"from\"", ">Campaign</a>", ">JPY</a>", ">Download CSV</a>"] {
        assert!(choices.contains(choice) && !before.contains(choice), "{choice}: {html}");
    }
    assert!(!choices.contains(" open>") && html.find("<table") > html.find("Total in "), "{html}");
    let wrong = InsightsPage { problem: Some("Choose at most 90 days."), ..shown() }.render().unwrap();
    assert!(wrong.contains("<details class=\"pick\" name=\"pick\" open>"), "what is wrong is in sight: {wrong}");
}

#[test]
fn many_ad_accounts_that_are_late_do_not_stand_before_the_numbers() {
    let late = |count: usize| (1..=count).map(|id| format!("Meta: {id}")).collect();
    let html = |count| html(InsightsData { late: late(count), is_reading: true, ..InsightsData::default() }, "");
    assert!(html(4).contains("<summary>4 ad accounts</summary>") && html(4).contains("<bdi>Meta: 4</bdi>"));
    assert!(!html(3).contains("3 ad accounts</summary>") && html(3).contains("<bdi>Meta: 3</bdi>"));
}

#[test]
fn a_platform_that_fails_for_two_groups_of_days_is_named_once() {
    let failure = |account: &str| Failure { account: account.to_owned(), message: "It does not answer.".to_owned() };
    let mut gathered = InsightsData::default();
    for own in ["Google Ads: One (1)", "Google Ads: Two (2)"] {
        gathered.note(vec![failure("Google Ads"), failure(own)]);
    }
    let html = html(gathered, "");
    for account in ["Google Ads", "Google Ads: One (1)", "Google Ads: Two (2)"] {
        assert_eq!(html.matches(&format!("<bdi>{account}</bdi>")).count(), 1, "{account}: {html}");
    }
}

#[test]
fn failures_are_said_without_hiding_the_numbers() {
    let some = gathered(&[account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "1")])], &[]);
    let failures = vec![Failure { account: "Meta: 7".to_owned(), message: "Meta ended the consent.".to_owned() }];
    let html = html(InsightsData { failures, is_cut: true, ..some }, "");
    for text in
        ["<strong><bdi>Meta: 7</bdi></strong> Meta ended the consent.", "Some numbers did not arrive in time", "<svg"]
    {
        assert!(html.contains(text), "{text}: {html}");
    }
    let amber = "<details class=\"notice warn\"><summary><bdi>Meta: 7 is missing</bdi></summary>";
    assert!(html.contains(amber) && !html.contains("notice bad"), "as on the list of campaigns: {html}");
    let refusal = Refusal {
        status: 429,
        message: "Too many.".to_owned(),
        details: Vec::new(),
        reason: None,
        request_id: "r".to_owned(),
    };
    let refused = page(Layout::signed_out("Insights"), Err(refusal), &view(""), at_nine()).render().unwrap();
    assert!(refused.contains("Too many.") && !refused.contains("No spend or clicks"), "{refused}");
}
