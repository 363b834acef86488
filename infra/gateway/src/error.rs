//! Errors that keep the gateway or its command line from starting.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// The gateway could not start. The message says what to do.
#[derive(Debug)]
pub enum StartError {
    /// The port cannot be bound.
    Port {
        port: u16,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A port for containers cannot be bound.
    ContainerPort {
        address: SocketAddr,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A port at the address of `--host` cannot be bound.
    Host {
        address: SocketAddr,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file or folder cannot be read or written.
    File {
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file has invalid content.
    Content {
        path: PathBuf,
        /// The fault and the remedy.
        reason: String,
    },
    /// Another process holds the lock of the data folder.
    InUse { folder: PathBuf },
    /// The vault does not accept a token key ring, for this reason.
    KeyRing(String),
    /// No gateway to join runs on the folder.
    NotJoined { folder: PathBuf, reason: String },
    /// The sandbox did not start.
    Sandbox(sandbox::StartError),
    /// A part of the service did not start.
    Service(Box<dyn std::error::Error + Send + Sync>),
}

impl StartError {
    pub(crate) fn not_joined(folder: &Path, reason: &str) -> StartError {
        StartError::NotJoined { folder: folder.to_owned(), reason: reason.to_owned() }
    }

    /// The operating system returned no random bytes, so no key can be generated.
    pub(crate) fn no_randomness() -> StartError {
        StartError::Service("the operating system returned no random bytes".into())
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Port { port, source } if source.kind() == io::ErrorKind::AddrInUse => write!(
                f,
                "port {port} of 127.0.0.1 is in use: stop the process that uses it, or choose another port with --port \
                 (--port 0 takes any free one)"
            ),
            StartError::Port { port, source } => write!(f, "cannot listen on 127.0.0.1:{port}: {source}"),
            StartError::ContainerPort { address, source } if source.kind() == io::ErrorKind::AddrInUse => write!(
                f,
                "{address} is in use, and functions in containers need this port: stop the process that uses it, such as \
                 another gateway with --containers, or LocalStack"
            ),
            StartError::ContainerPort { address, source } | StartError::Host { address, source } => {
                write!(f, "cannot listen on {address}: {source}")
            }
            StartError::File { path, source } => f.write_str(&sandbox::file_error(path, source)),
            StartError::Content { path, reason } => write!(f, "{} {reason}", path.display()),
            StartError::InUse { folder } => write!(
                f,
                "the folder {} is in use by another gateway: stop that gateway, or choose another folder with --data",
                folder.display()
            ),
            StartError::KeyRing(reason) => write!(f, "the token keys were not replaced: {reason}"),
            StartError::NotJoined { folder, reason } => write!(
                f,
                "cannot join a gateway on {folder}: {reason}; start one with `cargo local --data {folder}`",
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
            StartError::Port { source, .. }
            | StartError::ContainerPort { source, .. }
            | StartError::Host { source, .. }
            | StartError::File { source, .. } => Some(source),
            StartError::Sandbox(error) => Some(error),
            StartError::Service(error) => Some(error.as_ref()),
            StartError::Content { .. }
            | StartError::InUse { .. }
            | StartError::KeyRing(_)
            | StartError::NotJoined { .. } => None,
        }
    }
}
