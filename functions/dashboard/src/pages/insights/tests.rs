use super::lines::lines;
use super::order::Order;
use super::view::By;
use super::*;
use crate::client::accounts::Connection;
use crate::client::accounts::tests::known;
use crate::client::insights::Reading;
use shared::domain::{ConnectionId, Currency, Platform};
use shared::envelope::query::pairs;

const HOSTILE: &str = "<script>alert('\"')</script>";

fn view(query: &str) -> View {
    View::read(&pairs(Some(query)), "2026-11-23T09:00:00Z".parse().unwrap())
}

fn row(campaign: &str, day: &str, spend: &str) -> String {
    format!(
        r#"{{"campaign_id":"{campaign}","date":"{day}","spend":{spend},"impressions":1000,"clicks":10,
            "conversions":2.5,"conversion_value":null,"is_final":false}}"#
    )
}

/// An account with rows.
fn account(platform: &str, id: &str, currency: &str, rows: &[String]) -> String {
    format!(
        r#"{{"platform":"{platform}","connection_id":"conn_{id}","organization_id":"{id}","currency":"{currency}",
            "time_zone":"UTC","attribution":"by click","rows":[{}]}}"#,
        rows.join(",")
    )
}

fn reading(accounts: &[String]) -> Reading {
    Reading::of_json(&format!(r#"{{"accounts":[{}],"pagination":{{"next_cursor":null}}}}"#, accounts.join(",")))
}

fn gathered(now: &[String], before: &[String]) -> Gathered {
    Gathered { accounts: reading(now).accounts, before: reading(before).accounts, ..Gathered::default() }
}

fn connection(id: &str, name: &str) -> Connection {
    Connection {
        id: ConnectionId(format!("conn_{id}")),
        account_name: Some(name.to_owned()),
        currency: None,
        ..known("alpha_ads", id)
    }
}

fn html(gathered: Gathered, query: &str) -> String {
    page(Layout::signed_out("Insights"), Ok(gathered), &view(query)).render().unwrap()
}

fn named(gathered: &Gathered, by: By) -> Vec<(String, String)> {
    lines(gathered, by, Order::default()).iter().map(|line| (line.currency.clone(), line.name().to_owned())).collect()
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
    gathered.connections = vec![connection("1", "Harbour"), connection("2", "Bakery")];
    gathered.names.insert("c".to_owned(), "Spring".to_owned());
    let platforms = [pair("USD", "Google Ads"), pair("USD", "Meta"), pair("JPY", "Meta")];
    assert_eq!(named(&gathered, By::Platform), platforms);
    let accounts = [pair("USD", "Bakery"), pair("USD", "3"), pair("USD", "Harbour"), pair("JPY", "4")];
    assert_eq!(named(&gathered, By::Account), accounts);
    let campaigns = [pair("USD", "Spring"), pair("USD", "d"), pair("USD", "b"), pair("USD", "a"), pair("JPY", "e")];
    assert_eq!(named(&gathered, By::Campaign), campaigns);
    let totals = totals(&gathered, view("").range);
    let spends: Vec<&str> = totals.iter().map(|total| total.figures[0].value.as_str()).collect();
    assert_eq!(spends, ["8.30", "5,000"]);
}

#[test]
fn the_difference_needs_the_same_accounts_before() {
    let now = [account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "15")]), account("ALPHA", "2", "USD", &[])];
    let change = |before: &[String]| {
        let gathered = gathered(&now, before);
        let total = totals(&gathered, view("").range).remove(0);
        let [line] = &lines(&gathered, By::Platform, Order::default())[..] else { panic!("one platform") };
        let row = table(std::slice::from_ref(line), &view("")).rows.remove(0);
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
    let missing = |id: &str, currency: Option<&str>| {
        let currency = currency.and_then(Currency::from_code);
        let missing = vec![Connection { platform: Platform::Beta, currency, ..connection(id, "Bakery") }];
        Gathered { missing, ..gathered(&now, &before) }
    };
    let shown = |gathered: &Gathered| -> Vec<String> {
        let figures = totals(gathered, view("").range).into_iter().map(|mut total| total.figures.remove(0));
        let totals = figures.map(|figure| format!("{} {}", figure.value, figure.change));
        let rows = table(&lines(gathered, By::Platform, Order::default()), &view("")).rows;
        let rows = rows.into_iter().map(|row| format!("{} {} {}", row.name, row.spend, row.change));
        totals.chain(rows).collect()
    };
    let all = ["35.00 +75.0%", "900 +100.0%", "Meta 20.00 +100.0%", "Google Ads 15.00 +50.0%", "Meta 900 +100.0%"];
    assert_eq!(shown(&gathered(&now, &before)), all);
    let bounded = ["at least 35.00 –", all[1], "Meta at least 20.00 –", all[3], all[4]];
    assert_eq!(shown(&missing("3", Some("USD"))), bounded, "the other currency is whole");
    let unknown = missing("3", None);
    assert_eq!(shown(&unknown)[1], "at least 900 –", "its currency is not known");
    let cut = missing("2", Some("USD"));
    let campaigns = lines(&cut, By::Campaign, Order::default());
    let is_partial = |name: &str| campaigns.iter().any(|line| line.name() == name && line.now.spend.whole().is_none());
    assert!(is_partial("b") && !is_partial("a") && !is_partial("d"), "the campaigns of a cut account");
}

#[test]
fn a_part_of_the_period_before_is_compared_with_nothing() {
    let known = |reading: Reading| {
        let mut gathered = Gathered::default();
        gathered.take_before(&reading);
        gathered.before.len()
    };
    let accounts = [account("ALPHA", "1", "USD", &[row("a", "2026-11-15", "10")]), account("BETA", "2", "USD", &[])];
    assert_eq!(known(reading(&accounts)), 2);
    assert_eq!(known(Reading { is_cut: true, ..reading(&accounts) }), 0);
    let errors = r#"[{"platform":"ALPHA","connection_id":"conn_1","message":"No response."}]"#;
    let page =
        format!(r#"{{"accounts":[{}],"pagination":{{"next_cursor":null}},"errors":{errors}}}"#, accounts.join(","));
    assert_eq!(known(Reading::of_json(&page)), 1, "one has failed on a later page");
}

#[test]
fn accounts_with_other_days_say_so_and_the_heading_has_all_of_them() {
    let of = |range: Range| ("conn_1".to_owned(), range);
    let range = view("").range;
    let mut some = gathered(&[account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "3")])], &[]);
    some.ranges.extend([of(range)]);
    let alone = html(Gathered { ranges: some.ranges.clone(), ..gathered(&[], &[]) }, "");
    assert!(alone.contains("16 Nov to 22 Nov 2026") && alone.contains("Compared with 9 Nov to 15 Nov"), "{alone}");
    some.ranges.insert("conn_2".to_owned(), range.on("2026-11-24".parse().unwrap()));
    let both = html(some, "");
    assert!(both.contains("16 Nov to 23 Nov 2026") && both.contains("one ahead of others"), "{both}");
}

#[test]
fn a_click_on_a_heading_sorts_and_currencies_stay_apart_where_amounts_are_compared() {
    let more = |campaign: &str, spend: &str, clicks: u32| {
        row(campaign, "2026-11-22", spend).replace("\"clicks\":10", &format!("\"clicks\":{clicks}"))
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
        let lines = lines(&gathered(), By::Campaign, Order::parse(order).unwrap());
        lines.iter().map(lines::Line::name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((sorted("-spend"), sorted("spend")), ("a b c d".to_owned(), "b a c d".to_owned()), "unknown comes last");
    assert_eq!((sorted("-clicks"), sorted("name")), ("c a d b".to_owned(), "a b c d".to_owned()));
    assert_eq!((sorted("-cpc"), sorted("currency")), ("b a c d".to_owned(), "d a b c".to_owned()));
    let html = html(gathered(), "by=campaign&sort=-clicks");
    let clicks = "<th scope=\"col\" aria-sort=\"descending\"><a href=\"/dashboard/insights?days=7&#38;by=campaign&#38;sort=clicks\">Clicks</a>";
    assert!(html.contains(clicks) && html.matches("aria-sort").count() == 1, "{html}");
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

#[test]
fn a_table_has_fifty_rows_a_page() {
    let accounts: Vec<String> = (1..=120)
        .map(|id| account("ALPHA", &id.to_string(), "USD", &[row("a", "2026-11-22", &(1000 - id).to_string())]))
        .collect();
    let gathered = gathered(&accounts, &[]);
    let lines = lines(&gathered, By::Account, Order::default());
    let page = |query: &str| {
        let table = table(&lines, &view(query));
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
    let days: Vec<String> = (16..=22).map(|day| row("a", &format!("2026-11-{day}"), "1234.25")).collect();
    let accounts: Vec<String> = (0..46)
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
    gathered.connections = vec![connection("1", HOSTILE)];
    gathered.names.insert("a".to_owned(), HOSTILE.to_owned());
    gathered.late = vec![HOSTILE.to_owned()];
    assert!(!html(gathered, "by=campaign").contains("<script>alert"));
}

#[test]
fn nothing_at_all_has_a_sentence() {
    let none = html(gathered(&[account("BETA", "2", "USD", &[])], &[]), "");
    assert!(none.contains("No spend or clicks in this period.") && !none.contains("<svg"), "{none}");
    let layout = Layout::signed_out("Insights");
    let nothing = InsightsPage { is_connected: false, ..page(layout, Ok(Gathered::default()), &view("")) };
    let nothing = nothing.render().unwrap();
    assert!(nothing.contains("Connect an ad account") && !nothing.contains("<form"), "{nothing}");
}

#[test]
fn what_is_late_is_named_and_comes_by_itself_once() {
    let partial = || {
        let late = vec!["Meta: Harbour (7)".to_owned()];
        let some = gathered(&[account("ALPHA", "1", "USD", &[row("a", "2026-11-22", "1")])], &[]);
        Gathered { late, is_reading: true, ..some }
    };
    let first = html(partial(), "days=30");
    assert!(first.contains(r#"content="1; url=/dashboard/insights?days=30&#38;by=platform&#38;wait=all""#), "{first}");
    assert!(first.contains("Meta: Harbour (7)") && first.contains("have not answered yet"), "{first}");
    assert!(first.contains("Total in USD"), "{first}");
    let second = html(partial(), "days=30&wait=all");
    assert!(!second.contains("goes-on") && second.contains("Try again"), "{second}");
}

#[test]
fn a_platform_that_fails_for_two_groups_of_days_is_named_once() {
    let failure = |account: &str| Failure { account: account.to_owned(), message: "It does not answer.".to_owned() };
    let mut gathered = Gathered::default();
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
    let html = html(Gathered { failures, is_cut: true, ..some }, "");
    for text in
        ["<strong><bdi>Meta: 7</bdi></strong> Meta ended the consent.", "Not all numbers could be read in time", "<svg"]
    {
        assert!(html.contains(text), "{text}: {html}");
    }
    let refusal =
        Refusal { status: 429, message: "Too many.".to_owned(), details: Vec::new(), request_id: "r".to_owned() };
    let refused = page(Layout::signed_out("Insights"), Err(refusal), &view("")).render().unwrap();
    assert!(refused.contains("Too many.") && !refused.contains("No spend or clicks"), "{refused}");
}
