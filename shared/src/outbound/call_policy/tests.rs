use super::*;
use crate::outbound::{OpenBreaker, Protected, Transport};
use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, Method};
use std::collections::VecDeque;
use std::sync::Mutex;
use tokio::time::{advance, timeout};
use uuid::Uuid;

/// A reaction of the platform to one call.
#[derive(Clone, Copy, Debug)]
enum Reaction {
    Status(u16),
    /// Answers 503 with `Retry-After`.
    RetryAfter,
    Break,
    Hang,
}

/// Reacts in the given order, repeats the last reaction, and records the time of each call.
#[derive(Debug)]
struct FakePlatform {
    reactions: Mutex<VecDeque<Reaction>>,
    sent: Mutex<Vec<Instant>>,
}

#[async_trait]
impl Transport for FakePlatform {
    async fn send(&self, _: OutboundRequest) -> Result<OutboundResponse, Failure> {
        self.sent.lock().unwrap().push(Instant::now());
        let reaction = {
            let mut reactions = self.reactions.lock().unwrap();
            let next = reactions[0];
            if reactions.len() > 1 {
                reactions.pop_front();
            }
            next
        };
        let mut headers = HeaderMap::new();
        let status = match reaction {
            Reaction::Status(status) => status,
            Reaction::RetryAfter => {
                headers.insert(RETRY_AFTER, "1".parse().unwrap());
                503
            }
            Reaction::Break => return Err(Failure::Broken),
            Reaction::Hang => std::future::pending().await,
        };
        Ok(OutboundResponse { status: StatusCode::from_u16(status).unwrap(), headers, body: Bytes::new() })
    }
}

struct Fixture {
    platform: Arc<FakePlatform>,
    breakers: Arc<Breakers>,
    outbound: Outbound,
}

fn fixture(reactions: &[Reaction]) -> Fixture {
    let reactions = Mutex::new(reactions.iter().copied().collect());
    let platform = Arc::new(FakePlatform { reactions, sent: Mutex::default() });
    let breakers = Arc::default();
    let outbound = Outbound::with_transport(platform.clone());
    let outbound = outbound.with_call_policy(&breakers, account(), |response| response.status.is_server_error());
    Fixture { platform, breakers, outbound }
}

fn account() -> CalledAccount {
    CalledAccount { customer: Uuid::nil(), user: None, account: "1".into() }
}

impl Fixture {
    fn open_for(&self) -> Option<Duration> {
        self.breakers.open_breaker(&account()).map(|open_breaker| open_breaker.wait)
    }

    async fn send(&self, method: Method) -> Result<u16, Failure> {
        self.send_within(method, Duration::from_secs(25)).await
    }

    async fn send_within(&self, method: Method, time: Duration) -> Result<u16, Failure> {
        let url = "http://platform/".to_owned();
        let request = OutboundRequest { method, url, headers: HeaderMap::new(), body: Bytes::new() };
        let response = self.outbound.send(request, Instant::now() + time).await;
        response.map(|response| response.status.as_u16())
    }

    async fn read(&self) -> Result<u16, Failure> {
        self.send(Method::GET).await
    }

    fn sent(&self) -> usize {
        self.platform.sent.lock().unwrap().len()
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_is_retried_twice_and_a_write_never() {
    let calls = fixture(&[Reaction::Break, Reaction::Status(502), Reaction::Status(200)]);
    assert_eq!((calls.read().await, calls.sent()), (Ok(200), 3));
    for method in [Method::POST, Method::PATCH, Method::DELETE] {
        let calls = fixture(&[Reaction::Status(503), Reaction::Status(200)]);
        assert_eq!((calls.send(method).await, calls.sent()), (Ok(503), 1));
    }
}

#[tokio::test(start_paused = true)]
async fn a_query_by_post_is_retried() {
    let calls = fixture(&[Reaction::Status(500), Reaction::Status(200)]);
    let url = "http://platform/search".to_owned();
    let headers = HeaderMap::new();
    let request = OutboundRequest { method: Method::POST, url, headers, body: Bytes::new() };
    let response = calls.outbound.query(request, Instant::now() + Duration::from_secs(25)).await.unwrap();
    assert_eq!((response.status, calls.sent()), (StatusCode::OK, 2));
}

#[tokio::test(start_paused = true)]
async fn no_retry_after_throttling_refusals_501_or_retry_after() {
    for reaction in [
        Reaction::Status(429),
        Reaction::Status(404),
        Reaction::Status(200),
        Reaction::Status(501),
        Reaction::RetryAfter,
    ] {
        let calls = fixture(&[reaction]);
        assert!(calls.read().await.is_ok());
        assert_eq!(calls.sent(), 1, "{reaction:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_hanging_platform_leaves_time_for_the_rest_of_the_request() {
    let calls = fixture(&[Reaction::Hang]);
    let began = Instant::now();
    assert_eq!(calls.read().await, Err(Failure::TimedOut));
    assert!(began.elapsed() <= READ_TIMEOUT, "{:?}", began.elapsed());
    let began = Instant::now();
    assert_eq!(calls.send(Method::POST).await, Err(Failure::TimedOut));
    assert_eq!(began.elapsed(), WRITE_TIMEOUT);
    let began = Instant::now();
    assert_eq!(calls.send_within(Method::POST, Duration::from_secs(12)).await, Err(Failure::TimedOut));
    assert_eq!(began.elapsed(), Duration::from_secs(9), "late in a request as well");
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_died_unnoticed_costs_one_attempt() {
    let calls = fixture(&[Reaction::Hang, Reaction::Status(200)]);
    // The delay is random. If it leaves no time for a second attempt, the read ends.
    let outcome = calls.read().await;
    assert!(matches!((outcome, calls.sent()), (Ok(200), 2) | (Err(Failure::TimedOut), 1)));
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_sends_nothing_until_a_probe_succeeds() {
    let calls = fixture(&[Reaction::Status(500)]);
    while calls.open_for().is_none() {
        assert_eq!(calls.send(Method::POST).await, Ok(500));
    }
    let sent = calls.sent();
    let wait = calls.open_for().unwrap();
    let open_breaker = Failure::BreakerOpen(OpenBreaker { protected: Protected::Account, wait });
    assert_eq!((calls.send(Method::POST).await, calls.read().await), (Err(open_breaker), Err(open_breaker)));
    assert_eq!(calls.sent(), sent);
    advance(calls.open_for().unwrap()).await;
    *calls.platform.reactions.lock().unwrap() = [Reaction::Status(404)].into();
    assert_eq!(calls.read().await, Ok(404), "any response shows that the platform works");
    assert_eq!(calls.read().await, Ok(404));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_probe_makes_room_for_the_next() {
    let calls = fixture(&[Reaction::Status(500)]);
    while calls.open_for().is_none() {
        assert_eq!(calls.send(Method::POST).await, Ok(500));
    }
    advance(calls.open_for().unwrap()).await;
    *calls.platform.reactions.lock().unwrap() = [Reaction::Hang, Reaction::Status(200)].into();
    assert!(timeout(Duration::from_millis(10), calls.read()).await.is_err(), "the caller gave up");
    assert_eq!(calls.read().await, Ok(200));
}

#[tokio::test(start_paused = true)]
async fn an_early_deadline_does_not_count_as_a_failure() {
    let calls = fixture(&[Reaction::Hang]);
    for _ in 0..20 {
        assert_eq!(calls.send_within(Method::GET, Duration::from_millis(300)).await, Err(Failure::TimedOut));
    }
    assert_eq!(calls.open_for(), None);
}

/// The first case is the worst for the platform: an occasional answer keeps the breaker closed.
#[tokio::test(start_paused = true)]
async fn retries_add_at_most_a_fifth_to_the_load_of_a_failing_platform() {
    let flapping =
        [Reaction::Status(500), Reaction::Status(500), Reaction::Status(500), Reaction::Status(404)].repeat(5_000);
    for reactions in [flapping, vec![Reaction::Status(500)], vec![Reaction::Hang]] {
        let calls = Arc::new(fixture(&reactions));
        let mut reads = Vec::new();
        for _ in 0..50 * 60 {
            let calls = Arc::clone(&calls);
            reads.push(tokio::spawn(async move { calls.read().await }));
            advance(Duration::from_millis(20)).await;
        }
        for read in reads {
            let _ = read.await.unwrap();
        }
        let initial = 2;
        // While the breaker stays closed, the budget alone limits the retries.
        assert!(calls.sent() > 3_500 || calls.sent() < 1_000, "{:?}: {} calls", reactions[0], calls.sent());
        assert!(calls.sent() <= 3_000 + 3_000 / 5 + initial, "{:?}: {} calls", reactions[0], calls.sent());
    }
}

/// A thousand processes: in one process the budget would allow few retries.
#[tokio::test(start_paused = true)]
async fn retries_of_a_thousand_clients_are_spread_over_time() {
    let began = Instant::now();
    let reads = (0..1_000).map(|_| {
        tokio::spawn(async {
            let calls = fixture(&[Reaction::Status(503), Reaction::Status(200)]);
            assert_eq!(calls.read().await, Ok(200));
            let sent = calls.platform.sent.lock().unwrap();
            sent[1]
        })
    });
    let mut slots = [0; 41];
    for read in reads.collect::<Vec<_>>() {
        let slot = (read.await.unwrap() - began).as_millis() / 100;
        slots[usize::try_from(slot).unwrap()] += 1;
    }
    assert!(slots.iter().all(|clients| *clients <= 50), "{slots:?}");
}
