//! The command line: runs a gateway, `listen`, or an `admin` command.

mod announcement;
mod healthy;
mod hosts;
mod logging;
mod serve;
mod signals;

use crate::admin;
use crate::base_url::base_url;
use crate::listen;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::{Shell, generate};
use signals::Signals;
use std::error::Error;
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;

/// Run the whole service on this machine; `gateway listen` forwards events to a program of yours, `gateway admin` manages
/// customers.
#[derive(Parser)]
#[command(name = "gateway", version)]
struct Arguments {
    /// Start a sandbox that imitates the ad platforms.
    #[arg(long)]
    sandbox: bool,
    /// Also answer at this address of the machine; 0.0.0.0 stands for all. For a container: the network behind it reaches
    /// the demo customer's dashboard.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "join")]
    host: Option<IpAddr>,
    /// Port of the gateway on 127.0.0.1; 0 takes any free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Port of the sandbox on 127.0.0.1; 0 takes any free one.
    #[arg(long, value_name = "PORT", default_value_t = 8081)]
    sandbox_port: u16,
    /// Use the sandbox that runs at this URL, and start none.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    sandbox_url: Option<String>,
    /// Data folder, kept between runs [default: .local].
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// Keep all data in memory; use no folder.
    #[arg(long)]
    memory: bool,
    /// Use the store, the secrets and the sandbox of the gateway that runs on this folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sandbox_port", "sandbox_url", "data", "memory"])]
    join: Option<PathBuf>,
    /// Also serve the store, the secrets and the sandbox to functions in containers, for `sam local`.
    #[arg(long, conflicts_with_all = ["join", "memory", "sandbox_url", "sandbox_port"])]
    containers: bool,
    /// When ready, print one line of JSON and nothing else.
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Manage the customers of a data folder or of a deployed table.
    Admin(admin::Arguments),
    /// Forward the events of a customer to an address on this machine, signed as webhooks are.
    ///
    /// Each event that happens from now on is sent once. UNIFIED_ADS_KEY is the API key, which needs the scope `read`;
    /// UNIFIED_ADS_WEBHOOK_SECRET is the secret that signs, and without it there is a new one. Both are variables,
    /// because the list of processes shows options.
    Listen(listen::Arguments),
    /// Ask a gateway whether it answers; for the health check of a container.
    Healthy {
        /// Base URL of the gateway.
        #[arg(long, value_parser = base_url, default_value = "http://127.0.0.1:8080")]
        url: String,
    },
    /// Print the completions of a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// Runs the command line of this process until the command ends or a signal stops the gateway.
pub async fn run() -> ExitCode {
    logging::start();
    signals::outlive_file_size_limit();
    // `cargo local -- --port 0` passes the `--` on to this program. No argument here needs it.
    let arguments = Arguments::parse_from(std::env::args_os().filter(|argument| argument != "--"));
    let result = match arguments.command {
        Some(Command::Admin(command)) => admin::run(command, arguments.data).await,
        Some(Command::Listen(command)) => listen(command, arguments.data).await,
        Some(Command::Healthy { url }) => healthy::check(&url).await,
        Some(Command::Completions { shell }) => {
            // Into memory first, because a write to a closed pipe would panic.
            let mut script = Vec::new();
            generate(shell, &mut Arguments::command(), "gateway", &mut script);
            io::stdout().write_all(&script).map_err(Into::into)
        }
        None => serve::serve(arguments).await,
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // `eprintln!` would panic when standard error is closed.
            let _ = writeln!(io::stderr(), "gateway: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Forwards events until a signal stops it.
async fn listen(arguments: listen::Arguments, data: Option<PathBuf>) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut signals = Signals::new()?;
    tokio::select! {
        ended = listen::run(arguments, data) => ended,
        () = signals.any() => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_cargo_alias_accepts_further_options_and_commands() {
        let arguments = parse("gateway --sandbox --sandbox-url http://127.0.0.1:1/ --port 0").unwrap();
        assert_eq!((arguments.sandbox_url.as_deref(), arguments.port), (Some("http://127.0.0.1:1"), 0));
        assert_eq!(parse("gateway --sandbox --join d").unwrap().join, Some("d".into()));
        let arguments = parse("gateway --sandbox admin list-customers --data d").unwrap();
        assert_eq!(arguments.data, Some("d".into()));
        assert!(parse("gateway --data d admin list-customers").is_ok());
        assert!(parse("gateway --sandbox listen http://localhost:4000/webhooks --data d").is_ok());
        assert!(parse("gateway listen http://[::1]:1/ --api https://api.example.com --types change.applied").is_ok());
        assert!(parse("gateway admin create-customer --email a@b").is_ok());
        assert!(parse("gateway admin list-customers --json --table t --profile live").is_ok());
        assert_eq!(parse("gateway --sandbox --host 0.0.0.0").unwrap().host, Some(Ipv4Addr::UNSPECIFIED.into()));
        assert!(parse("gateway healthy").is_ok() && parse("gateway completions zsh").is_ok());
        assert!(parse("gateway admin create-customer --email a@b --owner 7 --issuer https://id.example.com").is_ok());
    }

    #[test]
    fn invalid_and_conflicting_arguments_are_rejected() {
        for line in [
            "gateway --port 65536",
            "gateway --sandbox-url 127.0.0.1:8081",
            "gateway --sandbox-url http:///",
            "gateway --join d --data d",
            "gateway --join d --memory",
            "gateway --join d --host 0.0.0.0",
            "gateway --sandbox --host localhost",
            "gateway healthy --url 127.0.0.1:8080",
            "gateway --join d --sandbox-port 0",
            "gateway --join d --containers",
            "gateway --memory --containers",
            "gateway --containers --sandbox-port 8083",
            "gateway --sandbox-url http://127.0.0.1:1 --containers",
            "gateway --join d --sandbox-url http://127.0.0.1:1",
            "gateway listen",
            "gateway listen https://example.com/webhooks",
            "gateway listen http://localhost:1 --types change.aplied",
            "gateway admin",
            "gateway admin rotate-key --json",
            "gateway admin rotate-key --customer 7",
            "gateway admin create-customer --email nobody",
            "gateway admin create-customer --email a@b --plan gold",
            "gateway admin create-customer --email a@b --owner 7",
            "gateway admin create-customer --email a@b --issuer https://id.example.com",
            "gateway admin create-customer --email a@b --owner 7 --issuer id.example.com",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
