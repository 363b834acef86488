//! The erasure of a user (D169).
//!
//! - An **erasure** is an attribute of the record of its user, and due until nothing of the user is left. `due_at` is its
//!   lease, too: a process that takes it moves that time, and stores nothing once another one has moved it.
//! - A **tombstone** is what is left of a change: that there was one, when, and which amount it set.

mod item;
mod owned;
mod pages;
mod tombstone;

pub(super) use item::StoredErasure;
pub use pages::ErasedPage;
pub(super) use pages::key_of;

use super::conditional::conditional_update;
use super::table_keys::{self, DUE_ERASURE};
use super::transactions::delete_write;
use super::users::UserItem;
use super::{Store, Values, attribute, from_item, number, text};
use crate::domain::erasure::ErasureStep;
use crate::domain::spending::Spender;
use crate::domain::{CustomerId, Erasure, ExternalRef};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use jiff::Timestamp;

/// An erasure that this process works on.
#[derive(Clone, Debug)]
pub struct TakenErasure {
    pub customer: CustomerId,
    pub user: ExternalRef,
    pub erasure: Erasure,
    /// The end of the lease, in whole seconds.
    until: Timestamp,
}

impl Store {
    /// Stores a new erasure of a user, due at once. One that has begun leaves what runs if this one does. Returns whether it
    /// is new.
    pub async fn begin_erasure(
        &self,
        customer: CustomerId,
        user: &ExternalRef,
        erasure: &Erasure,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let begin = due_at(self.update_item(&table_keys::user(customer, user)), now)
            .update_expression("SET erasure = :erasure, due_kind = :kind, due_at = :due, updated_at = :now")
            .condition_expression("attribute_not_exists(erasure)")
            .values([
                (":erasure", attribute(&StoredErasure(erasure.clone()))?),
                (":kind", text(DUE_ERASURE)),
                (":now", number(now.as_millisecond())),
            ]);
        if conditional_update(begin).await? {
            return Ok(true);
        }
        if erasure.leave_running {
            self.leave_running(customer, user, now).await?;
        }
        Ok(false)
    }

    /// Lets an erasure go on that waits for a pause or for an outcome. A later step waits for other things.
    async fn leave_running(&self, customer: CustomerId, user: &ExternalRef, now: Timestamp) -> Result<(), Error> {
        let update = due_at(self.update_item(&table_keys::user(customer, user)), now)
            .update_expression("SET due_at = :due, erasure.leave_running = :leave")
            .condition_expression("erasure.#step IN (:pausing, :closing)")
            .expression_attribute_names("#step", "step")
            .values([
                (":leave", attribute(&true)?),
                (":pausing", attribute(&ErasureStep::Pausing)?),
                (":closing", attribute(&ErasureStep::Closing)?),
            ]);
        conditional_update(update).await.map(drop)
    }

    /// Takes an erasure that is due until a time, so that one process works on it. `None` if it has ended, or another
    /// process has it.
    pub async fn take_erasure(
        &self,
        customer: CustomerId,
        user: &ExternalRef,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<TakenErasure>, Error> {
        let Some(item) = self.read(&table_keys::user(customer, user)).await? else { return Ok(None) };
        let UserItem { erasure: Some(StoredErasure(erasure)), due_at: Some(due), .. } = from_item(item)? else {
            return Ok(None);
        };
        if due > now {
            return Ok(None);
        }
        let taken = TakenErasure { customer, user: user.clone(), erasure, until: due };
        self.keep_erasure(taken, until).await
    }

    /// Stores what a process has done of an erasure, and works on it until another time, or leaves it until then. `None`,
    /// with nothing stored, if another process has taken it.
    pub async fn keep_erasure(&self, taken: TakenErasure, until: Timestamp) -> Result<Option<TakenErasure>, Error> {
        let update = due_at(self.update_item(&table_keys::user(taken.customer, &taken.user)), until)
            .update_expression("SET erasure = :erasure, due_at = :due")
            .condition_expression("due_at = :taken")
            .values([
                (":erasure", attribute(&StoredErasure(taken.erasure.clone()))?),
                (":taken", number(taken.until.as_second())),
            ]);
        let is_kept = conditional_update(update).await?;
        Ok(is_kept.then_some(TakenErasure { until, ..taken }))
    }

    /// Ends an erasure: deletes the last two records of the user. `false`, with nothing changed, if another process has
    /// taken it.
    pub async fn end_erasure(&self, taken: &TakenErasure) -> Result<bool, Error> {
        let TakenErasure { customer, user, until, .. } = taken;
        let record = self
            .delete_item(&table_keys::user(*customer, user))
            .condition_expression("due_at = :taken")
            .value(":taken", number(until.as_second()));
        let spending = self.delete_item(&table_keys::spending(*customer, &Spender::User(user.clone())));
        Ok(self.transact(vec![delete_write(record)?, delete_write(spending)?]).await?.is_empty())
    }
}

fn due_at(update: UpdateItemFluentBuilder, at: Timestamp) -> UpdateItemFluentBuilder {
    update.value(":due", number(at.as_second()))
}
