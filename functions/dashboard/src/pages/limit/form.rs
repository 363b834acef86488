//! The form with a limit as a page shows it.

use super::body::{APPROVE_ACTIVATION, has_limit, ticked};
use super::{APPROVE_ABOVE, CREATES, CURRENCY, DAILY, Field, LIFETIME, PER_CHANGE, Values};
use crate::client::accounts::Connection;
use crate::client::notice::Notice;
use crate::kit::money::entered;
use rust_decimal::Decimal;
use shared::domain::SpendingLimit;
use shared::domain::spending::ApprovalRule;
use shared::envelope::query::value;

/// What a new limit has before the person types anything.
const NEW_CURRENCY: &str = "USD";
const NEW_CREATES: &str = "20";

/// The form: what may be chosen, and what is.
pub(crate) struct LimitForm {
    pub(crate) accounts: Vec<AccountChoice>,
    pub(crate) approves_activation: bool,
    pub(crate) fields: Vec<Field>,
    pub(crate) folded: Vec<Field>,
}

/// An ad account that a key may change.
pub(crate) struct AccountChoice {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) is_chosen: bool,
}

impl LimitForm {
    /// The form as the person filled it in before a refusal, or with a limit, or for a new key.
    pub(crate) fn new(notice: Option<&Notice>, limit: Option<&SpendingLimit>, connections: &[Connection]) -> LimitForm {
        match (notice.map(|notice| notice.values.as_slice()).filter(|values| has_limit(values)), limit) {
            (Some(values), _) => LimitForm::typed(values, connections),
            (None, Some(limit)) => LimitForm::of(limit, connections),
            (None, None) => LimitForm::empty(connections),
        }
    }

    /// Whether the folded fields have something to show.
    pub(crate) fn is_open(&self) -> bool {
        self.folded.iter().any(|field| !field.value.is_empty())
    }

    fn with(accounts: Vec<AccountChoice>, approves_activation: bool, values: &Values) -> LimitForm {
        LimitForm { accounts, approves_activation, fields: values.fields(), folded: values.folded() }
    }

    fn typed(form: &[(String, String)], connections: &[Connection]) -> LimitForm {
        let typed = |name| value(form, name).unwrap_or_default().to_owned();
        let values = Values {
            currency: typed(CURRENCY),
            daily: typed(DAILY),
            creates: typed(CREATES),
            lifetime: typed(LIFETIME),
            per_change: typed(PER_CHANGE),
            approve_above: typed(APPROVE_ABOVE),
        };
        let accounts = choices(connections, |id| ticked(form).any(|ticked| ticked == id));
        LimitForm::with(accounts, value(form, APPROVE_ACTIVATION).is_some(), &values)
    }

    /// The first currency of a limit; see [`has_one_currency`].
    fn of(limit: &SpendingLimit, connections: &[Connection]) -> LimitForm {
        let SpendingLimit { connections: chosen, amounts, creates_per_day, approval } = limit;
        let first = amounts.first();
        let currency = first.map(|amounts| amounts.currency.code()).unwrap_or_default();
        let above = approval.as_ref().and_then(|rule| rule.amounts.first());
        let shown = |amount: Option<Decimal>| amount.map(|amount| entered(amount, currency)).unwrap_or_default();
        let values = Values {
            currency: currency.to_owned(),
            daily: shown(first.map(|amounts| amounts.daily)),
            creates: creates_per_day.to_string(),
            lifetime: shown(first.map(|amounts| amounts.lifetime).filter(|amount| !amount.is_zero())),
            per_change: shown(first.and_then(|amounts| amounts.per_change)),
            approve_above: shown(above.map(|(_, amount)| *amount)),
        };
        let accounts = choices(connections, |id| chosen.iter().any(|chosen| chosen.0 == id));
        LimitForm::with(accounts, approval.as_ref().is_some_and(|rule| rule.activation), &values)
    }

    /// The only ad account is ticked, and a person is asked before a campaign starts.
    fn empty(connections: &[Connection]) -> LimitForm {
        let mut accounts = choices(connections, |_| false);
        if let [only] = accounts.as_mut_slice() {
            only.is_chosen = true;
        }
        let values = Values {
            currency: NEW_CURRENCY.to_owned(),
            daily: String::new(),
            creates: NEW_CREATES.to_owned(),
            lifetime: String::new(),
            per_change: String::new(),
            approve_above: String::new(),
        };
        LimitForm::with(accounts, true, &values)
    }
}

/// Whether the form has room for a limit, and would keep all of it.
pub(crate) fn has_one_currency(limit: &SpendingLimit) -> bool {
    let [amounts] = limit.amounts.as_slice() else { return false };
    let above = limit.approval.as_ref().map(|ApprovalRule { amounts, .. }| amounts.as_slice()).unwrap_or_default();
    above.iter().all(|(currency, _)| *currency == amounts.currency)
}

/// Accounts whose consent is not complete have no id yet, so no key can change them.
fn choices(connections: &[Connection], is_chosen: impl Fn(&str) -> bool) -> Vec<AccountChoice> {
    let choice =
        |one: &Connection| AccountChoice { id: one.id.0.clone(), name: one.name(), is_chosen: is_chosen(&one.id.0) };
    connections.iter().filter(|one| !one.remote_account_id.is_empty()).map(choice).collect()
}
