//! The campaigns of an ad account as they are kept, and what a change has made of one.

use super::{all_or_none, decimal, digits, first_that_fit};
use crate::kit::campaign::CampaignSummary;
use crate::kit::delivery::NotRunning;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared::domain::monthly::{Ledger, Month};
use shared::domain::{BudgetPeriod, CampaignId, CampaignStatus, Currency, DeliveryReason, Holder, MonthSpend};

/// The campaigns of an account, in the order of the API.
#[derive(Debug, Default)]
pub(in crate::client::readings) struct KeptCampaigns {
    pub(in crate::client::readings) rows: Vec<CampaignSummary>,
    /// There are more.
    pub(in crate::client::readings) is_cut: bool,
}

#[derive(Deserialize)]
struct ParsedRows {
    rows: Vec<KeptCampaign>,
    is_cut: bool,
}

#[derive(Serialize)]
struct SerializedRows {
    rows: Vec<Box<RawValue>>,
    is_cut: bool,
}

/// A campaign with the names of the table.
#[derive(Serialize, Deserialize)]
struct KeptCampaign {
    id: String,
    account_id: String,
    name: String,
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_amount: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_period: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    monthly: Option<KeptMonth>,
    /// Whether its monthly budget has paused it.
    #[serde(default)]
    is_month_spent: bool,
    currency: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_at: Option<Timestamp>,
    /// Whether this service ends it.
    is_end_held: bool,
    /// Why it is not shown; absent for one that may be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not_running: Option<KeptReasons>,
}

/// Whether that passes, and the reasons with numbers of ads.
type KeptReasons = (bool, Vec<(String, Option<usize>)>);

/// How far the month of a monthly budget is spent.
#[derive(Serialize, Deserialize)]
struct KeptMonth {
    amount: String,
    spent: String,
    remaining: String,
    daily_now: String,
    /// `2026-11`
    month: String,
    is_halted: bool,
    ledger: Ledger,
    due_at: Timestamp,
}

/// What a change has made of a campaign.
#[derive(Serialize, Deserialize)]
enum KeptValues {
    Removed,
    Campaign(Box<KeptCampaign>),
}

impl KeptCampaigns {
    /// Reads what was kept; `None` if a part of it cannot be read.
    pub(in crate::client::readings) fn read(json: &str) -> Option<KeptCampaigns> {
        let ParsedRows { rows, is_cut } = serde_json::from_str(json).ok()?;
        let rows = rows.into_iter().map(KeptCampaign::summary).collect::<Option<_>>()?;
        Some(KeptCampaigns { rows, is_cut })
    }

    /// The JSON of an account's campaigns, as many as fit.
    pub(in crate::client::readings) fn write<'a>(
        campaigns: impl Iterator<Item = &'a CampaignSummary>,
        is_cut: bool,
    ) -> String {
        let (rows, is_full) = first_that_fit(campaigns.map(KeptCampaign::of));
        serde_json::to_string(&SerializedRows { rows, is_cut: is_cut || is_full }).unwrap_or_default()
    }
}

/// The JSON of the values that a campaign has after a change.
pub(in crate::client::readings) fn values(campaign: &CampaignSummary) -> Option<String> {
    let values = if campaign.status.is_final() {
        KeptValues::Removed
    } else {
        KeptValues::Campaign(Box::new(KeptCampaign::of(campaign)))
    };
    serde_json::to_string(&values).ok()
}

/// The JSON of a campaign that is removed.
pub(in crate::client::readings) fn removed() -> Option<String> {
    serde_json::to_string(&KeptValues::Removed).ok()
}

/// The campaign with the values of a change; `None` if it is removed.
pub(in crate::client::readings) fn changed(campaign: CampaignSummary, values: &str) -> Option<CampaignSummary> {
    match serde_json::from_str(values) {
        Ok(KeptValues::Removed) => None,
        Ok(KeptValues::Campaign(kept)) => Some(kept.summary().unwrap_or(campaign)),
        Err(_) => Some(campaign),
    }
}

impl KeptCampaign {
    fn of(campaign: &CampaignSummary) -> KeptCampaign {
        let CampaignSummary {
            id,
            account_id,
            name,
            status,
            budget_amount,
            budget_period,
            monthly,
            is_month_spent,
            currency,
            end_at,
            end_held_by,
            not_running,
        } = campaign;
        KeptCampaign {
            id: id.to_string(),
            account_id: account_id.clone(),
            name: name.clone(),
            status: status.as_str().to_owned(),
            budget_amount: budget_amount.map(digits),
            budget_period: budget_period.map(|period| period.as_str().to_owned()),
            monthly: monthly.map(KeptMonth::of),
            is_month_spent: *is_month_spent,
            currency: currency.code().to_owned(),
            end_at: *end_at,
            is_end_held: *end_held_by == Some(Holder::Service),
            not_running: not_running.as_ref().map(kept_reasons),
        }
    }

    /// The campaign; `None` for what cannot be read.
    fn summary(self) -> Option<CampaignSummary> {
        let held_by = if self.is_end_held { Holder::Service } else { Holder::Platform };
        Some(CampaignSummary {
            id: CampaignId::parse(&self.id)?,
            account_id: self.account_id,
            name: self.name,
            status: CampaignStatus::parse(&self.status)?,
            budget_amount: all_or_none(self.budget_amount.as_deref(), decimal)?,
            budget_period: all_or_none(self.budget_period.as_deref(), BudgetPeriod::parse)?,
            monthly: all_or_none(self.monthly, KeptMonth::month)?,
            is_month_spent: self.is_month_spent,
            currency: Currency::from_code(&self.currency)?,
            end_at: self.end_at,
            end_held_by: self.end_at.map(|_| held_by),
            not_running: self.not_running.map(not_running),
        })
    }
}

fn kept_reasons(NotRunning { passes, reasons }: &NotRunning) -> KeptReasons {
    (*passes, reasons.iter().map(|(reason, count)| (reason.as_str().to_owned(), *count)).collect())
}

/// A reason of a later release is another one.
fn not_running((passes, reasons): KeptReasons) -> NotRunning {
    let reason = |(name, count): (String, _)| (DeliveryReason::parse(&name).unwrap_or(DeliveryReason::Other), count);
    NotRunning { passes, reasons: reasons.into_iter().map(reason).collect() }
}

impl KeptMonth {
    fn of(
        MonthSpend { amount, spent, remaining, daily_now, month, is_halted, ledger, due_at }: MonthSpend,
    ) -> KeptMonth {
        KeptMonth {
            amount: digits(amount),
            spent: digits(spent),
            remaining: digits(remaining),
            daily_now: digits(daily_now),
            month: month.name(),
            is_halted,
            ledger,
            due_at,
        }
    }

    fn month(self) -> Option<MonthSpend> {
        Some(MonthSpend {
            amount: decimal(&self.amount)?,
            spent: decimal(&self.spent)?,
            remaining: decimal(&self.remaining)?,
            daily_now: decimal(&self.daily_now)?,
            month: Month::parse(&self.month)?,
            is_halted: self.is_halted,
            ledger: self.ledger,
            due_at: self.due_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::MAX_BYTES;
    use super::*;
    use crate::kit::campaign::tests::campaign;
    use jiff::civil::date;
    use rust_decimal::Decimal;

    #[test]
    fn a_campaign_that_was_kept_is_the_same() {
        let exact = |digits: &str| Decimal::from_str_exact(digits).unwrap();
        let month = MonthSpend {
            amount: exact("3000"),
            spent: exact("1234.5"),
            remaining: exact("1765.5"),
            daily_now: exact("97.04"),
            month: Month::of(date(2026, 11, 1)),
            is_halted: true,
            ledger: Ledger::begin(date(2026, 11, 20), exact("97.04"), exact("98.1")),
            due_at: "2026-11-21T00:00:00Z".parse().unwrap(),
        };
        let active = campaign("alpha_1_2", CampaignStatus::Active);
        for one in [
            active.clone(),
            CampaignSummary { budget_amount: Some(exact("12345678901234567890.25")), ..active.clone() },
            CampaignSummary { budget_amount: None, budget_period: None, ..active.clone() },
            CampaignSummary {
                not_running: Some(NotRunning { passes: true, reasons: vec![(DeliveryReason::AdsInReview, Some(2))] }),
                ..active.clone()
            },
            CampaignSummary {
                monthly: Some(month),
                is_month_spent: true,
                budget_period: Some(BudgetPeriod::Monthly),
                ..active.clone()
            },
            CampaignSummary {
                end_at: Some("2026-12-01T09:00:00Z".parse().unwrap()),
                end_held_by: Some(Holder::Service),
                ..campaign("zeta_t2_ab_2", CampaignStatus::Ended)
            },
        ] {
            let kept = KeptCampaigns::read(&KeptCampaigns::write([&one].into_iter(), true)).unwrap();
            assert_eq!((kept.rows, kept.is_cut), (vec![one.clone()], true));
            assert_eq!(changed(active.clone(), &values(&one).unwrap()), Some(one));
        }
    }

    #[test]
    fn a_removal_hides_the_campaign_and_unreadable_values_are_ignored() {
        let active = campaign("alpha_1_2", CampaignStatus::Active);
        let archived = values(&campaign("alpha_1_2", CampaignStatus::Archived)).unwrap();
        for values in [removed().unwrap(), archived] {
            assert_eq!(changed(active.clone(), &values), None);
        }
        assert_eq!(changed(active.clone(), r#"{"name":"Of another release"}"#), Some(active));
    }

    #[test]
    fn what_is_kept_fits_into_an_item() {
        let many = (0..3_000).map(|number| campaign(&format!("beta_7_{number}"), CampaignStatus::Active));
        let many: Vec<CampaignSummary> = many.collect();
        let json = KeptCampaigns::write(many.iter(), false);
        let kept = KeptCampaigns::read(&json).unwrap();
        assert!(json.len() < MAX_BYTES + 100 && kept.is_cut && kept.rows.len() > 1_000, "{} bytes", json.len());
        assert!(!KeptCampaigns::read(&KeptCampaigns::write(many[..9].iter(), false)).unwrap().is_cut);
    }

    #[test]
    fn what_cannot_be_read_in_full_is_nothing() {
        let json = KeptCampaigns::write([&campaign("alpha_1_2", CampaignStatus::Active)].into_iter(), false);
        let period = BudgetPeriod::Daily.as_str();
        assert!(KeptCampaigns::read(&json).is_some() && json.contains(period), "{json}");
        assert!(KeptCampaigns::read(&json.replace(period, "HOURLY")).is_none());
        assert!(KeptCampaigns::read("[]").is_none(), "another release");
    }
}
