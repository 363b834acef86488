//! What is wrong: the consents that have ended, each with all its ad accounts, and the platforms that do not answer.

use crate::client::readings::{LastRead, ReadFailure};
use crate::kit::addresses::CAMPAIGNS;
use crate::kit::connections::{ConnectionSummary, accounts_of, is_fault_of};
use crate::kit::text::{grouped, path_segment, readable};
use shared::domain::{Connection, ConnectionStatus, GrantId, Platform};
use std::collections::BTreeMap;

/// Accounts that are named before the others are counted.
const NAMED: usize = 3;

/// The last readings, by the ids of the connections.
pub(super) type LastReads = BTreeMap<String, LastRead>;

/// A consent that has ended, or lost its rights: one login of a person, with all that it gives access to.
#[derive(Debug)]
pub(super) struct BrokenConsent {
    pub(super) platform: Platform,
    pub(super) names: Vec<String>,
    /// Accounts that are not named.
    pub(super) more: usize,
    /// What happened, and what to do.
    pub(super) why: String,
    /// The list of its campaigns, and the words of the link.
    pub(super) campaigns: (String, String),
}

/// A platform that does not answer although the consents work.
#[derive(Debug)]
pub(super) struct SilentPlatform {
    pub(super) platform: Platform,
    /// `TikTok has not answered since 30 Nov 2026, 02:58 UTC.`
    pub(super) headline: String,
    /// The accounts, if others of the platform answer.
    pub(super) names: Vec<String>,
    pub(super) more: usize,
    pub(super) why: String,
    /// The list of its campaigns, which asks again, and the words of the link.
    pub(super) campaigns: (String, String),
}

/// The consents that need a person, in the order of the connections.
pub(super) fn broken_consents(all: &[Connection], reads: &LastReads) -> Vec<BrokenConsent> {
    let mut groups: Vec<Vec<&Connection>> = Vec::new();
    for connection in all.iter().filter(|known| known.status.is_broken()) {
        let is_of = |group: &&mut Vec<&Connection>| group.first().is_some_and(|first| share_grant(first, connection));
        match groups.iter_mut().find(is_of) {
            Some(group) => group.push(connection),
            None => groups.push(vec![connection]),
        }
    }
    groups.iter().filter_map(|group| broken_consent(group, reads)).collect()
}

/// Whether one consent gives access to both.
fn share_grant(one: &Connection, other: &Connection) -> bool {
    let grant: Option<&GrantId> = one.grant_id.as_ref();
    one.platform == other.platform && grant.is_some() && grant == other.grant_id.as_ref()
}

fn broken_consent(group: &[&Connection], reads: &LastReads) -> Option<BrokenConsent> {
    let platform = group.first()?.platform;
    let mut reasons: Vec<String> = group.iter().map(|one| ConnectionSummary::of(one).reason).collect();
    reasons.dedup();
    let once = match group.len() {
        1 => String::new(),
        many => format!(" One login gave access to these {many} ad accounts, so reconnect once."),
    };
    let (names, more) = named(group);
    let why = format!("{}{once}", reasons.join(" "));
    Some(BrokenConsent { platform, names, more, why, campaigns: campaigns(group, reads) })
}

/// The platforms that do not answer, in their order. An account whose consent has ended is not one of theirs.
pub(super) fn silent_platforms(all: &[Connection], reads: &LastReads) -> Vec<SilentPlatform> {
    Platform::ALL.into_iter().filter_map(|platform| silent_platform(platform, all, reads)).collect()
}

fn silent_platform(platform: Platform, all: &[Connection], reads: &LastReads) -> Option<SilentPlatform> {
    let works = |known: &&Connection| known.platform == platform && known.status == ConnectionStatus::Active;
    let total = all.iter().filter(works).count();
    let (silent, failures): (Vec<&Connection>, Vec<&ReadFailure>) =
        all.iter().filter(works).filter_map(|known| Some((known, failure(known, reads)?))).unzip();
    let tried = failures.iter().map(|failure| failure.tried_at).max()?;
    let (names, more) = if silent.len() == total { (Vec::new(), 0) } else { named(&silent) };
    let message = failures.first().map(|failure| failure.message.as_str()).unwrap_or_default();
    let (path, words) = campaigns(&silent, reads);
    Some(SilentPlatform {
        platform,
        headline: headline(platform, &failures, total),
        names,
        more,
        why: format!("{message} Asked last: {}.", readable(tried)),
        campaigns: (format!("{path}&read=now"), format!("{words} and ask again")),
    })
}

/// Why the last reading of a connection that works has failed.
pub(super) fn failure<'a>(connection: &Connection, reads: &'a LastReads) -> Option<&'a ReadFailure> {
    let works = connection.status == ConnectionStatus::Active;
    reads.get(&connection.id.0).filter(|_| works)?.failure.as_ref()
}

fn headline(platform: Platform, failures: &[&ReadFailure], total: usize) -> String {
    let (subject, has) = accounts_of(platform, failures.len(), total);
    let what = if !failures.iter().any(|failure| is_fault_of(platform, &failure.message)) {
        "not been read"
    } else if failures.iter().all(|failure| failure.is_of_numbers) {
        "sent no numbers"
    } else {
        "not answered"
    };
    match failures.iter().filter_map(|failure| failure.since).max() {
        Some(since) => format!("{subject} {has} {what} since {}.", readable(since)),
        None => format!("{subject} {has} {what} yet."),
    }
}

/// The names of the first accounts, and the number of the others.
fn named(group: &[&Connection]) -> (Vec<String>, usize) {
    let names = group.iter().take(NAMED).map(|one| ConnectionSummary::of(one).name).collect();
    (names, group.len().saturating_sub(NAMED))
}

/// The list of the campaigns of these accounts of a platform, and the words of the link.
fn campaigns(group: &[&Connection], reads: &LastReads) -> (String, String) {
    let path = match group {
        [only] => format!("{CAMPAIGNS}?account={}", path_segment(&only.id.0)),
        _ => format!("{CAMPAIGNS}?platform={}", group.first().map_or("", |first| first.platform.as_upper())),
    };
    let active: usize = group.iter().filter_map(|one| reads.get(&one.id.0)?.active).sum();
    let words = match active {
        0 => "See its campaigns".to_owned(),
        1 => "See its active campaign".to_owned(),
        many => format!("See its {} active campaigns", grouped(u64::try_from(many).unwrap_or(u64::MAX))),
    };
    (path, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::connections::tests::connection;
    use shared::domain::ConnectionStatus::{Active, Error, Revoked};

    fn of_grant(id: &str, status: ConnectionStatus, grant: &str) -> Connection {
        Connection { grant_id: Some(GrantId(grant.to_owned())), ..connection(id, Platform::Gamma, status) }
    }

    fn read(failure: Option<(&str, Option<&str>)>, active: usize) -> LastRead {
        let failure = failure.map(|(message, since)| ReadFailure {
            is_of_numbers: false,
            since: since.map(|at| at.parse().unwrap()),
            tried_at: "2026-11-30T03:02:00Z".parse().unwrap(),
            message: message.to_owned(),
        });
        LastRead { failure, active: Some(active) }
    }

    fn reads<const N: usize>(known: [(&str, LastRead); N]) -> LastReads {
        known.map(|(id, read)| (id.to_owned(), read)).into()
    }

    #[test]
    fn accounts_of_one_consent_are_reconnected_once() {
        let all = [
            of_grant("a", Revoked, "one"),
            of_grant("b", Active, "two"),
            of_grant("c", Revoked, "one"),
            of_grant("d", Error, "three"),
        ];
        let known = reads([("a", read(None, 2)), ("c", read(None, 1))]);
        let broken = broken_consents(&all, &known);
        let names: Vec<&[String]> = broken.iter().map(|one| one.names.as_slice()).collect();
        assert_eq!(names, [&["Account of a".to_owned(), "Account of c".to_owned()][..], &["Account of d".to_owned()]]);
        assert!(broken[0].why.ends_with("these 2 ad accounts, so reconnect once."), "{}", broken[0].why);
        assert_eq!(broken[0].why.matches("ended our access").count(), 1, "one reason is told once");
        let list = ("/dashboard/campaigns?platform=GAMMA".to_owned(), "See its 3 active campaigns".to_owned());
        assert_eq!(broken[0].campaigns, list);
        assert_eq!(broken[1].campaigns.0, "/dashboard/campaigns?account=d");
    }

    #[test]
    fn a_silent_platform_says_since_when_and_only_of_consents_that_work() {
        let all = [of_grant("a", Active, "one"), of_grant("b", Active, "one"), of_grant("c", Revoked, "two")];
        let silent = || read(Some(("TikTok did not answer in time.", Some("2026-11-30T02:58:00Z"))), 0);
        let told = |known: LastReads| silent_platforms(&all, &known).into_iter().map(|one| one.headline).collect();
        let headlines: Vec<String> = told(reads([("a", silent()), ("b", silent()), ("c", silent())]));
        assert_eq!(headlines, ["TikTok has not answered since 30 Nov 2026, 02:58 UTC."]);
        let headlines: Vec<String> = told(reads([("a", silent()), ("b", read(None, 0))]));
        assert_eq!(headlines, ["1 of 2 accounts of TikTok has not answered since 30 Nov 2026, 02:58 UTC."]);
        let ours = || read(Some(("This is our fault.", None)), 0);
        let headlines: Vec<String> = told(reads([("a", ours()), ("b", ours())]));
        assert_eq!(headlines, ["TikTok has not been read yet."]);
        assert!(silent_platforms(&all, &reads([("c", silent())])).is_empty(), "its consent has ended");
        let one = silent_platforms(&all, &reads([("a", silent())])).remove(0);
        assert!(one.why.ends_with("Asked last: 30 Nov 2026, 03:02 UTC."), "{}", one.why);
        assert_eq!(one.campaigns.0, "/dashboard/campaigns?account=a&read=now");
    }
}
