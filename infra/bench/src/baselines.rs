//! What the gateway is measured beside: a bare server that does nothing, and one that asks the store for the same.

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

/// Accounts by the key that opens them.
type Customers = HashMap<String, Copied>;

/// Answers at once.
pub(crate) async fn echo() -> io::Result<Server> {
    Server::start(|_| async { Response::new(Full::from("{}")) }).await
}

/// A customer's account once more, under a name of the floor's own, so that both do not count in one.
#[derive(Clone)]
pub(crate) struct Copied {
    pk: String,
    hash: String,
}

/// Copies the accounts of some keys.
pub(crate) async fn copied(client: &Client, table: &str, keys: &[String]) -> Result<Customers, Failure> {
    let mut customers = Customers::new();
    for shown in keys {
        let key = ApiKey::parse(shown).ok_or("no key")?;
        let place = account(key.customer());
        let read = client.get_item().table_name(table).key("pk", text(&place.pk)).key("sk", text(&place.sk));
        let mut item = read.send().await?.item.ok_or("no account")?;
        let pk = format!("floor#{}", key.customer());
        item.insert("pk".to_owned(), text(&pk));
        client.put_item().table_name(table).set_item(Some(item)).send().await?;
        customers.insert(shown.clone(), Copied { pk, hash: key.hash() });
    }
    Ok(customers)
}

/// Moves an account on under a condition, and reads a customer's connections, side by side: the two calls that
/// `GET /v1/connections` has to make, and nothing else.
pub(crate) async fn same_calls(client: Client, table: String, customers: Customers) -> io::Result<Server> {
    let customers = Arc::new(customers);
    Server::start(move |request| {
        let key = request.headers().get("x-api-key").and_then(|key| key.to_str().ok()).unwrap_or_default();
        let (client, table, customer) = (client.clone(), table.clone(), customers.get(key).cloned());
        async move {
            let found = match &customer {
                Some(customer) => calls(&client, &table, customer).await,
                None => Err("nobody".into()),
            };
            match found {
                Ok(found) => Response::new(Full::from(format!("{{\"connections\":{found}}}"))),
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

async fn calls(client: &Client, table: &str, customer: &Copied) -> Result<usize, Failure> {
    let number = |value: i64| AttributeValue::N(value.to_string());
    let update = client
        .update_item()
        .table_name(table)
        .key("pk", text(&customer.pk))
        .key("sk", text("ACCOUNT"))
        .update_expression("SET moved_on = if_not_exists(moved_on, :now) + :one, used = used + :one")
        .condition_expression(
            "key_hash = :hash AND #plan = :plan AND disabled = :no AND \
             (attribute_not_exists(moved_on) OR moved_on < :most) AND used < :most",
        )
        .expression_attribute_names("#plan", "plan")
        .expression_attribute_values(":hash", text(&customer.hash))
        .expression_attribute_values(":plan", text("enterprise"))
        .expression_attribute_values(":no", AttributeValue::Bool(false))
        .expression_attribute_values(":now", number(0))
        .expression_attribute_values(":one", number(1))
        .expression_attribute_values(":most", number(i64::MAX))
        .return_values(ReturnValue::AllNew);
    let query = client
        .query()
        .table_name(table)
        .key_condition_expression("pk = :customer AND begins_with(sk, :link)")
        .expression_attribute_values(":customer", text(&customer.pk))
        .expression_attribute_values(":link", text("LINK#"))
        .consistent_read(true);
    let (updated, found) = tokio::join!(update.send(), query.send());
    updated?;
    Ok(found?.items().len())
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::throughput;
    use aws_sdk_dynamodb::config::Credentials;
    use shared::app::Aws;
    use std::time::Duration;

    fn keys() -> Vec<String> {
        (0..32).map(|number| number.to_string()).collect()
    }

    #[tokio::test]
    async fn a_load_is_answered_and_counted() {
        let server = echo().await.unwrap();
        assert!(throughput(server.address, "/", keys(), Duration::from_millis(50)).await.unwrap() > 0.0);
    }

    #[tokio::test]
    async fn an_answer_that_is_no_success_is_not_counted() {
        let aws = Aws {
            region: "us-east-1".to_owned(),
            credentials: Credentials::new("id", "secret", None, None, "test"),
            dynamodb_endpoint: Some("http://127.0.0.1:9".to_owned()),
            secrets_endpoint: None,
        };
        let server = same_calls(aws.dynamodb_client(), "table".to_owned(), Customers::new()).await.unwrap();
        assert!(throughput(server.address, "/", keys(), Duration::from_millis(50)).await.is_err());
    }
}
