//! The store on every available engine.

use super::Engines;
use futures_util::StreamExt;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use shared::auth::KeySeed;
use shared::clock::Clock;
use shared::domain::webhook_endpoint::{EndpointSecrets, PreviousSecret, SECRET_OVERLAP, SealedSecret};
use shared::domain::{
    AdAccount, ApiKeyInfo, ApiKeys, CampaignId, CampaignRecord, Connection, ConnectionId, ConnectionStatus, Currency,
    Customer, CustomerId, EndpointChanges, EndpointId, EndpointStatus, EndpointUrl, EventTypes, Grant, GrantId, KeyId,
    MAX_ASSISTANTS, MAX_REDIRECT_URIS, PayloadShape, Plan, Platform, RedirectUri, RegisteredUri, UsageEntry,
    UsageFilters, WebhookEndpoint,
};
use shared::store::{
    Account, Admission, Authorization, Consent, IdempotencyClaim, LeaseAttempt, NewConnection, Registration, Store,
    Stored, Terms,
};
use uuid::Uuid;

const HASH: &str = "the hash of a key";

fn customer() -> CustomerId {
    CustomerId(Uuid::new_v4())
}

async fn account(store: &Store) -> CustomerId {
    let id = customer();
    let created_at = Clock::system().now();
    let customer = Customer { id, email: "c@example.com".to_owned(), plan: Plan::Starter, created_at, disabled: false };
    store.create_account(&Account::new(customer, HASH, "uac_test_")).await.expect("an account");
    id
}

/// An open authorization, and its PENDING connection.
async fn authorization(store: &Store, customer: CustomerId, until: Timestamp) -> Authorization {
    let authorization = Authorization {
        state_hash: Uuid::new_v4().to_string(),
        customer,
        platform: Platform::Alpha,
        connection: ConnectionId::generate(),
        verifier: "sealed".to_owned(),
        redirect_uri: "https://ads.example.com".to_owned(),
        return_to: None,
        external_ref: None,
        expires_at: until,
    };
    let now = Clock::system().now();
    let seen = store.authorizations_in_progress(customer, now).await.expect("the others");
    assert!(store.begin_authorization(&authorization, &seen, now, until).await.expect("an authorization"));
    authorization
}

fn ad_account() -> NewConnection {
    let account = AdAccount {
        id: "1002003001".to_owned(),
        name: "An account".to_owned(),
        currency: Currency::from_code("USD").expect("a currency"),
        time_zone: "Europe/Berlin".to_owned(),
        manager_id: None,
    };
    NewConnection { id: ConnectionId::generate(), label: None, external_ref: None, account, known: None }
}

fn consent<'a>(
    customer: CustomerId,
    grant: &'a Grant,
    old_grants: &'a [Grant],
    pending: &'a ConnectionId,
    now: Timestamp,
) -> Consent<'a> {
    Consent { customer, platform: Platform::Alpha, grant, old_grants, pending, limit: None, now }
}

fn grant() -> Grant {
    Grant::without_tokens(GrantId::generate(), Platform::Alpha, Clock::system().now())
}

#[tokio::test]
async fn admission_counts_and_a_rejection_names_its_limit() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let now = Clock::system().now();
        let admit = |id, hash| store.admit(id, hash, now, Terms::COUNTED);
        let burst = Plan::Starter.limits().burst;
        for count in 1..=u64::from(burst) {
            let Admission::Admitted(account, None) = admit(id, HASH).await.expect(engine) else {
                panic!("{engine}: {count}")
            };
            assert_eq!(account.usage.requests_used, count, "{engine}");
        }
        let Admission::Refused(Some(account)) = admit(id, HASH).await.expect(engine) else { panic!("{engine}") };
        assert_eq!(account.usage.requests_used, u64::from(burst), "{engine}");
        assert!(matches!(admit(id, "another").await.expect(engine), Admission::Refused(Some(_))), "{engine}");
        assert!(matches!(admit(customer(), HASH).await.expect(engine), Admission::Refused(None)), "{engine}");
        store.refund_request(id, account.usage.period_start).await.expect(engine);
        let account = store.account(id, now).await.expect(engine).expect("an account");
        assert_eq!(account.usage.requests_used, u64::from(burst) - 1, "{engine}");
    }
}

/// A key whose id and hash are its name.
fn key(name: &str) -> ApiKeyInfo {
    let (id, hash, prefix) = (KeyId(name.to_owned()), name.to_owned(), "uac_test_".to_owned());
    ApiKeyInfo::unlimited(id, name, hash, prefix, Clock::system().now())
}

#[tokio::test]
async fn a_conflicting_change_of_keys_is_decided_again() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let now = Clock::system().now();
        let seen = store.account(id, now).await.expect(engine).expect("an account").keys;
        for (name, is_added) in [("key_a", true), ("key_b", true), ("key_c", true), ("key_d", true), ("key_e", false)] {
            let add = |keys: &ApiKeys| keys.with(key(name)).ok_or("full");
            let outcome = store.change_keys(id, seen.clone(), now, add).await.expect(engine);
            assert_eq!(outcome.is_ok(), is_added, "{engine}: {name}");
        }
        let remove = |keys: &ApiKeys| keys.without("key_default", now);
        let seen = store.account(id, now).await.expect(engine).expect("an account").keys;
        assert_eq!(store.change_keys(id, seen, now, remove).await.expect(engine).map(drop), Ok(()), "{engine}");
        for (hash, is_valid) in [("key_a", true), ("key_d", true), ("key_e", false), (HASH, false)] {
            let admission = store.admit(id, hash, now, Terms::COUNTED).await.expect(engine);
            assert_eq!(matches!(admission, Admission::Admitted(..)), is_valid, "{engine}: {hash}");
        }
        let keys = store.account(id, now).await.expect(engine).expect("an account").keys;
        let used = |key: &&ApiKeyInfo| key.last_used_at.is_some();
        assert_eq!((keys.all().len(), keys.all().iter().filter(used).count()), (4, 2), "{engine}");
    }
}

/// The key of an assistant whose id and mark are its name.
fn assistant(name: &str) -> ApiKeyInfo {
    ApiKeyInfo { is_limited: true, is_of_assistant: true, ..key(name) }
}

#[tokio::test]
async fn an_assistant_is_admitted_by_its_mark_until_it_is_stopped() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let now = Clock::system().now();
        let seen = store.account(id, now).await.expect(engine).expect("an account").keys;
        let add = |keys: &ApiKeys| keys.with(assistant("key_a")).ok_or("full");
        let keys = store.change_keys(id, seen, now, add).await.expect(engine).expect("room");
        let is_admitted = async |mark| {
            let admission = store.admit_assistant(id, mark, now, Terms::COUNTED).await.expect(engine);
            matches!(admission, Admission::Admitted(account, _) if account.keys.find(mark, now).is_some())
        };
        assert!(is_admitted("key_a").await, "{engine}");
        for wrong in ["key_b", HASH] {
            assert!(!is_admitted(wrong).await, "{engine}: {wrong}");
        }
        let as_api_key = store.admit(id, "key_a", now, Terms::COUNTED).await.expect(engine);
        assert!(matches!(as_api_key, Admission::Refused(Some(_))), "{engine}: no API key has a mark");
        let stop = |keys: &ApiKeys| Ok::<_, &str>(keys.stopped(&KeyId("key_a".to_owned()), Some(now)));
        let stopped = store.change_keys(id, keys.clone(), now, stop).await.expect(engine).expect("a stop");
        assert!(!is_admitted("key_a").await, "{engine}: stopped");
        let resume = |keys: &ApiKeys| Ok::<_, &str>(keys.stopped(&KeyId("key_a".to_owned()), None));
        store.change_keys(id, stopped, now, resume).await.expect(engine).expect("a resumption");
        assert!(is_admitted("key_a").await, "{engine}: resumed");
        let left = store.reset_keys(id, "another", "uac_test_", now).await.expect(engine);
        assert_eq!(left.map(|ended| ended.all().len()), Some(2), "{engine}");
        assert!(!is_admitted("key_a").await, "{engine}: the operator has replaced all keys");
    }
}

#[tokio::test]
async fn a_change_of_an_assistant_is_decided_again_if_other_keys_change() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let now = Clock::system().now();
        let seen = store.account(id, now).await.expect(engine).expect("an account").keys;
        let add = |name: &'static str| move |keys: &ApiKeys| keys.with(assistant(name)).ok_or("full");
        store.change_keys(id, seen.clone(), now, add("key_a")).await.expect(engine).expect("room");
        let keys = store.change_keys(id, seen.clone(), now, add("key_b")).await.expect(engine).expect("room");
        assert_eq!(keys.all().len(), 3, "{engine}: the second one has seen no assistant");
        store.reset_keys(id, "another", "uac_test_", now).await.expect(engine);
        let by_the_old_key = |keys: &ApiKeys| match keys.find(HASH, now) {
            Some(_) => keys.with(assistant("key_c")).ok_or("full"),
            None => Err("its key has ended"),
        };
        let outcome = store.change_keys(id, seen, now, by_the_old_key).await.expect(engine);
        assert_eq!(outcome.map(drop), Err("its key has ended"), "{engine}");
    }
}

#[tokio::test]
async fn a_hundred_assistants_are_beside_all_other_keys() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let now = Clock::system().now();
        let mut keys = store.account(id, now).await.expect(engine).expect("an account").keys;
        for number in 0..MAX_ASSISTANTS {
            let add = |keys: &ApiKeys| keys.with(assistant(&format!("key_{number}"))).ok_or("full");
            keys = store.change_keys(id, keys, now, add).await.expect(engine).expect("room");
        }
        let one_more = |key: ApiKeyInfo| move |keys: &ApiKeys| keys.with(key.clone()).ok_or("full");
        let refused = store.change_keys(id, keys.clone(), now, one_more(assistant("key_more"))).await.expect(engine);
        assert_eq!(refused.map(drop), Err("full"), "{engine}");
        let limited = ApiKeyInfo { is_limited: true, ..key("key_limited") };
        store.change_keys(id, keys, now, one_more(limited)).await.expect(engine).expect("room");
        let Admission::Admitted(account, _) = store.admit(id, HASH, now, Terms::COUNTED).await.expect(engine) else {
            panic!("{engine}")
        };
        assert_eq!(account.keys.all().len(), 2, "{engine}: an admission writes no key of an assistant");
        let assistants = store.assistant_keys(id).await.expect(engine);
        assert_eq!(account.keys.with_assistants_of(&assistants).all().len(), 2 + MAX_ASSISTANTS, "{engine}");
    }
}

#[tokio::test]
async fn concurrent_admissions_are_counted_exactly() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let now = Clock::system().now();
        let outcomes = join_all((0..32).map(|_| store.admit(id, HASH, now, Terms::COUNTED))).await;
        let admitted = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Admission::Admitted(..)))).count();
        let account = store.account(id, now).await.expect(engine).expect("an account");
        assert_eq!(account.usage.requests_used, admitted as u64, "{engine}");
        assert!((1..=Plan::Starter.limits().burst as usize).contains(&admitted), "{engine}: {admitted}");
    }
}

#[tokio::test]
async fn a_consent_is_stored_whole_or_not_at_all() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let now = Clock::system().now();
        let grant = grant();
        let later = now + SignedDuration::from_mins(30);
        let accounts = [ad_account()];
        let withdrawn = ConnectionId::generate();
        let outcome = store.connect(&consent(id, &grant, &[], &withdrawn, now), &accounts, false).await;
        assert_eq!(outcome.expect(engine), Stored::Withdrawn, "{engine}");
        assert!(store.customer_connections(id, now).await.expect(engine).grants.is_empty(), "{engine}");
        let pending = authorization(&store, id, later).await;
        let take = || store.take_authorization(&pending.state_hash, Platform::Alpha, now);
        let taken = take().await.expect(engine).map(|taken| taken.connection);
        assert_eq!(taken.as_ref(), Some(&pending.connection), "{engine}");
        assert_eq!(take().await.expect(engine), None, "{engine}: once");
        let new = [ad_account()];
        let connected = store.connect(&consent(id, &grant, &[], &pending.connection, now), &new, false).await;
        assert_eq!(connected.expect(engine), Stored::All, "{engine}");
        let connected = store.customer_connections(id, now).await.expect(engine);
        assert_eq!((connected.connections.len(), connected.grants.len()), (1, 1), "{engine}");
        assert_eq!(connected.connections[0].id, new[0].id, "{engine}");
        assert_eq!(connected.grants[0].connections, 1, "{engine}");
        assert!(store.delete_grant_if_unused(id, &grant.id).await.expect(engine).is_none(), "{engine}: used");
        let removed = || store.remove_connection(id, &connected.connections[0], connected.grants.first(), now);
        assert!(removed().await.expect(engine), "{engine}");
        assert!(!removed().await.expect(engine), "{engine}: once");
        assert!(store.delete_grant_if_unused(id, &grant.id).await.expect(engine).is_some(), "{engine}");
        assert!(store.delete_grant_if_unused(id, &grant.id).await.expect(engine).is_none(), "{engine}");
    }
}

#[tokio::test]
async fn a_second_consent_keeps_id_label_and_creation_time() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let now = Clock::system().now();
        let later = now + SignedDuration::from_mins(5);
        let first = NewConnection { label: Some("First".to_owned()), ..ad_account() };
        let mut second = NewConnection { label: Some("Second".to_owned()), ..ad_account() };
        second.account.name = "Renamed".to_owned();
        let mut stored: Vec<Connection> = Vec::new();
        for (new, at) in [(&first, now), (&second, later)] {
            let grant = grant();
            let pending = authorization(&store, id, later + SignedDuration::from_mins(30)).await;
            let before = store.customer_connections(id, at).await.expect(engine);
            let known = before.connections.iter().find(|known| known.grant_id.is_some()).cloned();
            let new = NewConnection { known, ..new.clone() };
            let consent = consent(id, &grant, &before.grants, &pending.connection, at);
            let connected = store.connect(&consent, std::slice::from_ref(&new), false).await;
            assert_eq!(connected.expect(engine), Stored::All, "{engine}");
            assert_eq!(store.account(id, at).await.expect(engine).expect("an account").connections, 1, "{engine}");
            let connection = store.customer_connections(id, at).await.expect(engine).connections.remove(0);
            assert_eq!(connection.grant_id.as_ref(), Some(&grant.id), "{engine}");
            let status = ConnectionStatus::Error;
            let is_set = store.set_connection_status(id, &connection, status, Some("closed"), at).await;
            assert!(is_set.expect(engine), "{engine}");
            stored.push(connection);
        }
        let expected = Connection {
            account: Some(second.account.clone()),
            grant_id: stored[1].grant_id.clone(),
            ..stored[0].clone()
        };
        assert_eq!(stored[1], expected, "{engine}");
        assert_eq!((&expected.id, expected.label.as_deref()), (&first.id, Some("First")), "{engine}");
        assert_eq!((expected.status, expected.reason), (ConnectionStatus::Active, None), "{engine}");
        assert_eq!(expected.created_at, now, "{engine}");
    }
}

#[tokio::test]
async fn one_of_many_acquires_the_refresh_lease_and_late_writes_fail() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let now = Clock::system().now();
        let grant = grant();
        let pending = authorization(&store, id, now + SignedDuration::from_mins(30)).await;
        let consent = consent(id, &grant, &[], &pending.connection, now);
        let connected = store.connect(&consent, &[ad_account()], false).await;
        assert_eq!(connected.expect(engine), Stored::All, "{engine}");
        let lease = |at: Timestamp| store.lease_grant(id, &grant, at, at + SignedDuration::from_mins(1));
        let leases = join_all((0..32).map(|_| lease(now))).await;
        let acquired: Vec<_> = leases
            .into_iter()
            .filter_map(|lease| match lease.expect(engine) {
                LeaseAttempt::Acquired(lease) => Some(lease),
                LeaseAttempt::Held => None,
                other => panic!("{engine}: {other:?}"),
            })
            .collect();
        let [first] = acquired.as_slice() else { panic!("{engine}: {acquired:?}") };
        let LeaseAttempt::Acquired(second) = lease(now + SignedDuration::from_mins(2)).await.expect(engine) else {
            panic!("{engine}: a lease that has run out is nobody's")
        };
        let fresh = Grant { access_token: "fresh".to_owned(), ..grant.clone() };
        assert!(!store.store_refreshed(id, &fresh, *first).await.expect(engine), "{engine}");
        assert!(store.store_refreshed(id, &fresh, second).await.expect(engine), "{engine}");
        let LeaseAttempt::AlreadyRefreshed(current) = lease(now + SignedDuration::from_mins(4)).await.expect(engine)
        else {
            panic!("{engine}: others see the new tokens")
        };
        assert_eq!((current.access_token.as_str(), current.version), ("fresh", 1), "{engine}");
    }
}

#[tokio::test]
async fn redirect_uris_are_unique_and_bounded() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let created_at = Clock::system().now();
        let uri = |number: usize| RedirectUri::parse(&format!("https://example.com/{number}")).expect("a URI");
        let register = |number| {
            let store = &store;
            let registered = RegisteredUri { uri: uri(number), created_at };
            async move { store.register_redirect_uri(id, &registered).await }
        };
        // The store may reject some concurrent requests as retryable.
        join_all((0..16).map(register)).await;
        for number in 0..16 {
            register(number).await.expect(engine);
        }
        let most = usize::try_from(MAX_REDIRECT_URIS).expect("a number");
        let listed = store.redirect_uris(id).await.expect(engine);
        assert_eq!(listed.len(), most, "{engine}");
        let again = store.register_redirect_uri(id, &listed[0]).await.expect(engine);
        assert_eq!(
            (again, register(99).await.expect(engine)),
            (Registration::Duplicate, Registration::LimitReached),
            "{engine}"
        );
        assert!(store.remove_redirect_uri(id, &listed[0].uri.id()).await.expect(engine), "{engine}");
        assert!(!store.remove_redirect_uri(id, &listed[0].uri.id()).await.expect(engine), "{engine}");
        assert_eq!(register(99).await.expect(engine), Registration::Registered, "{engine}");
    }
}

fn endpoint_id() -> EndpointId {
    KeySeed::random().expect("random bytes").endpoint_id()
}

fn webhook_endpoint() -> WebhookEndpoint {
    WebhookEndpoint {
        id: endpoint_id(),
        url: EndpointUrl::of_checked("https://example.com/".to_owned()),
        types: EventTypes::All,
        shape: PayloadShape::Flat,
        description: None,
        status: EndpointStatus::Enabled,
        disabled_reason: None,
        missed_since: None,
        created_at: Timestamp::from_second(Clock::system().now().as_second()).expect("a time"),
        secrets: EndpointSecrets { current: SealedSecret("first".to_owned()), previous: None },
    }
}

#[tokio::test]
async fn a_customer_has_at_most_five_webhook_endpoints() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let create = || async { store.create_webhook_endpoint(id, &webhook_endpoint()).await };
        // The store may reject some concurrent requests as retryable.
        let created = join_all((0..9).map(|_| create())).await;
        let made = created.iter().filter(|created| matches!(created, Ok(true))).count();
        let listed = store.webhook_endpoints(id).await.expect(engine);
        assert!(listed.len() == made && made <= 5, "{engine}: {made}");
        for _ in made..5 {
            assert!(create().await.expect(engine), "{engine}");
        }
        assert!(!create().await.expect(engine), "{engine}");
        let listed = store.webhook_endpoints(id).await.expect(engine);
        assert!(store.delete_webhook_endpoint(id, &listed[0].id).await.expect(engine), "{engine}");
        assert!(!store.delete_webhook_endpoint(id, &listed[0].id).await.expect(engine), "{engine}");
        assert!(create().await.expect(engine), "{engine}");
        assert!(!create().await.expect(engine), "{engine}");
    }
}

/// The SDK may send a write again that took effect.
#[tokio::test]
async fn a_repeated_rotation_keeps_the_old_secret() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let endpoint = webhook_endpoint();
        assert!(store.create_webhook_endpoint(id, &endpoint).await.expect(engine), "{engine}");
        assert_eq!(store.webhook_endpoint(id, &endpoint.id).await.expect(engine), Some(endpoint.clone()), "{engine}");
        let now = endpoint.created_at;
        let secret = SealedSecret("second".to_owned());
        let version = Some(endpoint.secret_version());
        let rotate = || store.rotate_webhook_secret(id, &endpoint.id, &secret, version, now);
        let rotated = rotate().await.expect(engine).expect("an endpoint");
        let previous = PreviousSecret { secret: endpoint.secrets.current.clone(), until: now + SECRET_OVERLAP };
        let secrets = EndpointSecrets { current: secret.clone(), previous: Some(previous) };
        assert_eq!(rotated.secrets, secrets, "{engine}");
        assert_eq!(rotate().await.expect(engine), Some(rotated.clone()), "{engine}");
        let other = SealedSecret("third".to_owned());
        let late = store.rotate_webhook_secret(id, &endpoint.id, &other, version, now).await;
        assert_eq!(late.expect(engine), Some(rotated.clone()), "{engine}: the version is another one");

        let sealed_anew = EndpointSecrets { current: SealedSecret("anew".to_owned()), ..secrets };
        assert!(!store.reseal_webhook_secrets(id, &endpoint, &sealed_anew).await.expect(engine), "{engine}");
        assert!(store.reseal_webhook_secrets(id, &rotated, &sealed_anew).await.expect(engine), "{engine}");
        assert!(!store.reseal_webhook_secrets(id, &rotated, &sealed_anew).await.expect(engine), "{engine}");
        let stored = store.webhook_endpoint(id, &endpoint.id).await.expect(engine).expect("an endpoint");
        assert_eq!(stored.secrets, sealed_anew, "{engine}");

        let none = endpoint_id();
        assert_eq!(store.rotate_webhook_secret(id, &none, &secret, None, now).await.expect(engine), None, "{engine}");
        let changes = EndpointChanges { status: Some(EndpointStatus::Disabled), ..EndpointChanges::default() };
        assert_eq!(store.update_webhook_endpoint(id, &none, &changes).await.expect(engine), None, "{engine}");
        assert_eq!(store.webhook_endpoints(id).await.expect(engine).len(), 1, "{engine}: nothing was made");
    }
}

#[tokio::test]
async fn of_concurrent_requests_with_one_idempotency_key_one_acquires_it() {
    for (engine, store) in Engines::start().await.stores {
        let customer = customer();
        let now = Clock::system().now();
        let lease_until = now + SignedDuration::from_mins(1);
        let claim = |request| {
            let claimed_by = None;
            IdempotencyClaim { customer, key: "k", fingerprint: "f", claimed_by, request, now, lease_until }
        };
        let claims: Vec<_> = (0..32).map(|_| claim(Uuid::new_v4())).collect();
        let claimed = join_all(claims.iter().map(|claim| store.claim_idempotency_key(claim))).await;
        // A transaction that conflicted for too long fails as retryable, and wrote nothing.
        let winners: Vec<_> = claims.iter().zip(claimed).filter(|(_, won)| matches!(won, Ok(true))).collect();
        assert_eq!(winners.len(), 1, "{engine}");
        let known = store.idempotency_record(customer, "k", now).await.expect(engine).expect("a key");
        assert_eq!((known.request, known.fencing_token), (winners[0].0.request, 1), "{engine}");
        let next = claim(Uuid::new_v4());
        assert!(store.take_over_idempotency_key(&next, &known).await.expect(engine), "{engine}");
        assert!(!store.take_over_idempotency_key(&claim(Uuid::new_v4()), &known).await.expect(engine), "{engine}");
    }
}

#[tokio::test]
async fn the_due_index_returns_the_oldest_first() {
    for (engine, store) in Engines::start().await.stores {
        let id = account(&store).await;
        let now = Clock::system().now();
        let mut pending = Vec::new();
        for minutes in [-1, -3, -2, 5] {
            let until = now + SignedDuration::from_mins(minutes);
            pending.push((id, authorization(&store, id, until).await.connection));
        }
        let [newest, oldest, middle, _] = pending.as_slice() else { panic!("four") };
        let due = async |limit| {
            let due: Vec<_> = store.expired_pending(now).take(limit).collect().await;
            due.into_iter().map(|due| due.expect(engine)).collect::<Vec<_>>()
        };
        assert_eq!(due(9).await, [oldest.clone(), middle.clone(), newest.clone()], "{engine}");
        assert_eq!(due(2).await, [oldest.clone(), middle.clone()], "{engine}");
        store.delete_pending(id, &oldest.1).await.expect(engine);
        assert_eq!(due(9).await, [middle.clone(), newest.clone()], "{engine}");
    }
}

#[tokio::test]
async fn the_usage_log_is_paged_newest_first() {
    for (engine, store) in Engines::start().await.stores {
        let id = customer();
        let now = Timestamp::from_millisecond(Clock::system().now().as_millisecond()).expect("a time");
        let entry = |age: i64| UsageEntry {
            key: None,
            request_id: Uuid::new_v4(),
            at: now - SignedDuration::from_secs(age),
            method: if age % 2 == 0 { "GET" } else { "POST" }.to_owned(),
            path: "/v1/campaigns".to_owned(),
            status: 200,
            response_time_ms: 1,
            platform: None,
            platform_time_ms: None,
            tool: None,
            reference: None,
            key_digest: None,
            external_ref: None,
            connection: None,
        };
        let entries: Vec<_> = (1..=7).map(entry).collect();
        for entry in &entries {
            store.put_usage(id, entry).await.expect(engine);
        }
        let mut read = Vec::new();
        let mut after = None;
        loop {
            let page = store.usage(id, &UsageFilters::default(), after.as_ref(), 3, now).await.expect(engine);
            assert!(page.entries.len() <= 3, "{engine}");
            read.extend(page.entries);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(read, entries, "{engine}");
        let filters = UsageFilters { method: Some("GET".to_owned()), ..UsageFilters::default() };
        let page = store.usage(id, &filters, None, 4, now).await.expect(engine);
        assert_eq!(page.entries, [entries[1].clone(), entries[3].clone()], "{engine}: the limit is before the filter");
        assert!(page.next.is_some(), "{engine}");
    }
}

#[tokio::test]
async fn a_batch_read_returns_every_record() {
    for (engine, store) in Engines::start().await.stores {
        let id = customer();
        let updated_at = Clock::system().now();
        let ids: Vec<_> =
            (0..60).map(|n| CampaignId::parse(&format!("alpha_1002003001_{n}")).expect("an id")).collect();
        let record = CampaignRecord { updated_at, ..CampaignRecord::default() };
        for campaign in ids.iter().take(50) {
            store.put_record(id, campaign, &record).await.expect(engine);
        }
        let found = store.records(id, &ids.iter().collect::<Vec<_>>()).await.expect(engine);
        assert_eq!(found.len(), 50, "{engine}");
        assert!(found.values().all(|found| *found == record), "{engine}");
    }
}
