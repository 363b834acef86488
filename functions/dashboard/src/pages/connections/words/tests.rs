use super::*;
use crate::kit::connections::tests::connection;
use shared::domain::ConnectionStatus::{self, Active, Error, Revoked};
use shared::domain::{Connection, Customer, CustomerId, GrantId, Plan, Platform};
use shared::envelope::query::pairs;
use uuid::Uuid;

fn row(id: &str, platform: Platform, status: ConnectionStatus) -> Connection {
    connection(id, platform, status)
}

fn account(connections: usize) -> Account {
    let created_at = "2026-11-01T00:00:00Z".parse().unwrap();
    let id = CustomerId(Uuid::nil());
    let customer = Customer { id, email: String::new(), plan: Plan::Starter, created_at, disabled: false };
    Account { connections, ..Account::without_key(customer) }
}

fn numbers(all: &[&str]) -> Vec<String> {
    all.iter().map(|number| format!("Google Ads: {number}")).collect()
}

fn told(query: &str, rows: &[Connection]) -> ConsentOutcome {
    outcome(&pairs(Some(query)), rows, &account(1), &SkippedNames::default()).unwrap()
}

#[test]
fn another_account_than_the_broken_one_is_no_success() {
    let google = |id, status| row(id, Platform::Alpha, status);
    let rows = [google("new", Active), google("old", Revoked), row("far", Platform::Beta, Error)];
    let shown = told("status=connected&connection_id=new", &rows);
    assert_eq!((shown.tone, shown.names), ("warn", vec!["Account of old".to_owned()]));
    let shown = told("status=connected&connection_id=new", &rows[..1]);
    assert_eq!((shown.tone, shown.names.len()), ("good", 0));
}

#[test]
fn accounts_that_were_not_ticked_again_are_named() {
    let of = |id: &str, status, grant: &str| Connection {
        grant_id: Some(GrantId(grant.to_owned())),
        ..row(id, Platform::Beta, status)
    };
    let rows = [of("new", Active, "later"), of("a", Revoked, "first"), of("b", Revoked, "first")];
    let shown = told("status=connected&connection_id=new", &rows);
    assert!(shown.message.contains("you did not tick these 2. Reconnect and tick them, or remove them."), "{shown:?}");
    assert_eq!((shown.tone, shown.names), ("warn", vec!["Account of a".to_owned(), "Account of b".to_owned()]));
}

#[test]
fn accounts_that_were_not_connected_are_no_silent_success() {
    let rows = [row("new", Platform::Alpha, Active)];
    let shown =
        told("status=connected&connection_id=new&connection_ids=new&skipped=77:OTHER_USER,78:OTHER_USER", &rows);
    let [other] = shown.skipped.as_slice() else { panic!("{shown:?}") };
    assert_eq!(other.why, "2 other accounts were not connected. Another user of yours has connected them.");
    assert_eq!((shown.tone, shown.message.as_str()), ("warn", "Connected 1 ad account:"));
    assert_eq!(
        (&shown.names[..], &other.accounts[..]),
        (&["Account of new".to_owned()][..], &numbers(&["77", "78"])[..])
    );
    let full = "status=connected&connection_id=new&connection_ids=new&skipped=79:PLAN_LIMIT,call+us+now:PLAN_LIMIT";
    let of = |names| outcome(&pairs(Some(full)), &rows, &account(3), &names).unwrap().skipped.remove(0);
    let unnamed = of(SkippedNames::default());
    assert!(
        unnamed.why.starts_with("2 other accounts were not connected. Your plan has 3 ad accounts."),
        "{unnamed:?}"
    );
    assert!(unnamed.why.ends_with("connect Google Ads again, and tick these there."), "{unnamed:?}");
    assert_eq!((&unnamed.accounts, unnamed.is_of_plan), (&numbers(&["79"]), true), "words of others are not shown");
    let named = of(SkippedNames::from_iter([("79".to_owned(), "Harbour Coffee".to_owned())]));
    assert_eq!(named.accounts, ["Google Ads: Harbour Coffee (79)"]);
    let missing = told("status=failed&error=FORBIDDEN&reason=PERMISSION_MISSING&message=x", &[]);
    assert!(missing.message.contains("tick all"), "{}", missing.message);
}

#[test]
fn a_consent_that_connects_nothing_says_what_stays() {
    let denied = told("status=denied&error=access_denied&state=gamma_ads", &[]);
    let words = "TikTok did not connect: you pressed Cancel there. Your connections are unchanged.";
    assert_eq!((denied.message.as_str(), denied.tone, denied.again), (words, "plain", Some(Platform::Gamma)));
    let silent =
        told("status=failed&error=PLATFORM_ERROR&reason=PLATFORM_TIMEOUT&message=Call+us&state=gamma_ads", &[]);
    let words = "TikTok did not connect: it did not complete the consent. Try again in a minute. Your connections are unchanged.";
    assert_eq!((silent.message.as_str(), silent.again), (words, Some(Platform::Gamma)));
    let unknown = told("status=denied&error=access_denied&state=other", &[]);
    assert!(unknown.message.starts_with("The platform did not connect") && unknown.again.is_none(), "{unknown:?}");
    assert!(told("status=failed&error=VALIDATION_ERROR", &[]).message.starts_with("This consent was used already"));
    let full =
        outcome(&pairs(Some("status=failed&error=FORBIDDEN")), &[], &account(3), &SkippedNames::default()).unwrap();
    assert!(full.message.ends_with("Remove one, or upgrade to Pro.") && full.again.is_none(), "{}", full.message);
    assert!(outcome(&[], &[], &account(1), &SkippedNames::default()).is_none());
}

#[test]
fn a_check_is_a_success_if_all_work() {
    let check = |synced, statuses: &[ConnectionStatus], remaining| {
        let connections = statuses.iter().map(|status| connection("conn_1", Platform::Alpha, *status)).collect();
        let notice = checked(&SyncReport { synced, connections, remaining });
        (notice.is_success, notice.message)
    };
    for (shown, is_success, message) in [
        (check(2, &[Active, Active], 0), true, "All 2 connections work."),
        (check(1, &[Active], 0), true, "The connection works."),
        (check(0, &[], 0), true, "There is no connection to check."),
        (
            check(1, &[Active, Revoked, Error], 0),
            false,
            "1 of 3 connections works. 2 need attention: see the top of this page.",
        ),
        (
            check(1, &[Active, Active], 0),
            false,
            "1 of 2 connections works. 1 could not be checked: its platform did not answer.",
        ),
        (
            check(1, &[Active, Active, Active], 2),
            true,
            "1 of 3 connections works. 2 more are checked in the background.",
        ),
    ] {
        assert_eq!(shown, (is_success, message.to_owned()));
    }
}

#[test]
fn a_full_plan_names_the_page_and_no_request() {
    let refusal = Refusal {
        status: 403,
        message: "remove one with DELETE /v1/connections/{id}".to_owned(),
        details: Vec::new(),
        reason: None,
        request_id: "1".to_owned(),
    };
    assert!(not_begun(refusal.clone(), &account(3)).message.ends_with("Remove one, or upgrade to Pro."));
    assert_eq!(not_begun(refusal.clone(), &account(1)).message, refusal.message);
}
