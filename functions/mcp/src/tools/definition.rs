//! The tools as `tools/list` shows them. The texts are the whole of what an agent knows, so a test keeps a copy of them.

use super::{Tool, schema};
use serde_json::Value;
use shared::domain::ApiKeyInfo;
use std::sync::LazyLock;

/// The tools with the schemas of their arguments, which each call needs.
static WITH_INPUTS: LazyLock<Vec<Value>> = LazyLock::new(with_inputs);
/// The tools with the schemas of their answers too.
static DEFINITIONS: LazyLock<Vec<Value>> = LazyLock::new(with_outputs);

/// The tools that a key has.
pub(crate) fn definitions(key: &ApiKeyInfo) -> Vec<&'static Value> {
    let of_key = Tool::ALL.into_iter().filter(|tool| tool.is_of(key));
    of_key.filter_map(|tool| DEFINITIONS.iter().find(|definition| definition["name"] == tool.name())).collect()
}

/// The schema of a tool's arguments.
pub(super) fn input_schema(tool: Tool) -> Option<&'static Value> {
    Some(&WITH_INPUTS.iter().find(|definition| definition["name"] == tool.name())?["inputSchema"])
}

fn with_inputs() -> Vec<Value> {
    let mut definitions: Vec<Value> = serde_json::from_str(include_str!("definitions.json")).unwrap_or_default();
    for definition in &mut definitions {
        definition["inputSchema"] = schema::input(&definition["inputSchema"]);
    }
    definitions
}

fn with_outputs() -> Vec<Value> {
    let mut complete = WITH_INPUTS.clone();
    for definition in &mut complete {
        definition["outputSchema"] = definition["name"].as_str().map(schema::output).unwrap_or_default();
    }
    complete
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_its_texts() {
        let names: Vec<&Value> = DEFINITIONS.iter().map(|definition| &definition["name"]).collect();
        assert_eq!(names, Tool::ALL.map(Tool::name));
        for definition in DEFINITIONS.iter() {
            let text = definition.to_string();
            assert!(!text.contains("$ref") && !text.contains("\"pick\"") && !text.contains("\"also\""), "{text}");
            assert_eq!(definition["inputSchema"]["additionalProperties"], false, "{}", definition["name"]);
            assert_eq!(definition["outputSchema"]["type"], "object");
            assert!(definition["annotations"]["readOnlyHint"].is_boolean());
        }
    }

    #[test]
    fn the_texts_are_as_reviewed() {
        // A line for each tool.
        let lines: Vec<String> = DEFINITIONS.iter().map(Value::to_string).collect();
        insta::assert_snapshot!("tools", lines.join("\n"));
    }

    #[test]
    fn the_list_of_tools_is_small() {
        let size: usize = DEFINITIONS.iter().map(|definition| definition.to_string().len()).sum();
        assert!(size < 34 * 1024, "{size}");
    }
}
