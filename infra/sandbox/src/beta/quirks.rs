//! Quirks: what Meta does to some apps, accounts and versions.
//!
//! Graph API: Handling Errors, Versioning; Marketing API: Error Codes. The bodies are those that other clients recorded
//! live. Not verified: the HTTP statuses, the message beside 1/2853001, and which versions are refused and not served.

use super::accounts::Account;
use super::error::GraphError;
use crate::platform::RequestContext;
use crate::quirks::Quirk;

const MISSING_PERMISSIONS: &str = "missing_permissions";
const CODE_1_REFUSALS: &str = "code_1_refusals";
const BARE_190: &str = "bare_190";
const DEAD_VERSIONS: &str = "dead_versions";
const PROOF_104: &str = "proof_104";

pub(crate) const QUIRKS: &[Quirk] = &[
    Quirk { name: MISSING_PERMISSIONS, what: "A missing right is refused as (#100) Missing permissions, not as 200." },
    Quirk { name: CODE_1_REFUSALS, what: "A broken rule is refused as 1/2853001 with words for the user, not as 100." },
    Quirk {
        name: BARE_190,
        what: "One more ad account opens with the next request; its campaigns and reports answer 190 without subcode.",
    },
    Quirk { name: DEAD_VERSIONS, what: "A version before v25.0 is refused with 2635 and not served by a newer one." },
    Quirk { name: PROOF_104, what: "A wrong appsecret_proof is refused as 104, not as 100." },
];

/// The account that the quirk `bare_190` opens. Its id is below all others, so that new accounts are numbered as ever.
pub(crate) const BARE_190_ACCOUNT: u64 = 1_203_004_005_000_190;

/// The oldest version that is not dead.
const OLDEST: u32 = 25;

/// Opens the accounts that a quirk is about, once.
pub(crate) fn open_accounts(accounts: &mut Vec<Account>, moment: &RequestContext<'_>) {
    if moment.quirk(BARE_190) && !accounts.iter().any(|account| account.id == BARE_190_ACCOUNT) {
        accounts.push(Account::new(BARE_190_ACCOUNT, "Harbour Coffee Pages", "USD", "America/New_York"));
    }
}

/// Refuses a request to a version that is dead.
pub(crate) fn check_version(path: &str, moment: &RequestContext<'_>) -> Result<(), GraphError> {
    let version = path.trim_start_matches('/').split('.').next().and_then(|text| text.strip_prefix('v'));
    let is_dead = version.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number < OLDEST);
    if moment.quirk(DEAD_VERSIONS) && is_dead { Err(GraphError::dead_version()) } else { Ok(()) }
}

/// Refuses campaigns and reports of the account that answers as page endpoints do. The grant is alive.
pub(crate) fn check_account(account: &Account, moment: &RequestContext<'_>) -> Result<(), GraphError> {
    if moment.quirk(BARE_190) && account.id == BARE_190_ACCOUNT {
        return Err(GraphError::new(400, 190, "Invalid OAuth 2.0 Access Token"));
    }
    Ok(())
}

/// A refusal in the form that the quirks give it.
pub(crate) fn reworded(error: GraphError, moment: &RequestContext<'_>) -> GraphError {
    if error.is_denial() && moment.quirk(MISSING_PERMISSIONS) {
        return GraphError::new(400, 100, "(#100) Missing permissions");
    }
    if error.is_bad_proof() && moment.quirk(PROOF_104) {
        return GraphError::new(400, 104, "Incorrect signature");
    }
    if error.is_rule() && moment.quirk(CODE_1_REFUSALS) { error.into_code_1() } else { error }
}
