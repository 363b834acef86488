//! The form with a limit as a page shows it.

use super::accounts::AccountChoice;
use super::body::{APPROVE_ACTIVATION, OTHER_CURRENCY, has_limit, ticked_connections};
use super::{APPROVE_ABOVE, CREATES, CURRENCY, DAILY, Field, LIFETIME, PER_CHANGE, Values};
use crate::kit::money::form_amount;
use rust_decimal::Decimal;
use shared::domain::spending::ApprovalRule;
use shared::domain::{Currency, SpendingLimit};
use shared::envelope::query::value;

/// What a new limit has before the person types anything; the currency, if no account has one.
pub(super) const NEW_CURRENCY: &str = "USD";
const NEW_CREATES: &str = "20";

/// The form: what may be chosen, and what is.
pub(crate) struct LimitForm {
    pub(crate) accounts: Vec<AccountChoice>,
    pub(crate) approves_activation: bool,
    pub(crate) fields: Vec<Field>,
    pub(crate) folded: Vec<Field>,
    /// Whether the person knows that it starts and raises nothing in ticked accounts of another currency.
    pub(crate) accepts_other_currency: bool,
}

impl LimitForm {
    /// The form as the person filled it in before a refusal, or with a limit, or for a new one. No account is chosen yet.
    /// The currencies are those of the ad accounts.
    pub(crate) fn new(
        filled_in: &[(String, String)],
        limit: Option<&SpendingLimit>,
        accounts: Vec<AccountChoice>,
        currencies: &[Currency],
    ) -> LimitForm {
        if has_limit(filled_in) {
            return LimitForm::from_form(filled_in, accounts, currencies);
        }
        match limit {
            Some(limit) => LimitForm::of(limit, accounts, currencies),
            None => LimitForm::empty(accounts, currencies),
        }
    }

    /// The form of the limit of a user. A new one asks nobody, as that of the API: everybody who acts for the user would ask.
    pub(crate) fn of_user(
        filled_in: &[(String, String)],
        limit: Option<&SpendingLimit>,
        currencies: &[Currency],
    ) -> LimitForm {
        let is_new = limit.is_none() && !has_limit(filled_in);
        let form = LimitForm::new(filled_in, limit, Vec::new(), currencies);
        LimitForm { approves_activation: form.approves_activation && !is_new, ..form }
    }

    /// The same form with the ad accounts of a limit ticked, in their currency.
    #[must_use]
    pub(crate) fn ticking(mut self, limit: &SpendingLimit) -> LimitForm {
        let is_chosen = |id: &str| limit.connections.iter().any(|connection| connection.0 == id);
        self.accounts = mark_chosen(self.accounts, is_chosen);
        self.in_their_currency()
    }

    /// The same form for a page on which a limit is one of two choices, so that no field of it must be filled in.
    #[must_use]
    pub(crate) fn optional(mut self) -> LimitForm {
        self.fields.iter_mut().for_each(|field| field.is_required = false);
        self
    }

    /// Whether the folded fields have something to show.
    pub(crate) fn is_open(&self) -> bool {
        self.folded.iter().any(|field| !field.value.is_empty())
    }

    fn from_values(
        accounts: Vec<AccountChoice>,
        approves_activation: bool,
        values: &Values,
        currencies: &[Currency],
    ) -> LimitForm {
        let (fields, folded) = (values.fields(currencies), values.folded());
        LimitForm { accounts, approves_activation, fields, folded, accepts_other_currency: false }
    }

    fn from_form(form: &[(String, String)], accounts: Vec<AccountChoice>, currencies: &[Currency]) -> LimitForm {
        let typed = |name| value(form, name).unwrap_or_default().to_owned();
        let values = Values {
            currency: typed(CURRENCY),
            daily: typed(DAILY),
            creates: typed(CREATES),
            lifetime: typed(LIFETIME),
            per_change: typed(PER_CHANGE),
            approve_above: typed(APPROVE_ABOVE),
        };
        let accounts = mark_chosen(accounts, |id| ticked_connections(form).any(|ticked| ticked == id));
        let form_of = LimitForm::from_values(accounts, value(form, APPROVE_ACTIVATION).is_some(), &values, currencies);
        LimitForm { accepts_other_currency: value(form, OTHER_CURRENCY).is_some(), ..form_of }
    }

    /// The first currency of a limit; see [`has_one_currency`].
    fn of(limit: &SpendingLimit, accounts: Vec<AccountChoice>, currencies: &[Currency]) -> LimitForm {
        let SpendingLimit { connections, amounts, creates_per_day, approval } = limit;
        let first = amounts.first();
        let currency = first.map(|amounts| amounts.currency.code()).unwrap_or_default();
        let above = approval.as_ref().and_then(|rule| rule.amounts.first());
        let shown = |amount: Option<Decimal>| amount.map(|amount| form_amount(amount, currency)).unwrap_or_default();
        let values = Values {
            currency: currency.to_owned(),
            daily: shown(first.map(|amounts| amounts.daily)),
            creates: creates_per_day.to_string(),
            lifetime: shown(first.map(|amounts| amounts.lifetime).filter(|amount| !amount.is_zero())),
            per_change: shown(first.and_then(|amounts| amounts.per_change)),
            approve_above: shown(above.map(|(_, amount)| *amount)),
        };
        let accounts = mark_chosen(accounts, |id| connections.iter().any(|connection| connection.0 == id));
        let approves = approval.as_ref().is_some_and(|rule| rule.activation);
        // What has been accepted before is not asked again.
        LimitForm { accepts_other_currency: true, ..LimitForm::from_values(accounts, approves, &values, currencies) }
    }

    /// The only ad account is ticked, and a person is asked before a campaign starts.
    fn empty(mut accounts: Vec<AccountChoice>, currencies: &[Currency]) -> LimitForm {
        if let [only] = accounts.as_mut_slice() {
            only.is_chosen = true;
        }
        let values = Values {
            currency: currencies.first().map_or(NEW_CURRENCY, |first| first.code()).to_owned(),
            daily: String::new(),
            creates: NEW_CREATES.to_owned(),
            lifetime: String::new(),
            per_change: String::new(),
            approve_above: String::new(),
        };
        LimitForm::from_values(accounts, true, &values, currencies)
    }
}

/// Whether the form has room for a limit, and would keep all of it.
pub(crate) fn has_one_currency(limit: &SpendingLimit) -> bool {
    let [amounts] = limit.amounts.as_slice() else { return false };
    let above = limit.approval.as_ref().map(|ApprovalRule { amounts, .. }| amounts.as_slice()).unwrap_or_default();
    above.iter().all(|(currency, _)| *currency == amounts.currency)
}

fn mark_chosen(mut accounts: Vec<AccountChoice>, is_chosen: impl Fn(&str) -> bool) -> Vec<AccountChoice> {
    for account in &mut accounts {
        account.is_chosen = is_chosen(&account.id);
    }
    accounts
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::spending::CurrencyLimit;
    use shared::domain::{ConnectionId, Platform};

    fn shown(filled_in: &[(&str, &str)], limit: Option<&SpendingLimit>, accounts: &[&str]) -> (Vec<String>, String) {
        let account = |id: &&str| AccountChoice {
            id: (*id).to_owned(),
            platform: Platform::Alpha,
            name: (*id).to_owned(),
            currency: None,
            is_chosen: false,
        };
        let filled_in = crate::kit::form_fields::form(filled_in);
        let form = LimitForm::new(&filled_in, limit, accounts.iter().map(account).collect(), &[]);
        let daily = form.fields.into_iter().find(|field| field.name == DAILY).unwrap().value;
        (form.accounts.into_iter().filter(|account| account.is_chosen).map(|account| account.id).collect(), daily)
    }

    #[test]
    fn the_currency_is_chosen_among_those_of_the_accounts() {
        let [eur, usd] = ["EUR", "USD"].map(|code| Currency::from_code(code).unwrap());
        let choices = |filled_in: &[(&str, &str)], currencies: &[Currency]| -> Vec<(String, bool)> {
            let filled_in = crate::kit::form_fields::form(filled_in);
            let form = LimitForm::new(&filled_in, None, Vec::new(), currencies);
            let field = form.fields.into_iter().find(|field| field.name == CURRENCY).unwrap();
            field.choices.into_iter().map(|choice| (choice.value, choice.is_chosen)).collect()
        };
        let one = |code: &str, is_chosen| (code.to_owned(), is_chosen);
        assert_eq!(choices(&[], &[eur, usd]), [one("EUR", true), one("USD", false)]);
        let typed = [("daily", "7"), ("currency", "JPY")];
        assert_eq!(choices(&typed, &[eur]), [one("EUR", false), one("JPY", true)], "what was sent stays");
        assert!(choices(&[], &[]).is_empty(), "without an account it is typed");
    }

    #[test]
    fn the_form_has_what_was_filled_in_or_else_the_limit() {
        let usd = Currency::from_code("USD").unwrap();
        let amounts = CurrencyLimit { currency: usd, daily: 50.into(), lifetime: Decimal::ZERO, per_change: None };
        let connections = vec![ConnectionId("b".to_owned())];
        let limit = SpendingLimit { connections, amounts: vec![amounts], creates_per_day: 3, approval: None };
        let filled_in = [("daily", "70"), ("connections", "a")];
        assert_eq!(shown(&filled_in, Some(&limit), &["a", "b"]), (vec!["a".to_owned()], "70".to_owned()));
        let other = [("name", "Agent")];
        assert_eq!(shown(&other, Some(&limit), &["a", "b"]), (vec!["b".to_owned()], "50.00".to_owned()));
        assert_eq!(shown(&[], None, &["a"]), (vec!["a".to_owned()], String::new()), "the only account is chosen");
        assert_eq!(shown(&[], None, &["a", "b"]), (Vec::new(), String::new()));
        let asks = |filled_in: &[(&str, &str)], limit: Option<&SpendingLimit>| {
            LimitForm::of_user(&crate::kit::form_fields::form(filled_in), limit, &[]).approves_activation
        };
        let approval = Some(ApprovalRule { activation: true, amounts: Vec::new() });
        let asking = SpendingLimit { approval, ..limit.clone() };
        assert!(!asks(&[], None) && !asks(&[], Some(&limit)) && asks(&[], Some(&asking)));
        assert!(asks(&[("daily", "7"), ("approve_activation", "yes")], None), "as the person filled it in");
    }
}
