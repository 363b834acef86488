//! Changes that wait for a person.

use super::attributes::{ApprovalAttribute, ValuesAttribute};
use super::concurrent_creates::too_many_open_creates;
use super::creates::request_item;
use super::item::{AWAITING, SCHEDULED, SENDING};
use super::lifecycle::map;
use crate::domain::{
    CampaignId, CampaignValues, Change, ChangeError, ChangeId, ChangeState, ChangeStatus, Create, CustomerId, Event,
    KeyId, KeySpending,
};
use crate::error::Error;
use crate::store::due::{change_kind, scheduled_kind};
use crate::store::table_keys::{self, OPEN_APPROVAL};
use crate::store::transactions::{put_write, update_write};
use crate::store::{Store, Values, number, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use jiff::Timestamp;

/// What came of an attempt to begin a create that a person has approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovedCreate {
    Begun,
    /// It does not wait any more.
    Lost,
    /// The spending has moved since it was read.
    SpendingMoved,
}

impl Store {
    /// The changes of a customer that wait for a person, oldest first. They come from an index, so one of a moment ago
    /// may be missing.
    pub async fn awaiting_approval(&self, customer: CustomerId) -> Result<Vec<ChangeId>, Error> {
        self.waiting_as(table_keys::customer(customer), OPEN_APPROVAL).await
    }

    /// The changes of a campaign that wait, for their time or for a person. They come from an index, so one of a moment
    /// ago may be missing.
    pub async fn waiting_of_campaign(
        &self,
        customer: CustomerId,
        campaign: &CampaignId,
        now: Timestamp,
    ) -> Result<Vec<Change>, Error> {
        let waiting = self.waiting_changes(customer, &format!("{campaign}#")).await?;
        self.changes_by_id(customer, &waiting, now).await
    }

    /// Cancels the changes of a key that wait for a person.
    pub async fn cancel_awaiting_of_key(
        &self,
        customer: CustomerId,
        key: &KeyId,
        reason: &ChangeError,
        at: Timestamp,
    ) -> Result<(), Error> {
        let canceled = &ChangeState::Canceled(Some(reason.clone()));
        let waiting = self.awaiting_approval(customer).await?;
        for change in self.changes_by_id(customer, &waiting, at).await? {
            if change.requested_by.is_key(key) {
                self.end_awaiting(customer, change.id, canceled, at).await?;
            }
        }
        Ok(())
    }

    /// Lets a change that waited for its time wait for a person; `asked` is the campaign now. `false` if it does not wait
    /// any more.
    pub async fn await_approval(&self, change: &Change, asked: &CampaignValues, at: Timestamp) -> Result<bool, Error> {
        let state = ChangeState::AwaitingApproval;
        let (asked, attempt) = (Some(asked.clone()), change.attempt - 1);
        let awaiting =
            Change { state, apply_at: None, send_deadline: at, asked, attempt, sent_at: None, ..change.clone() };
        let update = self
            .update_change(change)
            .update_expression(
                "SET #state = :awaiting, due_at = :due, open_key = :open, open_sort = :sort, asked = :asked, #until = :until \
                 REMOVE apply_at",
            )
            .condition_expression("#state = :scheduled AND attempt = :attempt AND attribute_not_exists(approval)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_names("#until", "until")
            .values([
                (":until", number(at.as_millisecond())),
                // Its attempt has not begun.
                (":attempt", number(awaiting.attempt)),
                (":awaiting", text(AWAITING)),
                (":asked", map(&awaiting.asked.as_ref().map(ValuesAttribute::from))?),
                (":scheduled", text(SCHEDULED)),
                (":due", number(awaiting.approval_until().as_second())),
                (":open", text(table_keys::open_key(&awaiting))),
                (":sort", text(table_keys::open_sort(&awaiting))),
            ]);
        let event = Event::of_awaiting(&awaiting, Some(ChangeStatus::Scheduled), at);
        self.update_and_tell(update, Some(&event)).await
    }

    /// Stores the approval of an update or a removal, which is then due at its time. `false` if it does not wait for a
    /// person any more.
    pub async fn approve_change(&self, approved: &Change) -> Result<bool, Error> {
        let due = approved.apply_at.unwrap_or(approved.began_at());
        let update = self
            .approved_update(approved)?
            .update_expression(
                "SET #state = :next, approval = :approval, executed_by = :by, apply_at = :due, due_kind = :kind, due_at = \
                 :due, open_key = :open, open_sort = :sort",
            )
            .values([
                (":next", text(SCHEDULED)),
                (":due", number(due.as_second())),
                (":kind", text(scheduled_kind(approved.id))),
                (":open", text(table_keys::open_key(approved))),
                (":sort", text(table_keys::open_sort(approved))),
            ]);
        self.update_and_tell(update, Some(&Event::of_approval(approved, approved.began_at()))).await
    }

    /// Begins a create that a person has approved, with `spending` in place of the one that it follows. Call this before
    /// sending.
    pub async fn approve_create(
        &self,
        create: &Create,
        spending: Option<&KeySpending>,
    ) -> Result<ApprovedCreate, Error> {
        let begin = self
            .approved_update(create)?
            .update_expression(
                "SET #state = :next, approval = :approval, executed_by = :by, attempt = :attempt, #until = :until, \
                 sent_at = :sent, due_kind = :kind, due_at = :due REMOVE open_key, open_sort",
            )
            .expression_attribute_names("#until", "until")
            .values([
                (":next", text(SENDING)),
                (":attempt", number(create.attempt)),
                (":until", number(create.send_deadline.as_millisecond())),
                (":sent", text(create.sent_at.unwrap_or(create.began_at()).to_string())),
                (":kind", text(change_kind(create.id))),
                (":due", number(create.send_deadline.as_second())),
            ]);
        let request = request_item(create.customer, create.request, &[create.id], create.began_at())?;
        let mut writes =
            vec![update_write(begin)?, self.begin_create_write(create)?, put_write(self.put_item(request))?];
        if let Some(spending) = spending {
            writes.push(put_write(self.spending_put(create.customer, spending)?)?);
        }
        writes.push(self.event_write(&Event::of_approval(create, create.began_at()))?);
        match self.transact(writes).await?.first() {
            None => Ok(ApprovedCreate::Begun),
            Some(0) => Ok(ApprovedCreate::Lost),
            Some(1) => Err(too_many_open_creates(create)),
            Some(_) => Ok(ApprovedCreate::SpendingMoved),
        }
    }

    /// Ends a change that waits for a person: it is rejected, or has expired. Returns it as it is then; `None` if it does
    /// not wait for a person any more.
    pub async fn end_awaiting(
        &self,
        customer: CustomerId,
        id: ChangeId,
        state: &ChangeState,
        at: Timestamp,
    ) -> Result<Option<Change>, Error> {
        let awaits = |change: &Change| change.state == ChangeState::AwaitingApproval;
        self.end_open(customer, id, awaits, state, at).await
    }

    /// An update of a change that waits for a person, with its approval. Its condition is that it waits, and has not
    /// expired.
    fn approved_update(&self, approved: &Change) -> Result<UpdateItemFluentBuilder, Error> {
        let approval = approved.approval.as_ref().map(ApprovalAttribute::from);
        let approval = approval.ok_or_else(|| Error::internal("an approval without a person"))?;
        Ok(self
            .update_change(approved)
            .condition_expression("#state = :awaiting AND due_at > :now")
            .expression_attribute_names("#state", "state")
            .values([
                (":awaiting", text(AWAITING)),
                (":approval", map(&approval)?),
                (":by", text(approved.executed_by.as_str())),
                (":now", number(approved.began_at().as_second())),
            ]))
    }
}
