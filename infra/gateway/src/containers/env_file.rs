//! The file `env.json` of a data folder: the variables of functions in containers, with the folder's token.

use crate::data_folder;
use crate::error::StartError;
use crate::secrets::generate;
use std::path::{Path, PathBuf};

/// The variables with a placeholder for the token.
pub(super) const TEMPLATE: &str = include_str!("../../../env.json");
/// The placeholder: the path of both endpoints.
const PLACEHOLDER: &str = "TOKEN";

/// The token of a folder, created if absent. It stays the same, so that containers outlive a restart of the gateway.
pub(super) fn token(folder: &Path) -> Result<String, StartError> {
    let path = folder.join("container-token");
    if let Some(token) = data_folder::read(&path)?.filter(|token| !token.is_empty()) {
        return Ok(token);
    }
    let token = generate::token()?;
    data_folder::write(&path, &token)?;
    Ok(token)
}

/// Writes the file.
pub(super) fn write(folder: &Path, token: &str) -> Result<PathBuf, StartError> {
    let path = folder.join("env.json");
    data_folder::write(&path, &TEMPLATE.replace(PLACEHOLDER, token))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_stays_and_both_endpoints_have_it() {
        let folder = tempfile::tempdir().unwrap();
        let token = token(folder.path()).unwrap();
        assert_eq!(super::token(folder.path()).unwrap(), token);
        let text = std::fs::read_to_string(write(folder.path(), &token).unwrap()).unwrap();
        let file: serde_json::Value = serde_json::from_str(&text).unwrap();
        for name in ["DYNAMODB_ENDPOINT", "SECRETS_MANAGER_ENDPOINT"] {
            assert!(file["Parameters"][name].as_str().unwrap().ends_with(&format!("/{token}")), "{name}");
        }
        assert!(token.len() > 40 && !text.contains(PLACEHOLDER), "{text}");
    }
}
