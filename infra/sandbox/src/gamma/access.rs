//! Who is calling, and what they may reach.
//!
//! TikTok API for Business v1.3: "Authentication", "Return codes".

use super::Gamma;
use super::accounts::Account;
use super::answer::{
    NO_PERMISSION, NO_SUCH_ADVERTISER, NO_SUCH_OBJECT, Refusal, TOKEN_EMPTY, TOKEN_EXPIRED, TOKEN_INVALID,
};
use super::campaign::Kind;
use crate::http::Request;
use crate::oauth::{Consent, Dead};

/// The header of the token, which stands there bare.
pub(crate) const HEADER: &str = "access-token";

/// What the bearer of the token was let in to.
pub(crate) fn authenticate(gamma: &Gamma, request: &Request, now: i64) -> Result<Consent, Refusal> {
    let token = request.header(HEADER).unwrap_or_default();
    if token.is_empty() {
        let why = "Access token is null, you should set it in http header with key Access-Token.";
        return Err(Refusal::new(TOKEN_EMPTY, why));
    }
    gamma.grants.by_access(token, now).map(|grant| grant.consent.clone()).map_err(|dead| match dead {
        Dead::Expired => Refusal::new(TOKEN_EXPIRED, "Access token is expired."),
        Dead::Unknown | Dead::Revoked => dead_token(),
    })
}

pub(crate) fn dead_token() -> Refusal {
    Refusal::new(TOKEN_INVALID, "Access token is incorrect or has been revoked.")
}

/// The place of an advertiser that the consent reaches.
pub(crate) fn reach(gamma: &Gamma, consent: &Consent, advertiser: &str) -> Result<usize, Refusal> {
    let at = gamma.accounts.iter().position(|account| account.id == advertiser);
    let at = at.ok_or_else(|| Refusal::new(NO_SUCH_ADVERTISER, format!("Advertiser {advertiser} does not exist.")))?;
    if consent.accounts.iter().any(|chosen| chosen == advertiser) {
        return Ok(at);
    }
    Err(Refusal::new(NO_PERMISSION, format!("No permission to operate advertiser {advertiser}.")))
}

/// The number of a campaign that may be changed by the addresses of this kind: it is there, it is
/// of that kind, and it is not deleted, which is for good.
pub(crate) fn changeable(account: &Account, field: &str, id: &str, kind: Kind) -> Result<u64, Refusal> {
    let number: u64 = id.parse().map_err(|_| Refusal::at(field, &format!("{id} is no campaign id.")))?;
    let campaign = account.campaigns.get(&number);
    let campaign = campaign.ok_or_else(|| Refusal::new(NO_SUCH_OBJECT, format!("Campaign {id} does not exist.")))?;
    if campaign.kind != kind {
        let own = if kind == Kind::Manual { "/smart_plus/campaign/" } else { "/campaign/" };
        return Err(Refusal::at(field, &format!("Campaign {id} can be changed by {own} only.")));
    }
    if campaign.deleted {
        return Err(Refusal::at(field, &format!("Campaign {id} has been deleted.")));
    }
    Ok(number)
}
