//! Why the gateway or its command line cannot go on, in words for the person who started it.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why the gateway could not start; the text says what to do.
#[derive(Debug)]
pub enum StartError {
    /// The port cannot be bound.
    Port {
        /// The port that was asked for.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// A file or folder cannot be used.
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file does not hold what belongs there.
    Content {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it and what to do.
        reason: String,
    },
    /// Another process works on the data folder.
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// A token key ring that the vault would not take, and why.
    KeyRing(String),
    /// There is no gateway to join.
    NotJoined {
        /// The folder that one was looked for in.
        folder: PathBuf,
        /// What there is instead.
        reason: String,
    },
    /// The sandbox did not start.
    Sandbox(sandbox::StartError),
    /// A part of the service refused to be put together.
    Service(Box<dyn std::error::Error + Send + Sync>),
}

impl StartError {
    pub(crate) fn not_joined(folder: &Path, reason: &str) -> StartError {
        StartError::NotJoined { folder: folder.to_owned(), reason: reason.to_owned() }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Port { port, source } if source.kind() == io::ErrorKind::AddrInUse => write!(
                f,
                "port {port} of 127.0.0.1 is taken: stop what uses it, or choose another with --port (--port 0 takes any)"
            ),
            StartError::Port { port, source } => write!(f, "cannot listen on 127.0.0.1:{port}: {source}"),
            StartError::File { path, source } => write!(f, "cannot use {}: {source}", path.display()),
            StartError::Content { path, reason } => write!(f, "{} {reason}", path.display()),
            StartError::InUse { folder } => write!(
                f,
                "the folder {} is in use by another gateway: stop that one, or choose another folder with --data",
                folder.display()
            ),
            StartError::KeyRing(reason) => write!(f, "the token keys stay as they are: {reason}"),
            StartError::NotJoined { folder, reason } => write!(
                f,
                "no gateway to join on {folder}: {reason}; start one with `cargo local --data {folder}`",
                folder = folder.display()
            ),
            StartError::Sandbox(error) => write!(f, "the sandbox did not start: {error}"),
            StartError::Service(error) => write!(f, "the service did not start: {error}"),
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StartError::Port { source, .. } | StartError::File { source, .. } => Some(source),
            StartError::Sandbox(error) => Some(error),
            StartError::Service(error) => Some(error.as_ref()),
            StartError::Content { .. }
            | StartError::InUse { .. }
            | StartError::KeyRing(_)
            | StartError::NotJoined { .. } => None,
        }
    }
}

/// The system gave no random bytes: keys cannot be made.
pub(crate) fn no_randomness() -> StartError {
    StartError::Service("the system gave no random bytes".into())
}
