//! A running `gateway listen`.

use crate::gateway_process::{gateway, wait};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// The process. Dropping it kills it.
pub(crate) struct Listener {
    child: Child,
    lines: Receiver<String>,
    /// What it prints of its secret.
    pub(crate) secret: String,
}

/// `gateway listen` without the variables of the one who runs the tests.
pub(crate) fn listen(arguments: &[&str]) -> Command {
    let mut command = gateway(&[&["listen"], arguments].concat());
    command.env_remove("UNIFIED_ADS_KEY").env_remove("UNIFIED_ADS_WEBHOOK_SECRET");
    command
}

impl Listener {
    /// Starts it, and waits until it forwards.
    pub(crate) fn start(mut command: Command) -> Listener {
        let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let mut listener = Listener { child, lines, secret: String::new() };
        listener.secret = listener.line("secret").trim().trim_start_matches("secret").trim().to_owned();
        listener
    }

    /// The next line of standard output with a text. Others are passed over.
    pub(crate) fn line(&self, part: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("the line is missing");
            if line.contains(part) {
                return line;
            }
        }
    }

    /// Sends Ctrl-C.
    pub(crate) fn interrupt(&mut self) -> ExitStatus {
        assert!(Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap().success());
        wait(&mut self.child)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
