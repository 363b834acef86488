//! Ad groups and ads: their lists, and what the platform says about them.
//!
//! Pinterest API v5 reference: "List ad groups", "List ads", `PinPromotionSummaryStatus`. Not verified: that a group
//! shows the dates of its campaign, and not its pause; the order of the words of an ad.

use super::accounts::Account;
use super::campaign::{Campaign, DISABLED, Status};
use super::error::ApiError;
use super::query::Query;
use crate::ads::{Ad, AdState, Ads, REJECTION, UNHEARD_OF, UNKNOWN_WORD};
use crate::http::Request;
use crate::service::RequestContext;
use serde_json::{Value, json};

/// The id filters of each list. A request may have one of them.
const GROUP_FILTERS: &[&str] = &["campaign_ids", "ad_group_ids"];
const AD_FILTERS: &[&str] = &["campaign_ids", "ad_group_ids", "ad_ids"];

/// A list row, with what the filters look at.
struct Row {
    id: i64,
    group: i64,
    campaign: i64,
    status: Status,
    json: Value,
}

/// Whether the platform has switched the account off.
pub(crate) fn is_disabled(account: &Account, ads: &Ads) -> bool {
    ads.account_hold(&account.id.to_string()).is_some()
}

/// Lists ad groups. A campaign with an ad has one.
pub(crate) fn groups(
    account: &Account,
    ads: &Ads,
    request: &Request,
    context: &RequestContext<'_>,
) -> Result<Value, ApiError> {
    let rows = account.campaigns.values().filter_map(|campaign| {
        let ad = ads.stored(&campaign.id.to_string()).first()?;
        let id = number(ad.group);
        let json = group_json(account, campaign, ad, is_disabled(account, ads), context);
        Some(Row { id, group: id, campaign: campaign.id, status: Status::Active, json })
    });
    list(request, GROUP_FILTERS, rows.collect(), context)
}

/// Lists ads.
pub(crate) fn ads(
    account: &Account,
    ads: &Ads,
    request: &Request,
    context: &RequestContext<'_>,
) -> Result<Value, ApiError> {
    let rows = account.campaigns.values().flat_map(|campaign| {
        ads.of(&campaign.id.to_string(), context).into_iter().map(move |ad| Row {
            id: number(ad.id),
            group: number(ad.group),
            campaign: campaign.id,
            status: status(ad.state),
            json: ad_json(account, campaign, &ad, is_disabled(account, ads), context),
        })
    });
    list(request, AD_FILTERS, rows.collect(), context)
}

/// One page. Archived rows and drafts need an explicit `entity_statuses`.
fn list(
    request: &Request,
    filters: &'static [&'static str],
    mut rows: Vec<Row>,
    context: &RequestContext<'_>,
) -> Result<Value, ApiError> {
    let lists = [filters, &["entity_statuses"]].concat();
    let query = Query::read(request, &["page_size", "order", "bookmark"], &lists)?;
    let statuses = query.statuses()?;
    let ids = filters.iter().map(|name| Ok((*name, query.ids(name)?))).collect::<Result<Vec<_>, ApiError>>()?;
    let mut given = ids.into_iter().filter(|(_, ids)| !ids.is_empty());
    let filter = given.next();
    if let (Some((first, _)), Some((second, _))) = (&filter, given.next()) {
        return Err(ApiError::invalid(format!("Invalid request: {first} and {second} cannot be combined")));
    }
    let is_asked = |row: &Row| match &filter {
        None => true,
        Some(("campaign_ids", ids)) => ids.contains(&row.campaign),
        Some(("ad_group_ids", ids)) => ids.contains(&row.group),
        Some((_, ids)) => ids.contains(&row.id),
    };
    rows.retain(|row| statuses.contains(&row.status) && is_asked(row));
    rows.sort_by_key(|row| row.id);
    let (page, bookmark) = query.page(query.order(rows)?, |row| row.id, context.settings.page_size)?;
    let page: Vec<Value> = page.into_iter().map(|row| row.json).collect();
    Ok(json!({ "items": page, "bookmark": bookmark }))
}

fn group_json(
    account: &Account,
    campaign: &Campaign,
    ad: &Ad,
    is_disabled: bool,
    context: &RequestContext<'_>,
) -> Value {
    let word = if is_disabled { DISABLED } else { campaign.dates_word(context.now.as_second()) };
    json!({
        "id": ad.group.to_string(),
        "ad_account_id": account.id.to_string(),
        "campaign_id": campaign.id.to_string(),
        "name": ad.group_name(),
        "status": Status::Active.as_str(),
        "budget_in_micro_currency": null,
        "budget_type": "CBO_ADGROUP",
        "start_time": campaign.start,
        "end_time": campaign.end,
        "created_time": campaign.created,
        "updated_time": campaign.updated,
        "summary_status": shown(word, context),
        "type": "adgroup",
    })
}

fn ad_json(account: &Account, campaign: &Campaign, ad: &Ad, is_disabled: bool, context: &RequestContext<'_>) -> Value {
    let (review, own) = match ad.state {
        AdState::Approved => ("APPROVED", "APPROVED"),
        AdState::InReview => ("PENDING", "PENDING"),
        AdState::Rejected => ("REJECTED", "REJECTED"),
        AdState::Paused => ("APPROVED", "PAUSED"),
    };
    let rejected = ad.state == AdState::Rejected;
    let reasons = |reason: &'static str| if rejected { vec![reason] } else { Vec::new() };
    json!({
        "id": ad.id.to_string(),
        "ad_account_id": account.id.to_string(),
        "ad_group_id": ad.group.to_string(),
        "campaign_id": campaign.id.to_string(),
        "name": ad.name(),
        "status": status(ad.state).as_str(),
        "creative_type": "REGULAR",
        "pin_id": ad.id.to_string(),
        "is_pin_deleted": false,
        "created_time": campaign.created,
        "updated_time": campaign.updated,
        "review_status": review,
        "rejected_reasons": reasons("EXAGGERATED_CLAIMS"),
        "rejection_labels": reasons(REJECTION),
        "summary_status": shown(if is_disabled { DISABLED } else { own }, context),
        "type": "ad",
    })
}

/// The status that the advertiser set.
fn status(state: AdState) -> Status {
    if state == AdState::Paused { Status::Paused } else { Status::Active }
}

fn shown<'w>(word: &'w str, context: &RequestContext<'_>) -> &'w str {
    if context.quirk(UNKNOWN_WORD.name) { UNHEARD_OF } else { word }
}

/// An id as the platform's other ids are.
fn number(id: u64) -> i64 {
    i64::try_from(id).unwrap_or(i64::MAX)
}
