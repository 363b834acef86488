//! The file `secrets.json` of a data folder.

use super::{Values, validate_ring};
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

/// Reads the file; `None` when there is none. The key ring in it must be valid: a new one would open no stored token.
pub(super) fn read_values(path: &Path) -> Result<Option<Values>, StartError> {
    let Some(text) = data_folder::read(path)? else { return Ok(None) };
    let values: Values = serde_json::from_str(&text).map_err(|error| {
        // The position alone: the parser's message would quote a secret.
        let (line, column) = (error.line(), error.column());
        refused(path, &format!("does not hold the gateway's secrets (line {line}, column {column})"))
    })?;
    let ring = values.get(names::TOKEN_KEYS);
    let ring = ring.ok_or_else(|| refused(path, &format!("lacks {}, the key ring", names::TOKEN_KEYS)))?;
    validate_ring(ring)
        .map_err(|reason| refused(path, &format!("has no valid key ring in {}: {reason}", names::TOKEN_KEYS)))?;
    Ok(Some(values))
}

/// The error for a file without which the database cannot be used.
pub(super) fn refused(path: &Path, found: &str) -> StartError {
    let reason = format!(
        "{found}. Without it the tokens of all connections are lost: restore it from a backup, or move the whole folder \
         away to start anew"
    );
    StartError::Content { path: path.to_owned(), reason }
}

/// Writes the values, except for the platform clients, which the sandbox defines.
pub(super) fn write_values(path: &Path, values: &Values) -> Result<(), StartError> {
    let stored: BTreeMap<_, _> = values.iter().filter(|(name, _)| *name != names::PLATFORM_CLIENTS).collect();
    data_folder::write(path, &format!("{:#}\n", json!(stored)))
}
