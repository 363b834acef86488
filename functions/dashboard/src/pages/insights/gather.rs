//! Asks each platform by itself, and takes what has answered in time: a slow one does not hold up the others.

use super::asked::{Asked, Group, ask_platform, by_platform};
use super::view::View;
use crate::client::accounts::{self, Connection, Failure};
use crate::client::api::{Api, Refusal};
use crate::client::insights::{AccountSums, Range, Reading};
use crate::client::session::SignedIn;
use jiff::Timestamp;
use shared::domain::{Currency, Platform};
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
    /// The days that were asked for, by connection.
    pub(super) ranges: BTreeMap<String, Range>,
    /// Connections whose numbers are missing, or are not all of them: sums without them are lower bounds.
    pub(super) missing: Vec<Connection>,
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
    let platforms = by_platform(&connections);
    let asked: Vec<Asked<'_>> =
        platforms.iter().map(|(name, own)| ask_platform(request, person, view, name, own)).collect();
    let groups = || asked.iter().flat_map(|asked| &asked.groups);
    let names = asked.iter().filter_map(|asked| asked.names.as_ref());
    let all = groups().map(|group| &group.days).chain(names).chain(groups().map(|group| &group.before));
    for kept in all {
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

impl Gathered {
    /// Keeps the ad accounts with a currency, if one is chosen.
    pub(super) fn in_currency(mut self, currency: Option<Currency>) -> Gathered {
        if let Some(currency) = currency {
            self.accounts.retain(|account| account.currency == currency.code());
        }
        self
    }

    /// The days of all accounts, or those of the view while none is known.
    pub(super) fn shown_range(&self, view: &View) -> Range {
        self.range(self.ranges.keys().map(String::as_str)).unwrap_or(view.range)
    }

    /// Whether some accounts have other days than others, because it is another day there.
    pub(super) fn has_several_ranges(&self) -> bool {
        let mut periods = self.ranges.values().map(Range::period);
        let first = periods.next();
        periods.any(|period| Some(period) != first)
    }

    /// The days of some accounts, from the first of one to the last of another; `None` if they are not known.
    pub(super) fn range<'a>(&self, connections: impl Iterator<Item = &'a str>) -> Option<Range> {
        connections.filter_map(|id| self.ranges.get(id)).copied().reduce(Range::with)
    }

    /// Whether numbers are missing of an ad account in a currency that is on a platform, or on any. The currency of an
    /// account that has never answered is not known.
    pub(super) fn lacks(&self, platform: Option<&str>, currency: &str) -> bool {
        let is_on = |connection: &Connection| {
            platform.is_none_or(|platform| Platform::from_upper(platform).is_some_and(|one| one == connection.platform))
        };
        let is_in = |connection: &Connection| connection.currency.is_none_or(|known| known.code() == currency);
        self.missing.iter().any(|connection| is_on(connection) && is_in(connection))
    }

    fn take(&mut self, asked: &Asked<'_>) {
        let Asked { groups, names } = asked;
        for group in groups {
            self.take_group(group);
        }
        self.is_reading |= names.as_ref().is_some_and(|names| names.done().is_none());
        let names = names.as_ref().map(|names| [names.older(), names.done()]);
        for (_, reading) in names.into_iter().flatten().flatten() {
            self.names.extend(reading.names.iter().map(|(id, name)| (id.clone(), name.clone())));
        }
    }

    fn take_group(&mut self, Group { connections, range, days, before }: &Group<'_>) {
        self.ranges.extend(connections.iter().map(|connection| (connection.id.0.clone(), *range)));
        self.is_reading |= days.done().is_none() || before.done().is_none();
        let (done, older) = (days.done(), days.older());
        match (done, older) {
            (None, None) => self.late.extend(connections.iter().map(|connection| connection.name())),
            (done, older) => [done, older].into_iter().flatten().for_each(|(at, reading)| self.add(at, reading)),
        }
        let shown = [done, older].map(|kept| kept.map(|(_, reading)| reading.as_ref()));
        let lacking = connections.iter().filter(|connection| is_missing(&connection.id.0, shown));
        self.missing.extend(lacking.copied().cloned());
        if let Some((_, reading)) = done {
            self.is_cut |= reading.is_cut;
            self.note(failures(reading, connections));
        }
        [before.done(), before.older()].into_iter().flatten().for_each(|(_, reading)| self.take_before(reading));
    }

    /// Takes what was read of the period before. A part of it would make the difference look larger than it is.
    pub(super) fn take_before(&mut self, reading: &Reading) {
        add_missing(&mut self.before, reading.accounts.iter().filter(|own| reading.is_whole(&own.connection_id)));
    }

    /// Adds failures. A platform whose accounts have other days fails once for each group of them, and is named once.
    pub(super) fn note(&mut self, failures: Vec<Failure>) {
        for failure in failures {
            if self.failures.iter().all(|known| known.account != failure.account) {
                self.failures.push(failure);
            }
        }
    }

    /// Adds the accounts of a reading that a newer one does not have.
    fn add(&mut self, at: Timestamp, reading: &Arc<Reading>) {
        if add_missing(&mut self.accounts, reading.accounts.iter()) {
            self.as_of = Some(self.as_of.map_or(at, |oldest| oldest.min(at)));
        }
    }
}

/// Adds accounts that are not there yet; whether there was one.
fn add_missing<'a>(accounts: &mut Vec<AccountSums>, more: impl Iterator<Item = &'a AccountSums>) -> bool {
    let known = accounts.len();
    for account in more {
        if !accounts.iter().take(known).any(|there| there.is(account)) {
            accounts.push(account.clone());
        }
    }
    accounts.len() > known
}

/// Whether the numbers of a connection are missing or cut, of those that are shown: the last reading's, or else an older
/// one's. An account without an answer has no campaigns if its platform has answered in full.
fn is_missing(connection: &str, shown: [Option<&Reading>; 2]) -> bool {
    match shown.into_iter().flatten().find(|reading| reading.has(connection)) {
        Some(reading) => !reading.is_whole(connection),
        None => !shown[0].is_some_and(Reading::is_good),
    }
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
