//! What the gateway is measured beside: a bare server that does nothing, and one that asks the store for the same.

use crate::Failure;
use crate::serve::Server;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue};
use http_body_util::Full;
use hyper::Response;
use std::io;

/// Answers at once.
pub(crate) async fn echo() -> io::Result<Server> {
    Server::start(|_| async { Response::new(Full::from("{}")) }).await
}

/// Moves a counter on under a condition, and reads a customer's connections, side by side: the two calls that
/// `GET /v1/connections` has to make, and nothing else.
pub(crate) async fn same_calls(client: Client, table: String) -> io::Result<Server> {
    Server::start(move |request| {
        let key = request.headers().get("x-api-key").and_then(|key| key.to_str().ok()).unwrap_or_default();
        let (client, table, pk) = (client.clone(), table.clone(), format!("floor#{key}"));
        async move {
            match calls(&client, &table, &pk).await {
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

async fn calls(client: &Client, table: &str, pk: &str) -> Result<usize, Failure> {
    let text = |value: &str| AttributeValue::S(value.to_owned());
    let number = |value: i64| AttributeValue::N(value.to_string());
    let update = client
        .update_item()
        .table_name(table)
        .key("pk", text(pk))
        .key("sk", text("account"))
        .update_expression("SET used = if_not_exists(used, :nought) + :one")
        .condition_expression("attribute_not_exists(used) OR used < :most")
        .expression_attribute_values(":nought", number(0))
        .expression_attribute_values(":one", number(1))
        .expression_attribute_values(":most", number(i64::MAX))
        .return_values(ReturnValue::AllNew);
    let query = client
        .query()
        .table_name(table)
        .key_condition_expression("pk = :customer AND begins_with(sk, :link)")
        .expression_attribute_values(":customer", text(pk))
        .expression_attribute_values(":link", text("link#"))
        .consistent_read(true);
    let (updated, found) = tokio::join!(update.send(), query.send());
    updated?;
    Ok(found?.items().len())
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
        let server = same_calls(aws.dynamodb_client(), "table".to_owned()).await.unwrap();
        assert!(throughput(server.address, "/", keys(), Duration::from_millis(50)).await.is_err());
    }
}
