//! Routes of the Graph API and the login dialog.
//!
//! Graph API: Overview; Versioning. A current version silently serves requests to a deprecated one.

use super::error::GraphError;

/// The app-scoped id of the one user.
pub(crate) const USER: &str = "10220000000000001";

const NEWEST_VERSION: u32 = 26;

/// The endpoint of a request, with the ids of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route<'r> {
    Dialog,
    Token,
    DebugToken,
    Me,
    MyAccounts,
    MyPermissions,
    Account(&'r str),
    Campaigns(&'r str),
    AccountInsights(&'r str),
    Node(&'r str),
    NodeInsights(&'r str),
    AccountAds(&'r str),
    NodeAds(&'r str),
}

impl<'r> Route<'r> {
    /// Matches a path.
    pub(crate) fn parse(path: &'r str) -> Result<Self, GraphError> {
        let unknown = || GraphError::new(400, 2500, format!("Unknown path components: {path}"));
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let rest = match parts.as_slice() {
            // The documentation shows this path without a version.
            ["debug_token"] => return Ok(Route::DebugToken),
            [version, rest @ ..] if is_version(version) => rest,
            _ => return Err(unknown()),
        };
        Ok(match *rest {
            ["dialog", "oauth"] => Route::Dialog,
            ["oauth", "access_token"] => Route::Token,
            ["debug_token"] => Route::DebugToken,
            ["me" | USER] => Route::Me,
            ["me" | USER, "adaccounts"] => Route::MyAccounts,
            ["me" | USER, "permissions"] => Route::MyPermissions,
            [id] if id.starts_with("act_") => Route::Account(id),
            [id, "campaigns"] if id.starts_with("act_") => Route::Campaigns(id),
            [id, "insights"] if id.starts_with("act_") => Route::AccountInsights(id),
            [id] => Route::Node(id),
            [id, "insights"] => Route::NodeInsights(id),
            [id, "ads"] if id.starts_with("act_") => Route::AccountAds(id),
            [id, "ads"] => Route::NodeAds(id),
            _ => return Err(unknown()),
        })
    }
}

fn is_version(text: &str) -> bool {
    let number = text.strip_prefix('v').and_then(|text| text.strip_suffix(".0"));
    number.and_then(|text| text.parse::<u32>().ok()).is_some_and(|number| (1..=NEWEST_VERSION).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_a_known_version_name_objects_and_edges() {
        assert_eq!(Route::parse("/v26.0/act_1/campaigns"), Ok(Route::Campaigns("act_1")));
        assert_eq!(Route::parse("/v26.0/me/adaccounts/"), Ok(Route::MyAccounts));
        assert_eq!(Route::parse("/v12.0/120"), Ok(Route::Node("120")));
        for bad in ["/act_1/campaigns", "/v27.0/me", "/v26/me", "/26.0/me", "/v26.0/act_1/adimages", "/"] {
            assert!(Route::parse(bad).is_err(), "{bad}");
        }
    }
}
