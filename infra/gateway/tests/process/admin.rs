//! `gateway admin`, on a data folder and on a table by its name.

use crate::gateway_process::{GatewayProcess, gateway};
use crate::process::{create_customer, run, run_admin, run_error, text};
use gateway::{Options, SandboxChoice, Storage};
use serde_json::Value;
use shared::domain::PersonId;
use std::path::Path;
use std::process::Command;

#[test]
fn admin_works_with_and_without_a_gateway() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("new");
    let id = create_customer(&data, "first@example.com");
    let process = GatewayProcess::on(&data);
    let rotated = run_admin(&data, &["rotate-key", "--customer", &id]);
    assert!(rotated.contains("uac_test_") && !rotated.contains("demo"), "{rotated}");
    run_admin(&data, &["set-plan", "--customer", &id, "--plan", "enterprise"]);
    run_admin(&data, &["disable-customer", "--customer", &id]);
    let list = run_admin(&data, &["list-customers"]);
    let line = list.lines().find(|line| line.contains(&id)).unwrap();
    assert!(line.contains("enterprise") && line.contains("disabled") && line.ends_with("first@example.com"), "{line}");
    let demo = process.field("customer_id").to_owned();
    let rotated = run_admin(&data, &["rotate-key", "--customer", &demo]);
    drop(process);
    let restarted = GatewayProcess::on(&data);
    assert!(rotated.contains(restarted.field("api_key")), "a restart prints the demo customer's rotated key");
}

#[test]
fn a_customer_who_leaves_is_exported_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let id = create_customer(folder.path(), "leaving@example.com");
    let other = create_customer(folder.path(), "staying@example.com");
    let exported = run_admin(folder.path(), &["export-customer", "--customer", &id]);
    assert!(exported.contains("leaving@example.com") && exported.contains(&id), "{exported}");
    assert!(!exported.contains("key_hash") && !exported.contains(&other), "{exported}");
    let delete = ["admin", "--data", data, "delete-customer", "--customer", &id, "--email"];
    let active = run_error(&[&delete[..], &["leaving@example.com"]].concat());
    assert!(active.contains("disable-customer") && active.contains("nothing was deleted"), "{active}");
    run_admin(folder.path(), &["disable-customer", "--customer", &id]);
    let mistaken = run_error(&[&delete[..], &["staying@example.com"]].concat());
    assert!(mistaken.contains("another email address"), "{mistaken}");
    let deleted = run_admin(folder.path(), &["delete-customer", "--customer", &id, "--email", "leaving@example.com"]);
    // Its account, and the event of its first key.
    assert!(deleted.starts_with(&format!("Deleted {id} with 2 records")), "{deleted}");
    let list = run_admin(folder.path(), &["list-customers"]);
    assert!(!list.contains(&id) && list.contains(&other), "{list}");
    let gone = run_error(&["admin", "--data", data, "export-customer", "--customer", &id]);
    assert!(gone.contains(&id), "{gone}");
}

#[test]
fn a_person_gets_one_new_customer() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let create =
        ["create-customer", "--email", "ada@example.com", "--owner", "ada|1", "--issuer", "https://id.example"];
    let created = run_admin(folder.path(), &create);
    assert!(created.contains("owner     ada|1 at https://id.example\n") && created.contains("uac_test_"), "{created}");
    let id = created.lines().find_map(|line| line.strip_prefix("customer  ")).unwrap();
    let error = run_error(&[&["admin", "--data", data], &create[..]].concat());
    assert!(error.contains(id) && error.contains("nothing was created"), "{error}");
    assert_eq!(run_admin(folder.path(), &["list-customers"]).lines().count(), 1);
    let other = [&create[..6], &["https://id.example/"]].concat();
    assert!(
        run_admin(folder.path(), &other).contains("uac_test_"),
        "the same subject of another issuer is another person"
    );
}

#[test]
fn admin_errors_name_the_wrong_argument() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let unknown = "00000000-0000-4000-8000-000000000000";
    let error = run_error(&["admin", "--data", data, "set-plan", "--customer", unknown, "--plan", "pro"]);
    assert!(error.contains(unknown), "{error}");
    let error = run_error(&["admin", "--data", &format!("{data}/nowhere"), "list-customers"]);
    assert!(error.contains("nowhere"), "{error}");
    let output = run(&["admin", "--data", data, "create-customer", "--email", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("not an email address"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn admin_creates_live_keys_for_a_table_by_its_name() {
    let sandbox = SandboxChoice::Start { port: 0 };
    let running = gateway::start(Options { port: 0, sandbox, storage: Storage::Memory }).await.unwrap();
    let ports = running.open_ports().unwrap();
    let create = ["admin", "--table", "unified-ads", "create-customer", "--email", "live@example.com"];
    let mut command = gateway(&create);
    command.env("AWS_REGION", "us-east-1").env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    let output = command.env("DYNAMODB_ENDPOINT", ports.store_url().unwrap()).output().unwrap();
    assert!(output.status.success() && text(&output.stdout).contains("uac_live_"), "{}", text(&output.stderr));
    let owner = ["--owner", "ada", "--issuer", "https://id.example"];
    let mut command = gateway(&[&create[..], &owner[..]].concat());
    command.env("AWS_REGION", "us-east-1").env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    let output = command.env("DYNAMODB_ENDPOINT", ports.store_url().unwrap()).output().unwrap();
    let owned = running.app.store.customer_of(&PersonId::of("https://id.example", "ada")).await.unwrap();
    let id = owned.expect("the person has a customer").to_string();
    assert!(text(&output.stdout).contains(&id), "{}", text(&output.stderr));
    running.stop().await;
}

/// A command with the files of the AWS CLI in a folder, and without any other credentials.
fn gateway_with_files(arguments: &[&str], folder: &Path) -> Command {
    let mut command = gateway(arguments);
    for name in ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] {
        command.env_remove(name);
    }
    command
        .env("AWS_CONFIG_FILE", folder.join("config"))
        .env("AWS_SHARED_CREDENTIALS_FILE", folder.join("credentials"));
    command.env("AWS_EC2_METADATA_DISABLED", "true");
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn admin_takes_region_and_credentials_from_a_profile() {
    let sandbox = SandboxChoice::Start { port: 0 };
    let running = gateway::start(Options { port: 0, sandbox, storage: Storage::Memory }).await.unwrap();
    let ports = running.open_ports().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let keys = "aws_access_key_id = a\naws_secret_access_key = b\n";
    std::fs::write(folder.path().join("config"), "[profile live]\nregion = eu-west-1\n[profile poor]\n").unwrap();
    std::fs::write(folder.path().join("credentials"), format!("[live]\n{keys}[poor]\n{keys}")).unwrap();
    let list = ["admin", "--table", "unified-ads", "list-customers", "--json"];
    let with_profile = |profile: &str| {
        let mut command = gateway_with_files(&[&list[..], &["--profile", profile]].concat(), folder.path());
        command.env("DYNAMODB_ENDPOINT", ports.store_url().unwrap()).output().unwrap()
    };
    let listed = with_profile("live");
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let demo = listed.as_array().unwrap().first().unwrap();
    assert_eq!((&demo["id"], &demo["disabled"]), (&running.customer_id.as_str().into(), &false.into()), "{demo}");
    for (profile, expected) in [("poor", "no region"), ("unknown", "no region")] {
        let output = with_profile(profile);
        let error = text(&output.stderr);
        assert!(output.status.code() == Some(1) && error.contains(expected), "{profile}: {error}");
    }
    let no_table = run_error(&["admin", "--profile", "live", "list-customers"]);
    assert!(no_table.contains("--table"), "{no_table}");
    let output = gateway_with_files(&list, folder.path()).env("AWS_REGION", "eu-west-1").output().unwrap();
    let error = text(&output.stderr);
    assert!(output.status.code() == Some(1) && error.contains("no AWS credentials"), "{error}");
    running.stop().await;
}

#[test]
fn every_list_is_json_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let id = create_customer(folder.path(), "first@example.com");
    let list = |arguments: &[&str]| -> Vec<Value> {
        serde_json::from_str(&run_admin(folder.path(), &[arguments, &["--json"]].concat())).unwrap()
    };
    let customers = list(&["list-customers"]);
    assert_eq!((customers.len(), &customers[0]["plan"]), (1, &"pro".into()), "{customers:?}");
    assert_eq!(list(&["list-people", "--customer", &id]), Vec::<Value>::new());
    assert_eq!(list(&["list-invitations", "--customer", &id]), Vec::<Value>::new());
    run_admin(folder.path(), &["invite", "--customer", &id, "--url", "https://api.example.com"]);
    let invitations = list(&["list-invitations", "--customer", &id]);
    assert!(invitations[0]["ends_at"].is_string() && invitations[0]["by"].is_null(), "{invitations:?}");
    let withdraw = ["withdraw-invitation", "--customer", &id, "--invitation", invitations[0]["id"].as_str().unwrap()];
    run_admin(folder.path(), &withdraw);
}

#[test]
fn check_tells_what_a_function_needs_to_start() {
    let folder = tempfile::tempdir().unwrap();
    create_customer(folder.path(), "first@example.com");
    let checked = run_admin(folder.path(), &["check"]);
    for part in ["table", "token-keys", "platform-clients", "payment-provider", "identity-provider"] {
        assert!(checked.lines().any(|line| line.starts_with(part) && line.contains(" ok, ")), "{part}: {checked}");
    }
    let checked: Value = serde_json::from_str(&run_admin(folder.path(), &["check", "--json"])).unwrap();
    assert!(checked["parts"].as_array().unwrap().iter().all(|part| part["ok"] == true), "{checked}");
    let mut command = gateway(&["admin", "--table", "unified-ads", "check"]);
    command.env("AWS_REGION", "us-east-1").env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    command.env("SECRETS_PREFIX", "p/").env("SECRETS_MANAGER_ENDPOINT", "http://127.0.0.1:9");
    let output = command.env("DYNAMODB_ENDPOINT", "http://127.0.0.1:9").output().unwrap();
    let error = text(&output.stderr);
    assert!(
        output.status.code() == Some(1) && error.contains("FAILED") && error.contains("secret p/token-keys"),
        "{error}"
    );
}

#[test]
fn reseal_uses_the_keys_of_the_folder_or_of_the_deployment() {
    let folder = tempfile::tempdir().unwrap();
    let no_grants =
        "Re-encrypted 0 of 0 grants and 0 of 0 webhook endpoints; the active key now encrypts all of them.\n";
    assert_eq!(run_admin(folder.path(), &["reseal"]), no_grants);
    let _process = GatewayProcess::on(folder.path());
    assert_eq!(run_admin(folder.path(), &["reseal"]), no_grants);
    let mut command = gateway(&["admin", "--table", "unified-ads", "reseal"]);
    command.env("AWS_REGION", "us-east-1").env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    command.env("SECRETS_PREFIX", "missing/").env("SECRETS_MANAGER_ENDPOINT", "http://127.0.0.1:9");
    let output = command.output().unwrap();
    let error = text(&output.stderr);
    assert!(output.status.code() == Some(1) && error.contains("secret missing/"), "{error}");
}
