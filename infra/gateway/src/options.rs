//! Options of a gateway.

use std::path::PathBuf;

/// The data folder when the command line names none.
pub(crate) const DEFAULT_FOLDER: &str = ".local";

/// Port, sandbox and storage of a gateway.
#[derive(Clone, Debug)]
pub struct Options {
    /// Port of the gateway on 127.0.0.1; 0 takes any free one.
    pub port: u16,
    /// The sandbox that imitates the ad platforms. Ignored with [`Storage::Shared`], which uses the sandbox of the
    /// gateway that it joins.
    pub sandbox: SandboxChoice,
    /// Storage of customers, connections and campaigns.
    pub storage: Storage,
}

/// The sandbox of a gateway.
#[derive(Clone, Debug)]
pub enum SandboxChoice {
    /// A sandbox in this process.
    Start {
        /// Its port on 127.0.0.1; 0 takes any free one.
        port: u16,
    },
    /// The URL of a running sandbox.
    Use(String),
}

/// Storage of a gateway.
#[derive(Clone, Debug)]
pub enum Storage {
    /// Memory: all data is lost when the gateway stops.
    Memory,
    /// A data folder, created if absent.
    Folder(PathBuf),
    /// The table, the secrets and the sandbox of the gateway that runs on this folder. The new gateway works like one
    /// more instance of the deployed functions, and only reads the folder.
    Shared(PathBuf),
}

impl Storage {
    /// The folder that this gateway owns and writes to.
    pub(crate) fn folder(&self) -> Option<&PathBuf> {
        match self {
            Storage::Folder(folder) => Some(folder),
            Storage::Memory | Storage::Shared(_) => None,
        }
    }

    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, Storage::Shared(_))
    }
}
