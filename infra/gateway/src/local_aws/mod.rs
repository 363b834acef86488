//! DynamoDB and Secrets Manager on this machine: the store and the secrets behind the API of AWS.
//!
//! The functions of this process reach them without a socket ([`connector`]), other processes of this user through a
//! Unix socket ([`socket`]), and functions in containers at TCP ports ([`port`]).

mod connector;
mod port;
mod service;
mod socket;
#[cfg(test)]
mod tests;

pub(crate) use connector::LocalConnector;
pub(crate) use port::{Access, PortServer};
pub(crate) use service::LocalService;
pub(crate) use socket::EngineSocket;

use crate::engine::EngineClient;
use crate::secrets::LocalSecrets;
use aws_credential_types::Credentials;
use aws_smithy_runtime_api::client::http::SharedHttpConnector;
use shared::app::{Aws, CallTimeouts};
use std::path::Path;
use std::sync::Arc;

/// Access to a store, and to secrets if there are any.
pub(crate) fn aws(engine: EngineClient, secrets: Option<Arc<LocalSecrets>>) -> Aws {
    let secrets_endpoint = secrets.as_ref().map(|_| connector::SECRETS_URL.to_owned());
    Aws {
        region: "us-east-1".to_owned(),
        credentials: Credentials::new("local", "local", None, None, "gateway"),
        dynamodb_endpoint: Some(connector::STORE_URL.to_owned()),
        secrets_endpoint,
        connector: Some(SharedHttpConnector::new(LocalConnector::new(engine, secrets))),
        timeouts: CallTimeouts::LOCAL,
    }
}

/// Access to the store of the gateway that runs on a data folder.
pub fn aws_of_folder(folder: &Path) -> Aws {
    aws(EngineClient::of_folder(folder), None)
}
