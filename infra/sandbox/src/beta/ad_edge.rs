//! The edge `ads` of accounts and campaigns.
//!
//! Marketing API: Ads edge, Ad, Ad Set; Filtering. An ad set is known as the parent of ads only.

use super::account::Account;
use super::ad_filter::Filter;
use super::api_call::{ApiCall, ApiResult};
use super::campaign::Campaign;
use super::fields::{AD, AD_SET, Selection, object, select};
use super::paging::page;
use super::state::Beta;
use super::{held, quirks, times};
use crate::ads::{Ad, AdState};
use serde_json::{Value, json};

/// Fields of an ad that a call can select. Responses omit those without a value.
const FIELDS: &[&str] = &[
    "id",
    "account_id",
    "ad_active_time",
    "ad_review_feedback",
    "adlabels",
    "adset_id",
    "bid_amount",
    "campaign_id",
    "configured_status",
    "conversion_domain",
    "created_time",
    "effective_status",
    "issues_info",
    "name",
    "source_ad_id",
    "status",
    "updated_time",
];

/// Fields of its ad set.
const AD_SET_FIELDS: &[&str] = &["id", "account_id", "campaign_id", "name", "start_time", "end_time", "created_time"];

/// The ads of an account.
pub(crate) fn of_account(beta: &Beta, call: &ApiCall<'_>, act: &str) -> ApiResult {
    let account = call.account_with_campaigns(beta, act)?;
    let campaigns: Vec<&Campaign> = account.campaigns.values().collect();
    list(beta, call, account, &campaigns)
}

/// The ads of a campaign.
pub(crate) fn of_campaign(beta: &Beta, call: &ApiCall<'_>, id: &str) -> ApiResult {
    let (account, campaign) = call.campaign(beta, id)?;
    quirks::check_account(account.id, call.context)?;
    list(beta, call, account, &[campaign])
}

fn list(beta: &Beta, call: &ApiCall<'_>, account: &Account, campaigns: &[&Campaign]) -> ApiResult {
    let selection = select(call.params.string("fields"), FIELDS, AD)?;
    let ad_set = selection.ad_set.map(|fields| select(fields, AD_SET_FIELDS, AD_SET)).transpose()?;
    let filter = Filter::read(&call.params)?;
    let mut rows = Vec::new();
    for campaign in campaigns {
        for ad in beta.ads.of(&campaign.id.to_string(), call.context) {
            let status = held::ad_status(&beta.ads, campaign, ad, call.context);
            if filter.lists(campaign.id, ad.id, status) {
                let row = Row { beta, account, campaign, ad, status };
                rows.push((ad.id, row.json(&selection, ad_set.as_ref())));
            }
        }
    }
    rows.sort_by_key(|(id, _)| *id);
    page(&rows, &call.page_request())
}

/// An ad with its parents.
struct Row<'a> {
    beta: &'a Beta,
    account: &'a Account,
    campaign: &'a Campaign,
    ad: Ad,
    status: &'static str,
}

impl Row<'_> {
    fn json(&self, selection: &Selection<'_>, ad_set: Option<&Selection<'_>>) -> Value {
        let mut body = object(selection, |name| self.field(name));
        if let Some(ad_set) = ad_set {
            body["adset"] = object(ad_set, |name| self.ad_set_field(name));
        }
        body
    }

    fn field(&self, name: &str) -> Option<Value> {
        let own = if self.ad.state == AdState::Paused { "PAUSED" } else { "ACTIVE" };
        Some(match name {
            "id" => json!(self.ad.id.to_string()),
            "name" => json!(self.ad.name()),
            "adset_id" => json!(self.ad.group.to_string()),
            "status" | "configured_status" => json!(own),
            "effective_status" => json!(self.status),
            "ad_review_feedback" if self.status == "DISAPPROVED" => held::feedback(self.ad),
            "issues_info" if self.status == "WITH_ISSUES" => held::issues(&self.beta.ads, self.campaign)?,
            "updated_time" => self.created(),
            shared => return self.parent_field(shared),
        })
    }

    fn ad_set_field(&self, name: &str) -> Option<Value> {
        Some(match name {
            "id" => json!(self.ad.group.to_string()),
            "name" => json!(self.ad.group_name()),
            "start_time" => self.created(),
            shared => return self.parent_field(shared),
        })
    }

    fn parent_field(&self, name: &str) -> Option<Value> {
        Some(match name {
            "account_id" => json!(self.account.id.to_string()),
            "campaign_id" => json!(self.campaign.id.to_string()),
            "created_time" => self.created(),
            _ => return None,
        })
    }

    fn created(&self) -> Value {
        json!(times::format(self.campaign.created, &self.account.time_zone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_an_ad_set_are_checked_as_those_of_an_ad() {
        let selection = select(Some("name,adset{id,name}"), FIELDS, AD).unwrap();
        assert_eq!((selection.names, selection.ad_set), (vec!["id", "name"], Some(Some("id,name"))));
        assert!(select(Some("adset.limit(1){id}"), FIELDS, AD).is_err());
        assert!(select(Some("insights{spend}"), FIELDS, AD).is_err(), "the sandbox has no numbers of ads");
        assert!(select(Some("budget"), AD_SET_FIELDS, AD_SET).is_err());
    }
}
