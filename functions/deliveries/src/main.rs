//! Runs deliveries on Lambda. The schedule or the table's stream starts a run.

use serde_json::json;

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start_runs(deliveries::SECRETS, async |app| {
        deliveries::run(&app).await?;
        // The next run does the rest, so the stream need not repeat anything.
        Ok(json!({ "batchItemFailures": [] }))
    })
}
