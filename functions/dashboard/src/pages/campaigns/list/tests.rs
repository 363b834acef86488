//! Tests of the page of all campaigns.

use super::*;
use crate::client::notice::Notice;
use crate::client::readings::{AccountState, RecentNumbers, RecentSpend};
use crate::kit::assets;
use crate::kit::campaign::CampaignSummary;
use crate::kit::campaign::tests::campaign as paused;
use crate::kit::month::Resumption;
use crate::kit::month::tests::ledger;
use crate::kit::numbers::Numbers;
use crate::kit::text::as_of;
use crate::kit::together::tests::euros;
use crate::kit::total::Total;
use crate::pages::campaigns::filter::PAGE_SIZES;
use jiff::Timestamp;
use jiff::civil::date;
use rust_decimal::Decimal;
use shared::domain::monthly::Month;
use shared::domain::{CampaignStatus, Currency, MonthSpend};
use shared::envelope::query::pairs;

const HOSTILE: &str = "<script>alert('\"')</script>";

fn now() -> Timestamp {
    "2026-11-23T12:00:00Z".parse().unwrap()
}

/// What the list shows of an overview: the spend of seven days in each currency, and that of each campaign.
pub(crate) struct Shown {
    /// `1,234.50 USD`
    pub(crate) totals: Vec<String>,
    /// By the id of the campaign.
    pub(crate) campaigns: Vec<(String, String)>,
}

/// What the list shows of an overview.
pub(crate) fn shown(overview: &Overview, now: Timestamp) -> Shown {
    // `USD 3.00 today, 1,234.50 in the last 7 days`
    let total = |words: &String| {
        let (today, week) = words.split_once(" today, ")?;
        let (code, _) = today.split_once(' ')?;
        let (week, _) = week.split_once(" in the last 7 days")?;
        Some(format!("{week} {code}"))
    };
    let row = |row: &CampaignRow| {
        let shown = ListRow::new(row, "", &Columns::of(&Filter::of(&[])), &GoingOn::new(), now);
        let week = shown.figures.iter().find(|figure| figure.label == "Spend, 7 days").unwrap();
        (shown.id, week.cell().text.clone())
    };
    Shown {
        totals: head::total_words(overview).iter().filter_map(total).collect(),
        campaigns: overview.rows.iter().map(row).collect(),
    }
}

/// The view of a filter.
fn view(filter: &Filter) -> View<'_> {
    View { filter, edit: None, need: None, origin: None, ticked: Vec::new(), goes_on: GoingOn::new(), now: now() }
}

fn whole(number: i64) -> Total {
    Total::of(Some(Decimal::from(number)))
}

/// A campaign whose name and account are a text.
fn campaign(text: &str, number: usize) -> CampaignRow {
    let id = format!("beta_120300400500600_120300400500{number:03}");
    let row = CampaignRow::without_numbers(CampaignSummary {
        account_id: "120300400500600".to_owned(),
        name: text.to_owned(),
        budget_amount: Some(Decimal::from(25)),
        ..paused(&id, CampaignStatus::Paused)
    });
    let days: Vec<_> = (0..14).map(|day| Some((day * 7 % 25).into())).collect();
    let spend = RecentSpend { today: whole(12), ..RecentSpend::UNKNOWN };
    let week = Numbers { clicks: whole(1_234), ..Numbers::UNKNOWN };
    let numbers = RecentNumbers { spend, week, days };
    CampaignRow { account: text.to_owned(), numbers, ..row }
}

/// A page of campaigns where people have written a text wherever they can.
fn rendered(text: &str, count: usize, query: &str) -> String {
    let filter = Filter::of(&pairs(Some(query)));
    let rows: Vec<CampaignRow> = (0..count).map(|number| campaign(text, number)).collect();
    let account = AccountState { name: text.to_owned(), ..AccountState::default() };
    let accounts = vec![AccountState { problem: Some(text.to_owned()), ..account.clone() }, account];
    let overview = Overview { rows: rows.clone(), accounts, ..Overview::default() };
    page(Layout::signed_out("Campaigns"), overview, rows, view(&filter)).render().unwrap()
}

/// Most bytes of a page with its stylesheet and its script, as they are sent.
const MAX_BYTES: usize = 60_000;

#[test]
fn a_full_page_of_many_accounts_is_small_with_all_that_it_loads() {
    let rows: Vec<CampaignRow> = (0..60).map(|number| campaign("Spring sale, all of Europe", number)).collect();
    let account = |number: usize| AccountState {
        connection: format!("conn_{number:032}"),
        name: format!("Google Ads: Harbour Coffee Roasters {number} (1002003{number:03})"),
        ..AccountState::default()
    };
    let overview = Overview { rows: rows.clone(), accounts: (0..25).map(account).collect(), ..Overview::default() };
    let layout = Layout {
        account: Some("manager@example.com".to_owned()),
        current: CAMPAIGNS,
        ..Layout::signed_out("Campaigns")
    };
    let filter = Filter::of(&pairs(Some("status=PAUSED&sort=name")));
    let html = page(layout, overview, rows, view(&filter)).render().unwrap().len();
    let files = assets::sent_bytes();
    assert!(html + files <= MAX_BYTES, "{html} + {files}");
}

#[test]
fn the_ids_of_a_page_are_unique() {
    let page = rendered("Spring sale, all of Europe", 60, "status=PAUSED&sort=name");
    assert_eq!(page.matches("<tr id=").count(), PAGE_SIZES[0]);
    assert!(
        page.contains("1–25 of 60") && page.contains("status=PAUSED&#38;sort=name&#38;page=2\" rel=\"next\""),
        "{page}"
    );
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn a_page_that_does_not_exist_is_the_last_one() {
    let page = rendered("Spring", 60, "rows=50&page=9");
    assert!(page.contains("51–60 of 60") && page.contains("rel=\"prev\"") && !page.contains("rel=\"next\""));
    assert!(page.contains("name=\"list\" value=\"rows=50&#38;page=2\""), "a form comes back to it");
    assert!(rendered("Spring", 0, "").contains("The other ad accounts have no campaigns."));
    assert!(rendered("Spring", 3, "q=summer").contains("No campaigns match these filters."));
}

#[test]
fn a_row_has_its_numbers_and_says_what_it_does_not_know() {
    let page = rendered("Spring", 1, "q=SPRI");
    assert!(page.contains(">12.00</td><td>48%<progress max=\"100\" value=\"48\""), "{page}");
    assert!(page.contains(">1,234<") && page.contains(">–<") && page.contains("<path d=\"M0 30 1 "), "{page}");
    assert!(
        page.contains("aria-sort=\"descending\"><a href=\"/dashboard/campaigns?q=SPRI&#38;sort=week\">Spend, 7 days"),
        "{page}"
    );
}

#[test]
fn a_currency_narrows_the_rows_and_the_totals() {
    let page = |query: &str, currencies: &[&str]| {
        let row = |(number, currency): (usize, &&str)| {
            let mut row = campaign(&format!("In {currency}"), number);
            row.campaign.currency = Currency::from_code(currency).unwrap();
            row.numbers.spend.week = whole(7);
            row
        };
        let rows: Vec<CampaignRow> = currencies.iter().enumerate().map(row).collect();
        let account = |(code, week): (&str, i64)| AccountState {
            currency: Currency::from_code(code),
            spend: Some(RecentSpend { week: whole(week), ..RecentSpend::UNKNOWN }),
            read_at: Some(Timestamp::UNIX_EPOCH),
            has_numbers: true,
            ..AccountState::default()
        };
        // In yen a removed campaign has spent 30.
        let accounts = [("USD", 14), ("JPY", 37)].map(account).to_vec();
        let overview = Overview { rows: rows.clone(), accounts, ..Overview::default() };
        let filter = Filter::of(&pairs(Some(query)));
        let layout = Layout { reporting: Some(euros(&[("USD", "0.5")])), ..Layout::signed_out("Campaigns") };
        super::page(layout, overview, rows, view(&filter)).render().unwrap()
    };
    let all = page("", &["USD", "JPY", "USD"]);
    assert!(all.contains("0 active, 3 paused") && all.contains("<span>USD ") && !all.contains("<span>JPY "), "{all}");
    let one = page("currency=JPY", &["USD", "JPY", "USD"]);
    assert!(one.contains("0 active, 1 paused") && one.contains("37 in the last 7 days"), "{one}");
    assert!(one.contains("In JPY") && !one.contains("In USD") && !one.contains("<span>USD"), "{one}");
    assert!(one.contains("<option value=\"JPY\" selected>JPY</option>") && one.contains(">USD</option>"), "{one}");
    assert!(!page("", &["USD", "USD"]).contains("filter-currency"), "one currency is no choice");
    let together = "EUR in the last 7 days without JPY: <a href=\"/dashboard/settings#rates\">set its rate</a></p>";
    assert!(all.contains("<p class=\"together\">≈ 7.00 EUR") && all.contains(together), "{all}");
    assert!(one.contains("No total in EUR yet: <a"), "{one}");
    let folded = "<details><summary>1 other currency</summary></details>";
    assert!(all.contains(folded) && !one.contains("other currency"), "{all}");
}

#[test]
fn a_filter_has_its_own_totals_over_all_pages() {
    let rows = || -> Vec<CampaignRow> {
        let row = |number: usize| {
            let mut row = campaign(if number < 40 { "Spring" } else { "Winter" }, number);
            row.numbers.spend.week = whole(7);
            row.campaign.currency = Currency::from_code(if number % 4 == 3 { "JPY" } else { "USD" }).unwrap();
            row
        };
        (0..60).map(row).collect()
    };
    let account = |code: &str| AccountState {
        currency: Currency::from_code(code),
        spend: Some(RecentSpend { week: whole(500), ..RecentSpend::default() }),
        read_at: Some(now()),
        numbers_at: Some(now()),
        ..AccountState::default()
    };
    let page = |query: &str| {
        let accounts = ["USD", "JPY"].map(account).to_vec();
        let overview = Overview { rows: rows(), accounts, now: now(), ..Overview::default() };
        super::page(Layout::signed_out("Campaigns"), overview, rows(), view(&Filter::of(&pairs(Some(query))))).render()
    };
    let all = page("").unwrap();
    assert!(all.contains(">60 campaigns<br><span class=\"fine\">45 in USD</span>"), "{all}");
    assert!(all.contains("<td>315.00</td>"), "{all}");
    assert!(all.contains("500.00 in the last 7 days, with deleted campaigns"), "the ad accounts: {all}");
    let some = page("q=spring&cols=week").unwrap();
    let total =
        "<tr class=\"sum\"><td></td><th scope=\"row\">40 campaigns that match<br><span class=\"fine\">30 in USD</span>";
    assert!(some.contains(total) && some.contains("<td data-label=\"Spend, 7 days\">210.00</td>"), "{some}");
    let other = "q=spring&#38;currency=JPY&#38;cols=week\">10 in JPY</a>";
    assert!(some.contains("<details><summary>1 other currency</summary></details>") && some.contains(other), "{some}");
    assert!(some.contains("0 active, 40 paused") && !some.contains("500.00"), "not those of the ad accounts: {some}");
    assert!(some.contains("1–25 of 40") && !some.contains("data-label=\"Clicks\""), "{some}");
}

#[test]
fn many_columns_stand_in_a_table_that_is_scrolled() {
    let all =
        rendered("Spring", 2, "cols=budget.today.pace.week.impressions.clicks.ctr.cpc.conversions.cost.roas.days");
    assert!(
        all.contains("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Campaigns\"><table"),
        "{all}"
    );
    for column in ["Impressions", "CTR", "Conversions", "Cost per conversion", "ROAS"] {
        assert!(all.contains(&format!("<td data-label=\"{column}\">–</td>")), "{column}: {all}");
    }
    assert_eq!((all.matches("<th scope=\"col\"").count(), all.contains("A dash means")), (16, true));
    assert!(!rendered("Spring", 2, "").contains("class=\"scroll\""));
}

#[test]
fn the_list_of_a_user_keeps_it_and_pauses_nothing_of_others() {
    let page = rendered("Spring", 60, "external_ref=shop42&status=PAUSED");
    for text in [
        "href=\"/dashboard/users/one?external_ref=shop42\">User <bdi>shop42</bdi>",
        "<input type=\"hidden\" name=\"external_ref\" value=\"shop42\">",
        "status=PAUSED&#38;external_ref=shop42&#38;page=2\" rel=\"next\"",
        "name=\"list\" value=\"status=PAUSED&#38;external_ref=shop42\"",
        "/dashboard/campaigns/csv?status=PAUSED&#38;external_ref=shop42",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("pause-all"), "{page}");
    let all = rendered("Spring", 3, "");
    assert!(all.contains("pause-all") && !all.contains("external_ref"), "{all}");
    assert!(rendered("Spring", 0, "external_ref=shop42").contains("No campaigns match these filters."));
}

#[test]
fn what_people_write_is_escaped() {
    assert!(!rendered(HOSTILE, 2, "").contains("<script>alert"));
}

#[test]
fn what_spends_too_fast_says_by_how_much_and_can_be_filtered() {
    let rows = || -> Vec<CampaignRow> {
        let fast = |(number, spent): (usize, i64)| {
            let mut row = campaign(&format!("Spent {spent}"), number);
            row.campaign.status = CampaignStatus::Active;
            row.numbers.spend.today = whole(spent);
            row
        };
        [12, 25, 46].into_iter().enumerate().map(fast).collect()
    };
    let page = |query: &str| {
        let filter = Filter::of(&pairs(Some(query)));
        let overview = Overview { rows: rows(), accounts: vec![AccountState::default()], ..Overview::default() };
        super::page(Layout::signed_out("Campaigns"), overview, rows(), view(&filter)).render().unwrap()
    };
    let fast = page("status=TOO_FAST");
    assert!(fast.contains("<span class=\"fast\">184%<progress max=\"100\" value=\"100\""), "{fast}");
    assert!(fast.contains("1–1 of 1") && fast.contains("<details class=\"fold\">"), "closed again: {fast}");
    assert!(fast.contains("Spending too fast</bdi>"), "the chip says what is set: {fast}");
    let all = page("sort=-pace");
    assert!(all.find("Spent 46") < all.find("Spent 25") && all.find("Spent 25") < all.find("Spent 12"), "{all}");
    assert!(all.contains("<option value=\"-pace\" selected>Pace: highest first</option>"), "without headings: {all}");
}

#[test]
fn a_budget_is_changed_in_its_row() {
    let filter = Filter::of(&pairs(Some("status=PAUSED&sort=name")));
    let rows: Vec<CampaignRow> = (0..2).map(|number| campaign("Spring", number)).collect();
    let id = rows[1].campaign.id.to_string();
    let overview = Overview { rows: rows.clone(), accounts: vec![AccountState::default()], ..Overview::default() };
    let open = View { edit: Some(&id), ..view(&filter) };
    let page = super::page(Layout::signed_out("Campaigns"), overview, rows, open).render().unwrap();
    assert_eq!(page.matches("id=\"budget_amount\"").count(), 1, "{page}");
    assert!(page.contains("name=\"back\" value=\"list\"") && !page.contains("value=\"months\""), "{page}");
    for text in [
        "<label for=\"budget_amount\">Budget of <bdi>Spring</bdi>, USD a day</label>",
        "name=\"was_budget_amount\" value=\"25.00\"",
        "name=\"list\" value=\"status=PAUSED&#38;sort=name\"",
        "aria-label=\"Budget 25.00 of Spring: change\"",
        "<form id=\"edit\" method=\"get\" action=\"/dashboard/campaigns\"><input type=\"hidden\" name=\"status\" value=\"PAUSED\">",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn a_form_that_was_opened_in_the_months_leads_back_there() {
    let filter = Filter::of(&pairs(Some("q=Spring&external_ref=shop42")));
    let rows = vec![campaign("Spring", 1)];
    let id = rows[0].campaign.id.to_string();
    let overview = Overview { rows: rows.clone(), accounts: vec![AccountState::default()], ..Overview::default() };
    let open = View { edit: Some(&id), origin: Some(Origin::Months), ..view(&filter) };
    let page = super::page(Layout::signed_out("Campaigns"), overview, rows, open).render().unwrap();
    assert!(page.contains("name=\"back\" value=\"months\""), "{page}");
    assert!(page.contains(&format!("href=\"/dashboard/months?external_ref=shop42#c-{id}\">Cancel")), "{page}");
}

#[test]
fn a_form_below_its_row_moves_no_column() {
    let filter = Filter::of(&[]);
    let rows: Vec<CampaignRow> = (0..2).map(|number| campaign("Spring", number)).collect();
    let id = rows[1].campaign.id.to_string();
    let overview = Overview { rows: rows.clone(), accounts: vec![AccountState::default()], ..Overview::default() };
    let open = View { edit: Some(&id), ..view(&filter) };
    let page = super::page(Layout::signed_out("Campaigns"), overview, rows, open).render().unwrap();
    let columns = page.matches("<th scope=\"col\"").count();
    // A script that goes on from the form of another row takes the row by its id.
    let editor = format!("<tr class=\"editor\" id=\"edit-{id}\">");
    let form = format!("</tr>\n{editor}<td colspan=\"{columns}\"><form method=\"post\"");
    let (above, _) = page.split_once(&form).unwrap_or_else(|| panic!("no form: {page}"));
    let row = above.rsplit("<tr ").next().unwrap();
    assert!(row.starts_with(&format!("id=\"c-{id}\"")) && row.contains("class=\"amount\""), "its row: {row}");
    assert_eq!(page.matches("class=\"editor\"").count(), 1, "{page}");
}

#[test]
fn the_order_is_said_in_words_at_its_heading() {
    for (query, first) in
        [("", "highest first"), ("sort=week", "lowest first"), ("sort=name", "A to Z"), ("sort=-name", "Z to A")]
    {
        let page = rendered("Spring", 2, query);
        let head = page.split("<thead>").nth(1).and_then(|rest| rest.split("</thead>").next()).unwrap();
        assert_eq!(head.matches("<small>").count(), 1, "{head}");
        let sorted = head.split("aria-sort=\"").nth(1).and_then(|rest| rest.split("</th>").next()).unwrap();
        let direction = if query.contains('-') || query.is_empty() { "descending" } else { "ascending" };
        assert!(
            sorted.starts_with(direction) && sorted.ends_with(&format!(" <small>{first}</small></a>")),
            "{query}: {sorted}"
        );
    }
}

#[test]
fn the_bar_can_add_up_the_budgets_of_what_is_ticked() {
    let page = rendered("Spring", 1, "");
    let sum = "data-amount=\"25000000 2 USD a day\"";
    assert!(page.contains(&format!("aria-label=\"Tick Spring\" {sum}>")), "{page}");
    for part in ["data-ticked=\"bulk\"", "data-sum=\"bulk\"", "data-names=\"bulk\""] {
        assert_eq!(page.matches(part).count(), 1, "{part}: {page}");
    }
}

#[test]
fn the_search_has_a_button_and_the_keys_have_one() {
    let page = rendered("Spring", 1, "");
    assert!(page.contains("maxlength=\"255\"><button class=\"quiet\">Search</button>"), "{page}");
    assert!(page.contains("data-keys data-script hidden>Keyboard</button>"), "only with the script: {page}");
}

#[test]
fn what_a_failed_form_had_ticked_stays_ticked() {
    let filter = Filter::of(&[]);
    let rows: Vec<CampaignRow> = (0..2).map(|number| campaign("Spring", number)).collect();
    let id = rows[1].campaign.id.to_string();
    let overview = Overview { rows: rows.clone(), accounts: vec![AccountState::default()], ..Overview::default() };
    let ticked = View { ticked: vec![&id], ..view(&filter) };
    let page = super::page(Layout::signed_out("Campaigns"), overview, rows, ticked).render().unwrap();
    assert_eq!(page.matches(" checked aria-label=\"Tick").count(), 1, "{page}");
    assert!(page.contains(&format!("value=\"{id}\" checked")), "{page}");
}

#[test]
fn a_row_that_was_refused_is_told_at_its_field() {
    let filter = Filter::of(&[]);
    let rows: Vec<CampaignRow> = (0..2).map(|number| campaign("Spring", number)).collect();
    let id = rows[1].campaign.id.to_string();
    let values = vec![("id".to_owned(), id.clone()), ("budget_amount".to_owned(), "0.5".to_owned())];
    let notice = Notice { message: "Meta refused it.".to_owned(), values, ..Notice::default() };
    let overview = Overview { rows: rows.clone(), accounts: vec![AccountState::default()], ..Overview::default() };
    let open = View { edit: edit::opened(&[], Some(&notice)), ..view(&filter) };
    let layout = Layout { notice: Some(notice.clone()), ..Layout::signed_out("Campaigns") };
    let page = super::page(layout, overview, rows, open).render().unwrap();
    for text in [
        format!("<tr id=\"c-{id}\" class=\"wrong\">"),
        "value=\"0.5\" autofocus aria-describedby=\"budget_amount-error\" aria-invalid=\"true\"".to_owned(),
        "id=\"budget_amount-error\">Meta refused it.</p>".to_owned(),
    ] {
        assert!(page.contains(&text), "{text}: {page}");
    }
    assert_eq!(page.matches("class=\"wrong\"").count(), 1, "{page}");
}

#[test]
fn what_is_on_its_way_stands_beside_its_value() {
    let mut row = campaign("Spring", 1);
    row.campaign.status = CampaignStatus::Active;
    row.on_its_way.status = Some("pause on its way".to_owned());
    row.on_its_way.budget = Some("60.00 USD on its way".to_owned());
    row.as_of = "2026-11-23T02:58:00Z".parse().ok();
    let filter = Filter::of(&[]);
    let overview = Overview { rows: vec![row.clone()], accounts: vec![AccountState::default()], ..Overview::default() };
    let page = super::page(Layout::signed_out("Campaigns"), overview, vec![row], view(&filter)).render().unwrap();
    for text in [
        "<span class=\"badge good\">Active</span><small>pause on its way</small>",
        "<small> a day</small></button><small>60.00 USD on its way</small>",
        &format!(" · {}</small></th>", as_of("2026-11-23T02:58:00Z".parse().unwrap(), now())),
        ">Pause</button>",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn the_actions_stand_before_the_rows_and_need_no_choice() {
    let page = rendered("Spring", 3, "sort=name");
    let bar = page.split("<form id=\"bulk\"").nth(1).and_then(|rest| rest.split("</form>").next()).unwrap();
    assert!(!bar.contains("<select"), "{bar}");
    for text in [">Pause</button>", ">Activate</button>", ">Change budgets</button>", "href=\"#pause\""] {
        assert!(bar.contains(text), "{text}: {bar}");
    }
    assert!(
        bar.find("<button disabled hidden>") < bar.find("id=\"pause\""),
        "Enter in a box presses the first button, which does nothing: {bar}"
    );
    assert!(page.find("<form id=\"bulk\"") < page.find("<table class=\"list usual trend\">"), "{page}");
}

#[test]
fn the_file_is_the_table_of_the_page_with_its_bounds() {
    let row = |name: &str, today: Total, number: usize| {
        let mut row = CampaignRow { connection: "conn_1".to_owned(), ..campaign(name, number) };
        row.campaign.name = name.to_owned();
        row.numbers.spend.today = today;
        row
    };
    let rows = vec![
        row("=A", whole(12), 1),
        row("B", whole(1_500).lower_bound(), 2),
        row("C", Total::UNKNOWN, 3),
        row("Other", whole(1), 4),
    ];
    let account = AccountState {
        connection: "conn_1".to_owned(),
        name: "Meta: Harbour (77)".to_owned(),
        read_at: "2026-11-23T11:59:00Z".parse().ok(),
        numbers_problem: Some("Meta did not answer.".to_owned()),
        ..AccountState::default()
    };
    let overview = || Overview { rows: rows.clone(), accounts: vec![account.clone()], ..Overview::default() };
    let file = |query: &str| {
        let csv = export::table(&Filter::of(&pairs(Some(query))), overview(), rows.clone(), now());
        csv.text().lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let end = |bounds: &str| format!(",2026-11-23T11:59:00Z,{bounds},its numbers did not come");
    let all = file("sort=-today");
    assert!(all[0].starts_with("B,beta_") && all[0].contains(",25.00,a day,1500.00,6000,"), "{all:?}");
    assert!(
        all[0].ends_with(&end("Spend today")) && all[1].starts_with("'=A,") && all[1].ends_with(&end("")),
        "{all:?}"
    );
    assert!(all[3].contains(",a day,,,,"), "what is not known is empty: {all:?}");
    assert_eq!((file("q=other").len(), file("q=harbour").len(), file("currency=JPY").len()), (1, 4, 0));
}

#[test]
fn a_spent_month_says_when_its_campaign_goes_on() {
    let mut row = campaign("Spring", 1);
    row.campaign.is_month_spent = true;
    row.campaign.monthly = Some(MonthSpend {
        amount: Decimal::from(3_000),
        spent: Decimal::from(2_990),
        remaining: Decimal::TEN,
        daily_now: Decimal::TEN,
        month: Month::of(date(2026, 11, 1)),
        is_halted: false,
        ledger: ledger(20, "2990"),
        due_at: Timestamp::MAX,
    });
    let filter = Filter::of(&[]);
    let page = |row: &CampaignRow, goes_on| {
        let overview =
            Overview { rows: vec![row.clone()], accounts: vec![AccountState::default()], ..Overview::default() };
        let view = View { goes_on, ..view(&filter) };
        super::page(Layout::signed_out("Campaigns"), overview, vec![row.clone()], view).render().unwrap()
    };
    let at = "2026-12-01T00:00:00Z".parse().unwrap();
    let resumption = Resumption { at };
    let waits = page(&row, GoingOn::from([(row.campaign.id.clone(), resumption)]));
    assert!(waits.contains("<span class=\"badge warn\">Month spent</span><small>Restarts 1 Dec</small>"), "{waits}");
    let canceled = page(&row, GoingOn::new());
    assert!(canceled.contains(">Month spent</span>") && !canceled.contains("Restarts 1 Dec"), "{canceled}");
    let month = row.campaign.monthly.unwrap();
    let amount = Decimal::from(15_000);
    row.campaign.monthly = Some(MonthSpend { amount, due_at: Timestamp::MIN, ..month });
    let raised = page(&row, GoingOn::from([(row.campaign.id.clone(), resumption)]));
    assert!(raised.contains("<span class=\"badge good\">Restarts within minutes</span>"), "{raised}");
    row.campaign.monthly = Some(MonthSpend { amount: Decimal::from(3_100), due_at: Timestamp::MIN, ..month });
    let near = page(&row, GoingOn::from([(row.campaign.id.clone(), resumption)]));
    assert!(
        near.contains("<span class=\"badge warn\">Month spent</span><small>Restarts 1 Dec</small>"),
        "it does not: {near}"
    );
    let id = row.campaign.id.to_string();
    let form = |need| {
        let goes_on = GoingOn::from([(row.campaign.id.clone(), resumption)]);
        let view = View { need, edit: Some(id.as_str()), goes_on, ..view(&filter) };
        let overview =
            Overview { rows: vec![row.clone()], accounts: vec![AccountState::default()], ..Overview::default() };
        super::page(Layout::signed_out("Campaigns"), overview, vec![row.clone()], view).render().unwrap()
    };
    let advice = "5,893.90 USD a month restarts it today.";
    let need = |is_filled| Some(Need { amount: Decimal::new(58_939, 1), is_filled });
    let (advised, filled) = (form(need(false)), form(need(true)));
    let link = format!("edit={id}&#38;need=5893.9&#38;fill=yes#budget_amount\">Use 5,893.90</a>");
    assert!(advised.contains(advice) && advised.contains(&link), "{advised}");
    assert!(filled.contains("value=\"5893.90\" autofocus") && filled.contains(advice), "{filled}");
    assert!(!filled.contains("fill=yes") && !form(None).contains("restarts it today"), "{filled}");
}
