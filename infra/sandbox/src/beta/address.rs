//! The addresses of the Graph API and of its login dialog.
//!
//! Graph API: Overview; Versioning. A version that is switched off is answered by one that is
//! not, without a word.

use super::error::GraphError;

/// The person whose consent every grant is, as the app sees them.
pub(crate) const USER: &str = "10220000000000001";

/// The newest version there is.
const NEWEST: u32 = 26;

/// What an address names. Ids stand as they are in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Address<'r> {
    Dialog,
    Token,
    Debug,
    Me,
    MyAccounts,
    MyPermissions,
    Account(&'r str),
    Campaigns(&'r str),
    AccountInsights(&'r str),
    Node(&'r str),
    NodeInsights(&'r str),
}

/// What is at a path.
pub(crate) fn address(path: &str) -> Result<Address<'_>, GraphError> {
    let unknown = || GraphError::new(400, 2500, format!("Unknown path components: {path}"));
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let rest = match parts.as_slice() {
        // The page about this address shows it without a version.
        ["debug_token"] => return Ok(Address::Debug),
        [version, rest @ ..] if is_version(version) => rest,
        _ => return Err(unknown()),
    };
    Ok(match *rest {
        ["dialog", "oauth"] => Address::Dialog,
        ["oauth", "access_token"] => Address::Token,
        ["debug_token"] => Address::Debug,
        ["me" | USER] => Address::Me,
        ["me" | USER, "adaccounts"] => Address::MyAccounts,
        ["me" | USER, "permissions"] => Address::MyPermissions,
        [id] if id.starts_with("act_") => Address::Account(id),
        [id, "campaigns"] if id.starts_with("act_") => Address::Campaigns(id),
        [id, "insights"] if id.starts_with("act_") => Address::AccountInsights(id),
        [id] => Address::Node(id),
        [id, "insights"] => Address::NodeInsights(id),
        _ => return Err(unknown()),
    })
}

fn is_version(text: &str) -> bool {
    let number = text.strip_prefix('v').and_then(|text| text.strip_suffix(".0"));
    number.and_then(|text| text.parse::<u32>().ok()).is_some_and(|number| (1..=NEWEST).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_a_version_that_exists_name_objects_and_edges() {
        assert_eq!(address("/v26.0/act_1/campaigns"), Ok(Address::Campaigns("act_1")));
        assert_eq!(address("/v26.0/me/adaccounts/"), Ok(Address::MyAccounts));
        assert_eq!(address("/v12.0/120"), Ok(Address::Node("120")));
        for bad in ["/act_1/campaigns", "/v27.0/me", "/v26/me", "/26.0/me", "/v26.0/act_1/adimages", "/"] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }
}
