//! Runs a gateway until a signal stops it.

use super::Arguments;
use super::announcement::{Announcement, announce};
use super::hosts::ForwardedPorts;
use super::signals::Signals;
use crate::containers::{ContainerPorts, ContainerServers};
use crate::error::StartError;
use crate::options::{DEFAULT_FOLDER, Options, SandboxChoice, Storage};
use crate::running::Running;
use clap::CommandFactory;
use std::error::Error;

/// Starts a gateway, prints its addresses, and stops it at the first signal.
pub(super) async fn serve(arguments: Arguments) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (json, containers, host) = (arguments.json, arguments.containers, arguments.host);
    let options = options(arguments);
    let storage = options.storage.clone();
    let mut signals = Signals::new()?;
    let running = tokio::select! {
        running = crate::start(options) => running?,
        () = signals.any() => return Ok(()),
    };
    let (containers, ports) = match (serve_containers(&running, containers), ForwardedPorts::open(&running, host).await)
    {
        (Ok(containers), Ok(ports)) => (containers, ports),
        (Err(error), _) | (_, Err(error)) => {
            running.stop().await;
            return Err(error.into());
        }
    };
    // A closed standard output is no reason to stop.
    let _ = announce(&Announcement { running: &running, storage: &storage, containers: containers.as_ref() }, json);
    signals.any().await;
    tracing::info!("stopping");
    drop((containers, ports));
    running.stop().await;
    Ok(())
}

fn serve_containers(running: &Running, wanted: bool) -> Result<Option<ContainerServers>, StartError> {
    if !wanted {
        return Ok(None);
    }
    ContainerServers::start(running, ContainerPorts::DEFAULT).map(Some)
}

/// Exits with a usage error if the arguments name no sandbox.
fn options(arguments: Arguments) -> Options {
    let Arguments { sandbox, port, sandbox_port, sandbox_url, data, memory, join, .. } = arguments;
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
