//! Runs the billing endpoints on Lambda.

use shared::app::{App, Config, StartError};
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), StartError> {
    shared::log::init();
    let config = Config { with_payments: true, ..Config::from_env()? };
    let app = Arc::new(App::start(config).await?);
    shared::lambda::run(app, billing::answer).await
}
