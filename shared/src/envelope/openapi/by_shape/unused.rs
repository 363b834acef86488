//! The components of a document that nothing refers to.

use super::super::ordered_json::OrderedJson;
use std::collections::BTreeSet;

/// Leaves out the components that nothing refers to.
pub(super) fn without_unused(document: OrderedJson) -> OrderedJson {
    let mut used = BTreeSet::new();
    for (name, value) in document.members() {
        if name != "components" {
            add_references(value, &document, &mut used);
        }
    }
    let is_used =
        |kind: &str, name: &str| kind == "securitySchemes" || used.contains(&format!("#/components/{kind}/{name}"));
    let of_kind = |(kind, all): &(String, OrderedJson)| {
        let kept = all.members().iter().filter(|(name, _)| is_used(kind, name)).cloned();
        (kind.clone(), OrderedJson::Object(kept.collect()))
    };
    let components = OrderedJson::Object(document.child("components").members().iter().map(of_kind).collect());
    let own = |(name, value): (String, OrderedJson)| match name.as_str() {
        "components" => (name, components.clone()),
        _ => (name, value),
    };
    OrderedJson::Object(document.clone().into_members().into_iter().map(own).collect())
}

/// Adds the references of a value, and those of what it refers to.
pub(super) fn add_references(value: &OrderedJson, document: &OrderedJson, used: &mut BTreeSet<String>) {
    let path = value.text_at("$ref");
    if !path.is_empty() && used.insert(path.to_owned()) {
        add_references(value.resolved(document), document, used);
    }
    value.members().iter().for_each(|(_, member)| add_references(member, document, used));
    value.items().iter().for_each(|item| add_references(item, document, used));
}
