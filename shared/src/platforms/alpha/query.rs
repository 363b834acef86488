//! Queries in the Google Ads Query Language. They consist of constants, integers, and a campaign's name, which
//! [`literal`] escapes.

use crate::domain::{CampaignStatus, Days, Granularity, StatusSet};

/// The accounts below a manager, at every depth, that can hold campaigns (Google Ads API: Account hierarchy; field
/// reference of `customer_client`).
pub(super) const CLIENTS: &str = "SELECT customer_client.id, customer_client.descriptive_name, \
     customer_client.currency_code, customer_client.time_zone, customer_client.manager, customer_client.status, \
     customer_client.hidden FROM customer_client WHERE customer_client.manager = FALSE \
     AND customer_client.status = 'ENABLED' AND customer_client.hidden = FALSE";

pub(super) const CUSTOMER: &str = "SELECT customer.id, customer.descriptive_name, customer.currency_code, \
     customer.time_zone, customer.manager, customer.status FROM customer";

/// The fields of a campaign. Without a date segment the cost is that of the whole run.
const CAMPAIGN: &str = "SELECT campaign.resource_name, campaign.id, campaign.name, campaign.status, \
     campaign.primary_status, campaign.primary_status_reasons, campaign.experiment_type, campaign.advertising_channel_type, \
     campaign.bidding_strategy_type, campaign.start_date_time, campaign.end_date_time, campaign.campaign_budget, \
     campaign_budget.resource_name, campaign_budget.amount_micros, campaign_budget.total_amount_micros, \
     campaign_budget.period, campaign_budget.explicitly_shared, campaign_budget.reference_count, \
     customer.currency_code, customer.status, metrics.cost_micros FROM campaign";

/// The fields of an ad.
const AD: &str = "SELECT campaign.id, ad_group.id, ad_group.name, ad_group_ad.ad.id, ad_group_ad.ad.name, \
     ad_group_ad.status, ad_group_ad.primary_status, ad_group_ad.primary_status_reasons, \
     ad_group_ad.policy_summary.review_status, ad_group_ad.policy_summary.approval_status, \
     ad_group_ad.policy_summary.policy_topic_entries FROM ad_group_ad";

/// The metrics of a report.
const METRICS: &str = "metrics.cost_micros, metrics.impressions, metrics.clicks, metrics.conversions, \
     metrics.conversions_value";

/// Reads an id of the platform: a positive 64-bit integer in its canonical form.
pub(super) fn number(text: &str) -> Option<i64> {
    let number = text.parse::<i64>().ok().filter(|number| *number > 0)?;
    (number.to_string() == text).then_some(number)
}

pub(super) fn one(id: i64) -> String {
    format!("{CAMPAIGN} WHERE campaign.id = {id}")
}

/// The campaigns of exactly this name that are not removed, by ascending id; `None` for a name that none can have.
pub(super) fn named(name: &str) -> Option<String> {
    let name = literal(name)?;
    Some(format!("{CAMPAIGN} WHERE campaign.name = {name} AND campaign.status != 'REMOVED' ORDER BY campaign.id"))
}

/// The ads of some campaigns, without those that are removed, or whose group is. A list of the language may have 20,000
/// values (Google Ads API: System Limits), which is more than a page of campaigns.
pub(super) fn ads(campaigns: &[i64]) -> String {
    let ids = campaigns.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    format!("{AD} WHERE campaign.id IN ({ids}) AND ad_group.status != 'REMOVED' AND ad_group_ad.status != 'REMOVED'")
}

/// Text as a string of the language: in single quotes, with a backslash before each quote and backslash. Line breaks
/// and NUL have no place in a query, nor in the name of a campaign (Google Ads API: Campaign, `name`).
fn literal(text: &str) -> Option<String> {
    let is_writable = !text.contains(['\0', '\n', '\r']);
    is_writable.then(|| format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'")))
}

/// Campaigns by descending id, which is newest first; `None` when no campaign can have one of the states.
pub(super) fn list(statuses: StatusSet, after: Option<i64>, limit: usize) -> Option<String> {
    let mut conditions = conditions(statuses)?;
    conditions.extend(after.map(|id| format!("campaign.id < {id}")));
    Some(format!("{CAMPAIGN} WHERE {} ORDER BY campaign.id DESC LIMIT {limit}", conditions.join(" AND ")))
}

/// A report on days, on one campaign or on all of the account, removed ones too. A date that is a condition and not
/// selected does not divide the numbers (Google Ads API: Zero metrics).
pub(super) fn report(granularity: Granularity, campaign: Option<i64>, days: Days) -> String {
    let (date, order) = match granularity {
        Granularity::Day => ("segments.date, ", "segments.date, campaign.id"),
        Granularity::Total => ("", "campaign.id"),
    };
    let campaign = campaign.map(|id| format!(" AND campaign.id = {id}")).unwrap_or_default();
    let Days { from, to } = days;
    format!(
        "SELECT campaign.id, customer.id, {date}{METRICS} FROM campaign \
         WHERE segments.date BETWEEN '{from}' AND '{to}'{campaign} ORDER BY {order}"
    )
}

/// Conditions that every campaign with one of the states meets. Others may meet them too, because the language has
/// no OR: the mapped state is checked again afterwards.
fn conditions(statuses: StatusSet) -> Option<Vec<String>> {
    let has = |status| statuses.contains(status);
    let (active, ended) = (has(CampaignStatus::Active), has(CampaignStatus::Ended));
    let (paused, draft, removed) =
        (has(CampaignStatus::Paused), has(CampaignStatus::Draft), has(CampaignStatus::Archived));
    let switches = [("'ENABLED'", active || ended || draft), ("'PAUSED'", paused || draft), ("'REMOVED'", removed)];
    let wanted: Vec<&str> = switches.into_iter().filter(|(_, wanted)| *wanted).map(|(value, _)| value).collect();
    if wanted.is_empty() {
        return None;
    }
    let mut conditions = vec![format!("campaign.status IN ({})", wanted.join(", "))];
    // Only among the enabled ones does the primary status alone tell the ended from the others.
    match (active, ended, paused || draft || removed) {
        (true, false, false) => conditions.push("campaign.primary_status != 'ENDED'".to_owned()),
        (false, true, false) => conditions.push("campaign.primary_status = 'ENDED'".to_owned()),
        _ => {}
    }
    if draft && !(active || ended || paused || removed) {
        conditions.push("campaign.experiment_type = 'DRAFT'".to_owned());
    }
    Some(conditions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(statuses: &[CampaignStatus]) -> Option<String> {
        conditions(StatusSet::of(statuses)).map(|conditions| conditions.join(" AND "))
    }

    #[test]
    fn each_set_of_states_has_its_conditions() {
        use CampaignStatus::{Active, Archived, Draft, Ended, Paused, ScheduledForDeletion, Unspecified};
        let cases: [(&[CampaignStatus], &str); 8] = [
            (&[Active], "campaign.status IN ('ENABLED') AND campaign.primary_status != 'ENDED'"),
            (&[Ended], "campaign.status IN ('ENABLED') AND campaign.primary_status = 'ENDED'"),
            (&[Active, Ended], "campaign.status IN ('ENABLED')"),
            (&[Active, Paused], "campaign.status IN ('ENABLED', 'PAUSED')"),
            (&[Paused], "campaign.status IN ('PAUSED')"),
            (&[Draft], "campaign.status IN ('ENABLED', 'PAUSED') AND campaign.experiment_type = 'DRAFT'"),
            (&[Paused, Draft], "campaign.status IN ('ENABLED', 'PAUSED')"),
            (&[Archived, ScheduledForDeletion], "campaign.status IN ('REMOVED')"),
        ];
        for (statuses, expected) in cases {
            assert_eq!(filter(statuses).as_deref(), Some(expected), "{statuses:?}");
        }
        let listed = conditions(StatusSet::not_final());
        assert_eq!(listed, Some(vec!["campaign.status IN ('ENABLED', 'PAUSED')".to_owned()]));
        assert_eq!(filter(&[Unspecified]), None, "no campaign here is in it");
        assert_eq!(filter(&[ScheduledForDeletion]), None, "no campaign here is in it");
    }

    #[test]
    fn a_page_continues_below_the_last_id() {
        let query = list(StatusSet::of(&[CampaignStatus::Paused]), Some(42), 26).unwrap();
        let tail = " WHERE campaign.status IN ('PAUSED') AND campaign.id < 42 ORDER BY campaign.id DESC LIMIT 26";
        assert!(query.ends_with(tail), "{query}");
    }

    #[test]
    fn a_name_stays_inside_its_quotes() {
        for (name, written) in [
            ("Winter", "'Winter'"),
            ("Bob's \"big\" sale", r#"'Bob\'s "big" sale'"#),
            (r"back\slash", r"'back\\slash'"),
            (r"\", r"'\\'"),
            (r"\' OR campaign.id > 0", r"'\\\' OR campaign.id > 0'"),
            ("50 % _off_ [now] + Zürich 冬 ❄️\t.", "'50 % _off_ [now] + Zürich 冬 ❄️\t.'"),
            ("", "''"),
        ] {
            assert_eq!(literal(name).as_deref(), Some(written), "{name}");
        }
        for name in ["a\nb", "a\r", "\0"] {
            assert_eq!((literal(name), named(name)), (None, None), "{name:?}");
        }
    }

    #[test]
    fn only_plain_digits_are_an_id() {
        assert_eq!(number("1234567890"), Some(1_234_567_890));
        for text in ["", "0", "-1", "+1", "01", "1 OR 1=1", "1'", "९", "9223372036854775808", "1.0"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
