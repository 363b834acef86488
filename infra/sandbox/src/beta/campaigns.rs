//! Reads and writes campaigns.
//!
//! Marketing API: Campaigns edge, Campaign.

use super::account::Account;
use super::api_call::{ApiCall, ApiResult};
use super::campaign::{self, Campaign, Status};
use super::campaign_params::is_validate_only;
use super::error::GraphError;
use super::fields::{CAMPAIGN, Edge, Selection, object, select};
use super::filter::Filter;
use super::insights::{Level, Report};
use super::paging::page;
use super::params::Params;
use super::state::Beta;
use super::{create, held, quirks, times, update};
use serde_json::{Value, json};

pub(crate) fn list(beta: &Beta, call: &ApiCall<'_>, act: &str) -> ApiResult {
    let account = call.account_with_campaigns(beta, act)?;
    if let Some(name) = call.params.first_present(&["date_preset", "time_range", "is_completed"]) {
        return Err(GraphError::unsupported(name));
    }
    let selection = selected_fields(call)?;
    let filter = Filter::read(&call.params)?;
    let listed = account.campaigns.values().rev().filter(|campaign| filter.lists(campaign));
    let rows: Result<Vec<_>, GraphError> = listed
        .map(|campaign| Ok((u64::MAX - campaign.id, campaign_object(beta, account, campaign, &selection, call)?)))
        .collect();
    page(&rows?, &call.page_request())
}

pub(crate) fn get(beta: &Beta, call: &ApiCall<'_>, id: &str) -> ApiResult {
    let (account, campaign) = call.campaign(beta, id)?;
    campaign_object(beta, account, campaign, &selected_fields(call)?, call)
}

fn selected_fields<'c>(call: &'c ApiCall<'_>) -> Result<Selection<'c>, GraphError> {
    select(call.params.string("fields"), campaign::FIELDS, CAMPAIGN)
}

fn campaign_object(
    beta: &Beta,
    account: &Account,
    campaign: &Campaign,
    selection: &Selection<'_>,
    call: &ApiCall<'_>,
) -> ApiResult {
    let mut body = object(selection, |name| match name {
        "effective_status" => Some(json!(held::campaign_status(&beta.ads, campaign, call.context))),
        "issues_info" => held::issues(&beta.ads, campaign),
        name => account.campaign_field(campaign, name),
    });
    if let Some(edge) = &selection.insights {
        let rows = expanded_insights(account, campaign, edge, call)?;
        // The Graph API omits an edge without rows.
        if !rows.is_empty() {
            body["insights"] = json!({ "data": rows });
        }
    }
    Ok(body)
}

fn expanded_insights(
    account: &Account,
    campaign: &Campaign,
    edge: &Edge<'_>,
    call: &ApiCall<'_>,
) -> Result<Vec<Value>, GraphError> {
    let fields = edge.fields.map(|fields| ("fields", fields));
    let params = Params::from_pairs(edge.parameters.iter().copied().chain(fields));
    let report = Report::read(&params, Level::Campaign, times::date(call.context.now, &account.time_zone))?;
    Ok(report.of_campaign(account, campaign).iter().map(|(_, row)| json!(row)).collect())
}

pub(crate) fn create(beta: &mut Beta, call: &ApiCall<'_>, act: &str) -> ApiResult {
    call.caller.check_manage()?;
    let index = call.caller.account_index(beta, "POST", act)?;
    let id = beta.last_campaign + 1;
    let account = beta.accounts.get_mut(index).ok_or_else(GraphError::internal)?;
    quirks::check_account(account.id, call.context)?;
    let campaign = create::create(&call.params, account, id, call.context.now)?;
    if is_validate_only(&call.params)? {
        return Ok(json!({ "success": true }));
    }
    account.campaigns.insert(id, quirks::stored(campaign, call.context));
    beta.last_campaign = id;
    Ok(json!({ "id": id.to_string() }))
}

pub(crate) fn update(beta: &mut Beta, call: &ApiCall<'_>, id: &str) -> ApiResult {
    change(beta, call, id, |account, campaign| {
        let updated = update::update(&call.params, account, campaign, call.context.now)?;
        Ok(if is_validate_only(&call.params)? { campaign.clone() } else { updated })
    })
}

/// Deletes a campaign for good. It stays readable by id.
pub(crate) fn delete(beta: &mut Beta, call: &ApiCall<'_>, id: &str) -> ApiResult {
    change(beta, call, id, |_, campaign| {
        Ok(Campaign { status: Status::Deleted, updated: call.context.now, ..campaign.clone() })
    })
}

fn change(
    beta: &mut Beta,
    call: &ApiCall<'_>,
    id: &str,
    apply: impl FnOnce(&Account, &Campaign) -> Result<Campaign, GraphError>,
) -> ApiResult {
    call.caller.check_manage()?;
    let (index, number) = call.caller.campaign_index(beta, &call.request.method, id)?;
    let account = beta.accounts.get_mut(index).ok_or_else(GraphError::internal)?;
    let campaign = account.campaigns.get(&number).ok_or_else(GraphError::internal)?;
    let changed = apply(account, campaign)?;
    account.campaigns.insert(number, changed);
    Ok(json!({ "success": true }))
}
