//! The cursor of the merged list: the position at which the next page starts, and the filters.
//!
//! The cursor is opaque to callers, but not secret. It is validated like any other input. Ad accounts come from the
//! customer's own connections, never from the cursor.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use shared::domain::{AdAccount, Connection, ListFilters, Platform};
use shared::error::Error;

/// The position of the next page.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cursor {
    #[serde(rename = "p")]
    platform: String,
    #[serde(rename = "a")]
    account: String,
    /// The adapter's own position in that account; absent for its start.
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    #[serde(rename = "f")]
    filters: Fingerprint,
    /// The filter by connection, if there is one.
    #[serde(rename = "c", skip_serializing_if = "Option::is_none")]
    connection: Option<String>,
    /// The filter by name, if there is one.
    #[serde(rename = "q", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The filter by delivery, if there is one.
    #[serde(rename = "d", skip_serializing_if = "Option::is_none")]
    delivery: Option<String>,
    /// The report that the list is of; absent for campaigns.
    #[serde(rename = "r", skip_serializing_if = "Option::is_none")]
    report: Option<String>,
}

/// Where a page continues in a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// At its start.
    Start,
    /// After a row: a position of the adapter's own.
    After(String),
}

impl Position {
    /// The adapter's own position; `None` for the start.
    pub(crate) fn after(self) -> Option<String> {
        match self {
            Position::Start => None,
            Position::After(position) => Some(position),
        }
    }
}

/// The filters of the first page. The next page must have the same ones.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
struct Fingerprint(Option<String>, Option<String>, u8);

impl Fingerprint {
    fn of(filters: &ListFilters) -> Fingerprint {
        let platform = filters.platform.map(|platform| platform.as_str().to_owned());
        Fingerprint(platform, filters.account_id.clone(), filters.statuses.bits())
    }
}

/// The filter by delivery as text; `None` without one.
fn delivery(filters: &ListFilters) -> Option<String> {
    let states = &filters.delivery_states;
    (!states.is_empty()).then(|| states.iter().map(|state| state.as_str()).collect::<Vec<_>>().join(","))
}

impl Cursor {
    /// A position in a connection.
    pub(crate) fn new(
        connection: &Connection,
        position: Position,
        filters: &ListFilters,
        report: Option<&str>,
    ) -> Cursor {
        Cursor {
            platform: connection.platform.as_str().to_owned(),
            account: connection.account_id().to_owned(),
            after: position.after(),
            filters: Fingerprint::of(filters),
            connection: filters.connection_id.clone(),
            name: filters.name_contains.clone(),
            delivery: delivery(filters),
            report: report.map(str::to_owned),
        }
    }

    /// Encodes the cursor.
    pub(crate) fn encode(&self) -> Result<String, Error> {
        let json = serde_json::to_vec(self).map_err(Error::internal)?;
        Ok(URL_SAFE_NO_PAD.encode(json))
    }

    /// Decodes a cursor. The filters and the report must equal those of the first page.
    pub(crate) fn decode(text: &str, filters: &ListFilters, report: Option<&str>) -> Result<Cursor, Error> {
        Cursor::parse(text)?.check(filters, report)
    }

    /// Parses a cursor of any list.
    pub(crate) fn parse(text: &str) -> Result<Cursor, Error> {
        let invalid = || Error::field("cursor", "must be the next_cursor of an earlier page; start again without it");
        let json = URL_SAFE_NO_PAD.decode(text).map_err(|_| invalid())?;
        let cursor: Cursor = serde_json::from_slice(&json).map_err(|_| invalid())?;
        let is_valid = Platform::parse(&cursor.platform).is_some() && AdAccount::is_id(&cursor.account);
        if is_valid { Ok(cursor) } else { Err(invalid()) }
    }

    /// Checks that the cursor belongs to a list with these filters, of this report.
    pub(crate) fn check(self, filters: &ListFilters, report: Option<&str>) -> Result<Cursor, Error> {
        let has_filters = self.filters == Fingerprint::of(filters)
            && (&self.connection, &self.name) == (&filters.connection_id, &filters.name_contains)
            && self.delivery == delivery(filters);
        if !has_filters || self.report() != report {
            return Err(Error::field("cursor", "belongs to a list with other filters; start again without it"));
        }
        Ok(self)
    }

    /// The report that the list is of; `None` for campaigns.
    pub(crate) fn report(&self) -> Option<&str> {
        self.report.as_deref()
    }

    /// The ad account at which to continue.
    pub(crate) fn account(&self) -> Option<(Platform, String)> {
        Some((Platform::parse(&self.platform)?, self.account.clone()))
    }

    /// The position at which to continue in a connection; `None` if earlier pages covered it.
    pub(crate) fn position_in(&self, connection: &Connection) -> Option<Position> {
        let (platform, account) = self.account()?;
        match (connection.platform, connection.account_id()).cmp(&(platform, account.as_str())) {
            std::cmp::Ordering::Less => None,
            std::cmp::Ordering::Equal => Some(self.after.clone().map_or(Position::Start, Position::After)),
            std::cmp::Ordering::Greater => Some(Position::Start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::{DeliveryState, StatusSet};

    fn filters(account: Option<&str>) -> ListFilters {
        ListFilters {
            platform: None,
            account_id: account.map(str::to_owned),
            connection_id: None,
            statuses: StatusSet::not_final(),
            name_contains: None,
            delivery_states: Vec::new(),
        }
    }

    fn cursor(after: Option<&str>) -> Cursor {
        let platform = "alpha_ads".to_owned();
        let account = "2".to_owned();
        let after = after.map(str::to_owned);
        let filters = Fingerprint::of(&filters(None));
        Cursor { platform, account, after, filters, connection: None, name: None, delivery: None, report: None }
    }

    #[test]
    fn a_cursor_survives_encoding() {
        for after in [None, Some("77")] {
            let text = cursor(after).encode().unwrap();
            assert_eq!(Cursor::decode(&text, &filters(None), None).unwrap(), cursor(after));
        }
    }

    #[test]
    fn a_cursor_of_an_earlier_version_stays_valid() {
        let statuses = StatusSet::not_final().bits();
        let json = format!(r#"{{"p":"alpha_ads","a":"2","n":"77","f":[null,null,{statuses}]}}"#);
        assert_eq!(Cursor::decode(&URL_SAFE_NO_PAD.encode(json), &filters(None), None).unwrap(), cursor(Some("77")));
    }

    #[test]
    fn a_cursor_names_an_account_that_can_exist() {
        for account in ["", "~~", "é", "1 2", &"9".repeat(1_100)] {
            let text = Cursor { account: account.to_owned(), ..cursor(None) }.encode().unwrap();
            let error = Cursor::decode(&text, &filters(None), None).unwrap_err();
            assert_eq!(error.details[0].field, "cursor", "{account}");
        }
    }

    #[test]
    fn an_invalid_cursor_or_one_of_other_filters_is_a_field_error() {
        let text = cursor(Some("77")).encode().unwrap();
        for broken in ["", "x", "e30", &text[1..], &format!("{text}A")] {
            assert_eq!(
                Cursor::decode(broken, &filters(None), None).unwrap_err().details[0].field,
                "cursor",
                "{broken}"
            );
        }
        assert_eq!(Cursor::decode(&text, &filters(Some("2")), None).unwrap_err().details[0].field, "cursor");
        for other in [
            ListFilters { connection_id: Some("conn_1".to_owned()), ..filters(None) },
            ListFilters { name_contains: Some("sale".to_owned()), ..filters(None) },
            ListFilters { delivery_states: vec![DeliveryState::Blocked], ..filters(None) },
        ] {
            assert_eq!(Cursor::decode(&text, &other, None).unwrap_err().details[0].field, "cursor", "{other:?}");
        }
        assert_eq!(Cursor::decode(&text, &filters(None), Some("day")).unwrap_err().details[0].field, "cursor");
    }
}
