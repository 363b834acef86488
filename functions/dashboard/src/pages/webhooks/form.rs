//! The form with the settings of an endpoint: what it shows, and what it sends.

use super::types::{TypeGroup, groups};
use crate::client::notice::Notice;
use crate::kit::choice::{Choice, choices};
use crate::kit::form_errors::Control;
use serde::Serialize;
use shared::domain::{EventKind, EventTypes, PayloadShape, WebhookEndpoint};
use shared::envelope::query::value;

/// The field that says whether the endpoint receives all types, and its value for a choice of them.
const EVENTS: &str = "events";
const SOME: &str = "some";
/// The fields that a page shows again. None is a secret.
pub(crate) const FIELDS: [&str; 5] = ["url", "description", EVENTS, "types", "shape"];
/// The controls of the form, and of the one that sends events again.
pub(super) const CONTROLS: &[Control] = &[
    ("url", "url", "URL"),
    ("description", "description", "Description"),
    ("types", "events", "Events"),
    ("shape", "shape", "Shape"),
    ("since", "since", "Since"),
];

/// The form as a page shows it.
pub(super) struct EndpointForm {
    pub(super) url: String,
    pub(super) description: String,
    pub(super) is_all: bool,
    pub(super) groups: Vec<TypeGroup>,
    pub(super) shapes: Vec<Choice>,
}

impl EndpointForm {
    /// The form as the person filled it in before a refusal, or with the values of an endpoint.
    pub(super) fn new(notice: Option<&Notice>, endpoint: Option<&WebhookEndpoint>) -> EndpointForm {
        let stored = |field: fn(&WebhookEndpoint) -> &str| endpoint.map(field).unwrap_or_default();
        let url = stored(|endpoint| endpoint.url.as_str());
        let description = stored(|endpoint| endpoint.description.as_deref().unwrap_or_default());
        let shape = endpoint.map_or(PayloadShape::Flat, |endpoint| endpoint.shape);
        let types = endpoint.map_or(&EventTypes::All, |endpoint| &endpoint.types);
        match notice.filter(|notice| notice.value(EVENTS).is_some()) {
            Some(Notice { values, .. }) => {
                let typed = |name, otherwise| value(values, name).unwrap_or(otherwise).to_owned();
                EndpointForm {
                    url: typed("url", url),
                    description: typed("description", description),
                    is_all: value(values, EVENTS) != Some(SOME),
                    groups: groups(|kind| chosen(values).any(|name| name == kind.as_str())),
                    shapes: shapes(value(values, "shape").unwrap_or_default()),
                }
            }
            None => EndpointForm {
                url: url.to_owned(),
                description: description.to_owned(),
                is_all: *types == EventTypes::All,
                groups: groups(|kind: EventKind| *types != EventTypes::All && types.contains(kind)),
                shapes: shapes(shape.as_str()),
            },
        }
    }
}

/// The body of a form for the API.
#[derive(Serialize)]
pub(super) struct EndpointBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    types: Vec<&'a str>,
    shape: &'a str,
    description: Option<&'a str>,
}

impl<'a> EndpointBody<'a> {
    /// The body of a form.
    pub(super) fn of(form: &'a [(String, String)], url: Option<&'a str>) -> EndpointBody<'a> {
        let types = if value(form, EVENTS) == Some(SOME) { chosen(form).collect() } else { vec!["*"] };
        EndpointBody {
            url,
            types,
            shape: value(form, "shape").unwrap_or_default(),
            description: value(form, "description").map(str::trim).filter(|text| !text.is_empty()),
        }
    }
}

/// The URL of a form.
pub(super) fn url(form: &[(String, String)]) -> &str {
    value(form, "url").map(str::trim).unwrap_or_default()
}

/// The URL of a form if it is another one than the page showed; without the field it stays.
pub(super) fn changed_url(form: &[(String, String)]) -> Option<&str> {
    value(form, "url")?;
    Some(url(form)).filter(|url| value(form, "was_url") != Some(url))
}

fn chosen(form: &[(String, String)]) -> impl Iterator<Item = &str> {
    form.iter().filter(|(name, _)| name == "types").map(|(_, value)| value.as_str())
}

fn shapes(chosen: &str) -> Vec<Choice> {
    choices(&PayloadShape::ALL.map(|shape| (shape.as_str(), meaning(shape))), chosen)
}

fn meaning(shape: PayloadShape) -> &'static str {
    match shape {
        PayloadShape::Flat => "Flat: a platform is alpha_ads, a goal TRAFFIC",
        PayloadShape::Enveloped => "Enveloped: a platform is ALPHA, a goal WEBSITE_TRAFFIC",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    fn sent(fields: &[(&str, &str)]) -> String {
        let form = form(fields);
        serde_json::to_string(&EndpointBody::of(&form, changed_url(&form))).unwrap()
    }

    #[test]
    fn all_events_win_over_boxes_that_the_form_hides() {
        let all = [("events", "all"), ("types", "change.late"), ("shape", "flat"), ("description", " ")];
        assert_eq!(sent(&all), r#"{"types":["*"],"shape":"flat","description":null}"#);
        let some = [("events", "some"), ("types", "change.late"), ("types", "change.failed"), ("description", " Log ")];
        assert_eq!(sent(&some), r#"{"types":["change.late","change.failed"],"shape":"","description":"Log"}"#);
        assert_eq!(sent(&[("events", "some")]), r#"{"types":[],"shape":"","description":null}"#);
    }

    #[test]
    fn only_a_changed_url_is_sent() {
        let url = |fields: &[(&str, &str)]| changed_url(&form(fields)).map(str::to_owned);
        assert_eq!(url(&[("url", " https://a.example/ "), ("was_url", "https://a.example/")]), None);
        assert_eq!(
            url(&[("url", "https://b.example/"), ("was_url", "https://a.example/")]),
            Some("https://b.example/".to_owned())
        );
        assert_eq!(url(&[("url", "https://b.example/")]), Some("https://b.example/".to_owned()));
        assert_eq!(url(&[("was_url", "https://a.example/")]), None);
    }

    #[test]
    fn a_refused_form_is_shown_as_it_was_filled_in() {
        let values = form(&[("events", "some"), ("types", "change.late"), ("url", "http://x"), ("shape", "enveloped")]);
        let notice = Notice { values, ..Notice::default() };
        let shown = EndpointForm::new(Some(&notice), None);
        let boxes = shown.groups.iter().flat_map(|group| &group.choices).filter(|choice| choice.is_chosen);
        assert_eq!((shown.url.as_str(), shown.is_all, boxes.count()), ("http://x", false, 1));
        assert!(shown.shapes.iter().any(|shape| shape.is_chosen && shape.value == "enveloped"));
        let other = Notice { values: form(&[("since", "x")]), ..Notice::default() };
        assert!(EndpointForm::new(Some(&other), None).is_all, "the notice of another form");
    }
}
