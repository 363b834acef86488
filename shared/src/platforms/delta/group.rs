//! The campaign group that every campaign must be in: the configured one, else the one with our name, else a new one.

use super::client::{Client, without_campaign};
use super::fault::read;
use super::translate::soon;
use super::{query, wire};
use crate::error::Error;
use crate::platforms::Session;
use jiff::Timestamp;

/// The group's name on the platform, a URN.
pub(super) async fn group(session: &Session) -> Result<String, Error> {
    let settings = &session.call.config.settings.delta_ads;
    let id = match &settings.campaign_group_id {
        Some(id) => query::number(id).ok_or_else(|| Error::internal("campaign_group_id is not a number"))?.to_string(),
        None => named(session, &settings.campaign_group_name).await?,
    };
    Ok(format!("{}{id}", wire::GROUP_URN))
}

/// The oldest usable group with a name, one that is on before one that is off, or a new one. Two creates at the same time may make two: both serve.
async fn named(session: &Session, name: &str) -> Result<String, Error> {
    let (client, account) = (Client::of(session), session.account.id.as_str());
    let search = query::groups_named(account, name)?;
    let rows = client.all(&search).await.map_err(without_campaign)?;
    let found = rows.iter().map(|row| read(row.get().as_bytes())).collect::<Result<Vec<wire::Group>, Error>>()?;
    let now = session.call.now.as_millisecond();
    let usable = found.into_iter().filter(|group| group.name.as_deref() == Some(name) && is_usable(group, now));
    if let Some((_, id)) = usable.map(|group| (is_paused(&group), group.id)).min() {
        return Ok(id.to_string());
    }
    let run_schedule = wire::RunSchedule { start: soon(Timestamp::now()), end: None };
    let account_urn = format!("{}{account}", wire::ACCOUNT_URN);
    let group = wire::NewGroup { account: account_urn, name, status: "ACTIVE", run_schedule };
    client.create_group(account, &group).await
}

/// A group's own state and end hold for everything in it. Its owner's switch is respected, not gone around.
fn is_usable(group: &wire::Group, now: i64) -> bool {
    let end = group.run_schedule.and_then(|schedule| schedule.end);
    (group.status.as_deref() == Some("ACTIVE") || is_paused(group)) && end.is_none_or(|end| end > now)
}

fn is_paused(group: &wire::Group) -> bool {
    group.status.as_deref() == Some("PAUSED")
}
