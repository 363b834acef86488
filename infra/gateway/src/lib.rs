//! The local gateway: every function in one process on one port, with everything that the functions depend on.
//!
//! A gateway runs an embedded DynamoDB engine, a small Secrets Manager, the sandbox and an HTTP server. The last two
//! have a port on 127.0.0.1; the service reaches the others without a socket, yet starts as it does on Lambda: from a
//! [`shared::app::Config`]. There is no global state: one process can run any number of gateways.

mod admin;
mod base_url;
mod builder;
pub mod cli;
mod config;
mod containers;
mod customers;
mod data_folder;
mod demo;
pub mod engine;
mod error;
mod http;
mod listen;
mod local_aws;
mod options;
mod ports;
mod quickstart;
mod relay;
mod reseal;
mod running;
mod runtime_info;
mod secrets;
mod timers;
mod webhooks;

pub use builder::start;
pub use customers::create_customer;
pub use error::StartError;
pub use local_aws::aws_of_folder;
pub use options::{Options, SandboxChoice, Storage};
pub use ports::OpenPorts;
pub use running::Running;
