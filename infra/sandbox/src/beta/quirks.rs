//! Quirks: behavior that Meta shows for some apps, accounts and versions.
//!
//! Graph API: Handling Errors, Versioning; Marketing API: Error Codes. Other clients recorded the bodies live. Not
//! verified: the HTTP statuses, the message of 1/2853001, the versions that Meta rejects instead of upgrading, and the
//! code with which the dialog returns. Not observed: `created_otherwise`, which stands for any success that is not what
//! was asked.

use super::campaign::{Budget, Campaign, Status};
use super::error::GraphError;
use crate::ads;
use crate::quirks::Quirk;
use crate::service::RequestContext;

const MISSING_PERMISSIONS: &str = "missing_permissions";
const CODE_1_REFUSALS: &str = "code_1_refusals";
pub(crate) const BARE_190: &str = "bare_190";
const DEAD_VERSIONS: &str = "dead_versions";
const PROOF_104: &str = "proof_104";
pub(crate) const MASKED_REVIEW: &str = "masked_review";
const DIALOG_ERROR: &str = "dialog_error";
const CREATED_OTHERWISE: &str = "created_otherwise";

pub(crate) const QUIRKS: &[Quirk] = &[
    Quirk {
        name: MISSING_PERMISSIONS,
        description: "A missing permission is error (#100) Missing permissions, not 200.",
    },
    Quirk { name: CODE_1_REFUSALS, description: "A rule violation is error 1/2853001 with a user message, not 100." },
    Quirk {
        name: BARE_190,
        description: "The next request adds an ad account whose campaigns and reports fail with 190 without subcode.",
    },
    Quirk { name: DEAD_VERSIONS, description: "A version before v25.0 is error 2635 and not upgraded." },
    Quirk { name: PROOF_104, description: "A wrong appsecret_proof is error 104, not 100." },
    Quirk {
        name: DIALOG_ERROR,
        description: "The login dialog returns with error_code and error_message, and without error; not in \"all\".",
    },
    Quirk {
        name: CREATED_OTHERWISE,
        description: "A new campaign runs, with half the budget that was asked for; not in \"all\".",
    },
    ads::UNKNOWN_WORD,
    ads::LATE_STATUS,
    ads::MANY_ADS,
    Quirk {
        name: MASKED_REVIEW,
        description: "An ad set is paused, and masks what the review says about its ads: they are ADSET_PAUSED.",
    },
];

/// A new campaign as the quirk `created_otherwise` stores it.
pub(crate) fn stored(campaign: Campaign, context: &RequestContext<'_>) -> Campaign {
    if !context.quirk(CREATED_OTHERWISE) {
        return campaign;
    }
    let half = |budget: Budget| match budget {
        Budget::Daily(amount) => Budget::Daily(amount / 2),
        Budget::Lifetime(amount) => Budget::Lifetime(amount / 2),
    };
    Campaign { status: Status::Active, budget: campaign.budget.map(half), ..campaign }
}

/// What the login dialog returns with under the quirk `dialog_error`.
pub(crate) fn dialog_error(context: &RequestContext<'_>) -> Option<[(&'static str, &'static str); 2]> {
    let message = "Can't load URL: The domain of this URL isn't included in the app's domains.";
    context.quirk(DIALOG_ERROR).then_some([("error_code", "1349048"), ("error_message", message)])
}

/// The account that the quirk `bare_190` adds. Its id is below all others, so that it does not change the ids of new
/// accounts.
pub(crate) const BARE_190_ACCOUNT: u64 = 1_203_004_005_000_190;

/// What a call for a page says when its user lacks a permission there (recorded live by another client).
const PAGE_PERMISSION: &str = "Any of the pages_read_engagement, pages_manage_metadata, pages_read_user_content, \
    pages_manage_ads, pages_show_list or pages_messaging permission(s) must be granted before impersonating a user's page.";

/// The oldest version that the quirk `dead_versions` accepts.
const MIN_VERSION: u32 = 25;

/// Rejects a deprecated version.
pub(crate) fn check_version(path: &str, context: &RequestContext<'_>) -> Result<(), GraphError> {
    let version = path.trim_start_matches('/').split('.').next().and_then(|text| text.strip_prefix('v'));
    let number = version.and_then(|number| number.parse::<u32>().ok());
    let is_deprecated = number.is_some_and(|number| number < MIN_VERSION);
    if context.quirk(DEAD_VERSIONS) && is_deprecated { Err(GraphError::deprecated_version()) } else { Ok(()) }
}

/// Rejects campaigns and reports of the quirk account with the error of page endpoints. The grant stays valid.
pub(crate) fn check_account(account_id: u64, context: &RequestContext<'_>) -> Result<(), GraphError> {
    if context.quirk(BARE_190) && account_id == BARE_190_ACCOUNT {
        return Err(GraphError::new(400, 190, PAGE_PERMISSION));
    }
    Ok(())
}

/// Rewrites an error as the active quirks do.
pub(crate) fn reworded(error: GraphError, context: &RequestContext<'_>) -> GraphError {
    if error.is_permission_denied() && context.quirk(MISSING_PERMISSIONS) {
        return GraphError::new(400, 100, "(#100) Missing permissions");
    }
    if error.is_invalid_proof() && context.quirk(PROOF_104) {
        return GraphError::new(400, 104, "Incorrect signature");
    }
    if error.is_rule_violation() && context.quirk(CODE_1_REFUSALS) { error.into_code_1() } else { error }
}
