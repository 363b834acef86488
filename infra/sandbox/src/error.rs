//! Errors at the start of the sandbox.

use crate::disk::file_error;
use std::path::PathBuf;
use std::{fmt, io};

/// Reason why the sandbox could not start. Its text says how to fix it.
#[derive(Debug)]
pub enum StartError {
    /// The port cannot be bound.
    Port {
        port: u16,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The data folder cannot be created, or `sandbox.json` cannot be read or written.
    Data {
        /// The folder or file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// `sandbox.json` does not parse.
    Corrupt {
        path: PathBuf,
        /// Parse error with line and column.
        reason: String,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port { port, source } if source.kind() == io::ErrorKind::AddrInUse => write!(
                f,
                "port {port} of 127.0.0.1 is in use; stop the process that uses it, or choose another port with \
                 --sandbox-port (cargo local) or --port (the sandbox alone), 0 for any"
            ),
            Self::Port { port, source } => write!(f, "cannot listen on 127.0.0.1:{port}: {source}"),
            Self::Data { path, source } => f.write_str(&file_error(path, source)),
            Self::Corrupt { path, reason } => {
                write!(f, "{} is not a sandbox state ({reason}); move the file away to start empty", path.display())
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
