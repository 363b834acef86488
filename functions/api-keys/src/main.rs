//! Hands the API key endpoint to Lambda.

use lambda_http::{Error, service_fn};
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    shared::log::init();
    let app = Arc::new(shared::app::App::from_env().await?);
    lambda_http::run(service_fn(move |request| {
        let app = app.clone();
        async move { Ok::<_, Error>(api_keys::answer(app, request).await) }
    }))
    .await
}
