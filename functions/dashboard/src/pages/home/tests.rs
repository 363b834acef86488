//! The page of a full account: what comes first, what it weighs, and what people have written.

use super::months::MonthRow;
use super::since_yesterday::{Group, Large, Leap};
use super::*;
use crate::client::readings::{AccountState, CampaignRow, RecentNumbers, RecentSpend};
use crate::kit::assets;
use crate::kit::campaign::CampaignSummary;
use crate::kit::campaign::tests::campaign;
use crate::kit::changes::sample::{change, now};
use crate::kit::together::tests::euros;
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::{Action, CampaignStatus, ChangeState, Currency, Platform};

const HOSTILE: &str = "<script>alert('\"')</script>";
/// Most bytes of a page with its stylesheet and its script, as they are sent.
const MAX_BYTES: usize = 60_000;

fn spend(amount: i64) -> RecentSpend {
    let whole = Total::of(Some(Decimal::from(amount)));
    RecentSpend { today: whole, week: whole, week_before: whole }
}

/// An account with so many campaigns, all too fast, in seven currencies, and one platform that does not answer.
fn overview(text: &str, count: usize) -> Overview {
    let codes = ["USD", "EUR", "JPY", "GBP", "CHF", "SEK", "CAD"].into_iter().cycle();
    let row = |(number, code): (usize, &str)| {
        let summary = campaign(&format!("alpha_1_{number}"), CampaignStatus::Active);
        let currency = Currency::from_code(code).unwrap();
        let numbers = RecentNumbers { spend: spend(1_234_567), ..RecentNumbers::UNKNOWN };
        let summary = CampaignSummary { name: text.to_owned(), currency, ..summary };
        CampaignRow { numbers, account: text.to_owned(), ..CampaignRow::without_numbers(summary) }
    };
    let account = |code: &str| AccountState {
        currency: Currency::from_code(code),
        spend: Some(spend(1_234_567)),
        has_numbers: true,
        ..AccountState::default()
    };
    let failing = |number: usize| AccountState {
        name: format!("TikTok: {text} {number}"),
        platform: Some(Platform::Gamma),
        problem: Some(format!("TikTok says: {text}")),
        currency: Currency::from_code("USD"),
        spend: Some(spend(1)),
        ..AccountState::default()
    };
    let accounts = codes.clone().take(7).map(account).chain((0..18).map(failing)).collect();
    Overview { rows: (0..count).zip(codes).map(row).collect(), accounts, now: now(), ..Overview::default() }
}

fn group(text: &str) -> Group {
    Group {
        name: text.to_owned(),
        kind: " (API key)",
        sums: vec!["+4,275.00 USD a day".to_owned()],
        counts: "57 changes of 19 campaigns".to_owned(),
        large: None,
        leap: Some(Leap { mark: "11 times the budget".to_owned(), campaigns: text.to_owned() }),
        stopped: None,
        asides: Vec::new(),
        detail: ("Activity", "/dashboard/activity?api_key_id=key_1".to_owned()),
        stop: Some(("Stop or revert", "/dashboard/keys/one?id=key_1".to_owned())),
    }
}

/// Only the first group has added much.
fn large(number: usize) -> Option<Large> {
    let words = "4,275.00 USD a day in 19 campaigns since \u{2063}1 Dec 2026, 08:10 UTC".to_owned();
    (number == 0).then(|| Large { words, sum: "4,275.00 USD a day".to_owned() })
}

fn month_rows(text: &str) -> Vec<MonthRow> {
    let row = |_| MonthRow {
        name: text.to_owned(),
        path: "/dashboard/campaigns/one?id=beta_1_1".to_owned(),
        platform: "Meta",
        account: text.to_owned(),
        verdict: "Over: ends at about 2,900.00 of 1,000.00 USD".to_owned(),
        tone: "over",
        edit: "/dashboard/campaigns?edit=beta_1_1&q=Spring&back=home&need=2900#budget_amount".to_owned(),
        until: Some("Paused until 1 Dec".to_owned()),
        why: None,
    };
    (0..3).map(row).collect()
}

fn rendered(text: &str) -> String {
    // One more in dollars than in any other currency.
    let overview = overview(text, 64);
    let waits = Change { state: ChangeState::AwaitingApproval, ..change(Action::Delete) };
    let waiting = crate::kit::changes::rows(&vec![waits; MAX_WAITING], now());
    let progress = Progress { is_connected: true, has_campaign: true, has_run: true };
    let page = HomePage {
        layout: Layout { account: Some(text.to_owned()), current: HOME, ..Layout::signed_out("Home") },
        viewer: None,
        numbers: Some(HomeNumbers::new(&overview, 1, &BTreeSet::new(), now())),
        together: overview.together(Some(&euros(&[("USD", "0.5")]))),
        months: Some(Months {
            title: "November: 2 campaigns over, 2 behind".to_owned(),
            counts: "2 campaigns over, 2 behind".to_owned(),
            rows: month_rows(text),
            more: 1,
        }),
        waiting,
        more_waiting: 3,
        is_recent: false,
        overdue: Vec::new(),
        more_overdue: 0,
        is_started: progress.is_over(),
        steps: steps(progress, &overview),
        paused_all: None,
        trouble: trouble::sentences(&overview.accounts, &[("conn_1", Platform::Beta)], now()),
        too_fast: TooFast::of(&overview, &[]),
        since_yesterday: Some(Ok(SinceYesterday {
            since: "30 Nov 2026, 00:00 UTC".to_owned(),
            groups: (0..5).map(|number| Group { large: large(number), ..group(text) }).collect(),
            all: Some(7),
            is_cut: true,
        })),
        overview,
        webhooks: Vec::new(),
    };
    page.render().unwrap()
}

#[test]
fn what_needs_a_person_comes_first_and_then_the_numbers() {
    let page = rendered("Spring sale");
    let places = ["large-1", "waiting", "trouble", "too-fast", "numbers", "months", "since", "top"].map(|part| {
        page.find(&format!("<section aria-labelledby=\"{part}\"")).unwrap_or_else(|| panic!("no {part}: {page}"))
    });
    assert!(places.is_sorted(), "{places:?}");
    assert!(!page.contains("id=\"start\"") && !page.contains("requests are used"), "{page}");
    assert!(
        page.contains("<p>TikTok did not answer; its campaigns are missing. 1 Meta account needs attention. <a href"),
        "{page}"
    );
    let trouble =
        page.split("<section aria-labelledby=\"trouble\"").nth(1).and_then(|rest| rest.split("</section>").next());
    assert_eq!(trouble.map(|line| line.matches("TikTok").count()), Some(1), "one line for all of its accounts: {page}");
    assert!(page.contains(">1 broken</a>"), "{page}");
}

#[test]
fn a_key_that_adds_much_is_stopped_from_the_top_of_the_page() {
    let page = rendered("Spring sale");
    let part = page.split("id=\"large-1\">").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap();
    assert!(part.starts_with("<bdi>Spring sale</bdi> raised your budgets a lot</h2>"), "{part}");
    assert!(part.contains("<p>Still running: at least 4,275.00 USD a day in 19 campaigns"), "{part}");
    assert!(part.contains("class=\"button\" href=\"/dashboard/keys/one?id=key_1\">Stop or revert<span"), "{part}");
    assert_eq!((page.matches("id=\"large-").count(), page.matches(">Large</span>").count()), (1, 1), "{page}");
    assert!(
        page.contains("<strong class=\"fast\">+4,275.00 USD a day</strong> <span class=\"badge warn\">Large"),
        "{page}"
    );
}

#[test]
fn a_phone_begins_with_what_needs_a_person() {
    let page = rendered("Spring sale");
    let (before, first) = page.split_once("<ul class=\"chips narrow\"").unwrap();
    assert!(!before.contains("<section"), "{before}");
    let chips = first.split("</ul>").next().unwrap();
    let chip = |part: &str, words: &str| format!("href=\"#{part}\"><bdi>{words}</bdi></a>");
    for (part, words) in [
        ("large-1", "Spring sale: +4,275.00 USD a day"),
        ("waiting", "6 approvals"),
        ("trouble", "Connections"),
        ("too-fast", "64 too fast"),
        ("months", "2 campaigns over, 2 behind"),
    ] {
        assert!(chips.contains(&chip(part, words)), "{words}: {chips}");
        assert!(page.contains(&format!("<h2 id=\"{part}\"")), "the link leads to a part of the page: {part}");
    }
}

#[test]
fn what_spends_too_fast_is_lowered_and_paused_from_here() {
    let page = rendered("Spring sale");
    let part = page.split("id=\"too-fast\"").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap();
    for text in [
        "href=\"/dashboard/campaigns?edit=alpha_1_0&#38;q=Spring%20sale&#38;back=home#budget_amount\">Lower<span",
        "<button form=\"too-fast-rows\" class=\"quiet\" name=\"pause\" value=\"alpha_1_0\"",
        "action=\"/dashboard/campaigns/change\"><input type=\"hidden\" name=\"back\" value=\"home\"></form>",
    ] {
        assert!(part.contains(text), "{text}: {part}");
    }
    let seen = crate::kit::viewer::without_forms(&page);
    assert!(seen.contains("id=\"too-fast\"") && !seen.contains("Lower") && !seen.contains("name=\"pause\""), "{seen}");
}

#[test]
fn an_account_without_a_campaign_has_its_steps_and_nothing_else() {
    let page = |is_connected| {
        let overview = Overview { now: now(), ..Overview::default() };
        let progress = Progress { is_connected, has_campaign: false, has_run: false };
        let page = HomePage {
            layout: Layout { account: Some("Ada".to_owned()), current: HOME, ..Layout::signed_out("Home") },
            steps: steps(progress, &overview),
            is_started: progress.is_over(),
            viewer: None,
            numbers: None,
            overview,
            together: None,
            waiting: Vec::new(),
            more_waiting: 0,
            is_recent: true,
            months: None,
            overdue: Vec::new(),
            more_overdue: 0,
            paused_all: None,
            trouble: Vec::new(),
            too_fast: None,
            since_yesterday: None,
            webhooks: Vec::new(),
        };
        page.render().unwrap()
    };
    for (is_connected, done, next) in [(false, 0, "/dashboard/connections"), (true, 1, "/dashboard/campaigns/new")] {
        let page = page(is_connected);
        assert_eq!(
            (page.matches("<section").count(), page.matches("<li class=\"done\">").count()),
            (1, done),
            "{page}"
        );
        let steps = page.split("<ol class=\"steps\">").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap();
        assert_eq!((steps.matches("<li").count(), steps.matches("class=\"button\"").count()), (3, 1), "{steps}");
        assert!(
            steps.contains(&format!("class=\"button\" href=\"{next}\"")) && !steps.contains("</ol>\n<p"),
            "{steps}"
        );
    }
}

#[test]
fn a_full_page_is_small_and_has_one_filled_button() {
    let page = rendered("Spring sale, all of Europe");
    let bytes = page.len() + assets::sent_bytes();
    assert!(bytes <= MAX_BYTES, "{bytes}");
    let filled = page.matches("class=\"button\"").count() + page.matches("<button>").count();
    assert_eq!(filled, 1, "{page}");
}

#[test]
fn the_currency_of_most_spend_is_shown_and_the_others_are_folded() {
    let page = rendered("Spring sale");
    let tiles = page.split("<ul class=\"tiles\">").nth(1).and_then(|rest| rest.split("</ul>").next()).unwrap();
    assert_eq!(tiles.matches("Spend today").count(), 1, "{tiles}");
    assert!(
        tiles.contains(
            "<strong class=\"figure\">at least 1,234,585.00 USD</strong><span class=\"fine\">without TikTok</span>"
        ),
        "{tiles}"
    );
    assert!(page.contains("<details><summary>6 more currencies</summary>"), "{page}");
    assert!(page.contains("<th scope=\"row\">JPY</th>"), "{page}");
    let together = "<p class=\"together\">at least 1,851,859.50 EUR today, at least 1,851,859.50 EUR in the last \
                    7 days without CAD, CHF, GBP, JPY and SEK: <a href=\"/dashboard/settings#rates\">set their rates</a></p>";
    assert!(page.contains(together), "{page}");
    let red = page.matches("class=\"alert\"").count();
    assert_eq!(red, 0, "nothing here has to be mended now: {page}");
}

#[test]
fn what_people_write_is_escaped() {
    let page = rendered(HOSTILE);
    assert!(page.contains("&#60;script&#62;") && !page.contains("<script>alert"), "{page}");
}
