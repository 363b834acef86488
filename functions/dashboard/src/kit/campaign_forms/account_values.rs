//! What the create form has for each ad account. An empty value is that of the line for all accounts.

use shared::envelope::query::value;
use std::collections::BTreeMap;

type Form = [(String, String)];

/// The field of the ad accounts that are ticked, once for each.
pub(crate) const TARGETS_FIELD: &str = "targets";
/// The fields that each account may have for itself.
pub(crate) const OWN_FIELDS: [&str; 4] = ["budget_amount", "budget_period", "start_at", "end_at"];
/// The field of an account with its values, short enough for a cookie.
const PACKED_FIELD: &str = "row";
/// Separates the values of such a field. A field of one line cannot have it.
const SEPARATOR: char = '\t';

/// An ad account of the form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AccountValues {
    /// The platform and the account: `BETA:7`.
    pub(crate) target: String,
    pub(crate) is_ticked: bool,
    /// Its own values, in the order of the fields.
    own: [String; 4],
}

/// The name of the field, and the id of the control, in which an account has its own value.
pub(crate) fn own_field(field: &str, target: &str) -> String {
    format!("{field}.{target}")
}

/// The accounts that a form ticks or has values for, sorted: the same choice is the same request.
pub(crate) fn accounts(form: &Form) -> Vec<AccountValues> {
    let mut known: BTreeMap<String, AccountValues> = BTreeMap::new();
    for (name, text) in form {
        if name == TARGETS_FIELD {
            known.entry(text.clone()).or_default().is_ticked = true;
        } else if name == PACKED_FIELD
            && let Some(account) = AccountValues::unpack(text)
        {
            known.insert(account.target.clone(), account);
        } else if let Some((at, target)) = own_value(name)
            && !text.trim().is_empty()
        {
            text.trim().clone_into(&mut known.entry(target.to_owned()).or_default().own[at]);
        }
    }
    let named = known.into_iter().map(|(target, account)| AccountValues { target, ..account });
    named.filter(AccountValues::has_input).collect()
}

/// The accounts that are ticked.
pub(crate) fn ticked_accounts(form: &Form) -> Vec<AccountValues> {
    accounts(form).into_iter().filter(|account| account.is_ticked).collect()
}

/// Which field a name belongs to, and its account.
fn own_value(name: &str) -> Option<(usize, &str)> {
    let (field, target) = name.split_once('.')?;
    Some((OWN_FIELDS.iter().position(|known| *known == field)?, target))
}

impl AccountValues {
    /// An account that is ticked.
    pub(crate) fn of(target: impl Into<String>, own: [String; 4]) -> AccountValues {
        AccountValues { target: target.into(), is_ticked: true, own }
    }

    /// Its own value of a field; empty without one.
    pub(crate) fn own(&self, field: &str) -> &str {
        let at = OWN_FIELDS.iter().position(|known| *known == field);
        at.map_or("", |at| self.own[at].as_str())
    }

    /// The value of a field: its own, or that for all accounts.
    pub(crate) fn value<'a>(&'a self, field: &str, form: &'a Form) -> &'a str {
        match self.own(field) {
            "" => value(form, field).unwrap_or_default().trim(),
            own => own,
        }
    }

    /// The platform and the account as the API has them.
    pub(crate) fn parts(&self) -> (&str, &str) {
        self.target.split_once(':').unwrap_or((&self.target, ""))
    }

    /// The field of a form that holds all of it.
    pub(crate) fn pack(&self) -> (String, String) {
        if self.is_ticked && self.own.iter().all(String::is_empty) {
            return (TARGETS_FIELD.to_owned(), self.target.clone());
        }
        let mark = if self.is_ticked { "x" } else { "" };
        let parts: Vec<&str> = [mark, &self.target].into_iter().chain(self.own.iter().map(String::as_str)).collect();
        (PACKED_FIELD.to_owned(), parts.join(&SEPARATOR.to_string()))
    }

    fn unpack(text: &str) -> Option<AccountValues> {
        let parts: Vec<&str> = text.split(SEPARATOR).collect();
        let [mark, target, own @ ..] = parts.as_slice() else { return None };
        let own: [&str; 4] = own.try_into().ok()?;
        Some(AccountValues { target: (*target).to_owned(), is_ticked: *mark == "x", own: own.map(str::to_owned) })
    }

    /// Whether a person has filled it in. The period does not count: every row has one.
    fn has_input(&self) -> bool {
        self.is_ticked || ["budget_amount", "start_at", "end_at"].iter().any(|field| !self.own(field).is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    #[test]
    fn an_account_has_its_own_values_or_those_for_all() {
        let form = form(&[
            ("budget_amount", "50"),
            ("budget_period", "DAILY"),
            ("targets", "ZETA:t2_b"),
            ("targets", "ALPHA:1"),
            ("budget_amount.ALPHA:1", " 25.50 "),
            ("budget_period.ALPHA:1", ""),
            ("budget_period.BETA:2", "DAILY"),
        ]);
        let accounts = ticked_accounts(&form);
        let shown: Vec<_> = accounts
            .iter()
            .map(|account| {
                (account.parts(), account.value("budget_amount", &form), account.value("budget_period", &form))
            })
            .collect();
        assert_eq!(shown, [(("ALPHA", "1"), "25.50", "DAILY"), (("ZETA", "t2_b"), "50", "DAILY")]);
    }

    #[test]
    fn a_packed_form_has_the_same_accounts() {
        let form = form(&[
            ("targets", "ALPHA:1"),
            ("targets", "BETA:2"),
            ("budget_amount.BETA:2", "500"),
            ("end_at.BETA:2", "2026-12-24"),
            ("budget_amount.GAMMA:3", "7"),
        ]);
        let packed: Vec<_> = accounts(&form).iter().map(AccountValues::pack).collect();
        assert_eq!(packed[0], ("targets".to_owned(), "ALPHA:1".to_owned()));
        assert_eq!(accounts(&packed), accounts(&form));
        assert_eq!(
            (accounts(&form).len(), ticked_accounts(&packed).len()),
            (3, 2),
            "what is typed is kept, ticked or not"
        );
    }

    #[test]
    fn a_damaged_field_is_no_account() {
        assert!(accounts(&form(&[("row", "x\tALPHA:1"), ("row", ""), ("other.ALPHA:1", "5")])).is_empty());
    }
}
