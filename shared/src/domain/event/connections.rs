//! The events of connections.

use super::{Event, EventKind, Occurrence, Subject};
use crate::domain::{Connection, ConnectionStatus};

/// What a connection had before a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionBefore {
    pub status: ConnectionStatus,
    /// Reason of the status.
    pub reason: Option<String>,
}

impl ConnectionBefore {
    /// Status and reason of a connection.
    pub fn of(connection: &Connection) -> ConnectionBefore {
        ConnectionBefore { status: connection.status, reason: connection.reason.clone() }
    }
}

impl Event {
    /// The event of a connection that is stored for the first time.
    pub fn of_new_connection(connection: &Connection, occurrence: Occurrence) -> Event {
        Event::of_connection(connection, EventKind::ConnectionActivated, None, occurrence)
    }

    /// The event of a connection that is removed. It is as it was; `None` for one whose consent nobody has finished.
    pub fn of_removal(connection: &Connection, occurrence: Occurrence) -> Option<Event> {
        let is_finished = connection.status != ConnectionStatus::Pending;
        is_finished.then(|| Event::of_connection(connection, EventKind::ConnectionRemoved, None, occurrence))
    }

    /// The event of a connection whose status has changed. It is as the change has left it; `None` if the status is the
    /// same.
    pub fn of_status(connection: &Connection, before: ConnectionBefore, occurrence: Occurrence) -> Option<Event> {
        let kind = match connection.status {
            status if status == before.status => return None,
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
        let name = format!("{}#{before}", connection.id);
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
            account: None,
            grant_id: Some(GrantId("grant_1".to_owned())),
            created_at: Timestamp::UNIX_EPOCH,
            last_synced_at: None,
            paused_until: Some(Timestamp::UNIX_EPOCH),
        }
    }

    fn told(before: ConnectionStatus, after: ConnectionStatus) -> Option<EventKind> {
        let before = ConnectionBefore { status: before, reason: Some("why".to_owned()) };
        let event = Event::of_status(&connection(after), before.clone(), occurrence())?;
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
    fn an_unfinished_consent_ends_without_an_event() {
        let removal = |status| Event::of_removal(&connection(status), occurrence()).map(|event| event.kind);
        assert_eq!(removal(ConnectionStatus::Pending), None);
        assert_eq!(removal(ConnectionStatus::Revoked), Some(EventKind::ConnectionRemoved));
    }
}
