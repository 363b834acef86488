//! Runs deliveries on Lambda. The schedule or the table's stream starts a run. A run does all work that is due, so the
//! content of their events does not matter.

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
            // The next run does the rest, so the stream need not repeat anything.
            Ok::<_, Error>(json!({ "batchItemFailures": [] }))
        }
    }))
    .await
}
