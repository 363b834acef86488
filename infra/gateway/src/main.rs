//! The program `gateway`: the local gateway (`cargo local`) and the operator's commands (`gateway admin --help`).

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    gateway::cli::run().await
}
