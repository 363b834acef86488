//! The stop of a key: a record that is due until the pauses of all its campaigns are stored.

use super::attributes::{StoredRequester, corrupt_record};
use crate::domain::stop::StopPhase;
use crate::domain::{CampaignId, Change, ChangeFilters, CustomerId, KeyId, Requester, Stop};
use crate::error::Error;
use crate::store::conditional::{conditional_delete, conditional_put, conditional_update};
use crate::store::table_keys::DUE_STOP;
use crate::store::{Item, Store, Values, from_item, number, table_keys, text, to_item};
use jiff::fmt::serde::timestamp::second;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

const FIRST: &str = "FIRST";
const SECOND: &str = "SECOND";
/// Changes of a page.
const PAGE_SIZE: i32 = 1_000;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct StopItem {
    request: Uuid,
    #[serde(with = "StoredRequester")]
    requested_by: Requester,
    stopped_at: Timestamp,
    #[serde(rename = "next_pass")]
    next_phase: Option<String>,
    in_flight: Vec<CampaignId>,
    due_kind: Option<String>,
    #[serde(default, with = "second::optional")]
    due_at: Option<Timestamp>,
}

impl Store {
    /// Reads the stop of a key with a consistent read.
    pub async fn stop(&self, customer: CustomerId, key: &KeyId) -> Result<Option<Stop>, Error> {
        let item = self.read(&table_keys::stop(customer, key)).await?;
        item.map(|item| parse(customer, key, item)).transpose()
    }

    /// Stores a new stop of a key, in place of an earlier one that has ended. `false`, with nothing stored, if there is
    /// another one.
    pub async fn begin_stop(&self, stop: &Stop, ended: Option<&Stop>, due_at: Timestamp) -> Result<bool, Error> {
        let put = self.put_item(item(stop, due_at)?);
        conditional_put(match ended {
            None => put.condition_expression("attribute_not_exists(pk)"),
            Some(ended) => put
                .condition_expression("attribute_not_exists(pk) OR #request = :ended")
                .expression_attribute_names("#request", "request")
                .value(":ended", text(ended.request.to_string())),
        })
        .await
    }

    /// Stores that a pass is done. `false`, with nothing stored, if it was done before, or the key is resumed.
    pub async fn advance_stop(&self, stop: &Stop, done: StopPhase, due_at: Timestamp) -> Result<bool, Error> {
        let put = self
            .put_item(item(stop, due_at)?)
            .condition_expression("#request = :request AND next_pass = :done")
            .expression_attribute_names("#request", "request")
            .values([(":request", text(stop.request.to_string())), (":done", text(phase_name(done)))]);
        conditional_put(put).await
    }

    /// Takes the next phase of a stop until a time, so that one process runs it. `false`, with nothing stored, if
    /// another one has it.
    pub async fn take_stop(&self, stop: &Stop, now: Timestamp, until: Timestamp) -> Result<bool, Error> {
        let Some(phase) = stop.next else { return Ok(false) };
        let take = self
            .update_item(&table_keys::stop(stop.customer, &stop.key))
            .update_expression("SET due_at = :until")
            .condition_expression("#request = :request AND next_pass = :pass AND due_at <= :now")
            .expression_attribute_names("#request", "request")
            .values([
                (":request", text(stop.request.to_string())),
                (":pass", text(phase_name(phase))),
                (":now", number(now.as_second())),
                (":until", number(until.as_second())),
            ]);
        conditional_update(take).await
    }

    /// Ends a stop that has no phase left. The pauses that it has stored stay. `false`, with nothing changed, if the
    /// key has another one.
    pub async fn end_stop(&self, stop: &Stop) -> Result<bool, Error> {
        let delete = self
            .delete_item(&table_keys::stop(stop.customer, &stop.key))
            .condition_expression("#request = :request AND attribute_not_exists(next_pass)")
            .expression_attribute_names("#request", "request")
            .expression_attribute_values(":request", text(stop.request.to_string()));
        conditional_delete(delete).await.map(|ended| ended.is_some())
    }

    /// The pauses that a stop has stored, in the order of their ids. Their ids have the time of the stop.
    pub async fn pauses_of_stop(&self, stop: &Stop, now: Timestamp) -> Result<Vec<Change>, Error> {
        let to = stop.stopped_at + SignedDuration::from_millis(1);
        let filters = &ChangeFilters { from: Some(stop.stopped_at), to: Some(to), ..ChangeFilters::default() };
        let (mut pauses, mut after) = (Vec::new(), None);
        loop {
            let page = self.history(stop.customer, filters, after, PAGE_SIZE, now).await?;
            let is_own = |change: &Change| change.stops.as_ref() == Some(&stop.key) && change.request == stop.request;
            pauses.extend(page.changes.into_iter().filter(is_own));
            after = page.next;
            if after.is_none() {
                pauses.reverse();
                return Ok(pauses);
            }
        }
    }
}

fn item(stop: &Stop, due_at: Timestamp) -> Result<Item, Error> {
    let Stop { customer, key, request, requested_by, stopped_at, next, in_flight } = stop;
    let item = StopItem {
        request: *request,
        requested_by: requested_by.clone(),
        stopped_at: *stopped_at,
        next_phase: next.map(|phase| phase_name(phase).to_owned()),
        in_flight: in_flight.clone(),
        due_kind: next.map(|_| DUE_STOP.to_owned()),
        due_at: next.map(|_| due_at),
    };
    to_item(&table_keys::stop(*customer, key), &item)
}

fn parse(customer: CustomerId, key: &KeyId, item: Item) -> Result<Stop, Error> {
    let StopItem { request, requested_by, stopped_at, next_phase, in_flight, due_kind: _, due_at: _ } =
        from_item(item)?;
    Ok(Stop {
        customer,
        key: key.clone(),
        request,
        requested_by,
        stopped_at,
        next: next_phase.as_deref().map(parse_phase).transpose()?,
        in_flight,
    })
}

fn phase_name(phase: StopPhase) -> &'static str {
    match phase {
        StopPhase::PauseAll => FIRST,
        StopPhase::PauseInFlight => SECOND,
    }
}

fn parse_phase(name: &str) -> Result<StopPhase, Error> {
    [StopPhase::PauseAll, StopPhase::PauseInFlight]
        .into_iter()
        .find(|phase| phase_name(*phase) == name)
        .ok_or_else(corrupt_record)
}

#[cfg(test)]
#[test]
fn a_stop_is_stored_as_ever_and_read_as_it_was() {
    use crate::domain::{PersonId, Platform};
    let at = Timestamp::constant(1_790_000_000, 0);
    let customer = CustomerId(Uuid::nil());
    let key = KeyId("key_1".to_owned());
    let by = Requester::Person { id: PersonId("ab12".to_owned()), email: None };
    let first = Stop::new(customer, key.clone(), by, Uuid::nil(), at);
    let in_flight = vec![CampaignId::new(Platform::Delta, "7", "1")];
    let stops = [
        Stop { next: Some(StopPhase::PauseInFlight), in_flight, ..first.clone() },
        Stop { next: None, ..first.clone() },
        first,
    ];
    let items = stops.clone().map(|stop| item(&stop, at).unwrap());
    crate::store::stored::assert_stored("stop", items.clone());
    assert_eq!(items.map(|item| parse(customer, &key, item).unwrap()), stops);
}
