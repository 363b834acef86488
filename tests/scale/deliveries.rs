//! Many events to many endpoints, some of which hang.

use super::schedule::template;
use super::size;
use crate::in_process::receivers::{Behaviour, Receivers};
use crate::in_process::{self, World};
use shared::app::App;
use shared::auth::KeySeed;
use shared::domain::{
    Change, ChangeId, CustomerId, EndpointSecrets, EndpointStatus, EndpointUrl, EventTypes, PayloadShape, Plan,
    Platform, WebhookEndpoint,
};
use shared::webhook_secrets::seal_secret;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::time::{Duration, Instant, sleep};
use uuid::Uuid;

/// Customers, each with five endpoints.
const CUSTOMERS: u64 = 20;
const ENDPOINTS: u64 = 5;
/// One of so many endpoints hangs.
const HANGING: u64 = 10;
/// An endpoint that works hears everything within this time.
const LATEST: Duration = Duration::from_secs(10);

fn url(customer: u64, number: u64) -> String {
    format!("https://hooks-{customer}-{number}.example.com/")
}

fn hangs(customer: u64, number: u64) -> bool {
    (customer * ENDPOINTS + number).is_multiple_of(HANGING)
}

fn id(customer: u64) -> CustomerId {
    CustomerId(Uuid::from_u128(1_000 + u128::from(customer)))
}

async fn endpoint(app: &App, customer: u64, number: u64) {
    let seed = KeySeed::random().expect("random bytes");
    let endpoint = seed.endpoint_id();
    let secret = seed.webhook_secret(None);
    let current = seal_secret(app, id(customer), &endpoint, &secret).await.expect("a secret");
    let endpoint = WebhookEndpoint {
        id: endpoint,
        url: EndpointUrl::of_checked(url(customer, number)),
        types: EventTypes::All,
        shape: PayloadShape::Flat,
        description: None,
        status: EndpointStatus::Enabled,
        disabled_reason: None,
        missed_since: None,
        created_at: app.clock.now(),
        secrets: EndpointSecrets { current, previous: None },
    };
    assert!(app.store.create_webhook_endpoint(id(customer), &endpoint).await.expect("the table"));
}

fn heard(receivers: &Receivers, customer: u64, number: u64) -> (usize, Option<Instant>) {
    let received = receivers.received(&url(customer, number));
    let events: BTreeSet<&str> = received.iter().map(|one| one.header("webhook-id")).collect();
    (events.len(), received.iter().map(|one| one.at).max())
}

#[tokio::test(start_paused = true)]
async fn endpoints_that_hang_delay_no_other() {
    let count = size("DELIVERY_EVENTS", 200);
    let world = World::new(in_process::clock(1), Plan::Enterprise).await;
    let app = Arc::new(world.straight());
    let account = world.connect(&app, Platform::Beta, 1).await.remove(0);
    let template = template(&world, &app, &account).await;
    for customer in 0..CUSTOMERS {
        for number in 0..ENDPOINTS {
            endpoint(&app, customer, number).await;
            if hangs(customer, number) {
                world.receivers.set(&url(customer, number), Behaviour::Hangs);
            }
        }
    }
    let of_customer = count.div_ceil(CUSTOMERS);
    for number in 0..of_customer * CUSTOMERS {
        let customer = id(number % CUSTOMERS);
        let change_id = ChangeId::new(app.clock.now(), Uuid::from_u128(7), usize::try_from(number).expect("a number"));
        let change = Change { id: change_id, customer, ..template.clone() };
        app.store.begin_change(&change, app.clock.now()).await.expect("the table");
    }
    let (began, real) = (Instant::now(), std::time::Instant::now());
    deliveries::run(&app).await.expect("a run");
    let all = usize::try_from(of_customer).expect("a number");
    let mut latest = Duration::ZERO;
    for (customer, number) in pairs().filter(|(customer, number)| !hangs(*customer, *number)) {
        let (events, last) = heard(&world.receivers, customer, number);
        assert_eq!(events, all, "{}", url(customer, number));
        latest = latest.max(last.expect("an event").duration_since(began));
    }
    println!(
        "{} events to {} endpoints, of which {} hang: the others have all after {:.1} s, in {:.1} s of real time",
        of_customer * CUSTOMERS,
        CUSTOMERS * ENDPOINTS,
        CUSTOMERS * ENDPOINTS / HANGING,
        latest.as_secs_f64(),
        real.elapsed().as_secs_f64()
    );
    assert!(latest < LATEST, "{latest:?}");
    for (customer, number) in pairs() {
        world.receivers.set(&url(customer, number), Behaviour::Answers(204, None));
    }
    for _ in 0..90 {
        sleep(Duration::from_mins(1)).await;
        deliveries::run(&app).await.expect("a run");
    }
    assert!(pairs().all(|(customer, number)| heard(&world.receivers, customer, number).0 == all), "nothing is lost");
}

fn pairs() -> impl Iterator<Item = (u64, u64)> {
    (0..CUSTOMERS).flat_map(|customer| (0..ENDPOINTS).map(move |number| (customer, number)))
}
