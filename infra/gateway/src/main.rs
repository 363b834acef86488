//! The local gateway and the operator's command line: `cargo local`, `cargo run -p gateway -- admin --help`.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    gateway::cli::run().await
}
