//! The spend of campaigns, from the platform's report.
//!
//! A report begins on a day. A campaign without a time of creation may have spent before that day, so its spend is not
//! known. Only costs are rounded, budgets never.
//!
//! The platform's sums carry the noise of binary fractions: `-2E-18`, `99.99999999999996`, `107.5300000000000335346`.
//! Some have more digits than a decimal holds (recorded live).

use super::{api, query, wire};
use crate::platforms::engine::spend::{self, Spent};
use crate::platforms::prelude::*;
use crate::platforms::rows::unquoted;

/// A decimal holds any number with so many digits.
const MAX_DIGITS: i64 = 28;

/// Fills in the spend of each campaign. A report that fails leaves it unknown; only a refused token is an error.
pub(super) async fn fill(session: &Session, campaigns: &mut [Campaign]) -> Result<(), Error> {
    let mut dated: Vec<&mut Campaign> = campaigns.iter_mut().filter(|campaign| campaign.created_at.is_some()).collect();
    let report = report(session, &dated).await;
    let Some(spent) = spend::optional(Platform::Delta, report)? else { return Ok(()) };
    for campaign in &mut dated {
        // The report has rows only for campaigns that were shown.
        campaign.total_spend_amount = spent.of(&campaign.remote_id, Some(Decimal::ZERO));
    }
    Ok(())
}

/// The spend of each campaign, in as many calls as fit into queries.
async fn report(session: &Session, campaigns: &[&mut Campaign]) -> Result<Spent, Error> {
    let starts = campaigns.iter().flat_map(|campaign| [campaign.created_at, campaign.start_at]).flatten();
    let first = starts.min().unwrap_or(session.call.now).min(session.call.now);
    let from = first.to_zoned(TimeZone::UTC).date();
    let mut spent = Spent::default();
    for chunk in campaigns.chunks(query::REPORT_SIZE) {
        let address = query::spend(chunk.iter().map(|campaign| campaign.remote_id.as_str()), from);
        let report: wire::Report = read_object(Platform::Delta, &api::fetch(session, address).await?.body)?;
        for row in &report.elements {
            let cost = row.cost_in_local_currency.as_deref();
            spent.add(campaign_of(row)?, cost.and_then(|cost| rounded(cost, session.account.currency)));
        }
    }
    Ok(spent)
}

fn campaign_of(row: &wire::ReportRow) -> Result<&str, Error> {
    let [urn] = row.pivot_values.as_slice() else {
        return Err(unreadable(Platform::Delta, "a row that is not of one campaign"));
    };
    urn.strip_prefix(wire::CAMPAIGN_URN).ok_or_else(|| unreadable(Platform::Delta, "a row that is not of a campaign"))
}

/// Rounds a cost half up to the currency's decimals, and a negative one to zero; `None` for one that is not a number or
/// is too large.
fn rounded(raw: &RawValue, currency: Currency) -> Option<Decimal> {
    Number::parse(unquoted(raw.get()))?.rounded(currency.decimals())
}

/// A number in parts: its `digits` without leading zeros. The first `point` of them stand before the decimal point.
struct Number {
    is_negative: bool,
    digits: String,
    point: i64,
}

impl Number {
    fn parse(text: &str) -> Option<Number> {
        let (text, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        // Beyond these bounds every amount is too large or zero.
        let exponent = exponent.parse::<i64>().ok()?.clamp(-1_000_000_000, 1_000_000_000);
        let is_negative = text.starts_with('-');
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let digits = all.trim_start_matches('0').to_owned();
        let zeros = i64::try_from(all.len() - digits.len()).ok()?;
        let point = i64::try_from(whole.len()).ok()? + exponent - zeros;
        Some(Number { is_negative, digits, point })
    }

    /// Works on the digits, so that rounding is the only loss.
    fn rounded(&self, decimals: u32) -> Option<Decimal> {
        // The digits that are left. With fewer than none the number is below half of the last decimal.
        let left = self.point + i64::from(decimals);
        if self.is_negative || self.digits.is_empty() || left < 0 {
            return Some(Decimal::ZERO);
        }
        let left = usize::try_from(left).ok().filter(|_| left <= MAX_DIGITS)?;
        let kept: String = self.digits.chars().chain(std::iter::repeat('0')).take(left).collect();
        let is_up = self.digits.as_bytes().get(left).is_some_and(|digit| *digit >= b'5');
        let whole: i128 = if kept.is_empty() { 0 } else { kept.parse().ok()? };
        let rounded = Decimal::try_from_i128_with_scale(whole + i128::from(is_up), decimals).ok()?;
        Some(rounded.normalize())
    }
}

#[cfg(test)]
mod tests;
