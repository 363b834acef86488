//! Reports of campaigns (Marketing API: Insights, Parameters, Limits and Best Practices).
//!
//! Meta counts one conversion under several names: `omni_purchase` contains `purchase`, which contains
//! `offsite_conversion.fb_pixel_purchase`. The conversions here are the outcomes of our goals, each under the widest
//! name that a row has. Meta leaves out actions that did not happen and actions that it cannot attribute, without a
//! difference between them: without such an action the number of conversions is not known.
//!
//! Not verified: that one filter may name the states of live, archived and deleted campaigns at once.

use super::wire::{Action, Insights, is_id};
use super::{api, spend};
use crate::platforms::engine::insights::{InsightsFacts, Unreadable};
use crate::platforms::prelude::*;
use crate::platforms::rows::decimal;
use jiff::civil::Date;

pub(super) static FACTS: InsightsFacts = InsightsFacts {
    zone: ReportZone::Account,
    attribution: "Purchases, leads and app installs by the attribution setting of each ad set, which is 7-day click and \
                  1-day view by default; actions on Meta on the day of the impression, others on the day of the \
                  conversion.",
    // Insights: a day does not change any more after 28 days.
    restated_days: 28,
    // The shortest 37 months; an earlier start is error 3018.
    history_days: Some(1_124),
    // Our own bounds: Meta publishes none, but answers that a report has too much data.
    max_days: 90,
    max_account_days: 30,
    cut_at: None,
    has_idle_rows: false,
};

/// The dates of a row are in every response.
const FIELDS: (&str, &str) = ("fields", "account_id,campaign_id,spend,impressions,clicks,actions,action_values");

/// Rows of a page. A row with many actions has some kilobytes.
const PAGE_SIZE: &str = "100";

/// All states. Without this filter an account's report leaves out archived and deleted campaigns (Marketing API: Manage
/// Your Ad Object's Status).
const STATUSES: &[&str] = &["ACTIVE", "PAUSED", "IN_PROCESS", "WITH_ISSUES", "ARCHIVED", "DELETED"];

/// The outcomes of our goals, each with its names, the widest first.
const OUTCOMES: &[&[&str]] = &[&["omni_purchase", "purchase"], &["lead"], &["omni_app_install", "mobile_app_install"]];

/// The pages of a report on a part of the requested days.
pub(super) fn pages<'a>(
    account: &'a AdAccount,
    request: &'a InsightsRequest,
    part: Days,
) -> Result<Pages<'a, InsightsRow>, Error> {
    let report = Report { account, request, days: part };
    let range = serde_json::json!({"since": part.from.to_string(), "until": part.to.to_string()}).to_string();
    let page = move |token: Option<&str>| {
        let by_day = match request.granularity {
            Granularity::Day => Some(("time_increment", "1")),
            Granularity::Total => None,
        };
        let parameters = [FIELDS, ("time_range", &range), ("limit", PAGE_SIZE)].into_iter().chain(by_day);
        let parameters: Vec<(&str, &str)> = parameters.chain(token.map(|token| ("after", token))).collect();
        match request.campaign.as_deref() {
            Some(id) => api::campaign_report(id, &parameters),
            None => api::account_report(&account.id, "campaign.effective_status", STATUSES, &parameters),
        }
    };
    Ok(Pages::new(page, move |_, response| report.read(response)))
}

/// The report that was asked for.
struct Report<'a> {
    account: &'a AdAccount,
    request: &'a InsightsRequest,
    days: Days,
}

impl Report<'_> {
    fn read(&self, response: &OutboundResponse) -> Result<Page<InsightsRow>, Error> {
        let Page { rows, next } = api::read_page::<Insights>(response)?;
        let rows: Result<Vec<InsightsRow>, Error> = rows.iter().map(|row| self.row(row)).collect();
        Ok(Page { rows: self.request.checked(self.account, self.days, rows?)?, next })
    }

    fn row(&self, row: &Insights) -> Result<InsightsRow, Error> {
        if row.account_id.as_ref() != Some(&self.account.id) {
            return Err(wrong("a row of another account"));
        }
        let id = row.campaign_id.as_deref().filter(|id| is_id(id));
        let id = id.ok_or_else(|| wrong("a row that is not of a campaign"))?;
        let spend = match (spend::amount(row), &row.spend) {
            (None, Some(_)) => Err(wrong("a spend that is not an amount")),
            (spend, _) => Ok(spend),
        };
        let mut unreadable = Unreadable::new(Platform::Beta);
        Ok(InsightsRow {
            campaign: CampaignId::new(Platform::Beta, &self.account.id, id),
            date: self.date(row)?,
            spend: unreadable.known("spend", spend),
            impressions: unreadable.known("impressions", count(row.impressions.as_deref())),
            clicks: unreadable.known("clicks", count(row.clicks.as_deref())),
            conversions: unreadable.known("conversions", sum(row.actions.as_deref())),
            conversion_value: unreadable.known("conversion_value", sum(row.action_values.as_deref())),
            unreadable: unreadable.names(),
        })
    }

    /// The day of a row; `None` for a row over the range.
    fn date(&self, row: &Insights) -> Result<Option<Date>, Error> {
        let day = |text: &Option<String>| text.as_deref().and_then(|text| text.parse::<Date>().ok());
        let (first, last) =
            day(&row.date_start).zip(day(&row.date_stop)).ok_or_else(|| wrong("a row without dates"))?;
        let is_within = first <= last && self.days.contains(first) && self.days.contains(last);
        let (is_expected, date) = match self.request.granularity {
            Granularity::Day => (is_within && first == last, Some(first)),
            Granularity::Total => (is_within, None),
        };
        if is_expected { Ok(date) } else { Err(wrong("a row of another day")) }
    }
}

fn wrong(why: &str) -> Error {
    unreadable(Platform::Beta, why)
}

fn count(text: Option<&str>) -> Result<Option<i64>, Error> {
    text.map(|text| text.parse().map_err(|error| unreadable(Platform::Beta, error))).transpose()
}

/// The sum of the outcomes among actions, or among their values; `None` without one.
fn sum(actions: Option<&RawValue>) -> Result<Option<Decimal>, Error> {
    let actions = actions.map(|actions| serde_json::from_str::<Vec<Action>>(actions.get())).transpose();
    let actions = actions.map_err(|error| unreadable(Platform::Beta, error))?.unwrap_or_default();
    let named = |name: &&str| actions.iter().find(|action| action.action_type == *name);
    let mut total: Option<Decimal> = None;
    for action in OUTCOMES.iter().filter_map(|names| names.iter().find_map(named)) {
        let value = action.value.as_deref().and_then(decimal).ok_or_else(|| wrong("an action without a number"))?;
        let sum = total.unwrap_or_default().checked_add(value).ok_or_else(|| wrong("actions beyond any number"))?;
        total = Some(sum.normalize());
    }
    Ok(total)
}

#[cfg(test)]
mod tests;
