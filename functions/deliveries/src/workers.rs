//! A worker for each endpoint, so that one that hangs holds up no other.

use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use shared::app::App;
use shared::deliveries::{Attempted, Endpoints, attempt_delivery};
use shared::domain::{CustomerId, EndpointId, EventId};
use shared::error::{Error, isolated};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Attempts at one endpoint at a time.
const OF_ENDPOINT: usize = 4;
/// Attempts at a time. Each waits for its endpoint for at most 15 s.
const ALL: usize = 1_000;

/// The workers of a pass.
pub(crate) struct Workers {
    app: Arc<App>,
    endpoints: Arc<Endpoints>,
    until: Instant,
    free: Arc<Semaphore>,
    running: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    queues: HashMap<(CustomerId, EndpointId), UnboundedSender<EventId>>,
    tasks: JoinSet<Attempts>,
}

/// What came of attempts.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    pub(crate) delivered: usize,
    pub(crate) refused: usize,
    /// The earliest attempt that follows.
    pub(crate) next_at: Option<Timestamp>,
    /// The event of the oldest delivery that could not be handled.
    pub(crate) failed: Option<EventId>,
}

impl Workers {
    /// Workers that begin no attempt after a time.
    pub(crate) fn new(app: &Arc<App>, endpoints: Arc<Endpoints>, until: Instant) -> Workers {
        let (app, free, running) = (Arc::clone(app), Arc::new(Semaphore::new(ALL)), Mutex::default());
        Workers { app, endpoints, until, free, running }
    }

    /// Hands a delivery to the worker of its endpoint.
    pub(crate) fn attempt(&self, customer: CustomerId, endpoint: EndpointId, event: EventId) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Running { queues, tasks } = &mut *running;
        let queue = queues.entry((customer, endpoint.clone())).or_insert_with(|| {
            let (queue, events) = unbounded_channel();
            tasks.spawn(self.worker(customer, endpoint, events));
            queue
        });
        // A worker that has panicked leaves its deliveries due.
        let _ = queue.send(event);
    }

    fn worker(
        &self,
        customer: CustomerId,
        endpoint: EndpointId,
        events: UnboundedReceiver<EventId>,
    ) -> impl Future<Output = Attempts> + Send + use<> {
        let (app, endpoints, free, until) =
            (Arc::clone(&self.app), Arc::clone(&self.endpoints), Arc::clone(&self.free), self.until);
        async move {
            let events =
                stream::unfold(events, |mut events| async { events.recv().await.map(|event| (event, events)) });
            let attempts = events.take_while(|_| std::future::ready(Instant::now() < until)).map(|event| {
                let (app, endpoints, free, endpoint) = (&app, &endpoints, &free, &endpoint);
                async move {
                    let _place = free.acquire().await;
                    (event, isolated(attempt_delivery(app, endpoints, customer, (endpoint, event))).await)
                }
            });
            let attempts = attempts.buffer_unordered(OF_ENDPOINT);
            attempts.fold(Attempts::default(), |sum, (event, outcome)| async move { sum.with(event, outcome) }).await
        }
    }

    /// Waits until all attempts have ended.
    pub(crate) async fn end(self) -> Attempts {
        let Running { queues, mut tasks } = self.running.into_inner().unwrap_or_else(PoisonError::into_inner);
        drop(queues);
        let mut all = Attempts::default();
        while let Some(ended) = tasks.join_next().await {
            match ended {
                Ok(attempts) => all = all.and(attempts),
                Err(error) => tracing::error!(%error, "the worker of an endpoint ended"),
            }
        }
        all
    }
}

impl Attempts {
    fn with(mut self, event: EventId, outcome: Result<Attempted, Error>) -> Attempts {
        match outcome {
            Ok(Attempted::Delivered) => self.delivered += 1,
            Ok(Attempted::Refused(next)) => {
                self.refused += 1;
                self.next_at = earliest(self.next_at, next);
            }
            Ok(Attempted::Skipped) => {}
            Err(error) => {
                tracing::warn!(%event, %error, source = error.source, "an event was not delivered");
                self.failed = earliest(self.failed, Some(event));
            }
        }
        self
    }

    fn and(self, other: Attempts) -> Attempts {
        Attempts {
            delivered: self.delivered + other.delivered,
            refused: self.refused + other.refused,
            next_at: earliest(self.next_at, other.next_at),
            failed: earliest(self.failed, other.failed),
        }
    }
}

/// The smaller one of two, if there is any.
pub(crate) fn earliest<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}
