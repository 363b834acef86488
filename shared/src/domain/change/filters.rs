//! The states that callers see, and the filters of a list.

use super::{Change, ChangeId, ChangeKind, ChangeState};
use crate::domain::event::settled_at;
use crate::domain::{CampaignId, ConnectionId, ExternalRef, KeyId, PersonId, Reference, variants};
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The state of a change, as callers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ChangeStatus {
    /// Waiting for its time.
    Scheduled,
    /// Waiting for a person to approve it.
    AwaitingApproval,
    /// On its way to the platform.
    Sending,
    /// Without a clear outcome: the platform is read until it is known.
    Unknown,
    Applied,
    PartlyApplied,
    Failed,
    Canceled,
    /// A person has rejected it.
    Rejected,
    /// Nobody approved it in time.
    Expired,
}

impl ChangeStatus {
    /// Every state.
    pub const ALL: [ChangeStatus; 10] = variants();

    /// The name in the API: `partly_applied`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the state never changes again, but for a create that is sent again.
    pub fn is_final(self) -> bool {
        match self {
            ChangeStatus::Scheduled
            | ChangeStatus::AwaitingApproval
            | ChangeStatus::Sending
            | ChangeStatus::Unknown => false,
            ChangeStatus::Applied
            | ChangeStatus::PartlyApplied
            | ChangeStatus::Failed
            | ChangeStatus::Canceled
            | ChangeStatus::Rejected
            | ChangeStatus::Expired => true,
        }
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<ChangeStatus> {
        name.parse().ok()
    }
}

impl Change {
    /// The state that callers see. A change whose last attempt is over without an outcome is `unknown`, and one that
    /// nobody approved in time is `expired`, whether or not maintenance has come to it.
    pub fn status(&self, now: Timestamp) -> ChangeStatus {
        match &self.state {
            ChangeState::Scheduled => ChangeStatus::Scheduled,
            ChangeState::AwaitingApproval if now < self.approval_until() => ChangeStatus::AwaitingApproval,
            ChangeState::AwaitingApproval | ChangeState::Expired => ChangeStatus::Expired,
            ChangeState::Sending if now < self.send_deadline => ChangeStatus::Sending,
            ChangeState::Sending => ChangeStatus::Unknown,
            ChangeState::Applied => ChangeStatus::Applied,
            ChangeState::PartlyApplied(_) => ChangeStatus::PartlyApplied,
            ChangeState::Failed(_) => ChangeStatus::Failed,
            ChangeState::Canceled(_) => ChangeStatus::Canceled,
            ChangeState::Rejected(_) => ChangeStatus::Rejected,
        }
    }
}

/// Filters of `listChanges`. A filter of `None` accepts every change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeFilters {
    /// At or after this time.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
    pub campaign: Option<CampaignId>,
    pub status: Option<ChangeStatus>,
    pub kind: Option<ChangeKind>,
    /// Requested with this key.
    pub api_key: Option<KeyId>,
    /// Requested by this person.
    pub person: Option<PersonId>,
    /// With this reference.
    pub reference: Option<Reference>,
    /// Requested under the `Idempotency-Key` with this digest.
    pub key_digest: Option<String>,
    /// Of this user of the customer.
    pub external_ref: Option<ExternalRef>,
    pub connection: Option<ConnectionId>,
    /// After this one, oldest first, of those that are settled: none with a smaller id can follow.
    pub since: Option<ChangeId>,
}

/// What a query of the history reads by, beside the time. The other filters skip some of what it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBy<'a> {
    Customer,
    Reference(&'a Reference),
    /// The digest of an `Idempotency-Key`.
    Key(&'a str),
    Campaign(&'a CampaignId),
    User(&'a ExternalRef),
}

impl ChangeFilters {
    /// What a query reads by: its user, so that no place in the list is a change of another one; or else the filter that
    /// few changes have.
    pub fn read_by(&self) -> ReadBy<'_> {
        let ChangeFilters { campaign, reference, key_digest, external_ref, .. } = self;
        let by_user = external_ref.as_ref().map(ReadBy::User);
        let by_reference = || reference.as_ref().map(ReadBy::Reference);
        let by_key = || key_digest.as_deref().map(ReadBy::Key);
        let by_campaign = || campaign.as_ref().map(ReadBy::Campaign);
        by_user.or_else(by_reference).or_else(by_key).or_else(by_campaign).unwrap_or(ReadBy::Customer)
    }

    /// Returns `true` if the filters are on what a query reads by, so that it skips nothing.
    pub fn only_by_key(&self) -> bool {
        let time = ChangeFilters { from: self.from, to: self.to, since: self.since, ..ChangeFilters::default() };
        *self
            == match self.read_by() {
                ReadBy::Customer => time,
                ReadBy::Reference(reference) => ChangeFilters { reference: Some(reference.clone()), ..time },
                ReadBy::Key(digest) => ChangeFilters { key_digest: Some(digest.to_owned()), ..time },
                ReadBy::Campaign(campaign) => ChangeFilters { campaign: Some(campaign.clone()), ..time },
                ReadBy::User(user) => ChangeFilters { external_ref: Some(user.clone()), ..time },
            }
    }

    /// The end of what a list since a change has: a change of the last moments may still be stored before others of its
    /// time.
    pub fn settled_until(&self, now: Timestamp) -> ChangeId {
        ChangeId::first_at(settled_at(now, self.read_by() != ReadBy::Customer))
    }

    /// Where the next list since a change continues: after a page that has a next one, or at the end of what is settled.
    /// That may be before `since`: a young one may still get others before it. It is not before the page, which begins
    /// after `after`: the clock of another process may be ahead. `None` for a list of another kind.
    pub fn next_since(&self, after: Option<ChangeId>, next: Option<ChangeId>, now: Timestamp) -> Option<ChangeId> {
        let end = after.max(Some(self.settled_until(now)));
        self.since.and(next.or(end))
    }

    /// Returns `true` if a change with this id is within the time range. The end of a list since a change moves with the
    /// clock, so it is none of the range.
    pub fn time_range_contains(&self, id: ChangeId) -> bool {
        self.since.is_none_or(|since| id > since)
            && self.from.is_none_or(|from| id >= ChangeId::first_at(from))
            && self.to.is_none_or(|to| id < ChangeId::first_at(to))
    }

    /// Returns `true` if a change passes all filters but those of time.
    pub fn accept(&self, change: &Change, now: Timestamp) -> bool {
        let ChangeFilters {
            from: _,
            to: _,
            campaign,
            status,
            kind,
            api_key,
            person,
            reference,
            key_digest,
            external_ref,
            connection,
            since: _,
        } = self;
        campaign.as_ref().is_none_or(|campaign| change.campaign.as_ref() == Some(campaign))
            && status.is_none_or(|status| change.status(now) == status)
            && kind.is_none_or(|kind| change.action.kind() == kind)
            && api_key.as_ref().is_none_or(|key| change.requested_by.is_key(key))
            && person.as_ref().is_none_or(|person| change.requested_by.is_person(person))
            && is_same(reference.as_ref(), change.reference.as_ref())
            && is_same(key_digest.as_ref(), change.key_digest.as_ref())
            && is_same(external_ref.as_ref(), change.external_ref.as_ref())
            && is_same(connection.as_ref(), Some(&change.connection))
    }
}

/// Whether a filter accepts a value: each, if there is no filter.
pub(in crate::domain) fn is_same<T: PartialEq>(filter: Option<&T>, value: Option<&T>) -> bool {
    filter.is_none() || filter == value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Platform;

    #[test]
    fn a_query_reads_by_its_user_or_the_rarest_filter_and_skips_by_others() {
        let of_user = ChangeFilters {
            campaign: Some(CampaignId::new(Platform::Alpha, "1", "2")),
            reference: Reference::parse("order-42"),
            key_digest: Some("d1".to_owned()),
            external_ref: ExternalRef::parse("shop42"),
            ..ChangeFilters::default()
        };
        assert!(matches!(of_user.read_by(), ReadBy::User(_)) && !of_user.only_by_key());
        let filters = ChangeFilters { external_ref: None, ..of_user.clone() };
        assert!(matches!(filters.read_by(), ReadBy::Reference(_)) && !filters.only_by_key());
        let without_reference = ChangeFilters { reference: None, ..filters };
        assert_eq!(without_reference.read_by(), ReadBy::Key("d1"));
        let of_campaign = ChangeFilters { key_digest: None, from: Some(Timestamp::UNIX_EPOCH), ..without_reference };
        assert!(matches!(of_campaign.read_by(), ReadBy::Campaign(_)) && of_campaign.only_by_key());
        let of_kind = ChangeFilters { kind: Some(ChangeKind::Create), ..of_campaign.clone() };
        assert!(!of_kind.only_by_key() && ChangeFilters::default().only_by_key());
        let of_connection = ChangeFilters { connection: Some(ConnectionId("conn_1".to_owned())), ..of_campaign };
        assert!(!of_connection.only_by_key());
        let only_user = ChangeFilters { external_ref: of_user.external_ref, ..ChangeFilters::default() };
        assert!(matches!(only_user.read_by(), ReadBy::User(_)) && only_user.only_by_key());
    }

    #[test]
    fn a_list_since_a_young_change_goes_on_from_what_is_settled() {
        let at = |second| ChangeId::first_at(Timestamp::from_second(second).unwrap());
        let now = Timestamp::from_second(1_000).unwrap();
        let next_since = |since, next| ChangeFilters { since, ..ChangeFilters::default() }.next_since(None, next, now);
        let settled = at(1_000 - 120);
        assert_eq!(next_since(Some(at(100)), None), Some(settled), "all were listed");
        assert_eq!(next_since(Some(at(100)), Some(at(200))), Some(at(200)), "there is another page");
        // A change of 989 s may still be stored.
        assert_eq!(next_since(Some(at(990)), None), Some(settled), "a young one");
        assert_eq!(next_since(Some(at(9_000)), None), Some(settled), "one of the future");
        assert_eq!(next_since(None, None), None);
    }

    #[test]
    fn a_list_by_an_index_waits_until_the_index_has_followed() {
        let now = Timestamp::from_second(1_000).unwrap();
        let of_all =
            ChangeFilters { since: Some(ChangeId::first_at(Timestamp::UNIX_EPOCH)), ..ChangeFilters::default() };
        let filters = [
            (ChangeFilters { kind: Some(ChangeKind::Create), ..of_all.clone() }, 880),
            (ChangeFilters { external_ref: ExternalRef::parse("shop42"), ..of_all.clone() }, 100),
            (ChangeFilters { reference: Reference::parse("order-42"), ..of_all.clone() }, 100),
            (ChangeFilters { key_digest: Some("d1".to_owned()), ..of_all.clone() }, 100),
            (ChangeFilters { campaign: Some(CampaignId::new(Platform::Alpha, "1", "2")), ..of_all.clone() }, 100),
            (of_all, 880),
        ];
        for (filters, settled) in filters {
            let next = filters.next_since(None, None, now).unwrap();
            assert_eq!(next.created_at().as_second(), settled, "{filters:?}");
            let ahead = ChangeId::first_at(now);
            assert_eq!(filters.next_since(Some(ahead), None, now), Some(ahead), "not before its own page");
        }
    }
}
