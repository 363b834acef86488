//! Hands deliveries to Lambda. A run does what is due, so the content of the event that starts it does not matter: the
//! schedule's, or that of the table's stream, which says that something has happened.

use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde_json::{Value, json};
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    shared::log::init();
    let app = Arc::new(shared::app::App::from_env(deliveries::SECRETS).await?);
    lambda_runtime::run(service_fn(move |_: LambdaEvent<Value>| {
        let app = app.clone();
        async move {
            deliveries::run(&app).await.map_err(Error::from)?;
            // The next run does what this one has left, so the stream repeats nothing.
            Ok::<_, Error>(json!({ "batchItemFailures": [] }))
        }
    }))
    .await
}
