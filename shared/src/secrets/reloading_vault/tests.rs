use super::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join_all;
use secrecy::ExposeSecret;

const PLACE: Binding<'static> = Binding { customer: "c", record: "g", field: "f" };

/// A ring of keys that tests know by number.
fn ring(active: &str, keys: &[u8]) -> KeyRing {
    let keys: serde_json::Map<String, serde_json::Value> =
        keys.iter().map(|number| (format!("k{number}"), STANDARD.encode([*number; 32]).into())).collect();
    serde_json::from_value(serde_json::json!({ "active": active, "keys": keys })).unwrap()
}

/// What stands in for Secrets Manager: a ring, or none to be had, and when it was asked.
struct Fake {
    ring: RwLock<Option<KeyRing>>,
    asked: RwLock<Vec<Instant>>,
}

impl Fake {
    fn has(&self, ring: Option<KeyRing>) {
        *self.ring.write().unwrap() = ring;
    }

    fn times_asked(&self) -> usize {
        self.asked.read().unwrap().len()
    }
}

/// Keys that hold `k1`, and their source.
fn keys() -> (Keys, Arc<Fake>) {
    let fake = Arc::new(Fake { ring: RwLock::new(Some(ring("k1", &[1]))), asked: RwLock::default() });
    let source = Arc::clone(&fake);
    let keys = Keys::of_source(&ring("k1", &[1]), move || {
        source.asked.write().unwrap().push(Instant::now());
        let read = source.ring.read().unwrap().as_ref().map(|ring| Vault::new(ring).unwrap());
        let failed = || SecretError { name: "token-keys".to_owned(), reason: "is not there".to_owned() };
        Box::pin(async move {
            // Whoever else is ready has a turn.
            tokio::task::yield_now().await;
            read.ok_or_else(failed)
        })
    });
    (keys.unwrap(), fake)
}

/// As if the ring had been read a while before.
fn age(keys: &Keys, age: Duration) {
    let mut held = keys.held.write().unwrap();
    held.since = held.since.checked_sub(age).unwrap();
}

async fn sealed_with(active: &str, numbers: &[u8]) -> String {
    Keys::fixed(&ring(active, numbers)).unwrap().seal(PLACE, &"token".into()).await.unwrap()
}

#[tokio::test]
async fn a_value_of_a_newer_ring_opens_at_once_and_sealing_follows_it() {
    let (keys, fake) = keys();
    let newer = sealed_with("k2", &[1, 2]).await;
    fake.has(Some(ring("k2", &[1, 2])));
    age(&keys, MIN_AGE);
    assert_eq!(keys.open(PLACE, &newer).await.unwrap().expose_secret(), "token");
    assert!(keys.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k2."));
    assert_eq!(fake.times_asked(), 1, "the ring that was read is kept");
}

#[tokio::test]
async fn a_ring_is_read_again_before_sealing_once_it_is_too_old_and_not_before() {
    let (keys, fake) = keys();
    fake.has(Some(ring("k2", &[1, 2])));
    age(&keys, MAX_AGE / 2);
    assert!(keys.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k1."));
    assert_eq!(fake.times_asked(), 0);
    age(&keys, MAX_AGE / 2);
    assert!(keys.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k2."));
    assert!(keys.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k2."));
    assert_eq!(fake.times_asked(), 1);
}

#[tokio::test]
async fn of_many_who_meet_an_unknown_key_one_reads_for_all() {
    let (keys, fake) = keys();
    let newer = sealed_with("k2", &[1, 2]).await;
    fake.has(Some(ring("k2", &[1, 2])));
    age(&keys, MIN_AGE);
    let outcomes = join_all((0..100).map(|_| keys.open(PLACE, &newer))).await;
    assert!(outcomes.iter().all(Result::is_ok));
    assert_eq!(fake.times_asked(), 1);
}

#[tokio::test]
async fn a_key_that_stays_unknown_is_asked_for_no_more_than_once_a_second_and_holds_up_nobody_else() {
    let (keys, fake) = keys();
    let (known, lost) = (sealed_with("k1", &[1]).await, sealed_with("k9", &[9]).await);
    age(&keys, MIN_AGE);
    for _ in 0..2 {
        let mut lost = std::pin::pin!(join_all((0..10).map(|_| keys.open(PLACE, &lost))));
        tokio::select! {
            biased;
            _ = &mut lost => panic!("that needs a reading"),
            known = keys.open(PLACE, &known) => assert!(known.is_ok()),
        }
        for outcome in lost.await {
            assert_eq!(outcome.unwrap_err(), VaultError::UnknownKey);
        }
    }
    let asked = fake.asked.read().unwrap().clone();
    assert_eq!(asked.len(), 2, "once for each ten");
    assert!(asked[1] - asked[0] >= MIN_AGE);
}

#[tokio::test]
async fn a_ring_that_cannot_be_had_leaves_the_old_one_in_use_and_is_not_taken_for_a_lost_key() {
    let (keys, fake) = keys();
    let (older, newer) = (sealed_with("k1", &[1]).await, sealed_with("k2", &[1, 2]).await);
    fake.has(None);
    age(&keys, MAX_AGE);
    assert!(keys.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k1."));
    assert!(keys.open(PLACE, &older).await.is_ok());
    age(&keys, MIN_AGE);
    assert_eq!(keys.open(PLACE, &newer).await.unwrap_err(), VaultError::NoNewerRing);
    fake.has(Some(ring("k2", &[1, 2])));
    age(&keys, MIN_AGE);
    assert!(keys.open(PLACE, &newer).await.is_ok());
    assert_eq!(fake.times_asked(), 3);
}

#[tokio::test]
async fn a_ring_without_a_source_never_changes() {
    let keys = Keys::fixed(&ring("k1", &[1])).unwrap();
    age(&keys, MAX_AGE * 2);
    assert!(keys.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k1."));
    let lost = sealed_with("k2", &[2]).await;
    assert_eq!(keys.open(PLACE, &lost).await.unwrap_err(), VaultError::UnknownKey);
}
