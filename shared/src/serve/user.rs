//! The user for whom a request acts (D159): which one it names, and whether it may.

use crate::domain::{ApiKeyInfo, ExternalRef};
use crate::envelope::query::value;
use crate::error::{Error, FieldError, Kind};
use crate::routes::{ForUser, Route};

/// The header that names the user.
pub(super) const USER_HEADER: &str = "x-external-ref";
/// The query parameter that does the same.
const PARAMETER: &str = "external_ref";

/// The user that a request names. The parameter leaves the query, so that handlers ask [`super::Call::user`]. An error
/// if one of both is invalid, or if they differ.
pub(super) fn take_named_user(
    header: Option<&str>,
    query: &mut Vec<(String, String)>,
) -> Result<Option<ExternalRef>, Error> {
    let mut errors = Vec::new();
    let mut read = |field: &str, text: Option<&str>, rule: String| {
        let user = ExternalRef::parse(text?);
        if user.is_none() {
            errors.push(FieldError::new(field, rule));
        }
        user
    };
    let by_header = read("X-External-Ref", header, format!("{}, and be sent once", ExternalRef::RULE));
    let by_query = read(PARAMETER, value(query, PARAMETER), ExternalRef::RULE.to_owned());
    if query.iter().filter(|(name, _)| name == PARAMETER).count() > 1 {
        errors.push(FieldError::new(PARAMETER, "is given twice"));
    }
    if by_header.is_some() && by_query.is_some() && by_header != by_query {
        errors.push(FieldError::new(PARAMETER, "must be the user of the header X-External-Ref; send one of both"));
    }
    query.retain(|(name, _)| name != PARAMETER);
    if errors.is_empty() { Ok(by_header.or(by_query)) } else { Err(Error::fields(errors)) }
}

/// Refuses a request whose key is bound to another user than it names, and one for a user at an endpoint that is about
/// the whole customer.
pub(super) fn check_user(named: Option<&ExternalRef>, key: Option<&ApiKeyInfo>, route: &Route) -> Result<(), Error> {
    let bound = key.and_then(|key| key.external_ref.as_ref());
    if let (Some(named), Some(bound)) = (named, bound)
        && named != bound
    {
        let message = format!(
            "This API key acts for the user {bound} only. Send that in X-External-Ref, or leave the header out."
        );
        return Err(Error::new(Kind::Forbidden, message));
    }
    match (route.endpoint.for_user(), bound.or(named)) {
        (ForUser::CustomerWide(what), Some(_)) => {
            let advice = if bound.is_some() { "Use an API key without external_ref" } else { "Leave the user out" };
            Err(Error::new(Kind::Forbidden, format!("{what}, so no request for one user may use them. {advice}.")))
        }
        (ForUser::CustomerWide(_) | ForUser::Acts | ForUser::Unaffected, _) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::query::pairs;

    fn named(header: Option<&str>, query: &str) -> Result<Option<ExternalRef>, Vec<String>> {
        let mut query = pairs(Some(query));
        let named = take_named_user(header, &mut query);
        assert!(query.iter().all(|(name, _)| name != PARAMETER), "{query:?}");
        named.map_err(|error| error.details.into_iter().map(|error| error.field).collect())
    }

    #[test]
    fn header_and_parameter_name_the_same_user_or_one_of_them_does() {
        let shop = ExternalRef::parse("shop42");
        for (header, query) in [
            (Some("shop42"), "limit=1"),
            (None, "limit=1&external_ref=shop42"),
            (Some("shop42"), "external_ref=shop42"),
        ] {
            assert_eq!(named(header, query), Ok(shop.clone()), "{header:?} {query}");
        }
        assert_eq!(named(None, "limit=1"), Ok(None));
        for (header, query, fields) in [
            (Some(""), "", vec!["X-External-Ref"]),
            (Some("a,b"), "", vec!["X-External-Ref"]),
            (None, "external_ref=", vec![PARAMETER]),
            (None, "external_ref=a&external_ref=a", vec![PARAMETER]),
            (Some("a"), "external_ref=b", vec![PARAMETER]),
            (Some("a b"), "external_ref=a%20b", vec!["X-External-Ref", PARAMETER]),
        ] {
            assert_eq!(
                named(header, query),
                Err(fields.iter().map(ToString::to_string).collect()),
                "{header:?} {query}"
            );
        }
    }
}
