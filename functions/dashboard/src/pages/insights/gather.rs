//! Asks each platform by itself, and takes what has answered in time: a slow one does not hold up the others.

use super::view::{By, View};
use crate::accounts::{self, Connection, Failure};
use crate::api::{Api, Refusal};
use crate::insights::{AccountSums, Kept, Question, Reading, Subject, ask};
use crate::session::SignedIn;
use jiff::Timestamp;
use shared::domain::{Currency, Days, Platform};
use shared::serve::WebRequest;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Time for what the page shows first.
const FIRST_WAIT: Duration = Duration::from_millis(900);
/// Time for everything, less than a page has.
const FULL_WAIT: Duration = Duration::from_secs(20);

/// What the platforms have answered.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) connections: Vec<Connection>,
    pub(super) accounts: Vec<AccountSums>,
    /// The same for the period before.
    pub(super) before: Vec<AccountSums>,
    /// The names of campaigns, by id.
    pub(super) names: BTreeMap<String, String>,
    /// Accounts that failed.
    pub(super) failures: Vec<Failure>,
    /// Accounts that have not answered yet.
    pub(super) late: Vec<String>,
    /// Something is still being read.
    pub(super) is_reading: bool,
    /// There are more rows.
    pub(super) is_cut: bool,
    /// The oldest of the numbers.
    pub(super) as_of: Option<Timestamp>,
}

/// What is asked of a platform.
struct Asked<'a> {
    connections: Vec<&'a Connection>,
    days: Kept,
    before: Kept,
    names: Option<Kept>,
}

/// Gathers what a page shows. The platforms are asked at the same time, and the questions to one of them one after the
/// other.
pub(super) async fn gather(
    request: &WebRequest,
    person: &SignedIn,
    view: &View,
    is_patient: bool,
) -> Result<Gathered, Refusal> {
    let until = Instant::now() + if is_patient { FULL_WAIT } else { FIRST_WAIT };
    let connections = accounts::connections(&Api::new(request, person)).await?;
    let asked: Vec<Asked<'_>> =
        by_platform(&connections).into_iter().map(|(name, own)| asked(request, person, view, name, own)).collect();
    let all = asked.iter().map(|asked| &asked.days).chain(asked.iter().filter_map(|asked| asked.names.as_ref()));
    for kept in all.chain(asked.iter().map(|asked| &asked.before)) {
        if timeout_at(until, kept.wait()).await.is_err() {
            break;
        }
    }
    let mut gathered = Gathered::default();
    for asked in &asked {
        gathered.take(asked);
    }
    Ok(Gathered { connections, ..gathered })
}

/// The connections with an ad account, by the platform's name in the enveloped shape.
fn by_platform(connections: &[Connection]) -> Vec<(&'static str, Vec<&Connection>)> {
    let own = |platform: Platform| -> Vec<&Connection> {
        let is_own = |connection: &&Connection| {
            Platform::parse(&connection.platform) == Some(platform) && !connection.remote_account_id.is_empty()
        };
        connections.iter().filter(is_own).collect()
    };
    let all = Platform::ALL.into_iter().map(|platform| (platform.as_upper(), own(platform)));
    all.filter(|(_, own)| !own.is_empty()).collect()
}

fn asked<'a>(
    request: &WebRequest,
    person: &SignedIn,
    view: &View,
    platform: &str,
    connections: Vec<&'a Connection>,
) -> Asked<'a> {
    let of = |subject| Question {
        customer: person.customer(),
        platform: platform.to_owned(),
        connections: connections.iter().map(|one| (one.id.clone(), one.status.clone())).collect(),
        subject,
    };
    let range = view.range;
    let ask = |subject, after| ask(request, person, &of(subject), after, view.is_again);
    let days = ask(Subject::Days(Days { from: range.from, to: range.to }), None);
    let names = (view.by == By::Campaign).then(|| ask(Subject::Names, Some(&days)));
    let before = ask(Subject::Total(range.before()), Some(names.as_ref().unwrap_or(&days)));
    Asked { connections, days, before, names }
}

impl Gathered {
    /// Keeps the ad accounts with a currency, if one is chosen.
    pub(super) fn in_currency(mut self, currency: Option<Currency>) -> Gathered {
        if let Some(currency) = currency {
            self.accounts.retain(|account| account.currency == currency.code());
        }
        self
    }

    fn take(&mut self, asked: &Asked<'_>) {
        let Asked { connections, days, before, names } = asked;
        self.is_reading |= days.done().is_none() || before.done().is_none();
        self.is_reading |= names.as_ref().is_some_and(|names| names.done().is_none());
        let done = days.done();
        match (done, days.older()) {
            (None, None) => self.late.extend(connections.iter().map(|connection| connection.name())),
            (done, older) => [done, older].into_iter().flatten().for_each(|(at, reading)| self.add(at, reading)),
        }
        if let Some((_, reading)) = done {
            self.is_cut |= reading.is_cut;
            self.failures.extend(failures(reading, connections));
        }
        for (_, reading) in [before.done(), before.older()].into_iter().flatten() {
            add_missing(&mut self.before, reading);
        }
        let names = names.as_ref().map(|names| [names.older(), names.done()]);
        for (_, reading) in names.into_iter().flatten().flatten() {
            self.names.extend(reading.names.iter().map(|(id, name)| (id.clone(), name.clone())));
        }
    }

    /// Adds the accounts of a reading that a newer one does not have.
    fn add(&mut self, at: Timestamp, reading: &Arc<Reading>) {
        if add_missing(&mut self.accounts, reading) {
            self.as_of = Some(self.as_of.map_or(at, |oldest| oldest.min(at)));
        }
    }
}

/// Adds accounts that are not there yet; whether there was one.
fn add_missing(accounts: &mut Vec<AccountSums>, reading: &Reading) -> bool {
    let known = accounts.len();
    for account in &reading.accounts {
        if !accounts.iter().take(known).any(|there| there.is(account)) {
            accounts.push(account.clone());
        }
    }
    accounts.len() > known
}

/// What failed, by account. A refusal of all of them names the platform, or its only account.
fn failures(reading: &Reading, connections: &[&Connection]) -> Vec<Failure> {
    let errors = reading.errors.iter().map(|error| Failure::among(error.clone(), connections.iter().copied()));
    let refused = reading.refusal.as_ref().map(|refusal| {
        let account = match connections {
            [only] => only.name(),
            [first, ..] => first.platform_name().to_owned(),
            [] => String::new(),
        };
        Failure { account, message: refusal.message.clone() }
    });
    errors.chain(refused).collect()
}
