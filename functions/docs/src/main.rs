//! Runs the public documents on Lambda.

use shared::app::{App, Config, StartError};
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), StartError> {
    shared::log::init();
    let config = Config { uses_table: false, ..Config::from_env(docs::SECRETS)? };
    let app = Arc::new(App::start(config).await?);
    shared::lambda::run(app, docs::handle).await
}
