//! Bulk changes: an item for each ad account, due until its campaigns are listed.

use super::attributes::{StoredError, StoredRequester, corrupt_record};
use crate::domain::{
    BulkAccount, BulkAction, BulkId, CampaignId, CampaignStatus, Change, ChangeError, ChangeId, ChangeState,
    ConnectionId, CustomerId, ExternalRef, Listing, Percent, Platform, Reference, RefusedCampaign, Requester,
};
use crate::error::Error;
use crate::store::table_keys::DUE_BULK;
use crate::store::{Item, Store, from_item, table_keys, to_item};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as, serde_conv, skip_serializing_none};

const PENDING: &str = "PENDING";
const LISTED: &str = "LISTED";
const FAILED: &str = "FAILED";

#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct BulkItem {
    bulk: BulkId,
    #[serde_as(as = "DisplayFromStr")]
    platform: Platform,
    account_id: String,
    connection: ConnectionId,
    external_ref: Option<ExternalRef>,
    #[serde(flatten, with = "StoredAction")]
    action: BulkAction,
    #[serde(with = "StoredRequester")]
    requested_by: Requester,
    created_at: Timestamp,
    listing: String,
    #[serde_as(as = "Option<StoredError>")]
    error: Option<ChangeError>,
    /// The changes that it undoes. Only the undo of a set of changes has some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    undoes_changes: Vec<ChangeId>,
    changes: Vec<ChangeId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    refused: Vec<RefusedAttribute>,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
    due_kind: Option<String>,
    #[serde(default, with = "second::optional")]
    due_at: Option<Timestamp>,
    reference: Option<Reference>,
    key_digest: Option<String>,
}

/// What it does: the attribute of one of these, or none if it sets budgets or undoes a set of changes.
#[serde_as]
#[skip_serializing_none]
#[derive(Default, Serialize, Deserialize)]
struct ActionAttributes {
    #[serde_as(as = "Option<DisplayFromStr>")]
    status: Option<CampaignStatus>,
    percent: Option<String>,
    undoes: Option<BulkId>,
}

serde_conv!(
    StoredAction,
    BulkAction,
    |action: &BulkAction| {
        let none = ActionAttributes::default();
        match *action {
            BulkAction::Status(status) => ActionAttributes { status: Some(status), ..none },
            BulkAction::Percent(percent) => ActionAttributes { percent: Some(percent.to_string()), ..none },
            BulkAction::Budgets | BulkAction::UndoSet => none,
            BulkAction::Undo(bulk) => ActionAttributes { undoes: Some(bulk), ..none },
        }
    },
    |action: ActionAttributes| match action {
        ActionAttributes { status: Some(status), .. } => Ok(BulkAction::Status(status)),
        ActionAttributes { percent: Some(percent), .. } => Percent::parse(&percent).map(BulkAction::Percent),
        ActionAttributes { undoes: Some(bulk), .. } => Ok(BulkAction::Undo(bulk)),
        ActionAttributes { .. } => Ok(BulkAction::Budgets),
    }
);

#[derive(Serialize, Deserialize)]
struct RefusedAttribute {
    campaign: CampaignId,
    #[serde(with = "StoredError")]
    error: ChangeError,
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
        let (mut ended, mut others) = (Vec::new(), Vec::new());
        for prefix in prefixes {
            for change in self.waiting_changes(account.customer, std::slice::from_ref(prefix), at).await? {
                if change.account_id != account.account_id {
                    continue;
                }
                if change.activates() {
                    let canceled = self.end_waiting(&change, canceled, at).await?;
                    ended.extend(canceled.map(|one| one.id));
                } else {
                    others.push(change);
                }
            }
        }
        Ok((ended, others))
    }
}

fn item(account: &BulkAccount, due_at: Timestamp) -> Result<Item, Error> {
    let BulkAccount {
        bulk,
        customer,
        platform,
        account_id,
        connection,
        external_ref,
        action,
        requested_by,
        reference,
        key_digest,
        created_at,
        listing,
        undoes,
        changes,
        refused,
    } = account.clone();
    let (name, error) = match listing {
        Listing::Pending(error) => (PENDING, error),
        Listing::Listed => (LISTED, None),
        Listing::Failed(error) => (FAILED, Some(error)),
    };
    let is_pending = name == PENDING;
    let item = BulkItem {
        bulk,
        platform,
        account_id,
        connection,
        external_ref,
        action,
        requested_by,
        created_at,
        listing: name.to_owned(),
        error,
        undoes_changes: undoes,
        changes,
        refused: refused
            .into_iter()
            .map(|RefusedCampaign { campaign, error }| RefusedAttribute { campaign, error })
            .collect(),
        expires_at: Change::expiry_from(created_at),
        due_kind: is_pending.then(|| DUE_BULK.to_owned()),
        due_at: is_pending.then_some(due_at),
        reference,
        key_digest,
    };
    to_item(&table_keys::bulk_account(customer, bulk, platform, &item.account_id), &item)
}

fn parse(customer: CustomerId, item: Item) -> Result<BulkAccount, Error> {
    let item: BulkItem = from_item(item)?;
    let listing = match (item.listing.as_str(), item.error) {
        (PENDING, error) => Listing::Pending(error),
        (LISTED, _) => Listing::Listed,
        (FAILED, Some(error)) => Listing::Failed(error),
        _ => return Err(corrupt_record()),
    };
    let refused = item.refused.into_iter();
    Ok(BulkAccount {
        bulk: item.bulk,
        customer,
        platform: item.platform,
        account_id: item.account_id,
        connection: item.connection,
        external_ref: item.external_ref,
        action: if item.undoes_changes.is_empty() { item.action } else { BulkAction::UndoSet },
        requested_by: item.requested_by,
        reference: item.reference,
        key_digest: item.key_digest,
        created_at: item.created_at,
        listing,
        undoes: item.undoes_changes,
        changes: item.changes,
        refused: refused.map(|RefusedAttribute { campaign, error }| RefusedCampaign { campaign, error }).collect(),
    })
}

#[cfg(test)]
#[test]
fn a_bulk_change_is_stored_as_ever_and_read_as_it_was() {
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
        external_ref: None,
        action: BulkAction::Budgets,
        requested_by: Requester::ApiKey { id: crate::domain::KeyId("key_1".to_owned()), name: "A".to_owned() },
        reference: None,
        key_digest: None,
        created_at: at,
        listing: Listing::Listed,
        undoes: Vec::new(),
        changes: Vec::new(),
        refused: Vec::new(),
    };
    let accounts = [
        BulkAccount {
            action: BulkAction::Status(CampaignStatus::Paused),
            listing: Listing::Failed(error.clone()),
            changes: vec![ChangeId::first_at(at)],
            refused: vec![RefusedCampaign { campaign, error: error.clone() }],
            reference: Reference::parse("order-42"),
            key_digest: Some("d1".to_owned()),
            external_ref: ExternalRef::parse("shop42"),
            ..few.clone()
        },
        BulkAccount {
            action: BulkAction::Percent(Percent::parse("-20.5").unwrap()),
            listing: Listing::Pending(Some(error)),
            ..few.clone()
        },
        BulkAccount { action: BulkAction::Undo(bulk), listing: Listing::Pending(None), ..few.clone() },
        BulkAccount { action: BulkAction::UndoSet, undoes: vec![ChangeId::first_at(at)], ..few.clone() },
        few,
    ];
    let items = accounts.clone().map(|account| item(&account, at).unwrap());
    crate::store::stored::assert_stored("bulk", items.clone());
    for (account, item) in accounts.into_iter().zip(items) {
        assert_eq!(parse(customer, item).unwrap(), account);
    }
}
