//! The rows of a query before its conditions apply.

use super::account::Account;
use super::budget::Budget;
use super::campaign::Campaign;
use super::currency;
use super::field_value::FieldValue;
use jiff::civil::DateTime;

/// The data and the settings of a search.
pub(crate) struct SearchContext<'a> {
    /// The searched account.
    pub(crate) account: &'a Account,
    pub(crate) all_accounts: &'a [Account],
    /// The current time in the account's time zone.
    pub(crate) local_time: DateTime,
    /// The sandbox setting that shortens pages.
    pub(crate) page_size: Option<usize>,
    /// Whether managers read as closed.
    pub(crate) closed_managers: bool,
}

/// One row: a resource and the resources joined to it.
pub(crate) struct Row<'a> {
    account: &'a Account,
    client: Option<&'a Account>,
    campaign: Option<&'a Campaign>,
    budget: Option<&'a Budget>,
    currency: Option<&'static str>,
    local_time: DateTime,
    closed_managers: bool,
}

/// Every row of a resource.
pub(crate) fn rows<'a>(context: &SearchContext<'a>, from: &str) -> Vec<Row<'a>> {
    let SearchContext { account, local_time, closed_managers, .. } = *context;
    let base =
        || Row { account, client: None, campaign: None, budget: None, currency: None, local_time, closed_managers };
    match from {
        "campaign" => {
            let row = |campaign: &'a Campaign| Row {
                campaign: Some(campaign),
                budget: account.budgets.get(&campaign.budget),
                ..base()
            };
            account.campaigns.values().map(row).collect()
        }
        "campaign_budget" => account.budgets.values().map(|budget| Row { budget: Some(budget), ..base() }).collect(),
        "customer" => vec![base()],
        "customer_client" => {
            let is_client = |other: &&Account| other.id == account.id || other.parent == Some(account.id);
            let clients = context.all_accounts.iter().filter(is_client);
            clients.map(|client| Row { client: Some(client), ..base() }).collect()
        }
        "currency_constant" => currency::codes().map(|code| Row { currency: Some(code), ..base() }).collect(),
        _ => Vec::new(),
    }
}

impl Row<'_> {
    /// The value of a field by its full name; `None` where Google omits it.
    pub(crate) fn field(&self, name: &str) -> Option<FieldValue> {
        let (resource, name) = name.split_once('.')?;
        match resource {
            "customer" if name == "status" => Some(self.status(self.account)),
            "customer_client" if name == "status" => Some(self.status(self.client?)),
            "campaign" => self.campaign?.field(name, self.account.id, self.local_time),
            "campaign_budget" => self.account.budget_field(self.budget?, name),
            "customer" => self.account.field(name),
            "customer_client" => self.client?.client_field(name, self.account),
            "currency_constant" => currency_field(self.currency?, name),
            "metrics" if name == "cost_micros" => Some(FieldValue::Int(self.cost_micros())),
            _ => None,
        }
    }

    fn status(&self, account: &Account) -> FieldValue {
        FieldValue::text(if account.manager && self.closed_managers { "CLOSED" } else { "ENABLED" })
    }

    /// Lifetime cost: the sandbox has no date segments.
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

fn currency_field(code: &str, name: &str) -> Option<FieldValue> {
    match name {
        "resource_name" => Some(FieldValue::Text(format!("currencyConstants/{code}"))),
        "code" => Some(FieldValue::text(code)),
        "billable_unit_micros" => Some(FieldValue::Int(currency::billable_unit(code))),
        _ => None,
    }
}
