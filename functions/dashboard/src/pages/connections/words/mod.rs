//! What the page says of a consent, of a check, and of a consent that cannot begin.

use super::consents::{is_left_out, names};
use crate::client::api::Refusal;
use crate::client::connections::SyncReport;
use crate::client::notice::Notice;
use crate::kit::plans::no_room;
use shared::domain::{Connection, Plan, Platform, Reason, SkipReason};
use shared::envelope::query::value;
use shared::skipped_names::SkippedNames;
use shared::store::Account;

/// Longest number of an ad account that is shown.
const MAX_NUMBER: usize = 24;

/// The outcome of the platform's consent page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ConsentOutcome {
    /// The class of the notice.
    pub(super) tone: &'static str,
    pub(super) message: String,
    /// The connections that it is about.
    pub(super) names: Vec<String>,
    /// The accounts of the consent that stay as they were.
    pub(super) skipped: Vec<SkippedAccounts>,
    /// The platform that a button connects again.
    pub(super) again: Option<Platform>,
}

/// Accounts of a consent that are not connected, for one reason.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SkippedAccounts {
    /// How many they are, why, and what a person can do.
    pub(super) why: String,
    /// Each with its platform, and with its name if that came along: `Google Ads: Harbour Coffee (77)`.
    pub(super) accounts: Vec<String>,
    /// Whether a larger plan has room for them.
    pub(super) is_of_plan: bool,
}

/// The outcome that the callback has added to the address of the page, measured by what is connected now. The words of the
/// platform in it are not shown: anybody can make such an address.
pub(super) fn outcome(
    query: &[(String, String)],
    all: &[Connection],
    account: &Account,
    names: &SkippedNames,
) -> Option<ConsentOutcome> {
    let status = value(query, "status")?;
    if status == "connected" {
        let field = |name| value(query, name).unwrap_or_default();
        let new = all.iter().find(|one| one.id.0 == field("connection_id"));
        let skipped = skipped(field("skipped"), new.map(|new| new.platform), account.customer.plan, names);
        return Some(connected(new, field("connection_ids"), all, skipped));
    }
    let again = value(query, "state").and_then(Platform::parse);
    let outcome = |tone, message| ConsentOutcome { tone, message, names: Vec::new(), skipped: Vec::new(), again };
    let error = if status == "denied" { "denied" } else { value(query, "error").unwrap_or_default() };
    let reason = value(query, "reason").unwrap_or_default();
    let may_be_full = error == "FORBIDDEN" && reason != Reason::PermissionMissing.as_str();
    if let Some(full) = no_room(account).filter(|_| may_be_full) {
        return Some(ConsentOutcome { again: None, ..outcome("bad", full) });
    }
    let name = again.map_or("The platform", Platform::display_name);
    let why = match (error, reason) {
        ("denied", _) => {
            let message = format!("{name} did not connect: you pressed Cancel there. Your connections are unchanged.");
            return Some(outcome("plain", message));
        }
        ("VALIDATION_ERROR", _) => {
            let message = "This consent was used already, was withdrawn, is older than ten minutes, or was begun in another \
                           browser or before you signed out. Your connections are unchanged. If an account is missing \
                           below, connect again.";
            return Some(outcome("bad", message.to_owned()));
        }
        ("FORBIDDEN", reason) if reason == Reason::PermissionMissing.as_str() => {
            "not every permission was ticked on the consent page. Try again, and tick all."
        }
        ("CONFLICT", _) => "another user of yours has connected these ad accounts, or they changed meanwhile.",
        ("FORBIDDEN", _) => {
            "it did not complete the consent, or your login there has no ad account that can hold campaigns."
        }
        (_, reason) if reason == Reason::OperatorRequired.as_str() => "it refuses our service, which only we can mend.",
        _ => "it did not complete the consent. Try again in a minute.",
    };
    Some(outcome("bad", format!("{name} did not connect: {why} Your connections are unchanged.")))
}

/// A person may have left accounts out, or signed in with another login than before. So the broken connections of the
/// platform decide whether all is well.
fn connected(new: Option<&Connection>, ids: &str, all: &[Connection], skipped: Vec<SkippedAccounts>) -> ConsentOutcome {
    let is_broken = |one: &&Connection| one.status.is_broken() && new.is_some_and(|new| new.platform == one.platform);
    let broken: Vec<&Connection> = all.iter().filter(is_broken).collect();
    if broken.is_empty() {
        if skipped.is_empty() {
            let message = "Connected. Your ad accounts are in the list.".to_owned();
            return ConsentOutcome { tone: "good", message, names: Vec::new(), skipped, again: None };
        }
        // Which of them are connected is the question, where not all are.
        let told: Vec<&Connection> = all.iter().filter(|one| ids.split(',').any(|id| one.id.0 == id)).collect();
        let message = match told.len() {
            0 => "Connected. Your ad accounts are in the list.".to_owned(),
            1 => "Connected 1 ad account:".to_owned(),
            count => format!("Connected {count} ad accounts:"),
        };
        return ConsentOutcome { tone: "warn", message, names: names(told), skipped, again: None };
    }
    let left_out: Vec<&Connection> = broken.iter().copied().filter(|one| is_left_out(one, all)).collect();
    let (message, told) = match left_out.len() {
        0 => {
            let message = "Connected, but these accounts still have no access. The consent did not cover them: reconnect \
                           with the login that manages them.";
            (message.to_owned(), broken)
        }
        1 => ("Connected, but you did not tick this one. Reconnect and tick it, or remove it.".to_owned(), left_out),
        count => {
            let message = "Reconnect and tick them, or remove them.";
            (format!("Connected, but you did not tick these {count}. {message}"), left_out)
        }
    };
    ConsentOutcome { tone: "warn", message, names: names(told), skipped, again: None }
}

/// The accounts of the consent that are not connected, by reason. The address has their numbers, and their names sealed.
fn skipped(accounts: &str, platform: Option<Platform>, plan: Plan, names: &SkippedNames) -> Vec<SkippedAccounts> {
    let name = platform.map_or("the platform", Platform::display_name);
    let has = match plan.limits().connections {
        Some(most) => format!("Your plan has {most} ad accounts."),
        None => "Your plan has no more ad accounts.".to_owned(),
    };
    let plan = format!("{has} To have these instead, remove others, connect {name} again, and tick these there.");
    let other = "Another user of yours has connected them.".to_owned();
    let of = |(reason, why): (SkipReason, String)| {
        let end = format!(":{}", reason.as_str());
        let own: Vec<&str> = accounts.split(',').filter_map(|one| one.strip_suffix(&end)).collect();
        let why = match own.len() {
            0 => return None,
            1 => format!("1 other account was not connected. {why}"),
            count => format!("{count} other accounts were not connected. {why}"),
        };
        let told = |number: &str| match names.get(number) {
            Some(known) => format!("{name}: {known} ({number})"),
            None => format!("{name}: {number}"),
        };
        let accounts = own.into_iter().filter(|number| is_number(number)).map(told);
        Some(SkippedAccounts { why, accounts: accounts.collect(), is_of_plan: reason == SkipReason::PlanLimit })
    };
    [(SkipReason::PlanLimit, plan), (SkipReason::OtherUser, other)].into_iter().filter_map(of).collect()
}

/// Whether a text can be the number of an ad account: anybody can make an address, and words of others are not shown.
fn is_number(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=MAX_NUMBER).contains(&text.len())
        && text.bytes().all(is_plain)
        && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// What a check of all connections has found.
pub(super) fn checked(SyncReport { synced, connections, remaining }: &SyncReport) -> Notice {
    let (synced, remaining, total) = (*synced, *remaining, connections.len());
    let broken = connections.iter().filter(|one| one.status.is_broken()).count();
    let silent = total.saturating_sub(synced + broken + remaining);
    let all = synced == total;
    let works = match (synced, total) {
        (_, 0) => "There is no connection to check.".to_owned(),
        (1, 1) => "The connection works.".to_owned(),
        _ if all => format!("All {total} connections work."),
        _ => format!("{synced} of {total} connections {}.", if synced == 1 { "works" } else { "work" }),
    };
    let rest = [
        (broken, "needs attention: see the top of this page.", "need attention: see the top of this page."),
        (silent, "could not be checked: its platform did not answer.", "could not be checked: no answer."),
        (remaining, "more is checked in the background.", "more are checked in the background."),
    ];
    let rest = rest.into_iter().filter(|(count, ..)| *count > 0);
    let rest = rest.map(|(count, one, many)| format!(" {count} {}", if count == 1 { one } else { many }));
    let message = std::iter::once(works).chain(rest).collect::<String>();
    Notice { is_success: broken == 0 && silent == 0, ..Notice::success(message) }
}

/// Why no consent can begin.
pub(super) fn not_begun(refusal: Refusal, account: &Account) -> Notice {
    let message = match refusal.status {
        403 => no_room(account),
        429 => Some("Too many connections are unfinished. Finish or remove one, then try again.".to_owned()),
        _ => None,
    };
    match message {
        Some(message) => Notice { is_success: false, ..Notice::success(message) },
        None => Notice::failure(refusal, &[]),
    }
}

#[cfg(test)]
mod tests;
