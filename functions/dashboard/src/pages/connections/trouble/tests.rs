use super::*;
use crate::kit::connections::tests::connection;
use shared::domain::ConnectionStatus::{Active, Error, Revoked};
use shared::domain::GrantId;

/// A connection of a grant, which its accounts have had from the beginning.
fn of_grant(id: &str, status: ConnectionStatus, grant: &str) -> Connection {
    let hours = i64::try_from(grant.len()).unwrap();
    let known = connection(id, Platform::Gamma, status);
    let created_at = known.created_at + jiff::SignedDuration::from_hours(hours);
    Connection { grant_id: Some(GrantId(grant.to_owned())), created_at, ..known }
}

fn read(failure: Option<(&str, Option<&str>)>, active: usize) -> LastRead {
    let failure = failure.map(|(message, since)| ReadFailure {
        is_of_numbers: false,
        since: since.map(|at| at.parse().unwrap()),
        tried_at: "2026-11-30T03:02:00Z".parse().unwrap(),
        message: message.to_owned(),
    });
    LastRead { failure, answered_at: None, active: Some(active) }
}

fn reads<const N: usize>(known: [(&str, LastRead); N]) -> LastReads {
    known.map(|(id, read)| (id.to_owned(), read)).into()
}

#[test]
fn accounts_of_one_consent_are_reconnected_once() {
    let all = [
        of_grant("a", Revoked, "one"),
        of_grant("b", Active, "second"),
        of_grant("c", Revoked, "one"),
        of_grant("d", Error, "three"),
    ];
    let known = reads([("a", read(None, 2)), ("c", read(None, 1))]);
    let broken = broken_consents(&all, &known);
    let names: Vec<&[String]> = broken.iter().map(|one| one.names.as_slice()).collect();
    assert_eq!(names, [&["Account of a".to_owned(), "Account of c".to_owned()][..], &["Account of d".to_owned()]]);
    assert!(broken[0].why.starts_with("TikTok ended our access"), "{}", broken[0].why);
    assert!(broken[0].next.contains("these 2 ad accounts, so reconnect once."), "{}", broken[0].next);
    assert!(broken[0].affected.starts_with("2 ad accounts. 3 campaigns were active"), "{}", broken[0].affected);
    let list = ("/dashboard/campaigns?platform=GAMMA".to_owned(), "See the campaigns of TikTok".to_owned());
    assert_eq!(broken[0].campaigns, list);
    assert!(broken[1].affected.ends_with("We do not know what runs there."), "{}", broken[1].affected);
    assert_eq!(broken[1].campaigns.0, "/dashboard/campaigns?account=d");
}

#[test]
fn accounts_that_were_not_ticked_again_are_named_with_both_ways_out() {
    let all = [
        of_grant("a", Revoked, "one"),
        of_grant("b", Revoked, "one"),
        Connection { grant_id: Some(GrantId("renewed".to_owned())), ..of_grant("c", Active, "one") },
    ];
    let one = broken_consents(&all, &LastReads::new()).remove(0);
    assert!(one.why.starts_with("You did not tick these 2 when you reconnected"), "{}", one.why);
    assert_eq!(one.next, "Reconnect and tick them, or remove them.");
    assert_eq!((one.names.len(), one.removals.len(), one.is_mended_there), (2, 2, false));
    assert_eq!(one.removals[1].0, "/dashboard/connections/remove?id=b");
}

#[test]
fn accounts_of_one_consent_that_need_different_things_are_apart() {
    let closed = Connection { reason: Some("It is suspended.".to_owned()), ..of_grant("a", Error, "one") };
    let all = [closed, of_grant("b", Error, "one"), of_grant("c", Active, "one")];
    let broken = broken_consents(&all, &reads([("a", read(None, 1))]));
    let why = "TikTok does not let us in, until something is fixed there.";
    assert_eq!((broken[0].why.as_str(), broken[0].is_mended_there), (why, true));
    assert_eq!(broken[0].said.as_deref(), Some("TikTok says: It is suspended."), "its own words come second");
    assert_eq!(broken[1].said, None);
    assert!(broken[0].next.starts_with("Fix that at TikTok"), "{}", broken[0].next);
    assert!(broken[0].affected.contains("1 campaign was active"), "{}", broken[0].affected);
    assert_eq!((broken.len(), broken[1].is_mended_there), (2, false));
}

#[test]
fn an_account_that_was_reconnected_since_it_was_read_is_no_trouble() {
    let ended = "TikTok ended our access. Reconnect it under Connections.";
    let known = reads([("a", read(Some((ended, Some("2026-11-30T02:58:00Z"))), 0))]);
    assert!(silent_platforms(&[of_grant("a", Active, "new")], &known).is_empty());
    let all = [of_grant("a", Revoked, "new")];
    assert!(silent_platforms(&all, &known).is_empty() && broken_consents(&all, &known).len() == 1);
}

#[test]
fn a_silent_platform_says_since_when_and_only_of_consents_that_work() {
    let all = [of_grant("a", Active, "one"), of_grant("b", Active, "one"), of_grant("c", Revoked, "second")];
    let silent = || read(Some(("TikTok did not answer in time.", Some("2026-11-30T02:58:00Z"))), 0);
    let told = |known: LastReads| silent_platforms(&all, &known).into_iter().map(|one| one.headline).collect();
    let headlines: Vec<String> = told(reads([("a", silent()), ("b", silent()), ("c", silent())]));
    assert_eq!(headlines, ["TikTok has not responded since 30 Nov 2026, 02:58 UTC."]);
    let headlines: Vec<String> = told(reads([("a", silent()), ("b", read(None, 0))]));
    assert_eq!(headlines, ["1 of 2 accounts of TikTok has not responded since 30 Nov 2026, 02:58 UTC."]);
    let ours = || read(Some(("This is our fault.", None)), 0);
    let headlines: Vec<String> = told(reads([("a", ours()), ("b", ours())]));
    assert_eq!(headlines, ["TikTok has not been read yet."]);
    assert!(silent_platforms(&all, &reads([("c", silent())])).is_empty(), "its consent has ended");
    let one = silent_platforms(&all, &reads([("a", silent())])).remove(0);
    assert!(one.why.ends_with("Last tried: 30 Nov 2026, 03:02 UTC."), "{}", one.why);
    assert_eq!(one.campaigns.0, "/dashboard/campaigns?account=a&read=now");
}
