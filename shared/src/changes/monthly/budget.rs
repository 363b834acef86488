//! The first daily budget of a monthly one, and the checks of its amount.

use crate::domain::monthly::{DailyBudgetRule, Ledger, ReportState, RunState, Situation, day_in};
use crate::domain::{
    AdAccount, AmountRule, BudgetPeriod, CampaignDraft, CampaignId, ChangeStatement, Currency, Micros, MonthlyBudget,
    NewMonthlyBudget,
};
use crate::error::{Error, Kind};
use crate::platforms::AdPlatform;
use crate::platforms::errors::known_zone;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;

/// The time zone of the days of a platform's reports, in which months are counted.
pub(in crate::changes) fn month_zone(adapter: &dyn AdPlatform, account: &AdAccount) -> Result<TimeZone, Error> {
    known_zone(account_platform(adapter), adapter.facts().insights.zone_name(&account.time_zone))
}

/// The draft for the platform, with the daily budget of today, and the monthly budget that the service holds. A draft with
/// another period stays as it is.
pub(in crate::changes) fn monthly_draft(
    adapter: &dyn AdPlatform,
    account: &AdAccount,
    draft: CampaignDraft,
    now: Timestamp,
) -> Result<(CampaignDraft, Option<NewMonthlyBudget>), Error> {
    if draft.budget_period != BudgetPeriod::Monthly {
        return Ok((draft, None));
    }
    let rule = adapter.daily_budget_rule(account.currency);
    let amount = draft.budget_amount;
    require_amount(adapter, &rule, amount, account.currency)?;
    let day = day_in(&month_zone(adapter, account)?, now);
    let daily = daily_budget(&rule, amount, day).ok_or_else(|| too_small(adapter))?;
    let draft = CampaignDraft { budget_amount: daily, budget_period: BudgetPeriod::Daily, ..draft };
    Ok((draft, Some(NewMonthlyBudget { amount, day })))
}

/// The daily budget of a month without spend; `None` if the rest of the month allows none.
pub(in crate::changes) fn daily_budget(rule: &DailyBudgetRule, amount: Decimal, today: Date) -> Option<Decimal> {
    let ledger = &Ledger::begin(today, Decimal::ZERO, Decimal::ZERO);
    let (daily, run_state, report) = (Decimal::ZERO, RunState::Running, ReportState::Read);
    rule.daily_budget(&Situation { amount, ledger, today, daily, run_state, report, keeps_budget: false })
}

/// Refuses an amount that the currency cannot hold, or whose even share of a month is below the smallest daily budget.
pub fn require_amount(
    adapter: &dyn AdPlatform,
    rule: &DailyBudgetRule,
    amount: Decimal,
    currency: Currency,
) -> Result<(), Error> {
    let capabilities = adapter.facts().capabilities;
    if let Some(error) = capabilities.amount_error(amount, Some(BudgetPeriod::Monthly), currency) {
        return Err(Error::fields(vec![error]));
    }
    Micros::from_amount(amount).map_err(|reason| Error::field("budget_amount", reason))?;
    let smallest = rule.smallest_amount();
    if amount >= smallest {
        return Ok(());
    }
    let platform = capabilities.platform;
    Err(Error::field("budget_amount", AmountRule::MonthAtLeast { amount: smallest, currency, platform }))
}

/// Refuses to activate a campaign whose amount of the month is spent.
pub(in crate::changes) fn require_open(
    monthly: &MonthlyBudget,
    campaign: &CampaignId,
    now: Timestamp,
) -> Result<(), Error> {
    match monthly.closed_until {
        Some(until) if monthly.is_closed(now) => {
            Err(Error::new(Kind::Conflict, ChangeStatement::MonthSpent { until }).on(campaign.platform()))
        }
        _ => Ok(()),
    }
}

fn too_small(adapter: &dyn AdPlatform) -> Error {
    let name = account_platform(adapter).display_name();
    Error::field(
        "budget_amount",
        format!("is too small: a day of it is less than the smallest amount of money on {name}"),
    )
}

fn account_platform(adapter: &dyn AdPlatform) -> crate::domain::Platform {
    adapter.facts().api.platform
}

#[cfg(test)]
mod tests {
    use super::month_zone;
    use crate::domain::{AdAccount, Currency, Platform};
    use crate::platforms::adapter;
    use strum::VariantArray;

    #[test]
    fn months_are_counted_in_the_days_of_the_platforms_reports() {
        let account = AdAccount {
            id: "1".to_owned(),
            name: String::new(),
            currency: Currency::from_code("USD").unwrap(),
            time_zone: "America/Los_Angeles".to_owned(),
            manager_id: None,
        };
        for platform in Platform::VARIANTS {
            let zone = month_zone(adapter(*platform), &account).unwrap();
            let expected = match platform {
                Platform::Alpha | Platform::Beta | Platform::Gamma => "America/Los_Angeles",
                Platform::Delta | Platform::Epsilon | Platform::Zeta => "UTC",
            };
            assert_eq!(zone.iana_name(), Some(expected), "{platform}");
        }
    }
}
