//! New campaigns. There is no campaign to read: what happens depends on the limits of the key and of the users, and on whom
//! to ask (D62, D64). A request makes all of its creates, or none.

use super::Verdict;
use crate::changes::held_dates::{check_end, held_dates};
use crate::changes::monthly::monthly_draft;
use crate::domain::spending::{NewBudget, Spendings};
use crate::domain::{
    AdAccount, Attempt, CampaignDefaults, CampaignDraft, ChangeId, ChangeOrigin, ChangeTarget, Connection, Create,
    CustomerId, DefaultsSource, NewCampaign, Reason,
};
use crate::error::{Error, FieldError, Kind};
use crate::platforms::field_errors::FieldErrors;
use crate::platforms::{CreateInput, PreparedCreate, adapter};
use jiff::Timestamp;
use std::slice::from_ref;

/// A requested campaign in one ad account.
#[derive(Clone, Debug)]
pub struct CampaignRequest<'a> {
    pub customer: CustomerId,
    pub connection: &'a Connection,
    pub account: &'a AdAccount,
    pub draft: CampaignDraft,
    /// The values that the caller cannot say, and who has set them.
    pub defaults: Option<(CampaignDefaults, DefaultsSource)>,
    pub origin: ChangeOrigin,
    /// The number of the create among those of the request, from 0.
    pub number: usize,
    pub attempt: Attempt,
}

/// What a request for a new campaign does, as far as the limits admit it.
#[derive(Clone, Debug)]
pub struct CreatePlan<'a> {
    /// Whether it is sent now or awaits approval.
    pub verdict: Verdict,
    pub connection: &'a Connection,
    /// The change that is sent now, or that waits.
    pub create: Create,
    /// The request to the platform, for now or for after the approval.
    pub prepared: PreparedCreate,
    /// The values of the draft that the caller cannot say, and who has set them.
    pub defaults: Option<(CampaignDefaults, DefaultsSource)>,
}

/// Plans a new campaign. [`count_creates`] checks the limits, because the creates of a request count together.
pub fn plan_create<'a>(request: CampaignRequest<'a>, spendings: &Spendings) -> Result<CreatePlan<'a>, Error> {
    let CampaignRequest { customer, connection, account, draft, defaults, origin, number, attempt } = request;
    let (adapter, now, currency) = (adapter(connection.platform), attempt.at, account.currency);
    let (draft, monthly) = monthly_draft(adapter, account, draft, now)?;
    let limited = spendings.in_connection(connection).find(|spending| spending.limit.is_some());
    if let (Some(spending), Some(_)) = (limited, monthly) {
        return Err(Error::refused(spending, spending.monthly(currency)));
    }
    let (held_start_at, held_end_at) = held_dates(adapter.facts().capabilities, account, &draft, now)?;
    let draft = CampaignDraft { defaults: defaults.as_ref().map(|(values, _)| values.clone()), ..draft };
    let budget = NewBudget { connection: &connection.id, currency, amount: draft.budget_amount };
    let awaits_person = spendings.create_needs_approval(&budget, connection);
    let new = NewCampaign { draft, held_start_at, held_end_at, monthly };
    let target = ChangeTarget::in_account(customer, connection, currency, None);
    let id = ChangeId::new(now, origin.request, number);
    let (verdict, create) = if awaits_person {
        (Verdict::AwaitsApproval, Create::for_approval(id, target, origin, new, now))
    } else {
        (Verdict::Now, Create::immediate(id, target, origin, new, attempt))
    };
    let prepared = prepare(&create, connection, None, now)?;
    Ok(CreatePlan { verdict, connection, create, prepared, defaults })
}

/// Plans the approval of a create: for the page that shows it, and for its execution.
pub(in crate::changes) fn plan_approved<'a>(
    waiting: &Create,
    connection: &'a Connection,
    defaults: Option<(CampaignDefaults, DefaultsSource)>,
    attempt: Attempt,
    spendings: &Spendings,
) -> Result<CreatePlan<'a>, Error> {
    let mut errors = FieldErrors::default();
    check_end(&mut errors, None, waiting.new_campaign().held_end_at, attempt.at);
    errors.into_result()?;
    let create = waiting.sending(attempt);
    count(&[(connection, &create)], spendings, attempt.at)?;
    let prepared = prepare(&create, connection, defaults.as_ref().map(|(values, _)| values), attempt.at)?;
    Ok(CreatePlan { verdict: Verdict::Now, connection, create, prepared, defaults })
}

/// Checks and translates the draft of a create. The draft has the defaults of its connection as they were at the
/// request, so that each attempt sends the same; `defaults` are the present ones, for a draft without them.
pub(in crate::changes) fn prepare(
    create: &Create,
    connection: &Connection,
    defaults: Option<&CampaignDefaults>,
    now: Timestamp,
) -> Result<PreparedCreate, Error> {
    let account = connection.account.as_ref().ok_or_else(|| Error::internal("a connection without an account"))?;
    let (draft, marker) = (create.draft(), &create.marker());
    let draft = &CampaignDraft { defaults: draft.defaults.as_ref().or(defaults).cloned(), ..draft.clone() };
    adapter(create.platform).prepare_create(&CreateInput { account, draft, marker, now })
}

/// The plans of a request with several targets. One refused target refuses all; the invalid fields of all targets come
/// before any other refusal.
pub fn all_or_none<'a>(targets: Vec<Result<CreatePlan<'a>, Error>>) -> Result<Vec<CreatePlan<'a>>, Error> {
    let (mut plans, mut invalid, mut refusal) = (Vec::new(), Vec::new(), None);
    for (index, target) in targets.into_iter().enumerate() {
        match target {
            Ok(plan) => plans.push(plan),
            Err(error) if error.kind == Kind::Validation => {
                let of_target =
                    |error: FieldError| FieldError { field: format!("targets[{index}]: {}", error.field), ..error };
                invalid.extend(error.details.into_iter().map(of_target));
            }
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    match refusal {
        _ if !invalid.is_empty() => Err(Error::fields(invalid)),
        Some(refusal) => Err(refusal),
        None => require_one_by_one(&plans).map(|()| plans),
    }
}

/// The spendings with the creates of a request counted. Refuses what a limit does not admit.
pub fn count_creates(plans: &[CreatePlan<'_>], spendings: &Spendings, now: Timestamp) -> Result<Spendings, Error> {
    let creates: Vec<_> = plans.iter().map(|plan| (plan.connection, &plan.create)).collect();
    count(&creates, spendings, now)
}

/// The result of a dry run for each target of a request. A refusal of the whole request is the result of each.
pub fn preview_creates<'a>(
    targets: Vec<Result<CreatePlan<'a>, Error>>,
    spendings: &Spendings,
    now: Timestamp,
) -> Vec<Result<CreatePlan<'a>, Error>> {
    let counted = |plan: CreatePlan<'a>| count_creates(from_ref(&plan), spendings, now).map(|_| plan);
    let planned: Vec<_> = targets.into_iter().map(|target| target.and_then(counted)).collect();
    if planned.iter().any(Result::is_err) {
        return planned;
    }
    let plans: Vec<CreatePlan<'a>> = planned.into_iter().flatten().collect();
    let admitted = |_: &CreatePlan<'a>| require_one_by_one(&plans).and_then(|()| count_creates(&plans, spendings, now));
    let admitted: Vec<_> = plans.iter().map(admitted).collect();
    plans.into_iter().zip(admitted).map(|(plan, admitted)| admitted.map(|_| plan)).collect()
}

fn count(creates: &[(&Connection, &Create)], spendings: &Spendings, now: Timestamp) -> Result<Spendings, Error> {
    spendings.try_map(|spending| {
        let counts = creates.iter().filter(|(connection, _)| spending.spender.spends_in(connection));
        let budgets: Vec<NewBudget<'_>> = counts.map(|(connection, create)| budget_in(connection, create)).collect();
        spending.count_creates(&budgets, now).map_err(|refusal| Error::refused(spending, refusal))
    })
}

/// The budget of a create, in the connection that sends it.
fn budget_in<'a>(connection: &'a Connection, create: &'a Create) -> NewBudget<'a> {
    NewBudget { connection: &connection.id, ..create.budget() }
}

/// Refuses a request with several creates, of which a person has to approve at least one.
fn require_one_by_one(plans: &[CreatePlan<'_>]) -> Result<(), Error> {
    if plans.len() < 2 || plans.iter().all(|plan| plan.verdict == Verdict::Now) {
        return Ok(());
    }
    let message = "A person has to approve a create of this budget with this API key. Send one create for each ad \
                   account, without targets, so that each can be approved.";
    Err(Error::new(Kind::Forbidden, message).because(Reason::ApprovalRequired))
}
