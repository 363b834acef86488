//! The events of connections.

use super::{Event, EventKind, Occurrence, Subject};
use crate::domain::{CampaignDefaults, Connection, ConnectionStatus, ExternalRef};

/// The former values of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionBefore {
    pub status: ConnectionStatus,
    /// Reason of the status.
    pub reason: Option<String>,
    pub label: Option<String>,
    pub external_ref: Option<ExternalRef>,
    pub campaign_defaults: Option<CampaignDefaults>,
}

impl ConnectionBefore {
    /// The present values of a connection.
    pub fn of(connection: &Connection) -> ConnectionBefore {
        let Connection { status, reason, label, external_ref, campaign_defaults, .. } = connection.clone();
        ConnectionBefore { status, reason, label, external_ref, campaign_defaults }
    }

    /// Whether the connection still has what callers set.
    fn has_same_settings(&self, connection: &Connection) -> bool {
        self.label == connection.label
            && self.external_ref == connection.external_ref
            && self.campaign_defaults == connection.campaign_defaults
    }
}

impl Event {
    /// The event of a connection that is stored for the first time.
    pub fn of_new_connection(connection: &Connection, occurrence: Occurrence) -> Event {
        Event::of_connection(connection, EventKind::ConnectionActivated, None, occurrence)
    }

    /// The event of a connection that is removed. It is REVOKED then, because it opens nothing any more; `None` for one
    /// whose consent nobody has finished.
    pub fn of_removal(connection: &Connection, occurrence: Occurrence) -> Option<Event> {
        let (status, reason) = (ConnectionStatus::Revoked, Some(Connection::REMOVED.to_owned()));
        let removed = Connection { status, reason, ..connection.clone() };
        let previous = Some(ConnectionBefore::of(connection));
        let is_finished = connection.status != ConnectionStatus::Pending;
        is_finished.then(|| Event::of_connection(&removed, EventKind::ConnectionRemoved, previous, occurrence))
    }

    /// The event of a connection whose status has changed, or what callers set: label, user, values of new campaigns. It
    /// is as the change has left it; `None` if all are the same.
    pub fn of_change(connection: &Connection, before: ConnectionBefore, occurrence: Occurrence) -> Option<Event> {
        let is_same = before.has_same_settings(connection);
        let kind = match connection.status {
            status if status == before.status && (is_same || status == ConnectionStatus::Pending) => return None,
            status if status == before.status => EventKind::ConnectionUpdated,
            ConnectionStatus::Active => EventKind::ConnectionRecovered,
            ConnectionStatus::Revoked => EventKind::ConnectionRevoked,
            ConnectionStatus::Error => EventKind::ConnectionError,
            ConnectionStatus::Pending => return None,
        };
        Some(Event::of_connection(connection, kind, Some(before), occurrence))
    }

    fn of_connection(
        connection: &Connection,
        kind: EventKind,
        previous: Option<ConnectionBefore>,
        occurrence: Occurrence,
    ) -> Event {
        // Readers see neither.
        let connection = Connection { grant_id: None, paused_until: None, ..connection.clone() };
        let before = previous.as_ref().map_or("", |before| before.status.as_str());
        let name = match (kind, occurrence.request) {
            // Two requests may change it at one time.
            (EventKind::ConnectionUpdated, Some(request)) => format!("{}#{request}", connection.id),
            _ => format!("{}#{before}", connection.id),
        };
        Event::new(occurrence, kind, &name, Subject::Connection { connection: Box::new(connection), previous })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ConnectionId, CustomerId, GrantId, Platform};
    use jiff::Timestamp;
    use uuid::Uuid;

    fn occurrence() -> Occurrence {
        Occurrence { customer: CustomerId(Uuid::nil()), request: None, at: Timestamp::UNIX_EPOCH }
    }

    fn connection(status: ConnectionStatus) -> Connection {
        Connection {
            id: ConnectionId("conn_1".to_owned()),
            platform: Platform::Alpha,
            status,
            reason: None,
            label: None,
            external_ref: None,
            campaign_defaults: None,
            account: None,
            grant_id: Some(GrantId("grant_1".to_owned())),
            created_at: Timestamp::UNIX_EPOCH,
            last_synced_at: None,
            paused_until: Some(Timestamp::UNIX_EPOCH),
        }
    }

    fn told(before: ConnectionStatus, after: ConnectionStatus) -> Option<EventKind> {
        let before = ConnectionBefore { reason: Some("why".to_owned()), ..ConnectionBefore::of(&connection(before)) };
        let event = Event::of_change(&connection(after), before.clone(), occurrence())?;
        let Subject::Connection { connection, previous } = event.subject else { panic!("{:?}", event.subject) };
        assert_eq!((connection.grant_id, connection.paused_until), (None, None));
        assert_eq!(previous, Some(before));
        Some(event.kind)
    }

    #[test]
    fn each_change_of_status_has_its_event() {
        use ConnectionStatus::{Active, Error, Revoked};
        for (before, after, kind) in [
            (Active, Active, None),
            (Revoked, Revoked, None),
            (Active, Error, Some(EventKind::ConnectionError)),
            (Active, Revoked, Some(EventKind::ConnectionRevoked)),
            (Error, Revoked, Some(EventKind::ConnectionRevoked)),
            (Error, Active, Some(EventKind::ConnectionRecovered)),
            (Revoked, Active, Some(EventKind::ConnectionRecovered)),
        ] {
            assert_eq!(told(before, after), kind, "{before:?} {after:?}");
        }
    }

    #[test]
    fn another_label_or_user_has_an_event_unless_the_status_has_one() {
        use ConnectionStatus::{Active, Pending, Revoked};
        let named = |status| Connection { label: Some("Main".to_owned()), ..connection(status) };
        let of_user = |status| Connection { external_ref: ExternalRef::parse("user42"), ..connection(status) };
        let aimed = |status| Connection { campaign_defaults: Some(CampaignDefaults::default()), ..connection(status) };
        let told = |before: Connection, after: Connection| {
            Event::of_change(&after, ConnectionBefore::of(&before), occurrence()).map(|event| event.kind)
        };
        for (before, after, kind) in [
            (connection(Active), named(Active), Some(EventKind::ConnectionUpdated)),
            (connection(Active), aimed(Active), Some(EventKind::ConnectionUpdated)),
            (of_user(Revoked), connection(Revoked), Some(EventKind::ConnectionUpdated)),
            (connection(Revoked), of_user(Active), Some(EventKind::ConnectionRecovered)),
            (connection(Pending), named(Pending), None),
            (named(Active), named(Active), None),
        ] {
            assert_eq!(told(before.clone(), after.clone()), kind, "{before:?} {after:?}");
        }
    }

    #[test]
    fn two_requests_that_change_a_connection_at_one_time_are_two_events() {
        let named = Connection { label: Some("Main".to_owned()), ..connection(ConnectionStatus::Active) };
        let before = ConnectionBefore::of(&connection(ConnectionStatus::Active));
        let told = |request: u128| {
            let occurrence = Occurrence { request: Some(Uuid::from_u128(request)), ..occurrence() };
            Event::of_change(&named, before.clone(), occurrence).map(|event| event.id)
        };
        assert!(told(1).is_some() && told(1) == told(1));
        assert_ne!(told(1), told(2));
    }

    #[test]
    fn a_removed_connection_has_a_revoked_event_a_pending_one_has_none() {
        assert_eq!(Event::of_removal(&connection(ConnectionStatus::Pending), occurrence()), None);
        let event = Event::of_removal(&connection(ConnectionStatus::Active), occurrence()).unwrap();
        let Subject::Connection { connection, previous } = event.subject else { panic!("{:?}", event.subject) };
        assert_eq!((event.kind, connection.status), (EventKind::ConnectionRemoved, ConnectionStatus::Revoked));
        assert_eq!(connection.reason.as_deref(), Some(Connection::REMOVED));
        assert_eq!(previous.map(|before| before.status), Some(ConnectionStatus::Active));
    }
}
