//! The text on standard output when a gateway is ready.

use crate::containers::ContainerServers;
use crate::options::{DEFAULT_FOLDER, Storage};
use crate::quickstart::{Steps, listen_command};
use crate::running::Running;
use serde::Serialize;
use std::env::consts::ARCH;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::Path;

/// The API of `sam local start-api`, as `samconfig.toml` sets its port.
const SAM_LOCAL_URL: &str = "http://127.0.0.1:8082";

/// Docker Desktop needs no bridge, so this is no error.
const NO_BRIDGE: &str = "\nThis machine has no network interface docker0. With Docker Engine, containers cannot reach these \
                         addresses: start\nDocker, and then this command again. Docker Desktop needs no such interface.\n";

/// A gateway that is ready.
pub(super) struct Announcement<'a> {
    pub(super) running: &'a Running,
    pub(super) storage: &'a Storage,
    pub(super) containers: Option<&'a ContainerServers>,
}

/// The output of `--json`.
#[derive(Serialize)]
struct Ready<'a> {
    gateway: &'a str,
    dashboard: &'a str,
    sandbox: &'a str,
    api_key: &'a str,
    customer_id: &'a str,
    webhook_secret: &'a str,
}

/// Prints the addresses and the first steps; as one line of JSON if wanted.
pub(super) fn announce(announcement: &Announcement<'_>, json: bool) -> io::Result<()> {
    let text = if json { announcement.json()? } else { announcement.text() };
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

impl Announcement<'_> {
    fn json(&self) -> serde_json::Result<String> {
        let Running { sandbox_url, api_key, customer_id, webhook_secret, .. } = self.running;
        let gateway = &self.running.url();
        let dashboard = &self.running.dashboard_url();
        serde_json::to_string(&Ready { gateway, dashboard, sandbox: sandbox_url, api_key, customer_id, webhook_secret })
    }

    fn text(&self) -> String {
        let Running { sandbox_url, api_key, .. } = self.running;
        let gateway = self.running.url();
        let dashboard = self.running.dashboard_url();
        let data = match self.storage {
            Storage::Memory => "All data is in memory and is lost at the end.".to_owned(),
            Storage::Folder(folder) => format!("All data is in {}.", folder.display()),
            Storage::Shared(folder) => format!("It has joined the gateway on {}.", folder.display()),
        };
        let containers =
            self.containers.map(|containers| containers_text(containers, self.storage)).unwrap_or_default();
        let api = if self.containers.is_some() { SAM_LOCAL_URL } else { &gateway };
        let listen = &listen_command(self.storage, &gateway, api_key);
        let steps = Steps { gateway: api, api_key, listen };
        let when = if self.containers.is_some() { "When the API runs, try it in a third" } else { "Try it in another" };
        format!(
            "\nUnified Ads, running locally. {data} Ctrl-C stops the gateway.\n\n  dashboard  {dashboard}\n  \
             gateway    {gateway}\n  sandbox    {sandbox_url}\n  API key    {api_key}\n{containers}\n{when} terminal:\n\n{steps}\n"
        )
    }
}

/// The addresses for containers, and the commands that start the functions there.
fn containers_text(containers: &ContainerServers, storage: &Storage) -> String {
    let list = |addresses: &[SocketAddr]| addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let store = containers.ports.store_addresses();
    let secrets = containers.ports.secrets_addresses();
    let has_bridge = store.iter().any(|address| !address.ip().is_loopback());
    let warning = if cfg!(target_os = "linux") && !has_bridge { NO_BRIDGE } else { "" };
    let commands = sam_commands(ARCH, containers.env_file.as_deref(), storage);
    format!(
        "  store      {}\n  secrets    {}\n{warning}\nStart the functions in a second terminal; docs/sam-local.md has the \
         details:\n\n{commands}",
        list(&store),
        list(&secrets)
    )
}

/// The commands that build and start the functions. `samconfig.toml` has the variables' file of the default folder, and
/// the template's default processor is arm64.
fn sam_commands(architecture: &str, env_file: Option<&Path>, storage: &Storage) -> String {
    let processor = if architecture == "x86_64" { " --parameter-overrides Architecture=x86_64" } else { "" };
    let is_default = storage.folder().is_some_and(|folder| folder == Path::new(DEFAULT_FOLDER));
    let env_vars = match env_file {
        Some(file) if !is_default => format!(" --env-vars {}", file.display()),
        _ => String::new(),
    };
    format!("  sam build{processor}\n  sam local start-api{processor}{env_vars}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_have_an_option_only_where_the_default_is_wrong() {
        let commands = |architecture, folder: &str| {
            let file = Path::new(folder).join("env.json");
            sam_commands(architecture, Some(&file), &Storage::Folder(folder.into()))
        };
        assert_eq!(commands("aarch64", DEFAULT_FOLDER), "  sam build\n  sam local start-api\n");
        assert_eq!(commands("x86_64", DEFAULT_FOLDER).matches("Architecture=x86_64").count(), 2);
        assert!(commands("aarch64", "other").ends_with("start-api --env-vars other/env.json\n"));
    }
}
