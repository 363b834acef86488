//! Webhook endpoints. A transaction keeps their count in step.

mod item;

use super::conditional::{condition_failure, conditional_update};
use super::transactions::{delete_write, put_write, update_write};
use super::{Item, Store, Values, attribute, number, store_error, table_keys, text};
use crate::domain::webhook_endpoint::{EndpointSecrets, SECRET_OVERLAP, SealedSecret};
use crate::domain::{CustomerId, EndpointChanges, EndpointId, EndpointStatus, MAX_WEBHOOK_ENDPOINTS, WebhookEndpoint};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};
use item::{endpoint_item, parse_endpoint};
use jiff::Timestamp;

impl Store {
    /// Creates an endpoint. `false` at [`MAX_WEBHOOK_ENDPOINTS`], which is exact under concurrency, and if there is one
    /// with this id.
    pub async fn create_webhook_endpoint(
        &self,
        customer: CustomerId,
        endpoint: &WebhookEndpoint,
    ) -> Result<bool, Error> {
        let put = self.put_item(endpoint_item(customer, endpoint)?).condition_expression("attribute_not_exists(pk)");
        let count = self
            .count_endpoints(customer, 1)
            .condition_expression("attribute_not_exists(endpoints) OR endpoints < :max")
            .value(":max", number(MAX_WEBHOOK_ENDPOINTS));
        Ok(self.transact(vec![put_write(put)?, update_write(count)?]).await?.is_empty())
    }

    /// Reads the endpoints of a customer, newest first.
    pub async fn webhook_endpoints(&self, customer: CustomerId) -> Result<Vec<WebhookEndpoint>, Error> {
        parse_endpoints(self.read_prefix(customer, table_keys::WEBHOOK_ENDPOINT_PREFIX).await?)
    }

    /// Reads an endpoint.
    pub async fn webhook_endpoint(
        &self,
        customer: CustomerId,
        id: &EndpointId,
    ) -> Result<Option<WebhookEndpoint>, Error> {
        self.read(&table_keys::webhook_endpoint(customer, id)).await?.map(parse_endpoint).transpose()
    }

    /// Makes at least one change of an endpoint, and returns it as it is then. `None` if there is none with this id.
    pub async fn update_webhook_endpoint(
        &self,
        customer: CustomerId,
        id: &EndpointId,
        changes: &EndpointChanges,
    ) -> Result<Option<WebhookEndpoint>, Error> {
        let EndpointChanges { url, types, shape, description, status } = changes;
        let description = description.as_ref();
        let values = [
            ("endpoint_url", url.as_ref().map(|url| text(url.as_str()))),
            ("event_types", types.as_ref().map(attribute).transpose()?),
            ("payload_shape", shape.map(|shape| text(shape.as_str()))),
            ("description", description.and_then(Option::as_deref).map(text)),
            ("endpoint_status", status.map(|status| text(status.as_str()))),
        ];
        let values: Vec<_> = values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        let removed = [
            ("description", description.is_some_and(Option::is_none)),
            ("disabled_reason", *status == Some(EndpointStatus::Enabled)),
            ("missed_since", *status == Some(EndpointStatus::Enabled)),
        ];
        let removed: Vec<_> = removed.into_iter().filter(|(_, is_removed)| *is_removed).map(|(name, _)| name).collect();
        let set = values.iter().map(|(name, _)| format!("{name} = :{name}")).collect::<Vec<_>>();
        let clauses = [("SET", set.join(", ")), ("REMOVE", removed.join(", "))];
        let clauses = clauses.iter().filter(|(_, what)| !what.is_empty()).map(|(verb, what)| format!("{verb} {what}"));
        let update = self
            .update_item(&table_keys::webhook_endpoint(customer, id))
            .update_expression(clauses.collect::<Vec<_>>().join(" "))
            .condition_expression("attribute_exists(pk)");
        let update = values.into_iter().fold(update, |update, (name, value)| update.value(&format!(":{name}"), value));
        self.changed_endpoint(update).await
    }

    /// Replaces the secret of an endpoint and returns the endpoint. The old secret signs for [`SECRET_OVERLAP`], in
    /// place of the one before it. Nothing is replaced if the endpoint has another version of its secret than this one.
    /// `None` if there is no endpoint with this id.
    pub async fn rotate_webhook_secret(
        &self,
        customer: CustomerId,
        id: &EndpointId,
        secret: &SealedSecret,
        version: Option<i64>,
        now: Timestamp,
    ) -> Result<Option<WebhookEndpoint>, Error> {
        // The SDK may repeat a write that took effect. The second one must not make the new secret the previous one.
        let update = self
            .update_item(&table_keys::webhook_endpoint(customer, id))
            .update_expression("SET previous_secret = secret, previous_until = :until, secret = :secret")
            .value(":secret", text(&secret.0))
            .value(":until", number((now + SECRET_OVERLAP).as_millisecond()));
        let condition = "attribute_exists(pk) AND secret <> :secret";
        let update = match version {
            None => update.condition_expression(condition),
            Some(version) => update
                .condition_expression(format!(
                    "{condition} AND (previous_until = :version OR \
                     (attribute_not_exists(previous_until) AND created_at = :version))"
                ))
                .value(":version", number(version)),
        };
        self.changed_endpoint(update).await
    }

    /// Stores the same secrets of an endpoint, encrypted with another key. `false` if the endpoint was deleted or its
    /// secrets have changed since it was read.
    pub async fn reseal_webhook_secrets(
        &self,
        customer: CustomerId,
        endpoint: &WebhookEndpoint,
        new: &EndpointSecrets,
    ) -> Result<bool, Error> {
        let (update, condition) = match (&new.previous, &endpoint.secrets.previous) {
            (Some(_), Some(_)) => (
                "SET secret = :secret, previous_secret = :previous",
                "secret = :old AND previous_secret = :old_previous",
            ),
            _ => ("SET secret = :secret", "secret = :old AND attribute_not_exists(previous_secret)"),
        };
        let update = self
            .update_item(&table_keys::webhook_endpoint(customer, &endpoint.id))
            .update_expression(update)
            .condition_expression(condition)
            .value(":secret", text(&new.current.0))
            .value(":old", text(&endpoint.secrets.current.0));
        let previous = new.previous.as_ref().zip(endpoint.secrets.previous.as_ref());
        let update = previous.into_iter().fold(update, |update, (new, old)| {
            update.value(":previous", text(&new.secret.0)).value(":old_previous", text(&old.secret.0))
        });
        conditional_update(update).await
    }

    /// Deletes an endpoint. `false` if there is none with this id.
    pub async fn delete_webhook_endpoint(&self, customer: CustomerId, id: &EndpointId) -> Result<bool, Error> {
        let delete =
            self.delete_item(&table_keys::webhook_endpoint(customer, id)).condition_expression("attribute_exists(pk)");
        let health = self.delete_item(&table_keys::endpoint_health(customer, id));
        let count = self.count_endpoints(customer, -1);
        let writes = vec![delete_write(delete)?, delete_write(health)?, update_write(count)?];
        Ok(self.transact(writes).await?.is_empty())
    }

    /// Reads the endpoints of all customers, by a scan of the table: for an operator's command.
    pub async fn all_webhook_endpoints(&self) -> Result<Vec<(CustomerId, WebhookEndpoint)>, Error> {
        let scan = self
            .scan()
            .consistent_read(true)
            .filter_expression("begins_with(sk, :endpoint)")
            .value(":endpoint", text(table_keys::WEBHOOK_ENDPOINT_PREFIX));
        let items: Vec<Item> = scan.into_paginator().items().send().try_collect().await.map_err(store_error)?;
        let endpoint = |item: Item| {
            let pk = item.get(table_keys::PARTITION).and_then(|pk| pk.as_s().ok());
            let customer = pk.and_then(|pk| table_keys::parse_customer_pk(pk));
            let customer = customer.ok_or_else(|| Error::internal("an endpoint has a malformed partition key"))?;
            Ok((customer, parse_endpoint(item)?))
        };
        items.into_iter().map(endpoint).collect()
    }

    fn count_endpoints(&self, customer: CustomerId, change: i64) -> UpdateItemFluentBuilder {
        self.update_item(&table_keys::webhook_endpoint_count(customer))
            .update_expression("ADD endpoints :change")
            .value(":change", number(change))
    }

    /// Sends an update and returns the endpoint as it is then; `None` without one. A condition that fails on an
    /// endpoint that is there means that an earlier attempt of this update took effect.
    async fn changed_endpoint(&self, update: UpdateItemFluentBuilder) -> Result<Option<WebhookEndpoint>, Error> {
        let update = update
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let item = match update.send().await {
            Ok(output) => output.attributes,
            Err(error) => match error.as_service_error().and_then(condition_failure) {
                Some(item) => item.cloned(),
                None => return Err(store_error(error)),
            },
        };
        item.map(parse_endpoint).transpose()
    }
}

/// Parses endpoints, newest first.
pub(super) fn parse_endpoints(items: Vec<Item>) -> Result<Vec<WebhookEndpoint>, Error> {
    let mut endpoints = items.into_iter().map(parse_endpoint).collect::<Result<Vec<_>, _>>()?;
    endpoints.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
    Ok(endpoints)
}
