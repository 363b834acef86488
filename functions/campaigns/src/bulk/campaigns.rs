//! A bulk change of campaigns that the request names.

use super::start::{Begun, bulk_account};
use futures_util::future::join_all;
use shared::changes::{BulkOutcome, cancel_activations, list_account, repeated, store_changes};
use shared::domain::{CampaignId, CampaignStatus, Connection, Listing, PlatformCampaign};
use shared::error::Error;
use shared::serve::Call;

/// The named campaigns of one ad account.
struct Named<'a> {
    connection: &'a Connection,
    campaigns: Vec<PlatformCampaign>,
}

/// Reads the ad accounts of the campaigns first: with one that does not exist nothing is done.
pub(super) async fn of_campaigns(
    call: &Call,
    begun: Begun<'_>,
    status: CampaignStatus,
    ids: &[String],
) -> Result<Vec<BulkOutcome>, Error> {
    let ids = ids.iter().map(|id| CampaignId::parse(id).ok_or_else(not_found)).collect::<Result<Vec<_>, _>>()?;
    let named = read(call, &ids).await?;
    let mut outcomes = Vec::with_capacity(named.len());
    for Named { connection, campaigns } in named {
        let account = bulk_account(call, begun, status, connection)?;
        if account.listing == Listing::Listed {
            outcomes.push(repeated(call.platform_context(), account).await?);
            continue;
        }
        let activations: Vec<String> = campaigns.iter().map(|campaign| format!("{}#", campaign.id)).collect();
        let (context, is_continued) = (call.platform_context(), begun.is_continued);
        let withdrawn = cancel_activations(context, &account, &activations).await?;
        outcomes.push(store_changes(context, connection, account, campaigns, (is_continued, withdrawn)).await?);
    }
    Ok(outcomes)
}

async fn read<'a>(call: &'a Call, ids: &[CampaignId]) -> Result<Vec<Named<'a>>, Error> {
    let mut connections: Vec<&Connection> = Vec::new();
    for id in ids {
        let (connection, _) = call.connected.find_campaign(id).ok_or_else(not_found)?;
        if !connections.iter().any(|known| known.id == connection.id) {
            connections.push(connection);
        }
    }
    let context = call.platform_context();
    let listed = join_all(connections.into_iter().map(|connection| async move {
        list_account(context, connection).await.map(|campaigns| Named { connection, campaigns })
    }));
    let mut named = listed.await.into_iter().collect::<Result<Vec<Named>, Error>>()?;
    for account in &mut named {
        account.campaigns.retain(|campaign| ids.contains(&campaign.id));
    }
    let found: usize = named.iter().map(|account| account.campaigns.len()).sum();
    if found == ids.len() { Ok(named) } else { Err(not_found()) }
}

fn not_found() -> Error {
    Error::not_found("campaign")
}
