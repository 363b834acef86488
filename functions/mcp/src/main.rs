//! Runs the endpoint of agents on Lambda.

use shared::app::{App, StartError};
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), StartError> {
    shared::log::init();
    let app = Arc::new(App::from_env(mcp::SECRETS).await?);
    shared::lambda::run(app, mcp::handle).await
}
