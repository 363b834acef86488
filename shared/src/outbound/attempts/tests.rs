use super::*;
use crate::outbound::Transport;
use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, Method};
use std::collections::VecDeque;
use std::sync::Mutex;
use tokio::time::{advance, timeout};

/// What the peer does, once.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// Answers with a status.
    Says(u16),
    /// Answers 503 and says when to come back.
    SaysWhen,
    Breaks,
    Hangs,
}

/// A peer that does what it is told in order, the last again and again, and keeps when it was asked.
#[derive(Debug)]
struct Peer {
    deeds: Mutex<VecDeque<Deed>>,
    asked: Mutex<Vec<Instant>>,
}

#[async_trait]
impl Transport for Peer {
    async fn carry(&self, _: Outgoing) -> Result<Answer, Failure> {
        self.asked.lock().unwrap().push(Instant::now());
        let deed = {
            let mut deeds = self.deeds.lock().unwrap();
            let next = deeds[0];
            if deeds.len() > 1 {
                deeds.pop_front();
            }
            next
        };
        let mut headers = HeaderMap::new();
        let status = match deed {
            Deed::Says(status) => status,
            Deed::SaysWhen => {
                headers.insert(RETRY_AFTER, "1".parse().unwrap());
                503
            }
            Deed::Breaks => return Err(Failure::Broken),
            Deed::Hangs => std::future::pending().await,
        };
        Ok(Answer { status: StatusCode::from_u16(status).unwrap(), headers, body: Bytes::new() })
    }
}

struct Ways {
    peer: Arc<Peer>,
    breaker: Arc<BreakerState>,
    outbound: Outbound,
}

fn ways(deeds: &[Deed]) -> Ways {
    let deeds = Mutex::new(deeds.iter().copied().collect());
    let (peer, breaker) = (Arc::new(Peer { deeds, asked: Mutex::default() }), Arc::default());
    let outbound = Outbound::over(peer.clone()).to(&breaker, |answer| answer.status.is_server_error());
    Ways { peer, breaker, outbound }
}

impl Ways {
    async fn ask(&self, method: Method) -> Result<u16, Failure> {
        self.ask_within(method, Duration::from_secs(25)).await
    }

    async fn ask_within(&self, method: Method, time: Duration) -> Result<u16, Failure> {
        let url = "http://platform/".to_owned();
        let outgoing = Outgoing { method, url, headers: HeaderMap::new(), body: Bytes::new() };
        let answer = self.outbound.send(outgoing, Instant::now() + time).await;
        answer.map(|answer| answer.status.as_u16())
    }

    async fn read(&self) -> Result<u16, Failure> {
        self.ask(Method::GET).await
    }

    fn asked(&self) -> usize {
        self.peer.asked.lock().unwrap().len()
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_is_sent_again_twice_and_what_may_change_something_never() {
    let ways = ways(&[Deed::Breaks, Deed::Says(502), Deed::Says(200)]);
    assert_eq!((ways.read().await, ways.asked()), (Ok(200), 3));
    for method in [Method::POST, Method::PATCH, Method::DELETE] {
        let ways = self::ways(&[Deed::Says(503), Deed::Says(200)]);
        assert_eq!((ways.ask(method).await, ways.asked()), (Ok(503), 1));
    }
}

#[tokio::test(start_paused = true)]
async fn a_post_that_only_reads_is_sent_again_too() {
    let ways = ways(&[Deed::Says(500), Deed::Says(200)]);
    let (url, headers) = ("http://platform/search".to_owned(), HeaderMap::new());
    let outgoing = Outgoing { method: Method::POST, url, headers, body: Bytes::new() };
    let answer = ways.outbound.query(outgoing, Instant::now() + Duration::from_secs(25)).await.unwrap();
    assert_eq!((answer.status, ways.asked()), (StatusCode::OK, 2));
}

#[tokio::test(start_paused = true)]
async fn throttles_refusals_and_who_says_when_to_come_back_are_not_asked_again() {
    for deed in [Deed::Says(429), Deed::Says(404), Deed::Says(200), Deed::Says(501), Deed::SaysWhen] {
        let ways = ways(&[deed]);
        assert!(ways.read().await.is_ok());
        assert_eq!(ways.asked(), 1, "{deed:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_hangs_costs_a_read_half_of_a_requests_time_and_a_write_leaves_time_to_look() {
    let ways = ways(&[Deed::Hangs]);
    let began = Instant::now();
    assert_eq!(ways.read().await, Err(Failure::TimedOut));
    assert!(began.elapsed() <= READ, "{:?}", began.elapsed());
    let began = Instant::now();
    assert_eq!(ways.ask(Method::POST).await, Err(Failure::TimedOut));
    assert_eq!(began.elapsed(), WRITE);
    let began = Instant::now();
    assert_eq!(ways.ask_within(Method::POST, Duration::from_secs(12)).await, Err(Failure::TimedOut));
    assert_eq!(began.elapsed(), Duration::from_secs(9), "late in a request, too");
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_died_unseen_costs_one_attempt() {
    let ways = ways(&[Deed::Hangs, Deed::Says(200)]);
    // The pause is a random one; where it is too long for another attempt the read ends without one.
    let outcome = ways.read().await;
    assert!(matches!((outcome, ways.asked()), (Ok(200), 2) | (Err(Failure::TimedOut), 1)));
}

#[tokio::test(start_paused = true)]
async fn after_some_failures_nothing_is_sent_until_a_probe_finds_the_platform_well() {
    let ways = ways(&[Deed::Says(500)]);
    while ways.breaker.closed_for().is_none() {
        assert_eq!(ways.ask(Method::POST).await, Ok(500));
    }
    let asked = ways.asked();
    assert_eq!((ways.ask(Method::POST).await, ways.read().await), (Err(Failure::NotSent), Err(Failure::NotSent)));
    assert_eq!(ways.asked(), asked);
    advance(ways.breaker.closed_for().unwrap()).await;
    *ways.peer.deeds.lock().unwrap() = [Deed::Says(404)].into();
    assert_eq!(ways.read().await, Ok(404), "it answers, whatever it says");
    assert_eq!(ways.read().await, Ok(404));
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_nobody_waits_for_any_more_makes_room_for_the_next() {
    let ways = ways(&[Deed::Says(500)]);
    while ways.breaker.closed_for().is_none() {
        assert_eq!(ways.ask(Method::POST).await, Ok(500));
    }
    advance(ways.breaker.closed_for().unwrap()).await;
    *ways.peer.deeds.lock().unwrap() = [Deed::Hangs, Deed::Says(200)].into();
    assert!(timeout(Duration::from_millis(10), ways.read()).await.is_err(), "its caller went away");
    assert_eq!(ways.read().await, Ok(200));
}

#[tokio::test(start_paused = true)]
async fn a_request_whose_time_is_up_says_nothing_about_the_platform() {
    let ways = ways(&[Deed::Hangs]);
    for _ in 0..20 {
        assert_eq!(ways.ask_within(Method::GET, Duration::from_millis(300)).await, Err(Failure::TimedOut));
    }
    assert_eq!(ways.breaker.closed_for(), None);
}

/// The worst case for the platform: one that answers now and then, so that the breaker never opens.
#[tokio::test(start_paused = true)]
async fn fifty_reads_a_second_at_a_platform_that_fails_send_at_most_a_fifth_more() {
    let flapping = [Deed::Says(500), Deed::Says(500), Deed::Says(500), Deed::Says(404)].repeat(5_000);
    for deeds in [flapping, vec![Deed::Says(500)], vec![Deed::Hangs]] {
        let ways = Arc::new(ways(&deeds));
        let mut reads = Vec::new();
        for _ in 0..50 * 60 {
            let ways = Arc::clone(&ways);
            reads.push(tokio::spawn(async move { ways.read().await }));
            advance(Duration::from_millis(20)).await;
        }
        for read in reads {
            let _ = read.await.unwrap();
        }
        let floor = 2;
        // Where the breaker stays closed it is the budget that holds them back, and they do come.
        assert!(ways.asked() > 3_500 || ways.asked() < 1_000, "{:?}: {} calls", deeds[0], ways.asked());
        assert!(ways.asked() <= 3_000 + 3_000 / 5 + floor, "{:?}: {} calls", deeds[0], ways.asked());
    }
}

/// A thousand processes, because in one the budget lets only some try again.
#[tokio::test(start_paused = true)]
async fn second_attempts_of_a_thousand_clients_do_not_come_at_once() {
    let began = Instant::now();
    let reads = (0..1_000).map(|_| {
        tokio::spawn(async {
            let ways = ways(&[Deed::Says(503), Deed::Says(200)]);
            assert_eq!(ways.read().await, Ok(200));
            let asked = ways.peer.asked.lock().unwrap();
            asked[1]
        })
    });
    let mut slots = [0; 41];
    for read in reads.collect::<Vec<_>>() {
        let slot = (read.await.unwrap() - began).as_millis() / 100;
        slots[usize::try_from(slot).unwrap()] += 1;
    }
    assert!(slots.iter().all(|clients| *clients <= 50), "{slots:?}");
}
