//! The operations on the table. Each is the SDK's request with the table's name, so that it reads as its DynamoDB
//! expressions and their values.

use super::table_keys::{self, Key};
use super::{Item, Store, store_error, text};
use crate::domain::CustomerId;
use crate::error::Error;
use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemFluentBuilder;
use aws_sdk_dynamodb::operation::get_item::builders::GetItemFluentBuilder;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;

impl Store {
    /// Reads an item with a consistent read.
    pub(super) async fn read(&self, key: &Key) -> Result<Option<Item>, Error> {
        Ok(self.get_item(key).consistent_read(true).send().await.map_err(store_error)?.item)
    }

    /// Stores an item in place of one with the same key.
    pub(super) async fn put(&self, item: Item) -> Result<(), Error> {
        self.put_item(item).send().await.map_err(store_error).map(drop)
    }

    /// Deletes an item, if there is one.
    pub(super) async fn delete(&self, key: &Key) -> Result<(), Error> {
        self.delete_item(key).send().await.map_err(store_error).map(drop)
    }

    /// Reads all of a customer's items under a prefix of the sort key.
    pub(super) async fn read_prefix(&self, customer: CustomerId, prefix: &str) -> Result<Vec<Item>, Error> {
        self.query_prefix(customer, prefix).into_paginator().items().send().try_collect().await.map_err(store_error)
    }

    /// A consistent query of the customer's items under a prefix of the sort key.
    pub(super) fn query_prefix(&self, customer: CustomerId, prefix: &str) -> QueryFluentBuilder {
        self.query()
            .key_condition_expression("pk = :customer AND begins_with(sk, :prefix)")
            .values([(":customer", text(table_keys::customer(customer))), (":prefix", text(prefix))])
            .consistent_read(true)
    }

    pub(super) fn get_item(&self, key: &Key) -> GetItemFluentBuilder {
        self.client.get_item().table_name(&self.table).set_key(Some(key.attributes()))
    }

    pub(super) fn put_item(&self, item: Item) -> PutItemFluentBuilder {
        self.client.put_item().table_name(&self.table).set_item(Some(item))
    }

    pub(super) fn update_item(&self, key: &Key) -> UpdateItemFluentBuilder {
        self.client.update_item().table_name(&self.table).set_key(Some(key.attributes()))
    }

    pub(super) fn delete_item(&self, key: &Key) -> DeleteItemFluentBuilder {
        self.client.delete_item().table_name(&self.table).set_key(Some(key.attributes()))
    }

    pub(super) fn query(&self) -> QueryFluentBuilder {
        self.client.query().table_name(&self.table)
    }

    pub(super) fn scan(&self) -> ScanFluentBuilder {
        self.client.scan().table_name(&self.table)
    }
}

/// The values of the placeholders in the expressions of a request, such as `:now`.
pub(super) trait Values: Sized {
    /// Adds one value.
    fn value(self, placeholder: &str, value: AttributeValue) -> Self;

    /// Adds several values.
    fn values<'a>(self, values: impl IntoIterator<Item = (&'a str, AttributeValue)>) -> Self {
        values.into_iter().fold(self, |request, (placeholder, value)| request.value(placeholder, value))
    }
}

impl Values for PutItemFluentBuilder {
    fn value(self, placeholder: &str, value: AttributeValue) -> Self {
        self.expression_attribute_values(placeholder, value)
    }
}

impl Values for UpdateItemFluentBuilder {
    fn value(self, placeholder: &str, value: AttributeValue) -> Self {
        self.expression_attribute_values(placeholder, value)
    }
}

impl Values for DeleteItemFluentBuilder {
    fn value(self, placeholder: &str, value: AttributeValue) -> Self {
        self.expression_attribute_values(placeholder, value)
    }
}

impl Values for QueryFluentBuilder {
    fn value(self, placeholder: &str, value: AttributeValue) -> Self {
        self.expression_attribute_values(placeholder, value)
    }
}

impl Values for ScanFluentBuilder {
    fn value(self, placeholder: &str, value: AttributeValue) -> Self {
        self.expression_attribute_values(placeholder, value)
    }
}
