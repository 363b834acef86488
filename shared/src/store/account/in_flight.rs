//! Slots: the bound on a customer's requests in flight, so that one whose requests hang does not take all processes
//! (D40).
//!
//! A request that waits for a platform holds a slot of its account: an attribute with the time at which the slot frees
//! itself. The admission takes the slot in the update that counts the request, so it adds no round trip, and the
//! request frees it after its response. A process that dies leaves its slot to time.

use crate::domain::{CustomerId, Plan};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::{Item, Store, Values, number, table_keys};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;

/// The condition that a slot is free.
const IS_FREE: &str = "(attribute_not_exists(#slot) OR #slot <= :now_ms)";
/// The assignment that takes it.
const TAKE: &str = "#slot = :until";

/// A slot that a request holds. Holders of the same slot hold it until different times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    number: u32,
    /// In milliseconds since 1970.
    until: i64,
}

impl Slot {
    /// A slot chosen by the time. With few concurrent requests it is usually free.
    pub(super) fn any(plan: Plan, until: Timestamp) -> Option<Slot> {
        choose((0..plan.limits().requests_in_flight).collect(), until)
    }

    /// One of the slots that are free in an account.
    pub(super) fn free(account: &Item, plan: Plan, until: Timestamp, now: Timestamp) -> Option<Slot> {
        let held_until = |slot| account.get(&attribute(slot)).and_then(|value| value.as_n().ok()?.parse::<i64>().ok());
        let is_free = |slot: &u32| held_until(*slot).is_none_or(|until| until <= now.as_millisecond());
        choose((0..plan.limits().requests_in_flight).filter(is_free).collect(), until)
    }

    /// Makes an admission take the slot, under the condition that it is free.
    pub(super) fn take(self, admission: UpdateItemFluentBuilder, now: Timestamp) -> UpdateItemFluentBuilder {
        let condition = admission.get_condition_expression().clone().unwrap_or_default();
        let update = admission.get_update_expression().clone().unwrap_or_default();
        let admission = admission
            .condition_expression(format!("{condition} AND {IS_FREE}"))
            .update_expression(format!("{update}, {TAKE}"));
        self.with_values(admission, now)
    }

    /// Makes an update of an account do nothing but take the slot, under the condition that it is free.
    pub(super) fn take_alone(self, update: UpdateItemFluentBuilder, now: Timestamp) -> UpdateItemFluentBuilder {
        let update = update
            .condition_expression(format!("disabled = :no AND {IS_FREE}"))
            .update_expression(format!("SET {TAKE}"))
            .value(":no", AttributeValue::Bool(false));
        self.with_values(update, now)
    }

    fn with_values(self, update: UpdateItemFluentBuilder, now: Timestamp) -> UpdateItemFluentBuilder {
        update
            .expression_attribute_names("#slot", attribute(self.number))
            .values([(":now_ms", number(now.as_millisecond())), (":until", number(self.until))])
    }
}

impl Store {
    /// Frees a slot, unless another request has taken it since.
    pub async fn free_slot(&self, customer: CustomerId, slot: Slot) -> Result<(), Error> {
        let update = self
            .update_item(&table_keys::account(customer))
            .update_expression("REMOVE #slot")
            .condition_expression("#slot = :until")
            .expression_attribute_names("#slot", attribute(slot.number))
            .value(":until", number(slot.until));
        conditional_update(update).await.map(drop)
    }
}

fn attribute(number: u32) -> String {
    format!("slot_{number:02}")
}

fn choose(free: Vec<u32>, until: Timestamp) -> Option<Slot> {
    let count = u32::try_from(free.len()).ok().filter(|count| *count > 0)?;
    // Spread by the time instead of chance, so that a simulation from a seed repeats itself.
    let index = usize::try_from(crc32fast::hash(&until.as_nanosecond().to_le_bytes()) % count).ok()?;
    free.get(index).map(|number| Slot { number: *number, until: until.as_millisecond() })
}
