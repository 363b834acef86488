//! The real program at work, for the tests that need it whole.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn gateway(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gateway"));
    // What it logs by default is part of what is tested here.
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn end(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the gateway did not end");
        }
        sleep(Duration::from_millis(20));
    }
}

/// A gateway at work on a folder; killed when the test is over, however it ends.
pub(crate) struct Served {
    child: Child,
    out: BufReader<ChildStdout>,
    pub(crate) ready: Value,
}

impl Served {
    pub(crate) fn start(more: &[&str]) -> Served {
        let arguments = [&["--sandbox", "--port", "0", "--json"], more].concat();
        let mut child = gateway(&arguments).stderr(Stdio::null()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        Served { child, out, ready: serde_json::from_str(&line).unwrap() }
    }

    pub(crate) fn on(folder: &Path) -> Served {
        Served::start(&["--sandbox-port", "0", "--data", folder.to_str().unwrap()])
    }

    /// One more, over what the one on this folder has.
    pub(crate) fn joined(folder: &Path) -> Served {
        Served::start(&["--join", folder.to_str().unwrap()])
    }

    pub(crate) fn said(&self, name: &str) -> &str {
        self.ready[name].as_str().unwrap()
    }

    pub(crate) fn signal(&mut self, signal: &str) -> ExitStatus {
        assert!(Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap().success());
        end(&mut self.child)
    }

    /// Whatever else it printed to standard output, once it has ended.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        rest
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
