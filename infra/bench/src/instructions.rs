//! How many instructions a function takes: the one figure that does not depend on what else the machine does.

use crate::Failure;
use crate::function::Function;
use bytes::Bytes;
use std::ffi::OsString;
use std::process::Stdio;
use tokio::process::Command;

/// Requests before the count, and within it.
const AHEAD: u64 = 20;
const COUNTED: u64 = 50;

/// What was counted.
pub(crate) struct Instructions {
    /// From the start of the process until it asks for a request, in millions.
    pub(crate) start_m: f64,
    /// Of one request, when many have gone before, in thousands.
    pub(crate) warm_k: f64,
}

/// Whether there is valgrind to count with.
pub(crate) async fn can_be_counted() -> bool {
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().await;
    version.is_ok_and(|status| status.success())
}

/// Counts with valgrind.
pub(crate) async fn count(
    command: &[OsString],
    environment: &[(String, String)],
    event: &Bytes,
) -> Result<Instructions, Failure> {
    let start = until(command, environment, event, 0).await?;
    let ahead = until(command, environment, event, AHEAD).await?;
    let all = until(command, environment, event, AHEAD + COUNTED).await?;
    Ok(Instructions { start_m: start / 1e6, warm_k: (all - ahead) / COUNTED as f64 / 1e3 })
}

/// The instructions until so many requests are done.
async fn until(
    command: &[OsString],
    environment: &[(String, String)],
    event: &Bytes,
    requests: u64,
) -> Result<f64, Failure> {
    let before = ["/usr/bin/env", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"];
    let command: Vec<OsString> = before.iter().map(OsString::from).chain(command.iter().cloned()).collect();
    let path = ("PATH".to_owned(), std::env::var("PATH").unwrap_or_default());
    let environment: Vec<_> = environment.iter().cloned().chain([path]).collect();
    let mut function = Function::start(&command, &environment).await?;
    for _ in 0..requests {
        function.invoke(event).await?;
    }
    let said = function.end().await?;
    let line = said.lines().find_map(|line| line.split_once("Collected : ")).ok_or("valgrind did not count")?;
    Ok(line.1.trim().parse()?)
}
