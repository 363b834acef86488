//! `preview_change`: what a change would do, and the token that confirms it.

use super::Tool;
use super::arguments::check;
use super::lists::{CAMPAIGN_FIELDS, WHOLE, pick_members};
use super::requested_change::{RequestedChange, limit};
use super::waiting_budgets::waiting_budgets;
use super::warnings::{CheckedChange, warnings};
use crate::answer::{Answer, ToolError};
use crate::api::{Api, ApiResponse};
use crate::confirm_token::Preview;
use crate::object::{Object, array, json_text, object};
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
pub(super) async fn preview(api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, ToolError> {
    let kind = kind_of(&arguments)?;
    arguments.require(&["kind", "arguments"], &["arguments"])?;
    let inner = arguments.nested("arguments").unwrap_or_default();
    check(Tool::Change(kind), &inner)?;
    let requested = RequestedChange::read(api, kind, &inner)?;
    let (before, checked, waiting) = tokio::join!(
        campaign_before(api, kind, &requested),
        dry_run(api, kind, &requested),
        waiting_budgets(api, kind, &requested)
    );
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
    let seen = before.as_ref().map(seen_campaign);
    let preview = Preview::new(api.call.request.now, requested.request.clone(), requested.facts.clone(), seen)?;
    let token = preview.seal(api.call, kind).await?;
    let change = CheckedChange {
        kind,
        before: before.as_ref(),
        arguments: &requested.arguments,
        limit: limit(api),
        now: api.call.request.now,
        needs_approval: checked.as_ref().is_some_and(|checked| checked.needs_approval),
        activates: checked.as_ref().is_some_and(|checked| checked.activates),
        waiting: waiting?,
        changes_nothing: checked.as_ref().is_some_and(|checked| checked.verdict == "would_change_nothing"),
    };
    let defaults = checked.as_ref().and_then(|checked| checked.campaign_defaults);
    Ok(Answer::success(&preview_answer(&change, defaults, &token, &preview)))
}

fn kind_of(arguments: &Object<'_>) -> Result<ChangeKind, Error> {
    let kind = arguments.text("kind").as_deref().and_then(ChangeKind::parse);
    kind.ok_or_else(|| Error::field("kind", "must be create, update or delete; pause_campaign needs no preview"))
}

/// The campaign as it is now; `None` for a create.
async fn campaign_before(
    api: &Api<'_>,
    kind: ChangeKind,
    requested: &RequestedChange<'_>,
) -> Result<Option<ApiResponse>, ToolError> {
    match kind {
        ChangeKind::Create => Ok(None),
        ChangeKind::Update | ChangeKind::Delete => api.get(&requested.path).await.map(Some),
    }
}

/// The dry run; `None` for a removal, of which a platform checks nothing.
async fn dry_run(
    api: &Api<'_>,
    kind: ChangeKind,
    requested: &RequestedChange<'_>,
) -> Result<Option<ApiResponse>, ToolError> {
    if kind == ChangeKind::Delete {
        return Ok(None);
    }
    let target = format!("{}?dry_run=true", requested.path);
    api.send(requested.method, &target, requested.body.clone(), None).await.map(Some)
}

/// What a change compares with the campaign when it is made.
fn seen_campaign(campaign: &Object<'_>) -> SeenCampaign {
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
fn preview_answer(change: &CheckedChange<'_>, defaults: Option<&RawValue>, token: &str, preview: &Preview) -> String {
    let before = change.before.map(|before| object(pick_members(before, &CAMPAIGN_FIELDS, WHOLE)));
    let next = if change.changes_nothing {
        "There is nothing to change.".to_owned()
    } else {
        let tool = Tool::Change(change.kind).name();
        format!(
            "Tell the person what changes, with the warnings. Then call {tool} with the same arguments and this confirm_token."
        )
    };
    let defaults = defaults.map(|defaults| ("campaign_defaults", defaults.get().to_owned()));
    let shown = [
        ("kind", json_text(change.kind.as_str())),
        ("before", before.unwrap_or_else(|| "null".to_owned())),
        ("after", change.after()),
        ("warnings", array(warnings(change).iter().map(|warning| json_text(warning)))),
        ("needs_approval", change.needs_approval.to_string()),
        ("confirm_token", json_text(token)),
        ("expires_at", json_text(&format!("{:.0}", preview.expires_at))),
        ("next", json_text(&next)),
    ];
    object(shown.into_iter().chain(defaults))
}
