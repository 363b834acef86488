//! Bulk changes: an item for each ad account, due until its campaigns are listed.

use super::attributes::{ErrorAttribute, RequesterAttribute, corrupt_record, status};
use crate::domain::{
    BulkAccount, BulkAction, BulkId, CampaignId, Change, ChangeId, ChangeState, ConnectionId, CustomerId, Listing,
    Percent, Platform, RefusedCampaign,
};
use crate::error::Error;
use crate::store::table_keys::DUE_BULK;
use crate::store::{Item, Store, from_item, table_keys, to_item};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

const PENDING: &str = "PENDING";
const LISTED: &str = "LISTED";
const FAILED: &str = "FAILED";

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct BulkItem {
    bulk: String,
    platform: String,
    account_id: String,
    connection: String,
    #[serde(flatten)]
    action: ActionAttributes,
    requested_by: RequesterAttribute,
    created_at: Timestamp,
    listing: String,
    error: Option<ErrorAttribute>,
    changes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    refused: Vec<RefusedAttribute>,
    expires_at: i64,
    due_kind: Option<String>,
    due_at: Option<i64>,
}

/// What it does: the attribute of one of these, or none if it sets budgets.
#[skip_serializing_none]
#[derive(Default, Serialize, Deserialize)]
struct ActionAttributes {
    status: Option<String>,
    percent: Option<String>,
    undoes: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct RefusedAttribute {
    campaign: String,
    error: ErrorAttribute,
}

impl From<BulkAction> for ActionAttributes {
    fn from(action: BulkAction) -> ActionAttributes {
        let none = ActionAttributes::default();
        match action {
            BulkAction::Status(status) => ActionAttributes { status: Some(status.as_str().to_owned()), ..none },
            BulkAction::Percent(percent) => ActionAttributes { percent: Some(percent.to_string()), ..none },
            BulkAction::Budgets => none,
            BulkAction::Undo(bulk) => ActionAttributes { undoes: Some(bulk.to_string()), ..none },
        }
    }
}

impl ActionAttributes {
    fn parse(self) -> Result<BulkAction, Error> {
        if let Some(name) = &self.status {
            return Ok(BulkAction::Status(status(name)?));
        }
        if let Some(percent) = &self.percent {
            return Ok(BulkAction::Percent(Percent::parse(percent).map_err(|_| corrupt_record())?));
        }
        match &self.undoes {
            Some(bulk) => Ok(BulkAction::Undo(BulkId::parse(bulk).ok_or_else(corrupt_record)?)),
            None => Ok(BulkAction::Budgets),
        }
    }
}

impl From<&RefusedCampaign> for RefusedAttribute {
    fn from(RefusedCampaign { campaign, error }: &RefusedCampaign) -> RefusedAttribute {
        RefusedAttribute { campaign: campaign.to_string(), error: error.into() }
    }
}

impl RefusedAttribute {
    fn parse(self) -> Result<RefusedCampaign, Error> {
        let campaign = CampaignId::parse(&self.campaign).ok_or_else(corrupt_record)?;
        Ok(RefusedCampaign { campaign, error: self.error.into() })
    }
}

impl Store {
    /// Stores a bulk change in an ad account. While it is pending, it is due at this time.
    pub async fn put_bulk_account(&self, account: &BulkAccount, due_at: Timestamp) -> Result<(), Error> {
        self.put(item(account, due_at)?).await
    }

    /// Reads a bulk change in an ad account, by its sort key.
    pub async fn bulk_account(&self, customer: CustomerId, sk: &str) -> Result<Option<BulkAccount>, Error> {
        let key = table_keys::Key { pk: table_keys::customer(customer), sk: sk.to_owned() };
        self.read(&key).await?.map(|item| parse(customer, item)).transpose()
    }

    /// Reads a bulk change in the ad account of another one.
    pub async fn bulk_in_account_of(&self, other: &BulkAccount, bulk: BulkId) -> Result<Option<BulkAccount>, Error> {
        let key = table_keys::bulk_account(other.customer, bulk, other.platform, &other.account_id);
        self.read(&key).await?.map(|item| parse(other.customer, item)).transpose()
    }

    /// All bulk changes of a customer, in their ad accounts. They are those of a year, so this is for rare decisions.
    pub async fn bulk_changes(&self, customer: CustomerId) -> Result<Vec<BulkAccount>, Error> {
        let items = self.read_prefix(customer, table_keys::BULK_PREFIX).await?;
        items.into_iter().map(|item| parse(customer, item)).collect()
    }

    /// The ad accounts of a bulk change. Empty for one of another customer.
    pub async fn bulk_accounts(
        &self,
        customer: CustomerId,
        bulk: BulkId,
        now: Timestamp,
    ) -> Result<Vec<BulkAccount>, Error> {
        let items = self.read_prefix(customer, &table_keys::bulk_prefix(bulk)).await?;
        let accounts = items.into_iter().map(|item| parse(customer, item)).collect::<Result<Vec<_>, _>>()?;
        let is_shown = |account: &BulkAccount| Change::expiry_from(account.created_at) > now;
        Ok(accounts.into_iter().filter(is_shown).collect())
    }

    /// Cancels those of these waiting changes of an ad account that would activate a campaign. Returns their ids, and the
    /// other changes.
    pub async fn cancel_activations(
        &self,
        account: &BulkAccount,
        prefixes: &[String],
        canceled: &ChangeState,
        at: Timestamp,
    ) -> Result<(Vec<ChangeId>, Vec<Change>), Error> {
        let (mut ended, mut left) = (Vec::new(), Vec::new());
        for prefix in prefixes {
            for change in self.waiting_changes(account.customer, std::slice::from_ref(prefix), at).await? {
                match change.activates() {
                    _ if change.account_id != account.account_id => {}
                    true => {
                        let canceled = self.end_waiting(&change, canceled, at).await?;
                        ended.extend(canceled.map(|one| one.id));
                    }
                    false => left.push(change),
                }
            }
        }
        Ok((ended, left))
    }
}

fn item(account: &BulkAccount, due_at: Timestamp) -> Result<Item, Error> {
    let BulkAccount {
        bulk,
        customer,
        platform,
        account_id,
        connection,
        action,
        requested_by,
        created_at,
        listing,
        changes,
        refused,
    } = account;
    let (name, error) = match listing {
        Listing::Pending(error) => (PENDING, error.as_ref()),
        Listing::Listed => (LISTED, None),
        Listing::Failed(error) => (FAILED, Some(error)),
    };
    let is_pending = name == PENDING;
    let item = BulkItem {
        bulk: bulk.to_string(),
        platform: platform.as_str().to_owned(),
        account_id: account_id.clone(),
        connection: connection.0.clone(),
        action: (*action).into(),
        requested_by: requested_by.into(),
        created_at: *created_at,
        listing: name.to_owned(),
        error: error.map(Into::into),
        changes: changes.iter().map(ChangeId::to_string).collect(),
        refused: refused.iter().map(Into::into).collect(),
        expires_at: Change::expiry_from(*created_at).as_second(),
        due_kind: is_pending.then(|| DUE_BULK.to_owned()),
        due_at: is_pending.then_some(due_at.as_second()),
    };
    to_item(&table_keys::bulk_account(*customer, *bulk, *platform, account_id), &item)
}

fn parse(customer: CustomerId, item: Item) -> Result<BulkAccount, Error> {
    let item: BulkItem = from_item(item)?;
    let listing = match (item.listing.as_str(), item.error.map(Into::into)) {
        (PENDING, error) => Listing::Pending(error),
        (LISTED, _) => Listing::Listed,
        (FAILED, Some(error)) => Listing::Failed(error),
        _ => return Err(corrupt_record()),
    };
    Ok(BulkAccount {
        bulk: BulkId::parse(&item.bulk).ok_or_else(corrupt_record)?,
        customer,
        platform: Platform::parse(&item.platform).ok_or_else(corrupt_record)?,
        account_id: item.account_id,
        connection: ConnectionId(item.connection),
        action: item.action.parse()?,
        requested_by: item.requested_by.parse()?,
        created_at: item.created_at,
        listing,
        changes: item.changes.iter().filter_map(|id| ChangeId::parse(id)).collect(),
        refused: item.refused.into_iter().map(RefusedAttribute::parse).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
#[test]
fn a_bulk_change_is_stored_as_ever_and_read_as_it_was() {
    use crate::domain::{CampaignStatus, ChangeError, Requester};
    let at = Timestamp::constant(1_790_000_000, 123_000_000);
    let customer = CustomerId(uuid::Uuid::nil());
    let bulk = BulkId::parse(&format!("blk_{:032x}", 7)).unwrap();
    let error = ChangeError { code: "CONFLICT".to_owned(), message: "No.".into(), ..ChangeError::default() };
    let campaign = CampaignId::new(Platform::Delta, "7", "1");
    let few = BulkAccount {
        bulk,
        customer,
        platform: Platform::Delta,
        account_id: "7".to_owned(),
        connection: ConnectionId("conn_1".to_owned()),
        action: BulkAction::Budgets,
        requested_by: Requester::ApiKey { id: crate::domain::KeyId("key_1".to_owned()), name: "A".to_owned() },
        created_at: at,
        listing: Listing::Listed,
        changes: Vec::new(),
        refused: Vec::new(),
    };
    let accounts = [
        BulkAccount {
            action: BulkAction::Status(CampaignStatus::Paused),
            listing: Listing::Failed(error.clone()),
            changes: vec![ChangeId::first_at(at)],
            refused: vec![RefusedCampaign { campaign, error: error.clone() }],
            ..few.clone()
        },
        BulkAccount {
            action: BulkAction::Percent(Percent::parse("-20.5").unwrap()),
            listing: Listing::Pending(Some(error)),
            ..few.clone()
        },
        BulkAccount { action: BulkAction::Undo(bulk), listing: Listing::Pending(None), ..few.clone() },
        few,
    ];
    let items = accounts.clone().map(|account| item(&account, at).unwrap());
    crate::store::stored::assert_stored("bulk", items.clone());
    for (account, item) in accounts.into_iter().zip(items) {
        assert_eq!(parse(customer, item).unwrap(), account);
    }
}
