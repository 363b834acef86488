//! The form of a consent as a person sent it, and its errors.

use crate::client::api::{Api, Refusal};
use crate::client::connect_request::{ANEW, MAY};
use crate::client::keys::{NewKey, wrong_in_limit, wrong_in_new};
use crate::client::limit_form::{self, in_order};
use crate::kit::addresses::OF_USER;
use crate::kit::form_errors::FormError;
use crate::kit::limit::{NewLimit, limit_of, no_change_of};
use jiff::Timestamp;
use shared::domain::{ApiKeyInfo, ExternalRef, Scope};
use shared::envelope::query::value;

/// A form that was sent.
pub(super) struct Sent<'a> {
    form: &'a [(String, String)],
    /// What the assistant may do: `read` or `campaigns`; `None` if the person has not chosen.
    pub(super) scope: Option<Scope>,
    /// The key of the assistant that is connected anew.
    pub(super) anew: Option<&'a str>,
    /// The user for whom alone the assistant acts.
    user: Option<&'a str>,
}

impl<'a> Sent<'a> {
    pub(super) fn of(form: &'a [(String, String)]) -> Sent<'a> {
        let typed = |name| value(form, name).map(str::trim).filter(|text| !text.is_empty());
        let scope = typed(MAY).and_then(Scope::parse).filter(|one| matches!(one, Scope::Read | Scope::Campaigns));
        Sent { form, scope, anew: typed(ANEW), user: typed(OF_USER) }
    }

    /// The limit of the form. One that only looks names what it sees, and admits nothing.
    pub(super) fn limit(&self, scope: Scope) -> NewLimit<'a> {
        if scope == Scope::Read { no_change_of(self.form) } else { limit_of(self.form) }
    }

    /// The key that the form makes.
    pub(super) fn key<'b>(&self, name: &'b str, scope: Scope) -> NewKey<'b>
    where
        'a: 'b,
    {
        let (scopes, spending_limit) = (vec![scope.as_str()], Some(self.limit(scope)));
        NewKey { name, scopes, expires_at: None, spending_limit, external_ref: self.user }
    }

    /// All that is wrong with the form, in the order of the page. `known` is the key that is connected anew, and `name` that of
    /// a new one.
    pub(super) async fn wrong(
        &self,
        api: &Api<'_>,
        known: Option<&ApiKeyInfo>,
        name: &str,
        now: Timestamp,
    ) -> Result<Vec<FormError>, Refusal> {
        let refused = match (self.scope, known) {
            (None, _) => Vec::new(),
            (Some(scope), Some(_)) => wrong_in_limit(&self.limit(scope)),
            (Some(scope), None) => wrong_in_new(&self.key(name, scope), now),
        };
        let user = match known {
            Some(known) => known.external_ref.clone(),
            None => self.user.and_then(ExternalRef::parse),
        };
        let changes = self.scope == Some(Scope::Campaigns);
        let of_limit = limit_form::wrong(api, self.form, &refused, user.as_ref(), changes).await?;
        let missing = self.scope.is_none().then(|| FormError::new(MAY, "Choose whether it only looks."));
        let other_user = known.and_then(|known| self.other_user(known.external_ref.as_ref()));
        Ok(in_order(missing.into_iter().chain(of_limit).chain(other_user).collect()))
    }

    /// The error of a form that would change for whom an assistant acts. What it knows of one user is not for another one.
    fn other_user(&self, bound: Option<&ExternalRef>) -> Option<FormError> {
        let (acts, next) = match bound {
            Some(user) if self.user == Some(user.as_str()) => return None,
            None if self.user.is_none() => return None,
            Some(user) => (format!("your user {user}"), format!("Write {user} here")),
            None => ("the whole account".to_owned(), "Leave this empty".to_owned()),
        };
        let message = format!(
            "This assistant acts for {acts}, and connecting it anew does not change that. {next}, or connect another one beside \
             it."
        );
        Some(FormError::new(OF_USER, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    #[test]
    fn connecting_anew_never_changes_for_whom_it_acts() {
        let shop = ExternalRef::parse("shop42");
        let error = |typed: &str, bound: Option<&ExternalRef>| {
            Sent::of(&form(&[(OF_USER, typed)])).other_user(bound).map(|error| error.message)
        };
        assert_eq!((error(" shop42 ", shop.as_ref()), error("", None)), (None, None));
        for typed in ["", "shop43"] {
            let message = error(typed, shop.as_ref()).unwrap();
            assert!(
                message.contains("acts for your user shop42") && message.contains("Write shop42 here"),
                "{message}"
            );
        }
        let unbound = error("shop42", None).unwrap();
        assert!(unbound.contains("the whole account") && unbound.contains("Leave this empty"), "{unbound}");
    }
}
