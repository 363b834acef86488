//! `createCampaign` with `targets`: the same campaign in several ad accounts (D8 in docs/decisions.md).

use shared::domain::{Plan, Reason};
use shared::envelope::Target;
use shared::error::{Error, FieldError, Kind};

/// Validates all targets with `prepare`, which gets each target's index, if the plan includes `targets` (D33 in
/// docs/decisions.md). Field errors of all targets are reported together, and take precedence over a missing
/// connection.
pub(crate) fn prepare_targets<T>(
    plan: Plan,
    targets: &[Target],
    prepare: impl Fn(&Target, usize) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    require_targets(plan)?;
    let mut prepared = Vec::new();
    let mut field_errors: Vec<FieldError> = Vec::new();
    let mut first_refusal = None;
    for (index, target) in targets.iter().enumerate() {
        match prepare(target, index) {
            Ok(create) => prepared.push(create),
            Err(error) if error.kind == Kind::Validation => {
                let with_target =
                    |error: FieldError| FieldError { field: format!("targets[{index}]: {}", error.field), ..error };
                field_errors.extend(error.details.into_iter().map(with_target));
            }
            Err(error) => first_refusal = first_refusal.or(Some(error)),
        }
    }
    if !field_errors.is_empty() {
        return Err(Error::fields(field_errors));
    }
    first_refusal.map_or(Ok(prepared), Err)
}

/// Checks that a plan includes `targets`.
pub(crate) fn require_targets(plan: Plan) -> Result<(), Error> {
    if plan.limits().has_targets {
        return Ok(());
    }
    let message = format!(
        "Plan {} does not include targets: change to plan {}, or send one create for each ad account.",
        plan.as_str(),
        Plan::smallest_with(|limits| limits.has_targets).as_str()
    );
    Err(Error::new(Kind::Forbidden, message).because(Reason::PlanLimit))
}
