//! The spend of campaigns. A campaign is returned without its spend if the report fails.

use crate::domain::Platform;
use crate::error::{Error, Kind};

/// A report, or `None` if it failed. Only a refused token is an error, so that the caller refreshes it.
pub fn optional<T>(platform: Platform, report: Result<T, Error>) -> Result<Option<T>, Error> {
    match report {
        Ok(report) => Ok(Some(report)),
        Err(error) if error.kind == Kind::TokenExpired => Err(error),
        Err(error) => {
            tracing::warn!(%platform, %error, source = error.source, "spend was not read");
            Ok(None)
        }
    }
}
