//! What the caller of a request may see and change of its customer: a key with a limit must not learn of other
//! connections (D88). What it may spend is in `spending`.

use super::{BulkAccount, Campaign, Change, Connection, ConnectionId, Create, KeySpending};

/// A thing of a customer that rights decide on: it belongs to one of the customer's connections.
pub trait Resource {
    /// The connection that it belongs to.
    fn connection_id(&self) -> &ConnectionId;
}

impl Resource for Connection {
    fn connection_id(&self) -> &ConnectionId {
        &self.id
    }
}

impl Resource for Campaign {
    fn connection_id(&self) -> &ConnectionId {
        &self.connection
    }
}

impl Resource for Change {
    fn connection_id(&self) -> &ConnectionId {
        &self.connection
    }
}

impl Resource for Create {
    fn connection_id(&self) -> &ConnectionId {
        &self.connection
    }
}

impl Resource for BulkAccount {
    fn connection_id(&self) -> &ConnectionId {
        &self.connection
    }
}

impl<T: Resource> Resource for &T {
    fn connection_id(&self) -> &ConnectionId {
        (*self).connection_id()
    }
}

/// The rights of a caller. The default includes everything of the customer: those of a person, and of a key without a
/// limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// The connections whose things the caller may see and change; `None` for every one.
    connections: Option<Vec<ConnectionId>>,
}

impl Rights {
    /// The rights of a key with this spending.
    pub fn of(spending: &KeySpending) -> Rights {
        Rights { connections: spending.limit.as_ref().map(|limit| limit.connections.clone()) }
    }

    /// Whether the caller may see and change a thing.
    pub fn include(&self, resource: &impl Resource) -> bool {
        self.connections.as_ref().is_none_or(|own| own.contains(resource.connection_id()))
    }

    /// Whether the caller may see and change everything of the customer.
    pub fn include_everything(&self) -> bool {
        *self == Rights::default()
    }

    /// The only connections that they may include; `None` for every one.
    pub fn connections(&self) -> Option<&[ConnectionId]> {
        self.connections.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::spending::SpendingLimit;
    use crate::domain::{BulkAction, BulkId, CampaignStatus, CustomerId, KeyId, Listing, Platform, Requester};
    use jiff::Timestamp;
    use uuid::Uuid;

    fn account(connection: &str) -> BulkAccount {
        BulkAccount {
            bulk: BulkId(Uuid::nil()),
            customer: CustomerId(Uuid::nil()),
            platform: Platform::Alpha,
            account_id: "1".to_owned(),
            connection: ConnectionId(connection.to_owned()),
            action: BulkAction::Status(CampaignStatus::Paused),
            requested_by: Requester::ApiKey { id: KeyId::default_key(), name: String::new() },
            created_at: Timestamp::UNIX_EPOCH,
            listing: Listing::Listed,
            changes: Vec::new(),
            refused: Vec::new(),
        }
    }

    fn spending(limit: Option<SpendingLimit>) -> KeySpending {
        KeySpending { limit, ..KeySpending::new(KeyId::default_key(), SpendingLimit::zero()) }
    }

    #[test]
    fn a_limit_gives_the_rights_on_its_connections_and_no_limit_on_all() {
        let connections = vec![ConnectionId("conn_1".to_owned())];
        let one = Rights::of(&spending(Some(SpendingLimit { connections, ..SpendingLimit::zero() })));
        let none = Rights::of(&spending(Some(SpendingLimit::zero())));
        let all = Rights::of(&spending(None));
        for (rights, included) in [(&one, [true, false]), (&none, [false, false]), (&all, [true, true])] {
            assert_eq!(["conn_1", "conn_2"].map(|id| rights.include(&account(id))), included, "{rights:?}");
            assert_eq!(rights.include_everything(), included == [true, true], "{rights:?}");
        }
    }
}
