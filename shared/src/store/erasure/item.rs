//! The attributes of an erasure, in the record of its user.

use crate::domain::erasure::{ErasureStep, ErasureSubject, Walk};
use crate::domain::{ChangeId, Erasure, Requester};
use crate::store::change::StoredRequester;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// An erasure as an attribute.
#[derive(Serialize, Deserialize)]
pub(in crate::store) struct StoredErasure(#[serde(with = "ErasureAttributes")] pub(in crate::store) Erasure);

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(remote = "Erasure")]
struct ErasureAttributes {
    #[serde(with = "StoredRequester")]
    requested_by: Requester,
    requested_at: Timestamp,
    leave_running: bool,
    step: ErasureStep,
    paused_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
    subject: ErasureSubject,
    #[serde(default)]
    open: Vec<ChangeId>,
    walk: Walk,
}

#[cfg(test)]
#[test]
fn an_erasure_is_stored_as_ever_and_read_as_it_was() {
    use crate::domain::erasure::WalkPart;
    use crate::domain::{ConnectionId, KeyId, Platform};
    use crate::store::{from_item, stored};
    let at = Timestamp::constant(1_790_000_000, 0);
    let few = Erasure::new(Requester::ApiKey { id: KeyId("key_1".to_owned()), name: "A".to_owned() }, at, false);
    let mut subject = ErasureSubject::default();
    subject.add_connection(&ConnectionId("conn_1".to_owned()), Platform::Delta, Some("7"));
    subject.add_key(&KeyId("key_2".to_owned()));
    let all = Erasure {
        leave_running: true,
        step: ErasureStep::Erasing,
        paused_at: Some(at),
        closed_at: Some(at),
        subject,
        open: vec![ChangeId::first_at(at)],
        walk: Walk {
            part: WalkPart::UsageLog,
            after: Some("1790000000000#a".to_owned()),
            has_found: true,
            has_counting: true,
        },
        ..few.clone()
    };
    let items = [all.clone(), few.clone()].map(|erasure| stored::attributes(&StoredErasure(erasure)));
    stored::assert_stored("erasure", items.clone());
    assert_eq!(items.map(|item| from_item::<StoredErasure>(item).unwrap().0), [all, few]);
}
