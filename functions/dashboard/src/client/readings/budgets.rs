//! The budgets of all campaigns as they are kept, which a large new one is compared with (D200). No platform is asked.

use super::kept::{KeptCampaigns, read_days};
use super::overview::kept_overview;
use super::reading::DayNumbers;
use super::state::changed;
use crate::client::session::SignedIn;
use crate::kit::large_budget::KnownBudgets;
use rust_decimal::Decimal;
use shared::domain::ConnectionId;
use shared::serve::WebRequest;
use shared::store::{KeptOverview, KeptPart, OverviewPart};

/// The campaigns of a customer with their budgets, as people have changed them since they were read. Without the table none
/// is known, and nothing is asked about.
pub(crate) async fn known_budgets(request: &WebRequest, person: &SignedIn) -> KnownBudgets {
    of(&kept_overview(request, person.customer()).await)
}

fn of(kept: &KeptOverview) -> KnownBudgets {
    let mut known = KnownBudgets::default();
    for KeptPart { part, connection, rows, .. } in &kept.parts {
        let Some((read_at, json)) = rows else { continue };
        match part {
            OverviewPart::Campaigns => {
                let campaigns = KeptCampaigns::read(json).unwrap_or_default().rows.into_iter();
                known.campaigns.extend(campaigns.filter_map(|campaign| changed(campaign, kept, *read_at)));
            }
            OverviewPart::Days => {
                let rows = read_days(json, &ConnectionId(connection.clone())).map(|reading| reading.rows);
                let spending = rows.into_iter().flatten().filter(|(_, days)| has_spent(days));
                known.spending.extend(spending.map(|(id, _)| id));
            }
        }
    }
    known
}

fn has_spent(days: &[DayNumbers]) -> bool {
    days.iter().any(|day| day.numbers.spend.known().is_some_and(|spend| spend > Decimal::ZERO))
}

#[cfg(test)]
mod tests {
    use super::super::kept::{values, write_days};
    use super::super::reading::tests::{days, insights, row};
    use super::*;
    use crate::client::readings::Reading;
    use crate::kit::campaign::CampaignSummary;
    use crate::kit::campaign::tests::campaign;
    use shared::domain::CampaignStatus::Paused;
    use shared::store::KeptChange;

    #[test]
    fn budgets_are_those_after_the_last_change_and_spend_is_told() {
        let at = "2026-11-23T09:00:00Z".parse().unwrap();
        let part = |part, json| KeptPart {
            part,
            connection: "conn_1".to_owned(),
            tried_at: at,
            rows: Some((at, json)),
            problem: None,
        };
        let [first, second] = ["beta_1_a", "beta_1_b"].map(|id| campaign(id, Paused));
        let raised = CampaignSummary { budget_amount: Some(900.into()), ..second.clone() };
        let rows = vec![row("beta_1_a", "2026-11-23", Some(5)), row("beta_1_b", "2026-11-23", Some(0))];
        let read = Reading::of(insights("1", rows), days("2026-11-23", "2026-11-23"));
        let change =
            KeptChange { campaign: Some("beta_1_b".to_owned()), values: values(&raised), ..KeptChange::of_any(at) };
        let known = of(&KeptOverview {
            parts: vec![
                part(OverviewPart::Campaigns, KeptCampaigns::write([&first, &second].into_iter(), false)),
                part(OverviewPart::Days, write_days(&read)),
            ],
            changes: vec![change],
        });
        assert_eq!(known.campaigns, [first, raised]);
        assert!(known.spends("beta_1_a") && !known.spends("beta_1_b") && !known.spends("beta_1_c"));
    }
}
