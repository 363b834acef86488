//! The fields of the forms that create and change campaigns, and what such a form is shown with again.

mod account_values;

pub(crate) use account_values::{AccountValues, OWN_FIELDS, TARGETS_FIELD, accounts, own_field, ticked_accounts};

use crate::kit::form_fields::pick;
use crate::kit::large_budget::ASKED_FIELD;

/// The field with the idempotency key.
pub(crate) const KEY_FIELD: &str = "idempotency_key";
/// The field with the period of the budget.
pub(crate) const PERIOD_FIELD: &str = "budget_period";
/// The field with the time for which a change is scheduled; empty for now.
pub(crate) const TIME_FIELD: &str = "apply_at";
/// The fields that the form of a change is shown with again.
pub(crate) const CHANGE_FIELDS: [&str; 5] = ["id", "name", "budget_amount", PERIOD_FIELD, TIME_FIELD];
/// Those of the form of a create, beside those of its accounts.
const CREATE_FIELDS: [&str; 8] =
    ["name", "goal", "budget_amount", PERIOD_FIELD, "start_at", "end_at", KEY_FIELD, ASKED_FIELD];

/// The values that the form of a create is shown with again.
pub(crate) fn kept_create(form: &[(String, String)]) -> Vec<(String, String)> {
    let named = pick(form, &CREATE_FIELDS).into_iter();
    named.chain(accounts(form).iter().map(AccountValues::pack)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form as values;

    #[test]
    fn what_is_kept_has_the_values_of_each_account() {
        let form = values(&[
            ("goal", "LEADS"),
            ("targets", "BETA:2"),
            ("budget_amount.BETA:2", "5"),
            ("list", "x"),
            ("idempotency_key", "k"),
        ]);
        let kept = kept_create(&form);
        assert_eq!(kept.len(), 3);
        assert_eq!(accounts(&kept), accounts(&form));
    }
}
