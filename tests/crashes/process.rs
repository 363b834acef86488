//! A process of the service: it can die, and it can stand still for a while and go on as if nothing had been.

use super::point::Fates;
use super::scenario::Story;
use futures_util::future::poll_fn;
use std::future::{Future, pending};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep, sleep_until};

/// How long a request waits for platforms.
const REQUEST: Duration = Duration::from_secs(25);

/// A process. When it is dead nothing of it moves any more, and nothing reaches it.
#[derive(Clone)]
pub(super) struct Process(Arc<Parts>);

struct Parts {
    name: String,
    began: Instant,
    is_dead: watch::Sender<bool>,
    stands_still_until: Mutex<Option<Instant>>,
    fates: Fates,
    story: Story,
}

impl Process {
    pub(super) fn new(name: &str, fates: Fates, story: &Story) -> Process {
        let (is_dead, _) = watch::channel(false);
        let parts = Parts {
            name: name.to_owned(),
            began: Instant::now(),
            is_dead,
            stands_still_until: Mutex::default(),
            fates,
            story: story.clone(),
        };
        Process(Arc::new(parts))
    }

    /// When its request is over, if it is not held up: after that nothing of it should be waited for.
    pub(super) fn over_at(&self) -> Instant {
        self.0.began + REQUEST
    }

    pub(super) fn fates(&self) -> &Fates {
        &self.0.fates
    }

    /// Adds to the story.
    pub(super) fn note(&self, what: &str) {
        self.0.story.note(|| format!("{}: {what}", self.0.name));
    }

    pub(super) fn kill(&self) {
        self.note("dies");
        self.0.is_dead.send_replace(true);
    }

    pub(super) fn is_dead(&self) -> bool {
        *self.0.is_dead.borrow()
    }

    /// Whether it died or stood still at some time: then nobody is promised an answer in time.
    pub(super) fn is_troubled(&self) -> bool {
        self.is_dead() || self.stands_still_until().is_some()
    }

    /// Stands still from now on, for so long. Whoever waits for this is held up with it.
    pub(super) async fn stand_still(&self, long: Duration) {
        self.note(&format!("stands still for {} s", long.as_secs()));
        *self.0.stands_still_until.lock().expect("the time") = Some(Instant::now() + long);
        sleep(long).await;
    }

    fn stands_still_until(&self) -> Option<Instant> {
        *self.0.stands_still_until.lock().expect("the time")
    }

    /// Does some work as this process; `None` when it dies over it.
    pub(super) async fn live<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut is_dead = self.0.is_dead.subscribe();
        let mut work = pin!(work);
        let mut rest = pin!(sleep(Duration::ZERO));
        // A process that stands still looks at nothing, not even at its own clocks.
        let work = poll_fn(move |context| {
            if let Some(until) = self.stands_still_until().filter(|until| *until > Instant::now()) {
                rest.set(sleep_until(until));
                if rest.as_mut().poll(context).is_pending() {
                    return Poll::Pending;
                }
            }
            work.as_mut().poll(context)
        });
        tokio::select! {
            biased;
            _ = is_dead.wait_for(|is_dead| *is_dead) => None,
            done = work => Some(done),
        }
    }

    /// What a call of a dead process answers: nothing, ever.
    pub(super) async fn unless_dead(&self) {
        if self.is_dead() {
            pending::<()>().await;
        }
    }
}
