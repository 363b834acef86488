//! What waits for a campaign, and sets its budget again after a change.

use super::read::campaign_id;
use super::requested_change::RequestedChange;
use crate::answer::ToolError;
use crate::api::Api;
use crate::json::amount_text;
use crate::object::Object;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::value::RawValue;
use shared::domain::{ChangeKind, KeyId, Requester};
use shared::error::Error;

#[derive(Deserialize)]
struct List<'a> {
    #[serde(borrow)]
    changes: Vec<&'a RawValue>,
}

/// A waiting change that sets the budget.
pub(super) struct WaitingBudget {
    id: String,
    apply_at: String,
    amount: Decimal,
    /// Whether an update by this key rewrites the budget of this activation. It does so only if the activation waits
    /// for a held start.
    will_be_rewritten: bool,
}

/// Reads what waits for the campaign of an update that names its budget.
pub(super) async fn waiting_budgets(
    api: &Api<'_>,
    kind: ChangeKind,
    requested: &RequestedChange<'_>,
) -> Result<Vec<WaitingBudget>, ToolError> {
    if kind != ChangeKind::Update || !requested.arguments.has("budget_amount") {
        return Ok(Vec::new());
    }
    let campaign = campaign_id(&requested.arguments)?;
    let answered = api.get(&format!("/v1/changes?campaign_id={campaign}&state=scheduled&limit=100")).await?;
    let list: List<'_> = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let own = match api.call.requester()? {
        Requester::ApiKey { id, .. } => Some(id),
        Requester::Person { .. } => None,
    };
    let may_rewrite = |by: Option<&str>| api.call.spending.is_none() || by == own.as_ref().map(|KeyId(id)| id.as_str());
    let mut waiting = Vec::new();
    for change in list.changes {
        let change = Object::parse(change.get())?;
        let requested = change.nested("requested");
        let amount = requested.as_ref().and_then(|requested| requested.amount("budget_amount"));
        if let (Some(requested), Some(amount), Some(id), Some(apply_at)) =
            (requested, amount, change.text("id"), change.text("apply_at"))
        {
            let by = change.nested("requested_by").and_then(|by| by.text("id"));
            let activates = requested.text("status").as_deref() == Some("ACTIVE");
            waiting.push(WaitingBudget {
                id,
                apply_at,
                amount,
                will_be_rewritten: activates && may_rewrite(by.as_deref()),
            });
        }
    }
    Ok(waiting)
}

impl WaitingBudget {
    /// The warning; `None` if the update has the last word.
    pub(super) fn warning(&self, before: &Object<'_>, new_budget: Option<Decimal>) -> Option<String> {
        let WaitingBudget { id, apply_at, amount, will_be_rewritten } = self;
        let is_held = before.text("start_held_by").as_deref() == Some("service")
            && before.text("start_at").as_deref() == Some(apply_at.as_str());
        if new_budget == Some(*amount) || *will_be_rewritten && is_held {
            return None;
        }
        let budget = amount_text(*amount, &before.text("currency")?);
        Some(format!(
            "A change that waits ({id}) sets the budget to {budget} at {apply_at}, whatever this change sets now."
        ))
    }
}
