//! A worker for each endpoint, so that one that hangs holds up no other.

use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use shared::app::App;
use shared::deliveries::{AttemptOutcome, Endpoints, attempt_delivery};
use shared::domain::{CustomerId, EndpointId, EventId};
use shared::error::{Error, isolated};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

/// Concurrent attempts at one endpoint.
const CONCURRENT_OF_ENDPOINT: usize = 4;
/// Concurrent attempts of a run. Each waits for its endpoint for at most 15 s.
const CONCURRENT_ATTEMPTS: usize = 1_000;

type EndpointKey = (CustomerId, EndpointId);

/// The workers of a run.
pub(crate) struct Workers {
    app: Arc<App>,
    /// The endpoints that the pass has read.
    endpoints: Arc<Endpoints>,
    until: Instant,
    permits: Arc<Semaphore>,
    running: Mutex<WorkerTasks>,
}

#[derive(Default)]
struct WorkerTasks {
    /// The workers that take deliveries of the pass.
    queues: HashMap<EndpointKey, UnboundedSender<EventId>>,
    /// The endpoints with a worker, of this pass or of an earlier one.
    busy: HashSet<EndpointKey>,
    tasks: JoinSet<(EndpointKey, AttemptCounts)>,
}

/// The outcomes of attempts, counted.
#[derive(Debug, Default)]
pub(crate) struct AttemptCounts {
    pub(crate) delivered: usize,
    pub(crate) refused: usize,
    /// The earliest attempt that follows.
    pub(crate) next_at: Option<Timestamp>,
    /// The event of the oldest delivery that could not be handled.
    pub(crate) failed: Option<EventId>,
}

impl Workers {
    /// Workers that begin no attempt after a time.
    pub(crate) fn new(app: &Arc<App>, until: Instant) -> Workers {
        let permits = Arc::new(Semaphore::new(CONCURRENT_ATTEMPTS));
        Workers { app: Arc::clone(app), endpoints: Arc::default(), until, permits, running: Mutex::default() }
    }

    /// Begins a pass, which reads the endpoints anew.
    pub(crate) fn begin_pass(&mut self) -> Arc<Endpoints> {
        self.endpoints = Arc::default();
        Arc::clone(&self.endpoints)
    }

    /// Hands a delivery to the worker of its endpoint. It stays due while the worker of an earlier pass is busy: that one
    /// may learn that the endpoint wants a pause.
    pub(crate) fn enqueue(&self, customer: CustomerId, endpoint: EndpointId, event: EventId) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let WorkerTasks { queues, busy, tasks } = &mut *running;
        let key = (customer, endpoint);
        if !queues.contains_key(&key) && busy.insert(key.clone()) {
            let (queue, events) = unbounded_channel();
            tasks.spawn(self.worker(key.clone(), events));
            queues.insert(key.clone(), queue);
        }
        // A worker that has panicked leaves its deliveries due.
        let _ = queues.get(&key).map(|queue| queue.send(event));
    }

    fn worker(
        &self,
        key: EndpointKey,
        events: UnboundedReceiver<EventId>,
    ) -> impl Future<Output = (EndpointKey, AttemptCounts)> + Send + use<> {
        let (app, endpoints, permits, until) =
            (Arc::clone(&self.app), Arc::clone(&self.endpoints), Arc::clone(&self.permits), self.until);
        async move {
            let (customer, endpoint) = key;
            let events =
                stream::unfold(events, |mut events| async { events.recv().await.map(|event| (event, events)) });
            let attempts = events.take_while(|_| std::future::ready(Instant::now() < until)).map(|event| {
                let (app, endpoints, permits, endpoint) = (&app, &endpoints, &permits, &endpoint);
                async move {
                    let _permit = permits.acquire().await;
                    if Instant::now() >= until {
                        return (event, Ok(AttemptOutcome::Skipped));
                    }
                    (event, isolated(attempt_delivery(app, endpoints, customer, endpoint, event)).await)
                }
            });
            let attempts = attempts.buffer_unordered(CONCURRENT_OF_ENDPOINT);
            let sum = attempts
                .fold(AttemptCounts::default(), |sum, (event, outcome)| async move { sum.add_attempt(event, outcome) });
            let sum = sum.await;
            ((customer, endpoint), sum)
        }
    }

    /// Ends the pass, and waits for its attempts until a time. Counts the outcomes of those that have ended.
    pub(crate) async fn end_pass(&mut self, until: Instant) -> AttemptCounts {
        let WorkerTasks { queues, busy, tasks } = self.running.get_mut().unwrap_or_else(PoisonError::into_inner);
        queues.clear();
        let mut all = AttemptCounts::default();
        while let Ok(Some(ended)) = timeout_at(until, tasks.join_next()).await {
            match ended {
                Ok((endpoint, attempts)) => {
                    busy.remove(&endpoint);
                    all = all.plus(attempts);
                }
                Err(error) => tracing::error!(%error, "the worker of an endpoint ended"),
            }
        }
        all
    }

    /// Whether an attempt is still under way.
    pub(crate) fn is_busy(&mut self) -> bool {
        !self.running.get_mut().unwrap_or_else(PoisonError::into_inner).tasks.is_empty()
    }
}

impl AttemptCounts {
    fn add_attempt(mut self, event: EventId, outcome: Result<AttemptOutcome, Error>) -> AttemptCounts {
        match outcome {
            Ok(AttemptOutcome::Delivered) => self.delivered += 1,
            Ok(AttemptOutcome::Refused(next)) => {
                self.refused += 1;
                self.next_at = earliest(self.next_at, next);
            }
            Ok(AttemptOutcome::Skipped) => {}
            Err(error) => {
                tracing::warn!(%event, %error, source = error.source, "an event was not delivered");
                self.failed = earliest(self.failed, Some(event));
            }
        }
        self
    }

    pub(crate) fn plus(self, other: AttemptCounts) -> AttemptCounts {
        AttemptCounts {
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
