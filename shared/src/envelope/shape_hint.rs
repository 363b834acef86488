//! What an error says about a body that mixes the shapes: which part chose the shape, and the other spelling (D1).

use super::fields::Fields;
use super::{Shape, enveloped, flat};
use crate::domain::{Goal, Platform};
use crate::error::{Error, FieldError, Kind};

/// The error of a body that was read in a shape, with a sentence about the shape if the body has signs of the other.
pub(super) fn with_shape_hint(error: Error, shape: Shape, body: &[u8]) -> Error {
    if error.kind != Kind::Validation || error.details.is_empty() {
        return error;
    }
    let Some(hint) = hint(shape, body) else { return error };
    let mut details = error.details;
    details.push(hint);
    Error { details, ..error }
}

fn hint(shape: Shape, body: &[u8]) -> Option<FieldError> {
    let sign = enveloped_sign(body);
    match (shape, sign) {
        (Shape::Enveloped, Some(sign)) => flat_sign(body).map(|flat| {
            let message = format!(
                "makes this a request of the enveloped shape, to which {flat} does not belong. Either spell it all so: \
                 platform ALPHA, organization_id, goal WEBSITE_TRAFFIC. Or all flat: platform alpha_ads, connection_id, \
                 goal TRAFFIC"
            );
            FieldError::new(sign, message)
        }),
        (Shape::Enveloped, None) => flat_sign(body).map(|flat| of_header("enveloped", flat, "flat")),
        (Shape::Flat, Some(sign)) => Some(of_header("flat", sign, "enveloped")),
        (Shape::Flat, None) => None,
    }
}

/// The header, or a filter in the query, has chosen the shape.
fn of_header(chosen: &str, sign: &str, other: &str) -> FieldError {
    let message =
        format!("asks for the {chosen} shape, and {sign} is of the {other} one. Send {other}, or no such header");
    FieldError::new("X-API-Shape", message)
}

/// The part of a body that makes it a request of the enveloped shape.
pub(super) fn enveloped_sign(body: &[u8]) -> Option<&'static str> {
    let mut fields = Fields::parse(body).ok()?;
    ["organization_id", "targets"].into_iter().find(|name| fields.has(name)).or_else(|| {
        let platform = fields.string("platform")?;
        Platform::from_upper(&platform).map(|_| "platform")
    })
}

/// The part of a body that only the flat shape has.
fn flat_sign(body: &[u8]) -> Option<&'static str> {
    let mut fields = Fields::parse(body).ok()?;
    let mut holds = |name: &str, is_flat: &dyn Fn(&str) -> bool| fields.string(name).is_some_and(|text| is_flat(&text));
    if holds("platform", &|name| Platform::parse(name).is_some()) {
        return Some("platform");
    }
    let has = |goals: &[(&str, Goal)], name: &str| goals.iter().any(|(known, _)| *known == name);
    if holds("goal", &|name| has(&flat::GOALS, name) && !has(&enveloped::GOALS, name)) {
        return Some("goal");
    }
    fields.has("connection_id").then_some("connection_id")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hinted(shape: Shape, body: &str) -> Option<(String, String)> {
        let error = with_shape_hint(Error::field("goal", "wrong"), shape, body.as_bytes());
        error.details.get(1).map(|hint| (hint.field.clone(), hint.rule.to_string()))
    }

    #[test]
    fn the_error_of_a_mixed_body_names_what_chose_the_shape() {
        for (body, sign, part) in [
            (r#"{"platform":"alpha_ads","organization_id":"1"}"#, "organization_id", "which platform does not"),
            (r#"{"platform":"ALPHA","goal":"TRAFFIC"}"#, "platform", "which goal does not"),
            (r#"{"targets":[],"connection_id":"conn_1"}"#, "targets", "which connection_id does not"),
        ] {
            let (field, message) = hinted(Shape::Enveloped, body).unwrap();
            assert_eq!(field, sign, "{body}");
            assert!(message.contains(part) && message.contains("alpha_ads, connection_id"), "{message}");
        }
    }

    #[test]
    fn a_header_that_does_not_fit_the_body_is_named() {
        let (field, message) = hinted(Shape::Flat, r#"{"organization_id":"1"}"#).unwrap();
        assert_eq!((field.as_str(), message.contains("Send enveloped")), ("X-API-Shape", true), "{message}");
        let (_, message) = hinted(Shape::Enveloped, r#"{"platform":"alpha_ads"}"#).unwrap();
        assert!(message.contains("platform is of the flat one"), "{message}");
    }

    #[test]
    fn a_body_of_one_shape_has_no_hint() {
        for (shape, body) in [
            (Shape::Flat, r#"{"platform":"alpha_ads","goal":"?"}"#),
            (Shape::Enveloped, r#"{"platform":"ALPHA","organization_id":"1","goal":"LEADS"}"#),
            (Shape::Flat, "{"),
        ] {
            assert_eq!(hinted(shape, body), None, "{body}");
        }
    }
}
