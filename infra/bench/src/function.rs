//! A function as Lambda runs it: a process of its own, with the address of the Runtime API in its environment.

use crate::Failure;
use crate::runtime_api::{FunctionEvent, RuntimeApi};
use bytes::Bytes;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};

/// Long enough for a start under valgrind or with a small share of a CPU.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A running function. Dropping it kills the process.
pub(crate) struct Function {
    api: RuntimeApi,
    child: Child,
    /// Start of the process.
    pub(crate) started: Instant,
    /// Its first request to `next`.
    pub(crate) ready: Instant,
}

/// A completed invocation.
pub(crate) struct Invocation {
    /// Arrival of the response.
    pub(crate) completed: Instant,
    /// Time from the request to the response.
    pub(crate) duration: Duration,
    /// The response to API Gateway; that of a scheduled function says nothing.
    pub(crate) response: Value,
}

impl Function {
    /// Starts `command`, a function's binary or a wrapper around it, and waits for its first request to `next`.
    pub(crate) async fn start(command: &[OsString], environment: &[(String, String)]) -> Result<Function, Failure> {
        let api = RuntimeApi::start().await?;
        let (program, arguments) = command.split_first().ok_or("the command is empty")?;
        let mut process = Command::new(program);
        process.args(arguments).env_clear().envs(environment.iter().cloned());
        process.env("AWS_LAMBDA_RUNTIME_API", api.address().to_string());
        process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let started = Instant::now();
        let child = process.spawn().map_err(|error| format!("{}: {error}", Path::new(program).display()))?;
        let mut function = Function { api, child, started, ready: started };
        function.ready = function.wait_until_ready().await?;
        Ok(function)
    }

    /// Sends an event and waits for the response and for the next request to `next`.
    pub(crate) async fn invoke(&mut self, event: &Bytes) -> Result<Invocation, Failure> {
        let sent = Instant::now();
        self.api.send_event(event.clone()).await;
        let (completed, response) = match self.next_event().await? {
            FunctionEvent::Responded(at, body) => (at, check(&body)?),
            FunctionEvent::Failed(message) => return Err(message.into()),
            FunctionEvent::Ready(_) => return Err("the function asked for the next event without a response".into()),
        };
        self.wait_until_ready().await?;
        Ok(Invocation { completed, duration: completed.duration_since(sent), response })
    }

    async fn wait_until_ready(&mut self) -> Result<Instant, Failure> {
        match self.next_event().await? {
            FunctionEvent::Ready(at) => Ok(at),
            FunctionEvent::Failed(message) => Err(message.into()),
            FunctionEvent::Responded(..) => Err("the function sent a response without an event".into()),
        }
    }

    async fn next_event(&mut self) -> Result<FunctionEvent, Failure> {
        tokio::select! {
            event = tokio::time::timeout(TIMEOUT, self.api.next_event()) => {
                event?.ok_or_else(|| "the Runtime API stopped".into())
            }
            status = self.child.wait() => Err(format!("the function exited: {}", status?).into()),
        }
    }

    /// Peak resident memory in MB.
    pub(crate) fn peak_mb(&self) -> Option<f64> {
        let status = self.proc_file("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kib| kib / 1024.0)
    }

    /// CPU time so far in ms.
    pub(crate) fn cpu_ms(&self) -> Option<f64> {
        self.proc_file("schedstat")?.split(' ').next()?.parse::<f64>().ok().map(|ns| ns / 1e6)
    }

    fn proc_file(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.child.id()?)).ok()
    }

    /// Sends SIGTERM and returns the standard error of the process.
    pub(crate) async fn stop(self) -> Result<String, Failure> {
        let id = self.child.id().ok_or("the function has exited")?;
        Command::new("kill").args(["-TERM", &id.to_string()]).status().await?;
        let output = tokio::time::timeout(TIMEOUT, self.child.wait_with_output()).await??;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Rejects failures, which must not be measured. Maintenance returns null, and deliveries that no record of the table's
/// stream failed.
fn check(body: &[u8]) -> Result<Value, Failure> {
    let response: Value = serde_json::from_slice(body)?;
    match response.get("statusCode").and_then(Value::as_u64) {
        Some(200..=299) => Ok(response),
        None if response.is_null() || response == json!({ "batchItemFailures": [] }) => Ok(response),
        _ => Err(format!("the function returned an error: {response}").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn failures_are_not_measured() {
        for completed in [r#"{"statusCode":204}"#, "null", r#"{"batchItemFailures":[]}"#] {
            check(completed.as_bytes()).expect(completed);
        }
        for failed in [r#"{"statusCode":500}"#, "{}", r#"{"batchItemFailures":[{"itemIdentifier":"1"}]}"#] {
            check(failed.as_bytes()).expect_err(failed);
        }
    }
}
