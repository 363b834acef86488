//! Tests of the pages of users.

use super::limit::LimitPage;
use super::one::{UserPage, page};
use super::*;
use crate::client::accounts::Connection;
use crate::client::api::Refusal;
use crate::client::readings::Overview;
use crate::client::readings::tests::{SampleAccount, overview};
use crate::kit::campaign::CampaignSummary;
use crate::kit::campaign::tests::campaign;
use crate::kit::changes::{ChangeRow, rows};
use crate::kit::connections::tests::connection;
use crate::kit::limit::LimitForm;
use jiff::Timestamp;
use shared::domain::erasure::ErasureStep;
use shared::domain::spending::{ApprovalRule, CurrencyLimit, Spender};
use shared::domain::users::PauseProgress;
use shared::domain::{
    CampaignChanges, CampaignStatus, ChangeState, ConnectionStatus, Currency, Erasure, ExternalRef, KeyId, Platform,
    Requester, Spending, SpendingLimit,
};
use shared::envelope::UserDetails;

const HOSTILE: &str = "<script>alert('\"')</script>";

fn now() -> Timestamp {
    "2026-12-01T09:00:00Z".parse().unwrap()
}

fn shop() -> ExternalRef {
    ExternalRef::parse("shop:42").unwrap()
}

fn limit() -> SpendingLimit {
    let currency = Currency::from_code("USD").unwrap();
    let daily = CurrencyLimit { currency, daily: 500.into(), lifetime: 0.into(), per_change: None };
    let approval = Some(ApprovalRule { activation: true, amounts: Vec::new() });
    SpendingLimit { amounts: vec![daily], creates_per_day: 20, approval, ..SpendingLimit::zero() }
}

fn user(label: Option<&str>, spending: Option<Spending>) -> User {
    User { external_ref: shop(), label: label.map(str::to_owned), spending, erasure: None }
}

fn spending(limit: Option<SpendingLimit>, stopped_at: Option<Timestamp>) -> Option<Spending> {
    Some(Spending { limit, stopped_at, ..Spending::none(Spender::User(shop())) })
}

fn details(user: User, pause: Option<PauseProgress>) -> UserDetails {
    let connections = vec![connection("conn_1", Platform::Alpha, ConnectionStatus::Revoked)];
    UserDetails { user, pause, connections, connections_count: 3, waiting: (2, 0) }
}

/// Campaigns in one ad account: 12 that run, with a name that somebody has typed, and one that is paused.
fn running(name: &str) -> Overview {
    let summary = |number: usize| CampaignSummary {
        name: name.to_owned(),
        ..campaign(
            &format!("alpha_77_{number}"),
            if number == 0 { CampaignStatus::Paused } else { CampaignStatus::Active },
        )
    };
    let account = SampleAccount {
        connection: Connection::from(connection("conn_1", Platform::Alpha, ConnectionStatus::Active)),
        campaigns: (0..13).map(summary).collect(),
        rows: Some(Vec::new()),
        is_cut: false,
    };
    overview(&[account], now())
}

fn rendered(details: UserDetails, overview: Result<Overview, Refusal>, waiting: (Vec<ChangeRow>, usize)) -> String {
    let layout = Layout::signed_out("User shop:42");
    page(layout, details, overview, waiting, true, now()).render().unwrap()
}

fn contains(page: &str, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn a_user_has_its_limit_what_runs_and_what_waits() {
    let mut change = crate::kit::changes::sample::update(CampaignChanges::default());
    change.state = ChangeState::AwaitingApproval;
    let waiting = rows(std::slice::from_ref(&change), now());
    let known = details(user(Some("Corner shop"), spending(Some(limit()), None)), None);
    let page = rendered(known, Ok(running("Spring")), (waiting, 4));
    contains(
        &page,
        &[
            "<h1>User <bdi>shop:42</bdi></h1>",
            "<bdi>Corner shop</bdi>",
            "May run up to 500.00 USD a day; a person approves every activation.",
            "0.00 of 500.00 USD, 500.00 left",
            "0 of 20 campaigns created today",
            "href=\"/dashboard/users/limit?external_ref=shop%3A42\">Change or remove the limit",
            "href=\"/dashboard/campaigns?external_ref=shop%3A42&#38;status=ACTIVE\">See all running</a>: 2 more",
            "href=\"/dashboard/approvals?external_ref=shop%3A42\">4 more wait for approval",
            "href=\"/dashboard/activity?external_ref=shop%3A42&#38;state=scheduled\">2 scheduled changes",
            ">Review",
            "Account of conn_1",
            "Google Ads ended our access.",
            "2 more are on the page Connections.",
            "Pause <bdi>shop:42</bdi>",
        ],
    );
    for list in ["campaigns", "approvals", "activity", "insights", "usage"] {
        assert!(page.contains(&format!("href=\"/dashboard/{list}?external_ref=shop%3A42\"")), "{list}: {page}");
    }
    assert_eq!(page.matches("<bdi>Spring</bdi>").count(), 10, "{page}");
    assert!(!page.contains("Resume") && !page.contains("What counts"), "{page}");
}

#[test]
fn a_user_without_anything_says_so() {
    let none = UserDetails {
        connections: Vec::new(),
        connections_count: 0,
        waiting: (0, 0),
        ..details(user(None, None), None)
    };
    let page = rendered(none, Ok(Overview::default()), (Vec::new(), 0));
    contains(
        &page,
        &[
            "No limit. Only the limits of API keys apply.",
            "Set a limit",
            "no ad account of this user is connected",
            "Nothing is waiting for approval for this user.",
            "None is connected.",
            "Not paused.",
        ],
    );
    let layout = Layout::signed_out("Users");
    let refusal = Refusal {
        status: 500,
        message: "Try again in a minute.".to_owned(),
        details: Vec::new(),
        reason: None,
        request_id: "req".to_owned(),
    };
    let unknown = page_of(layout, Err(refusal));
    contains(&unknown, &["What runs cannot be shown now.", "Try again in a minute.", "Account of conn_1"]);
}

fn page_of(layout: Layout, overview: Result<Overview, Refusal>) -> String {
    let shown: UserPage = page(layout, details(user(None, None), None), overview, (Vec::new(), 0), false, now());
    shown.render().unwrap()
}

#[test]
fn a_pause_says_how_far_it_is_and_resumes_after_a_recent_sign_in() {
    let progress = PauseProgress { campaigns: 3, paused: 2, is_refused: true, ..PauseProgress::default() };
    let paused = || details(user(None, spending(None, Some(now()))), Some(progress.clone()));
    let recent = rendered(paused(), Ok(Overview::default()), (Vec::new(), 0));
    contains(
        &recent,
        &[
            "Paused</span> since 1 Dec 2026, 09:00 UTC. 2 of 3 campaigns paused; the rest is not paused",
            "<a href=\"/dashboard/activity?external_ref=shop%3A42\">activity</a>",
            "Pause the rest of <bdi>shop:42</bdi> again",
            "action=\"/dashboard/users/resume\"",
            "<input type=\"hidden\" name=\"external_ref\" value=\"shop:42\">",
        ],
    );
    let layout = Layout::signed_out("User");
    let old = page(layout, paused(), Ok(Overview::default()), (Vec::new(), 0), false, now()).render().unwrap();
    contains(&old, &["Sign in again to resume", "return_to=%2Fdashboard%2Fusers%2Fone%3Fexternal_ref%3Dshop%253A42"]);
    assert!(!old.contains("action=\"/dashboard/users/resume\""), "{old}");
}

fn erased(step: ErasureStep, leave_running: bool) -> User {
    let by = Requester::ApiKey { id: KeyId::default_key(), name: String::new() };
    let erasure = Erasure::new(by, now(), leave_running).at(step);
    User { erasure: Some(erasure), ..user(None, spending(Some(limit()), Some(now()))) }
}

fn aged(details: UserDetails, is_recent: bool) -> String {
    let layout = Layout::signed_out("User shop:42");
    page(layout, details, Ok(Overview::default()), (Vec::new(), 0), is_recent, now()).render().unwrap()
}

#[test]
fn an_erasure_says_what_will_happen_and_asks_for_the_name() {
    let of = |is_recent| aged(details(user(None, None), None), is_recent);
    contains(
        &of(true),
        &[
            "<strong>There is no way back.</strong>",
            "What waits is canceled: 2 now. Its 3 ad accounts are disconnected",
            "one record without names stays for your books",
            "20 to 30 minutes",
            "action=\"/dashboard/users/erase\"",
            "name=\"confirm\" required",
            "name=\"leave_running\" value=\"yes\">",
            "Erase <bdi>shop:42</bdi></button>",
        ],
    );
    let old = of(false);
    assert!(old.contains("Sign in again to erase") && !old.contains("action=\"/dashboard/users/erase\""), "{old}");
}

#[test]
fn a_user_that_is_erased_shows_how_far_that_is_and_nothing_else_changes() {
    let pausing = PauseProgress { campaigns: 2, paused: 1, is_refused: true, ..PauseProgress::default() };
    let of = |step, leaves, is_recent| aged(details(erased(step, leaves), Some(pausing.clone())), is_recent);
    let waits = of(ErasureStep::Pausing, false, true);
    contains(
        &waits,
        &[
            "Being erased</span> since 1 Dec 2026, 09:00 UTC. Its campaigns are being paused.",
            "<p>1 of 2 campaigns paused.</p>",
            "Finish although something runs",
            "<input type=\"hidden\" name=\"leave_running\" value=\"yes\">",
        ],
    );
    for form in ["users/pause", "users/resume", "/dashboard/users/limit?"] {
        assert!(!waits.contains(form), "{form}: {waits}");
    }
    assert!(of(ErasureStep::Closing, false, false).contains("Sign in again to finish"));
    for (step, leaves) in [(ErasureStep::Erasing, false), (ErasureStep::Closing, true)] {
        let goes_on = of(step, leaves, true);
        assert!(!goes_on.contains("/dashboard/users/erase"), "{goes_on}");
        assert_eq!(goes_on.contains("it goes on spending at the platforms"), leaves, "{goes_on}");
    }
}

fn limit_page(limit: Option<&SpendingLimit>, is_recent: bool, is_editable: bool) -> String {
    let template = LimitPage {
        layout: Layout::signed_out("Limit of a user"),
        name: shop().to_string(),
        path: of_user(USER, &shop()),
        form: LimitForm::of_user(&[], limit, &[]),
        has_limit: limit.is_some(),
        is_editable,
        is_recent,
        sign_in_again: "/dashboard/sign-in?again=yes".to_owned(),
    };
    template.render().unwrap()
}

#[test]
fn a_limit_is_set_changed_and_taken_away() {
    let new = limit_page(None, true, true);
    contains(&new, &["Set the limit</button>", "There is none yet.", "name=\"daily\"", "value=\"shop:42\""]);
    assert!(!new.contains("Remove the limit") && !new.contains("name=\"connections\""), "{new}");
    assert!(!new.contains("value=\"yes\" checked"), "a new limit asks nobody: {new}");
    let known = limit_page(Some(&limit()), true, true);
    contains(&known, &["Change the limit</button>", "value=\"500.00\"", "value=\"yes\" checked", "Remove the limit"]);
    let old = limit_page(Some(&limit()), false, true);
    assert!(old.contains("Sign in again") && !old.contains("<form method=\"post\" action=\"/dashboard/users"), "{old}");
    let several = limit_page(Some(&limit()), true, false);
    contains(&several, &["several currencies", "Remove the limit"]);
}

#[test]
fn the_list_names_each_user_with_its_state() {
    let page = |users: &[(User, usize)], cursor: &str, next: Option<&str>| {
        let filter = ListFilter::read(USERS, &[], &[("cursor".to_owned(), cursor.to_owned())]);
        let template = UsersPage {
            layout: Layout::signed_out("Users"),
            rows: users.iter().map(|(user, accounts)| UserRow::of(user, *accounts)).collect(),
            refusal: None,
            next: next.map(|cursor| filter.older(cursor)),
            filter,
        };
        template.render().unwrap()
    };
    let paused = user(Some(HOSTILE), spending(Some(limit()), Some(now())));
    let listed = page(&[(paused, 7), (user(None, None), 0), (erased(ErasureStep::Closing, false), 1)], "", Some("c+d"));
    contains(
        &listed,
        &[
            "<a href=\"/dashboard/users/one?external_ref=shop%3A42\"><bdi>shop:42</bdi></a>",
            "&#60;script&#62;alert",
            "<td data-label=\"Ad accounts\" class=\"number\">7</td>",
            "badge bad\">Paused",
            "badge bad\">Being erased",
            "500.00 USD a day; a person approves every activation",
            "Not paused",
            ">none</td>",
            "href=\"/dashboard/users?cursor=c%2Bd\" rel=\"next\"",
        ],
    );
    assert!(!listed.contains("<script>alert") && !listed.contains("First users"), "{listed}");
    assert!(page(&[], "", None).contains("No user yet"));
    contains(&page(&[], "c", None), &["There are no more users.", "<a href=\"/dashboard/users\">First users</a>"]);
}

#[test]
fn what_people_write_is_escaped() {
    let known = details(user(Some(HOSTILE), spending(Some(limit()), None)), None);
    let page = rendered(known, Ok(running(HOSTILE)), (Vec::new(), 0));
    assert!(!page.contains("<script>alert") && page.contains("<bdi>&#60;script&#62;alert"), "{page}");
}

#[test]
fn the_ids_of_a_page_are_unique() {
    let known = details(user(None, spending(Some(limit()), None)), None);
    let erased = details(erased(ErasureStep::Pausing, false), None);
    for page in [
        rendered(known, Ok(running("Spring")), (Vec::new(), 0)),
        aged(erased, true),
        limit_page(Some(&limit()), true, true),
    ] {
        let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "{page}");
    }
}
