//! What a bulk change does to a campaign. Nothing here reads, waits or writes.

use crate::domain::running::may_run;
use crate::domain::{
    BudgetPeriod, BulkAction, Campaign, CampaignChanges, CampaignStatus, NewBudget, Percent, Reason, named_period,
};
use crate::error::{Error, Kind};
use rust_decimal::Decimal;

/// What a bulk change asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct BulkTerms<'a> {
    pub(super) action: BulkAction,
    /// The amounts, if it sets budgets.
    pub(super) budgets: &'a [NewBudget],
    /// Whether an amount is the daily one of the moment, as the flat shape shows it.
    pub(super) is_flat: bool,
}

/// What a bulk change does to one campaign.
#[derive(Debug)]
pub(super) enum CampaignEffect {
    /// It changes these values, on the condition that the campaign still has the values that they were computed from.
    Change(CampaignChanges, Option<CampaignChanges>),
    /// The campaign has the requested values already, or the action does not apply to it.
    Unchanged,
    /// Somebody has changed the campaign since the caller read it.
    Outdated(Error),
    /// This campaign cannot have the requested values.
    Refused(Error),
}

/// What a bulk change does to a campaign, as the API shows it.
pub(super) fn effect_on(asked: BulkTerms<'_>, campaign: &Campaign) -> CampaignEffect {
    match asked.action {
        BulkAction::Status(status) if fits(status, campaign.status) => {
            CampaignEffect::Change(CampaignChanges::of_status(status), None)
        }
        BulkAction::Percent(percent) => by_percent(percent, campaign),
        BulkAction::Budgets => match asked.budgets.iter().find(|budget| budget.campaign == campaign.id) {
            Some(budget) => to_amount(budget, campaign, asked.is_flat),
            None => CampaignEffect::Unchanged,
        },
        BulkAction::Status(_) | BulkAction::Undo(_) | BulkAction::UndoSet => CampaignEffect::Unchanged,
    }
}

/// Whether a status applies to a campaign: only paused campaigns are activated, and those that may run are paused.
fn fits(status: CampaignStatus, current: CampaignStatus) -> bool {
    match status {
        CampaignStatus::Active => current == CampaignStatus::Paused,
        _ => may_run(current),
    }
}

fn by_percent(percent: Percent, campaign: &Campaign) -> CampaignEffect {
    let Some(had) = campaign.budget_amount else { return CampaignEffect::Refused(not_own()) };
    match percent.of(had, campaign.currency) {
        Ok(new) => changed(had, new, campaign),
        Err(error) => CampaignEffect::Refused(Error::new(Kind::Validation, format!("Its budget {error}."))),
    }
}

fn to_amount(budget: &NewBudget, campaign: &Campaign, is_flat: bool) -> CampaignEffect {
    let Some(had) = campaign.budget_amount else { return CampaignEffect::Refused(not_own()) };
    if let Err(error) = campaign.currency.check(budget.amount) {
        return CampaignEffect::Refused(Error::new(Kind::Validation, format!("Its new budget {error}.")));
    }
    if is_flat && campaign.budget_period == Some(BudgetPeriod::Monthly) {
        let message = "It has a MONTHLY budget, and the flat shape shows the daily one that follows from it. Its amount is \
                       set in the enveloped shape, or changed by a percentage.";
        return CampaignEffect::Refused(Error::new(Kind::Validation, message));
    }
    match budget.from {
        Some(from) if from != had && budget.amount != had => CampaignEffect::Outdated(changed_since(had, campaign)),
        _ => changed(had, budget.amount, campaign),
    }
}

fn changed(had: Decimal, new: Decimal, campaign: &Campaign) -> CampaignEffect {
    if new == had {
        return CampaignEffect::Unchanged;
    }
    let of = |amount, budget_period| CampaignChanges {
        budget_amount: Some(amount),
        budget_period,
        ..CampaignChanges::default()
    };
    CampaignEffect::Change(of(new, named_period(campaign.budget_period)), Some(of(had, campaign.budget_period)))
}

fn not_own() -> Error {
    Error::new(Kind::Conflict, "It has no budget of its own.").because(Reason::BudgetNotOwn)
}

fn changed_since(had: Decimal, campaign: &Campaign) -> Error {
    let message =
        format!("Its budget was changed since: it is {} {}.", campaign.currency.padded(had), campaign.currency.code());
    Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::monthly::Ledger;
    use crate::domain::{
        BulkId, CampaignDraft, CampaignId, CampaignRecord, ChangeOrigin, ConnectionId, Currency, Goal, KeyId,
        MonthlyBudget, Platform, PlatformCampaign, Requester,
    };
    use jiff::Timestamp;
    use jiff::civil::date;
    use uuid::Uuid;

    fn decimal(text: &str) -> Decimal {
        Decimal::from_str_exact(text).unwrap()
    }

    fn platform_campaign(amount: &str, status: CampaignStatus) -> PlatformCampaign {
        let draft = CampaignDraft::new("A".to_owned(), Goal::Sales, decimal(amount), BudgetPeriod::Daily);
        let usd = Currency::from_code("USD").unwrap();
        let id = CampaignId::new(Platform::Alpha, "1", "2");
        PlatformCampaign { id, status, ..PlatformCampaign::of_draft(Platform::Alpha, "1", usd, &draft) }
    }

    fn campaign(amount: &str) -> Campaign {
        platform_campaign(amount, CampaignStatus::Paused).complete(&ConnectionId(String::new()), None)
    }

    /// A campaign with this amount a month; it has 100 a day at the moment.
    fn monthly(amount: u32) -> Campaign {
        let requested_by = Requester::ApiKey { id: KeyId::default_key(), name: String::new() };
        let origin = ChangeOrigin::new(Uuid::nil(), requested_by);
        let ledger = Ledger::begin(date(2026, 11, 28), Decimal::ZERO, Decimal::from(100));
        let monthly = Some(MonthlyBudget::new(amount.into(), origin, ledger, Timestamp::UNIX_EPOCH));
        let record = CampaignRecord { monthly, ..CampaignRecord::default() };
        platform_campaign("100", CampaignStatus::Active).complete(&ConnectionId(String::new()), Some(record))
    }

    fn by(percent: &str, campaign: &Campaign) -> CampaignEffect {
        let action = BulkAction::Percent(Percent::parse(percent).unwrap());
        effect_on(BulkTerms { action, budgets: &[], is_flat: false }, campaign)
    }

    fn to(amount: &str, from: Option<&str>, campaign: &Campaign, is_flat: bool) -> CampaignEffect {
        let budget = NewBudget { campaign: campaign.id.clone(), amount: decimal(amount), from: from.map(decimal) };
        effect_on(BulkTerms { action: BulkAction::Budgets, budgets: &[budget], is_flat }, campaign)
    }

    fn budgets(fit: &CampaignEffect) -> (String, String, Option<BudgetPeriod>) {
        let CampaignEffect::Change(changes, Some(only_if)) = fit else { panic!("{fit:?}") };
        let amount = |changes: &CampaignChanges| changes.budget_amount.unwrap().normalize().to_string();
        (amount(only_if), amount(changes), changes.budget_period)
    }

    #[test]
    fn a_budget_changes_exactly_and_depends_on_what_it_was_computed_from() {
        let raised = by("10", &campaign("50"));
        assert_eq!(budgets(&raised), ("50".to_owned(), "55".to_owned(), None));
        let CampaignEffect::Change(_, Some(only_if)) = raised else { panic!() };
        assert_eq!(only_if.budget_period, Some(BudgetPeriod::Daily), "not of one that gets a monthly budget meanwhile");
        let CampaignEffect::Refused(error) = by("10", &campaign("10.05")) else { panic!() };
        assert_eq!(error.message.to_string(), "Its budget would be 11.055 USD, and USD has 2 decimals.");
        let CampaignEffect::Refused(error) = by("10", &Campaign { budget_amount: None, ..campaign("50") }) else {
            panic!()
        };
        assert_eq!(error.reason(), Reason::BudgetNotOwn);
    }

    #[test]
    fn a_monthly_budget_changes_by_the_amount_of_its_month() {
        assert_eq!(
            budgets(&by("10", &monthly(3_000))),
            ("3000".to_owned(), "3300".to_owned(), Some(BudgetPeriod::Monthly))
        );
        assert_eq!(budgets(&to("3300", Some("3000"), &monthly(3_000), false)).2, Some(BudgetPeriod::Monthly));
        assert!(
            matches!(to("110", Some("100"), &monthly(3_000), true), CampaignEffect::Refused(_)),
            "the flat shape shows a day"
        );
    }

    #[test]
    fn an_amount_is_set_if_the_campaign_has_the_seen_or_the_new_one() {
        assert_eq!(budgets(&to("55", Some("50.00"), &campaign("50"), true)).1, "55");
        assert_eq!(budgets(&to("55", None, &campaign("60"), false)).0, "60");
        assert!(matches!(to("55", Some("50"), &campaign("55"), false), CampaignEffect::Unchanged));
        let CampaignEffect::Outdated(error) = to("55", Some("50"), &campaign("60"), false) else { panic!() };
        assert_eq!(error.message.to_string(), "Its budget was changed since: it is 60.00 USD.");
        assert!(matches!(to("55.005", Some("50"), &campaign("60"), false), CampaignEffect::Refused(_)));
    }

    #[test]
    fn what_may_run_is_paused_and_only_paused_campaigns_are_activated() {
        use CampaignStatus::{Active, Archived, Draft, Ended, Paused, ScheduledForDeletion, Unspecified};
        for current in [Active, Archived, Draft, Ended, Paused, ScheduledForDeletion, Unspecified] {
            let may_run = matches!(current, Active | Unspecified);
            assert_eq!((fits(Active, current), fits(Paused, current)), (current == Paused, may_run), "{current:?}");
        }
        let undo = BulkAction::Undo(BulkId(Uuid::nil()));
        assert!(matches!(
            effect_on(BulkTerms { action: undo, budgets: &[], is_flat: false }, &campaign("50")),
            CampaignEffect::Unchanged
        ));
    }
}
