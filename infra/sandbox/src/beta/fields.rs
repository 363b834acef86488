//! The parameter `fields`: names of fields, the edge `insights` and the ad set of an ad.
//!
//! Graph API: Field Expansion.

use super::error::GraphError;
use serde_json::{Map, Value};

/// The selected fields of an object.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Selection<'a> {
    pub(crate) names: Vec<&'a str>,
    /// The edge `insights`, if selected.
    pub(crate) insights: Option<Edge<'a>>,
    /// The ad set of an ad, if selected, with the fields in its brackets.
    pub(crate) ad_set: Option<Option<&'a str>>,
}

/// An edge such as `insights.date_preset(maximum){spend}`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Edge<'a> {
    /// Names and values.
    pub(crate) parameters: Vec<(&'a str, &'a str)>,
    pub(crate) fields: Option<&'a str>,
}

/// Parses `fields` of a node. The default is `id`. Every name has to be one of `known`.
pub(crate) fn select<'a>(
    text: Option<&'a str>,
    known: &[&'static str],
    node: &str,
) -> Result<Selection<'a>, GraphError> {
    let mut selection = Selection { names: vec!["id"], insights: None, ad_set: None };
    for item in split(text.unwrap_or_default()) {
        let name = item.split(['.', '{', '(']).next().unwrap_or_default();
        if node == CAMPAIGN && name == "insights" {
            selection.insights = Some(edge(item.get(name.len()..).unwrap_or_default())?);
        } else if node == AD && name == "adset" {
            let edge = edge(item.get(name.len()..).unwrap_or_default())?;
            if let Some((parameter, _)) = edge.parameters.first() {
                return Err(GraphError::parameter(format!("The field adset takes no parameter {parameter}")));
            }
            selection.ad_set = Some(edge.fields);
        } else if known.contains(&item) {
            if !selection.names.contains(&item) {
                selection.names.push(item);
            }
        } else {
            let why = format!("Tried accessing nonexisting field ({name}) on node type ({node})");
            return Err(GraphError::parameter(why));
        }
    }
    Ok(selection)
}

/// The node type of an ad.
pub(crate) const AD: &str = "Adgroup";

/// The node type of an ad set.
pub(crate) const AD_SET: &str = "AdCampaign";

/// The node type of a campaign.
pub(crate) const CAMPAIGN: &str = "AdCampaignGroup";

/// An object with the selected fields that have a value.
pub(crate) fn object(selection: &Selection<'_>, field: impl Fn(&str) -> Option<Value>) -> Value {
    let values = selection.names.iter().filter_map(|name| Some(((*name).to_owned(), field(name)?)));
    Value::Object(values.collect::<Map<_, _>>())
}

/// Splits at the commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = text.split(|character: char| {
        match character {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Parses `.name(value).name(value){fields}`. Every part is optional.
fn edge(text: &str) -> Result<Edge<'_>, GraphError> {
    let wrong = || GraphError::new(400, 2500, format!("Syntax error in field expansion: {text}"));
    let mut edge = Edge::default();
    let mut rest = text;
    while let Some(after) = rest.strip_prefix('.') {
        let (name, after) = after.split_once('(').ok_or_else(wrong)?;
        let (value, after) = after.split_once(')').ok_or_else(wrong)?;
        edge.parameters.push((name, value));
        rest = after;
    }
    if rest.is_empty() {
        return Ok(edge);
    }
    let fields = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    edge.fields = Some(fields.ok_or_else(wrong)?);
    Ok(edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_parsed_with_its_parameters_and_fields() {
        let text = "name, insights.date_preset(maximum).limit(1){spend,account_currency},id";
        let selection = select(Some(text), &["id", "name"], CAMPAIGN).unwrap();
        assert_eq!(selection.names, ["id", "name"]);
        let edge = selection.insights.unwrap();
        assert_eq!(edge.parameters, [("date_preset", "maximum"), ("limit", "1")]);
        assert_eq!(edge.fields, Some("spend,account_currency"));
    }

    #[test]
    fn an_unknown_name_and_an_open_bracket_are_rejected() {
        for bad in ["nmae", "id,insights.date_preset(maximum", "insights{spend", "name{id}"] {
            assert!(select(Some(bad), &["id", "name"], CAMPAIGN).is_err(), "{bad}");
        }
    }
}
