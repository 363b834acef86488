//! Campaigns of unknown creates that somebody has edited through this service before they were found. The search at the
//! platform compares with the draft and misses edited campaigns. Their change records still have the old values.

use super::CreateSender;
use crate::domain::{
    Action, CampaignChanges, CampaignDraft, CampaignId, CampaignValues, Change, ChangeFilters, ChangeId, Connection,
    Create, PlatformCampaign,
};
use crate::error::{Error, Kind};
use std::collections::BTreeMap;

/// Changes that are read at a time.
const READ: i32 = 100;

/// What the edits since a create say about a campaign.
#[derive(Debug, Default)]
pub(super) struct EditHistory {
    /// Whether the campaign had the values of the draft before one of them.
    had_values: bool,
    /// An edit that has not read the campaign before.
    unread: Option<CampaignChanges>,
    /// Whether one of them activates the campaign: then it runs on purpose.
    pub(super) activate: bool,
}

impl CreateSender<'_> {
    /// The campaigns of the create's ad account that were edited since then.
    pub(super) async fn edits_since(&self, create: &Create) -> Result<BTreeMap<CampaignId, EditHistory>, Error> {
        let store = &self.context.app.store;
        let filters = ChangeFilters { from: Some(create.began_at()), ..ChangeFilters::default() };
        let (mut edited, mut after): (BTreeMap<CampaignId, EditHistory>, Option<ChangeId>) = (BTreeMap::new(), None);
        loop {
            let page = store.history(create.customer, &filters, after, READ, self.context.now).await?;
            page.changes.iter().for_each(|change| note(&mut edited, create, change));
            after = page.next;
            if after.is_none() {
                return Ok(edited);
            }
        }
    }

    /// Reads those that may be the create's campaign, oldest first. A campaign that its platform no longer returns is
    /// left out.
    pub(super) async fn read_edited(
        &self,
        connection: &Connection,
        create: &Create,
        edited: &BTreeMap<CampaignId, EditHistory>,
    ) -> Result<Vec<PlatformCampaign>, Error> {
        let earliest = create.marker().earliest();
        let mut found = Vec::new();
        for (id, edits) in edited.iter().filter(|(_, edits)| edits.had_values || edits.unread.is_some()) {
            let remote_id = id.remote_in(&create.account_id).unwrap_or_default();
            let campaign = match self.context.get_campaign(connection, remote_id).await {
                Ok(campaign) => campaign,
                Err(error) if error.kind == Kind::NotFound => continue,
                Err(error) => return Err(error),
            };
            // Without a creation time, a campaign that has spent is older than the create, unless somebody has
            // activated it.
            let has_spent = campaign.total_spend_amount.is_some_and(|spent| !spent.is_zero());
            let is_new = campaign.created_at.map_or(edits.activate || !has_spent, |made| made >= earliest);
            let may_have_had = |edit: &CampaignChanges| may_have_had(&campaign, edit, create.draft());
            if is_new && (edits.had_values || edits.unread.as_ref().is_some_and(may_have_had)) {
                found.push(campaign);
            }
        }
        found.sort_by_key(|campaign| campaign.created_at);
        Ok(found)
    }
}

/// Adds a change to the history of its campaign, if it is an edit in the create's ad account that may have been
/// applied.
fn note(edited: &mut BTreeMap<CampaignId, EditHistory>, create: &Create, change: &Change) {
    let is_of_account = change.platform == create.platform && change.account_id == create.account_id;
    if !is_of_account || !change.state.is_sent() {
        return;
    }
    let Some(campaign) = change.campaign.clone() else { return };
    let edit = match &change.action {
        Action::Create(_) => return,
        Action::Update(edit) => edit.clone(),
        Action::Delete => CampaignChanges::default(),
    };
    let edits = edited.entry(campaign).or_default();
    edits.activate |= change.activates();
    match &change.before {
        Some(before) => edits.had_values |= before.are_of_draft(create.draft()),
        None => edits.unread = Some(edit),
    }
}

/// Whether a campaign may have had the values of a draft before an edit: what the edit does not name is as in the draft.
fn may_have_had(campaign: &PlatformCampaign, edit: &CampaignChanges, draft: &CampaignDraft) -> bool {
    let mut values = CampaignValues::of(campaign);
    if edit.name.is_some() {
        values.name.clone_from(&draft.name);
    }
    if edit.names_budget() {
        (values.budget_amount, values.budget_period) = (Some(draft.budget_amount), Some(draft.budget_period));
    }
    values.are_of_draft(draft)
}
