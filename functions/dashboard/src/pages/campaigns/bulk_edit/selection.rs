//! The campaigns that a person has selected, and what to do with them.

use super::percent::Percent;
use super::preview::Action;
use crate::kit::addresses::BULK_EDIT;
use crate::kit::amount::decimal;
use crate::kit::words;
use crate::pages::campaigns::filter::Filter;
use rust_decimal::Decimal;
use shared::envelope::query::{pairs, value};
use url::form_urlencoded::Serializer;

/// Most campaigns at once: as many as a page of the list has.
pub(super) const MAX_CAMPAIGNS: usize = 50;
/// Requests at a time, less than each plan has slots.
pub(super) const CONCURRENT: usize = 5;
/// The fields of the choice.
pub(super) use crate::pages::campaigns::filter::IDS_FIELD;
pub(super) const ACTION_FIELD: &str = "do";
const PERCENT_FIELD: &str = "percent";
const AMOUNT_FIELD: &str = "amount";
/// The action of the list whose value a person still has to write.
const BUDGETS: &str = "budgets";

/// The selected campaigns, each once, and the action.
pub(super) struct Selection {
    pub(super) ids: Vec<String>,
    pub(super) action: String,
    pub(super) percent: String,
    pub(super) amount: String,
    pub(super) list: Filter,
}

impl Selection {
    pub(super) fn read(fields: &[(String, String)]) -> Selection {
        let mut ids: Vec<String> = Vec::new();
        for (_, id) in fields.iter().filter(|(name, id)| name == IDS_FIELD && !id.is_empty()) {
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        let text = |name| value(fields, name).unwrap_or_default().trim().to_owned();
        let list = Filter::of(&pairs(value(fields, "list")));
        let (percent, amount) = (text(PERCENT_FIELD), text(AMOUNT_FIELD));
        let action = match (text(ACTION_FIELD), percent.is_empty(), amount.is_empty()) {
            (action, false, true) if action == BUDGETS => "budget".to_owned(),
            (action, true, false) if action == BUDGETS => "set".to_owned(),
            (action, _, _) => action,
        };
        Selection { ids, action, percent, amount, list }
    }

    /// What is done; `None` as long as the person has not written the new budgets.
    pub(super) fn action(&self) -> Result<Option<Action>, String> {
        match self.action.as_str() {
            "pause" => Ok(Some(Action::Pause)),
            "activate" => Ok(Some(Action::Activate)),
            "budget" => {
                Percent::parse(&self.percent).map(|percent| Some(Action::Budget(percent))).map_err(str::to_owned)
            }
            "set" => amount(&self.amount).map(|amount| Some(Action::Set(amount))),
            BUDGETS if self.percent.is_empty() => Ok(None),
            BUDGETS => Err("Write a percentage or an amount, not both.".to_owned()),
            _ => Err("Choose what to do.".to_owned()),
        }
    }

    /// The page for some of the campaigns.
    pub(super) fn path(&self, ids: &[String]) -> String {
        let mut query = Serializer::new(String::new());
        query.extend_pairs(ids.iter().map(|id| (IDS_FIELD, id)));
        query.append_pair(ACTION_FIELD, &self.action);
        let values = [(PERCENT_FIELD, &self.percent), (AMOUNT_FIELD, &self.amount)];
        query.extend_pairs(values.iter().filter(|(_, value)| !value.is_empty()));
        format!("{BULK_EDIT}?{}", query.append_pair("list", &self.list.list()).finish())
    }

    /// Whether it is about budgets.
    pub(super) fn is_of_budgets(&self) -> bool {
        !matches!(self.action.as_str(), "pause" | "activate")
    }

    /// Why the page cannot be shown.
    pub(super) fn refusal(&self) -> Option<&'static str> {
        match self.ids.len() {
            0 => Some("Tick the campaigns first, then choose what to do with them."),
            1..=MAX_CAMPAIGNS => None,
            _ => Some("Tick at most 50 campaigns at once."),
        }
    }
}

/// The amount that a person typed for all budgets.
fn amount(text: &str) -> Result<Decimal, String> {
    match decimal(text) {
        Some(amount) if amount > Decimal::ZERO => Ok(amount.normalize()),
        Some(_) => Err("A budget is more than 0.".to_owned()),
        None => Err(words::number(text.trim())),
    }
}
