//! Changes as rows of a file.

use super::row::Row;
use super::wire::{Change, ChangeList, Values};
use crate::kit::csv::Cell;
use crate::kit::money;
use serde_json::value::RawValue;

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

impl ChangeList {
    /// The rows of this page.
    pub(crate) fn export(&self) -> Vec<[Cell; 14]> {
        self.changes.iter().zip(self.rows()).map(|(change, row)| cells(change, &row)).collect()
    }
}

fn cells(change: &Change, row: &Row) -> [Cell; 14] {
    let budget = |values: Option<&Values>| {
        let amount = values.and_then(|values| values.budget_amount.as_deref());
        Cell::known(amount.map(|amount: &RawValue| money::digits(amount, change.currency())))
    };
    [
        Cell::plain(change.created_at),
        Cell::text(row.what.join("; ")),
        Cell::text(row.campaign.as_str()),
        Cell::text(change.campaign_id.as_deref().unwrap_or_default()),
        Cell::text(row.platform.as_str()),
        Cell::text(row.account.as_str()),
        Cell::text(row.who.as_str()),
        Cell::text(row.outcome.as_str()),
        Cell::text(row.details.join(" ")),
        Cell::text(change.currency()),
        budget(change.before.as_ref()),
        budget(Some(&change.requested)),
        budget(change.after.as_ref()),
        Cell::text(change.id.as_str()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_its_budgets_with_all_digits() {
        let change = r#"{"id":"chg_1","kind":"update","state":"applied","platform":"BETA","organization_id":"7",
            "campaign_id":"beta_7_1","requested":{"budget_amount":60},"before":{"name":"=A","budget_amount":50.5,
            "currency":"USD"},"after":{"name":"=A","budget_amount":60,"currency":"USD"},"applied_fields":[],
            "not_applied_fields":[],"unknown_fields":[],"requested_by":{"type":"person","id":"p","name":"ada@x"},
            "created_at":"2026-12-01T09:00:00Z","apply_at":null,"error":null}"#;
        let page = format!(r#"{{"changes":[{change}],"pagination":{{"next_cursor":null}}}}"#);
        let rows = serde_json::from_str::<ChangeList>(&page).unwrap().export();
        assert_eq!(rows[0].len(), EXPORT_TITLES.len());
        assert_eq!((&rows[0][0], &rows[0][2]), (&Cell::plain("2026-12-01T09:00:00Z"), &Cell::text("=A")));
        let budgets = ["50.50", "60.00", "60.00"].map(Cell::plain);
        assert_eq!(rows[0][10..13], budgets);
    }
}
