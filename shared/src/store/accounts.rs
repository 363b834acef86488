//! Accounts: the customer, and the hash of the one key that opens the account.

use super::{Store, failed, item_of, keys, record_of, text};
use crate::domain::{Customer, CustomerId, Plan};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A customer as stored.
#[derive(Clone, Debug)]
pub struct Account {
    /// The customer.
    pub customer: Customer,
    /// SHA-256 of the current API key, in hex.
    pub key_hash: String,
}

#[derive(Serialize, Deserialize)]
struct AccountItem {
    customer_id: Uuid,
    email: String,
    plan: String,
    created_at: Timestamp,
    disabled: bool,
    key_hash: String,
}

impl Store {
    /// Reads an account, consistently: a key that was rotated a moment ago is dead already.
    pub async fn account(&self, id: CustomerId) -> Result<Option<Account>, Error> {
        let answer = self
            .client
            .get_item()
            .table_name(&self.table)
            .set_key(Some(keys::account(id).attributes()))
            .consistent_read(true)
            .send()
            .await
            .map_err(failed)?;
        answer.item.map(|item| record_of(item).and_then(account_of)).transpose()
    }

    /// Stores a new account; one that exists is never overwritten.
    pub async fn create_account(&self, account: &Account) -> Result<(), Error> {
        let Account { customer, key_hash } = account;
        let record = AccountItem {
            customer_id: customer.id.0,
            email: customer.email.clone(),
            plan: customer.plan.word().to_owned(),
            created_at: customer.created_at,
            disabled: customer.disabled,
            key_hash: key_hash.clone(),
        };
        let put = self
            .client
            .put_item()
            .table_name(&self.table)
            .set_item(Some(item_of(&keys::account(customer.id), &record)?));
        put.condition_expression("attribute_not_exists(pk)").send().await.map_err(failed)?;
        Ok(())
    }

    /// Replaces the key of an account. `false` when there is no such account.
    pub async fn set_key_hash(&self, id: CustomerId, key_hash: &str) -> Result<bool, Error> {
        self.set_account_field(id, "key_hash", text(key_hash)).await
    }

    /// Changes the plan of an account. `false` when there is no such account.
    pub async fn set_plan(&self, id: CustomerId, plan: Plan) -> Result<bool, Error> {
        self.set_account_field(id, "plan", text(plan.word())).await
    }

    /// Disables an account. `false` when there is no such account.
    pub async fn disable_account(&self, id: CustomerId) -> Result<bool, Error> {
        self.set_account_field(id, "disabled", AttributeValue::Bool(true)).await
    }

    async fn set_account_field(&self, id: CustomerId, field: &str, value: AttributeValue) -> Result<bool, Error> {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::account(id).attributes()))
            .update_expression("SET #field = :value")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_names("#field", field)
            .expression_attribute_values(":value", value);
        applied(update).await
    }

    /// All accounts, by a scan: for the operator's command line, never for a function.
    pub async fn all_accounts(&self) -> Result<Vec<Account>, Error> {
        let scan = self
            .client
            .scan()
            .table_name(&self.table)
            .filter_expression("sk = :account")
            .expression_attribute_values(":account", text("ACCOUNT"));
        let mut items = scan.into_paginator().items().send();
        let mut accounts = Vec::new();
        while let Some(item) = items.next().await {
            accounts.push(account_of(record_of(item.map_err(failed)?)?)?);
        }
        Ok(accounts)
    }
}

fn account_of(record: AccountItem) -> Result<Account, Error> {
    let AccountItem { customer_id, email, plan, created_at, disabled, key_hash } = record;
    let plan = Plan::from_word(&plan).ok_or_else(|| Error::internal("an account has an unknown plan"))?;
    Ok(Account { customer: Customer { id: CustomerId(customer_id), email, plan, created_at, disabled }, key_hash })
}

/// Sends a conditional update; `false` when its condition did not hold.
pub(super) async fn applied(update: UpdateItemFluentBuilder) -> Result<bool, Error> {
    match update.send().await {
        Ok(_) => Ok(true),
        Err(error) if error.as_service_error().is_some_and(|e| e.is_conditional_check_failed_exception()) => Ok(false),
        Err(error) => Err(failed(error)),
    }
}
