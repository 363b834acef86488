//! One schedule: an update or a removal, its faults, and the client and maintenance afterwards.

use super::client::Edit;
use super::invariants::check;
use super::prepared::{Prepared, prepared};
use super::spending_limit::{self, Limited};
use crate::crashes::environment::run_paused;
use crate::crashes::runs::{Outcome, Scheduled, runs_after};
use crate::crashes::settle::settle;
use crate::in_process::faults::{Fault, FaultPlan};
use serde_json::Value;
use shared::domain::Platform;
use shared::store::table_keys;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::time::Duration;

/// When a client sends, and sends again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EditPolicy {
    /// Without a key: sends once.
    SendsOnce,
    /// Without a key: sends until the response is final.
    Repeats,
    /// With a key: sends until the response is final, and once more.
    Retries,
    /// Sends another request at once after the first one, until its response is final.
    Continues(Edit),
}

/// An update or a removal with faults.
#[derive(Clone, Debug)]
pub(super) struct EditSchedule {
    pub(super) platform: Platform,
    pub(super) edit: Edit,
    pub(super) policy: EditPolicy,
    /// Time from the first request's end to the first run of maintenance.
    pub(super) phase: Duration,
    /// Faults by the number of the point, for each process in the order in which they start.
    pub(super) faults: Vec<BTreeMap<usize, Fault>>,
    pub(super) limited: Limited,
    pub(super) keeps_log: bool,
}

impl Scheduled for EditSchedule {
    fn run(&self) -> Outcome {
        run_paused(self.run_async())
    }

    fn logged(&self) -> EditSchedule {
        EditSchedule { keeps_log: true, ..self.clone() }
    }
}

impl EditSchedule {
    async fn run_async(&self) -> Outcome {
        let Prepared { client, key, .. } = prepared(self.platform, self.limited, &Value::Null, self.keeps_log).await;
        let environment = Arc::clone(&client.environment);
        let faults: Vec<FaultPlan> = self.faults.iter().cloned().map(FaultPlan::planned).collect();
        environment.plan(faults.clone());
        let idempotency_key = (self.policy == EditPolicy::Retries).then_some("key");
        client.send(self.edit, idempotency_key).await;
        let maintenance = environment.schedule_maintenance(self.phase, runs_after(&self.faults), 1);
        match self.policy {
            EditPolicy::SendsOnce => {}
            EditPolicy::Repeats => drop(client.send_until_final(self.edit, None).await),
            EditPolicy::Retries => {
                client.send_until_final(self.edit, idempotency_key).await;
                client.send_until_final(self.edit, idempotency_key).await;
            }
            EditPolicy::Continues(next) => drop(client.send_until_final(next, None).await),
        }
        maintenance.await.expect("no panic");
        settle(&environment, async || environment.still_due(&[table_keys::DUE_CHANGE]).is_empty()).await;
        check(&client).await;
        if self.limited != Limited::Nobody {
            spending_limit::check(&client, key.as_ref()).await;
        }
        let violations = client.history.violations.lock().expect("the history").clone();
        Outcome { violations, log: environment.log.lines(), points: faults.iter().map(FaultPlan::points).collect() }
    }
}
