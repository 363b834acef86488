//! Reports that an account has reached a threshold of its quota.

use super::item::Account;
use crate::domain::{Event, Occurrence, QuotaThreshold};
use crate::error::Error;
use crate::store::transactions::update_write;
use crate::store::{Store, Values, number, table_keys, text};
use aws_sdk_dynamodb::types::AttributeValue;

impl Store {
    /// Reports each quota threshold that the account has reached and that no event has reported. `false`, with nothing
    /// stored, if there is none, another request has reported one, or the usage is below them again.
    ///
    /// Every function that admits requests calls this. So it makes updates only, which an admission needs as well.
    pub async fn report_quota(&self, account: &Account, occurrence: Occurrence) -> Result<bool, Error> {
        let Account { customer, usage, quota_told, .. } = account;
        let thresholds = account.unreported_quota();
        let Some(highest) = thresholds.last() else { return Ok(false) };
        let is_used = "#plan = :plan AND period_start = :period AND used >= :least";
        let update = self
            .update_item(&table_keys::account(customer.id))
            .update_expression("SET quota_told = :percent, quota_told_period = :period")
            .expression_attribute_names("#plan", "plan")
            .values([
                (":plan", text(customer.plan.as_str())),
                (":period", number(usage.period_start.as_second())),
                (":least", count(highest.requests(customer.plan))),
                (":percent", count(highest.percent())),
            ]);
        let update = match quota_told {
            None => update.condition_expression(format!("{is_used} AND attribute_not_exists(quota_told)")),
            Some(seen) => update
                .condition_expression(format!("{is_used} AND quota_told = :seen AND quota_told_period = :seen_period"))
                .values([
                    (":seen", count(seen.threshold.percent())),
                    (":seen_period", number(seen.period_start.as_second())),
                ]),
        };
        let mut writes = vec![update_write(update)?];
        let event = |threshold: &QuotaThreshold| Event::of_quota(*threshold, customer.plan, *usage, occurrence);
        for event in thresholds.iter().map(event) {
            writes.push(self.event_update(&event)?);
        }
        Ok(self.transact(writes).await?.is_empty())
    }
}

fn count(number: u64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}
