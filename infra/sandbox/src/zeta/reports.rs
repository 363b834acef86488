//! Reports of campaigns: spend, impressions, clicks and conversions.
//!
//! Reddit Ads API v3 reference, 2026-08: "Get a Report", "Pagination". The sandbox has reports by campaign, by date,
//! by both, and of the whole account. Not verified: the row of a campaign without delivery, as numbers are nullable.
//! The sandbox reports 0, and null or no row by quirk; a date without delivery has no row. Not verified either: the
//! default page size, and the unit of the value of purchases. Clients divide it by 100, and the sandbox writes
//! hundredths of the currency's unit in every currency.

use super::accounts::Account;
use super::campaign::Campaign;
use super::error::ApiError;
use super::query::Query;
use super::report_request::ReportRequest;
use super::schema;
use super::time::{start_of_hour, to_iso8601};
use crate::delivery::Delivery;
use crate::http::Request;
use crate::money::MICROS;
use crate::service::RequestContext;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::civil::Date;
use ring::digest;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The quirk that reports null for a campaign without delivery.
pub(crate) const NULL_QUIRK: &str = "null_spend";
/// The quirk that omits the row of a campaign without delivery.
pub(crate) const MISSING_QUIRK: &str = "missing_rows";

/// The unit of the value of purchases, in micros.
pub(crate) const HUNDREDTH: i64 = MICROS / 100;

/// The campaign of a row, 0 for all of them, and its date.
type Group = (i64, Option<Date>);

/// One page of rows: one for each campaign of the account, with or without delivery, or one for each of its dates with
/// delivery. The next page takes the same body at `next_url`; its token is valid for this body only.
pub(crate) fn report(account: &Account, request: &Request, context: &RequestContext<'_>) -> Result<Value, ApiError> {
    let query = Query::read(request, &["page.size", "page.token"])?;
    let data = schema::data(request)?;
    let report = ReportRequest::read(&data, context.now)?;
    let body = fingerprint(&data);
    let key = |(id, date): Group| format!("{id} {} {body}", date.map(|date| date.to_string()).unwrap_or_default());
    let rows = report.rows(account, context).into_iter().map(|(group, row)| (key(group), row));
    let page = query.page(rows.collect(), context.settings.page_size)?;
    let updated = to_iso8601(start_of_hour(context.now.as_second()));
    let data = json!({ "metrics": page["data"], "metrics_updated_at": updated });
    Ok(json!({ "data": data, "pagination": page["pagination"] }))
}

impl ReportRequest<'_> {
    /// The rows by campaign id and date.
    fn rows(&self, account: &Account, context: &RequestContext<'_>) -> Vec<(Group, Value)> {
        let row = |(group, delivery): (Group, Option<Delivery>)| {
            let has_nulls = delivery.is_none() && is_null(group.0, context)?;
            let delivery = delivery.unwrap_or_default();
            let value = |field: &str| if has_nulls { Value::Null } else { number(field, &delivery) };
            Some((group, self.row(group, value)))
        };
        self.groups(account).into_iter().filter_map(row).collect()
    }

    /// The delivery of each row; `None` for a campaign without any.
    fn groups(&self, account: &Account) -> BTreeMap<Group, Option<Delivery>> {
        let selects = |campaign: &&Campaign| {
            let id = self.campaign_id.as_ref();
            id.is_none_or(|id| *id == campaign.id.to_string())
        };
        let mut groups: BTreeMap<Group, Option<Delivery>> = BTreeMap::new();
        if !self.by_campaign && !self.by_date {
            groups.insert((0, None), None);
        }
        for campaign in account.campaigns.values().filter(selects) {
            let id = if self.by_campaign { campaign.id } else { 0 };
            if !self.by_date {
                groups.entry((id, None)).or_default();
            }
            for (hour, delivery) in campaign.hours.range(self.from..self.to) {
                let date = self.by_date.then(|| self.date(*hour));
                groups.entry((id, date)).or_default().get_or_insert_default().add(delivery);
            }
        }
        groups
    }

    /// The id and the date are in the row if they are requested as fields, independent of the breakdown.
    fn row(&self, (id, date): Group, number: impl Fn(&str) -> Value) -> Value {
        let value = |field: &str| match field {
            "CAMPAIGN_ID" => json!(self.by_campaign.then(|| id.to_string())),
            "DATE" => json!(date),
            number_field => number(number_field),
        };
        self.fields.iter().map(|field| (field.to_ascii_lowercase(), value(field))).collect::<Map<_, _>>().into()
    }
}

fn number(field: &str, delivery: &Delivery) -> Value {
    match field {
        "SPEND" => json!(delivery.spend),
        "IMPRESSIONS" => json!(delivery.impressions),
        "CLICKS" => json!(delivery.clicks),
        "KEY_CONVERSION_TOTAL_COUNT" => json!(delivery.conversions / MICROS),
        _ => json!(delivery.conversion_value / HUNDREDTH),
    }
}

/// Whether the numbers of a campaign without delivery are null; `None` for no row. The two quirks together alternate,
/// so that clients meet both.
fn is_null(id: i64, context: &RequestContext<'_>) -> Option<bool> {
    let nulls = context.quirk(NULL_QUIRK);
    if context.quirk(MISSING_QUIRK) && (!nulls || id % 2 == 0) {
        return None;
    }
    Some(nulls)
}

/// Identifies a body in page tokens, independent of the order and spacing of its JSON.
fn fingerprint(data: &Map<String, Value>) -> String {
    let hash = digest::digest(&digest::SHA256, Value::Object(data.clone()).to_string().as_bytes());
    URL_SAFE_NO_PAD.encode(hash.as_ref().get(..12).unwrap_or_default())
}
