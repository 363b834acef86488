//! Hands the billing endpoints to Lambda.

use lambda_http::{Error, service_fn};
use shared::app::{App, Config};
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    shared::log::init();
    let config = Config { with_payments: true, ..Config::from_env()? };
    let app = Arc::new(App::start(config).await?);
    lambda_http::run(service_fn(move |request| {
        let app = app.clone();
        async move { Ok::<_, Error>(billing::answer(app, request).await) }
    }))
    .await
}
