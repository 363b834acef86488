//! The file `secrets.json` of a data folder.

use super::Values;
use crate::data_folder;
use crate::error::StartError;
use serde_json::json;
use shared::secrets::names;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The path of the file in a folder.
pub(super) fn secrets_file(folder: &Path) -> PathBuf {
    folder.join("secrets.json")
}

/// Reads the file; an absent one has no values.
pub(super) fn read_values(path: &Path) -> Result<Values, StartError> {
    let Some(text) = data_folder::read(path)? else { return Ok(Values::new()) };
    serde_json::from_str(&text).map_err(|error| StartError::Content {
        path: path.to_owned(),
        // The position alone: the parser's message would quote a secret.
        reason: format!(
            "does not hold the gateway's secrets (line {}, column {}): move the whole folder away to start afresh",
            error.line(),
            error.column()
        ),
    })
}

/// Writes the values, except for the platform clients, which the sandbox defines.
pub(super) fn write_values(path: &Path, values: &Values) -> Result<(), StartError> {
    let stored: BTreeMap<_, _> = values.iter().filter(|(name, _)| *name != names::PLATFORM_CLIENTS).collect();
    data_folder::write(path, &format!("{:#}\n", json!(stored)))
}
