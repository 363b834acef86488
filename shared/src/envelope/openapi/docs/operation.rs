//! An operation of the document, as the pages show it.

use super::super::ordered_json::OrderedJson;

/// The operations that platforms, browsers and the payment provider call.
const CALLED_BY_OTHERS: [&str; 2] = ["callback", "billingWebhook"];

/// An operation of the document.
pub(super) struct Operation<'a> {
    pub(super) method: String,
    pub(super) path: &'a str,
    pub(super) json: &'a OrderedJson,
}

impl<'a> Operation<'a> {
    pub(super) fn id(&self) -> &'a str {
        self.json.text_at("operationId")
    }

    pub(super) fn is_public(&self) -> bool {
        self.json.get("security").is_some_and(|schemes| schemes.items().is_empty())
    }

    pub(super) fn is_called_by_customers(&self) -> bool {
        !CALLED_BY_OTHERS.contains(&self.id())
    }

    pub(super) fn parameters(&self, document: &'a OrderedJson) -> Vec<&'a OrderedJson> {
        self.json.child("parameters").items().iter().map(|parameter| parameter.resolved(document)).collect()
    }

    pub(super) fn request_body(&self) -> Option<&'a OrderedJson> {
        self.json.at(&["requestBody", "content", "application/json"])
    }

    /// The first example of the request's body.
    pub(super) fn example_body(&self) -> Option<&'a OrderedJson> {
        let body = self.request_body()?;
        let named = body.child("examples").members().first().and_then(|(_, example)| example.get("value"));
        named.or_else(|| body.get("example"))
    }

    /// The responses that belong to this operation alone: all but the shared errors.
    pub(super) fn responses(&self) -> impl Iterator<Item = (&'a str, &'a OrderedJson)> + use<'a> {
        self.all_responses().filter(|(_, response)| response.get("$ref").is_none())
    }

    pub(super) fn errors(&self) -> impl Iterator<Item = (&'a str, &'a OrderedJson)> + use<'a> {
        self.all_responses().filter(|(_, response)| response.get("$ref").is_some())
    }

    pub(super) fn all_responses(&self) -> impl Iterator<Item = (&'a str, &'a OrderedJson)> + use<'a> {
        self.json.child("responses").members().iter().map(|(status, response)| (status.as_str(), response))
    }
}
