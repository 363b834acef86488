//! `POST /v1/campaigns` with `targets`: the same campaign in several ad accounts, side by side (D8 in the README).

use crate::create::Order;
use shared::domain::Plan;
use shared::envelope::{CreateRequest, Target};
use shared::error::{Error, FieldError, Kind};
use shared::serve::Call;

/// What may be sent on every target. Not every plan has several (D33 in the README).
pub(crate) fn targets<'a>(
    call: &'a Call,
    request: &CreateRequest,
    targets: &[Target],
) -> Result<Vec<Order<'a>>, Error> {
    let plan = call.customer.plan;
    if !plan.limits().has_targets {
        return Err(not_in(plan));
    }
    orders(call, request, targets)
}

fn not_in(plan: Plan) -> Error {
    let message = format!(
        "A create with targets is not in plan {}: change to plan {}, or send one create for each account.",
        plan.as_str(),
        Plan::smallest_with(|limits| limits.has_targets).as_str()
    );
    Error::new(Kind::Forbidden, message)
}

/// Validates all targets. The faults of all are reported together, each with its target; they come before a
/// connection that is missing.
fn orders<'a>(call: &'a Call, request: &CreateRequest, targets: &[Target]) -> Result<Vec<Order<'a>>, Error> {
    let mut orders = Vec::new();
    let mut faults: Vec<FieldError> = Vec::new();
    let mut refusal = None;
    for (index, target) in (0_u8..).zip(targets) {
        match Order::new(call, request, target, index) {
            Ok(order) => orders.push(order),
            Err(error) if error.kind == Kind::Validation => {
                let named =
                    |fault: FieldError| FieldError { field: format!("targets[{index}]: {}", fault.field), ..fault };
                faults.extend(error.details.into_iter().map(named));
            }
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    if !faults.is_empty() {
        return Err(Error::fields(faults));
    }
    refusal.map_or(Ok(orders), Err)
}
