//! The navigation around a page of the reference.

use super::super::ordered_json::OrderedJson;
use super::operation::Operation;
use super::{SCRIPT, STYLE};

/// Names and titles of the pages that list the types.
pub(super) const TYPE_PAGES: [(&str, &str); 7] = [
    ("campaign-types", "Campaign types"),
    ("change-types", "Change types"),
    ("insight-types", "Insight types"),
    ("account-types", "Account types"),
    ("user-types", "User types"),
    ("webhook-types", "Webhook types"),
    ("common-types", "Common types"),
];

/// The values that every page needs.
pub(super) struct Frame<'a> {
    pub(super) document: &'a OrderedJson,
    pub(super) title: &'a str,
    /// The name of the page in its address; empty for the overview.
    pub(super) name: &'a str,
    /// The URL before the path of an operation.
    pub(super) base_url: String,
}

/// A group of endpoints: a tag of the document.
pub(super) struct Group<'a> {
    /// The name in the address: `redirect-uris`.
    pub(super) name: String,
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    pub(super) operations: Vec<Operation<'a>>,
}

/// The groups, in the order of the document.
pub(super) fn groups(document: &OrderedJson) -> Vec<Group<'_>> {
    let group = |tag| group(document, tag);
    document.child("tags").items().iter().map(group).collect()
}

fn group<'a>(document: &'a OrderedJson, tag: &'a OrderedJson) -> Group<'a> {
    let title = tag.text_at("name");
    let has_tag =
        |operation: &Operation<'_>| operation.json.child("tags").items().iter().any(|tag| tag.text() == Some(title));
    Group {
        name: title.to_lowercase().replace(' ', "-"),
        title,
        description: tag.text_at("description"),
        operations: operations(document).filter(has_tag).collect(),
    }
}

/// All operations.
pub(super) fn operations(document: &OrderedJson) -> impl Iterator<Item = Operation<'_>> {
    document.child("paths").members().iter().flat_map(|(path, item)| {
        item.members().iter().map(move |(method, json)| Operation { method: method.to_uppercase(), path, json })
    })
}

impl<'a> Frame<'a> {
    /// The address of the stylesheet.
    pub(super) fn style(&self) -> &'static str {
        STYLE.path()
    }

    /// The address of the console's script.
    pub(super) fn script(&self) -> &'static str {
        SCRIPT.path()
    }

    pub(super) fn info(&self) -> &'a OrderedJson {
        self.document.child("info")
    }

    pub(super) fn groups(&self) -> Vec<Group<'a>> {
        groups(self.document)
    }

    pub(super) fn type_pages(&self) -> [(&'static str, &'static str); 7] {
        TYPE_PAGES
    }
}
