//! The rows of the chosen tab in their order. Amounts of two currencies are never added, nor compared.

use super::order::Order;
use super::view::TableKind;
use crate::client::readings::{Account, AccountNumbers, InsightsData, Sums};
use crate::kit::numbers::Numbers;
use crate::kit::range::Range;
use jiff::Timestamp;
use shared::domain::{CampaignId, Currency, Platform};
use std::collections::BTreeMap;

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The platform for people.
    pub(super) platform: &'static str,
    /// Name and number of the ad account; `None` for a platform.
    pub(super) account: Option<(String, String)>,
    /// Name and id of the campaign.
    pub(super) campaign: Option<(String, String)>,
    /// The number of ad accounts, and of those whose numbers are missing.
    pub(super) accounts: usize,
    pub(super) missing: usize,
    /// Something of them could not be read, or not since.
    pub(super) is_incomplete: bool,
    /// When its numbers were read, the oldest of them.
    pub(super) read_at: Option<Timestamp>,
    /// The oldest of those that are from before, because their platform does not answer.
    pub(super) as_of: Option<Timestamp>,
    /// Their days; of a platform those of most of its ad accounts.
    pub(super) range: Range,
    pub(super) currency: Currency,
    pub(super) now: Numbers,
    /// The numbers of the period before; `None` if one of the accounts has not reported them.
    pub(super) before: Option<Numbers>,
}

/// The rows in order.
pub(super) fn lines(gathered: &InsightsData, by: TableKind, order: Order) -> Vec<Line> {
    let mut lines = match by {
        TableKind::Platform => platforms(gathered),
        TableKind::Account => gathered.accounts_with_numbers().map(account_line).collect(),
        TableKind::Campaign => {
            gathered.accounts_with_numbers().flat_map(|told| campaign_lines(gathered, told)).collect()
        }
    };
    order.sort(&mut lines, &gathered.currencies());
    lines
}

/// The sum of some accounts now, and in the period before.
pub(super) fn sum<'a>(accounts: impl Iterator<Item = AccountNumbers<'a>>) -> (Numbers, Option<Numbers>) {
    let (mut now, mut before) = (Numbers::default(), Some(Numbers::default()));
    for told in accounts {
        now.add(&told.now.total);
        before = before.zip(told.account.before.as_ref()).map(|(mut sum, earlier)| {
            sum.add(&earlier.total);
            sum
        });
    }
    (now, before)
}

impl Line {
    /// The name in the first column.
    pub(super) fn name(&self) -> &str {
        let named = self.campaign.as_ref().or(self.account.as_ref());
        named.map_or(self.platform, |(name, _)| name.as_str())
    }
}

fn platforms(gathered: &InsightsData) -> Vec<Line> {
    let mut groups: BTreeMap<(Platform, &str), Vec<AccountNumbers<'_>>> = BTreeMap::new();
    for told in gathered.accounts_with_numbers() {
        groups.entry((told.account.connection.platform, told.currency.code())).or_default().push(told);
    }
    let line = |((platform, _), accounts): ((Platform, &str), Vec<AccountNumbers<'_>>)| {
        let currency = accounts.first()?.currency;
        let (now, before) = sum(accounts.iter().copied());
        let missing = gathered.missing(Some(platform), currency).count();
        Some(Line {
            platform: platform.display_name(),
            account: None,
            campaign: None,
            accounts: accounts.len(),
            missing,
            is_incomplete: missing > 0 || accounts.iter().any(is_incomplete),
            read_at: accounts.iter().filter_map(|told| told.account.read_at).min(),
            as_of: accounts.iter().filter_map(kept_since).min(),
            range: Range::shared(accounts.iter().map(|told| told.account.range))?,
            currency,
            now: if missing > 0 { now.lower_bound() } else { now },
            before,
        })
    };
    groups.into_iter().filter_map(line).collect()
}

/// The number of ad accounts of a platform whose numbers are missing, whatever their currency.
pub(super) fn missing_accounts(gathered: &InsightsData, platform: &str) -> usize {
    let own = gathered.accounts.iter().filter(|account| account.connection.platform_name() == platform);
    own.filter(|account| account.is_missing).count()
}

/// Whether something of an account could not be read, now or at all.
fn is_incomplete(told: &AccountNumbers<'_>) -> bool {
    told.now.is_partial() || told.account.is_kept
}

/// When the numbers of an account were read, if its platform has not told them since.
fn kept_since(told: &AccountNumbers<'_>) -> Option<Timestamp> {
    told.account.read_at.filter(|_| told.account.is_kept)
}

fn account_line(told: AccountNumbers<'_>) -> Line {
    let Account { connection, range, before, .. } = told.account;
    Line {
        platform: connection.platform_name(),
        account: Some((connection.own_name().to_owned(), connection.remote_account_id.clone())),
        campaign: None,
        accounts: 1,
        missing: 0,
        is_incomplete: is_incomplete(&told),
        read_at: told.account.read_at,
        as_of: kept_since(&told),
        range: *range,
        currency: told.currency,
        now: told.now.total.clone(),
        before: before.as_ref().map(|before| before.total.clone()),
    }
}

fn campaign_lines(gathered: &InsightsData, told: AccountNumbers<'_>) -> Vec<Line> {
    let line = |(id, numbers): (&CampaignId, &Numbers)| {
        let name = gathered.names.get(id).map_or_else(|| id.to_string(), String::clone);
        let earlier = |before: &Sums| before.campaigns.get(id).cloned();
        Line {
            campaign: Some((name, id.to_string())),
            now: numbers.clone(),
            before: told.account.before.as_ref().and_then(earlier),
            ..account_line(told)
        }
    };
    told.now.campaigns.iter().map(line).collect()
}
