use super::*;
use crate::local_aws;
use crate::secrets::PREFIX;
use crate::{Options, SandboxChoice, Storage};
use shared::app::Aws;
use shared::domain::CustomerId;
use shared::secrets::{SecretAccess, Secrets};
use shared::store::Store;
use std::str::FromStr;

async fn gateway() -> Running {
    let options = Options { port: 0, sandbox: SandboxChoice::Start { port: 0 }, storage: Storage::Memory };
    crate::start(options).await.unwrap()
}

/// The endpoints of a function in a container, apart from its name for this machine.
fn function(running: &Running, store: String, secrets: String) -> Aws {
    let dynamodb_endpoint = Some(store);
    let secrets_endpoint = Some(secrets);
    let local = local_aws::aws(running.engine.client.clone(), None);
    Aws { dynamodb_endpoint, secrets_endpoint, connector: None, ..local }
}

#[tokio::test]
async fn a_function_reads_the_store_and_the_secrets_at_these_ports() {
    let running = gateway().await;
    let servers = ContainerServers::start(&running, ContainerPorts { store: 0, secrets: 0 }).unwrap();
    let urls = (servers.ports.store_url().unwrap(), servers.ports.secrets_url().unwrap());
    let aws = function(&running, urls.0, urls.1);
    let now = running.app.clock.now();
    let customer = CustomerId(uuid::Uuid::from_str(&running.customer_id).unwrap());
    let store = Store::new(aws.dynamodb_client(), crate::engine::TABLE.to_owned());
    assert!(store.account(customer, now).await.unwrap().is_some());
    assert!(Secrets::load(&aws.secrets_client(), PREFIX, SecretAccess::ALL).await.unwrap().vault.is_some());
    drop(servers);
    assert!(store.account(customer, now).await.is_err());
    running.stop().await;
}

#[tokio::test]
async fn neither_port_answers_without_the_token_of_the_folder() {
    let running = gateway().await;
    let servers = ContainerServers::start(&running, ContainerPorts { store: 0, secrets: 0 }).unwrap();
    let bare = |addresses: Vec<SocketAddr>| format!("http://{}", addresses[0]);
    let store = bare(servers.ports.store_addresses());
    let secrets = bare(servers.ports.secrets_addresses());
    let aws = function(&running, store, secrets);
    let scan = aws.dynamodb_client().scan().table_name(crate::engine::TABLE).send().await;
    let error = shared::sdk::describe(&scan.unwrap_err());
    assert!(error.contains("AccessDeniedException") && error.contains("--env-vars"), "{error}");
    let error = Secrets::load(&aws.secrets_client(), PREFIX, SecretAccess::ALL).await.err().unwrap().to_string();
    assert!(error.contains("AccessDeniedException"), "{error}");
    running.stop().await;
}

#[tokio::test]
async fn the_error_for_a_port_in_use_names_it_and_the_likely_cause() {
    let running = gateway().await;
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let ports = ContainerPorts { store: taken.local_addr().unwrap().port(), secrets: 0 };
    let error = ContainerServers::start(&running, ports).err().unwrap().to_string();
    assert!(error.contains(&taken.local_addr().unwrap().to_string()) && error.contains("LocalStack"), "{error}");
    running.stop().await;
}

#[tokio::test]
async fn a_relay_forwards_both_directions() {
    let running = gateway().await;
    let sandbox = running.sandbox_address().unwrap();
    let listener = bind(Ipv4Addr::LOCALHOST.into(), 0).unwrap();
    let address = listener.local_addr().unwrap();
    let relay = tokio::spawn(relay::serve(listener, sandbox.to_string()));
    let stream = hyper_util::rt::TokioIo::new(tokio::net::TcpStream::connect(address).await.unwrap());
    let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let request = http::Request::get("/_sandbox/clients").header("host", "host.localhost");
    let response = sender.send_request(request.body(axum::body::Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), 200);
    relay.abort();
    running.stop().await;
}

#[test]
fn the_ports_are_those_of_the_file_for_sam() {
    let file: serde_json::Value = serde_json::from_str(env_file::TEMPLATE).unwrap();
    let variable = |name: &str| file["Parameters"][name].as_str().unwrap().to_owned();
    let at = |port: u16| format!("http://{HOST_NAME}:{port}");
    let with_token = |port: u16| format!("{}/TOKEN", at(port));
    assert_eq!(variable("DYNAMODB_ENDPOINT"), with_token(ContainerPorts::DEFAULT.store));
    assert_eq!(variable("SECRETS_MANAGER_ENDPOINT"), with_token(ContainerPorts::DEFAULT.secrets));
    assert_eq!(variable("SECRETS_PREFIX"), PREFIX);
    assert_eq!(variable("TABLE_NAME"), crate::engine::TABLE);
    for name in ["PLATFORM_BASE_URL", "PAYMENT_BASE_URL", "OIDC_ISSUER"] {
        assert!(variable(name).starts_with(&at(8081)), "{name}");
    }
}
