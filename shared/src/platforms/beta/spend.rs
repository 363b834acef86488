//! The spend of campaigns so far (Marketing API: Insights). Where a report fails, the campaigns are returned without
//! their spend. Only a refused token is an error.

use super::api;
use super::wire::{Insights, is_id};
use crate::domain::money::decimal_from_number;
use crate::platforms::engine::spend::{self, CampaignSpend};
use crate::platforms::prelude::*;

/// The fields of a report on one campaign.
const FIELDS: (&str, &str) = ("fields", "spend,account_currency");

/// The spend of one campaign; no row means that nothing was delivered. It is not known where there are several rows or
/// another page.
pub(super) async fn of_campaign(client: &Client<'_>, id: &str) -> Result<Option<Decimal>, Error> {
    let Some(Page { rows, next }) = read(client, api::campaign_report(id, &[FIELDS, api::WIDEST_RANGE])?).await? else {
        return Ok(None);
    };
    Ok(match (rows.as_slice(), next) {
        ([], None) => Some(Decimal::ZERO),
        ([row], None) => amount(row).filter(|spend| *spend >= Decimal::ZERO),
        _ => None,
    })
}

/// Fills in the spend of campaigns with one call.
pub(super) async fn fill(client: &Client<'_>, account: &str, campaigns: &mut [PlatformCampaign]) -> Result<(), Error> {
    let ids: Vec<&str> = campaigns.iter().map(|campaign| campaign.remote_id.as_str()).filter(|id| is_id(id)).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let limit = ids.len().to_string();
    let parameters = [("fields", "campaign_id,spend,account_currency"), api::WIDEST_RANGE, ("limit", &limit)];
    let request = api::account_report(account, "campaign.id", &ids, &parameters)?;
    let Some(Page { rows, next }) = read(client, request).await? else { return Ok(()) };
    let mut spent = CampaignSpend::default();
    for row in &rows {
        row.campaign_id.iter().for_each(|id| spent.set(id, amount(row)));
    }
    // No row means that nothing was delivered, unless the report has more rows or one without an id. An account's
    // report may leave out campaigns in a final state.
    let is_whole = next.is_none() && rows.iter().all(|row| row.campaign_id.is_some());
    for campaign in campaigns {
        let is_certain = is_whole && !campaign.status.is_final();
        campaign.total_spend_amount = spent.of(&campaign.remote_id, is_certain.then_some(Decimal::ZERO));
    }
    Ok(())
}

/// The spend of a row: a decimal of major units, exactly as written. A correction is below 0.
pub(super) fn amount(row: &Insights) -> Option<Decimal> {
    let text = row.spend.as_deref()?;
    let plain = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = plain.split_once('.').unwrap_or((plain, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    decimal_from_number(text).ok()
}

/// Reads the first page of a report; `None` when it fails.
async fn read(client: &Client<'_>, request: OutboundRequest) -> Result<Option<Page<Insights>>, Error> {
    spend::optional(Platform::Beta, client.read(request).await.and_then(|response| api::read_page(&response)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spend_is_a_decimal_of_major_units() {
        let read = |text: &str| amount(&Insights { spend: Some(text.to_owned()), ..Insights::default() });
        assert_eq!(read("12.34").unwrap().to_string(), "12.34");
        assert_eq!(read("1500"), Some(Decimal::from(1_500)));
        assert_eq!(read("0"), Some(Decimal::ZERO));
        assert_eq!(read("-1.50"), Some(Decimal::new(-15, 1)), "a correction");
        for text in ["", ".", "1.", ".5", "--1", "-", "1e3", "1,5", "NaN", "1.2.3", " 1"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
