//! Deliveries: one record for each event and endpoint, due at its next attempt; and the health of endpoints.

mod item;

use super::conditional::{condition_failure, conditional_put, conditional_update};
use super::webhook_endpoints::parse_endpoints;
use super::{Item, Store, Values, number, store_error, table_keys, text};
use crate::domain::delivery::EndpointHealth;
use crate::domain::{
    CustomerId, Delivery, DeliveryStatus, EndpointId, EndpointStatus, Event, EventId, WebhookEndpoint,
};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnValue;
use jiff::Timestamp;
use std::collections::HashMap;

/// A page of deliveries.
#[derive(Debug)]
pub struct DeliveryPage {
    /// Newest event first.
    pub deliveries: Vec<Delivery>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<EventId>,
}

impl Store {
    /// Reads a delivery with a consistent read.
    pub async fn delivery(
        &self,
        customer: CustomerId,
        endpoint: &EndpointId,
        event: EventId,
    ) -> Result<Option<Delivery>, Error> {
        let item = self.read(&table_keys::delivery(customer, endpoint, event)).await?;
        item.map(|item| item::parse(customer, item)).transpose()
    }

    /// Takes a due delivery until a time, so that one process makes its next attempt, and returns it. `None` if another
    /// one has it, or it is not due.
    pub async fn take_delivery(
        &self,
        customer: CustomerId,
        endpoint: &EndpointId,
        event: EventId,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Delivery>, Error> {
        let take = self.move_due(customer, endpoint, event, now, until).return_values(ReturnValue::AllNew);
        match take.send().await {
            Ok(output) => output.attributes.map(|item| item::parse(customer, item)).transpose(),
            Err(error) if error.as_service_error().and_then(condition_failure).is_some() => Ok(None),
            Err(error) => Err(store_error(error)),
        }
    }

    /// Postpones a due delivery of which nothing was sent.
    pub async fn postpone_delivery(
        &self,
        customer: CustomerId,
        endpoint: &EndpointId,
        event: EventId,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<(), Error> {
        conditional_update(self.move_due(customer, endpoint, event, now, until)).await.map(drop)
    }

    fn move_due(
        &self,
        customer: CustomerId,
        endpoint: &EndpointId,
        event: EventId,
        now: Timestamp,
        until: Timestamp,
    ) -> UpdateItemFluentBuilder {
        self.update_item(&table_keys::delivery(customer, endpoint, event))
            .update_expression("SET due_at = :until")
            .condition_expression("due_at <= :now")
            .values([(":now", number(now.as_second())), (":until", number(until.as_second()))])
    }

    /// Makes a waiting delivery due now. `false`, with nothing changed, if another process has moved it since it was read.
    pub async fn make_delivery_due(&self, delivery: &Delivery, now: Timestamp) -> Result<bool, Error> {
        let Some(due_at) = delivery.next_attempt_at else { return Ok(false) };
        let update = self
            .update_item(&table_keys::delivery(delivery.customer, &delivery.endpoint, delivery.event))
            .update_expression("SET due_at = :now")
            .condition_expression("due_at = :seen")
            .values([(":now", number(now.as_second())), (":seen", number(due_at.as_second()))]);
        conditional_update(update).await
    }

    /// Stores a new delivery, or one after an attempt or for a replay, in place of the one that was read. `false`, with
    /// nothing stored, if there is one already, or another process has moved it.
    pub async fn put_delivery(&self, delivery: &Delivery, seen: Option<&Delivery>) -> Result<bool, Error> {
        let put = self.put_item(item::item(delivery)?);
        conditional_put(match seen {
            None => put.condition_expression("attribute_not_exists(pk)"),
            Some(seen) => put
                .condition_expression("tried = :tried")
                .expression_attribute_values(":tried", number(i64::from(seen.tried))),
        })
        .await
    }

    /// Ends a delivery that nobody will make: its endpoint is deleted or disabled, or its event has expired.
    pub async fn end_delivery(&self, customer: CustomerId, endpoint: &EndpointId, event: EventId) -> Result<(), Error> {
        let end = self
            .update_item(&table_keys::delivery(customer, endpoint, event))
            .update_expression("SET delivery_status = :failed REMOVE due_kind, due_at")
            .condition_expression("attribute_exists(due_at)")
            .value(":failed", text(DeliveryStatus::Failed.as_str()));
        conditional_update(end).await.map(drop)
    }

    /// Reads `read` deliveries of an endpoint, newest event first.
    pub async fn deliveries(
        &self,
        customer: CustomerId,
        endpoint: &EndpointId,
        after: Option<EventId>,
        read: i32,
    ) -> Result<DeliveryPage, Error> {
        let query = self
            .query_prefix(customer, &table_keys::delivery_prefix(endpoint))
            .set_exclusive_start_key(after.map(|event| table_keys::delivery(customer, endpoint, event).attributes()))
            .scan_index_forward(false)
            .limit(read);
        let output = query.send().await.map_err(store_error)?;
        let next = output.last_evaluated_key.as_ref().and_then(item::key_of).map(|(_, event)| event);
        let deliveries = output.items.unwrap_or_default().into_iter().map(|item| item::parse(customer, item));
        Ok(DeliveryPage { deliveries: deliveries.collect::<Result<_, Error>>()?, next })
    }

    /// The endpoints of a customer with their health, newest first, by one query. One without a record of its health has
    /// never failed.
    pub async fn webhook_endpoints_with_health(
        &self,
        customer: CustomerId,
    ) -> Result<Vec<(WebhookEndpoint, EndpointHealth)>, Error> {
        let mut items = self.read_prefix(customer, table_keys::WEBHOOK_PREFIX).await?;
        let health = items.extract_if(.., |item| sort_starts_with(item, table_keys::ENDPOINT_HEALTH_PREFIX));
        let health: HashMap<_, _> = health.map(item::parse_health).collect::<Result<_, Error>>()?;
        items.retain(|item| sort_starts_with(item, table_keys::WEBHOOK_ENDPOINT_PREFIX));
        let endpoints = parse_endpoints(items)?;
        let with_health = |endpoint: WebhookEndpoint| {
            let health = health.get(&endpoint.id).copied().unwrap_or_default();
            (endpoint, health)
        };
        Ok(endpoints.into_iter().map(with_health).collect())
    }

    /// An endpoint of a customer with its health, by the same query.
    pub async fn webhook_endpoint_with_health(
        &self,
        customer: CustomerId,
        id: &EndpointId,
    ) -> Result<Option<(WebhookEndpoint, EndpointHealth)>, Error> {
        let all = self.webhook_endpoints_with_health(customer).await?;
        Ok(all.into_iter().find(|(endpoint, _)| endpoint.id == *id))
    }

    /// Disables an endpoint that is enabled, for a reason that its customer reads. `missed_since` is the time of the oldest
    /// event that it has refused since its last success.
    pub async fn disable_webhook_endpoint(
        &self,
        customer: CustomerId,
        endpoint: &WebhookEndpoint,
        reason: &str,
        missed_since: Timestamp,
        at: Timestamp,
    ) -> Result<(), Error> {
        let disable = self
            .update_item(&table_keys::webhook_endpoint(customer, &endpoint.id))
            .update_expression("SET endpoint_status = :disabled, disabled_reason = :reason, missed_since = :since")
            .condition_expression("endpoint_status = :enabled")
            .values([
                (":disabled", text(EndpointStatus::Disabled.as_str())),
                (":enabled", text(EndpointStatus::Enabled.as_str())),
                (":reason", text(reason)),
                (":since", number(missed_since.as_millisecond())),
            ]);
        let event = Event::of_disabled(customer, endpoint, reason, at);
        self.update_with_event(disable, Some(&event)).await?;
        // It begins anew once its customer has enabled it.
        self.put_endpoint_health(customer, &endpoint.id, &EndpointHealth::default()).await
    }

    /// Ends the pause of an endpoint now, if it has one. Its end stays in the record.
    pub async fn end_endpoint_pause(
        &self,
        customer: CustomerId,
        endpoint: &EndpointId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let end = self
            .update_item(&table_keys::endpoint_health(customer, endpoint))
            .update_expression("SET paused_until = :now")
            .condition_expression("attribute_exists(paused_until)")
            .value(":now", text(now.to_string()));
        conditional_update(end).await.map(drop)
    }

    /// Forgets a pause that has ended at this time. One that has begun since stays.
    pub async fn forget_endpoint_pause(
        &self,
        customer: CustomerId,
        endpoint: &EndpointId,
        ended_at: Timestamp,
    ) -> Result<(), Error> {
        let forget = self
            .update_item(&table_keys::endpoint_health(customer, endpoint))
            .update_expression("REMOVE paused_until")
            .condition_expression("paused_until = :ended")
            .value(":ended", text(ended_at.to_string()));
        conditional_update(forget).await.map(drop)
    }

    /// Stores the health of an endpoint.
    pub async fn put_endpoint_health(
        &self,
        customer: CustomerId,
        endpoint: &EndpointId,
        health: &EndpointHealth,
    ) -> Result<(), Error> {
        self.put(item::health_item(customer, endpoint, health)?).await
    }
}

fn sort_starts_with(item: &Item, prefix: &str) -> bool {
    item.get(table_keys::SORT).and_then(|sort| sort.as_s().ok()).is_some_and(|sort| sort.starts_with(prefix))
}
