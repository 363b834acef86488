//! Campaigns in words: the status, the button that changes it, the goal and the budget.

use crate::kit::delivery::NotRunning;
use crate::kit::money;
use crate::kit::month::{self, Resumption};
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{
    BudgetPeriod, Campaign, CampaignId, CampaignStatus, Currency, DeliveryReason, Goal, Holder, MonthSpend, Platform,
};
use shared::platforms::adapter;

/// The goals of the create form.
pub(crate) const GOALS: [Goal; 6] =
    [Goal::WebsiteTraffic, Goal::BrandAwareness, Goal::Reach, Goal::Leads, Goal::Sales, Goal::AppPromotion];
/// The budget periods of the create form.
pub(crate) const PERIODS: [BudgetPeriod; 3] = [BudgetPeriod::Daily, BudgetPeriod::Monthly, BudgetPeriod::Lifetime];

/// What a list shows of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CampaignSummary {
    pub(crate) id: CampaignId,
    /// Its ad account on the platform.
    pub(crate) account_id: String,
    pub(crate) name: String,
    pub(crate) status: CampaignStatus,
    /// `None` without a budget of its own.
    pub(crate) budget_amount: Option<Decimal>,
    pub(crate) budget_period: Option<BudgetPeriod>,
    /// How far the month of a monthly budget is spent.
    pub(crate) monthly: Option<MonthSpend>,
    /// Whether its monthly budget has paused it, because the month is spent.
    pub(crate) is_month_spent: bool,
    pub(crate) currency: Currency,
    pub(crate) end_at: Option<Timestamp>,
    pub(crate) end_held_by: Option<Holder>,
    /// Why it is not shown although it is active; `None` if it may be shown, or where that is not known.
    pub(crate) not_running: Option<NotRunning>,
}

/// What the button of a campaign does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    Activate,
    Pause,
}

impl From<&Campaign> for CampaignSummary {
    fn from(campaign: &Campaign) -> CampaignSummary {
        CampaignSummary {
            id: campaign.id.clone(),
            account_id: campaign.account_id.clone(),
            name: campaign.name.clone(),
            status: campaign.status,
            budget_amount: campaign.budget_amount,
            budget_period: campaign.budget_period,
            monthly: campaign.monthly,
            is_month_spent: is_month_spent(campaign),
            currency: campaign.currency,
            end_at: campaign.end_at,
            end_held_by: campaign.end_held_by,
            not_running: campaign.delivery.as_ref().and_then(NotRunning::of),
        }
    }
}

/// Whether its monthly budget has paused it. This service holds a paused campaign also for its start, and one that has
/// spent nothing in its month can wait for nothing else.
fn is_month_spent(campaign: &Campaign) -> bool {
    let Some(month) = campaign.monthly else { return false };
    let reasons = campaign.delivery.iter().flat_map(|delivery| &delivery.reasons);
    let is_held = reasons.map(|group| group.reason).any(|reason| reason == DeliveryReason::HeldByService);
    is_held && campaign.status == CampaignStatus::Paused && !month.is_halted && month.spent > Decimal::ZERO
}

impl CampaignSummary {
    /// The status for people, and the class of its badge. A campaign whose month is spent may be activated within minutes.
    pub(crate) fn badge(&self, resumption: Option<Resumption>, now: Timestamp) -> (String, &'static str) {
        match self.monthly.filter(|_| self.is_month_spent) {
            Some(_) if self.goes_on_soon(resumption, now) => ("Restarts within minutes".to_owned(), "good"),
            Some(_) => (month::SPENT.to_owned(), "warn"),
            None => (self.status_word(now).to_owned(), self.tone(now)),
        }
    }

    /// When it goes on if its monthly budget has paused it: `Restarts 1 Dec`; `None` if a person has canceled that.
    pub(crate) fn restart_line(&self, resumption: Option<Resumption>, now: Timestamp) -> Option<String> {
        let month = self.monthly.filter(|_| self.is_month_spent && resumption.is_some())?;
        let is_soon = self.goes_on_soon(resumption, now);
        (!is_soon).then(|| format!("Restarts {}", month::first_of_next(month.month)))
    }

    /// Whether its month was spent, and this service activates it within minutes.
    pub(crate) fn goes_on_soon(&self, resumption: Option<Resumption>, now: Timestamp) -> bool {
        let month = self.monthly.filter(|_| self.is_month_spent).zip(resumption);
        month.is_some_and(|(month, resumption)| month::restarts_soon(month, self.place(), resumption, now))
    }

    /// What a raise of its monthly budget means for a campaign whose month was spent; `None` for another one.
    pub(crate) fn after_raise(&self, resumption: Option<Resumption>, now: Timestamp) -> Option<String> {
        if self.goes_on_soon(resumption, now) {
            return Some("It restarts within minutes.".to_owned());
        }
        let month = self.monthly.filter(|_| self.is_month_spent && resumption.is_some())?;
        let restart = month::restart_amount(month, self.place(), month.ledger.day, None)?;
        let (day, amount) = (month::first_of_next(month.month), money::in_currency(restart, self.currency));
        Some(format!("It stays paused until {day}: it takes {amount} a month to restart it today."))
    }

    /// Its platform and its currency, which have the rule of its daily budget.
    pub(crate) fn place(&self) -> (Platform, Currency) {
        (self.id.platform(), self.currency)
    }

    /// The status for people.
    pub(crate) fn status_word(&self, now: Timestamp) -> &'static str {
        status_word(self.status_at(now))
    }

    /// The class of the status badge.
    pub(crate) fn tone(&self, now: Timestamp) -> &'static str {
        match self.status_at(now) {
            CampaignStatus::Active => "good",
            CampaignStatus::ScheduledForDeletion => "bad",
            CampaignStatus::Paused
            | CampaignStatus::Ended
            | CampaignStatus::Draft
            | CampaignStatus::Archived
            | CampaignStatus::Unspecified => "plain",
        }
    }

    /// Whether it runs.
    pub(crate) fn is_active(&self, now: Timestamp) -> bool {
        self.status_at(now) == CampaignStatus::Active
    }

    /// Its status at this time. Some platforms call a campaign active past its end. One that is active past an end that
    /// this service holds still runs.
    pub(crate) fn status_at(&self, now: Timestamp) -> CampaignStatus {
        let is_held = self.end_held_by == Some(Holder::Service);
        let is_over = !is_held && self.end_at.is_some_and(|end| end <= now);
        if self.status == CampaignStatus::Active && is_over { CampaignStatus::Ended } else { self.status }
    }

    /// What its button does. A removed campaign has none.
    pub(crate) fn switch(&self) -> Option<Switch> {
        match self.status {
            CampaignStatus::Archived | CampaignStatus::ScheduledForDeletion => None,
            CampaignStatus::Paused | CampaignStatus::Draft => Some(Switch::Activate),
            CampaignStatus::Active | CampaignStatus::Ended | CampaignStatus::Unspecified => Some(Switch::Pause),
        }
    }

    /// The budget for people: `25.50 USD a day`.
    pub(crate) fn budget(&self) -> String {
        money::budget_of(self.budget_amount, self.currency, self.budget_period)
    }
}

impl Switch {
    /// The status that it sets, as the API names it.
    pub(crate) fn status(self) -> &'static str {
        match self {
            Switch::Activate => "ACTIVE",
            Switch::Pause => "PAUSED",
        }
    }

    /// The text of the button.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Switch::Activate => "Activate",
            Switch::Pause => "Pause",
        }
    }

    /// What a campaign is afterwards, in a sentence.
    pub(crate) fn participle(self) -> &'static str {
        match self {
            Switch::Activate => "activated",
            Switch::Pause => "paused",
        }
    }

    /// The name of the button in a row of the list.
    pub(crate) fn button(self) -> &'static str {
        match self {
            Switch::Activate => "activate",
            Switch::Pause => "pause",
        }
    }
}

/// A status for people.
pub(crate) fn status_word(status: CampaignStatus) -> &'static str {
    match status {
        CampaignStatus::Active => "Active",
        CampaignStatus::Paused => "Paused",
        CampaignStatus::Ended => "Ended",
        CampaignStatus::Draft => "Draft",
        CampaignStatus::Archived => "Deleted",
        CampaignStatus::ScheduledForDeletion => "Being deleted",
        CampaignStatus::Unspecified => "Unknown",
    }
}

/// A goal for people.
pub(crate) fn goal_word(goal: Goal) -> &'static str {
    match goal {
        Goal::WebsiteTraffic => "Website traffic",
        Goal::BrandAwareness => "Brand awareness",
        Goal::Reach => "Reach",
        Goal::Leads => "Leads",
        Goal::Sales | Goal::Conversions => "Sales",
        Goal::AppPromotion => "App promotion",
    }
}

/// A budget period in a form.
pub(crate) fn period_word(period: BudgetPeriod) -> &'static str {
    match period {
        BudgetPeriod::Daily => "A day",
        BudgetPeriod::Monthly => "A month",
        BudgetPeriod::Total | BudgetPeriod::Lifetime => "The whole run",
    }
}

/// Whether a platform has no campaigns with a goal.
pub(crate) fn lacks_goal(platform: Platform, goal: Goal) -> bool {
    !adapter(platform).facts().capabilities.goals.contains(&goal)
}

/// `1 campaign`, `12 campaigns`
pub(crate) fn campaign_count(number: usize) -> String {
    if number == 1 { "1 campaign".to_owned() } else { format!("{number} campaigns") }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A campaign with a budget of 10 USD a day.
    pub(crate) fn campaign(id: &str, status: CampaignStatus) -> CampaignSummary {
        CampaignSummary {
            id: CampaignId::parse(id).unwrap(),
            account_id: "1".to_owned(),
            name: "Spring".to_owned(),
            status,
            budget_amount: Some(Decimal::TEN),
            budget_period: Some(BudgetPeriod::Daily),
            monthly: None,
            is_month_spent: false,
            currency: Currency::from_code("USD").unwrap(),
            end_at: None,
            end_held_by: None,
            not_running: None,
        }
    }

    #[test]
    fn a_budget_keeps_its_digits() {
        let amount = Decimal::from_str_exact("12345678901234567890.25").unwrap();
        let large = CampaignSummary { budget_amount: Some(amount), ..campaign("alpha_1_2", CampaignStatus::Paused) };
        assert_eq!(large.budget(), "12,345,678,901,234,567,890.25 USD a day");
    }

    #[test]
    fn an_active_campaign_past_its_end_has_ended() {
        let now: Timestamp = "2026-12-01T09:00:00Z".parse().unwrap();
        let word = |status, end_at: Option<&str>, end_held_by| {
            let end_at = end_at.map(|end| end.parse().unwrap());
            CampaignSummary { end_at, end_held_by, ..campaign("alpha_1_2", status) }.status_word(now)
        };
        let (past, platform) = (Some("2026-12-01T09:00:00Z"), Some(Holder::Platform));
        assert_eq!(word(CampaignStatus::Active, None, None), "Active");
        assert_eq!(word(CampaignStatus::Active, Some("2026-12-01T09:00:01Z"), platform), "Active");
        assert_eq!(word(CampaignStatus::Active, past, platform), "Ended");
        assert_eq!(word(CampaignStatus::Paused, past, platform), "Paused");
        assert_eq!(
            word(CampaignStatus::Active, past, Some(Holder::Service)),
            "Active",
            "nothing but our pause ends it"
        );
    }

    #[test]
    fn a_removed_campaign_has_no_button() {
        let switch = |status| campaign("alpha_1_2", status).switch();
        assert_eq!(switch(CampaignStatus::Active), Some(Switch::Pause));
        assert_eq!(switch(CampaignStatus::Draft), Some(Switch::Activate));
        assert_eq!(switch(CampaignStatus::Archived), None);
    }
}
