//! Runs the usage log endpoint on Lambda.

use shared::app::{App, StartError};
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), StartError> {
    shared::log::init();
    let app = Arc::new(App::from_env(usage_logs::SECRETS).await?);
    shared::lambda::run(app, usage_logs::handle).await
}
