//! The customer's keys with a limit, as agents.

use super::assistants::AssistantView;
use crate::kit::addresses::{agent_limit, key_activity, one_key};
use crate::kit::key_stop::StopView;
use crate::kit::limit::{LimitBar, bars, still_counts};
use jiff::Timestamp;
use shared::domain::{ApiKeyInfo, KeyId, Scope, Spending, SpendingLimit};
use std::collections::HashMap;

/// An agent.
pub(super) struct Agent {
    pub(super) name: String,
    pub(super) is_expired: bool,
    /// What it has left, by currency.
    pub(super) bars: Vec<LimitBar>,
    /// Why budgets count that do not run any more.
    pub(super) still: Option<String>,
    /// `3 of 20 campaigns created today`
    pub(super) creates: String,
    /// When it asks a person.
    pub(super) asks: &'static str,
    /// The number of its changes that wait for a person.
    pub(super) waiting: usize,
    /// Its activity, its own page, and that of its limit.
    pub(super) changes: String,
    pub(super) page: String,
    pub(super) edit: String,
    /// How far the stop of a stopped key is.
    pub(super) stop: Option<StopView>,
    /// What is true since it was stopped or reverted.
    pub(super) after: Vec<String>,
    /// Who has connected an assistant; `None` for a key that a person made.
    pub(super) assistant: Option<AssistantView>,
}

/// The agents, newest first. `waiting` has the activity of the key of each change that waits.
pub(super) fn agents(
    keys: &[ApiKeyInfo],
    spendings: &[Spending],
    stops: &mut HashMap<KeyId, StopView>,
    assistants: &mut HashMap<KeyId, AssistantView>,
    after: &mut HashMap<KeyId, Vec<String>>,
    waiting: &[Option<String>],
    now: Timestamp,
) -> Vec<Agent> {
    let of_key = |key: &ApiKeyInfo| {
        let spending = spendings.iter().find(|spending| spending.spender.key() == Some(&key.id))?;
        let limit = spending.limit.as_ref()?;
        let only_looks = !key.scopes.contains(&Scope::Campaigns);
        let changes = key_activity(&key.id.0);
        Some(Agent {
            name: key.name.clone(),
            is_expired: key.expires_at.is_some_and(|at| at <= now),
            bars: if only_looks { Vec::new() } else { bars(spending, now) },
            still: if only_looks { None } else { still_counts(spending, now) },
            creates: if only_looks {
                "Nothing: it changes nothing".to_owned()
            } else {
                format!("{} of {} campaigns created today", spending.creates_today(now), limit.creates_per_day)
            },
            asks: if only_looks { "Only looks" } else { asks(limit) },
            waiting: waiting.iter().filter(|key| key.as_ref() == Some(&changes)).count(),
            page: one_key(&key.id.0),
            edit: agent_limit(&key.id.0),
            stop: stops.remove(&key.id),
            after: after.remove(&key.id).unwrap_or_default(),
            assistant: assistants.remove(&key.id),
            changes,
        })
    };
    keys.iter().filter(|key| key.is_limited).filter_map(of_key).collect()
}

fn asks(limit: &SpendingLimit) -> &'static str {
    match &limit.approval {
        Some(rule) if rule.activation && rule.amounts.is_empty() => "Asks before a campaign starts",
        Some(rule) if rule.activation => "Asks before a campaign starts, and before a large change",
        Some(_) => "Asks before a large change",
        None => "Acts without asking",
    }
}
