//! The gateway embedded in another program, as the integration tests use it: many in one process, all independent.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use gateway::{Options, Running, SandboxChoice, Storage, create_customer, start};
use shared::app::App;
use shared::auth::{Mode, PresentedKey, authenticate};
use shared::clock::Clock;
use shared::domain::Plan;
use shared::store::Terms;
use std::io::{Read, Write};
use std::net::TcpStream;

async fn in_memory() -> Running {
    let sandbox = SandboxChoice::Start { port: 0 };
    start(Options { port: 0, sandbox, storage: Storage::Memory }).await.unwrap()
}

/// Sends a request and returns the whole response, head included.
async fn send(running: &Running, head: &str, body: Vec<u8>) -> String {
    let mut stream = TcpStream::connect(running.address).unwrap();
    let head = format!(
        "{head} HTTP/1.1\r\nHost: {}\r\nX-API-Key: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        running.address,
        running.api_key,
        body.len()
    );
    let exchange = move || {
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&body).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    };
    tokio::task::spawn_blocking(exchange).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_gateways_run_side_by_side_and_share_nothing() {
    let tasks: Vec<_> = (0..8).map(|_| tokio::spawn(in_memory())).collect();
    let mut gateways = Vec::new();
    for task in tasks {
        gateways.push(task.await.unwrap());
    }
    for running in &gateways {
        assert!(send(running, "GET /v1/connections", Vec::new()).await.starts_with("HTTP/1.1 200 "));
        assert_eq!(running.app.store.all_accounts(Clock::system().now()).await.unwrap().len(), 1);
    }
    for running in gateways {
        let address = running.address;
        running.stop().await;
        assert!(TcpStream::connect(address).is_err());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_customer_and_a_second_app_work_on_the_same_table() {
    let running = in_memory().await;
    let (id, key) = create_customer(&running.app, "second@example.com", Plan::Starter, Mode::Test).await.unwrap();
    let other = App::start(running.config.clone()).await.unwrap();
    let entry =
        authenticate(&other.store, &PresentedKey::from(&key), Clock::system().now(), Terms::COUNTED).await.unwrap();
    let customer = entry.account.customer;
    assert_eq!((customer.id, customer.plan, customer.email.as_str()), (id, Plan::Starter, "second@example.com"));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_sandbox_is_used() {
    let first = in_memory().await;
    let sandbox = SandboxChoice::Use(format!("{}/", first.sandbox_url));
    let second = start(Options { port: 0, sandbox, storage: Storage::Memory }).await.unwrap();
    assert_eq!(second.sandbox_url, first.sandbox_url);
    assert_eq!(second.config.platform_base_url, Some(format!("{}/{{platform}}", first.sandbox_url)));
    second.stop().await;
    first.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paths_work_with_and_without_v1_and_the_root_is_a_page() {
    let running = in_memory().await;
    for path in ["/v1/connections", "/connections"] {
        let response = send(&running, &format!("GET {path}"), Vec::new()).await;
        assert!(response.starts_with("HTTP/1.1 200 ") && response.contains("{\"connections\":[],"), "{response}");
    }
    let page = send(&running, "GET /", Vec::new()).await;
    assert!(page.contains("text/html") && !page.contains(&running.api_key), "{page}");
    for (head, status) in [("POST /", 404), ("GET /v1/nothing", 404), ("QUERY /v1/campaigns", 405)] {
        let response = send(&running, head, Vec::new()).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")) && response.contains("\"code\""), "{response}");
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_over_the_limit_is_answered_with_413_and_not_a_reset() {
    let running = in_memory().await;
    for size in [300 * 1024, 8 * 1024 * 1024] {
        let response = send(&running, "POST /v1/campaigns", vec![b' '; size]).await;
        assert!(response.starts_with("HTTP/1.1 413 ") && response.contains("\"BAD_REQUEST\""), "{response}");
    }
    running.stop().await;
}
