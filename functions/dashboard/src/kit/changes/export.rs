//! Changes as rows of a file.

use super::budget::Budget;
use super::currency;
use super::row::{ChangeRow, rows};
use crate::kit::csv::Cell;
use crate::kit::money;
use jiff::Timestamp;
use shared::domain::{CampaignId, Change, Currency};

/// The titles of the columns.
pub(crate) const EXPORT_TITLES: &[&str] = &[
    "Time",
    "What",
    "Campaign",
    "Campaign id",
    "Platform",
    "Ad account number",
    "Who",
    "Outcome",
    "Details",
    "Currency",
    "Budget before",
    "Budget asked for",
    "Budget after",
    "Change",
];

/// The rows of a page of changes.
pub(crate) fn export_rows(changes: &[Change], now: Timestamp) -> Vec<[Cell; 14]> {
    changes.iter().zip(rows(changes, now)).map(|(change, row)| cells(change, row)).collect()
}

fn cells(change: &Change, row: ChangeRow) -> [Cell; 14] {
    let currency = currency(change).map_or("", Currency::code);
    let budget = |budget: Option<Budget>| {
        Cell::known(budget.and_then(|budget| budget.amount).map(|amount| money::form_amount(amount, currency)))
    };
    [
        Cell::plain(change.created_at()),
        Cell::text(row.what.join("; ")),
        Cell::text(row.campaign),
        Cell::text(change.campaign.as_ref().map(CampaignId::to_string).unwrap_or_default()),
        Cell::text(row.platform),
        Cell::text(row.account),
        Cell::text(row.who),
        Cell::text(row.outcome),
        Cell::text(row.details.join(" ")),
        Cell::text(currency),
        budget(change.values_before().map(Budget::of)),
        budget(Some(Budget::requested(&change.action))),
        budget(change.after.as_ref().map(Budget::of)),
        Cell::text(change.id.to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use rust_decimal::Decimal;
    use shared::domain::{CampaignChanges, CampaignValues, ChangeState};

    #[test]
    fn a_change_has_its_budgets_with_all_digits() {
        let values = |amount| CampaignValues { budget_amount: Some(amount), ..sample::values("=A") };
        let asked = CampaignChanges { budget_amount: Some(Decimal::from(60)), ..CampaignChanges::default() };
        let change = Change {
            state: ChangeState::Applied,
            before: Some(values(Decimal::new(505, 1))),
            after: Some(values(Decimal::from(60))),
            ..sample::update(asked)
        };
        let rows = export_rows(&[change], sample::now());
        assert_eq!(rows[0].len(), EXPORT_TITLES.len());
        assert_eq!((&rows[0][0], &rows[0][2]), (&Cell::plain("2026-12-01T09:00:00Z"), &Cell::text("=A")));
        let budgets = ["50.50", "60.00", "60.00"].map(Cell::plain);
        assert_eq!(rows[0][10..13], budgets);
    }
}
