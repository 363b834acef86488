//! Runs the `gateway` program in a process of its own.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const EXIT_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) fn gateway(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gateway"));
    // The tests depend on the default log level, and on the stack that the program gives its threads.
    command
        .args(arguments)
        .env_remove("RUST_LOG")
        .env_remove("RUST_MIN_STACK")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits until a process exits; kills it and panics after a minute.
pub(crate) fn wait(child: &mut Child) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if started.elapsed() > EXIT_TIMEOUT {
            child.kill().unwrap();
            panic!("the gateway did not exit");
        }
        sleep(Duration::from_millis(20));
    }
}

/// A running gateway. Dropping it kills the process.
pub(crate) struct GatewayProcess {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub(crate) ready: Value,
}

impl GatewayProcess {
    pub(crate) fn start(more: &[&str]) -> GatewayProcess {
        GatewayProcess::start_at("0", more)
    }

    fn start_at(port: &str, more: &[&str]) -> GatewayProcess {
        let arguments = [&["--sandbox", "--port", port, "--json"], more].concat();
        let mut child = gateway(&arguments).stderr(Stdio::null()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        GatewayProcess { child, stdout, ready: serde_json::from_str(&line).unwrap() }
    }

    pub(crate) fn on(folder: &Path) -> GatewayProcess {
        GatewayProcess::start(&["--sandbox-port", "0", "--data", folder.to_str().unwrap()])
    }

    /// On a folder, at the port of an earlier gateway.
    pub(crate) fn on_port(port: &str, folder: &Path) -> GatewayProcess {
        GatewayProcess::start_at(port, &["--sandbox-port", "0", "--data", folder.to_str().unwrap()])
    }

    /// Joins the gateway that runs on a folder.
    pub(crate) fn joining(folder: &Path) -> GatewayProcess {
        GatewayProcess::start(&["--join", folder.to_str().unwrap()])
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// A field of the line that `--json` prints.
    pub(crate) fn field(&self, name: &str) -> &str {
        self.ready[name].as_str().unwrap()
    }

    /// Sends a request with the demo customer's key and returns the head and the body of the response.
    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(self.field("gateway").trim_start_matches("http://")).unwrap();
        let (key, length) = (self.field("api_key"), body.len());
        let head = format!("{method} {path} HTTP/1.1\r\nHost: h\r\nX-API-Key: {key}\r\nConnection: close\r\n");
        let about_body = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
        write!(stream, "{head}{}\r\n{body}", if body.is_empty() { "" } else { &about_body }).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    pub(crate) fn signal(&mut self, signal: &str) -> ExitStatus {
        assert!(Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap().success());
        wait(&mut self.child)
    }

    /// The rest of standard output, after the process has exited.
    pub(crate) fn remaining_output(&mut self) -> String {
        let mut output = String::new();
        self.stdout.read_to_string(&mut output).unwrap();
        output
    }
}

impl Drop for GatewayProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
