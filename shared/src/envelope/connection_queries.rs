//! The query of the list of connections, and the body of their update.

use super::campaign_defaults;
use super::fields::Fields;
use super::query::{QueryReader, cursor, joined, one_of, reject_unknown_params, value};
use crate::domain::{
    CampaignDefaults, ConnectionFilters, ConnectionStatus, ConnectionUpdate, ExternalRef, MAX_NAME_CHARS, Platform,
};
use crate::error::Error;
use secrecy::SecretString;

/// The parameters of `listConnections`. The cursor is not decoded yet.
#[derive(Debug)]
pub struct ConnectionsQuery {
    pub filters: ConnectionFilters,
    /// Page size, 1 to 100; without one the rest of the list is one page.
    pub limit: Option<usize>,
    /// Encoded cursor.
    pub cursor: Option<String>,
}

/// Reads the query of `listConnections`. All errors are reported together.
pub fn read_connections(pairs: &[(String, String)]) -> Result<ConnectionsQuery, Error> {
    let pairs = &joined(pairs, "status");
    reject_unknown_params(pairs, &["platform", "status", "limit", "cursor"])?;
    let mut reader = QueryReader::new(pairs);
    let platform = reader.read("platform", &one_of(&Platform::ALL.map(Platform::as_str)), Platform::parse);
    let statuses = reader.read("status", &one_of(&ConnectionStatus::ALL.map(ConnectionStatus::as_str)), statuses);
    let limit = reader.given_limit();
    let filters = ConnectionFilters { platform, statuses: statuses.unwrap_or_default() };
    reader.finish(ConnectionsQuery { filters, limit, cursor: cursor(pairs) })
}

fn statuses(names: &str) -> Option<Vec<ConnectionStatus>> {
    names.split(',').map(ConnectionStatus::parse).collect()
}

/// The parameters of `authorize`.
#[derive(Debug)]
pub struct AuthorizeQuery<'a> {
    /// The address to return to.
    pub redirect_uri: Option<&'a str>,
    /// What comes back to the address as it is.
    pub state: Option<String>,
    /// Whether nothing is connected before `confirmConnection`.
    pub needs_confirmation: bool,
}

/// Most characters of a caller's state.
const MAX_STATE_CHARS: usize = 500;
const STATE_RULE: &str = "must be 1 to 500 printable ASCII characters";

/// Reads the query of `authorize`. All errors are reported together.
pub fn read_authorize(pairs: &[(String, String)]) -> Result<AuthorizeQuery<'_>, Error> {
    reject_unknown_params(pairs, &["redirect_uri", "state", "confirm"])?;
    let mut reader = QueryReader::new(pairs);
    let state = reader.read("state", STATE_RULE, |text| is_state(text).then(|| text.to_owned()));
    let needs_confirmation = reader.read("confirm", "must be true or false", |text| text.parse::<bool>().ok());
    let redirect_uri = value(pairs, "redirect_uri");
    let goes_nowhere = "needs redirect_uri: it comes back there, or leads there, and nowhere else";
    for name in ["state", "confirm"] {
        if redirect_uri.is_none() && value(pairs, name).is_some_and(|text| text != "false") {
            reader.fail(name, goes_nowhere);
        }
    }
    let needs_confirmation = needs_confirmation.unwrap_or_default();
    reader.finish(AuthorizeQuery { redirect_uri, state, needs_confirmation })
}

fn is_state(text: &str) -> bool {
    (1..=MAX_STATE_CHARS).contains(&text.len()) && text.bytes().all(|byte| (0x20..=0x7e).contains(&byte))
}

/// Reads the body of `confirmConnection`: the code that the redirect to the caller has carried.
pub fn read_confirmation(body: &[u8]) -> Result<SecretString, Error> {
    let mut fields = Fields::parse(body)?;
    let code = fields.string("confirmation_code");
    let code = fields.require("confirmation_code", code);
    fields.finish()?;
    let code = code.ok_or_else(|| Error::internal("a required field is missing without a field error"))?;
    Ok(code.into())
}

/// Reads the body of `labelConnection`, which has at least one of three fields. Null empties one.
pub fn read_connection_update(body: &[u8]) -> Result<ConnectionUpdate, Error> {
    let mut fields = Fields::parse(body)?;
    let (has_label, has_user) = (fields.has("label"), fields.has("external_ref"));
    if !has_label && !has_user && !fields.has(CampaignDefaults::NAME) {
        fields.add_error("label", "is required, unless external_ref or campaign_defaults is sent; null removes each");
    }
    let label = fields.nullable_string("label");
    if let Some(label) = &label {
        fields.check_text("label", label, MAX_NAME_CHARS);
    }
    let user = read_user(&mut fields);
    let campaign_defaults = campaign_defaults::read(&mut fields);
    fields.finish()?;
    Ok(ConnectionUpdate {
        label: has_label.then_some(label),
        external_ref: has_user.then_some(user),
        campaign_defaults,
    })
}

/// Reads `external_ref` of a body; `None` without one, and for null.
pub(super) fn read_user(fields: &mut Fields<'_>) -> Option<ExternalRef> {
    let text = fields.nullable_string("external_ref")?;
    let user = ExternalRef::parse(&text);
    if user.is_none() {
        fields.add_error("external_ref", ExternalRef::RULE);
    }
    user
}

#[cfg(test)]
mod tests {
    use super::super::query::pairs;
    use super::*;

    fn faults<T: std::fmt::Debug>(outcome: Result<T, Error>) -> Vec<String> {
        outcome.unwrap_err().details.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn several_statuses_are_joined_by_commas_or_repeated() {
        for query in ["status=ACTIVE,REVOKED", "status=ACTIVE&status=REVOKED"] {
            let read = read_connections(&pairs(Some(query))).unwrap();
            assert_eq!(read.filters.statuses, [ConnectionStatus::Active, ConnectionStatus::Revoked], "{query}");
            assert_eq!(read.limit, None, "the whole list");
        }
        for query in ["status=", "status=ACTIVE,", "status=active", "status=ACTIVE,x"] {
            assert_eq!(faults(read_connections(&pairs(Some(query)))), ["status"], "{query}");
        }
    }

    #[test]
    fn an_invalid_value_of_the_list_names_its_parameter() {
        for (query, field) in [
            ("platform=ALPHA", "platform"),
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("label=x", "label"),
            ("limit=1&limit=1", "limit"),
        ] {
            assert_eq!(faults(read_connections(&pairs(Some(query)))), [field], "{query}");
        }
    }

    #[test]
    fn the_state_of_the_caller_is_opaque_bounded_and_returned() {
        let query = |rest: &str| pairs(Some(&format!("redirect_uri=https://example.com/cb{rest}")));
        let longest = "x".repeat(MAX_STATE_CHARS);
        for (text, state) in [("a%20b%26c%3D%23", "a b&c=#"), (longest.as_str(), longest.as_str())] {
            let pairs = query(&format!("&state={text}&confirm=true"));
            let read = read_authorize(&pairs).unwrap();
            assert_eq!((read.state.as_deref(), read.needs_confirmation), (Some(state), true));
        }
        for text in ["", "%0A", "%C3%A9", &format!("{longest}x")] {
            assert_eq!(faults(read_authorize(&query(&format!("&state={text}")))), ["state"], "{text}");
        }
        assert!(!read_authorize(&query("&confirm=false")).unwrap().needs_confirmation);
        assert_eq!(faults(read_authorize(&query("&confirm=yes"))), ["confirm"]);
        let nowhere = pairs(Some("state=x&confirm=true"));
        assert_eq!(faults(read_authorize(&nowhere)), ["state", "confirm"], "without redirect_uri");
    }

    #[test]
    fn an_update_keeps_what_it_does_not_name_and_null_empties() {
        let read = |body: &str| read_connection_update(body.as_bytes());
        let user = ExternalRef::parse("user42");
        let update = read(r#"{"external_ref":"user42"}"#).unwrap();
        assert_eq!(update, ConnectionUpdate { external_ref: Some(user), ..ConnectionUpdate::default() });
        let update = read(r#"{"label":null}"#).unwrap();
        assert_eq!(update, ConnectionUpdate { label: Some(None), ..ConnectionUpdate::default() });
        assert_eq!(faults(read("{}")), ["label"]);
        assert_eq!(faults(read(r#"{"external_ref":"a b"}"#)), ["external_ref"]);
        assert_eq!(faults(read(r#"{"external_ref":"a","label":7}"#)), ["label"]);
    }

    #[test]
    fn values_of_new_campaigns_are_read_whole_and_errors_name_the_field() {
        let read = |defaults: &str| read_connection_update(format!(r#"{{"campaign_defaults":{defaults}}}"#).as_bytes());
        let update = |defaults| ConnectionUpdate { campaign_defaults: Some(defaults), ..ConnectionUpdate::default() };
        let german = CampaignDefaults { language: Some("de".to_owned()), ..CampaignDefaults::default() };
        assert_eq!(read(r#"{"language":"de","country":null}"#).unwrap(), update(Some(german)));
        let none = CampaignDefaults { special_ad_categories: Some(Vec::new()), ..CampaignDefaults::default() };
        assert_eq!(read(r#"{"special_ad_categories":[]}"#).unwrap(), update(Some(none)));
        assert_eq!(read("null").unwrap(), update(None));
        for (defaults, field) in [
            ("{}", "campaign_defaults"),
            (r#"{"country":null}"#, "campaign_defaults"),
            (r#""DE""#, "campaign_defaults"),
            (r#"{"country":49}"#, "campaign_defaults.country"),
            (r#"{"special_ad_categories":"HOUSING"}"#, "campaign_defaults.special_ad_categories"),
            (r#"{"country":"DE","geo":"1"}"#, "campaign_defaults.geo"),
        ] {
            assert_eq!(faults(read(defaults)), [field], "{defaults}");
        }
    }
}
