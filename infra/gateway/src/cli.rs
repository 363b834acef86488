//! The command line: start a gateway and say so, or do the operator's work.

use crate::admin;
use crate::{Options, Running, SandboxChoice, StartError, Storage, welcome};
use clap::{CommandFactory, Parser, Subcommand};
use serde::Serialize;
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Runs the whole service on this machine, and `admin` makes and changes its customers.
#[derive(Parser)]
#[command(name = "gateway")]
struct Arguments {
    /// Start a sandbox that plays the ad platforms.
    #[arg(long)]
    sandbox: bool,
    /// Port of the gateway on 127.0.0.1; 0 takes any free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Port of the sandbox on 127.0.0.1; 0 takes any free one.
    #[arg(long, value_name = "PORT", default_value_t = 8081)]
    sandbox_port: u16,
    /// Use the sandbox that runs already at this address, and start none.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    sandbox_url: Option<String>,
    /// Folder that keeps everything between runs [default: .local].
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// Keep everything in memory only; no folder is touched.
    #[arg(long)]
    memory: bool,
    /// Answer over the store, the secrets and the sandbox of the gateway that runs on this folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sandbox_port", "sandbox_url", "data", "memory"])]
    join: Option<PathBuf>,
    /// When ready, print one line of JSON and nothing else.
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Makes and changes customers, of a data folder or of a deployed table.
    Admin(admin::Arguments),
}

/// Does what the command line says, until it is done or told to stop.
pub async fn run() -> ExitCode {
    start_logging();
    // `cargo local -- --port 0` is how one passes arguments through cargo, but an alias passes on the `--` as well.
    // No argument here needs it.
    let arguments = Arguments::parse_from(std::env::args_os().filter(|argument| argument != "--"));
    let outcome = match arguments.command {
        Some(Command::Admin(task)) => admin::run(task, arguments.data).await,
        None => serve(arguments).await,
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Not a macro: a closed standard error is no reason to panic.
            let _ = writeln!(io::stderr(), "gateway: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(arguments: Arguments) -> Result<(), Box<dyn Error + Send + Sync>> {
    let Arguments { sandbox, port, sandbox_port, sandbox_url, data, memory, join, json, command: _ } = arguments;
    let sandbox = match sandbox_url {
        // `cargo local` always says --sandbox; an address is the more particular wish.
        Some(url) => SandboxChoice::Use(url),
        // One that joins takes what is there, as `start` says.
        None if sandbox || join.is_some() => SandboxChoice::Start { port: sandbox_port },
        None => no_platforms(),
    };
    let storage = match join {
        Some(folder) => Storage::Shared(folder),
        None if memory => Storage::Memory,
        None => Storage::Folder(data.unwrap_or_else(default_folder)),
    };
    let mut signals = Signals::new()?;
    let options = Options { port, sandbox, storage };
    let kept = options.storage.clone();
    let running = tokio::select! {
        running = crate::start(options) => running?,
        () = signals.any() => return Ok(()),
    };
    // Who started us may not listen; that is no reason to end.
    let _ = announce(&running, &kept, json);
    signals.any().await;
    tracing::info!("stopping");
    running.stop().await;
    Ok(())
}

/// The folder that is used when none is named.
pub(crate) fn default_folder() -> PathBuf {
    PathBuf::from(".local")
}

fn no_platforms() -> ! {
    let message = "nobody plays the ad platforms: pass --sandbox to start a sandbox too, or --sandbox-url URL to use \
                   one that runs already (the gateway reaches no real platform)";
    Arguments::command().error(clap::error::ErrorKind::MissingRequiredArgument, message).exit()
}

fn base_url(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    match host.map(|host| host.trim_end_matches('/')) {
        Some(host) if !host.is_empty() && !host.contains(['?', '#', ' ']) => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err("an address like http://127.0.0.1:8081 is wanted".to_owned()),
    }
}

/// Ctrl-C, and what `kill` sends.
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

/// To standard error, so that standard output has nothing but what was asked for; and no more than a function logs.
fn start_logging() {
    // The engine warns of every condition that did not hold, which here is everyday business.
    let usual =
        || format!("warn,dynoxide=error,gateway=info,sandbox=info,{}=info", shared::log::OWN_CRATES.join("=info,"));
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual()));
    let terminal = io::stderr().is_terminal();
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(terminal);
    lines.finish().with(shared::log::MAX_LEVEL).init();
}

/// What a program that started the gateway needs to know.
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
        let keeps = match storage {
            Storage::Memory => "nothing is kept".to_owned(),
            Storage::Folder(folder) => format!("everything is kept in {}", folder.display()),
            Storage::Shared(folder) => format!("it has joined the gateway on {}", folder.display()),
        };
        let steps = welcome::steps(&gateway, api_key);
        format!(
            "\nUnified Ads, running locally. Ctrl-C stops it; {keeps}.\n\n  gateway  {gateway}\n  sandbox  {sandbox_url}\n  \
             API key  {api_key}\n\nTry it in another terminal:\n\n{steps}"
        )
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(words.split(' '))
    }

    #[test]
    fn the_alias_takes_further_options_and_admin() {
        let arguments = parse("gateway --sandbox --sandbox-url http://127.0.0.1:1/ --port 0").unwrap();
        assert_eq!((arguments.sandbox_url.as_deref(), arguments.port), (Some("http://127.0.0.1:1"), 0));
        assert_eq!(parse("gateway --sandbox --join d").unwrap().join, Some("d".into()));
        let arguments = parse("gateway --sandbox admin list-customers --data d").unwrap();
        assert_eq!(arguments.data, Some("d".into()));
        assert!(parse("gateway --data d admin list-customers").is_ok());
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for words in [
            "gateway --port 65536",
            "gateway --sandbox-url 127.0.0.1:8081",
            "gateway --sandbox-url http:///",
            "gateway --join d --data d",
            "gateway --join d --memory",
            "gateway --join d --sandbox-port 0",
            "gateway --join d --sandbox-url http://127.0.0.1:1",
            "gateway admin",
            "gateway admin rotate-key --customer 7",
            "gateway admin create-customer --email nobody",
            "gateway admin create-customer --email a@b --plan gold",
        ] {
            assert!(parse(words).is_err(), "{words}");
        }
    }
}
