//! Instruction counts of a function: the one measure that is independent of the load of the machine.

use crate::Failure;
use crate::function::Function;
use bytes::Bytes;
use std::ffi::OsString;
use std::process::Stdio;
use tokio::process::Command;

/// Warm-up requests, and counted requests.
const WARM_UP: u64 = 20;
const COUNTED: u64 = 50;

/// Whether valgrind is installed.
pub(crate) async fn is_available() -> bool {
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().await;
    version.is_ok_and(|status| status.success())
}

/// From the start of a process to its first request to `next`, in millions.
pub(crate) async fn start_m(command: &[OsString], environment: &[(String, String)]) -> Result<f64, Failure> {
    Ok(count_run(command, environment, &Bytes::new(), 0).await? / 1e6)
}

/// Of one warm request, in thousands: the difference between two runs.
pub(crate) async fn warm_k(
    command: &[OsString],
    environment: &[(String, String)],
    event: &Bytes,
) -> Result<f64, Failure> {
    let warm_up = count_run(command, environment, event, WARM_UP).await?;
    let all = count_run(command, environment, event, WARM_UP + COUNTED).await?;
    Ok((all - warm_up) / COUNTED as f64 / 1e3)
}

/// Counts the instructions of a process that starts and answers this number of requests.
async fn count_run(
    command: &[OsString],
    environment: &[(String, String)],
    event: &Bytes,
    requests: u64,
) -> Result<f64, Failure> {
    let valgrind = ["/usr/bin/env", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"];
    let command: Vec<OsString> = valgrind.iter().map(OsString::from).chain(command.iter().cloned()).collect();
    let path = ("PATH".to_owned(), std::env::var("PATH").unwrap_or_default());
    let environment: Vec<_> = environment.iter().cloned().chain([path]).collect();
    let mut function = Function::start(&command, &environment).await?;
    for _ in 0..requests {
        function.invoke(event).await?;
    }
    let output = function.stop().await?;
    let line = output.lines().find_map(|line| line.split_once("Collected : ")).ok_or("valgrind printed no count")?;
    Ok(line.1.trim().parse()?)
}
