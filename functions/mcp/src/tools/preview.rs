//! `preview_change`: what a change would do, and the token that confirms it.

use super::Tool;
use super::arguments::check;
use super::lists::{CAMPAIGN_FIELDS, WHOLE, picked};
use super::plan::{Plan, limit};
use super::waiting::waiting_budgets;
use super::warnings::{Planned, warnings};
use crate::answer::{Answer, Stop};
use crate::api::{Answered, Api};
use crate::confirm_token::Preview;
use crate::object::{Object, array, object, quoted};
use lambda_http::http::StatusCode;
use serde::Deserialize;
use serde_json::value::RawValue;
use shared::domain::{ChangeKind, Reason};
use shared::envelope::SeenCampaign;
use shared::error::{Error, Kind};

/// The result of a dry run.
#[derive(Deserialize)]
struct DryRun<'a> {
    verdict: String,
    needs_approval: bool,
    activates: bool,
    #[serde(borrow)]
    campaign_defaults: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// Shows what a change would do. Refuses what would be refused now.
pub(super) async fn preview(api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, Stop> {
    let kind = kind_of(&arguments)?;
    arguments.require(&["kind", "arguments"], &["arguments"])?;
    let inner = arguments.nested("arguments").unwrap_or_default();
    check(Tool::Change(kind), &inner)?;
    let plan = Plan::read(api, kind, &inner)?;
    let (before, checked, waiting) =
        tokio::join!(before(api, kind, &plan), dry_run(api, kind, &plan), waiting_budgets(api, kind, &plan));
    let (before, checked) = (before?.map(|answered| answered.body), checked?.map(|answered| answered.body));
    let before = before.as_deref().map(Object::parse).transpose()?;
    let checked: Option<DryRun<'_>> =
        checked.as_deref().map(serde_json::from_str).transpose().map_err(Error::internal)?;
    if let Some(refused) = checked.as_ref().and_then(|checked| checked.error) {
        return Ok(Answer::refusal(StatusCode::OK, refused.get()));
    }
    if kind == ChangeKind::Delete
        && before.as_ref().is_some_and(|before| before.text("status").as_deref() == Some("REMOVED"))
    {
        return Err(Error::new(Kind::Conflict, "The campaign is removed already.")
            .because(Reason::CampaignRemoved)
            .into());
    }
    let seen = before.as_ref().map(seen);
    let preview = Preview::new(api.call.request.now, plan.request.clone(), plan.facts.clone(), seen)?;
    let token = preview.seal(api.call, kind).await?;
    let planned = Planned {
        kind,
        before: before.as_ref(),
        arguments: &plan.arguments,
        limit: limit(api),
        now: api.call.request.now,
        needs_approval: checked.as_ref().is_some_and(|checked| checked.needs_approval),
        activates: checked.as_ref().is_some_and(|checked| checked.activates),
        waiting: waiting?,
        changes_nothing: checked.as_ref().is_some_and(|checked| checked.verdict == "would_change_nothing"),
    };
    let defaults = checked.as_ref().and_then(|checked| checked.campaign_defaults);
    Ok(Answer::success(&shown(&planned, defaults, &token, &preview)))
}

fn kind_of(arguments: &Object<'_>) -> Result<ChangeKind, Error> {
    let kind = arguments.text("kind").as_deref().and_then(ChangeKind::parse);
    kind.ok_or_else(|| Error::field("kind", "must be create, update or delete; pause_campaign needs no preview"))
}

/// The campaign as it is now; `None` for a create.
async fn before(api: &Api<'_>, kind: ChangeKind, plan: &Plan<'_>) -> Result<Option<Answered>, Stop> {
    match kind {
        ChangeKind::Create => Ok(None),
        ChangeKind::Update | ChangeKind::Delete => api.get(&plan.target).await.map(Some),
    }
}

/// The dry run; `None` for a removal, of which a platform checks nothing.
async fn dry_run(api: &Api<'_>, kind: ChangeKind, plan: &Plan<'_>) -> Result<Option<Answered>, Stop> {
    if kind == ChangeKind::Delete {
        return Ok(None);
    }
    let target = format!("{}?dry_run=true", plan.target);
    api.send((plan.method, &target), plan.body.clone(), None).await.map(Some)
}

/// What a change compares with the campaign when it is made.
fn seen(campaign: &Object<'_>) -> SeenCampaign {
    SeenCampaign {
        status: campaign.text("status"),
        budget_amount: campaign.amount("budget_amount").map(|amount| amount.normalize().to_string()),
        budget_period: campaign.text("budget_period"),
        start_at: campaign.text("start_at"),
        end_at: campaign.text("end_at"),
        name: SeenCampaign::mark(&campaign.text("name").unwrap_or_default()),
    }
}

/// `defaults` is what a create sends that no argument says, such as the country that the campaign is for.
fn shown(planned: &Planned<'_>, defaults: Option<&RawValue>, token: &str, preview: &Preview) -> String {
    let before = planned.before.map(|before| object(picked(before, &CAMPAIGN_FIELDS, WHOLE)));
    let next = if planned.changes_nothing {
        "There is nothing to change.".to_owned()
    } else {
        let tool = Tool::Change(planned.kind).name();
        format!(
            "Tell the person what changes, with the warnings. Then call {tool} with the same arguments and this confirm_token."
        )
    };
    let defaults = defaults.map(|defaults| ("campaign_defaults", defaults.get().to_owned()));
    let shown = [
        ("kind", quoted(planned.kind.as_str())),
        ("before", before.unwrap_or_else(|| "null".to_owned())),
        ("after", planned.after()),
        ("warnings", array(warnings(planned).iter().map(|warning| quoted(warning)))),
        ("needs_approval", planned.needs_approval.to_string()),
        ("confirm_token", quoted(token)),
        ("expires_at", quoted(&format!("{:.0}", preview.expires_at))),
        ("next", quoted(&next)),
    ];
    object(shown.into_iter().chain(defaults))
}
