//! The rows of the chosen tab in their order. Amounts of two currencies are never added, nor compared.

use super::gather::Gathered;
use super::order::Order;
use super::view::By;
use crate::client::accounts::{Connection, platform_name};
use crate::client::insights::{AccountSums, Numbers, Range};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A row.
#[derive(Debug)]
pub(super) struct Line {
    /// The platform for people.
    pub(super) platform: String,
    /// Name and number of the ad account; `None` for a platform.
    pub(super) account: Option<(String, String)>,
    /// Name and id of the campaign.
    pub(super) campaign: Option<(String, String)>,
    /// The number of ad accounts.
    pub(super) accounts: usize,
    /// Their days, from the first of one to the last of another.
    pub(super) range: Option<Range>,
    pub(super) currency: String,
    pub(super) now: Numbers,
    /// The numbers of the period before; `None` if one of the accounts has not told them.
    pub(super) before: Option<Numbers>,
}

/// The rows in order.
pub(super) fn lines(gathered: &Gathered, by: By, order: Order) -> Vec<Line> {
    let mut lines = match by {
        By::Platform => platforms(gathered),
        By::Account => gathered.accounts.iter().map(|account| account_line(gathered, account)).collect(),
        By::Campaign => gathered.accounts.iter().flat_map(|account| campaign_lines(gathered, account)).collect(),
    };
    order.sort(&mut lines, &currencies(gathered));
    lines
}

/// The currencies, those of most ad accounts first.
pub(super) fn currencies(gathered: &Gathered) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for account in &gathered.accounts {
        *counts.entry(&account.currency).or_default() += 1;
    }
    let mut order: Vec<(&str, usize)> = counts.into_iter().collect();
    order.sort_by_key(|(_, count)| Reverse(*count));
    order.into_iter().map(|(code, _)| code.to_owned()).collect()
}

/// The sum of some accounts now, and in the period before. Without the numbers that are missing it is a lower bound.
pub(super) fn sum(gathered: &Gathered, accounts: &[&AccountSums], is_partial: bool) -> (Numbers, Option<Numbers>) {
    let mut now = Numbers::default();
    let mut before = Some(Numbers::default());
    for account in accounts {
        now.merge(&account.total);
        before = before.zip(earlier(gathered, account)).map(|(mut sum, earlier)| {
            sum.merge(&earlier.total);
            sum
        });
    }
    (if is_partial { now.as_lower_bounds() } else { now }, before)
}

impl Line {
    /// The name in the first column.
    pub(super) fn name(&self) -> &str {
        let named = self.campaign.as_ref().or(self.account.as_ref());
        named.map_or(&self.platform, |(name, _)| name)
    }
}

fn earlier<'a>(gathered: &'a Gathered, account: &AccountSums) -> Option<&'a AccountSums> {
    gathered.before.iter().find(|before| before.is(account))
}

fn platforms(gathered: &Gathered) -> Vec<Line> {
    let mut groups: BTreeMap<(&str, &str), Vec<&AccountSums>> = BTreeMap::new();
    for account in &gathered.accounts {
        groups.entry((account.platform.as_str(), account.currency.as_str())).or_default().push(account);
    }
    let line = |((platform, currency), accounts): ((&str, &str), Vec<&AccountSums>)| {
        let (now, before) = sum(gathered, &accounts, gathered.lacks(Some(platform), currency));
        let (platform, currency) = (platform_name(platform).to_owned(), currency.to_owned());
        let range = gathered.range(accounts.iter().map(|account| account.connection_id.as_str()));
        Line { platform, account: None, campaign: None, accounts: accounts.len(), range, currency, now, before }
    };
    groups.into_iter().map(line).collect()
}

fn account_line(gathered: &Gathered, account: &AccountSums) -> Line {
    let (now, before) = sum(gathered, &[account], is_partial(gathered, account));
    Line {
        platform: platform_name(&account.platform).to_owned(),
        account: Some((account_name(gathered, account), account.id.clone())),
        campaign: None,
        accounts: 1,
        range: gathered.range([account.connection_id.as_str()].into_iter()),
        currency: account.currency.clone(),
        now,
        before,
    }
}

/// Whether only a part of an account's numbers was read.
fn is_partial(gathered: &Gathered, account: &AccountSums) -> bool {
    gathered.missing.iter().any(|connection| connection.id.0 == account.connection_id)
}

fn account_name(gathered: &Gathered, account: &AccountSums) -> String {
    let connection = gathered.connections.iter().find(|connection| connection.id.0 == account.connection_id);
    connection.map_or(account.id.as_str(), Connection::own_name).to_owned()
}

fn campaign_lines(gathered: &Gathered, account: &AccountSums) -> Vec<Line> {
    let of_account = account_line(gathered, account);
    let earlier = earlier(gathered, account);
    let is_partial = is_partial(gathered, account);
    let line = |(id, numbers): (&String, &Numbers)| Line {
        platform: of_account.platform.clone(),
        account: of_account.account.clone(),
        campaign: Some((gathered.names.get(id).unwrap_or(id).clone(), id.clone())),
        accounts: 1,
        range: of_account.range,
        currency: of_account.currency.clone(),
        now: if is_partial { numbers.as_lower_bounds() } else { numbers.clone() },
        before: earlier.and_then(|earlier| earlier.campaigns.get(id)).cloned(),
    };
    account.campaigns.iter().map(line).collect()
}
