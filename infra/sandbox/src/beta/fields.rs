//! The parameter `fields`: names, and one edge that may be read with its object.
//!
//! Graph API: Field Expansion.

use super::error::GraphError;

/// What is asked of an object.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Selection<'a> {
    pub(crate) names: Vec<&'a str>,
    /// `insights`, when it is asked for with the object.
    pub(crate) insights: Option<Edge<'a>>,
}

/// `insights.date_preset(maximum){spend}`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Edge<'a> {
    /// Name and value of its parameters.
    pub(crate) parameters: Vec<(&'a str, &'a str)>,
    pub(crate) fields: Option<&'a str>,
}

/// Reads `fields` of a node; only `id` when there is none. Every name has to be one of `known`.
pub(crate) fn select<'a>(
    text: Option<&'a str>,
    known: &[&'static str],
    node: &str,
) -> Result<Selection<'a>, GraphError> {
    let mut selection = Selection { names: vec!["id"], insights: None };
    for item in split(text.unwrap_or_default()) {
        let name = item.split(['.', '{', '(']).next().unwrap_or_default();
        if node == CAMPAIGN && name == "insights" {
            selection.insights = Some(edge(item.get(name.len()..).unwrap_or_default())?);
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

/// What the platform calls a campaign among its kinds of node.
pub(crate) const CAMPAIGN: &str = "AdCampaignGroup";

/// At the commas that are in no bracket.
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

/// `.name(value).name(value){fields}`, each part of it optional.
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
    fn an_edge_is_read_with_its_parameters_and_fields() {
        let text = "name, insights.date_preset(maximum).limit(1){spend,account_currency},id";
        let selection = select(Some(text), &["id", "name"], CAMPAIGN).unwrap();
        assert_eq!(selection.names, ["id", "name"]);
        let edge = selection.insights.unwrap();
        assert_eq!(edge.parameters, [("date_preset", "maximum"), ("limit", "1")]);
        assert_eq!(edge.fields, Some("spend,account_currency"));
    }

    #[test]
    fn an_unknown_name_and_a_broken_bracket_are_refused() {
        for bad in ["nmae", "id,insights.date_preset(maximum", "insights{spend", "name{id}"] {
            assert!(select(Some(bad), &["id", "name"], CAMPAIGN).is_err(), "{bad}");
        }
    }
}
