//! The assistants that the person has connected before, and what all of them may run.

use crate::client::connect_request::{ANEW, ConnectRequest};
use crate::kit::limit::{has_one_currency, limit_words};
use crate::kit::money::in_currency;
use crate::kit::text::listed;
use crate::pages::layout::Layout;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::assistants::clients::leads_to_same;
use shared::domain::{ApiKeyInfo, Assistant, ClientKey, Currency, PersonId, Scope, Spending, SpendingLimit};

/// An assistant that may be connected anew.
pub(super) struct Earlier {
    pub(super) key: String,
    pub(super) name: String,
    /// What it may do now.
    pub(super) words: String,
    pub(super) scope: Scope,
    pub(super) limit: SpendingLimit,
    /// The user for whom alone it acts; empty for the whole account.
    pub(super) user: String,
    pub(super) is_chosen: bool,
}

/// Whether a person has connected this client before, with the same redirect URI. The port of a program on the computer
/// changes.
pub(super) fn is_same(assistant: &Assistant, person: &PersonId, asked: &ConnectRequest) -> bool {
    assistant.person == *person
        && assistant.client == ClientKey::of(&asked.client_id)
        && leads_to_same(&assistant.redirect_uri, &asked.redirect_uri)
}

/// Whether tokens of a key would work.
pub(super) fn is_live(key: &ApiKeyInfo, now: Timestamp) -> bool {
    key.is_of_assistant && key.is_valid(now)
}

/// The choices among earlier assistants, the last one first. Their keys work, and the form has room for their limits.
pub(super) fn earlier<'a>(
    own: impl Iterator<Item = &'a Assistant>,
    keys: &[ApiKeyInfo],
    spendings: &[Spending],
    layout: &Layout,
    now: Timestamp,
) -> Vec<Earlier> {
    let mut own: Vec<&Assistant> = own.collect();
    own.sort_by_key(|one| std::cmp::Reverse(one.consented_at));
    let of_assistant = |one: &Assistant| {
        let key = keys.iter().find(|key| key.id == one.key && is_live(key, now))?;
        let limit = limit_of(key, spendings)?;
        let words = if one.scope == Scope::Read { "only looks".to_owned() } else { limit_words(limit) };
        let user = key.external_ref.as_ref().map(ToString::to_string).unwrap_or_default();
        Some(Earlier {
            key: key.id.0.clone(),
            name: key.name.clone(),
            words: if user.is_empty() { words } else { format!("{words}; for your user {user} alone") },
            scope: one.scope,
            limit: limit.clone(),
            user,
            is_chosen: layout.value(ANEW) == Some(key.id.0.as_str()),
        })
    };
    let mut earlier: Vec<Earlier> = own.into_iter().filter_map(of_assistant).collect();
    // Who comes back wants what there was. A form that is shown again keeps its choice.
    if layout.value(ANEW).is_none()
        && let Some(last) = earlier.first_mut()
    {
        last.is_chosen = true;
    }
    earlier
}

/// What all assistants together may run: `150.00 USD a day`. `None` if they may run nothing.
pub(super) fn sum_of_assistants(keys: &[ApiKeyInfo], spendings: &[Spending], now: Timestamp) -> Option<String> {
    let mut sums: Vec<(Currency, Decimal)> = Vec::new();
    let limits = keys.iter().filter(|key| is_live(key, now)).filter_map(|key| limit_of_any(key, spendings));
    for amounts in limits.flat_map(|limit| &limit.amounts).filter(|amounts| !amounts.daily.is_zero()) {
        match sums.iter_mut().find(|(currency, _)| *currency == amounts.currency) {
            Some((_, sum)) => *sum = sum.saturating_add(amounts.daily),
            None => sums.push((amounts.currency, amounts.daily)),
        }
    }
    let sums: Vec<String> = sums.into_iter().map(|(currency, sum)| in_currency(sum, currency)).collect();
    (!sums.is_empty()).then(|| format!("{} a day", listed(&sums)))
}

fn limit_of<'a>(key: &ApiKeyInfo, spendings: &'a [Spending]) -> Option<&'a SpendingLimit> {
    limit_of_any(key, spendings).filter(|limit| has_one_currency(limit))
}

fn limit_of_any<'a>(key: &ApiKeyInfo, spendings: &'a [Spending]) -> Option<&'a SpendingLimit> {
    spendings.iter().find(|spending| spending.spender.key() == Some(&key.id))?.limit.as_ref()
}
