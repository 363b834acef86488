//! What the caller of a request may see and change of its customer (D88, D159): what belongs to the connections of its
//! key's limit, and of the user for whom it acts. What it may spend is in `spending`.

use super::{BulkAccount, Campaign, Change, Connection, ConnectionId, Create, Event, ExternalRef, Spending, Subject};

/// A thing of a customer that rights decide on.
pub trait Resource {
    /// The connection that it belongs to; `None` if it belongs to the whole customer.
    fn connection_id(&self) -> Option<&ConnectionId>;

    /// Whether it belongs to a user. Its connection decides, unless it names its user itself.
    fn is_of(&self, own: &UserConnections) -> bool {
        self.connection_id().is_some_and(|id| own.connections.contains(id))
    }
}

impl Resource for ConnectionId {
    fn connection_id(&self) -> Option<&ConnectionId> {
        Some(self)
    }
}

impl Resource for Connection {
    fn connection_id(&self) -> Option<&ConnectionId> {
        Some(&self.id)
    }

    fn is_of(&self, own: &UserConnections) -> bool {
        self.external_ref.as_ref() == Some(&own.user)
    }
}

impl Resource for Campaign {
    fn connection_id(&self) -> Option<&ConnectionId> {
        Some(&self.connection)
    }
}

impl Resource for Change {
    fn connection_id(&self) -> Option<&ConnectionId> {
        Some(&self.connection)
    }

    fn is_of(&self, own: &UserConnections) -> bool {
        own.asked_in(&self.connection, self.external_ref.as_ref())
    }
}

impl Resource for Create {
    fn connection_id(&self) -> Option<&ConnectionId> {
        Some(&self.connection)
    }

    fn is_of(&self, own: &UserConnections) -> bool {
        Change::is_of(self, own)
    }
}

impl Resource for BulkAccount {
    fn connection_id(&self) -> Option<&ConnectionId> {
        Some(&self.connection)
    }

    fn is_of(&self, own: &UserConnections) -> bool {
        own.asked_in(&self.connection, self.external_ref.as_ref())
    }
}

impl Resource for Event {
    fn connection_id(&self) -> Option<&ConnectionId> {
        self.subject.connection_id()
    }

    /// The event of a connection that moves from one user to another names both, so neither sees it.
    fn is_of(&self, own: &UserConnections) -> bool {
        match &self.subject {
            Subject::Change { change, .. } => change.is_of(own),
            Subject::Connection { connection, previous } => {
                let former = previous.as_ref().and_then(|previous| previous.external_ref.as_ref());
                connection.is_of(own) && former.is_none_or(|former| *former == own.user)
            }
            Subject::User { .. }
            | Subject::Limit { .. }
            | Subject::Endpoint(_)
            | Subject::ApiKey { .. }
            | Subject::Quota { .. }
            | Subject::Billing { .. } => self.subject.external_ref() == Some(&own.user),
        }
    }
}

impl<T: Resource> Resource for &T {
    fn connection_id(&self) -> Option<&ConnectionId> {
        (*self).connection_id()
    }

    fn is_of(&self, own: &UserConnections) -> bool {
        (*self).is_of(own)
    }
}

/// A user of a customer, and its connections. PENDING ones are not among them: each names its user itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserConnections {
    pub user: ExternalRef,
    pub connections: Vec<ConnectionId>,
}

impl UserConnections {
    /// Whether what was asked for in a connection, while it was this user's, is of this user. What was asked for while it
    /// was another user's names that one, so neither sees it.
    fn asked_in(&self, connection: &ConnectionId, user: Option<&ExternalRef>) -> bool {
        self.connections.contains(connection) && user.is_none_or(|user| *user == self.user)
    }
}

/// The rights of a caller. The default includes everything of the customer: those of a person, and of a key without a
/// limit, that acts for no user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// The connections of the key's limit; `None` without one.
    limit: Option<Vec<ConnectionId>>,
    /// The user for whom the caller acts; `None` if it acts for none.
    user: Option<UserConnections>,
}

impl Rights {
    /// The rights of a caller whose key has this spending, and who acts for this user.
    pub fn of(spending: Option<&Spending>, user: Option<UserConnections>) -> Rights {
        let limit = spending.and_then(|spending| spending.limit.as_ref());
        Rights { limit: limit.map(|limit| limit.connections.clone()), user }
    }

    /// Whether the caller may see and change a thing.
    pub fn include(&self, resource: &impl Resource) -> bool {
        let is_in_limit = |own: &Vec<ConnectionId>| resource.connection_id().is_some_and(|id| own.contains(id));
        self.limit.as_ref().is_none_or(is_in_limit) && self.user_has(resource)
    }

    /// Whether a thing belongs to the user for whom the caller acts, whatever the key's limit; always, if it acts for
    /// none.
    pub fn user_has(&self, resource: &impl Resource) -> bool {
        self.user.as_ref().is_none_or(|own| resource.is_of(own))
    }

    /// Whether the caller may see and change everything of the customer.
    pub fn include_everything(&self) -> bool {
        *self == Rights::default()
    }

    /// The connections of the key's limit; `None` without one.
    pub fn limit(&self) -> Option<&[ConnectionId]> {
        self.limit.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::spending::{LimitName, Spender, SpendingLimit};
    use crate::domain::{
        BulkAction, BulkId, CampaignStatus, ConnectionBefore, ConnectionStatus, CustomerId, KeyId, LimitRefusal,
        Listing, Occurrence, Platform, Requester, User,
    };
    use jiff::Timestamp;
    use uuid::Uuid;

    fn account(connection: &str) -> BulkAccount {
        BulkAccount {
            bulk: BulkId(Uuid::nil()),
            customer: CustomerId(Uuid::nil()),
            platform: Platform::Alpha,
            account_id: "1".to_owned(),
            connection: ConnectionId(connection.to_owned()),
            external_ref: None,
            action: BulkAction::Status(CampaignStatus::Paused),
            requested_by: Requester::ApiKey { id: KeyId::default_key(), name: String::new() },
            reference: None,
            key_digest: None,
            created_at: Timestamp::UNIX_EPOCH,
            listing: Listing::Listed,
            undoes: Vec::new(),
            changes: Vec::new(),
            refused: Vec::new(),
        }
    }

    fn spending(limit: Option<SpendingLimit>) -> Spending {
        Spending { limit, ..Spending::none(Spender::Key(KeyId::default_key())) }
    }

    #[test]
    fn a_limit_gives_the_rights_on_its_connections_and_no_limit_on_all() {
        let connections = vec![ConnectionId("conn_1".to_owned())];
        let one = Rights::of(Some(&spending(Some(SpendingLimit { connections, ..SpendingLimit::zero() }))), None);
        let none = Rights::of(Some(&spending(Some(SpendingLimit::zero()))), None);
        let all = Rights::of(Some(&spending(None)), None);
        for (rights, included) in [(&one, [true, false]), (&none, [false, false]), (&all, [true, true])] {
            assert_eq!(["conn_1", "conn_2"].map(|id| rights.include(&account(id))), included, "{rights:?}");
            assert_eq!(rights.include_everything(), included == [true, true], "{rights:?}");
        }
    }
    fn own(connections: &[&str]) -> UserConnections {
        let connections = connections.iter().map(|id| ConnectionId((*id).to_owned())).collect();
        UserConnections { user: ExternalRef::parse("shop42").unwrap(), connections }
    }

    #[test]
    fn a_caller_sees_what_is_in_the_limit_of_its_key_and_of_its_user() {
        let limit = |ids: &[&str]| {
            let connections = ids.iter().map(|id| ConnectionId((*id).to_owned())).collect();
            spending(Some(SpendingLimit { connections, ..SpendingLimit::zero() }))
        };
        for (spending, own, included) in [
            (spending(None), own(&["conn_1"]), [true, false]),
            (limit(&["conn_1", "conn_2"]), own(&["conn_2"]), [false, true]),
            (limit(&["conn_1"]), own(&["conn_2"]), [false, false]),
            (spending(None), own(&[]), [false, false]),
        ] {
            let rights = Rights::of(Some(&spending), Some(own));
            assert_eq!(["conn_1", "conn_2"].map(|id| rights.include(&account(id))), included, "{rights:?}");
            assert!(!rights.include_everything(), "{rights:?}");
        }
    }

    #[test]
    fn the_events_of_a_user_itself_are_seen_by_it_and_by_no_limited_key() {
        let user = |name: &str| ExternalRef::parse(name).unwrap();
        let occurrence = Occurrence { customer: CustomerId(Uuid::nil()), request: None, at: Timestamp::UNIX_EPOCH };
        let refusal = |of: Spender| {
            let (limit, message) = (LimitName::Daily, String::new());
            Event::of_refusals(&LimitRefusal { of, limit, currency: None, amounts: None, message }, 1, occurrence)
        };
        let pause = |name: &str| {
            let runs = User { external_ref: user(name), label: None, spending: None, erasure: None };
            let stopped_at = Some(Timestamp::UNIX_EPOCH);
            let spending = Some(Spending { stopped_at, ..Spending::none(Spender::User(user(name))) });
            Event::of_user(&runs, &User { spending, ..runs.clone() }, occurrence).unwrap()
        };
        let events = [
            pause("shop42"),
            pause("shop43"),
            refusal(Spender::User(user("shop42"))),
            refusal(Spender::User(user("shop43"))),
            refusal(Spender::Key(KeyId::default_key())),
        ];
        let seen = |rights: &Rights| events.iter().map(|event| rights.include(event)).collect::<Vec<_>>();
        assert_eq!(seen(&Rights::of(None, Some(own(&["conn_1"])))), [true, false, true, false, false]);
        assert_eq!(seen(&Rights::of(Some(&spending(Some(SpendingLimit::zero()))), None)), [false; 5]);
        assert_eq!(seen(&Rights::default()), [true; 5]);
    }

    #[test]
    fn a_connection_names_its_user_and_the_event_of_its_move_is_seen_by_neither() {
        let connection = |user: Option<&str>| Connection {
            id: ConnectionId("conn_1".to_owned()),
            platform: Platform::Alpha,
            status: ConnectionStatus::Pending,
            reason: None,
            label: None,
            external_ref: user.and_then(ExternalRef::parse),
            campaign_defaults: None,
            account: None,
            grant_id: None,
            created_at: Timestamp::UNIX_EPOCH,
            last_synced_at: None,
            paused_until: None,
        };
        // Its id is not among those of the user, as long as it is PENDING.
        let rights = Rights::of(None, Some(own(&[])));
        let users = [Some("shop42"), Some("shop43"), None];
        assert_eq!(users.map(|user| rights.include(&connection(user))), [true, false, false]);
        let occurrence = Occurrence { customer: CustomerId(Uuid::nil()), request: None, at: Timestamp::UNIX_EPOCH };
        let moved = |from, to| {
            let to = Connection { status: ConnectionStatus::Active, ..connection(to) };
            let from = Connection { status: ConnectionStatus::Active, ..connection(from) };
            Event::of_change(&to, ConnectionBefore::of(&from), occurrence).unwrap()
        };
        let [own, other, none] = users;
        for (from, to, is_seen) in [(other, own, false), (own, other, false), (none, own, true), (own, none, false)] {
            assert_eq!(rights.include(&moved(from, to)), is_seen, "{from:?} {to:?}");
        }
    }
}
