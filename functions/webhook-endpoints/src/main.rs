//! Runs the endpoints of signed webhooks on Lambda.

use shared::app::{App, StartError};
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), StartError> {
    shared::log::init();
    let app = Arc::new(App::from_env(webhook_endpoints::SECRETS).await?);
    shared::lambda::run(app, webhook_endpoints::handle).await
}
