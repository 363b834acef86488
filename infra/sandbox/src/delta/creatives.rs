//! Creatives, the platform's ads: their finder, and why one is not served.
//!
//! Marketing API: "Create and Manage Creatives", "Search For Creatives". Not verified: the words of
//! `rejectionReasons`, and the response to a long query, which the documentation sends as the body of a POST.

use super::accounts::Account;
use super::campaign;
use super::entity::Entity;
use super::error::{error_response, invalid_param, unknown_resource};
use super::pages;
use super::restli::{Query, RestliValue};
use super::schema::{CAMPAIGN_URN, CREATIVE_URN, urn_id};
use crate::ads::{Ad, AdState, Ads, UNHEARD_OF, UNKNOWN_WORD};
use crate::http::{Request, Response};
use crate::service::RequestContext;
use serde_json::{Value, json};

const MAX_PAGE_SIZE: usize = 100;
const MAX_QUERY_BYTES: usize = 4_096;

/// The supported criteria. Each is a list, and an empty one matches everything.
const CRITERIA: [&str; 3] = ["campaigns", "creatives", "intendedStatuses"];

const INTENDED_STATUSES: &[&str] =
    &["ACTIVE", "PAUSED", "DRAFT", "ARCHIVED", "CANCELED", "PENDING_DELETION", "REMOVED"];

/// The finder `criteria`: one page of creatives.
pub(super) fn find(
    account: &Account,
    ads: &Ads,
    request: &Request,
    context: &RequestContext<'_>,
) -> Result<Response, Response> {
    if request.query.len() > MAX_QUERY_BYTES {
        return Err(error_response(414, "URI_TOO_LONG", "The request URI is too long"));
    }
    let query = Query::read(request, &[pages::PARAMETERS, &CRITERIA].concat())?;
    // Measured by a client: the finder of campaigns is no resource here.
    query.check_finder("criteria").map_err(|_| unknown_resource(&request.path))?;
    let [campaigns, creatives, statuses] = CRITERIA;
    let (campaigns, creatives) = (ids(&query, campaigns, CAMPAIGN_URN)?, ids(&query, creatives, CREATIVE_URN)?);
    let statuses = intended_statuses(&query, statuses)?;
    let now = context.now.as_millisecond();
    let is_wanted = |ids: &[i64], id: i64| ids.is_empty() || ids.contains(&id);
    let mut found = Vec::new();
    for campaign in account.campaigns.values().filter(|campaign| is_wanted(&campaigns, campaign.id)) {
        let holds = campaign::serving_statuses(account, campaign, ads, now);
        for ad in ads.of(&campaign.id.to_string(), context) {
            let id = i64::try_from(ad.id).unwrap_or(i64::MAX);
            let is_intended = statuses.is_empty() || statuses.iter().any(|status| status == intended_status(&ad));
            if is_wanted(&creatives, id) && is_intended {
                found.push((id, creative(account, campaign, &holds, &ad, context)));
            }
        }
    }
    found.sort_by_key(|(id, _)| *id);
    let criteria = CRITERIA.map(|name| query.raw(name).unwrap_or_default()).join("&");
    Ok(pages::page(&query, context, &criteria, MAX_PAGE_SIZE, found)?.response())
}

/// The texts of a list parameter.
fn texts(query: &Query<'_>, name: &str) -> Result<Vec<String>, Response> {
    let list = query.data(name)?.unwrap_or(RestliValue::List(Vec::new()));
    let texts = list.texts().ok_or_else(|| invalid_param(name, "The parameter must be a list"))?;
    Ok(texts.into_iter().map(str::to_owned).collect())
}

/// The ids of a list of URNs.
fn ids(query: &Query<'_>, name: &str, prefix: &str) -> Result<Vec<i64>, Response> {
    let id = |urn: &String| {
        let why = || invalid_param(name, format!("{urn} is not a URN of this parameter"));
        urn_id(urn, prefix).ok_or_else(why)
    };
    texts(query, name)?.iter().map(id).collect()
}

fn intended_statuses(query: &Query<'_>, name: &str) -> Result<Vec<String>, Response> {
    let statuses = texts(query, name)?;
    match statuses.iter().find(|status| !INTENDED_STATUSES.contains(&status.as_str())) {
        Some(invalid) => Err(invalid_param(name, format!("{invalid} is not an intended status"))),
        None => Ok(statuses),
    }
}

/// The status that the advertiser set.
fn intended_status(ad: &Ad) -> &'static str {
    if ad.state == AdState::Paused { "PAUSED" } else { "ACTIVE" }
}

/// A creative. `campaign_holds` are the serving statuses of its campaign.
fn creative(
    account: &Account,
    campaign: &Entity,
    campaign_holds: &[&'static str],
    ad: &Ad,
    context: &RequestContext<'_>,
) -> Value {
    let unheard = context.quirk(UNKNOWN_WORD.name).then(|| vec![UNHEARD_OF]);
    let holds = unheard.unwrap_or_else(|| hold_reasons(ad.state, campaign_holds));
    let made = campaign.created().map(jiff::Timestamp::as_millisecond);
    let mut body = json!({
        "id": format!("{CREATIVE_URN}{}", ad.id),
        "account": account.urn(),
        "campaign": format!("{CAMPAIGN_URN}{}", campaign.id),
        "name": ad.name(),
        "content": { "reference": format!("urn:li:share:{}", ad.id) },
        "intendedStatus": intended_status(ad),
        "isServing": holds.is_empty(),
        "isTest": false,
        "review": review(ad.state),
        "createdAt": made,
        "createdBy": "urn:li:person:SandboxUser",
        "lastModifiedAt": made,
        "lastModifiedBy": "urn:li:person:SandboxUser",
    });
    // A creative that serves does not have the field.
    if !holds.is_empty() {
        body["servingHoldReasons"] = json!(holds);
    }
    body
}

/// Why a creative is not served: its own reason, and those of its campaign.
fn hold_reasons(state: AdState, campaign_holds: &[&'static str]) -> Vec<&'static str> {
    let own = match state {
        AdState::Approved => None,
        AdState::InReview => Some("UNDER_REVIEW"),
        AdState::Rejected => Some("REJECTED"),
        AdState::Paused => Some("STOPPED"),
    };
    let inherited = campaign_holds.iter().filter(|hold| **hold != "RUNNABLE");
    let inherited = inherited.map(|hold| if *hold == "STOPPED" { "CAMPAIGN_STOPPED" } else { *hold });
    own.into_iter().chain(inherited).collect()
}

fn review(state: AdState) -> Value {
    match state {
        AdState::Approved | AdState::Paused => json!({ "status": "APPROVED" }),
        AdState::InReview => json!({ "status": "PENDING" }),
        AdState::Rejected => json!({ "status": "REJECTED", "rejectionReasons": ["MISLEADING_CLAIM"] }),
    }
}
