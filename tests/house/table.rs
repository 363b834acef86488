//! Reads and writes the table directly, for example so that time seems to pass.

use crate::world::World;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};
use shared::auth::ApiKey;
use shared::clock::Clock;
use shared::store::table_keys;
use std::collections::HashMap;

/// The sort-key prefix of grants.
pub(crate) const GRANT: &str = "LINK#GRANT#";
/// The sort-key prefix of PENDING connections.
pub(crate) const PENDING: &str = "LINK#PENDING#";

/// Begin of the sort keys of events.
const EVENT: &str = "EVENT#";

/// Direct access to the table of a process.
pub(crate) struct Table {
    client: Client,
    name: String,
    clock: Clock,
}

impl Table {
    pub(crate) fn new(client: Client, name: &str, clock: Clock) -> Table {
        Table { client, name: name.to_owned(), clock }
    }

    /// The records with a sort-key prefix, such as `LINK#GRANT#`.
    pub(crate) async fn items(&self, prefix: &str) -> Vec<HashMap<String, AttributeValue>> {
        let response = self.client.scan().table_name(&self.name).send().await.expect("a scan");
        let is_meant = |item: &&HashMap<String, AttributeValue>| {
            let key = item.get("sk").and_then(|key| key.as_s().ok());
            // Deliveries move events in the background.
            key.is_some_and(|key| key.starts_with(prefix) && (prefix == EVENT || !key.starts_with(EVENT)))
        };
        response.items().iter().filter(is_meant).cloned().collect()
    }

    /// Deletes records.
    pub(crate) async fn lose_items(&self, prefix: &str) {
        for item in self.items(prefix).await {
            let delete = self.client.delete_item().table_name(&self.name);
            let delete = delete.key("pk", item["pk"].clone()).key("sk", item["sk"].clone());
            delete.send().await.expect("a write");
        }
    }

    /// Makes everything that expires expired, as if an hour had passed.
    pub(crate) async fn let_authorizations_run_out(&self) {
        self.rewrite("", "expires_at", &AttributeValue::N("1".to_owned())).await;
        self.rewrite(PENDING, "due_at", &AttributeValue::N("1".to_owned())).await;
    }

    /// Makes every access token expired, as if an hour had passed.
    pub(crate) async fn let_access_tokens_run_out(&self) {
        self.let_access_tokens_end(Timestamp::UNIX_EPOCH).await;
    }

    /// The same for tokens that can be refreshed: the others would end their grant.
    pub(crate) async fn let_refreshable_tokens_run_out(&self) {
        let past = AttributeValue::S(Timestamp::UNIX_EPOCH.to_string());
        let grants = self.items(GRANT).await.into_iter().filter(|item| item.contains_key("refresh_token"));
        self.rewrite_all(grants.collect(), "access_expires_at", &past).await;
    }

    /// Makes every access token expire within a minute.
    pub(crate) async fn let_access_tokens_near_their_end(&self) {
        self.let_access_tokens_end(self.clock.now() + SignedDuration::from_mins(1)).await;
    }

    /// Makes every grant due, as if the backoff after a failure had passed.
    async fn let_grants_be_due(&self) {
        self.rewrite(GRANT, "due_at", &AttributeValue::N("1".to_owned())).await;
        self.rewrite(GRANT, "retry_at", &AttributeValue::S(Timestamp::UNIX_EPOCH.to_string())).await;
    }

    /// Ends every pause that a platform asked for.
    pub(crate) async fn let_pauses_end(&self) {
        self.rewrite(table_keys::LINK_PREFIX, "paused_until", &AttributeValue::N("1".to_owned())).await;
    }

    /// The index of due work follows.
    async fn let_access_tokens_end(&self, end: Timestamp) {
        self.rewrite(GRANT, "access_expires_at", &AttributeValue::S(end.to_string())).await;
        self.let_grants_be_due().await;
    }

    /// Sets one attribute in every record of a kind that has it. Others may write the record at the same time.
    async fn rewrite(&self, prefix: &str, attribute: &str, value: &AttributeValue) {
        self.rewrite_all(self.items(prefix).await, attribute, value).await;
    }

    async fn rewrite_all(&self, items: Vec<HashMap<String, AttributeValue>>, attribute: &str, value: &AttributeValue) {
        for item in items {
            let update = self.client.update_item().table_name(&self.name);
            let update = update.key("pk", item["pk"].clone()).key("sk", item["sk"].clone());
            let update = update.update_expression("SET #name = :value").condition_expression("attribute_exists(#name)");
            let update = update.expression_attribute_names("#name", attribute);
            let refused = update.expression_attribute_values(":value", value.clone()).send().await.err();
            let is_gone = |error: &UpdateItemError| error.is_conditional_check_failed_exception();
            let failed = refused.filter(|error| !error.as_service_error().is_some_and(is_gone));
            assert!(failed.is_none(), "{failed:?}");
        }
    }

    /// The attributes of the account of a key.
    async fn account(&self, key: &str) -> HashMap<String, AttributeValue> {
        let account = table_keys::account(ApiKey::parse(key).expect("a key").customer()).attributes();
        let get = self.client.get_item().table_name(&self.name).set_key(Some(account));
        get.send().await.expect("a response").item.expect("an account")
    }

    /// A number in the account of a key.
    pub(crate) async fn number(&self, key: &str, attribute: &str) -> i64 {
        let account = self.account(key).await;
        account[attribute].as_n().expect("a number").parse().expect("a number")
    }

    /// Sets numbers in the account of a key.
    pub(crate) async fn set_account(&self, key: &str, changes: &[(&str, i64)]) {
        let mut account = self.account(key).await;
        for (attribute, value) in changes {
            account.insert((*attribute).to_owned(), AttributeValue::N(value.to_string()));
        }
        let put = self.client.put_item().table_name(&self.name).set_item(Some(account));
        put.send().await.expect("a write");
    }
}

impl World {
    fn table(&self) -> Table {
        let config = &self.gateway.config;
        Table::new(config.aws.dynamodb_client(), &config.table, Clock::system())
    }

    /// All items of the table, as text.
    pub(crate) async fn table_dump(&self) -> String {
        let client = self.gateway.config.aws.dynamodb_client();
        let response = client.scan().table_name(&self.gateway.config.table).send().await.expect("a scan");
        format!("{:?}", response.items())
    }

    pub(crate) async fn items(&self, prefix: &str) -> Vec<HashMap<String, AttributeValue>> {
        self.table().items(prefix).await
    }

    /// Changes the number of connections of every grant.
    pub(crate) async fn count_grants(&self, connections: u32) {
        self.table().rewrite(GRANT, "connections", &AttributeValue::N(connections.to_string())).await;
    }

    pub(crate) async fn lose_items(&self, prefix: &str) {
        self.table().lose_items(prefix).await;
    }

    pub(crate) async fn let_authorizations_run_out(&self) {
        self.table().let_authorizations_run_out().await;
    }

    pub(crate) async fn let_access_tokens_run_out(&self) {
        self.table().let_access_tokens_run_out().await;
    }

    pub(crate) async fn let_refreshable_tokens_run_out(&self) {
        self.table().let_refreshable_tokens_run_out().await;
    }

    pub(crate) async fn let_access_tokens_near_their_end(&self) {
        self.table().let_access_tokens_near_their_end().await;
    }

    pub(crate) async fn let_pauses_end(&self) {
        self.table().let_pauses_end().await;
    }

    pub(crate) async fn account(&self, key: &str) -> HashMap<String, AttributeValue> {
        self.table().account(key).await
    }

    pub(crate) async fn number(&self, key: &str, attribute: &str) -> i64 {
        self.table().number(key, attribute).await
    }

    pub(crate) async fn set_account(&self, key: &str, changes: &[(&str, i64)]) {
        self.table().set_account(key, changes).await;
    }
}
