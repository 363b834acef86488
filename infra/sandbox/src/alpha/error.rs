//! Errors of the Google Ads services.
//!
//! Google Ads API: Understand API errors. The codes and their groups come from the error reference of v26.

use serde_json::{Map, Value, json};

/// Group and value: `("campaignError", "DUPLICATE_CAMPAIGN_NAME")`.
pub(crate) type ErrorCode = (&'static str, &'static str);

/// One element of the path to an invalid field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathElement {
    pub(crate) name: String,
    pub(crate) index: Option<usize>,
}

impl PathElement {
    pub(crate) fn field(name: &str) -> Self {
        Self { name: name.to_owned(), index: None }
    }
}

/// One error of a `GoogleAdsFailure`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AdsError {
    pub(crate) code: ErrorCode,
    /// Boxed to keep results small.
    context: Box<ErrorContext>,
}

#[derive(Debug, Clone, PartialEq)]
struct ErrorContext {
    message: String,
    trigger: Option<String>,
    path: Vec<PathElement>,
    details: Option<Value>,
}

impl AdsError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let context = ErrorContext { message: message.into(), trigger: None, path: Vec::new(), details: None };
        Self { code, context: Box::new(context) }
    }

    /// A required field is missing.
    pub(crate) fn required(field: &str) -> Self {
        Self::new(("fieldError", "REQUIRED"), "The required field was not present.").at(field)
    }

    /// Sets the location, a dotted path relative to the resource.
    #[must_use]
    pub(crate) fn at(mut self, field: &str) -> Self {
        self.context.path = field.split('.').map(PathElement::field).collect();
        self
    }

    /// Sets the invalid value.
    #[must_use]
    pub(crate) fn with_trigger(mut self, trigger: impl Into<String>) -> Self {
        self.context.trigger = Some(trigger.into());
        self
    }

    #[must_use]
    pub(crate) fn with_details(mut self, details: Value) -> Self {
        self.context.details = Some(details);
        self
    }

    /// Prepends the path from the request to the resource.
    #[must_use]
    pub(crate) fn under(mut self, parents: &[PathElement]) -> Self {
        self.context.path.splice(0..0, parents.iter().cloned());
        self
    }

    /// proto3 JSON, which omits absent fields.
    pub(crate) fn json(&self) -> Value {
        let mut error = Map::new();
        error.insert("errorCode".to_owned(), json!({ self.code.0: self.code.1 }));
        error.insert("message".to_owned(), json!(self.context.message));
        if let Some(trigger) = &self.context.trigger {
            error.insert("trigger".to_owned(), json!({ "stringValue": trigger }));
        }
        if !self.context.path.is_empty() {
            let elements = self.context.path.iter().map(|element| match element.index {
                Some(index) => json!({ "fieldName": element.name, "index": index }),
                None => json!({ "fieldName": element.name }),
            });
            let elements: Vec<Value> = elements.collect();
            error.insert("location".to_owned(), json!({ "fieldPathElements": elements }));
        }
        if let Some(details) = &self.context.details {
            error.insert("details".to_owned(), details.clone());
        }
        Value::Object(error)
    }

    /// The location as messages show it: `operations[0].create.name`.
    pub(crate) fn path(&self) -> String {
        let elements = self.context.path.iter().map(|element| match element.index {
            Some(index) => format!("{}[{index}]", element.name),
            None => element.name.clone(),
        });
        elements.collect::<Vec<_>>().join(".")
    }

    pub(crate) fn message(&self) -> &str {
        &self.context.message
    }
}
