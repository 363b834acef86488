//! Bodies of requests, in both shapes: a body that one accepts, the other accepts too, with the same meaning.

use super::platforms::now;
use serde_json::value::RawValue;
use shared::domain::{BudgetPeriod, CampaignStatus, Goal};
use shared::envelope::{
    CreateRequest, KeyRequest, Shape, Targets, read_connection_update, read_create, read_key_request, read_key_update,
    read_plan, read_update,
};
use shared::error::{Error, Kind};
use std::collections::BTreeMap;

/// The goals that both shapes have: flat, then enveloped.
const GOALS: [(Goal, &str, &str); 4] = [
    (Goal::BrandAwareness, "AWARENESS", "BRAND_AWARENESS"),
    (Goal::WebsiteTraffic, "TRAFFIC", "WEBSITE_TRAFFIC"),
    (Goal::Leads, "LEADS", "LEADS"),
    (Goal::Sales, "SALES", "SALES"),
];

type Members<'a> = BTreeMap<String, &'a RawValue>;

/// Reads the input as every kind of body. Returns whether it is one.
pub(super) fn body(input: &[u8]) -> bool {
    let mut is_any = false;
    let _ = Shape::of_request(&[], input);
    for shape in [Shape::Flat, Shape::Enveloped] {
        match read_create(shape, input) {
            Ok(request) => {
                created(shape, input, &request);
                is_any = true;
            }
            Err(error) => refused(&error),
        }
        match read_update(shape, input) {
            Ok(_) => {
                updated(shape, input);
                is_any = true;
            }
            Err(error) => refused(&error),
        }
    }
    let key = read_key_request(input, now()).map(|request| named(&request));
    let key_update = read_key_update(input).map(drop);
    for outcome in [key, key_update, read_connection_update(input).map(drop), read_plan(input).map(drop)] {
        match outcome {
            Ok(()) => is_any = true,
            Err(error) => refused(&error),
        }
    }
    is_any
}

fn named(request: &KeyRequest) {
    let length = request.name.chars().count();
    assert!((1..=100).contains(&length) && !request.name.chars().any(char::is_control), "{request:?}");
    assert!(!request.scopes.is_empty() && request.expires_at.is_none_or(|end| end > now()), "{request:?}");
}

fn created(shape: Shape, input: &[u8], request: &CreateRequest) {
    let draft = &request.draft;
    let length = draft.name.chars().count();
    assert!((1..=255).contains(&length) && !draft.name.chars().any(char::is_control), "{request:?}");
    assert!(draft.budget_amount.is_sign_positive() && !draft.budget_amount.is_zero(), "{request:?}");
    if let Targets::Many(targets) = &request.targets {
        assert!((1..=10).contains(&targets.len()), "{request:?}");
        assert!((1..targets.len()).all(|index| !targets[..index].contains(&targets[index])), "{request:?}");
    }
    if !matches!(draft.budget_period, BudgetPeriod::Daily | BudgetPeriod::Lifetime) {
        return;
    }
    let Some((_, flat, enveloped)) = GOALS.iter().find(|(goal, ..)| *goal == draft.goal) else { return };
    let members: Members<'_> = serde_json::from_slice(input).expect("what was taken is an object");
    let (twin, own) = match shape {
        Shape::Flat => {
            (Shape::Enveloped, format!(r#""goal":"{enveloped}","platform":"ZETA","organization_id":"t2_1""#))
        }
        Shape::Enveloped => (Shape::Flat, format!(r#""goal":"{flat}","platform":"zeta_ads""#)),
    };
    let fields = ["name", "budget_amount", "budget_period", "start_at", "end_at"];
    let twin = read_create(twin, &object(&own, &members, &fields)).expect("the other shape takes it too");
    assert_eq!(twin.draft, *draft);
}

fn updated(shape: Shape, input: &[u8]) {
    let changes = read_update(shape, input).expect("read before").changes;
    let period = changes.budget_period;
    let has_words = period.is_none_or(|period| matches!(period, BudgetPeriod::Daily | BudgetPeriod::Lifetime))
        && changes.status.is_none_or(|status| matches!(status, CampaignStatus::Active | CampaignStatus::Paused));
    if !has_words {
        return;
    }
    let members: Members<'_> = serde_json::from_slice(input).expect("what was taken is an object");
    let twin = if shape == Shape::Flat { Shape::Enveloped } else { Shape::Flat };
    let fields = ["name", "status", "budget_amount", "budget_period"];
    let twin = read_update(twin, &object("", &members, &fields)).expect("the other shape takes it too");
    assert_eq!(twin.changes, changes);
}

/// An object with these members as they were written, after others.
fn object(first: &str, members: &Members<'_>, fields: &[&str]) -> Vec<u8> {
    let mut parts: Vec<String> = vec![first.to_owned()];
    parts.extend(fields.iter().filter_map(|field| Some(format!("{field:?}:{}", members.get(*field)?.get()))));
    parts.retain(|part| !part.is_empty());
    format!("{{{}}}", parts.join(",")).into_bytes()
}

/// A rejection is the caller's fault, and names the field.
pub(super) fn refused(error: &Error) {
    assert!(error.kind == Kind::Validation && !error.details.is_empty(), "{error:?}");
}
