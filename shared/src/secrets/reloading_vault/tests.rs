use super::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join_all;
use secrecy::ExposeSecret;

const PLACE: Binding<'static> = Binding { customer: "c", record: "g", field: "f" };

/// A key ring with the keys `k{number}`.
fn ring(active: &str, keys: &[u8]) -> KeyRing {
    let keys: serde_json::Map<String, serde_json::Value> =
        keys.iter().map(|number| (format!("k{number}"), STANDARD.encode([*number; 32]).into())).collect();
    serde_json::from_value(serde_json::json!({ "active": active, "keys": keys })).unwrap()
}

/// Replaces Secrets Manager: holds a key ring, or fails, and records the time of each read.
struct FakeSource {
    ring: RwLock<Option<KeyRing>>,
    reads: RwLock<Vec<Instant>>,
}

impl FakeSource {
    fn has(&self, ring: Option<KeyRing>) {
        *self.ring.write().unwrap() = ring;
    }

    fn read_count(&self) -> usize {
        self.reads.read().unwrap().len()
    }
}

/// A vault with `k1`, and its source.
fn vault() -> (ReloadingVault, Arc<FakeSource>) {
    let fake = Arc::new(FakeSource { ring: RwLock::new(Some(ring("k1", &[1]))), reads: RwLock::default() });
    let source = Arc::clone(&fake);
    let vault = ReloadingVault::from_source(&ring("k1", &[1]), move || {
        source.reads.write().unwrap().push(Instant::now());
        let read = source.ring.read().unwrap().as_ref().map(|ring| Vault::new(ring).unwrap());
        let failed = || SecretError { name: "token-keys".to_owned(), reason: "is not there".to_owned() };
        Box::pin(async move {
            // Lets concurrent reads start.
            tokio::task::yield_now().await;
            read.ok_or_else(failed)
        })
    });
    (vault.unwrap(), fake)
}

/// Makes the key ring older.
fn age(vault: &ReloadingVault, age: Duration) {
    let mut loaded = vault.loaded.write().unwrap();
    loaded.loaded_at = loaded.loaded_at.checked_sub(age).unwrap();
}

async fn sealed_with(active: &str, numbers: &[u8]) -> String {
    ReloadingVault::fixed(&ring(active, numbers)).unwrap().seal(PLACE, &"token".into()).await.unwrap()
}

#[tokio::test]
async fn a_value_with_a_newer_key_reloads_the_key_ring() {
    let (vault, source) = vault();
    let newer = sealed_with("k2", &[1, 2]).await;
    source.has(Some(ring("k2", &[1, 2])));
    age(&vault, MIN_AGE);
    assert_eq!(vault.open(PLACE, &newer).await.unwrap().expose_secret(), "token");
    assert!(vault.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k2."));
    assert_eq!(source.read_count(), 1, "the reloaded key ring stays in use");
}

#[tokio::test]
async fn an_old_key_ring_is_reloaded_before_sealing() {
    let (vault, source) = vault();
    source.has(Some(ring("k2", &[1, 2])));
    age(&vault, MAX_AGE / 2);
    assert!(vault.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k1."));
    assert_eq!(source.read_count(), 0);
    age(&vault, MAX_AGE / 2);
    assert!(vault.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k2."));
    assert!(vault.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k2."));
    assert_eq!(source.read_count(), 1);
}

#[tokio::test]
async fn concurrent_requests_share_one_reload() {
    let (vault, source) = vault();
    let newer = sealed_with("k2", &[1, 2]).await;
    source.has(Some(ring("k2", &[1, 2])));
    age(&vault, MIN_AGE);
    let outcomes = join_all((0..100).map(|_| vault.open(PLACE, &newer))).await;
    assert!(outcomes.iter().all(Result::is_ok));
    assert_eq!(source.read_count(), 1);
}

#[tokio::test]
async fn an_unknown_key_reloads_once_a_second_and_blocks_no_other_key() {
    let (vault, source) = vault();
    let (known, lost) = (sealed_with("k1", &[1]).await, sealed_with("k9", &[9]).await);
    age(&vault, MIN_AGE);
    for _ in 0..2 {
        let mut lost = std::pin::pin!(join_all((0..10).map(|_| vault.open(PLACE, &lost))));
        tokio::select! {
            biased;
            _ = &mut lost => panic!("an unknown key needs a reload"),
            known = vault.open(PLACE, &known) => assert!(known.is_ok()),
        }
        for outcome in lost.await {
            assert_eq!(outcome.unwrap_err(), VaultError::UnknownKey);
        }
    }
    let reads = source.reads.read().unwrap().clone();
    assert_eq!(reads.len(), 2, "once per ten requests");
    assert!(reads[1] - reads[0] >= MIN_AGE);
}

#[tokio::test]
async fn a_failed_reload_keeps_the_old_ring_and_is_not_a_lost_key() {
    let (vault, source) = vault();
    let older = sealed_with("k1", &[1]).await;
    let newer = sealed_with("k2", &[1, 2]).await;
    source.has(None);
    age(&vault, MAX_AGE);
    assert!(vault.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k1."));
    assert!(vault.open(PLACE, &older).await.is_ok());
    age(&vault, MIN_AGE);
    assert_eq!(vault.open(PLACE, &newer).await.unwrap_err(), VaultError::NewerRingUnavailable);
    source.has(Some(ring("k2", &[1, 2])));
    age(&vault, MIN_AGE);
    assert!(vault.open(PLACE, &newer).await.is_ok());
    assert_eq!(source.read_count(), 3);
}

#[tokio::test]
async fn a_fixed_key_ring_is_never_reloaded() {
    let vault = ReloadingVault::fixed(&ring("k1", &[1])).unwrap();
    age(&vault, MAX_AGE * 2);
    assert!(vault.seal(PLACE, &"token".into()).await.unwrap().starts_with("v1.k1."));
    let lost = sealed_with("k2", &[2]).await;
    assert_eq!(vault.open(PLACE, &lost).await.unwrap_err(), VaultError::UnknownKey);
}

#[tokio::test]
async fn made_up_values_reload_the_key_ring_at_most_twice_a_minute() {
    let (vault, source) = vault();
    let newer = sealed_with("k2", &[1, 2]).await;
    for _ in 0..5 {
        let opened = vault.open_of_anyone(PLACE, &newer).await.map(drop);
        assert_eq!(opened, Err(VaultError::NewerRingUnavailable), "it may be one of a newer ring");
    }
    assert_eq!(source.read_count(), 0);
    source.has(Some(ring("k2", &[1, 2])));
    age(&vault, MIN_AGE_FOR_ANYONE);
    assert_eq!(vault.open_of_anyone(PLACE, &newer).await.unwrap().expose_secret(), "token");
    assert_eq!(source.read_count(), 1);
    age(&vault, MIN_AGE_FOR_ANYONE);
    let unknown = sealed_with("k9", &[9]).await;
    let opened = vault.open_of_anyone(PLACE, &unknown).await.map(drop);
    assert_eq!((opened, source.read_count()), (Err(VaultError::UnknownKey), 2), "the newest ring lacks it");
}
