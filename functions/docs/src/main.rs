//! Runs the public documents on Lambda.

use shared::app::{Config, StartError};

fn main() -> Result<(), StartError> {
    let config = Config { uses_table: false, ..Config::from_env(docs::SECRETS)? };
    shared::lambda::start_with(config, docs::handle)
}
