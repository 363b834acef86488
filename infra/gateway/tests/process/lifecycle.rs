//! Start, stop, restart and kill.

use crate::gateway_process::GatewayProcess;
use crate::process::{create_customer, run_admin};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn json_prints_one_line_and_a_signal_stops_the_gateway_cleanly() {
    for signal in ["-TERM", "-INT"] {
        let mut process = GatewayProcess::start(&["--sandbox-port", "0", "--memory"]);
        let ready = process.ready.as_object().unwrap().clone();
        let names: Vec<_> = ready.keys().map(String::as_str).collect();
        assert_eq!(names, ["api_key", "customer_id", "dashboard", "gateway", "sandbox", "webhook_secret"]);
        assert_eq!(process.field("dashboard"), format!("{}/dashboard", process.field("gateway")));
        assert!(process.field("gateway").starts_with("http://127.0.0.1:"));
        assert!(process.field("sandbox").starts_with("http://127.0.0.1:"));
        assert!(process.field("api_key").starts_with("uac_test_"));
        assert!(process.field("webhook_secret").starts_with("whsec_"));
        assert_eq!(process.signal(signal).code(), Some(0), "{signal}");
        assert_eq!(process.remaining_output(), "");
    }
}

#[test]
fn a_restart_keeps_the_demo_customer_and_all_others() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut first = GatewayProcess::on(&data);
    let customer = create_customer(&data, "kept@example.com");
    assert_eq!(first.signal("-TERM").code(), Some(0));
    assert!(!data.join("engine.json").exists() && !data.join("engine.sock").exists());
    let second = GatewayProcess::on(&data);
    for name in ["api_key", "customer_id", "webhook_secret"] {
        assert_eq!(second.field(name), first.field(name), "{name}");
    }
    let list = run_admin(&data, &["list-customers"]);
    assert!(list.contains(&customer) && list.contains(second.field("customer_id")), "{list}");
    assert_eq!(list.lines().count(), 2, "{list}");
}

#[test]
fn every_request_answered_before_a_stop_is_in_the_usage_log() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = GatewayProcess::on(folder.path());
    let send = &|n| {
        let (head, _) = process.send("GET", if n % 4 == 0 { "/v1/connections" } else { "/v1/nothing" }, "");
        head.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().to_owned()
    };
    // Concurrent requests leave many entries unwritten when the last response arrives.
    let ids: BTreeSet<String> = std::thread::scope(|scope| {
        let senders: Vec<_> = (0..80).map(|n| scope.spawn(move || send(n))).collect();
        senders.into_iter().map(|sender| sender.join().unwrap()).collect()
    });
    assert_eq!((process.signal("-TERM").code(), ids.len()), (Some(0), 80));
    let (_, log) = GatewayProcess::on(folder.path()).send("GET", "/v1/usage-logs?limit=100", "");
    let log: Value = serde_json::from_str(&log).unwrap();
    let entries = log["usage_logs"].as_array().unwrap().iter();
    let logged: BTreeSet<_> = entries.map(|entry| entry["request_id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(logged, ids);
}

#[test]
fn acknowledged_writes_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = GatewayProcess::on(folder.path());
    let customers: Vec<_> = (0..5).map(|n| create_customer(folder.path(), &format!("c{n}@example.com"))).collect();
    assert!(!process.signal("-KILL").success());
    // First without a gateway, then with a new one, which finds the engine.json and the socket of the killed one.
    let without_gateway = run_admin(folder.path(), &["list-customers"]);
    let restarted = GatewayProcess::on(folder.path());
    let with_gateway = run_admin(folder.path(), &["list-customers"]);
    for list in [without_gateway, with_gateway] {
        assert!(customers.iter().all(|id| list.contains(id)), "{list}");
    }
    assert_eq!(restarted.field("api_key"), process.field("api_key"));
}
