//! Classifies the campaigns of an ad account by the effect of a bulk change.

use super::effect::{BulkTerms, CampaignEffect, effect_on};
use crate::changes::failure::change_error;
use crate::domain::{
    Action, AdAccount, BulkAccount, BulkAction, CampaignChanges, CampaignId, CampaignStatus, Change, ChangeId,
    ChangeTarget, Connection, PlatformCampaign, Purpose, RefusedCampaign,
};
use crate::error::{Error, FieldError};
use crate::tokens::PlatformContext;

/// Campaigns of an ad account, each in one class.
#[derive(Debug, Default)]
pub(super) struct ClassifiedCampaigns {
    /// The new changes.
    pub(super) changes: Vec<Change>,
    /// The changes that an earlier attempt has stored. They stay as they were computed, whatever values the campaign
    /// has now.
    pub(super) earlier: Vec<Change>,
    /// Campaigns that are not changed.
    pub(super) others: Vec<PlatformCampaign>,
    /// Campaigns that somebody has changed since the caller read them.
    pub(super) changed: Vec<RefusedCampaign>,
    /// Campaigns that cannot have the requested values.
    pub(super) refused: Vec<RefusedCampaign>,
}

impl ClassifiedCampaigns {
    /// Keeps only what an earlier attempt has stored.
    pub(super) fn only_earlier(self) -> ClassifiedCampaigns {
        ClassifiedCampaigns { changes: Vec::new(), refused: Vec::new(), ..self }
    }
}

/// Classifies campaigns of an ad account. `is_continued` says that an earlier attempt may have stored changes.
pub(super) async fn classify(
    context: PlatformContext<'_>,
    connection: &Connection,
    account: &BulkAccount,
    asked: BulkTerms<'_>,
    campaigns: Vec<PlatformCampaign>,
    is_continued: bool,
) -> Result<ClassifiedCampaigns, Error> {
    let store = &context.app.store;
    let opened = opened(connection)?;
    let earlier = stored_earlier(context, account, campaigns.iter().map(|campaign| &campaign.id), is_continued).await?;
    let campaigns: Vec<PlatformCampaign> =
        campaigns.into_iter().filter(|campaign| is_new(&campaign.id, &earlier)).collect();
    let mut records = match account.action {
        BulkAction::Percent(_) | BulkAction::Budgets => {
            let ids: Vec<&CampaignId> = campaigns.iter().map(|campaign| &campaign.id).collect();
            store.records(account.customer, &ids).await?
        }
        BulkAction::Status(_) | BulkAction::Undo(_) | BulkAction::UndoSet => Default::default(),
    };
    let mut classified = ClassifiedCampaigns { earlier, ..ClassifiedCampaigns::default() };
    for campaign in campaigns {
        let record = records.remove(&campaign.id.to_string());
        let shown = campaign.clone().complete(&connection.id, record);
        let refused = |error| RefusedCampaign { campaign: shown.id.clone(), error: change_error(&error) };
        match effect_on(asked, &shown) {
            CampaignEffect::Change(changes, only_if) => {
                let change = change_of(account, connection, opened, &shown.id, Action::Update(changes));
                classified.changes.push(Change { only_if, ..change });
            }
            CampaignEffect::Unchanged => classified.others.push(campaign),
            CampaignEffect::Outdated(error) => classified.changed.push(refused(error)),
            CampaignEffect::Refused(error) => classified.refused.push(refused(error)),
        }
    }
    Ok(classified)
}

/// Pauses named campaigns of an ad account that cannot be read. Each change reads its campaign before it sends anything, so
/// one that is paused already is left alone, and one that does not exist fails its change.
pub(super) async fn pause_unread(
    context: PlatformContext<'_>,
    connection: &Connection,
    account: &BulkAccount,
    ids: &[&CampaignId],
    is_continued: bool,
) -> Result<ClassifiedCampaigns, Error> {
    let opened = opened(connection)?;
    let earlier = stored_earlier(context, account, ids.iter().copied(), is_continued).await?;
    let pause = || Action::Update(CampaignChanges::of_status(CampaignStatus::Paused));
    let new = ids.iter().filter(|id| is_new(id, &earlier));
    let changes = new.map(|id| change_of(account, connection, opened, id, pause())).collect();
    Ok(ClassifiedCampaigns { changes, earlier, ..ClassifiedCampaigns::default() })
}

fn opened(connection: &Connection) -> Result<&AdAccount, Error> {
    connection.account.as_ref().ok_or_else(|| Error::internal("a connection without an account"))
}

/// The changes of these campaigns that an earlier attempt has stored.
async fn stored_earlier(
    context: PlatformContext<'_>,
    account: &BulkAccount,
    campaigns: impl Iterator<Item = &CampaignId> + Send,
    is_continued: bool,
) -> Result<Vec<Change>, Error> {
    if !is_continued {
        return Ok(Vec::new());
    }
    let ids: Vec<ChangeId> = campaigns.map(|campaign| account.change_id(campaign)).collect();
    context.app.store.changes_by_id(account.customer, &ids, context.app.clock.now()).await
}

fn is_new(campaign: &CampaignId, earlier: &[Change]) -> bool {
    !earlier.iter().any(|change| change.campaign.as_ref() == Some(campaign))
}

/// Refuses a request if one of its campaigns cannot have the requested values, unless an earlier attempt has made a
/// part of it.
pub(super) fn require_possible<'a>(
    field: &str,
    all: impl Iterator<Item = &'a ClassifiedCampaigns> + Clone,
) -> Result<(), Error> {
    if all.clone().any(|classified| !classified.earlier.is_empty()) {
        return Ok(());
    }
    let message = |refused: &RefusedCampaign| {
        format!("has {}, which it cannot be made for. {}", refused.campaign, refused.error.message)
    };
    let refused = all.flat_map(|classified| &classified.refused);
    let errors: Vec<FieldError> = refused.map(|refused| FieldError::new(field, message(refused))).collect();
    if errors.is_empty() { Ok(()) } else { Err(Error::fields(errors)) }
}

/// The change of a campaign, due now.
fn change_of(
    account: &BulkAccount,
    connection: &Connection,
    opened: &AdAccount,
    campaign: &CampaignId,
    action: Action,
) -> Change {
    let target = ChangeTarget {
        connection: account.connection.clone(),
        ..ChangeTarget::in_account(account.customer, connection, opened.currency, Some(campaign.clone()))
    };
    Change::scheduled(account.change_id(campaign), target, account.origin(), Purpose::Bulk, action, account.created_at)
}
