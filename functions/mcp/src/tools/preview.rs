//! `preview_change`: what a change would do, and the token that confirms it.

use super::ChangeKind;
use super::plan::Plan;
use super::warnings::{Planned, warnings};
use crate::answer::Answer;
use crate::api::{Answered, Api, Outcome};
use crate::arguments::{Arguments, object, quoted};
use crate::confirm_token::Preview;
use lambda_http::http::StatusCode;
use serde::Deserialize;
use serde_json::value::RawValue;
use shared::domain::money::decimal_from_number;
use shared::envelope::{Members, read_members, seen_text};
use shared::error::Error;

/// The result of a dry run.
#[derive(Deserialize)]
struct DryRun<'a> {
    verdict: String,
    needs_approval: bool,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// Shows what a change would do. Refuses what would be refused now.
pub(super) async fn preview(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    arguments.require(&["kind", "arguments"], &["kind", "arguments"])?;
    let kind = arguments.text("kind");
    let kind = ChangeKind::ALL.into_iter().find(|known| kind.as_deref() == Some(known.as_str()));
    let kind = kind.ok_or_else(|| Error::field("kind", "must be create, update or delete"))?;
    let must = || Error::field("arguments", format!("must be the arguments of {}, without confirm_token", kind.tool()));
    let arguments = arguments.nested("arguments").ok_or_else(must)?;
    let plan = Plan::read(api, kind, &arguments)?;
    let (before, checked) = tokio::join!(before(api, kind, &plan), dry_run(api, kind, &plan));
    let (before, checked) = match (before?, checked?) {
        (Ok(before), Ok(checked)) => (before, checked),
        (Err(refusal), _) | (_, Err(refusal)) => return Ok(refusal),
    };
    let before = before.map(|answered| answered.body);
    let before = before.as_deref().map(read_members).transpose()?;
    let checked: Option<DryRun<'_>> =
        checked.as_ref().map(|answered| serde_json::from_str(&answered.body)).transpose().map_err(Error::internal)?;
    if let Some(refused) = checked.as_ref().and_then(|checked| checked.error) {
        return Ok(Answer::refusal(status_of_code(refused), refused.get(), None));
    }
    let seen = before.as_ref().map(seen);
    let preview = Preview::new(api.call.request.now, plan.request, plan.facts, seen)?;
    let token = preview.seal(api.call, kind).await?;
    let needs_approval = checked.as_ref().is_some_and(|checked| checked.needs_approval);
    let changes_nothing = checked.as_ref().is_some_and(|checked| checked.verdict == "would_change_nothing");
    let planned = Planned { kind, before: before.as_ref(), arguments: &arguments, needs_approval, changes_nothing };
    Ok(Answer::success(&shown(&planned, &token, &preview)))
}

/// The campaign as it is now; `None` for a create.
async fn before(api: &Api<'_>, kind: ChangeKind, plan: &Plan) -> Result<Result<Option<Answered>, Answer>, Error> {
    match kind {
        ChangeKind::Create => Ok(Ok(None)),
        ChangeKind::Update | ChangeKind::Delete => Ok(api.get(&plan.target).await?.map(Some)),
    }
}

/// The dry run; `None` for a removal, of which a platform checks nothing.
async fn dry_run(api: &Api<'_>, kind: ChangeKind, plan: &Plan) -> Result<Result<Option<Answered>, Answer>, Error> {
    if kind == ChangeKind::Delete {
        return Ok(Ok(None));
    }
    let target = format!("{}?dry_run=true", plan.target);
    let outcome: Outcome = api.send((plan.method, &target), plan.body.clone(), None).await?;
    Ok(outcome.map(Some))
}

/// Status and budget of a campaign, as a change compares them.
fn seen(campaign: &Members<'_>) -> String {
    let json = |name: &str| campaign.iter().find(|(known, _)| known == name).map(|(_, value)| value.get());
    let text = |name: &str| json(name).and_then(|json| serde_json::from_str::<String>(json).ok());
    let amount = json("budget_amount").and_then(|json| decimal_from_number(json).ok());
    let amount = amount.map(|amount| amount.normalize().to_string());
    seen_text(text("status").as_deref(), amount.as_deref(), text("budget_period").as_deref())
}

/// The status that stands for the code of an error inside of a dry run.
fn status_of_code(error: &RawValue) -> StatusCode {
    let members = read_members(error.get()).unwrap_or_default();
    let code = members.iter().find(|(name, _)| name == "code").map(|(_, value)| value.get());
    match code {
        Some("\"VALIDATION_ERROR\"") => StatusCode::BAD_REQUEST,
        Some("\"FORBIDDEN\"") => StatusCode::FORBIDDEN,
        Some("\"NOT_FOUND\"") => StatusCode::NOT_FOUND,
        Some("\"CONFLICT\"") => StatusCode::CONFLICT,
        Some("\"TOKEN_EXPIRED\"") => StatusCode::FAILED_DEPENDENCY,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

fn shown(planned: &Planned<'_>, token: &str, preview: &Preview) -> String {
    let before = planned.before.map_or_else(|| "null".to_owned(), |members| as_json(members));
    let warnings: Vec<String> = warnings(planned).iter().map(|warning| quoted(warning)).collect();
    let tool = planned.kind.tool();
    let next = format!(
        "Tell the person what changes, with the warnings. Then call {tool} with exactly the same arguments and this \
         confirm_token."
    );
    object(
        [
            ("kind", quoted(planned.kind.as_str())),
            ("before", before),
            ("after", planned.after()),
            ("warnings", format!("[{}]", warnings.join(","))),
            ("needs_approval", planned.needs_approval.to_string()),
            ("confirm_token", quoted(token)),
            ("expires_at", quoted(&format!("{:.0}", preview.expires_at))),
            ("next", quoted(&next)),
        ]
        .into_iter(),
    )
}

fn as_json(members: &Members<'_>) -> String {
    object(members.iter().map(|(name, json)| (name.as_str(), json.get().to_owned())))
}
