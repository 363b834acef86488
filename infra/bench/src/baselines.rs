//! The baselines of the gateway: a bare server, and one that makes the same two calls to DynamoDB.

use crate::Failure;
use crate::serve::Server;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue};
use http_body_util::Full;
use hyper::Response;
use shared::auth::ApiKey;
use shared::store::table_keys::account;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// Copied accounts by API key.
type Accounts = HashMap<String, CopiedAccount>;

/// A server that answers at once.
pub(crate) async fn echo() -> io::Result<Server> {
    Server::start(|_| async { Response::new(Full::from("{}")) }).await
}

/// A copy of an account under a key of its own, so that the gateway and the baseline do not update the same item.
#[derive(Clone)]
pub(crate) struct CopiedAccount {
    pk: String,
    hash: String,
}

/// Copies the accounts of API keys.
pub(crate) async fn copy_accounts(client: &Client, table: &str, keys: &[String]) -> Result<Accounts, Failure> {
    let mut accounts = Accounts::new();
    for api_key in keys {
        let key = ApiKey::parse(api_key).ok_or("not an API key")?;
        let item_key = account(key.customer());
        let get = client.get_item().table_name(table).key("pk", text(&item_key.pk)).key("sk", text(&item_key.sk));
        let mut item = get.send().await?.item.ok_or("no account")?;
        let pk = format!("baseline#{}", key.customer());
        item.insert("pk".to_owned(), text(&pk));
        client.put_item().table_name(table).set_item(Some(item)).send().await?;
        accounts.insert(api_key.clone(), CopiedAccount { pk, hash: key.hash() });
    }
    Ok(accounts)
}

/// A server that makes only the two concurrent calls that `listConnections` needs: a conditional update of the account,
/// and a query for the customer's connections.
pub(crate) async fn same_calls(client: Client, table: String, accounts: Accounts) -> io::Result<Server> {
    let accounts = Arc::new(accounts);
    Server::start(move |request| {
        let key = request.headers().get("x-api-key").and_then(|key| key.to_str().ok()).unwrap_or_default();
        let client = client.clone();
        let table = table.clone();
        let account = accounts.get(key).cloned();
        async move {
            let connections = match &account {
                Some(account) => make_calls(&client, &table, account).await,
                None => Err("unknown API key".into()),
            };
            match connections {
                Ok(count) => Response::new(Full::from(format!("{{\"connections\":{count}}}"))),
                Err(error) => {
                    let mut response = Response::new(Full::from(error.to_string()));
                    *response.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
                    response
                }
            }
        }
    })
    .await
}

async fn make_calls(client: &Client, table: &str, account: &CopiedAccount) -> Result<usize, Failure> {
    let number = |value: i64| AttributeValue::N(value.to_string());
    let update = client
        .update_item()
        .table_name(table)
        .key("pk", text(&account.pk))
        .key("sk", text("ACCOUNT"))
        .update_expression("SET arrival = if_not_exists(arrival, :now) + :one, used = used + :one")
        .condition_expression(
            "api_keys.key_default.key_hash = :hash AND #plan = :plan AND disabled = :no AND \
             (attribute_not_exists(arrival) OR arrival < :max) AND used < :max",
        )
        .expression_attribute_names("#plan", "plan")
        .expression_attribute_values(":hash", text(&account.hash))
        .expression_attribute_values(":plan", text("enterprise"))
        .expression_attribute_values(":no", AttributeValue::Bool(false))
        .expression_attribute_values(":now", number(0))
        .expression_attribute_values(":one", number(1))
        .expression_attribute_values(":max", number(i64::MAX))
        .return_values(ReturnValue::AllNew);
    let query = client
        .query()
        .table_name(table)
        .key_condition_expression("pk = :customer AND begins_with(sk, :link)")
        .expression_attribute_values(":customer", text(&account.pk))
        .expression_attribute_values(":link", text("LINK#"))
        .consistent_read(true);
    let (updated, connections) = tokio::join!(update.send(), query.send());
    updated?;
    Ok(connections?.items().len())
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::throughput;
    use aws_sdk_dynamodb::config::Credentials;
    use shared::app::{Aws, CallTimeouts};
    use std::time::Duration;

    fn keys() -> Vec<String> {
        (0..32).map(|number| number.to_string()).collect()
    }

    #[tokio::test]
    async fn answered_requests_are_counted() {
        let server = echo().await.unwrap();
        assert!(throughput(server.address, "/", keys(), Duration::from_millis(50)).await.unwrap() > 0.0);
    }

    #[tokio::test]
    async fn a_failed_request_is_an_error_and_not_counted() {
        let aws = Aws {
            region: "us-east-1".to_owned(),
            credentials: Credentials::new("id", "secret", None, None, "test"),
            dynamodb_endpoint: Some("http://127.0.0.1:9".to_owned()),
            secrets_endpoint: None,
            connector: None,
            timeouts: CallTimeouts::AWS,
        };
        let server = same_calls(aws.dynamodb_client(), "table".to_owned(), Accounts::new()).await.unwrap();
        assert!(throughput(server.address, "/", keys(), Duration::from_millis(50)).await.is_err());
    }
}
