//! Addresses. The platform's structure characters (`(`, `:`, `,`) stay as they are, and values are percent-encoded
//! exactly once. A form encoder would write a space as `+`, which the platform refuses, and a search for a value that
//! is encoded twice finds nothing.
//!
//! <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/protocol-version>

use super::wire::{CAMPAIGN_URN, account_urn};
use crate::domain::{Days, Granularity};
use crate::error::Error;
use jiff::civil::Date;

const BASE: &str = "https://api.linkedin.com/rest/";

/// Campaigns on a page of a search: one more than the longest list. The size has to stay the same from page to page.
const PAGE_SIZE: usize = 101;

/// Creatives on a page: the platform refuses more.
const CREATIVES_PAGE_SIZE: usize = 100;

/// Campaigns that a query names: it may have 4 KB, and a URN takes at most 51 bytes of it.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/query-tunneling>
pub(super) const MAX_CAMPAIGNS: usize = 64;

/// Reads an id of the platform: a positive 64-bit integer in its canonical form.
pub(super) fn number(text: &str) -> Option<i64> {
    let number = text.parse::<i64>().ok().filter(|number| *number > 0)?;
    (number.to_string() == text).then_some(number)
}

/// Percent-encodes everything but the unreserved characters of RFC 3986.
pub(super) fn encoded(value: &str) -> String {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let encode = |byte: u8| if is_unreserved(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    value.bytes().map(encode).collect()
}

/// All ad accounts that the user reaches: the search has no conditions.
pub(super) fn accounts() -> String {
    format!("{BASE}adAccounts?q=search&pageSize=1000")
}

pub(super) fn account(id: &str) -> Result<String, Error> {
    // The id becomes part of the address.
    number(id).ok_or_else(|| Error::internal("the ad account's id is not a number"))?;
    Ok(format!("{BASE}adAccounts/{id}"))
}

pub(super) fn within(id: &str, rest: &str) -> Result<String, Error> {
    Ok(format!("{}/{rest}", account(id)?))
}

/// A campaign. Text that is not an id is not found.
pub(super) fn campaign(account: &str, remote_id: &str) -> Result<String, Error> {
    let id = number(remote_id).ok_or_else(|| Error::not_found("campaign"))?;
    within(account, &format!("adCampaigns/{id}"))
}

/// Campaigns in these states, newest first.
pub(super) fn campaigns(account: &str, statuses: &[&str]) -> Result<String, Error> {
    let search = format!("(status:(values:{}))", list(statuses));
    within(account, &format!("adCampaigns?q=search&search={search}&sortOrder=DESCENDING&pageSize={PAGE_SIZE}"))
}

/// Campaigns with a name, in any state: a search without states includes all of them.
pub(super) fn campaigns_named(account: &str, name: &str) -> Result<String, Error> {
    let search = format!("(name:(values:{}))", list(&[name]));
    within(account, &format!("adCampaigns?q=search&search={search}&pageSize={PAGE_SIZE}"))
}

/// The creatives of at most [`MAX_CAMPAIGNS`] campaigns, in any state.
pub(super) fn creatives(account: &str, campaigns: &[&str]) -> Result<String, Error> {
    let urns = list(&urns(campaigns.iter().copied()));
    let order = format!("sortOrder=ASCENDING&pageSize={CREATIVES_PAGE_SIZE}");
    within(account, &format!("creatives?q=criteria&campaigns={urns}&{order}"))
}

fn urns<'a>(remote_ids: impl Iterator<Item = &'a str>) -> Vec<String> {
    remote_ids.map(|id| format!("{CAMPAIGN_URN}{id}")).collect()
}

pub(super) fn groups_named(account: &str, name: &str) -> Result<String, Error> {
    within(account, &format!("adCampaignGroups?q=search&search=(name:(values:{}))&pageSize=100", list(&[name])))
}

/// The report of the cost of campaigns from a day on, in one sum for each.
pub(super) fn spend<'a>(remote_ids: impl Iterator<Item = &'a str>, from: Date) -> String {
    let range = format!("(start:{})", day(from));
    report("ALL", &range, &format!("campaigns={}", list(&urns(remote_ids))), "costInLocalCurrency,pivotValues")
}

/// The report of one campaign of an account, or of all. Not verified: that a row has to match both facets; a row of
/// another account would be an error.
pub(super) fn insights(
    account: &str,
    campaign: Option<&str>,
    days: Days,
    granularity: Granularity,
) -> Result<String, Error> {
    number(account).ok_or_else(|| Error::internal("the ad account's id is not a number"))?;
    let mut facets = format!("accounts={}", list(&[account_urn(account)]));
    if let Some(campaign) = campaign {
        let id = number(campaign).ok_or_else(|| Error::not_found("campaign"))?;
        facets = format!("{facets}&campaigns={}", list(&[format!("{CAMPAIGN_URN}{id}")]));
    }
    let range = format!("(start:{},end:{})", day(days.from), day(days.to));
    let fields = "pivotValues,impressions,clicks,costInLocalCurrency,externalWebsiteConversions,\
                  conversionValueInLocalCurrency";
    Ok(match granularity {
        Granularity::Day => report("DAILY", &range, &facets, &format!("dateRange,{fields}")),
        Granularity::Total => report("ALL", &range, &facets, fields),
    })
}

fn report(granularity: &str, range: &str, facets: &str, fields: &str) -> String {
    format!(
        "{BASE}adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity={granularity}&dateRange={range}&{facets}\
         &fields={fields}"
    )
}

fn day(date: Date) -> String {
    format!("(year:{},month:{},day:{})", date.year(), date.month(), date.day())
}

fn list(values: &[impl AsRef<str>]) -> String {
    let values: Vec<String> = values.iter().map(|value| encoded(value.as_ref())).collect();
    format!("List({})", values.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platforms::delta::api::page_request;

    #[test]
    fn values_are_encoded_exactly_once_and_a_space_is_percent_20() {
        let search = groups_named("5", "Ads + (50%), Zürich: 'x'").unwrap();
        let name = "Ads%20%2B%20%2850%25%29%2C%20Z%C3%BCrich%3A%20%27x%27";
        let expected = format!("{BASE}adAccounts/5/adCampaignGroups?q=search&search=(name:(values:List({name})))");
        assert_eq!(search, format!("{expected}&pageSize=100"));
        assert!(!search.contains('+') && !search.contains("%2520"), "{search}");
    }

    #[test]
    fn structure_characters_stay_and_a_token_goes_back_byte_for_byte() {
        let search = campaigns("5", &["ACTIVE", "PAUSED"]).unwrap();
        let rest = "q=search&search=(status:(values:List(ACTIVE,PAUSED)))&sortOrder=DESCENDING&pageSize=101";
        let expected = format!("{BASE}adAccounts/5/adCampaigns?{rest}");
        assert_eq!(search, expected);
        let page = |search: &str, token: Option<&str>| page_request(search, token).url;
        assert_eq!(page(&search, None), expected);
        assert_eq!(page("x?q=search", Some("a+b/c=&d%20")), "x?q=search&pageToken=a%2Bb%2Fc%3D%26d%2520");
    }

    #[test]
    fn a_report_names_its_campaigns_and_first_day_and_fits_into_a_query() {
        let ids = ["1", "22"];
        let report = spend(ids.into_iter(), jiff::civil::date(2026, 3, 9));
        let expected = "adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=ALL\
            &dateRange=(start:(year:2026,month:3,day:9))\
            &campaigns=List(urn%3Ali%3AsponsoredCampaign%3A1,urn%3Ali%3AsponsoredCampaign%3A22)\
            &fields=costInLocalCurrency,pivotValues";
        assert_eq!(report, format!("{BASE}{expected}"));
        let longest = i64::MAX.to_string();
        let full = spend(std::iter::repeat_n(longest.as_str(), MAX_CAMPAIGNS), jiff::civil::date(2026, 12, 31));
        assert!(full.len() < 4_096, "{}", full.len());
    }

    #[test]
    fn a_search_for_creatives_names_its_campaigns_and_fits_into_a_query() {
        let search = creatives("5", &["1", "22"]).unwrap();
        let campaigns = "List(urn%3Ali%3AsponsoredCampaign%3A1,urn%3Ali%3AsponsoredCampaign%3A22)";
        let rest = format!("q=criteria&campaigns={campaigns}&sortOrder=ASCENDING&pageSize=100");
        assert_eq!(search, format!("{BASE}adAccounts/5/creatives?{rest}"));
        let longest = i64::MAX.to_string();
        let full = creatives(&longest, &[longest.as_str(); MAX_CAMPAIGNS]).unwrap();
        assert!(full.len() < 4_096 - 512, "{} leave room for a token", full.len());
    }

    #[test]
    fn insights_name_their_account_days_and_numbers() {
        let days = Days::new(jiff::civil::date(2026, 3, 9), jiff::civil::date(2026, 3, 10)).unwrap();
        let numbers = "pivotValues,impressions,clicks,costInLocalCurrency,externalWebsiteConversions,\
            conversionValueInLocalCurrency";
        let range = "&dateRange=(start:(year:2026,month:3,day:9),end:(year:2026,month:3,day:10))";
        let start = format!("{BASE}adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=");
        let account = "&accounts=List(urn%3Ali%3AsponsoredAccount%3A5)";
        let all = insights("5", None, days, Granularity::Day).unwrap();
        assert_eq!(all, format!("{start}DAILY{range}{account}&fields=dateRange,{numbers}"));
        let one = insights("5", Some("22"), days, Granularity::Total).unwrap();
        let campaign = "&campaigns=List(urn%3Ali%3AsponsoredCampaign%3A22)";
        assert_eq!(one, format!("{start}ALL{range}{account}{campaign}&fields={numbers}"));
        for text in ["", "0", "1)", "01"] {
            assert!(insights(text, None, days, Granularity::Day).is_err(), "{text}");
            assert!(insights("5", Some(text), days, Granularity::Day).is_err(), "{text}");
        }
    }

    #[test]
    fn only_plain_digits_are_an_id() {
        assert_eq!(number("512345678"), Some(512_345_678));
        for text in ["", "0", "-1", "+1", "01", "1/../2", "1?x", "1)", "९", "9223372036854775808", "1.0"] {
            assert_eq!(number(text), None, "{text}");
            assert!(campaign("5", text).is_err() && within(text, "x").is_err(), "{text}");
        }
    }
}
