//! What a revert would do: for each campaign that a key has changed, the values from before its first change, and those of
//! now. Nothing here reads, waits or writes.

mod again;
mod left;
mod records;
mod sum;

use crate::client::api::Refusal;
use crate::kit::campaign::{CampaignSummary, status_word};
use crate::kit::changes::requester_text;
use crate::kit::money::budget_of;
use crate::kit::running::Running;
use crate::kit::text::isolated;
use again::Again;
use jiff::Timestamp;
use left::LeftOver;
use shared::domain::{
    Action, Campaign, CampaignChanges, CampaignId, CampaignStatus, Change, ChangeState, Inverse, KeyId, Undoable,
    undo_all,
};
pub(super) use sum::{Counted, Daily};

/// A campaign that the key has changed.
pub(super) struct Touched {
    pub(super) id: CampaignId,
    /// Its ad account on the platform.
    pub(super) account: String,
    /// What the key has done to it, and the pauses of its stop.
    pub(super) own: Vec<Change>,
    /// What others have done to it, newest first.
    pub(super) others: Vec<Change>,
    /// The campaign as it is; the error if it cannot be read.
    pub(super) now: Result<Campaign, Refusal>,
    /// Since when it is known like this from our records, if its platform has not answered.
    as_of: Option<AsOf>,
}

/// The time of the last observation of a campaign that could not be read now.
#[derive(Clone, Copy, Debug)]
struct AsOf {
    at: Timestamp,
    /// Whether only the page stopped waiting, so that its platform may be well.
    is_late: bool,
}

/// A campaign that gets its former values back.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RevertRow {
    pub(super) id: CampaignId,
    pub(super) account: String,
    pub(super) name: String,
    pub(super) before: String,
    pub(super) now: String,
    /// `Stays paused: ann@example.com paused it.`
    pub(super) notes: Vec<String>,
    /// The ids of the changes that are undone, with commas.
    pub(super) changes: String,
    /// What it may spend a day; `None` for a budget that is none of a day.
    pub(super) daily: Option<Daily>,
    /// Whether it is activated.
    pub(super) activates: bool,
}

/// A campaign that stays as it is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StayRow {
    pub(super) id: CampaignId,
    pub(super) account: String,
    pub(super) name: String,
    pub(super) reason: String,
}

/// What a revert would do.
#[derive(Debug, Default)]
pub(super) struct RevertPlan {
    pub(super) rows: Vec<RevertRow>,
    pub(super) stay: Vec<StayRow>,
    /// The number of campaigns that have their former values.
    pub(super) as_before: usize,
    /// Those that run now.
    pub(super) running: Running,
    /// Those that the stop has paused and that run again.
    pub(super) again: Again,
    /// What is left of what the key has added.
    pub(super) left: LeftOver,
}

impl RevertRow {
    /// The id of the first of the changes.
    pub(super) fn first(&self) -> &str {
        self.changes.split(',').next().unwrap_or_default()
    }
}

enum Outcome {
    Reverts(Box<(RevertRow, CampaignChanges)>),
    AsBefore,
    Stays(String),
}

impl Touched {
    /// The campaign with its changes. What the stop of the key has paused is of the key, too.
    pub(super) fn of(
        key: &KeyId,
        id: CampaignId,
        own: Vec<Change>,
        history: Vec<Change>,
        now: Result<Campaign, Refusal>,
    ) -> Touched {
        let first = own.iter().map(|change| change.id).min();
        let is_later = |change: &Change| first.is_some_and(|first| change.id > first);
        let is_known = |change: &Change| own.iter().any(|one| one.id == change.id);
        let later = history.into_iter().filter(|change| is_later(change) && !is_known(change) && !change.is_step);
        let (stops, others): (Vec<Change>, Vec<Change>) = later.partition(|change| change.stops.as_ref() == Some(key));
        let is_done = |change: &Change| matches!(change.state, ChangeState::Applied | ChangeState::PartlyApplied(_));
        let others = others.into_iter().filter(is_done).collect();
        let account = own.first().map(|change| change.account_id.clone()).unwrap_or_default();
        Touched { id, account, own: own.into_iter().chain(stops).collect(), others, now, as_of: None }
    }

    /// Whether one of these changes is of it.
    pub(super) fn has_any(&self, changes: &[String]) -> bool {
        self.own.iter().any(|own| changes.contains(&own.id.to_string()))
    }

    /// The campaign without the pause that still waits for it: a revert that lets it run comes first.
    pub(super) fn without_waiting_pause(mut self) -> Touched {
        self.own.retain(|change| change.stops.is_none() || change.state != ChangeState::Scheduled);
        self
    }

    /// Whether it ran before the key's first change, and what gives it back its former values does not switch it.
    pub(super) fn ran_before(own: &[Change]) -> bool {
        let first = own.iter().min_by_key(|change| change.id);
        let was_active =
            first.and_then(|first| first.before.as_ref()).is_some_and(|values| values.status == CampaignStatus::Active);
        let inverse = undo_all(own.iter().filter(|change| !change.is_open() && change.stops.is_none()));
        was_active && matches!(inverse, Undoable::By(inverse) if inverse.changes.status.is_none())
    }

    /// The name that it has, or had last.
    pub(super) fn name(&self) -> String {
        self.now.as_ref().map_or_else(|_| self.last_name(), |campaign| campaign.name.clone())
    }

    fn outcome(&self, now: Timestamp) -> (String, Outcome) {
        let campaign = match &self.now {
            Ok(campaign) if !campaign.status.is_final() => campaign,
            Ok(campaign) => return (campaign.name.clone(), Outcome::Stays(DELETED.to_owned())),
            Err(refusal) => {
                let reason = if refusal.status == 404 { DELETED.to_owned() } else { refusal.in_full() };
                return (self.last_name(), Outcome::Stays(reason));
            }
        };
        let is_unpaused = |change: &Change| change.is_open() || change.state == ChangeState::Sending;
        if self.own.iter().any(|change| change.stops.is_some() && is_unpaused(change)) {
            return (campaign.name.clone(), Outcome::Stays(NOT_PAUSED.to_owned()));
        }
        // A waiting change is canceled by the undo.
        let outcome = match undo_all(self.own.iter().filter(|change| !change.is_open())) {
            Undoable::By(inverse) => self.reverts(campaign, inverse, now),
            Undoable::Nothing => Outcome::AsBefore,
            Undoable::Never(change) => Outcome::Stays(never(change, campaign)),
            Undoable::Waits => Outcome::Stays("A change of it is on its way. Look again in a minute.".to_owned()),
            Undoable::ChangedBetween => Outcome::Stays(format!("{} changed it in between. {CHANGE_IT}", self.who())),
        };
        (campaign.name.clone(), outcome)
    }

    fn reverts(&self, campaign: &Campaign, inverse: Inverse, now: Timestamp) -> Outcome {
        let Inverse { changes, only_if } = inverse;
        if differs(campaign, &changes).is_empty() {
            return Outcome::AsBefore;
        }
        let summary = CampaignSummary::from(campaign);
        let is_other =
            differs(campaign, &only_if).into_iter().any(|field| differs(campaign, &changes).contains(&field));
        if is_other {
            let who = self.who();
            let has = words(campaign, &CampaignChanges::default(), &changes);
            return Outcome::Stays(format!("{who} changed it after: {has}. {CHANGE_IT}"));
        }
        let is_paused = campaign.status == CampaignStatus::Paused;
        let notes = match changes.status {
            Some(CampaignStatus::Active) if !summary.is_active(now) => {
                "Activates it: its platform may spend it.".to_owned()
            }
            Some(CampaignStatus::Paused) | None if is_paused => self.stays_paused(),
            Some(CampaignStatus::Paused) if self.is_created() => "Pauses it: it did not exist before.".to_owned(),
            Some(CampaignStatus::Paused) => "Pauses it.".to_owned(),
            _ => String::new(),
        };
        // A budget alone would say nothing of whether it is spent.
        let status = changes.status.or(is_paused.then_some(CampaignStatus::Paused));
        let shown = CampaignChanges { status, ..changes.clone() };
        let ids: Vec<String> = self.own.iter().map(|change| change.id.to_string()).collect();
        let row = RevertRow {
            id: self.id.clone(),
            account: self.account.clone(),
            name: campaign.name.clone(),
            before: words(campaign, &changes, &shown),
            now: words(campaign, &CampaignChanges::default(), &shown),
            notes: Some(notes).filter(|note| !note.is_empty()).into_iter().chain(self.silence(now)).collect(),
            changes: ids.join(","),
            daily: Daily::of(campaign, &changes, now),
            activates: changes.status == Some(CampaignStatus::Active),
        };
        Outcome::Reverts(Box::new((row, changes)))
    }

    /// Who has changed it last beside the key.
    fn who(&self) -> String {
        let other = self.others.first().map(|change| requester_text(&change.requested_by));
        other.unwrap_or_else(|| format!("Somebody at {}", self.id.platform().display_name()))
    }

    /// Whether the key has created it.
    fn is_created(&self) -> bool {
        self.own.iter().any(|change| matches!(change.action, Action::Create(_)))
    }

    /// That it stays paused, and who has paused it after the key's first change, if that is known.
    fn stays_paused(&self) -> String {
        let status = |change: &Change| match &change.action {
            Action::Update(asked) => asked.status,
            Action::Create(_) | Action::Delete => None,
        };
        let last = self.others.iter().find(|change| status(change).is_some());
        let paused = last.filter(|change| status(change) == Some(CampaignStatus::Paused));
        match paused.map(|change| requester_text(&change.requested_by)) {
            Some(who) => format!("Stays paused: {who} paused it."),
            None => "Stays paused.".to_owned(),
        }
    }

    /// The name that it had last.
    fn last_name(&self) -> String {
        let read = self.own.iter().rev().find_map(|change| change.after.as_ref().or(change.before.as_ref()));
        read.map_or_else(
            || format!("A campaign of {}", self.id.platform().display_name()),
            |values| values.name.clone(),
        )
    }
}

const DELETED: &str = "It is deleted: a deleted campaign does not come back.";
const NOT_PAUSED: &str = "The stop has not paused it yet. Look again in a minute.";
const CHANGE_IT: &str = "Change it on its page.";

/// Why a change has no undo.
fn never(change: &Change, campaign: &Campaign) -> String {
    let runs = campaign.status.switched() == CampaignStatus::Active;
    match &change.action {
        Action::Create(_) if runs => {
            "It did not exist before, and somebody else activated it. Pause it on its page.".to_owned()
        }
        Action::Create(_) => "It did not exist before. It is paused, so it spends nothing.".to_owned(),
        Action::Delete => DELETED.to_owned(),
        Action::Update(asked) if asked.names_date() => format!("Its dates were changed, too. {CHANGE_IT}"),
        Action::Update(asked) if asked.budget_period.is_some() => {
            format!("What its budget is for was changed, too. {CHANGE_IT}")
        }
        Action::Update(_) => format!("A change of it was applied only in part. {CHANGE_IT}"),
    }
}

/// The fields of which the campaign has other values.
fn differs(campaign: &Campaign, values: &CampaignChanges) -> Vec<&'static str> {
    let budget = values.budget_amount.is_some() && values.budget_amount != campaign.budget_amount;
    let period = values.budget_period.zip(campaign.budget_period).is_some_and(|(asked, has)| !asked.means(has));
    let fields = [
        ("name", values.name.as_ref().is_some_and(|name| *name != campaign.name)),
        ("status", values.status.is_some_and(|status| status.switched() != campaign.status.switched())),
        ("budget", budget || period),
    ];
    fields.into_iter().filter(|(_, is_other)| *is_other).map(|(field, _)| field).collect()
}

/// The values of a campaign with these changes, as far as `shown` names them: `Active, 50.00 USD a day`.
fn words(campaign: &Campaign, changes: &CampaignChanges, shown: &CampaignChanges) -> String {
    let name = shown.name.as_ref().map(|_| isolated(changes.name.as_ref().unwrap_or(&campaign.name)));
    let status = shown.status.map(|_| status_word(changes.status.unwrap_or(campaign.status)).to_owned());
    let budget = shown.names_budget().then(|| {
        budget_of(changes.budget_amount.or(campaign.budget_amount), campaign.currency, campaign.budget_period)
    });
    [name, status, budget].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

impl RevertPlan {
    /// Plans the revert of campaigns.
    pub(super) fn of(touched: &[Touched], now: Timestamp) -> RevertPlan {
        let mut plan = RevertPlan::default();
        for one in touched {
            match &one.now {
                Ok(campaign) => {
                    plan.running.add(&CampaignSummary::from(campaign), now);
                    plan.again.add(one, campaign, now);
                }
                Err(refusal) if refusal.status == 404 => {}
                Err(_) => plan.running.add_unread(),
            }
            let (name, outcome) = one.outcome(now);
            plan.left.add(one, &outcome, now);
            match outcome {
                Outcome::AsBefore => plan.as_before += 1,
                Outcome::Reverts(reverts) => plan.rows.push(reverts.0),
                Outcome::Stays(reason) => {
                    let (id, account) = (one.id.clone(), one.account.clone());
                    plan.stay.push(StayRow { id, account, name, reason });
                }
            }
        }
        plan
    }
}

#[cfg(test)]
mod tests;
