//! The bodies of requests that change many campaigns.

use super::{BudgetChanges, BudgetsRequest, BulkRequest, BulkTargets, UndoRequest};
use crate::domain::money::decimal_from_number;
use crate::domain::{CampaignId, CampaignStatus, ChangeId, MAX_BULK_IDS, NewBudget, Percent, PercentError};
use crate::envelope::Shape;
use crate::envelope::body::{budget_amount, reference};
use crate::envelope::fields::Fields;
use crate::envelope::platform_names::read_platform;
use crate::error::Error;

/// Reads the body of `setStatuses`.
pub fn read_bulk(shape: Shape, text: &[u8]) -> Result<BulkRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let status = fields.one_of("status", &["ACTIVE", "PAUSED"], |name| match name {
        "ACTIVE" => Some(CampaignStatus::Active),
        "PAUSED" => Some(CampaignStatus::Paused),
        _ => None,
    });
    let status = fields.require("status", status);
    let targets = targets(&mut fields, shape, false);
    let reference = reference(&mut fields);
    fields.finish()?;
    let missing = || Error::internal("a required field is missing without a field error");
    Ok(BulkRequest { status: status.ok_or_else(missing)?, targets: targets.ok_or_else(missing)?, reference })
}

/// Reads the body of `setBudgets`.
pub fn read_budgets(shape: Shape, text: &[u8]) -> Result<BudgetsRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let percent = fields.has("percent").then(|| percent(&mut fields)).flatten();
    let has_amounts = fields.has("budgets");
    let amounts = has_amounts.then(|| amounts(&mut fields)).flatten();
    let targets = targets(&mut fields, shape, has_amounts);
    let reference = reference(&mut fields);
    if has_amounts && percent.is_some() {
        fields.add_error("budgets", "must not be combined with percent");
    }
    if !has_amounts {
        fields.require("percent", percent);
    }
    fields.finish()?;
    let changes = match (percent, amounts, targets) {
        (_, Some(amounts), _) => BudgetChanges::Amounts(amounts),
        (Some(percent), _, Some(targets)) => BudgetChanges::Percent(percent, targets),
        _ => return Err(Error::internal("a required field is missing without a field error")),
    };
    Ok(BudgetsRequest { changes, reference })
}

/// Reads the body of `undoChange`. It may be empty.
pub fn read_undo(text: &[u8]) -> Result<UndoRequest, Error> {
    if text.trim_ascii().is_empty() {
        return Ok(UndoRequest::default());
    }
    let mut fields = Fields::parse(text)?;
    let connection = fields.string("connection_id");
    let changes = if fields.has("changes") { changes(&mut fields) } else { Vec::new() };
    if connection.is_some() && !changes.is_empty() {
        fields
            .add_error("connection_id", "must not be combined with changes: it chooses an ad account of a bulk change");
    }
    let reference = reference(&mut fields);
    fields.finish().map(|()| UndoRequest { connection, changes, reference })
}

/// Reads `changes`: ids of single changes.
fn changes(fields: &mut Fields<'_>) -> Vec<ChangeId> {
    let texts = fields.strings("changes").unwrap_or_default();
    if texts.is_empty() || texts.len() > MAX_BULK_IDS {
        let message = format!("must contain 1 to {MAX_BULK_IDS} change ids; it contains {}", texts.len());
        fields.add_error("changes", message);
        return Vec::new();
    }
    let mut ids: Vec<ChangeId> = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        match ChangeId::parse(text) {
            Some(id) => ids.push(id),
            None => fields.add_error(&format!("changes[{index}]"), "must be the id of a change, not of a bulk change"),
        }
    }
    ids.sort();
    ids.dedup();
    ids
}

/// Reads which campaigns a bulk change is about. `is_named` says that the body names them elsewhere.
fn targets(fields: &mut Fields<'_>, shape: Shape, is_named: bool) -> Option<BulkTargets> {
    let platform = read_platform(fields, shape);
    let connection = fields.string("connection_id");
    let ids = fields.has("ids").then(|| ids(fields));
    let all = fields.has("all").then(|| fields.take("all") == Some("true"));
    if all == Some(false) {
        fields.add_error("all", "must be true, or absent");
    }
    if all.is_some() && (platform.is_some() || connection.is_some()) {
        fields.add_error("all", "must not be combined with platform or connection_id, which choose less");
    }
    let names_accounts = platform.is_some() || connection.is_some() || all.is_some();
    if ids.is_some() && names_accounts {
        fields.add_error("ids", "must not be combined with platform, connection_id or all");
    }
    if is_named && (ids.is_some() || names_accounts) {
        fields.add_error(
            "budgets",
            "must not be combined with ids, platform, connection_id or all: it names its campaigns",
        );
    }
    if ids.is_none() && !names_accounts && !is_named {
        fields.add_error("all", "is required unless platform, connection_id or ids chooses the campaigns");
    }
    match ids {
        Some(ids) => Some(BulkTargets::Campaigns(ids)),
        None => names_accounts.then_some(BulkTargets::Accounts { platform, connection }),
    }
}

/// Reads `percent`: a number, or its text.
fn percent(fields: &mut Fields<'_>) -> Option<Percent> {
    let text = fields.take("percent")?;
    let percent = match serde_json::from_str::<String>(text) {
        Ok(text) => Percent::parse(&text),
        Err(_) if text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => {
            decimal_from_number(text).map_err(|_| PercentError::NoDecimal).and_then(Percent::new)
        }
        Err(_) => Err(PercentError::NoDecimal),
    };
    percent.map_err(|error| fields.add_error("percent", error.to_string())).ok()
}

/// Reads `budgets`.
fn amounts(fields: &mut Fields<'_>) -> Option<Vec<NewBudget>> {
    let items = fields.objects("budgets")?;
    if items.is_empty() || items.len() > MAX_BULK_IDS {
        let message = format!("must contain 1 to {MAX_BULK_IDS} budgets; it contains {}", items.len());
        fields.add_error("budgets", message);
        return None;
    }
    let mut budgets: Vec<NewBudget> = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let name = format!("budgets[{index}]");
        match item.and_then(read_amount) {
            Ok(budget) if budgets.iter().any(|other| other.campaign == budget.campaign) => {
                fields.add_error(&format!("{name}.id"), "names a campaign of another element");
            }
            Ok(budget) => budgets.push(budget),
            Err(error) => fields.add_nested_errors(&name, error),
        }
    }
    Some(budgets)
}

fn read_amount(mut fields: Fields<'_>) -> Result<NewBudget, Error> {
    let id = fields.string("id");
    let id = fields.require("id", id);
    let campaign = id.as_deref().and_then(CampaignId::parse);
    if id.is_some() && campaign.is_none() {
        fields.add_error("id", "must be the id of a campaign");
    }
    let amount = budget_amount(&mut fields);
    let amount = fields.require("budget_amount", amount);
    let from = fields.decimal("from");
    fields.finish()?;
    let missing = || Error::internal("a required field is missing without a field error");
    Ok(NewBudget { campaign: campaign.ok_or_else(missing)?, amount: amount.ok_or_else(missing)?, from })
}

fn ids(fields: &mut Fields<'_>) -> Vec<String> {
    let mut ids = fields.strings("ids").unwrap_or_default();
    if ids.is_empty() || ids.len() > MAX_BULK_IDS {
        fields.add_error("ids", format!("must contain 1 to {MAX_BULK_IDS} campaign ids; it contains {}", ids.len()));
    }
    ids.sort();
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(body: &str) -> Vec<String> {
        let error = read_budgets(Shape::Flat, body.as_bytes()).unwrap_err();
        error.details.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn a_percentage_is_a_number_or_its_text() {
        for (percent, shown) in
            [(r#""10""#, "10"), ("10", "10"), ("-12.50", "-12.5"), (r#""-12.5""#, "-12.5"), ("1e1", "10")]
        {
            let read = read_budgets(Shape::Flat, format!(r#"{{"percent":{percent},"all":true}}"#).as_bytes());
            let Ok(BudgetChanges::Percent(read, BulkTargets::Accounts { .. })) = read.map(|read| read.changes) else {
                panic!("{percent}")
            };
            assert_eq!(read.to_string(), shown, "{percent}");
        }
        for percent in ["0", "-100", "1000.5", "1.234", r#""ten""#, r#""1e1""#, "null", "true", "[10]", "1e-400"] {
            assert_eq!(errors(&format!(r#"{{"percent":{percent},"all":true}}"#)), ["percent"], "{percent}");
        }
    }

    #[test]
    fn amounts_name_each_campaign_once_and_exactly() {
        let read = read_budgets(
            Shape::Flat,
            br#"{"budgets":[{"id":"alpha_1_2","budget_amount":12.50,"from":10},{"id":"alpha_1_3","budget_amount":1}]}"#,
        );
        let Ok(BudgetChanges::Amounts(budgets)) = read.map(|read| read.changes) else { panic!() };
        assert_eq!((budgets[0].amount.to_string(), budgets[0].from), ("12.5".to_owned(), Some(10.into())));
        assert_eq!(budgets[1].from, None);
        let one = r#"{"id":"alpha_1_2","budget_amount":1}"#;
        for (body, fields) in [
            (r#"{"budgets":[]}"#.to_owned(), vec!["budgets"]),
            (format!(r#"{{"budgets":[{one},{one}]}}"#), vec!["budgets[1].id"]),
            (
                r#"{"budgets":[{"id":"x","budget_amount":0}]}"#.to_owned(),
                vec!["budgets[0].id", "budgets[0].budget_amount"],
            ),
            (r#"{"budgets":[{}]}"#.to_owned(), vec!["budgets[0].id", "budgets[0].budget_amount"]),
            (format!(r#"{{"budgets":[{one}],"percent":"10"}}"#), vec!["budgets"]),
            (format!(r#"{{"budgets":[{one}],"all":true}}"#), vec!["budgets"]),
            ("{}".to_owned(), vec!["all", "percent"]),
            (r#"{"percent":"10"}"#.to_owned(), vec!["all"]),
        ] {
            assert_eq!(errors(&body), fields, "{body}");
        }
    }

    #[test]
    fn an_undo_may_name_a_connection() {
        assert_eq!(read_undo(b" ").unwrap(), UndoRequest::default());
        assert_eq!(read_undo(b"{}").unwrap(), UndoRequest::default());
        let read = read_undo(br#"{"connection_id":"conn_1","reference":"order-42"}"#).unwrap();
        let reference = read.reference.map(|reference| reference.to_string());
        assert_eq!((read.connection.as_deref(), reference.as_deref()), (Some("conn_1"), Some("order-42")));
        assert!(read_undo(br#"{"reference":"order 42"}"#).is_err());
        assert!(read_undo(br#"{"connection":"conn_1"}"#).is_err());
    }

    #[test]
    fn an_undo_may_name_a_set_of_changes() {
        let (one, two) = (format!("chg_{:032x}", 1), format!("chg_{:032x}", 2));
        let read = read_undo(format!(r#"{{"changes":["{two}","{one}","{two}"]}}"#).as_bytes()).unwrap();
        let ids: Vec<String> = read.changes.iter().map(ChangeId::to_string).collect();
        assert_eq!(ids, [one.as_str(), two.as_str()]);
        let bulk = format!("blk_{:032x}", 1);
        for (body, field) in [
            (r#"{"changes":[]}"#.to_owned(), "changes"),
            (format!(r#"{{"changes":["{one}","{bulk}"]}}"#), "changes[1]"),
            (format!(r#"{{"changes":["{one}"],"connection_id":"conn_1"}}"#), "connection_id"),
        ] {
            let error = read_undo(body.as_bytes()).unwrap_err();
            assert_eq!(error.details[0].field, field, "{body}");
        }
    }
}
