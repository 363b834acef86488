//! Runs a gateway until a signal stops it.

use super::Arguments;
use crate::error::StartError;
use crate::options::{DEFAULT_FOLDER, Options, SandboxChoice, Storage};
use crate::quickstart::Steps;
use crate::running::Running;
use clap::CommandFactory;
use serde::Serialize;
use std::error::Error;
use std::io::{self, Write};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Starts a gateway, prints its addresses, and stops it at the first signal.
pub(super) async fn serve(arguments: Arguments) -> Result<(), Box<dyn Error + Send + Sync>> {
    let json = arguments.json;
    let options = options(arguments);
    let storage = options.storage.clone();
    let mut signals = Signals::new()?;
    let running = tokio::select! {
        running = crate::start(options) => running?,
        () = signals.any() => return Ok(()),
    };
    // A closed standard output is no reason to stop.
    let _ = announce(&running, &storage, json);
    signals.any().await;
    tracing::info!("stopping");
    running.stop().await;
    Ok(())
}

/// Exits with a usage error if the arguments name no sandbox.
fn options(arguments: Arguments) -> Options {
    let Arguments { sandbox, port, sandbox_port, sandbox_url, data, memory, join, json: _, command: _ } = arguments;
    let sandbox = match sandbox_url {
        // `cargo local` always passes --sandbox, so --sandbox-url takes precedence.
        Some(url) => SandboxChoice::Use(url),
        // With --join, `start` ignores this choice.
        None if sandbox || join.is_some() => SandboxChoice::Start { port: sandbox_port },
        None => exit_without_sandbox(),
    };
    let storage = match join {
        Some(folder) => Storage::Shared(folder),
        None if memory => Storage::Memory,
        None => Storage::Folder(data.unwrap_or_else(|| DEFAULT_FOLDER.into())),
    };
    Options { port, sandbox, storage }
}

fn exit_without_sandbox() -> ! {
    let message = "no sandbox: pass --sandbox to start one, or --sandbox-url URL to use a running one (the gateway does \
                   not connect to real platforms)";
    Arguments::command().error(clap::error::ErrorKind::MissingRequiredArgument, message).exit()
}

/// SIGINT, which Ctrl-C sends, and SIGTERM.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> Result<Signals, StartError> {
        let listen = |kind| signal(kind).map_err(|error| StartError::Service(error.into()));
        Ok(Signals { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// The output of `--json`.
#[derive(Serialize)]
struct Ready<'a> {
    gateway: &'a str,
    sandbox: &'a str,
    api_key: &'a str,
    customer_id: &'a str,
    webhook_secret: &'a str,
}

fn announce(running: &Running, storage: &Storage, json: bool) -> io::Result<()> {
    let gateway = running.url();
    let Running { sandbox_url, api_key, customer_id, webhook_secret, .. } = running;
    let text = if json {
        let ready = Ready { gateway: &gateway, sandbox: sandbox_url, api_key, customer_id, webhook_secret };
        serde_json::to_string(&ready)?
    } else {
        let data = match storage {
            Storage::Memory => "All data is in memory and is lost at the end.".to_owned(),
            Storage::Folder(folder) => format!("All data is in {}.", folder.display()),
            Storage::Shared(folder) => format!("It has joined the gateway on {}.", folder.display()),
        };
        let steps = Steps { gateway: &gateway, api_key };
        format!(
            "\nUnified Ads, running locally. {data} Ctrl-C stops the gateway.\n\n  gateway  {gateway}\n  \
             sandbox  {sandbox_url}\n  API key  {api_key}\n\nTry it in another terminal:\n\n{steps}\n"
        )
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}
