//! Reasons why the sandbox cannot start.

use std::path::PathBuf;
use std::{fmt, io};

/// Why the sandbox could not start; the text says what to do.
#[derive(Debug)]
pub enum StartError {
    /// The port cannot be bound.
    Port {
        /// The port that was asked for.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// The data folder cannot be created or `sandbox.json` cannot be read.
    Data {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// `sandbox.json` is not what the sandbox writes.
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: String,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port { port, source } if source.kind() == io::ErrorKind::AddrInUse => write!(
                f,
                "port {port} of 127.0.0.1 is taken; stop what uses it, or choose another with \
                 --sandbox-port (cargo local) or --port (the sandbox alone), 0 for any"
            ),
            Self::Port { port, source } => write!(f, "cannot listen on 127.0.0.1:{port}: {source}"),
            Self::Data { path, source } => write!(f, "cannot use {}: {source}", path.display()),
            Self::Corrupt { path, reason } => {
                write!(f, "{} is not a sandbox state ({reason}); move it away to begin anew", path.display())
            }
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Port { source, .. } | Self::Data { source, .. } => Some(source),
            Self::Corrupt { .. } => None,
        }
    }
}
