//! Campaigns, independent of their platform.

use super::monthly::{Ledger, Month, MonthlyBudget};
use super::{
    AdDelivery, Ads, AdsUnread, AmountAsText, BudgetPeriod, CampaignDefaults, CampaignId, CampaignStatus,
    CampaignValues, ChangeId, ConnectionId, Create, Currency, DateChange, DeliveryReason, Effect, Goal, HeldDates,
    Hold, Holder, Level, Moment, Platform, Reference, Signals,
};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as, skip_serializing_none};
use uuid::Uuid;

/// A campaign as its platform reports it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlatformCampaign {
    /// Identifier in this API.
    pub id: CampaignId,
    /// Ad account on the platform.
    pub account_id: String,
    /// Identifier on the platform.
    pub remote_id: String,
    pub name: String,
    pub status: CampaignStatus,
    /// Objective; `None` if the platform's value has no equivalent.
    pub goal: Option<Goal>,
    /// Budget in major units of the currency; `None` for a campaign without its own budget.
    pub budget_amount: Option<Decimal>,
    /// Period of the budget; `None` if the platform's value has no equivalent.
    pub budget_period: Option<BudgetPeriod>,
    pub currency: Currency,
    /// Spend so far, in major units; `None` if it was not read.
    pub total_spend_amount: Option<Decimal>,
    pub start_at: Option<Timestamp>,
    pub end_at: Option<Timestamp>,
    /// Creation time; `None` on a platform without timestamps.
    pub created_at: Option<Timestamp>,
    /// Last change; `None` on a platform without timestamps.
    pub updated_at: Option<Timestamp>,
    /// The platform's JSON object, as received.
    pub raw: String,
    /// What the platform says of showing its ads.
    pub signals: Signals,
}

impl PlatformCampaign {
    /// The paused campaign that a draft describes, before it has an id. Its dates stay empty: only the platform knows
    /// the instant of a calendar day.
    pub fn of_draft(platform: Platform, account_id: &str, currency: Currency, draft: &CampaignDraft) -> Self {
        let CampaignDraft { name, goal, budget_amount, budget_period, start_at: _, end_at: _, defaults: _ } = draft;
        PlatformCampaign {
            id: CampaignId::new(platform, account_id, ""),
            account_id: account_id.to_owned(),
            remote_id: String::new(),
            name: name.clone(),
            status: CampaignStatus::Paused,
            goal: Some(*goal),
            budget_amount: Some(*budget_amount),
            budget_period: Some(*budget_period),
            currency,
            total_spend_amount: None,
            start_at: None,
            end_at: None,
            created_at: None,
            updated_at: None,
            raw: String::new(),
            signals: Signals::default(),
        }
    }

    /// The campaign's platform.
    pub fn platform(&self) -> Platform {
        self.id.platform()
    }

    /// The campaign of the API, in the ad account of a connection. Without a record it has the platform's data only.
    pub fn complete(self, connection: &ConnectionId, record: Option<CampaignRecord>) -> Campaign {
        // Destructured in full, as the record is: a new field of either must be decided here.
        let PlatformCampaign {
            id,
            account_id,
            remote_id,
            name,
            status,
            goal,
            budget_amount,
            budget_period,
            currency,
            total_spend_amount,
            start_at,
            end_at,
            created_at,
            updated_at,
            raw,
            signals,
        } = self;
        let mut campaign = Campaign {
            id,
            connection: connection.clone(),
            account_id,
            remote_id,
            name,
            status,
            goal,
            budget_amount,
            budget_period,
            monthly: None,
            currency,
            total_spend_amount,
            start_at,
            start_held_by: start_at.map(|_| Holder::Platform),
            end_at,
            end_held_by: end_at.map(|_| Holder::Platform),
            created_at,
            updated_at,
            raw,
            signals,
            delivery: None,
            reference: None,
        };
        if let Some(record) = record {
            record.apply_to(&mut campaign);
        }
        campaign
    }
}

/// The service's record of a campaign: what its platform does not store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CampaignRecord {
    /// The requested goal, which the platform's mapping may lose.
    pub goal: Option<Goal>,
    /// The requested budget period: platforms do not tell TOTAL from LIFETIME.
    pub budget_period: Option<BudgetPeriod>,
    /// Creation by the service; `None` for a campaign created elsewhere.
    pub created_at: Option<Timestamp>,
    /// The create, if the service created the campaign.
    pub create: Option<ChangeId>,
    /// The dates that the service holds, because the platform's campaigns have none.
    pub held: HeldDates,
    /// Rises with each change of the dates or the monthly budget, so that of two concurrent ones one is stored; 0
    /// before the first.
    pub revision: i64,
    /// The latest request that has changed these dates, and when.
    pub moved_by: Option<(Uuid, Timestamp)>,
    /// The monthly budget that the service holds, because the platform's campaigns have daily ones.
    pub monthly: Option<MonthlyBudget>,
    /// Last change by the service.
    pub updated_at: Timestamp,
}

impl CampaignRecord {
    /// The record of the campaign that a create has made.
    pub fn of_created(create: &Create, now: Timestamp) -> CampaignRecord {
        let CampaignDraft { goal, budget_period, name: _, budget_amount: _, start_at: _, end_at: _, defaults: _ } =
            create.draft();
        CampaignRecord {
            goal: Some(*goal),
            budget_period: Some(*budget_period),
            created_at: Some(create.began_at()),
            create: Some(create.id),
            // A plan that was made without a record must conflict with this one.
            revision: now.as_millisecond(),
            held: create.held_dates(),
            moved_by: None,
            monthly: create.monthly(now),
            updated_at: now,
        }
    }

    /// This record of a new campaign, with the fields that somebody has changed before its create was found.
    #[must_use]
    pub fn keeping(self, moved: CampaignRecord) -> CampaignRecord {
        // Names all fields, so that each new field needs a decision here.
        let CampaignRecord {
            goal,
            budget_period,
            created_at,
            create,
            held: own,
            revision,
            moved_by: _,
            monthly,
            updated_at,
        } = self;
        let theirs = moved.held;
        let start = if theirs.start_at.is_some() { theirs } else { own };
        let end = if theirs.end_at.is_some() { theirs } else { own };
        CampaignRecord {
            goal,
            budget_period,
            created_at,
            create,
            held: HeldDates {
                start_at: start.start_at,
                activation: start.activation,
                end_at: end.end_at,
                pause: end.pause,
            },
            revision: revision.max(moved.revision + 1),
            moved_by: moved.moved_by,
            monthly: moved.monthly.or(monthly),
            updated_at: updated_at.max(moved.updated_at),
        }
    }

    /// What this service holds against a paused campaign: its month is spent, or its activation waits for the start.
    fn hold(&self, status: CampaignStatus) -> Option<Hold> {
        if status != CampaignStatus::Paused {
            return None;
        }
        let monthly = self.monthly.as_ref();
        let text = if monthly.is_some_and(|monthly| monthly.closed_until.is_some() && !monthly.is_halted) {
            "The amount of its month is spent."
        } else if self.held.activation.is_some() {
            "Its activation waits for its start."
        } else {
            return None;
        };
        Some(Hold {
            effect: Effect::SwitchesOff,
            reason: DeliveryReason::HeldByService,
            level: Level::Service,
            word: None,
            message: Some(text.to_owned()),
        })
    }

    /// The same record in its next revision.
    #[must_use]
    pub fn next(&self) -> CampaignRecord {
        CampaignRecord { revision: self.revision + 1, ..self.clone() }
    }

    fn apply_to(self, campaign: &mut Campaign) {
        campaign.signals.holds.extend(self.hold(campaign.status));
        // Destructured in full: a new attribute must be decided here.
        let CampaignRecord {
            goal,
            budget_period,
            created_at,
            create: _,
            held,
            revision: _,
            moved_by: _,
            monthly,
            updated_at,
        } = self;
        campaign.goal = goal.or(campaign.goal);
        // The platform decides the period; the record only decides its spelling.
        if let (Some(recorded), Some(reported)) = (budget_period, campaign.budget_period)
            && recorded.means(reported)
        {
            campaign.budget_period = Some(recorded);
        }
        if let (Some(monthly), Some(BudgetPeriod::Daily), Some(daily_now)) =
            (monthly, campaign.budget_period, campaign.budget_amount)
        {
            campaign.budget_period = Some(BudgetPeriod::Monthly);
            campaign.budget_amount = Some(monthly.amount);
            let (amount, is_halted, ledger) = (monthly.amount, monthly.is_halted, monthly.ledger);
            let (spent, remaining, month) = (ledger.spent, monthly.remaining(), ledger.month());
            let due_at = monthly.due_at;
            campaign.monthly =
                Some(MonthSpend { amount, spent, remaining, daily_now, month, is_halted, ledger, due_at });
        }
        if held.start_at.is_some() {
            (campaign.start_at, campaign.start_held_by) = (held.start_at, Some(Holder::Service));
        }
        if held.end_at.is_some() {
            (campaign.end_at, campaign.end_held_by) = (held.end_at, Some(Holder::Service));
        }
        campaign.created_at = campaign.created_at.or(created_at);
        campaign.updated_at = campaign.updated_at.max(Some(updated_at));
    }
}

/// How far the month of a monthly budget is spent. Amounts are in major units of the account's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthSpend {
    /// The amount of a month.
    pub amount: Decimal,
    /// By the report that was read last.
    pub spent: Decimal,
    pub remaining: Decimal,
    /// The daily budget at the platform.
    pub daily_now: Decimal,
    pub month: Month,
    /// Whether the monthly budget is stopped, because the key that asked for the amount is stopped.
    pub is_halted: bool,
    /// What decides whether the campaign restarts after a raise.
    pub ledger: Ledger,
    /// When maintenance looks at it next: at once after a change of the amount.
    pub due_at: Timestamp,
}

/// A campaign of the API: the platform's data, completed from the service's record.
#[derive(Clone, Debug, PartialEq)]
pub struct Campaign {
    /// Identifier in this API.
    pub id: CampaignId,
    /// The connection to its ad account.
    pub connection: ConnectionId,
    /// Ad account on the platform (`organization_id`).
    pub account_id: String,
    /// Identifier on the platform.
    pub remote_id: String,
    pub name: String,
    pub status: CampaignStatus,
    /// Goal: the requested one, or else that of the platform.
    pub goal: Option<Goal>,
    /// Budget in major units of the currency; `None` for a campaign without its own budget.
    pub budget_amount: Option<Decimal>,
    /// Period of the budget: as requested, if the platform's means the same.
    pub budget_period: Option<BudgetPeriod>,
    /// How far the month is spent, if the service holds a monthly budget.
    pub monthly: Option<MonthSpend>,
    /// Currency of the ad account.
    pub currency: Currency,
    /// Spend so far, in major units; `None` if it was not read.
    pub total_spend_amount: Option<Decimal>,
    pub start_at: Option<Timestamp>,
    /// Who starts it; `None` without a start.
    pub start_held_by: Option<Holder>,
    pub end_at: Option<Timestamp>,
    /// Who ends it; `None` without an end.
    pub end_held_by: Option<Holder>,
    /// Creation time; `None` for a campaign created elsewhere on a platform without timestamps.
    pub created_at: Option<Timestamp>,
    /// Last change through the service or reported by the platform.
    pub updated_at: Option<Timestamp>,
    /// The platform's JSON object, as received.
    pub raw: String,
    /// What the platform and this service say of showing its ads.
    pub signals: Signals,
    /// Whether its ads are shown; `None` in answers to writes, because the words of platforms lag behind writes.
    pub delivery: Option<AdDelivery>,
    /// The caller's own reference, in the answer to the request that has named it; `None` elsewhere.
    pub reference: Option<Reference>,
}

impl Campaign {
    /// The judgement of its ads. `account` is what the platform holds against the ad account.
    pub fn judge(&self, account: &[Hold], ads: Ads<'_>) -> AdDelivery {
        AdDelivery::of(self.status, account, &self.signals, ads)
    }

    /// The same with its judgement, without its ads.
    #[must_use]
    pub fn judged(self) -> Campaign {
        Campaign { delivery: Some(self.judge(&[], Err(AdsUnread::NotRead))), ..self }
    }
}

/// Longest name of a campaign, in characters.
pub const MAX_NAME_CHARS: usize = 255;

/// A validated campaign to create in one ad account, as `PAUSED`.
#[serde_as]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CampaignDraft {
    /// Name, 1 to [`MAX_NAME_CHARS`] characters.
    pub name: String,
    #[serde_as(as = "DisplayFromStr")]
    pub goal: Goal,
    /// Budget, above zero, in major units of the account's currency.
    #[serde_as(as = "AmountAsText")]
    pub budget_amount: Decimal,
    #[serde_as(as = "DisplayFromStr")]
    pub budget_period: BudgetPeriod,
    /// Start; at once if absent.
    pub start_at: Option<Moment>,
    /// End; open if absent.
    pub end_at: Option<Moment>,
    /// The defaults of the connection or the operator at the request, so that each attempt sends the same. `None` where
    /// nobody had, and in records from before.
    pub defaults: Option<CampaignDefaults>,
}

impl CampaignDraft {
    /// A draft of the required fields. The others are absent.
    pub fn new(name: String, goal: Goal, budget_amount: Decimal, budget_period: BudgetPeriod) -> CampaignDraft {
        CampaignDraft { name, goal, budget_amount, budget_period, start_at: None, end_at: None, defaults: None }
    }

    /// Whether its ads are declared as political.
    pub fn is_political(&self) -> bool {
        self.defaults.as_ref().is_some_and(CampaignDefaults::is_political)
    }
}

/// Changes of `updateCampaign`; `None` keeps a field.
#[serde_as]
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CampaignChanges {
    pub name: Option<String>,
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub status: Option<CampaignStatus>,
    /// New budget, in major units of the account's currency.
    #[serde_as(as = "Option<AmountAsText>")]
    pub budget_amount: Option<Decimal>,
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub budget_period: Option<BudgetPeriod>,
    pub start_at: Option<DateChange>,
    pub end_at: Option<DateChange>,
}

impl CampaignChanges {
    /// Changes of the status alone.
    pub fn of_status(status: CampaignStatus) -> CampaignChanges {
        CampaignChanges { status: Some(status), ..CampaignChanges::default() }
    }

    /// Drops changes to values that the campaign already has, so that they are not written.
    pub fn against(self, current: &CampaignValues) -> CampaignChanges {
        CampaignChanges {
            name: self.name.filter(|name| *name != current.name),
            status: self.status.filter(|status| *status != current.status),
            budget_amount: self.budget_amount.filter(|amount| Some(*amount) != current.budget_amount),
            budget_period: self
                .budget_period
                .filter(|period| !current.budget_period.is_some_and(|had| had.means(*period))),
            start_at: self.start_at.filter(|start| start.date() != current.start_at),
            end_at: self.end_at.filter(|end| end.date() != current.end_at),
        }
    }

    /// Whether they stop the campaign: a pause, or a final status.
    pub fn stops(&self) -> bool {
        self.status.is_some_and(|status| status == CampaignStatus::Paused || status.is_final())
    }

    /// Whether they are about the budget.
    pub fn names_budget(&self) -> bool {
        self.budget_amount.is_some() || self.budget_period.is_some()
    }

    /// Whether they are about the start or the end.
    pub fn names_date(&self) -> bool {
        self.start_at.is_some() || self.end_at.is_some()
    }

    /// The names of the changed fields.
    pub fn field_names(&self) -> Vec<&'static str> {
        let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = self;
        let names = [
            name.as_ref().map(|_| "name"),
            status.map(|_| "status"),
            budget_amount.map(|_| "budget_amount"),
            budget_period.map(|_| "budget_period"),
            start_at.map(|_| "start_at"),
            end_at.map(|_| "end_at"),
        ];
        names.into_iter().flatten().collect()
    }

    /// Whether others ask for one of the same values. A period does not count: it stands beside most amounts, and is the one
    /// that the campaign has.
    pub fn repeat(&self, others: &CampaignChanges) -> bool {
        let CampaignChanges { name, status, budget_amount, budget_period: _, start_at, end_at } = self;
        is_same(name, &others.name)
            || is_same(status, &others.status)
            || is_same(budget_amount, &others.budget_amount)
            || is_same(start_at, &others.start_at)
            || is_same(end_at, &others.end_at)
    }

    /// Returns `true` if there is no change.
    pub fn is_empty(&self) -> bool {
        *self == CampaignChanges::default()
    }
}

fn is_same<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
    one.is_some() && one == other
}
