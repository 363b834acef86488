//! A function as Lambda runs it: its own process, told by the environment where the Runtime API is.

use crate::Failure;
use crate::runtime_api::{RuntimeApi, Told};
use bytes::Bytes;
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};

/// The longest that anything may take, under valgrind and with little CPU too.
const PATIENCE: Duration = Duration::from_secs(120);

/// A function at work; it is killed when it is dropped.
pub(crate) struct Function {
    api: RuntimeApi,
    child: Child,
    /// When the process was started.
    pub(crate) started: Instant,
    /// When it first asked for a request.
    pub(crate) ready: Instant,
}

/// One request, answered.
pub(crate) struct Invoked {
    /// When the answer came.
    pub(crate) at: Instant,
    /// How long it took.
    pub(crate) took: Duration,
}

impl Function {
    /// Starts `command` (a function's binary, perhaps with something before it) and waits until it asks for a request.
    pub(crate) async fn start(command: &[OsString], environment: &[(String, String)]) -> Result<Function, Failure> {
        let api = RuntimeApi::start().await?;
        let (program, arguments) = command.split_first().ok_or("nothing to start")?;
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

    /// Sends one request, and waits until the function is done with it and asks for the next.
    pub(crate) async fn invoke(&mut self, event: &Bytes) -> Result<Invoked, Failure> {
        let sent = Instant::now();
        self.api.hand_out(event.clone()).await;
        let at = match self.listen().await? {
            Told::Answered(at, body) => check(&body).map(|()| at)?,
            Told::Failed(words) => return Err(words.into()),
            Told::Ready(_) => return Err("the function asked for the next request without answering".into()),
        };
        self.wait_until_ready().await?;
        Ok(Invoked { at, took: at.duration_since(sent) })
    }

    async fn wait_until_ready(&mut self) -> Result<Instant, Failure> {
        match self.listen().await? {
            Told::Ready(at) => Ok(at),
            Told::Failed(words) => Err(words.into()),
            Told::Answered(..) => Err("the function answered what nobody asked".into()),
        }
    }

    async fn listen(&mut self) -> Result<Told, Failure> {
        tokio::select! {
            told = tokio::time::timeout(PATIENCE, self.api.listen()) => told?.ok_or_else(|| "no Runtime API".into()),
            status = self.child.wait() => Err(format!("the function ended: {}", status?).into()),
        }
    }

    /// The most memory that it has had, in MB.
    pub(crate) fn peak_mb(&self) -> Option<f64> {
        let status = self.about("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kib| kib / 1024.0)
    }

    /// How long it has had a CPU, in ms.
    pub(crate) fn cpu_ms(&self) -> Option<f64> {
        self.about("schedstat")?.split(' ').next()?.parse::<f64>().ok().map(|ns| ns / 1e6)
    }

    fn about(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.child.id()?)).ok()
    }

    /// Asks it to end, and answers what it has said on its standard error.
    pub(crate) async fn end(self) -> Result<String, Failure> {
        let id = self.child.id().ok_or("the function has ended")?;
        Command::new("kill").args(["-TERM", &id.to_string()]).status().await?;
        let output = tokio::time::timeout(PATIENCE, self.child.wait_with_output()).await??;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// What is measured should be a success. A scheduled function answers with nothing.
fn check(body: &[u8]) -> Result<(), Failure> {
    let answer: Value = serde_json::from_slice(body)?;
    match answer.get("statusCode").and_then(Value::as_u64) {
        Some(200..=299) => Ok(()),
        None if answer.is_null() => Ok(()),
        _ => Err(format!("the function did not answer as it should: {answer}").into()),
    }
}
