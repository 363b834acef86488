//! The rows that a query runs over.

use jiff::civil::DateTime;

use super::accounts::{Account, Cell};
use super::budget::Budget;
use super::campaign::Campaign;
use super::currency;
use super::search::Scene;

/// One row: what it is a row of, and what is joined to it.
pub(crate) struct Row<'a> {
    account: &'a Account,
    client: Option<&'a Account>,
    campaign: Option<&'a Campaign>,
    budget: Option<&'a Budget>,
    currency: Option<&'static str>,
    now: DateTime,
    closed_managers: bool,
}

/// Every row of a resource in the account that is asked.
pub(crate) fn rows<'a>(scene: &Scene<'a>, from: &str) -> Vec<Row<'a>> {
    let Scene { account, closed_managers, .. } = *scene;
    let plain =
        || Row { account, client: None, campaign: None, budget: None, currency: None, now: scene.now, closed_managers };
    match from {
        "campaign" => {
            let row = |campaign: &'a Campaign| Row {
                campaign: Some(campaign),
                budget: account.budgets.get(&campaign.budget),
                ..plain()
            };
            account.campaigns.values().map(row).collect()
        }
        "campaign_budget" => account.budgets.values().map(|budget| Row { budget: Some(budget), ..plain() }).collect(),
        "customer" => vec![plain()],
        "customer_client" => {
            let below = |client: &&Account| client.id == account.id || client.parent == Some(account.id);
            let clients = scene.all.iter().filter(below);
            clients.map(|client| Row { client: Some(client), ..plain() }).collect()
        }
        "currency_constant" => currency::codes().map(|code| Row { currency: Some(code), ..plain() }).collect(),
        _ => Vec::new(),
    }
}

impl Row<'_> {
    /// The value of a field by its full name; `None` where the platform leaves it out.
    pub(crate) fn cell(&self, field: &str) -> Option<Cell> {
        let (resource, name) = field.split_once('.')?;
        match resource {
            "customer" if name == "status" => Some(self.status(self.account)),
            "customer_client" if name == "status" => Some(self.status(self.client?)),
            "campaign" => self.campaign?.cell(name, self.account, self.now),
            "campaign_budget" => self.budget?.cell(name, self.account),
            "customer" => self.account.cell(name),
            "customer_client" => self.client?.client_cell(name, self.account),
            "currency_constant" => currency_cell(self.currency?, name),
            "metrics" if name == "cost_micros" => Some(Cell::Int(self.cost_micros())),
            _ => None,
        }
    }

    fn status(&self, of: &Account) -> Cell {
        Cell::text(if of.manager && self.closed_managers { "CLOSED" } else { "ENABLED" })
    }

    /// Over the whole life, as there is no segment by date.
    fn cost_micros(&self) -> i64 {
        match (self.campaign, self.budget) {
            (Some(campaign), _) => campaign.cost_micros,
            (None, Some(budget)) => {
                let users = self.account.campaigns.values().filter(|one| one.budget == budget.id);
                users.fold(0, |sum, one| sum.saturating_add(one.cost_micros))
            }
            (None, None) => self.account.cost_micros(),
        }
    }
}

fn currency_cell(code: &str, field: &str) -> Option<Cell> {
    match field {
        "resource_name" => Some(Cell::Text(format!("currencyConstants/{code}"))),
        "code" => Some(Cell::text(code)),
        "billable_unit_micros" => Some(Cell::Int(currency::billable_unit(code))),
        _ => None,
    }
}
