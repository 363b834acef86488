//! Which records of a customer are those of a user that is erased. A record that says whose it is belongs to that user; one
//! that does not belongs to its ad account, or its connection.

use crate::domain::erasure::ErasureSubject;
use crate::domain::{CampaignId, ExternalRef, Platform};
use crate::store::Item;
use crate::store::table_keys::{self, SORT, USER_PREFIX};

/// The user, and by what its records are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner<'a> {
    pub(super) user: &'a ExternalRef,
    pub(super) subject: &'a ErasureSubject,
}

/// What becomes of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is not the user's.
    Stays,
    Deleted,
    /// A change: a tombstone stays.
    Buried,
    /// The response under an `Idempotency-Key`: the key stays claimed.
    Emptied,
    /// A spending, which may count campaigns of the user.
    Counts,
    /// A delivery, whose event decides.
    OfEvent,
}

impl Owner<'_> {
    /// What becomes of a record of the customer.
    pub(super) fn fate(&self, item: &Item) -> Fate {
        let sort_key = string(item, &[SORT]).unwrap_or_default();
        let (kind, rest) = sort_key.split_once('#').unwrap_or((sort_key, ""));
        let deleted_if = |is_owned: bool| if is_owned { Fate::Deleted } else { Fate::Stays };
        match kind {
            "CHANGE" if self.has_change(item, &[]) => Fate::Buried,
            "CAMPAIGN" | "TURN" => deleted_if(self.has_campaign(rest)),
            "BULK" => deleted_if(self.has_change(item, &[])),
            "EVENT" => deleted_if(self.has_event(item)),
            "DELIVERY" => Fate::OfEvent,
            "OVERVIEW" => deleted_if(self.has_reading(item)),
            "IDEMPOTENCY" if self.has_response(item) => Fate::Emptied,
            "LIMIT" if self.subject.has_key(rest) => Fate::Deleted,
            "LIMIT" if table_keys::parse_spending_sk(sort_key).is_some_and(|of| of.user() != Some(self.user)) => {
                Fate::Counts
            }
            "STOP" | "ASSISTANT" => deleted_if(self.subject.has_key(rest)),
            "REFUSALS" => deleted_if(rest.rsplit_once('#').is_some_and(|(spender, _)| self.has_spender(spender))),
            _ => Fate::Stays,
        }
    }

    /// Whether an entry of the usage log is the user's.
    pub(super) fn has_usage(&self, item: &Item) -> bool {
        if string(item, &["api_key"]).is_some_and(|key| self.subject.has_key(key)) {
            return true;
        }
        if let Some(user) = string(item, &["external_ref"]) {
            return user == self.user.as_str();
        }
        let path = string(item, &["path"]).unwrap_or_default();
        string(item, &["connection"]).is_some_and(|id| self.subject.has_connection(id))
            || path.split('/').any(|part| self.subject.has_connection(part) || self.has_campaign(part))
    }

    /// Whether an event is about the user, or names it as the one before.
    pub(super) fn has_event(&self, item: &Item) -> bool {
        let user = Some(self.user.as_str());
        let connection = string(item, &["connection", "now", "external_ref"]);
        let before = string(item, &["connection", "before", "names", "external_ref"]);
        let key = string(item, &["api_key", "id"]).or_else(|| string(item, &["limit", "key"]));
        let is_unowned_connection = connection.is_none()
            && string(item, &["connection", "now", "id"]).is_some_and(|id| self.subject.has_connection(id));
        [connection, before, string(item, &["user", "external_ref"]), string(item, &["limit", "user"])].contains(&user)
            || is_unowned_connection
            || key.is_some_and(|key| self.subject.has_key(key))
            || self.has_change(item, &["change"])
    }

    /// Whether the part of a sort key that names a key or a user names one of these.
    fn has_spender(&self, name: &str) -> bool {
        name.strip_prefix(USER_PREFIX).map_or_else(|| self.subject.has_key(name), |user| user == self.user.as_str())
    }

    fn has_change(&self, item: &Item, path: &[&str]) -> bool {
        match string(item, &[path, &["external_ref"]].concat()) {
            Some(user) => user == self.user.as_str(),
            None => self.has_account(item, path),
        }
    }

    fn has_account(&self, item: &Item, path: &[&str]) -> bool {
        let platform = string(item, &[path, &["platform"]].concat()).and_then(Platform::parse);
        let account = string(item, &[path, &["account_id"]].concat());
        platform.zip(account).is_some_and(|(platform, account)| self.subject.has_account(platform, account))
    }

    fn has_campaign(&self, id: &str) -> bool {
        CampaignId::parse(id).is_some_and(|campaign| self.subject.has_campaign(&campaign))
    }

    fn has_reading(&self, item: &Item) -> bool {
        string(item, &["connection_id"]).is_some_and(|id| self.subject.has_connection(id))
            || string(item, &["campaign"]).is_some_and(|id| self.has_campaign(id))
            || string(item, &["values_json"]).is_some_and(|text| self.subject.is_named_in(text, self.user))
    }

    fn has_response(&self, item: &Item) -> bool {
        string(item, &["answer", "body"]).is_some_and(|body| self.subject.is_named_in(body, self.user))
    }
}

/// A text in an item, by the names of the attributes that lead to it.
pub(super) fn string<'a>(item: &'a Item, path: &[&str]) -> Option<&'a str> {
    let (name, path) = path.split_first()?;
    let value = item.get(*name)?;
    if path.is_empty() { value.as_s().ok().map(String::as_str) } else { string(value.as_m().ok()?, path) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ConnectionId, KeyId};
    use aws_sdk_dynamodb::types::AttributeValue;
    use serde_json::{Value, json};

    fn attribute(value: &Value) -> AttributeValue {
        match value {
            Value::String(text) => AttributeValue::S(text.clone()),
            Value::Object(fields) => {
                AttributeValue::M(fields.iter().map(|(name, value)| (name.clone(), attribute(value))).collect())
            }
            other => panic!("no attribute here is {other}"),
        }
    }

    fn item(sort_key: &str, fields: &Value) -> Item {
        let AttributeValue::M(mut item) = attribute(fields) else { panic!("no object") };
        item.insert(SORT.to_owned(), AttributeValue::S(sort_key.to_owned()));
        item
    }

    fn subject() -> ErasureSubject {
        let mut subject = ErasureSubject::default();
        subject.add_connection(&ConnectionId("conn_1".to_owned()), Platform::Delta, Some("7"));
        subject.add_key(&KeyId("key_1".to_owned()));
        subject
    }

    #[test]
    fn what_names_its_user_is_that_users_and_the_rest_is_that_of_its_account() {
        let (user, subject) = (ExternalRef::parse("shop42").unwrap(), subject());
        let owner = Owner { user: &user, subject: &subject };
        let own = json!({"platform": "delta_ads", "account_id": "7"});
        let other = json!({"platform": "delta_ads", "account_id": "8"});
        let of =
            |user: &str, account: &str| json!({"platform": "delta_ads", "account_id": account, "external_ref": user});
        for (sort_key, fields, fate) in [
            ("CHANGE#chg_1", own.clone(), Fate::Buried),
            ("CHANGE#chg_1", other.clone(), Fate::Stays),
            ("CHANGE#chg_1", of("shop42", "8"), Fate::Buried),
            ("CHANGE#chg_1", of("shop41", "7"), Fate::Stays),
            ("CAMPAIGN#delta_7_1", json!({}), Fate::Deleted),
            ("CAMPAIGN#delta_70_1", json!({}), Fate::Stays),
            ("TURN#delta_7_1", json!({}), Fate::Deleted),
            ("BULK#blk_1#delta_ads#7", own.clone(), Fate::Deleted),
            ("BULK#blk_1#delta_ads#8", other.clone(), Fate::Stays),
            ("BULK#blk_1#delta_ads#7", of("shop41", "7"), Fate::Stays),
            ("EVENT#evt_1", json!({"change": own.clone()}), Fate::Deleted),
            ("EVENT#evt_1", json!({"change": of("shop41", "7")}), Fate::Stays),
            ("EVENT#evt_1", json!({"connection": {"now": {"id": "conn_1"}}}), Fate::Deleted),
            ("EVENT#evt_1", json!({"connection": {"now": {"id": "conn_1", "external_ref": "shop41"}}}), Fate::Stays),
            ("EVENT#evt_1", json!({"connection": {"now": {"id": "conn_9", "external_ref": "shop42"}}}), Fate::Deleted),
            (
                "EVENT#evt_1",
                json!({"connection": {"now": {"id": "conn_9"}, "before": {"names": {"external_ref": "shop42"}}}}),
                Fate::Deleted,
            ),
            ("EVENT#evt_1", json!({"api_key": {"id": "key_1"}}), Fate::Deleted),
            ("EVENT#evt_1", json!({"limit": {"key": "key_2"}}), Fate::Stays),
            ("EVENT#evt_1", json!({"limit": {"user": "shop42"}}), Fate::Deleted),
            ("EVENT#evt_1", json!({"limit": {"user": "shop41"}}), Fate::Stays),
            ("EVENT#evt_1", json!({"user": {"external_ref": "shop42"}}), Fate::Deleted),
            ("DELIVERY#we_1#evt_1", json!({}), Fate::OfEvent),
            ("OVERVIEW#DAYS#conn_1", json!({"connection_id": "conn_1"}), Fate::Deleted),
            ("OVERVIEW#CHANGE#delta_7_1", json!({"campaign": "delta_7_1"}), Fate::Deleted),
            ("OVERVIEW#CHANGE#", json!({}), Fate::Stays),
            ("IDEMPOTENCY#d1", json!({"answer": {"body": r#"{"id":"delta_7_1"}"#}}), Fate::Emptied),
            ("IDEMPOTENCY#d1", json!({"answer": {"body": r#"{"id":"delta_8_1"}"#}}), Fate::Stays),
            ("LIMIT#key_1", json!({}), Fate::Deleted),
            ("LIMIT#key_2", json!({}), Fate::Counts),
            ("LIMIT#USER#shop41", json!({}), Fate::Counts),
            ("LIMIT#USER#shop42", json!({}), Fate::Stays),
            ("STOP#key_1", json!({}), Fate::Deleted),
            ("ASSISTANT#key_1", json!({}), Fate::Deleted),
            ("ASSISTANT#key_9", json!({}), Fate::Stays),
            ("REFUSALS#key_1#daily", json!({}), Fate::Deleted),
            ("REFUSALS#key_2#daily", json!({}), Fate::Stays),
            ("REFUSALS#USER#shop42#daily", json!({}), Fate::Deleted),
            ("REFUSALS#USER#shop41#daily", json!({}), Fate::Stays),
            ("USER#shop42", json!({}), Fate::Stays),
            ("ACCOUNT", json!({}), Fate::Stays),
            ("LINK#CONNECTION#delta_ads#7", json!({"external_ref": "shop42"}), Fate::Stays),
        ] {
            assert_eq!(owner.fate(&item(sort_key, &fields)), fate, "{sort_key} {fields}");
        }
    }

    #[test]
    fn a_request_is_that_of_the_user_it_names_or_of_what_its_path_names() {
        let (user, subject) = (ExternalRef::parse("shop42").unwrap(), subject());
        let owner = Owner { user: &user, subject: &subject };
        for (fields, is_owned) in [
            (json!({"external_ref": "shop42", "path": "/v1/campaigns"}), true),
            (json!({"external_ref": "shop41", "path": "/v1/campaigns/delta_7_1"}), false),
            (json!({"path": "/v1/campaigns/delta_7_1/insights"}), true),
            (json!({"path": "/v1/campaigns/delta_8_1"}), false),
            (json!({"path": "/v1/connections/conn_1"}), true),
            (json!({"path": "/v1/campaigns", "connection": "conn_1"}), true),
            (json!({"path": "/v1/campaigns", "api_key": "key_1"}), true),
            (json!({"path": "/v1/campaigns", "api_key": "key_2"}), false),
        ] {
            assert_eq!(owner.has_usage(&item("1#1", &fields)), is_owned, "{fields}");
        }
    }
}
