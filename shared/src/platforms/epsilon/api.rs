//! The protocol of the Pinterest API v5: credentials, addresses and pages.
//!
//! A list is paged by `page_size` and `bookmark` in the address; the next bookmark is in the response.

use super::error::classify;
use super::wire::{self, number};
use crate::platforms::prelude::*;
use http::header::AUTHORIZATION;
use serde::de::DeserializeOwned;
use url::form_urlencoded::Serializer;

pub(super) static API: Api = Api { platform: Platform::Epsilon, authenticate, classify };

const AD_ACCOUNTS: &str = "https://api.pinterest.com/v5/ad_accounts";

/// Most items that a page can have.
pub(super) const LARGEST_PAGE: usize = 250;

fn authenticate(access: &Access<'_>, request: &mut OutboundRequest) -> Result<(), Error> {
    request.headers.insert(AUTHORIZATION, access.bearer()?);
    Ok(())
}

/// The pages of the ad accounts that the user has or shares.
pub(super) fn ad_accounts() -> Pages<'static> {
    let request = |bookmark: Option<&str>| {
        let page_size = LARGEST_PAGE.to_string();
        let pairs = vec![("include_shared_accounts", "true"), ("page_size", &page_size)];
        Ok(get(page_url(AD_ACCOUNTS, pairs, bookmark)))
    };
    Pages::new(request, |_, response| read_page(response))
}

/// The address of an ad account.
pub(super) fn ad_account(account: &str) -> Result<String, Error> {
    // The id becomes part of the path.
    number(account).ok_or_else(|| Error::internal("the ad account's id is not a number"))?;
    Ok(format!("{AD_ACCOUNTS}/{account}"))
}

/// The address of an account's campaigns, which is also that of their writes.
pub(super) fn campaigns(account: &str) -> Result<String, Error> {
    Ok(format!("{}/campaigns", ad_account(account)?))
}

/// The request for one page of an account's campaigns in some of the platform's states, newest first.
pub(super) fn campaigns_page(
    account: &str,
    statuses: &[&str],
    page_size: usize,
    bookmark: Option<&str>,
) -> Result<OutboundRequest, Error> {
    let page_size = page_size.to_string();
    let mut pairs: Vec<(&str, &str)> = statuses.iter().map(|status| ("entity_statuses", *status)).collect();
    pairs.extend([("page_size", page_size.as_str()), ("order", "DESCENDING")]);
    Ok(get(page_url(&campaigns(account)?, pairs, bookmark)))
}

/// Most campaigns that the filter of a list names: Pinterest's older pages allow 100, its newer ones 250.
pub(super) const MOST_CAMPAIGNS: usize = 100;

/// The pages of a list of an account, its ads or ad groups: those of some campaigns, in some of the platform's states. A
/// list refuses the filters of two kinds of ids.
pub(super) fn of_campaigns<'a, T: DeserializeOwned + Send>(
    account: &str,
    list: &str,
    campaigns: &'a [&str],
    statuses: &'a [&str],
) -> Result<Pages<'a, T>, Error> {
    let list = format!("{}/{list}", ad_account(account)?);
    let request = move |bookmark: Option<&str>| {
        let page_size = LARGEST_PAGE.to_string();
        let mut pairs: Vec<(&str, &str)> = campaigns.iter().map(|id| ("campaign_ids", *id)).collect();
        pairs.extend(statuses.iter().map(|status| ("entity_statuses", *status)));
        pairs.push(("page_size", &page_size));
        Ok(get(page_url(&list, pairs, bookmark)))
    };
    Ok(Pages::new(request, |_, response| {
        let page = read_page(response)?;
        // Without one of its rows the list would not be whole.
        let read = |row: Box<RawValue>| read_object(Platform::Epsilon, row.get().as_bytes());
        Ok(Page { rows: page.rows.into_iter().map(read).collect::<Result<_, _>>()?, next: page.next })
    }))
}

/// The columns of a report.
pub(super) struct Columns {
    /// Names, with commas.
    pub(super) names: &'static str,
    /// The attribution windows of conversions.
    pub(super) windows: &'static [(&'static str, &'static str)],
}

/// The request for a report of campaigns, at most [`LARGEST_PAGE`] of them.
pub(super) fn report(
    account: &str,
    ids: &[&str],
    days: Days,
    granularity: Granularity,
    columns: &Columns,
) -> Result<OutboundRequest, Error> {
    let (from, to) = (days.from.to_string(), days.to.to_string());
    let granularity = match granularity {
        Granularity::Day => "DAY",
        Granularity::Total => "TOTAL",
    };
    let mut pairs = vec![("start_date", from.as_str()), ("end_date", &to)];
    pairs.extend(ids.iter().map(|id| ("campaign_ids", *id)));
    pairs.extend([("columns", columns.names), ("granularity", granularity)]);
    pairs.extend(columns.windows);
    Ok(get(format!("{}/analytics?{}", campaigns(account)?, encoded(&pairs))))
}

/// Reads the rows of a report, which has no pages.
pub(super) fn read_report(response: &OutboundResponse) -> Result<Vec<Box<RawValue>>, Error> {
    serde_json::from_slice(&response.body).map_err(|error| unreadable(Platform::Epsilon, error))
}

/// The platform's names for states; empty if its campaigns can have none of them. A list without names has only active
/// and paused campaigns.
pub(super) fn entity_statuses(statuses: StatusSet) -> Vec<&'static str> {
    use crate::domain::CampaignStatus::{Active, Archived, Draft, Ended, Paused};
    let has = |status| statuses.contains(status);
    let wanted = [
        ("ACTIVE", has(Active) || has(Ended)),
        ("PAUSED", has(Paused)),
        ("DRAFT", has(Draft)),
        ("ARCHIVED", has(Archived)),
    ];
    wanted.into_iter().filter(|(_, wanted)| *wanted).map(|(status, _)| status).collect()
}

/// Reads a page. An empty bookmark means the last one.
pub(super) fn read_page(response: &OutboundResponse) -> Result<Page, Error> {
    let page: wire::Page = read_object(Platform::Epsilon, &response.body)?;
    Ok(Page { rows: page.items, next: page.bookmark.filter(|bookmark| !bookmark.is_empty()) })
}

fn page_url<'a>(list: &str, mut pairs: Vec<(&str, &'a str)>, bookmark: Option<&'a str>) -> String {
    pairs.extend(bookmark.map(|bookmark| ("bookmark", bookmark)));
    format!("{list}?{}", encoded(&pairs))
}

/// Form encoding. A name may have several values.
pub(super) fn encoded(pairs: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CampaignStatus;

    #[test]
    fn archived_campaigns_are_hidden_unless_their_state_is_asked_for() {
        assert_eq!(entity_statuses(StatusSet::not_final()), ["ACTIVE", "PAUSED", "DRAFT"]);
        assert_eq!(entity_statuses(StatusSet::of(&[CampaignStatus::Archived])), ["ARCHIVED"]);
        assert_eq!(entity_statuses(StatusSet::of(&[CampaignStatus::Ended])), ["ACTIVE"]);
        let never = [CampaignStatus::Unspecified, CampaignStatus::ScheduledForDeletion];
        assert!(entity_statuses(StatusSet::of(&never)).is_empty());
    }
}
