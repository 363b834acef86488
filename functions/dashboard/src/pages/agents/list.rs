//! The customer's keys with a limit, as agents.

use crate::kit::addresses::{USER, agent_limit, key_activity, of_user, one_key};
use crate::kit::assistant::AssistantView;
use crate::kit::key_stop::{StopView, goes_on};
use crate::kit::limit::{LimitBar, bars, limit_words, seen_accounts, still_counts};
use jiff::Timestamp;
use shared::domain::{ApiKeyInfo, ConnectionId, KeyId, Scope, Spending, SpendingLimit};
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
    /// What it may do, and when it asks a person: `May run up to 50.00 USD a day`.
    pub(super) may: String,
    /// The ad accounts that it sees.
    pub(super) sees: String,
    /// Name and page of the user for whom alone it acts.
    pub(super) user: Option<(String, String)>,
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
    /// What goes on without it.
    pub(super) runs: String,
}

impl Agent {
    /// Whether its sign-in has ended.
    pub(super) fn is_signed_out(&self) -> bool {
        self.assistant.as_ref().is_some_and(|one| one.ended.is_some())
    }
}

/// The records of agents beside their keys.
pub(super) struct Known {
    pub(super) spendings: Vec<Spending>,
    /// The names of the ad accounts.
    pub(super) names: Vec<(ConnectionId, String)>,
    pub(super) stops: HashMap<KeyId, StopView>,
    pub(super) assistants: HashMap<KeyId, AssistantView>,
    /// The sentences about each that was stopped or reverted.
    pub(super) after: HashMap<KeyId, Vec<String>>,
    /// The activity of the key of each change that waits.
    pub(super) waiting: Vec<Option<String>>,
}

/// The agents, newest first, and those that are signed out last.
pub(super) fn agents(keys: &[ApiKeyInfo], mut known: Known, now: Timestamp) -> Vec<Agent> {
    let of_key = |key: &ApiKeyInfo| {
        let spending = known.spendings.iter().find(|spending| spending.spender.key() == Some(&key.id))?;
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
            may: may(limit, only_looks),
            sees: seen_accounts(limit, &known.names),
            user: key.external_ref.as_ref().map(|user| (user.to_string(), of_user(USER, user))),
            waiting: known.waiting.iter().filter(|key| key.as_ref() == Some(&changes)).count(),
            page: one_key(&key.id.0),
            edit: agent_limit(&key.id.0),
            stop: known.stops.remove(&key.id),
            after: known.after.remove(&key.id).unwrap_or_default(),
            assistant: known.assistants.remove(&key.id),
            runs: goes_on(spending),
            changes,
        })
    };
    let mut all: Vec<Agent> = keys.iter().filter(|key| key.is_limited).filter_map(of_key).collect();
    all.sort_by_key(Agent::is_signed_out);
    all
}

/// `May run up to 50.00 USD a day; acts without asking`
pub(super) fn may(limit: &SpendingLimit, only_looks: bool) -> String {
    match (only_looks, &limit.approval) {
        (true, _) => "Only looks".to_owned(),
        (false, Some(_)) => format!("May run up to {}", limit_words(limit)),
        (false, None) => format!("May run up to {}; acts without asking", limit_words(limit)),
    }
}
