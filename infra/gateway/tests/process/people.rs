//! `gateway admin` for the people, sessions and invitations of a customer, and what `rotate-key` ends.

use crate::gateway_process::gateway;
use crate::process::{create_customer, run, run_admin, run_error, text};
use gateway::{Options, Running, SandboxChoice, Storage};
use jiff::SignedDuration;
use shared::auth::{ApiKey, Mode};
use shared::domain::{ApiKeyInfo, ApiKeys, ConnectionId, CustomerId, KeyId, Person, PersonId, Platform, Role, Session};
use shared::store::Authorization;

async fn start(storage: Storage) -> Running {
    gateway::start(Options { port: 0, sandbox: SandboxChoice::Start { port: 0 }, storage }).await.unwrap()
}

/// Gives a person with a session to a customer.
async fn join(running: &Running, customer: CustomerId, name: &str) -> (PersonId, Session) {
    let store = &running.app.store;
    let now = running.app.clock.now();
    let id = PersonId::of("https://id.example", name);
    let email = Some(format!("{name}@example.com"));
    store.link_person(&Person::new(id.clone(), email, Role::Owner, now), customer).await.unwrap();
    let session = Session::new(format!("hash-{name}"), id.clone(), None, None, "Browser", now);
    assert!(store.begin_session(customer, &session).await.unwrap());
    (id, session)
}

fn customer_of(running: &Running) -> CustomerId {
    CustomerId(running.customer_id.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_listed_signed_out_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let running = start(Storage::Folder(folder.path().to_owned())).await;
    let customer = CustomerId(create_customer(folder.path(), "owner@example.com").parse().unwrap());
    let id = customer.to_string();
    let admin =
        |command: &str, more: &[&str]| run_admin(folder.path(), &[&[command, "--customer", &id], more].concat());
    assert!(admin("list-people", &[]).contains("No people"));
    let (ada, ada_session) = join(&running, customer, "ada").await;
    let (eve, _) = join(&running, customer, "eve").await;
    let listed = admin("list-people", &[]);
    let line = listed.lines().find(|line| line.contains(&eve.0)).unwrap();
    assert!(listed.lines().count() == 2 && line.contains("1 session") && line.ends_with("eve@example.com"), "{listed}");

    let removed = admin("remove-person", &["--person", &eve.0]);
    assert!(removed.contains("eve@example.com") && removed.contains("ended 1 session"), "{removed}");
    assert!(removed.contains("rotate-key") && !removed.contains("last person"), "{removed}");
    let store = &running.app.store;
    let now = running.app.clock.now();
    let left = store.sessions(customer, None, now).await.unwrap();
    assert!(left.len() == 1 && left[0].hash == ada_session.hash, "{left:?}");
    assert_eq!(store.customer_of(&eve).await.unwrap(), None);
    let ended = admin("end-sessions", &["--person", &ada.0]);
    assert!(ended.contains("Ended 1 session ") && ended.contains("Browser"), "{ended}");
    assert!(admin("end-sessions", &[]).contains("Ended 0 sessions"));
    assert!(admin("remove-person", &["--person", &ada.0]).contains("last person"));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invitations_are_listed_and_withdrawn() {
    let folder = tempfile::tempdir().unwrap();
    let id = create_customer(folder.path(), "owner@example.com");
    let admin =
        |command: &str, more: &[&str]| run_admin(folder.path(), &[&[command, "--customer", &id], more].concat());
    assert!(admin("list-invitations", &[]).contains("No open invitations"));
    let invited = admin("invite", &["--url", "https://ads.example.com"]);
    let listed = admin("list-invitations", &[]);
    let hash = listed.split_whitespace().next().unwrap();
    assert!(invited.contains(hash) && listed.lines().count() == 1, "{invited}{listed}");
    assert!(admin("withdraw-invitation", &["--invitation", hash]).contains("Withdrew"));
    assert!(admin("list-invitations", &[]).contains("No open invitations"));
    let data = folder.path().to_str().unwrap();
    let again = ["admin", "--data", data, "withdraw-invitation", "--customer", &id, "--invitation", hash];
    assert!(run_error(&again).contains("list-invitations"));
}

#[test]
fn unknown_people_customers_and_ids_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let id = create_customer(folder.path(), "owner@example.com");
    let data = folder.path().to_str().unwrap();
    let unknown = "00000000-0000-4000-8000-000000000000";
    let nobody = "0".repeat(64);
    let person = ["--person", &nobody];
    for command in ["list-people", "list-invitations", "end-sessions", "enable-customer", "rotate-key"] {
        let error = run_error(&["admin", "--data", data, command, "--customer", unknown]);
        assert!(error.contains(unknown), "{command}: {error}");
    }
    let remove = ["admin", "--data", data, "remove-person", "--customer", &id];
    let error = run_error(&[&remove[..], &person].concat());
    assert!(error.contains(&nobody) && error.contains("list-people"), "{error}");
    let output = run(&[&remove[..], &["--person", "ada@example.com"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("expected 64 digits"), "{}", text(&output.stderr));
}

#[test]
fn a_disabled_customer_is_enabled_again() {
    let folder = tempfile::tempdir().unwrap();
    let id = create_customer(folder.path(), "owner@example.com");
    let admin = |command: &str| run_admin(folder.path(), &[command, "--customer", &id]);
    assert!(admin("disable-customer").contains("enable-customer"));
    assert!(run_admin(folder.path(), &["list-customers"]).contains("disabled"));
    assert!(admin("enable-customer").contains("Enabled"));
    assert!(!run_admin(folder.path(), &["list-customers"]).contains("disabled"));
}

/// Leaves behind what a stolen key and a stolen session can make. The demo customer has a person already.
async fn steal(running: &Running) {
    let store = &running.app.store;
    let now = running.app.clock.now();
    let customer = customer_of(running);
    join(running, customer, "ada").await;
    let seen = store.account(customer, now).await.unwrap().unwrap().keys;
    let hash = ApiKey::generate(customer, Mode::Test).unwrap().hash();
    let thief = ApiKeyInfo::unlimited(KeyId("key_thief".to_owned()), "thief", hash, "uac_test_".to_owned(), now);
    let add = |keys: &ApiKeys| keys.with(thief.clone()).ok_or(());
    store.change_keys(customer, seen, now, add).await.unwrap().unwrap();
    let authorization = Authorization {
        state_hash: "state".to_owned(),
        customer,
        platform: Platform::Alpha,
        connection: ConnectionId::generate(),
        verifier: String::new(),
        redirect_uri: String::new(),
        return_to: None,
        external_ref: None,
        expires_at: now + SignedDuration::from_mins(10),
    };
    let in_progress = store.authorizations_in_progress(customer, now).await.unwrap();
    assert!(store.begin_authorization(&authorization, &in_progress, now, authorization.expires_at).await.unwrap());
}

/// Asserts that nothing of it works any more, and that the output says what ended.
async fn assert_ended(running: &Running, output: &str) {
    let store = &running.app.store;
    let now = running.app.clock.now();
    let customer = customer_of(running);
    for part in ["2 API keys", "thief", "1 session", "1 unfinished authorization", "2 people", "remove-person"] {
        assert!(output.contains(part), "{part}: {output}");
    }
    assert!(store.sessions(customer, None, now).await.unwrap().is_empty());
    assert!(store.customer_connections(customer, now).await.unwrap().connections.is_empty());
    let keys = store.account(customer, now).await.unwrap().unwrap().keys;
    assert!(keys.all().len() == 1 && output.contains("uac_"), "{keys:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rotation_ends_what_a_stolen_key_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let running = start(Storage::Folder(folder.path().to_owned())).await;
    steal(&running).await;
    let id = running.customer_id.clone();
    let output = run_admin(folder.path(), &["rotate-key", "--customer", &id]);
    assert_ended(&running, &output).await;
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_commands_work_on_a_table_by_its_name() {
    let running = start(Storage::Memory).await;
    steal(&running).await;
    let ports = running.open_ports().unwrap();
    let admin = |command: &[&str]| {
        let id = running.customer_id.as_str();
        let mut process = gateway(&[&["admin", "--table", "unified-ads"], command, &["--customer", id]].concat());
        process.env("AWS_REGION", "us-east-1").env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
        let output = process.env("DYNAMODB_ENDPOINT", ports.store_url().unwrap()).output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let people = admin(&["list-people"]);
    assert!(people.contains("ada@example.com"), "{people}");
    assert_ended(&running, &admin(&["rotate-key"])).await;
    admin(&["invite", "--url", "https://ads.example.com"]);
    let listed = admin(&["list-invitations"]);
    admin(&["withdraw-invitation", "--invitation", listed.split_whitespace().next().unwrap()]);
    let ada = people.lines().find(|line| line.contains("ada@")).unwrap().split_whitespace().next().unwrap();
    assert!(admin(&["end-sessions"]).contains("0 sessions"));
    assert!(admin(&["remove-person", "--person", ada]).contains("Removed"));
    admin(&["disable-customer"]);
    assert!(admin(&["enable-customer"]).contains("Enabled"));
    running.stop().await;
}
