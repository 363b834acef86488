//! How a running gateway is reached, in a file of its folder: for `gateway admin`, and for those that join it.

use crate::data;
use crate::engine;
use crate::error::StartError;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Where a running gateway's parts listen. The file is there from when they answer until they no longer do; a gateway
/// that was killed leaves it behind.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Presence {
    /// The engine: `http://127.0.0.1:PORT`.
    pub(crate) endpoint: String,
    /// The sandbox, without a slash at the end.
    pub(crate) sandbox: String,
}

impl Presence {
    /// Says that a gateway runs on a folder.
    pub(crate) fn announce(&self, folder: &Path) -> Result<(), StartError> {
        data::write(&file(folder), &format!("{}\n", json!(self)))
    }

    /// What a folder says; `None` when it says nothing.
    pub(crate) fn read(folder: &Path) -> Result<Option<Presence>, StartError> {
        Ok(data::read(&file(folder))?.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Says that no gateway runs on a folder.
    pub(crate) fn withdraw(folder: &Path) -> Result<(), StartError> {
        data::remove(&file(folder))
    }

    /// The gateway that runs on a folder; there must be one, and it must answer.
    pub(crate) async fn find(folder: &Path) -> Result<Presence, StartError> {
        let refused = |reason: &str| StartError::not_joined(folder, reason);
        if !folder.is_dir() {
            return Err(refused("there is no such folder"));
        }
        let presence = Presence::read(folder)?.ok_or_else(|| refused("no gateway runs on it"))?;
        if !engine::answers(&presence.endpoint).await {
            return Err(refused(&format!("its engine at {} does not answer", presence.endpoint)));
        }
        Ok(presence)
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("engine.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_gateway_is_found_only_where_one_says_so_and_answers() {
        let folder = tempfile::tempdir().unwrap();
        let said = async |folder: &Path| Presence::find(folder).await.unwrap_err().to_string();
        assert!(said(&folder.path().join("nowhere")).await.contains("no such folder"));
        assert!(said(folder.path()).await.contains("no gateway runs on it"));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        Presence { endpoint: endpoint.clone(), sandbox: "http://127.0.0.1:1".to_owned() }
            .announce(folder.path())
            .unwrap();
        assert_eq!(Presence::find(folder.path()).await.unwrap().endpoint, endpoint);
        drop(listener);
        assert!(said(folder.path()).await.contains(&endpoint));
        Presence::withdraw(folder.path()).unwrap();
        assert!(Presence::read(folder.path()).unwrap().is_none());
    }
}
