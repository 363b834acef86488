//! What is wrong: the consents that have ended, each with all its ad accounts, and the platforms that do not answer.

use super::consents::{Cause, names, share_grant};
use super::removal;
use crate::client::readings::{LastRead, ReadFailure, last_answer};
use crate::kit::addresses::CAMPAIGNS;
use crate::kit::connections::{ConnectionSummary, accounts_of, is_fault_of};
use crate::kit::text::{grouped, path_segment, readable};
use crate::kit::words::is_about_access;
use shared::domain::{Connection, ConnectionStatus, Platform};
use std::collections::BTreeMap;

/// Accounts that are named before the others are counted.
const NAMED: usize = 5;

/// The last readings, by the ids of the connections.
pub(super) type LastReads = BTreeMap<String, LastRead>;

/// A consent that has ended, or lost its rights: one login of a person, with all that it gives access to.
#[derive(Debug)]
pub(super) struct BrokenConsent {
    pub(super) platform: Platform,
    pub(super) names: Vec<String>,
    /// Accounts that are not named.
    pub(super) more: usize,
    /// What happened.
    pub(super) why: String,
    /// What the platform itself says of it.
    pub(super) said: Option<String>,
    /// How many accounts it is about, and what runs there.
    pub(super) affected: String,
    /// What to do.
    pub(super) next: String,
    /// It is mended at the platform, and then checked; everything else needs another consent.
    pub(super) is_mended_there: bool,
    /// The pages that remove accounts which a person left out, with their names.
    pub(super) removals: Vec<(String, String)>,
    /// The list of its campaigns, and the words of the link.
    pub(super) campaigns: (String, String),
}

/// A platform that does not answer although the consents work.
#[derive(Debug)]
pub(super) struct SilentPlatform {
    pub(super) platform: Platform,
    /// `TikTok has not responded since 30 Nov 2026, 02:58 UTC.`
    pub(super) headline: String,
    /// The accounts, if others of the platform answer.
    pub(super) names: Vec<String>,
    pub(super) more: usize,
    pub(super) why: String,
    /// The list of its campaigns, which asks again, and the words of the link.
    pub(super) campaigns: (String, String),
}

/// The consents that need a person, in the order of the connections. Accounts of one consent that need the same are one.
pub(super) fn broken_consents(all: &[Connection], reads: &LastReads) -> Vec<BrokenConsent> {
    let mut groups: Vec<(Cause, Vec<&Connection>)> = Vec::new();
    for connection in all.iter().filter(|known| known.status.is_broken()) {
        let cause = Cause::of(connection, all);
        let is_of = |(known, group): &&mut (Cause, Vec<&Connection>)| {
            *known == cause && group.first().is_some_and(|first| share_grant(first, connection))
        };
        match groups.iter_mut().find(is_of) {
            Some((_, group)) => group.push(connection),
            None => groups.push((cause, vec![connection])),
        }
    }
    groups.iter().filter_map(|(cause, group)| broken_consent(cause, group, reads)).collect()
}

fn broken_consent(cause: &Cause, group: &[&Connection], reads: &LastReads) -> Option<BrokenConsent> {
    let platform = group.first()?.platform;
    let (names, more) = named(group);
    let removal = |one: &&Connection| {
        let summary = ConnectionSummary::of(one);
        (removal::path(&summary), summary.name)
    };
    let is_removable = *cause == Cause::LeftOut;
    Some(BrokenConsent {
        platform,
        names,
        more,
        why: cause.why(platform, group.len()),
        said: cause.said(),
        affected: affected(group, reads),
        next: cause.next(platform, group.len()),
        is_mended_there: matches!(cause, Cause::OfPlatform(_)),
        removals: group.iter().filter(|_| is_removable).take(NAMED).map(removal).collect(),
        campaigns: campaigns(group, reads),
    })
}

/// How many ad accounts have no access, and what ran there when they were read last: `2 ad accounts. 1 campaign ran …`.
fn affected(group: &[&Connection], reads: &LastReads) -> String {
    let known: Vec<Option<usize>> = group.iter().map(|one| reads.get(&one.id.0).and_then(|last| last.active)).collect();
    let active: usize = known.iter().flatten().sum();
    let is_part = known.contains(&None);
    let at_least = if is_part { "At least " } else { "" };
    let accounts = match group.len() {
        1 => "1 ad account".to_owned(),
        many => format!("{} ad accounts", shown(many)),
    };
    let runs = match active {
        0 if is_part => "We do not know what runs there.".to_owned(),
        0 => "No campaign was active there when we last looked.".to_owned(),
        1 => format!(
            "{at_least}1 campaign was active there when we last looked. It keeps running and cannot be paused from here."
        ),
        many => format!(
            "{at_least}{} campaigns were active there when we last looked. They keep running and cannot be paused from here.",
            shown(many)
        ),
    };
    format!("{accounts}. {runs}")
}

fn shown(number: usize) -> String {
    grouped(u64::try_from(number).unwrap_or(u64::MAX))
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
        why: format!("{message} Last tried: {}.", readable(tried)),
        campaigns: (format!("{path}&read=now"), format!("{words} and try again")),
    })
}

/// Why the last reading of a connection that works has failed. One that had no access then has been given it since.
pub(super) fn failure<'a>(connection: &Connection, reads: &'a LastReads) -> Option<&'a ReadFailure> {
    let works = connection.status == ConnectionStatus::Active;
    let failure = reads.get(&connection.id.0).filter(|_| works)?.failure.as_ref();
    failure.filter(|failure| !is_about_access(&failure.message))
}

fn headline(platform: Platform, failures: &[&ReadFailure], total: usize) -> String {
    let (subject, has) = accounts_of(platform, failures.len(), total);
    let what = if !failures.iter().any(|failure| is_fault_of(platform, &failure.message)) {
        "not been read"
    } else if failures.iter().all(|failure| failure.is_of_numbers) {
        "sent no numbers"
    } else {
        "not responded"
    };
    match last_answer(failures.iter().filter_map(|failure| failure.since)) {
        Some(since) => format!("{subject} {has} {what} since {}.", readable(since)),
        None => format!("{subject} {has} {what} yet."),
    }
}

/// The names of the first accounts, and the number of the others.
fn named(group: &[&Connection]) -> (Vec<String>, usize) {
    (names(group.iter().take(NAMED).copied()), group.len().saturating_sub(NAMED))
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
        many => format!("See its {} active campaigns", shown(many)),
    };
    match group {
        // The list has those of its other accounts, too.
        [first, _, ..] => (path, format!("See the campaigns of {}", first.platform.display_name())),
        _ => (path, words),
    }
}

#[cfg(test)]
mod tests;
