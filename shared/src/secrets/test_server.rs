//! A Secrets Manager for tests, in this process: it answers as a test says, and keeps the requests.

use aws_sdk_secretsmanager::Client;
use aws_sdk_secretsmanager::config::{BehaviorVersion, Config, Credentials, Region};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::sleep;

/// The connection of a call without a response breaks after this time, so that a call without a time limit fails.
const SILENCE: Duration = Duration::from_secs(3_600);

/// A request as received.
#[derive(Clone, Debug)]
pub(super) struct Received {
    /// The operation, such as `secretsmanager.GetSecretValue`.
    pub(super) target: String,
    pub(super) body: String,
}

/// The status and the body of a response; with status 0 none ever comes. `None` closes the connection.
pub(super) type Response = Option<(u16, String)>;

/// A server.
#[derive(Clone)]
pub(super) struct Server {
    response: Arc<dyn Fn(&Received) -> Response + Send + Sync>,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Server {
    /// Answers with these responses in turn, and closes the connection after the last.
    pub(super) fn new(responses: Vec<(u16, &'static str)>) -> Server {
        let responses = Mutex::new(responses.into_iter());
        Server::answering(move |_| responses.lock().unwrap().next().map(|(status, body)| (status, body.to_owned())))
    }

    /// Answers each request.
    pub(super) fn answering(response: impl Fn(&Received) -> Response + Send + Sync + 'static) -> Server {
        Server { response: Arc::new(response), received: Arc::default() }
    }

    /// The requests so far.
    pub(super) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// A client of this server.
    pub(super) fn client(&self) -> Client {
        let server = self.clone();
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("eu-central-1"))
            .credentials_provider(Credentials::new("id", "key", Some("token".to_owned()), None, "test"))
            .http_client(http_client_fn(move |_, _| SharedHttpConnector::new(server.clone())))
            .endpoint_url("http://secrets");
        Client::from_conf(config.build())
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Server")
    }
}

impl HttpConnector for Server {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
        let body = String::from_utf8(request.body().bytes().unwrap().to_vec()).unwrap();
        let received = Received { target, body };
        let response = (self.response)(&received);
        self.received.lock().unwrap().push(received);
        match response {
            Some((0, _)) => HttpConnectorFuture::new(async {
                sleep(SILENCE).await;
                Err(ConnectorError::io("the connection broke".into()))
            }),
            Some((status, body)) => {
                HttpConnectorFuture::ready(Ok(HttpResponse::new(status.try_into().unwrap(), body.into())))
            }
            None => HttpConnectorFuture::ready(Err(ConnectorError::io("the connection closed".into()))),
        }
    }
}
