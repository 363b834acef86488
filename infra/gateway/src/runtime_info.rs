//! The addresses of a running gateway, in the file `engine.json` of its data folder. Joining gateways and
//! `gateway listen` read it.

use crate::data_folder;
use crate::engine;
use crate::error::StartError;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The addresses of a running gateway. The file exists while the gateway runs; a killed one leaves it behind.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RuntimeInfo {
    /// The URL of the gateway, without a trailing slash.
    pub(crate) gateway: String,
    /// The URL of the sandbox, without a trailing slash.
    pub(crate) sandbox: String,
}

impl RuntimeInfo {
    /// Writes the file of a folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), StartError> {
        data_folder::write(&file(folder), &format!("{}\n", json!(self)))
    }

    /// Reads the file of a folder; `None` when there is none or it is not valid.
    pub(crate) fn read(folder: &Path) -> Result<Option<RuntimeInfo>, StartError> {
        Ok(data_folder::read(&file(folder))?.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Removes the file of a folder.
    pub(crate) fn remove(folder: &Path) -> Result<(), StartError> {
        data_folder::remove(&file(folder))
    }

    /// Reads the file of a folder and checks that the engine accepts connections.
    pub(crate) async fn find(folder: &Path) -> Result<RuntimeInfo, StartError> {
        let not_joined = |reason: &str| StartError::not_joined(folder, reason);
        if !folder.is_dir() {
            return Err(not_joined("no such folder"));
        }
        let info = RuntimeInfo::read(folder)?.ok_or_else(|| not_joined("no gateway runs on it"))?;
        if !engine::is_reachable(folder).await {
            return Err(not_joined("its engine does not answer"));
        }
        Ok(info)
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("engine.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_gateway_is_found_when_its_file_exists_and_its_engine_answers() {
        let folder = tempfile::tempdir().unwrap();
        let error = async |folder: &Path| RuntimeInfo::find(folder).await.unwrap_err().to_string();
        assert!(error(&folder.path().join("nowhere")).await.contains("no such folder"));
        assert!(error(folder.path()).await.contains("no gateway runs on it"));
        let url = |port| format!("http://127.0.0.1:{port}");
        let info = RuntimeInfo { gateway: url(1), sandbox: url(2) };
        info.write(folder.path()).unwrap();
        assert!(error(folder.path()).await.contains("does not answer"));
        let listener = std::os::unix::net::UnixListener::bind(engine::socket_path(folder.path())).unwrap();
        assert_eq!(RuntimeInfo::find(folder.path()).await.unwrap().sandbox, info.sandbox);
        drop(listener);
        assert!(error(folder.path()).await.contains("does not answer"));
        RuntimeInfo::remove(folder.path()).unwrap();
        assert!(RuntimeInfo::read(folder.path()).unwrap().is_none());
    }
}
