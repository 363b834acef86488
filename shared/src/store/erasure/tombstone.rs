//! What is left of a change whose user was erased: the customer's own record that there was one. Nothing in it names the
//! user, its ad account or its campaign.

use crate::domain::{Action, AmountAsText, Change, Currency};
use crate::error::Error;
use crate::store::{Item, table_keys, to_item};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_with::{serde_as, skip_serializing_none};

#[serde_as]
#[skip_serializing_none]
#[derive(Serialize)]
struct TombstoneItem {
    kind: &'static str,
    state: &'static str,
    created_at: Timestamp,
    settled_at: Option<Timestamp>,
    /// The budget that it set, in major units.
    #[serde_as(as = "Option<AmountAsText>")]
    amount: Option<Decimal>,
    currency: Currency,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

/// The tombstone of a change. It is kept as long as the change would be.
pub(super) fn tombstone(change: &Change, now: Timestamp) -> Result<Item, Error> {
    let amount = match &change.action {
        Action::Create(new) => new.values(change.currency).budget_amount,
        Action::Update(changes) => changes.budget_amount,
        Action::Delete => None,
    };
    let item = TombstoneItem {
        kind: change.action.kind().as_str(),
        state: change.status(now).as_str(),
        created_at: change.created_at(),
        settled_at: change.settled_at,
        amount,
        currency: change.currency,
        expires_at: change.expires_at,
    };
    to_item(&table_keys::erased_change(change.customer, change.id), &item)
}

#[cfg(test)]
#[test]
fn a_tombstone_names_nothing_of_its_user() {
    use crate::domain::{
        CampaignChanges, CampaignId, ChangeId, ChangeOrigin, ChangeState, ChangeTarget, ConnectionId, CustomerId,
        ExternalRef, KeyId, Platform, Purpose, Requester,
    };
    let at = Timestamp::constant(1_790_000_000, 0);
    let target = ChangeTarget {
        customer: CustomerId(uuid::Uuid::nil()),
        platform: Platform::Delta,
        account_id: "4711".to_owned(),
        connection: ConnectionId("conn_1".to_owned()),
        currency: Currency::from_code("USD").unwrap(),
        campaign: Some(CampaignId::new(Platform::Delta, "4711", "1")),
        external_ref: ExternalRef::parse("shop42"),
    };
    let by = Requester::ApiKey { id: KeyId("key_1".to_owned()), name: "Agent".to_owned() };
    let changes = CampaignChanges { budget_amount: Some("50.50".parse().unwrap()), ..CampaignChanges::default() };
    let origin = ChangeOrigin::new(uuid::Uuid::nil(), by);
    let waiting = Change::scheduled(ChangeId::first_at(at), target, origin, Purpose::Time, Action::Update(changes), at);
    let applied = Change { state: ChangeState::Applied, settled_at: Some(at), expires_at: at, ..waiting };
    let item = tombstone(&applied, at).unwrap();
    let text = format!("{item:?}");
    assert!(["shop42", "4711", "conn_1", "key_1", "Agent"].iter().all(|name| !text.contains(name)), "{text}");
    crate::store::stored::assert_stored("erased", [item]);
}
