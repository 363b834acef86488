//! Hundreds of random histories of subscriptions. Webhooks arrive one to five times, in any order, concurrently, and
//! again after a lost response. The real function runs under a paused clock, with a table and a provider that are slow
//! and sometimes fail. At the end of each history the stored state equals the provider's.
//!
//! `HISTORY_SEED=4711 cargo test -p tests histories` runs one of them.

mod provider;
mod service;

use crate::random::Random;
use crate::sample::{env_number, seeds};
use provider::{History, PAYMENT_CUSTOMER, SharedHistory};
use service::{deliver, service};
use shared::app::App;
use shared::domain::{Customer, CustomerId, Plan};
use shared::store::Account;
use std::sync::{Arc, Mutex};
use tokio::task::JoinSet;
use tokio::time::{Duration, sleep};
use uuid::Uuid;

const HISTORIES: u64 = 120;

/// Runs one history; returns a violated invariant as an error.
async fn run_history(seed: u64) -> Result<(), String> {
    let history =
        History { random: Random::new(seed), subscriptions: Vec::new(), reads: 0, events: Vec::new(), faults: false };
    let history = SharedHistory(Arc::new(Mutex::new(history)));
    let app = service(&history);
    let customer = open_account(&app).await;
    history.lock().faults = true;

    let mut deliveries = JoinSet::new();
    let steps = 2 + history.below(5);
    for _ in 0..steps {
        let first = {
            let mut history = history.lock();
            let first = history.events.len();
            history.step(app.clock.now().as_second());
            first
        };
        let events = history.lock().events[first..].to_vec();
        for event in events {
            let copies = 1 + history.below(5);
            for _ in 0..copies {
                let wait = Duration::from_millis(history.below(3_000));
                deliveries.spawn(deliver(app.clone(), history.clone(), event.clone(), wait));
            }
        }
        let pause = Duration::from_millis(history.below(3_000));
        sleep(pause).await;
    }
    while let Some(delivered) = deliveries.join_next().await {
        delivered.map_err(|error| error.to_string())?;
    }
    history.lock().faults = false;
    check_final_state(&app, &history, customer).await?;
    check_redelivery_changes_nothing(&app, &history, customer).await
}

async fn open_account(app: &App) -> CustomerId {
    let id = CustomerId(Uuid::from_u128(7));
    let email = "buyer@example.com".to_owned();
    let customer = Customer { id, email, plan: Plan::Starter, created_at: app.clock.now(), disabled: false };
    app.store.create_account(&Account::without_key(customer)).await.expect("an account");
    app.store.bind_payment_customer(id, PAYMENT_CUSTOMER).await.expect("a payment customer");
    id
}

async fn check_final_state(app: &App, history: &SharedHistory, customer: CustomerId) -> Result<(), String> {
    let last = history.lock().subscriptions.last().expect("a subscription").clone();
    let billing = app.store.billing(customer).await.expect("billing");
    let state = billing.state.ok_or("nothing is stored")?;
    let account = app.store.account(customer, app.clock.now()).await.expect("an account").expect("an account");
    let usage = account.usage;
    let account = account.customer;
    let expected = (last.id.as_str(), last.status, last.effective_plan(), last.start(), last.cancels);
    let stored = (
        state.subscription_id.as_str(),
        state.status.as_str(),
        state.plan.as_str(),
        state.period_start.as_second(),
        state.cancel_at_period_end,
    );
    if stored != expected {
        return Err(format!("the provider has {expected:?}, the service stores {stored:?}"));
    }
    if account.plan.as_str() != last.effective_plan() {
        return Err(format!("the account has plan {}, {expected:?}", account.plan.as_str()));
    }
    if state.status.grants_access() && usage.period_start.as_second() != last.start() {
        return Err(format!("the usage period starts at {}, {expected:?}", usage.period_start));
    }
    Ok(())
}

/// Redelivers every event: the service neither reads from the provider nor writes.
async fn check_redelivery_changes_nothing(
    app: &Arc<App>,
    history: &SharedHistory,
    customer: CustomerId,
) -> Result<(), String> {
    let before = app.store.billing(customer).await.expect("billing");
    let (reads, events) = {
        let history = history.lock();
        (history.reads, history.events.clone())
    };
    for event in events {
        deliver(app.clone(), history.clone(), event, Duration::ZERO).await;
    }
    let after = app.store.billing(customer).await.expect("billing");
    let read_again = history.lock().reads - reads;
    if after != before || read_again > 0 {
        return Err(format!("events were processed twice: {read_again} reads, {before:?} {after:?}"));
    }
    Ok(())
}

#[test]
fn the_stored_state_converges_to_the_provider_even_seeds() {
    run_histories(0);
}

#[test]
fn the_stored_state_converges_to_the_provider_odd_seeds() {
    run_histories(1);
}

/// Runs the histories with this remainder of a division by two. Two tests share them, to use two cores.
fn run_histories(remainder: u64) {
    let all = seeds(env_number("HISTORY_SEED"), env_number("HISTORIES").unwrap_or(HISTORIES));
    for seed in all.filter(|seed| seed % 2 == remainder) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
        if let Err(violation) = runtime.expect("a runtime").block_on(run_history(seed)) {
            panic!("HISTORY_SEED={seed}: {violation}");
        }
    }
}
