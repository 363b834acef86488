//! Responses of the sandbox, recorded once and replayed: the adapter alone is measured.

use crate::in_process::network::ask;
use crate::in_process::{self, World};
use async_trait::async_trait;
use sandbox::InProcess;
use serde_json::json;
use shared::domain::{CustomerConnections, Plan, Platform};
use shared::outbound::{Answer, Failure, Outbound, Outgoing, Transport};
use shared::platforms::Session;
use shared::tokens::PlatformContext;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

/// Longer than a bench runs.
const FOREVER: Duration = Duration::from_secs(86_400);

/// Calls the sandbox, and records its responses.
pub(crate) struct Recorder {
    sandbox: InProcess,
    heard: Mutex<Vec<Answer>>,
}

/// Replays the recorded responses, from the first to the last and then from the first again.
#[derive(Debug)]
struct Canned {
    answers: Vec<Answer>,
    next: AtomicUsize,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recorder")
    }
}

impl Recorder {
    /// Deletes the recording.
    pub(crate) fn rewind(&self) {
        self.heard.lock().expect("what was heard").clear();
    }

    /// The same session at a platform that replays the responses recorded since.
    pub(crate) fn replay(&self, session: &Session) -> Session {
        let answers = self.heard.lock().expect("what was heard").clone();
        let mut session = session.clone();
        session.call.outbound = Outbound::with_transport(Arc::new(Canned { answers, next: AtomicUsize::new(0) }));
        session
    }
}

#[async_trait]
impl Transport for Recorder {
    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        let answer = ask(&self.sandbox, outgoing).await.ok_or(Failure::Broken)?;
        self.heard.lock().expect("what was heard").push(answer.clone());
        Ok(answer)
    }
}

#[async_trait]
impl Transport for Canned {
    async fn send(&self, _: Outgoing) -> Result<Answer, Failure> {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        Ok(self.answers[next % self.answers.len()].clone())
    }
}

/// A session in a connected ad account of a platform. It records everything.
pub(crate) async fn session(platform: Platform) -> (Session, Arc<Recorder>) {
    let world = World::new(in_process::clock(1), Plan::Enterprise).await;
    let app = Arc::new(world.straight());
    keep_tokens_alive(&world, platform).await;
    world.connect(&app, platform, 1).await;
    let now = world.clock.now();
    let connected: CustomerConnections =
        app.store.customer_connections(world.customer, now).await.expect("the connected");
    let deadline = Instant::now() + FOREVER;
    let context = PlatformContext {
        app: &app,
        outbound: &app.outbound,
        customer: world.customer,
        connected: &connected,
        now,
        deadline,
    };
    let take = context.in_account(&connected.connections[0], |_, session| async move { Ok(session) });
    let mut session = take.await.expect("a session");
    let recorder = Arc::new(Recorder { sandbox: world.sandbox.clone(), heard: Mutex::default() });
    session.call.outbound = Outbound::with_transport(Arc::clone(&recorder) as Arc<dyn Transport>);
    (session, recorder)
}

/// Access tokens that a platform issues from now on outlive the bench.
pub(crate) async fn keep_tokens_alive(world: &World, platform: Platform) {
    let settings = json!({"platform": platform.as_str(), "access_token_ttl_s": 300_000_000});
    world.control("POST", "settings", &settings).await;
}
