//! Takes together what the platforms have answered in time: a slow one does not hold up the others.

use super::freshness::seconds_to_newer;
use super::last_reads::LastRead;
use super::memory::{CachedAnswer, PlatformAnswer};
use super::questions::{GroupQuestions, PlatformQuestions, Wanted, ask_platforms};
use super::reading::Sums;
use crate::client::accounts::{self, Connection, Failure};
use crate::client::api::{Api, Refusal};
use crate::client::session::SignedIn;
use crate::kit::currencies::most_used;
use crate::kit::missing::{MissingPart, freshness, newer_in, progress};
use crate::kit::numbers::Numbers;
use crate::kit::range::Range;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{CampaignId, Currency, Days, Platform};
use shared::serve::WebRequest;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Time for what the page shows first.
const FIRST_WAIT: Duration = Duration::from_millis(900);
/// Time for everything, less than a page has.
const FULL_WAIT: Duration = Duration::from_secs(20);

/// What the platforms have answered.
#[derive(Default)]
pub(crate) struct InsightsData {
    pub(crate) accounts: Vec<Account>,
    /// The names of campaigns, by id.
    pub(crate) names: BTreeMap<CampaignId, String>,
    /// Accounts that failed.
    pub(crate) failures: Vec<Failure>,
    /// Accounts that have not responded yet.
    pub(crate) late: Vec<String>,
    /// Something is still being read.
    pub(crate) is_reading: bool,
    /// There are more rows.
    pub(crate) is_cut: bool,
    /// The oldest of the numbers, except those of [`InsightsData::kept_since`].
    pub(crate) as_of: Option<Timestamp>,
    /// The times of numbers from before, of ad accounts that have not responded since, by the ids of their connections.
    pub(crate) kept_since: BTreeMap<String, Timestamp>,
    /// The only currency; `None` for all.
    pub(crate) currency: Option<Currency>,
    /// The last answers of ad accounts whose numbers are missing, by the ids of their connections.
    pub(crate) silent_since: BTreeMap<String, Timestamp>,
}

/// What is known of an ad account in its days.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) connection: Connection,
    pub(crate) range: Range,
    /// `None` if it has not reported them.
    pub(crate) now: Option<Sums>,
    /// The days before; `None` if it has not reported all of them, because a part would make the difference look larger
    /// than it is.
    pub(crate) before: Option<Sums>,
    /// Its numbers are missing: sums without them are lower bounds.
    pub(crate) is_missing: bool,
    /// When its numbers were read.
    pub(crate) read_at: Option<Timestamp>,
    /// They are from before: its platform was asked since, and has not told them.
    pub(crate) is_kept: bool,
}

/// The numbers of an ad account that has answered.
#[derive(Clone, Copy)]
pub(crate) struct AccountNumbers<'a> {
    pub(crate) account: &'a Account,
    pub(crate) currency: Currency,
    pub(crate) now: &'a Sums,
}

/// An answer and its time: the last one, if it is there, and an older one in which every account has answered.
type Answers<'a> = [Option<(Timestamp, &'a PlatformAnswer)>; 2];

/// What the ad accounts of a platform with the same days have answered.
pub(crate) struct GroupAnswers<'a> {
    pub(crate) connections: &'a [&'a Connection],
    pub(crate) range: Range,
    pub(crate) days: Answers<'a>,
    pub(crate) before: Answers<'a>,
}

/// Gathers what a page shows. The platforms are asked at the same time, and the questions to one of them one after the
/// other.
pub(crate) async fn gather(
    request: &WebRequest,
    person: &SignedIn,
    wanted: &Wanted,
    is_patient: bool,
) -> Result<InsightsData, Refusal> {
    let until = Instant::now() + if is_patient { FULL_WAIT } else { FIRST_WAIT };
    let connections = accounts::connections(&Api::new(request, person).acting_for(wanted.user.as_ref())).await?;
    let asked = ask_platforms(request, person, wanted, &connections);
    let groups = || asked.iter().flat_map(|asked| &asked.groups);
    let names = asked.iter().filter_map(|asked| asked.names.as_ref());
    let all = groups().map(|group| &group.days).chain(names).chain(groups().filter_map(|group| group.before.as_ref()));
    for kept in all {
        if timeout_at(until, kept.wait()).await.is_err() {
            break;
        }
    }
    let mut gathered = InsightsData::default();
    for asked in &asked {
        gathered.take(asked);
    }
    Ok(gathered)
}

impl InsightsData {
    /// Keeps the ad accounts with a currency, if one is chosen.
    pub(crate) fn in_currency(self, currency: Option<Currency>) -> InsightsData {
        InsightsData { currency, ..self }
    }

    /// The accounts that have reported their numbers.
    pub(crate) fn accounts_with_numbers(&self) -> impl Iterator<Item = AccountNumbers<'_>> {
        let told = self.accounts.iter().filter_map(|account| {
            let (currency, now) = (account.connection.currency?, account.now.as_ref()?);
            Some(AccountNumbers { account, currency, now })
        });
        told.filter(|told| self.currency.is_none_or(|chosen| chosen == told.currency))
    }

    /// The currencies, first that in which most campaigns spent: amounts of two currencies cannot say which is more.
    pub(crate) fn currencies(&self) -> Vec<Currency> {
        let has_spent = |numbers: &&Numbers| numbers.spend.known().is_some_and(|spend| spend > Decimal::ZERO);
        let spending = |told: &AccountNumbers<'_>| told.now.campaigns.values().filter(has_spent).count();
        most_used(self.accounts_with_numbers().map(|told| (told.currency, spending(&told))))
    }

    /// The days that the page names: those of most accounts with numbers, else of all accounts, or those that were asked for
    /// while no account is known.
    pub(crate) fn shown_range(&self, asked: Range) -> Range {
        let shown = Range::shared(self.accounts_with_numbers().map(|told| told.account.range));
        shown.or_else(|| Range::shared(self.accounts.iter().map(|account| account.range))).unwrap_or(asked)
    }

    /// The ad accounts whose days are others than the page names, because it is another day there: how many they are, and
    /// their days, if they are the same in all.
    pub(crate) fn other_days(&self, shown: Range) -> Option<(usize, Option<Days>)> {
        let is_chosen = |account: &&Account| {
            self.currency.is_none_or(|chosen| account.connection.currency.is_none_or(|known| known == chosen))
        };
        let days = self.accounts.iter().filter(is_chosen).map(|account| account.range.period());
        let others: Vec<Days> = days.filter(|days| *days != shown.period()).collect();
        let first = *others.first()?;
        Some((others.len(), others.iter().all(|days| *days == first).then_some(first)))
    }

    /// Whether the numbers of an ad account are missing.
    pub(crate) fn is_without_accounts(&self) -> bool {
        self.accounts.iter().any(|account| account.is_missing)
    }

    /// The same with the time since when the missing ad accounts do not answer, as the list of campaigns knows it.
    pub(crate) fn with_last_reads(self, reads: &BTreeMap<String, LastRead>) -> InsightsData {
        let since = |(id, read): (&String, &LastRead)| Some((id.clone(), read.failure.as_ref()?.since?));
        InsightsData { silent_since: reads.iter().filter_map(since).collect(), ..self }
    }

    /// What the sum of a currency is without, by platform.
    pub(crate) fn missing_parts(&self, currency: Currency) -> Vec<MissingPart> {
        self.parts(Some(currency), |account| account.is_missing)
    }

    /// The age of the numbers: `Updated just now, TikTok as of 02:58 UTC`; `None` without ad accounts.
    pub(crate) fn age(&self, now: Timestamp) -> Option<String> {
        let is_kept = |account: &Account| self.kept_since.contains_key(&account.connection.id.0);
        freshness(self.as_of, &self.parts(self.currency, |account| account.is_missing || is_kept(account)), now)
    }

    /// When newer numbers can be read, if a person who has asked for them did so too soon.
    pub(crate) fn newer_in(&self, asks_for_newer: bool, now: Timestamp) -> Option<String> {
        let read = self.as_of.filter(|_| asks_for_newer && !self.is_reading)?;
        seconds_to_newer(read, now).map(newer_in)
    }

    /// How far the reading is, where several ad accounts are read: `18 of 25 ad accounts have responded.`
    pub(crate) fn progress(&self) -> Option<String> {
        let (all, late) = (self.accounts.len(), self.late.len());
        (all > 1 && late > 0).then(|| progress(all.saturating_sub(late), all, None))
    }

    /// The ad accounts that lack something, by platform.
    fn parts(&self, currency: Option<Currency>, is_lacking: impl Fn(&Account) -> bool) -> Vec<MissingPart> {
        let part = |platform: Platform| {
            let own = || self.accounts.iter().filter(|account| belongs(account, Some(platform), currency));
            let missing: Vec<&Account> = own().filter(|account| is_lacking(account)).collect();
            let since = |account: &&Account| {
                let id = &account.connection.id.0;
                self.kept_since.get(id).or_else(|| self.silent_since.get(id)).copied()
            };
            let is_kept = missing.iter().all(|account| self.kept_since.contains_key(&account.connection.id.0));
            let since = missing.iter().filter_map(since).min();
            let (missing, all) = (missing.len(), own().count());
            (missing > 0).then_some(MissingPart { platform, missing, all, since, is_kept, is_first: false })
        };
        Platform::ALL.into_iter().filter_map(part).collect()
    }

    /// The ad accounts in a currency, on a platform or on any, whose numbers are missing.
    pub(crate) fn missing(&self, platform: Option<Platform>, currency: Currency) -> impl Iterator<Item = &Account> {
        self.accounts.iter().filter(move |account| account.is_missing && belongs(account, platform, Some(currency)))
    }

    /// Whether numbers are missing of an ad account in a currency that is on a platform, or on any.
    pub(crate) fn lacks(&self, platform: Option<Platform>, currency: Currency) -> bool {
        self.missing(platform, currency).next().is_some()
    }

    fn take(&mut self, asked: &PlatformQuestions<'_>) {
        let PlatformQuestions { groups, names } = asked;
        for GroupQuestions { connections, range, days, before } in groups {
            self.is_reading |= before.as_ref().is_some_and(|before| before.finished().is_none());
            let (days, before) = (answers(days), before.as_ref().map(answers).unwrap_or_default());
            self.take_group(&GroupAnswers { connections, range: *range, days, before });
        }
        self.is_reading |= names.as_ref().is_some_and(|names| names.finished().is_none());
        let names = names.as_ref().map(|names| [names.fallback(), names.finished()]);
        for (_, answer) in names.into_iter().flatten().flatten() {
            self.names.extend(answer.names.iter().map(|(id, name)| (id.clone(), name.clone())));
        }
    }

    /// Takes the answers of some accounts. What the last one does not have of an account, an older one may have.
    pub(crate) fn take_group(&mut self, GroupAnswers { connections, range, days, before }: &GroupAnswers<'_>) {
        let [last, older] = *days;
        self.is_reading |= last.is_none();
        if last.is_none() && older.is_none() {
            self.late.extend(connections.iter().map(|connection| connection.name()));
        }
        for &connection in *connections {
            let of = |answer: &PlatformAnswer| answer.accounts.get(&connection.id).cloned();
            let now = days.iter().flatten().find_map(|(at, answer)| Some((*at, of(answer)?)));
            let before = before.iter().flatten().find_map(|(_, answer)| of(answer).filter(|sums| !sums.is_partial()));
            match (now.as_ref(), last) {
                // The last answer is without it.
                (Some((at, _)), Some((latest, answer))) if *at < latest && !answer.is_good() => {
                    let kept = self.kept_since.entry(connection.id.0.clone()).or_insert(*at);
                    *kept = (*kept).min(*at);
                }
                (Some((at, _)), _) => self.as_of = Some(self.as_of.map_or(*at, |oldest| oldest.min(*at))),
                (None, _) => {}
            }
            // Without an answer it has no campaigns, if its platform has answered in full.
            let is_missing = now.is_none() && !last.is_some_and(|(_, answer)| answer.is_good());
            let read_at = now.as_ref().map(|(at, _)| *at);
            let is_kept = last.zip(read_at).is_some_and(|((last, _), read)| read < last);
            let (connection, now) = (connection.clone(), now.map(|(_, sums)| sums));
            self.accounts.push(Account { connection, range: *range, now, before, is_missing, read_at, is_kept });
        }
        if let Some((_, answer)) = last {
            self.is_cut |= answer.end.is_cut;
            self.note(failures(answer, connections));
        }
    }

    /// Adds failures. A platform whose accounts have other days fails once for each group of them, and is named once.
    pub(crate) fn note(&mut self, failures: Vec<Failure>) {
        for failure in failures {
            if self.failures.iter().all(|known| known.account != failure.account) {
                self.failures.push(failure);
            }
        }
    }
}

/// Whether an ad account belongs to a sum. The currency of an account that has never answered is not known.
fn belongs(Account { connection, .. }: &Account, platform: Option<Platform>, currency: Option<Currency>) -> bool {
    platform.is_none_or(|platform| platform == connection.platform)
        && currency.is_none_or(|asked| connection.currency.is_none_or(|known| known == asked))
}

fn answers(kept: &CachedAnswer) -> Answers<'_> {
    [kept.finished(), kept.fallback()].map(|kept| kept.map(|(at, answer)| (at, answer.as_ref())))
}

/// What failed, by account. A refusal of all of them names the platform, or its only account.
fn failures(answer: &PlatformAnswer, connections: &[&Connection]) -> Vec<Failure> {
    let errors = answer.end.errors.iter();
    let errors = errors.map(|error| Failure::among(error.clone(), connections.iter().copied()));
    let refused = answer.end.refusal.as_ref().map(|refusal| {
        let account = match connections {
            [only] => only.name(),
            [first, ..] => first.platform_name().to_owned(),
            [] => String::new(),
        };
        let platform = connections.first().map(|first| first.platform);
        let message = platform.map_or_else(|| refusal.in_full(), |platform| refusal.of_reading(platform));
        Failure { account, message }
    });
    errors.chain(refused).collect()
}
