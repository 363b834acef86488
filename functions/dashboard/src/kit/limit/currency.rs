//! The currency of a limit, and those of the ad accounts that are ticked. A limit is in one currency, so in an account of
//! another one nothing can be started or raised under it.

use super::accounts::AccountChoice;
use super::form::LimitForm;
use super::{CURRENCY, Field};
use crate::kit::currencies::most_used;
use crate::kit::form_errors::FormError;
use crate::kit::text::some_of;
use shared::domain::Currency;

impl LimitForm {
    /// The same form with the currency of most of the ad accounts that are ticked.
    #[must_use]
    pub(super) fn in_their_currency(mut self) -> LimitForm {
        let ticked = self.accounts.iter().filter(|one| one.is_chosen);
        let Some(most) = most_used(ticked.filter_map(|one| Some((one.currency?, 1)))).into_iter().next() else {
            return self;
        };
        for field in self.fields.iter_mut().filter(|field| field.name == CURRENCY) {
            most.code().clone_into(&mut field.value);
            field.choices.iter_mut().for_each(|choice| choice.is_chosen = choice.value == most.code());
        }
        self
    }

    /// The error beside the currency of a form that was sent, if ticked ad accounts have another one.
    pub(crate) fn error_of_currency(&self) -> Option<FormError> {
        let currency = Currency::from_code(self.currency())?;
        let others: Vec<&AccountChoice> = self.in_another(currency).collect();
        let named = |one: &&AccountChoice| match one.currency {
            Some(own) => format!("{} is in {}", one.full_name(), own.code()),
            None => one.full_name(),
        };
        let names: Vec<String> = others.iter().map(named).collect();
        let next = if !self.is_mixed() {
            "Choose its currency, or other ad accounts."
        } else if self.accepts_other_currency {
            return None;
        } else {
            "Untick what you do not mean, or tick below that it starts nothing there."
        };
        let differ = format!("{}, not in {}.", some_of(&names), currency.code());
        (!names.is_empty()).then(|| FormError::new(CURRENCY, format!("{differ} {next}")))
    }

    /// Whether ticked ad accounts have the currency of the limit, and others have another one.
    pub(crate) fn is_mixed(&self) -> bool {
        let Some(currency) = Currency::from_code(self.currency()) else { return false };
        let has_it = self.accounts.iter().any(|one| one.is_chosen && one.currency == Some(currency));
        has_it && self.in_another(currency).next().is_some()
    }

    fn in_another(&self, currency: Currency) -> impl Iterator<Item = &AccountChoice> {
        let is_other = move |own: Currency| own != currency;
        self.accounts.iter().filter(move |one| one.is_chosen && one.currency.is_some_and(is_other))
    }

    fn currency(&self) -> &str {
        let field = self.fields.iter().find(|Field { name, .. }| *name == CURRENCY);
        field.map(|field| field.value.trim()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::Platform;

    fn sent(fields: &[(&str, &str)]) -> LimitForm {
        let account = |(id, code): (&str, &str)| AccountChoice {
            id: id.to_owned(),
            platform: Platform::Alpha,
            name: format!("Shop {id}"),
            currency: Currency::from_code(code),
            is_chosen: false,
        };
        let accounts = [("a", "EUR"), ("b", "USD"), ("c", "GBP"), ("d", "?")].map(account);
        let filled_in = crate::kit::form_fields::form(&[&[("daily", "7")][..], fields].concat());
        LimitForm::new(&filled_in, None, accounts.into(), &[])
    }

    #[test]
    fn an_account_in_another_currency_is_an_error_that_names_it() {
        let error = |fields: &[(&str, &str)]| sent(fields).error_of_currency().map(|error| error.message);
        let eur = ("currency", "EUR");
        assert_eq!(error(&[eur, ("connections", "a"), ("connections", "d")]), None, "its own, and an unknown one");
        let one = error(&[eur, ("connections", "b"), ("other_currency", "yes")]).unwrap();
        assert_eq!(one, "Google Ads: Shop b is in USD, not in EUR. Choose its currency, or other ad accounts.");
        let mixed = [eur, ("connections", "a"), ("connections", "b"), ("connections", "c")];
        let told = error(&mixed).unwrap();
        assert!(
            told.starts_with("Google Ads: Shop b is in USD and Google Ads: Shop c is in GBP, not in EUR. Untick"),
            "{told}"
        );
        assert!(sent(&mixed).is_mixed() && !sent(&[eur, ("connections", "b")]).is_mixed());
        assert_eq!(error(&[&mixed[..], &[("other_currency", "yes")]].concat()), None, "the person knows it");
        assert_eq!(error(&[("currency", "E"), ("connections", "b")]), None, "the API refuses what is no currency");
        assert_eq!(error(&[eur]), None);
    }
}
