//! Reads the history for the page: the state of agents that were stopped or reverted, and the programs without a limit with
//! their changes of the last 24 hours.

use super::limit::may_get_limit;
use crate::client::changes;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::addresses::{agent_limit, one_key};
use crate::kit::aftermath::{Aftermath, LOOKS_BACK};
use crate::kit::effects::Effects;
use crate::kit::key_stop::StopView;
use crate::kit::left::{Doer, applied_at};
use crate::kit::limit::still_counts;
use crate::kit::text::when;
use jiff::{SignedDuration, Timestamp};
use shared::domain::{ApiKeyInfo, Change, KeyId, Scope, Spending};
use shared::serve::WebRequest;
use std::collections::HashMap;

/// The page counts the changes of a program in this time.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// A program whose key has no limit, and that may change campaigns.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) name: String,
    /// Its page, and that on which it gets a limit.
    pub(super) page: String,
    pub(super) edit: String,
    pub(super) is_stopped: bool,
    /// `+225.00 USD a day`
    pub(super) sums: Vec<String>,
    /// `12 changes of 4 campaigns`; `None` for nothing.
    pub(super) counts: Option<String>,
}

/// The parts of the page that come from the history.
#[derive(Default)]
pub(super) struct Told {
    /// The sentences about each agent that was stopped or reverted.
    pub(super) agents: HashMap<KeyId, Vec<String>>,
    pub(super) programs: Vec<Program>,
    /// Whether there may be older changes of the day than are read.
    pub(super) is_cut: bool,
}

/// The history is read only if there is such a key, and without an answer less is told. Where a stop says which campaigns run,
/// nothing else does.
pub(super) async fn read(
    request: &WebRequest,
    person: &SignedIn,
    spendings: &[Spending],
    stops: &HashMap<KeyId, StopView>,
) -> Told {
    let has_ended = |key: &&ApiKeyInfo| {
        let spending = spendings.iter().find(|spending| spending.spender.key() == Some(&key.id));
        key.stopped_at.is_some() || spending.is_some_and(|spending| still_counts(spending, request.now).is_some())
    };
    let keys: Vec<&ApiKeyInfo> =
        person.account.keys.all().iter().filter(|key| key.is_limited).filter(has_ended).collect();
    let programs: Vec<&ApiKeyInfo> =
        person.account.keys.all().iter().filter(|key| changes_without_limit(key)).collect();
    if keys.is_empty() && programs.is_empty() {
        return Told::default();
    }
    let history = changes::since(request, person, request.now - LOOKS_BACK);
    let (history, kept) = tokio::join!(history, readings::kept_with_times(request, person));
    let (history, is_cut) = history.unwrap_or_default();
    let of_key = |key: &ApiKeyInfo| {
        let stopped = key.stopped_at.map(|at| format!("Stopped {}.", when(at, request.now)));
        let after = Aftermath::of(&key.id, &history, request.now);
        let is_told = stops.get(&key.id).is_some_and(|stop| stop.runs.is_some());
        let runs = if is_told { None } else { after.runs(&kept, request.now) };
        let lines = [stopped, after.words(&person.session.person, request.now), runs];
        (key.id.clone(), lines.into_iter().flatten().collect())
    };
    Told {
        agents: keys.into_iter().map(of_key).collect(),
        programs: programs.into_iter().map(|key| Program::of(key, &history, request.now)).collect(),
        is_cut: is_cut && history.last().is_some_and(|oldest| oldest.created_at() > request.now - DAY),
    }
}

fn changes_without_limit(key: &ApiKeyInfo) -> bool {
    let may_change = key.scopes.contains(&Scope::Write) || key.scopes.contains(&Scope::Campaigns);
    may_get_limit(key) && may_change
}

impl Program {
    fn of(key: &ApiKeyInfo, history: &[Change], now: Timestamp) -> Program {
        let mut effects = Effects::default();
        let is_own = |change: &&Change| !change.is_step && Doer::of(change) == Doer::Key(&key.id);
        let is_of_day = |change: &&Change| applied_at(change, now).is_some_and(|at| at >= now - DAY);
        history.iter().filter(is_own).filter(is_of_day).for_each(|change| effects.add(change));
        Program {
            name: key.name.clone(),
            page: one_key(&key.id.0),
            edit: agent_limit(&key.id.0),
            is_stopped: key.stopped_at.is_some(),
            sums: effects.sums(),
            counts: (effects.changes() > 0).then(|| effects.counts()),
        }
    }
}

#[cfg(test)]
#[test]
fn a_program_without_a_limit_says_what_it_did_since_yesterday() {
    use crate::kit::changes::sample::{now, update, values};
    use shared::domain::{CampaignChanges, CampaignStatus, CampaignValues, ChangeState, KeyDisplay, Requester};
    let id = KeyId("key_1".to_owned());
    let key = ApiKeyInfo::unlimited(id.clone(), "Nightly", "a".repeat(64), KeyDisplay::from("uac_live_0123"), now());
    let of = |amount: u32| CampaignValues {
        status: CampaignStatus::Active,
        budget_amount: Some(amount.into()),
        ..values("A")
    };
    let raise = |settled_at| Change {
        state: ChangeState::Applied,
        requested_by: Requester::ApiKey { id: id.clone(), name: "Nightly".to_owned() },
        settled_at: Some(settled_at),
        before: Some(of(10)),
        after: Some(of(60)),
        ..update(CampaignChanges { budget_amount: Some(60.into()), ..CampaignChanges::default() })
    };
    let told = |changes: &[Change]| {
        let Program { sums, counts, .. } = Program::of(&key, changes, now());
        (sums.join(", "), counts)
    };
    let old = raise(now() - DAY - SignedDuration::from_secs(1));
    let day = told(&[raise(now()), old.clone()]);
    assert_eq!(day, ("+50.00 USD a day".to_owned(), Some("1 change of 1 campaign".to_owned())));
    assert_eq!(told(&[old]), (String::new(), None));
    assert!(changes_without_limit(&ApiKeyInfo { scopes: [Scope::Write].into(), ..key.clone() }));
    for (scope, is_limited) in [(Scope::Read, false), (Scope::Campaigns, true)] {
        let other = ApiKeyInfo { scopes: [scope].into(), is_limited, ..key.clone() };
        assert!(!changes_without_limit(&other), "{scope:?}");
    }
}
