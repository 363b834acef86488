//! Continues the erasures of users.

use crate::drain::{DueWork, Failure, Step, StepCounts, drain};
use shared::app::App;
use shared::changes::continue_erasure;
use shared::domain::{CustomerId, ExternalRef};
use std::sync::Arc;
use tokio::time::Instant;

/// Erasures continued concurrently.
const CONCURRENCY: usize = 4;

pub(crate) async fn continue_due(app: &Arc<App>, until: Instant) -> StepCounts {
    let records = app.store.due_erasures(app.clock.now());
    let due = DueWork { records, label: "erasures of users", concurrency: CONCURRENCY, until, log };
    drain(due, |customer, user| continue_one(app, customer, user, until)).await
}

/// Does the next step of an erasure. Nothing is urgent, so it counts no lateness.
async fn continue_one(
    app: &Arc<App>,
    customer: CustomerId,
    user: ExternalRef,
    until: Instant,
) -> Result<Step, Failure> {
    continue_erasure(app, customer, &user, until).await?;
    Ok(Step::DONE)
}

/// The log does not name the user.
fn log(customer: CustomerId, _: &ExternalRef, Failure { error, .. }: &Failure) {
    tracing::warn!(%customer, %error, source = error.source, "the erasure of a user was not continued");
}
