//! Runs maintenance on Lambda. The content of the schedule's event does not matter.

use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde_json::Value;
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    shared::log::init();
    let app = Arc::new(Box::pin(shared::app::App::from_env(maintenance::SECRETS)).await?);
    // On the heap, because the future of `main` moves twice before it begins.
    let run = lambda_runtime::run(service_fn(move |_: LambdaEvent<Value>| {
        let app = app.clone();
        Box::pin(async move { maintenance::run(&app).await.map(|_| ()).map_err(Error::from) })
    }));
    Box::pin(run).await
}
