//! Runs maintenance on Lambda.

use serde_json::Value;

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start_runs(maintenance::SECRETS, async |app| {
        maintenance::run(&app).await?;
        Ok(Value::Null)
    })
}
