//! An operation of the document, as the page shows it.

use super::super::ordered_json::OrderedJson;

/// An operation of the document.
pub(super) struct Operation<'a> {
    pub(super) method: String,
    pub(super) path: &'a str,
    pub(super) json: &'a OrderedJson,
}

impl<'a> Operation<'a> {
    pub(super) fn is_public(&self) -> bool {
        self.json.get("security").is_some_and(|schemes| schemes.items().is_empty())
    }

    pub(super) fn request_body(&self) -> Option<&'a OrderedJson> {
        self.json.at(&["requestBody", "content", "application/json"])
    }

    /// The first example of the request's body.
    pub(super) fn example_body(&self) -> Option<&'a OrderedJson> {
        let (_, example) = self.request_body()?.child("examples").members().first()?;
        example.get("value")
    }

    /// The responses that belong to this operation alone: all but the shared errors.
    pub(super) fn responses(&self) -> impl Iterator<Item = (&'a str, &'a OrderedJson)> + use<'a> {
        self.all_responses().filter(|(_, response)| response.get("$ref").is_none())
    }

    pub(super) fn errors(&self) -> impl Iterator<Item = (&'a str, &'a OrderedJson)> + use<'a> {
        self.all_responses().filter(|(_, response)| response.get("$ref").is_some())
    }

    fn all_responses(&self) -> impl Iterator<Item = (&'a str, &'a OrderedJson)> + use<'a> {
        self.json.child("responses").members().iter().map(|(status, response)| (status.as_str(), response))
    }
}
