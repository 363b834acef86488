//! The API that is asked for events, and the key.

use super::Failure;
use crate::demo;
use crate::options::DEFAULT_FOLDER;
use crate::runtime_info::RuntimeInfo;
use shared::app::optional_env;
use shared::auth::ApiKey;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Pause between two polls with a customer's key: 720 requests of its quota in an hour.
const INTERVAL: Duration = Duration::from_secs(5);
/// Pause with the demo customer's key, which uses no quota of a customer.
const DEMO_INTERVAL: Duration = Duration::from_secs(1);

/// An API and how to ask it.
pub(super) struct Source {
    /// Base URL, without a trailing slash.
    pub(super) url: String,
    /// Pause between two polls.
    pub(super) interval: Duration,
    pub(super) key: ApiKey,
}

impl Source {
    /// The named API, else the gateway that runs on a data folder. The key of the environment takes precedence over that
    /// of the demo customer, which no other API is sent.
    pub(super) async fn choose(api: Option<String>, folder: Option<PathBuf>) -> Result<Source, Failure> {
        let key = key_of_environment()?;
        match (api, folder) {
            (Some(_), Some(_)) => Err("--api and --data exclude each other: pass one of them".into()),
            (Some(url), None) => {
                let key = key.ok_or_else(|| format!("no API key for {url}: set UNIFIED_ADS_KEY"))?;
                Ok(Source { url, interval: INTERVAL, key })
            }
            (None, folder) => Source::of_folder(&folder.unwrap_or_else(|| PathBuf::from(DEFAULT_FOLDER)), key).await,
        }
    }

    async fn of_folder(folder: &Path, key: Option<ApiKey>) -> Result<Source, Failure> {
        let no_gateway = || {
            let folder = folder.display();
            format!("no gateway runs on the folder {folder}: start one with `cargo local`, or name an API with --api")
        };
        // A key is sent to a gateway that runs, not to whatever listens where one ran.
        let url = RuntimeInfo::find(folder).await.map_err(|_| no_gateway())?.gateway;
        if let Some(key) = key {
            return Ok(Source { url, interval: INTERVAL, key });
        }
        let key = demo::read_key(folder)?.ok_or_else(no_gateway)?;
        Ok(Source { url, interval: DEMO_INTERVAL, key })
    }
}

/// The key comes from the environment, because the list of processes shows a command line. The error does not quote it.
fn key_of_environment() -> Result<Option<ApiKey>, Failure> {
    let Some(text) = optional_env("UNIFIED_ADS_KEY") else { return Ok(None) };
    let key = ApiKey::parse(&text);
    key.map(Some).ok_or_else(|| "UNIFIED_ADS_KEY is not an API key, such as uac_test_...".into())
}
